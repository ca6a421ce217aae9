package account

import (
	"svc/app/account/proxy"
	"svc/app/api"
)

// The refusals of this slice (contract 46.2).
var (
	ErrRestriction = &api.Error{Kind: api.Conflict, Code: "restriction_not_acknowledged", Message: "The messenger restricted this account; resume it with acknowledge_restriction: true when you know why and it is over."}
	ErrReauth      = &api.Error{Kind: api.Conflict, Code: "reauth_required", Message: "The session of this account ended; sign in again (reauth), it cannot be resumed."}
	ErrDisabled    = &api.Error{Kind: api.Conflict, Code: "disabled_by_admin", Message: "An administrator of the platform disabled this account; ask them to enable it."}
	ErrInUse       = &api.Error{Kind: api.Conflict, Code: "account_in_use", Message: "A running campaign uses this account; pause the campaign, or take the account off it."}

	// ErrNotDisabled is that of a proxy too.
	ErrNotDisabled = proxy.ErrNotDisabled

	errConnected = api.ErrConflict.WithMessage("This number, or the person behind it, is connected already.")
	errElsewhere = api.ErrConflict.WithMessage("This number cannot be connected here; it is in use.")
	errOther     = api.ErrConflict.WithMessage("Another number was given than the one this account was connected with; sign in with the same number.")
	errStranger  = api.ErrConflict.WithMessage("Another person signed in than the one this account belongs to; nothing was changed.")
	errPerson    = api.ErrPersonRequired.WithMessage("A restricted account is resumed by a signed-in person, not by a key.")
	errRecovers  = api.ErrState.WithMessage("This account comes back by itself when the messenger answers; check it, or mend its proxy.")
)
