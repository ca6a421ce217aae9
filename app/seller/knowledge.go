package seller

import (
	"context"
	"errors"

	"svc/app/engine/execution"
	"svc/app/knowledge"
	"svc/app/seller/answer"
)

// known is the knowledge of businesses as answers ask for it.
type known struct{ of *knowledge.Service }

// Find implements answer.Knowledge.
func (k known) Find(ctx context.Context, work *execution.Work, w answer.Wanted) ([]answer.Hit, error) {
	hits, relevant, err := k.of.Find(ctx, knowledge.Query{
		Org: w.Org, Business: w.Business, Text: w.Question, Language: w.Language, Limit: w.Limit, MaxCharacters: w.Characters,
	}, work)
	if errors.Is(err, knowledge.ErrNotGranted) {
		err = answer.ErrNotSearched
	}
	if err != nil || !relevant {
		return nil, err
	}
	return translated(hits), nil
}

// Answers implements answer.Knowledge.
func (k known) Answers(ctx context.Context, org, business string, limit int) ([]answer.Hit, error) {
	hits, err := k.of.Answers(ctx, org, business, limit)
	return translated(hits), err
}

func translated(hits []knowledge.Hit) []answer.Hit {
	out := make([]answer.Hit, len(hits))
	for i := range hits {
		h := &hits[i]
		out[i] = answer.Hit{
			SourceID: h.SourceID, Version: h.Version, Chunk: h.Chunk, Title: h.Title, Text: h.Text, Score: h.Score, Question: h.Question, Answer: h.Answer,
		}
	}
	return out
}
