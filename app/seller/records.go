package seller

import (
	"svc/ai/decide"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/app/seller/lead"
	"svc/store"
)

// sold notes what a turn says of a sale.
func sold(tx *store.Tx, org string, k *conversation.Conversation, in *answer.Situation, out *answer.Outcome) error {
	return lead.Observe(tx, org, k, lead.Seen{
		Business: in.Business.ID, Funnel: in.Funnel.ID, Stage: out.Stage, Interest: lead.Interest(out.Interest()), Quality: lead.Quality(out.Quality()),
		PriceAsked: out.Decision.Of(decide.Intent) == decide.Price, Offers: out.Offers, NextStep: out.Decision.Of(decide.NextAction), Purchase: out.Purchase,
	})
}
