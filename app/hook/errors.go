package hook

import "svc/app/api"

// The refusals of this slice beside the general ones.
var (
	ErrDisabled = &api.Error{
		Kind: api.Conflict, Code: "webhook_disabled", Message: "This webhook is disabled; set its status to ACTIVE first.",
	}
	errEventGone = api.ErrState.WithMessage("The event of this delivery is no longer kept, so it cannot be sent again.")
)
