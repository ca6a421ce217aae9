package turn

import (
	"svc/app/api"
	"svc/app/seller/decision"
)

// decided keeps the decision, and answers it as the execution shows it.
func (a *acting) decided() (map[string]any, error) {
	if a.kept != nil {
		return a.kept, nil
	}
	fields := a.out.Decided()
	if fields == nil {
		return nil, nil
	}
	d := decision.Decision{
		ConversationID: a.k.ID, MessageID: a.k.LastID, ExecutionID: a.c.work.ID(), Source: a.out.Decision.Source(), Fields: a.out.Decision, Masked: a.out.Masked,
		LatencyMS: a.out.Took.Milliseconds(), ModelVersion: api.Optional(a.out.ModelVersion),
	}
	id, err := decision.Keep(a.tx, a.org, d)
	fields["decision_id"] = id
	a.kept = fields
	return fields, err
}
