package session

import (
	"svc/app/api"
	"svc/app/user"
)

// The refusals of this slice (contract 46).
var (
	ErrCredentials   = api.ErrCredentials
	ErrUserDisabled  = user.ErrDisabled
	ErrSignupsClosed = &api.Error{Kind: api.Forbidden, Code: "signups_closed", Message: "Sign-ups are closed; ask for an invitation."}
	ErrGrantType     = &api.Error{Kind: api.Malformed, Code: "unsupported_grant_type", Message: "The only grant_type is api_key."}
	ErrNotInSupport  = &api.Error{Kind: api.Conflict, Code: "not_in_support_session", Message: "This is not a support session."}

	errLogin = ErrCredentials.WithMessage("The address or the password is wrong.")
	// ErrCode refuses a code of the second factor.
	ErrCode      = ErrCredentials.WithMessage("The code is wrong, or was used already; take the one that is shown now.")
	errKeyInBody = ErrCredentials.WithMessage("The API key is not valid, has expired or was revoked.")
)
