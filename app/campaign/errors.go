package campaign

import (
	"svc/app/api"
)

// The refusals of this slice (contract 46.2).
var (
	ErrInvalid       = &api.Error{Kind: api.Invalid, Code: "campaign_invalid", Message: "The campaign cannot start: some of its checks fail. See validation."}
	ErrNotDraft      = &api.Error{Kind: api.Conflict, Code: "campaign_not_draft", Message: "Only a draft can do this; duplicate the campaign to begin anew."}
	ErrLocked        = &api.Error{Kind: api.Conflict, Code: "campaign_locked", Message: "The campaign has ended and stays as it is; duplicate it to change anything."}
	ErrFieldLocked   = &api.Error{Kind: api.Conflict, Code: "field_locked", Message: "Some of these fields cannot change in this status."}
	ErrEnded         = &api.Error{Kind: api.Conflict, Code: "campaign_ended", Message: "Its end_at has passed; move that to a later time first."}
	ErrNoAccounts    = &api.Error{Kind: api.Conflict, Code: "no_active_accounts", Message: "None of the campaign's accounts can send; resume one of them, or add another."}
	ErrPausedByAdmin = &api.Error{Kind: api.Conflict, Code: "paused_by_admin", Message: "An administrator of the platform paused this campaign; ask them."}
	ErrNotByAdmin    = &api.Error{Kind: api.Conflict, Code: "not_paused_by_admin", Message: "No administrator paused this campaign; its organization resumes it."}
	ErrNotRepeating  = &api.Error{Kind: api.Conflict, Code: "not_repeating", Message: "The campaign does not repeat."}
)
