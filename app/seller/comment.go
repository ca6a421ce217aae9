package seller

import (
	"context"
	"errors"

	"svc/ai/check"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/jev"
	"svc/app/org"
	"svc/app/seller/answer"
	"svc/app/seller/turn"
	"svc/store"
)

// AnswerComment writes to a comment below a post of an account, in at most some bytes. send says
// whether the autonomy of the business lets it go out by itself; "" is no answer: the seller is
// off there, or says nothing.
type AnswerComment func(ctx context.Context, org, account, text string, maxBytes int) (reply string, send bool, err error)

// comments lets the seller answer a comment as the only message of a customer, with every check.
type comments struct {
	db    *store.DB
	runs  *execution.Service
	facts answer.Knowledge
	jev   *jev.Service
}

// answer implements AnswerComment.
func (s *comments) answer(ctx context.Context, orgID, account, text string, maxBytes int) (reply string, send bool, err error) {
	var about *answer.Situation
	err = s.db.View(ctx, func(tx *store.Tx) error {
		about = nil
		b, m, mapped, err := business.Of(tx, orgID, account)
		if err != nil || !mapped || !m.AIEnabled || b.Status != business.Active {
			return err
		}
		o, err := org.Get(tx, orgID)
		if err != nil {
			return err
		}
		if on, err := o.AIOn(tx); err != nil || !on {
			return err
		}
		x := &answer.Situation{Org: orgID, Now: tx.DB().Now(), Knowledge: s.facts, JEV: s.jev.Ask, Business: b}
		if x.Settings, x.Version, err = business.SettingsOf(tx, orgID, b.ID); err != nil || !x.Settings.Active {
			return err
		}
		x.Level, x.StopWords = x.Settings.Level, o.Keywords().All()
		x.Messages = answer.Bound([]answer.Said{{From: answer.Customer, Text: text, At: x.Now, Sent: true}})
		x.Burst, x.Unit, x.MaxLength = answer.BurstOf(x.Messages), check.Bytes, maxBytes
		about = x
		return turn.Configure(tx, x)
	})
	if err != nil || about == nil {
		return "", false, err
	}
	work, err := s.runs.Begin(ctx, execution.Plan{
		Org: orgID, Agent: agent.Seller, Mode: agent.Live, Business: about.Business.ID, Questions: answer.Foreseen(about),
	})
	if err != nil {
		return "", false, err
	}
	defer work.Close()
	if err := work.Start(ctx); err != nil {
		return "", false, err
	}
	got := answer.Run(ctx, work, about)
	done := execution.Outcome{Err: got.Err, Action: got.Action, Decision: got.Decided(), Knowledge: got.Chunks(), Validators: got.Checked()}
	if err := errors.Join(work.Finish(ctx, done), got.Err); err != nil {
		return "", false, err
	}
	switch got.Action {
	case execution.Send, execution.Draft, execution.Recommend:
		return got.Reply, got.Action == execution.Send, nil
	}
	return "", false, nil
}
