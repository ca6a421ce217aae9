package testmessage

import (
	"svc/app/api"
)

// The refusals of this slice (contract 46).
var (
	ErrTestLimit = &api.Error{Kind: api.TooMany, Code: "test_limit_reached", Message: "An organization sends 20 test messages an hour at most, and 10 from one account; try again later."}
	// ErrRecipientSuppressed also stands for people who opted out: both are for good.
	ErrRecipientSuppressed = &api.Error{Kind: api.Invalid, Code: "recipient_suppressed", Message: "This person opted out or is on the suppression list, and is never written to."}
	ErrAccountUnavailable  = &api.Error{Kind: api.Conflict, Code: "account_unavailable", Message: "The account cannot send now; look at its status."}
)
