package recipient

import (
	"svc/app/api"
)

// The refusals of this slice (contract 46).
var (
	ErrExists       = &api.Error{Kind: api.Conflict, Code: "recipient_exists", Message: "A recipient with this messenger_id or username exists; change that one."}
	ErrOptedOut     = &api.Error{Kind: api.Conflict, Code: "recipient_opted_out", Message: "This person opted out; the consent cannot be changed any more."}
	ErrBusy         = &api.Error{Kind: api.Conflict, Code: "recipient_busy", Message: "A message to this person is being sent right now; try again in a moment."}
	ErrListName     = api.ErrConflict.WithMessage("A list of this name exists; choose another name.")
	ErrTooManyLists = api.ErrConflict.WithMessage("An organization has 1,000 lists at most; delete one that is not used.")
)
