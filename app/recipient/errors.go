package recipient

import (
	"svc/app/api"
)

// The refusals of this slice (contract 46).
var (
	ErrExists            = &api.Error{Kind: api.Conflict, Code: "recipient_exists", Message: "A recipient with this messenger_id or username exists; change that one."}
	ErrOptedOut          = &api.Error{Kind: api.Conflict, Code: "recipient_opted_out", Message: "This person opted out; the consent cannot be changed any more."}
	ErrLastOfOptOut      = ErrOptedOut.WithMessage("This entry is what is left of the opt-out of a recipient who was deleted; an opt-out is for ever.")
	ErrBusy              = &api.Error{Kind: api.Conflict, Code: "recipient_busy", Message: "A message to this person is being sent right now; try again in a moment."}
	ErrAlreadySuppressed = &api.Error{Kind: api.Conflict, Code: "already_suppressed", Message: "The suppression list names this person already."}
	ErrInvalidLink       = &api.Error{Kind: api.NotFound, Code: "invalid_link", Message: "This link is not complete or was changed; open it again from the message."}
	ErrImportRunning     = api.ErrConflict.WithMessage("Another import of this organization is running; wait until it has ended.")
	ErrListName          = api.ErrConflict.WithMessage("A list of this name exists; choose another name.")
	ErrTooManyLists      = api.ErrConflict.WithMessage("An organization has 1,000 lists at most; delete one that is not used.")
	ErrMediaType         = api.ErrMediaType.WithMessage("Send multipart/form-data with the field file, or application/json with records.")
	ErrFileTooLarge      = api.ErrTooLarge.WithMessage("An import may have 10 MB; cut the file into several.")
	ErrImportFailed      = api.ErrInternal.WithMessage("The import failed; what it saved so far stays. Send the file again: people who are there are updated.")
)
