package engine

import (
	"time"

	"svc/app/api"
)

// The refusals of this slice (contract 46.6).
var (
	ErrBudget      = &api.Error{Kind: api.Conflict, Code: "budget_exceeded", Message: "The AI budget is used up; raise it, or wait until it begins anew."}
	ErrUnavailable = &api.Error{
		Kind: api.Unavailable, Code: "ai_unavailable", Message: "No AI provider answered; look at the providers and try again.", RetryAfter: 30 * time.Second,
	}
)
