package seller

import (
	"svc/ai/decide"
	"svc/app/business/price"
	"svc/app/inbox/conversation"
	"svc/app/knowledge/gap"
	"svc/app/seller/answer"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/store"
)

// sold notes what a turn says of a sale.
func sold(tx *store.Tx, org string, k *conversation.Conversation, in *answer.Situation, out *answer.Outcome) error {
	return lead.Observe(tx, org, k, lead.Seen{
		Business: in.Business.ID, Funnel: in.Funnel.ID, Stage: out.Stage, Interest: lead.Interest(out.Interest()), Quality: lead.Quality(out.Quality()),
		PriceAsked: out.Decision.Of(decide.Intent) == decide.Price, Offers: out.Offers, NextStep: out.Decision.Of(decide.NextAction), Purchase: out.Purchase,
	})
}

// missed keeps a question that nothing answered.
func missed(tx *store.Tx, org, conversation string, in *answer.Situation, out *answer.Outcome) error {
	return gap.Note(tx, org, gap.Asked{Business: in.Business.ID, Conversation: conversation, Language: out.Tongue.Tag(), Question: out.Missed})
}

// worth is what the lead of a conversation is worth before and after an answer.
func worth(tx *store.Tx, org string, k *conversation.Conversation, in *answer.Situation, out *answer.Outcome) (before, after price.Amount, err error) {
	return lead.Worth(tx, org, k.ID, in.Business.ID, out.Offers)
}

// interests are the offers of the lead of a conversation.
func interests(tx *store.Tx, org, conversation, business string) ([]string, error) {
	l, err := lead.Of(tx, org, conversation, business)
	return l.Offers, store.IgnoreNotFound(err)
}

// remembered is what is known of the customer of a conversation, without what a prompt never
// holds, and what the conversation is about.
func remembered(tx *store.Tx, org, id string) (out []answer.Known, summary string, err error) {
	list, err := memory.Known(tx, org, id)
	if err != nil {
		return nil, "", err
	}
	for _, f := range list {
		if f.Key != memory.Phone && f.Key != memory.Address {
			out = append(out, answer.Known{ID: f.ID, Key: string(f.Key), Value: f.Value})
		}
	}
	summary, _, err = memory.Summary(tx, org, id)
	return out, summary, err
}
