package seller

import (
	"svc/ai/decide"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/app/seller/figure"
	"svc/app/seller/lead"
	"svc/app/seller/turn"
	"svc/store"
)

// sold notes what a turn says of a sale.
func sold(tx *store.Tx, org string, k *conversation.Conversation, in *answer.Situation, out *answer.Outcome) error {
	return lead.Observe(tx, org, k, lead.Seen{
		Business: in.Business.ID, Funnel: in.Funnel.ID, Stage: out.Stage, Interest: lead.Interest(out.Interest()), Quality: lead.Quality(out.Quality()),
		PriceAsked: out.Decision.Of(decide.Intent) == decide.Price, Offers: out.Offers, NextStep: out.Decision.Of(decide.NextAction), Purchase: out.Purchase,
	})
}

// counted adds a turn to the figures. How long the customer waited is counted when the reply
// is sent.
func counted(tx *store.Tx, org string, c turn.Counted) error {
	return figure.Count(tx, org, figure.Turn{
		Place: figure.Place{Business: c.Business, Account: c.Account}, At: c.At, Action: string(c.Action), PromptVersion: c.PromptVersion, Blocked: c.Blocked,
		Handoff: c.Trigger, Cost: c.Cost,
	})
}
