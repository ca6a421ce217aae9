package evaluation

import (
	"svc/ai/decide"
	"svc/app/engine/execution"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/app/seller/answer"
)

// givenOf is an answer as graders look at it.
func givenOf(about *answer.Situation, o *answer.Outcome) grade.Given {
	g := grade.Given{
		Reply: o.Reply, Action: string(o.Action), Intent: o.Decision.Of(decide.Intent), Tongue: o.Tongue.Tag(), Refused: o.Action == execution.Block,
		Names: about.Names(),
	}
	for i := range o.Knowledge {
		g.Sources = append(g.Sources, o.Knowledge[i].SourceID)
	}
	return g
}

// most is how much of offers and knowledge a judge reads.
const (
	mostOffers = 20
	mostChunks = 6
)

// caseOf is an answer as a judge looks at it.
func caseOf(base *answer.Situation, c *dataset.Content, o *answer.Outcome) *judge.Case {
	k := &judge.Case{
		Language: string(o.Tongue.Language), Conversation: c.Input.Messages, Offers: c.Input.Offers, Expected: c.Expected, Reply: o.Reply, Chunks: []string{},
	}
	if k.Offers == nil {
		for i := range base.Offers[:min(len(base.Offers), mostOffers)] {
			x := &base.Offers[i]
			k.Offers = append(k.Offers, dataset.Offer{
				Name: x.Name, Description: x.Description, Price: x.Price, PriceMax: x.PriceMax, Currency: x.Currency, PriceNote: x.PriceNote,
				Availability: x.Availability, Delivery: x.Delivery,
			})
		}
	}
	for i := range o.Knowledge[:min(len(o.Knowledge), mostChunks)] {
		k.Chunks = append(k.Chunks, o.Knowledge[i].Text)
	}
	return k
}
