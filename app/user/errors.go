package user

import "svc/app/api"

// The refusals of this slice (contract 46.3).
var (
	ErrEmailTaken = api.ErrConflict.WithMessage("Somebody has an account with this address; sign in.")
	ErrDisabled   = &api.Error{Kind: api.Forbidden, Code: "user_disabled", Message: "This account is disabled; ask the administrator of the service."}
	ErrMFASetup   = &api.Error{Kind: api.Malformed, Code: "mfa_setup_required", Message: "Set two-factor up first."}
	ErrMFAOff     = &api.Error{Kind: api.Malformed, Code: "mfa_not_enabled", Message: "Two-factor is off."}
	ErrMFAEnabled = &api.Error{Kind: api.Conflict, Code: "mfa_already_enabled", Message: "Two-factor is on already; turn it off before you set it up again."}
)
