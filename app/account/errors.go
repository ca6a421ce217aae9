package account

import (
	"time"

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

// The refusals of a sign-in (contract 46.4, 7.2 and 18).
var (
	ErrCode           = &api.Error{Kind: api.Invalid, Code: "phone_code_invalid", Message: "The code is wrong; type it again."}
	ErrCodeExpired    = &api.Error{Kind: api.Gone, Code: "phone_code_expired", Message: "The code has expired; begin the sign-in again."}
	ErrPassword       = &api.Error{Kind: api.Invalid, Code: "password_hash_invalid", Message: "The two-step password is wrong; type it again."}
	ErrNumber         = &api.Error{Kind: api.Invalid, Code: "phone_number_invalid", Message: "That is no phone number; write it in international form, as in +998901234567."}
	ErrUnoccupied     = &api.Error{Kind: api.Invalid, Code: "phone_number_unoccupied", Message: "This number is not registered with the messenger; register it in its app first."}
	ErrBanned         = &api.Error{Kind: api.Forbidden, Code: "phone_number_banned", Message: "The messenger has banned this number."}
	ErrFlood          = &api.Error{Kind: api.TooMany, Code: "phone_number_flood", Message: "The messenger paused sign-ins of this number; wait as Retry-After says."}
	ErrAttempts       = &api.Error{Kind: api.TooMany, Code: "too_many_attempts", Message: "The five attempts of this sign-in are used up; begin again later."}
	ErrFlowExpired    = &api.Error{Kind: api.Gone, Code: "flow_expired", Message: "This sign-in took longer than 15 minutes; begin again."}
	ErrFlowFailed     = &api.Error{Kind: api.Gone, Code: "flow_failed", Message: "This sign-in is over; begin again."}
	ErrFlowNotFound   = &api.Error{Kind: api.NotFound, Code: "flow_not_found", Message: "There is no such sign-in; begin again."}
	ErrProxy          = &api.Error{Kind: api.Invalid, Code: "proxy_unavailable", Message: "The messenger cannot be reached through this proxy; check it, or choose another."}
	ErrApp            = &api.Error{Kind: api.Internal, Code: "messenger_app_invalid", Message: "The messenger refuses the application credentials of this service; its administrator must correct them."}
	ErrEmailSetup     = &api.Error{Kind: api.Invalid, Code: "email_setup_required", Message: "The messenger wants an e-mail address for this number; set it in the messenger's own app, then begin again."}
	ErrPaymentSetup   = &api.Error{Kind: api.Invalid, Code: "code_payment_required", Message: "The messenger asks this number to pay for codes; sign in once in the messenger's own app, then begin again."}
	ErrGateway        = &api.Error{Kind: api.BadGateway, Code: "gateway_unavailable", Message: "The messenger cannot be reached at the moment; try again."}
	signInErrors      = []*api.Error{ErrCode, ErrCodeExpired, ErrPassword, ErrNumber, ErrUnoccupied, ErrBanned, ErrFlood, ErrEmailSetup, ErrPaymentSetup, ErrApp}
	endsFlow          = []*api.Error{ErrCodeExpired, ErrNumber, ErrUnoccupied, ErrBanned, ErrEmailSetup, ErrPaymentSetup}
	errFlowDone       = api.ErrState.WithMessage("This sign-in is completed; the account is connected.")
	errFlowIncomplete = api.ErrState.WithMessage("This sign-in waits for another step; see its step.")
)

// floodWait is what Retry-After says when the platform names no time.
const floodWait = time.Minute
