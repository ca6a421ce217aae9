package evaluation

import (
	"context"
	"errors"
	"time"

	"svc/ai"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/engine/provider"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/app/seller/answer"
	"svc/app/seller/playground"
	"svc/store"
)

// one answers an item and keeps its result. Its answer is why nothing more is begun; nil to go
// on.
func (b *batch) one(ctx context.Context, item *dataset.Item) *stop {
	content, err := item.Open(b.s.db, b.org)
	if err != nil {
		return &stop{err: err}
	}
	r := Result{Evaluation: b.e.ID, Item: item.ID}
	about, err := b.place(&content)
	if err != nil {
		r.ErrorCode = notGradable
		return b.keep(ctx, nil, &r, nil, Words{})
	}
	pairs := 0
	if b.judges != nil && b.e.Baseline != "" {
		pairs = 1
	}
	work, err := b.s.o.Runs.Begin(ctx, execution.Plan{
		Org: b.org, Agent: agent.Seller, Mode: agent.Eval, Business: b.e.Business, Questions: append(answer.Foreseen(about), judge.Foreseen(b.judges, b.verdicts(), pairs)...),
	})
	if err != nil {
		return &stop{err: err}
	}
	defer work.Close()
	if err := work.Start(ctx); err != nil {
		return reason(ctx, err)
	}
	if work.PromptVersion(b.e.who()) != b.e.Prompt {
		return &stop{code: promptChanged}
	}
	out := answer.Run(ctx, work, about)
	if out.Err != nil {
		if f := execution.FaultOf(out.Err); f != ai.BadOutput && f != ai.Refused && f != ai.TooLong {
			if err := work.Finish(ctx, execution.Outcome{Err: out.Err}); err != nil {
				return &stop{err: err}
			}
			return reason(ctx, out.Err)
		}
		r.ErrorCode = string(execution.FaultOf(out.Err))
		return b.keep(ctx, work, &r, &out, Words{})
	}
	w := Words{Output: out.Reply}
	b.demo.Store(work.Demo())
	why := b.grade(ctx, work, about, &r, &content, &out, &w)
	if ctx.Err() != nil {
		_ = work.Finish(ctx, execution.Outcome{Err: ctx.Err()}) // what fails here, the end of the node settles
		return nil
	}
	if why != nil {
		if err := work.Finish(ctx, execution.Outcome{Err: why.err}); err != nil && why.err == nil {
			return &stop{err: err}
		}
		return why
	}
	return b.keep(ctx, work, &r, &out, w)
}

func (b *batch) verdicts() int {
	if b.judges == nil {
		return 0
	}
	return 1
}

// place puts the conversation of an item into the situation.
func (b *batch) place(c *dataset.Content) (*answer.Situation, error) {
	return playground.Place(b.base, trialOf(c))
}

func trialOf(c *dataset.Content) *playground.Trial {
	return &playground.Trial{Messages: c.Input.Said(), Stage: c.Input.Stage, Memory: c.Input.Known(), Offers: c.Input.ForSale()}
}

// reason says what an error means for the evaluation.
func reason(ctx context.Context, err error) *stop {
	var refused *api.Error
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, provider.ErrUnavailable):
		wait := waitFirst
		if errors.As(err, &refused) && refused.RetryAfter > wait {
			wait = refused.RetryAfter
		}
		return &stop{code: provider.ErrUnavailable.Code, wait: wait}
	case errors.Is(err, budget.Err):
		return &stop{code: budget.Err.Code}
	case errors.As(err, &refused) && refused.Code != api.ErrInternal.Code:
		return &stop{code: refused.Code}
	}
	return &stop{err: err}
}

// grade fills in what the graders say of an answer.
func (b *batch) grade(ctx context.Context, work *execution.Work, about *answer.Situation, r *Result, c *dataset.Content, out *answer.Outcome, w *Words) *stop {
	given := givenOf(about, out)
	r.Scores = map[grade.Grader]float64{}
	for _, g := range b.e.Graders {
		if score, applies := grade.Of(g, &c.Expected, &given); applies {
			r.Scores[g] = score
		}
	}
	r.Hard = len(r.Scores) > 0
	for _, score := range r.Scores {
		r.Hard = r.Hard && score == 1
	}
	r.Passed = r.Hard
	var why *stop
	if b.judges != nil && out.Reply != "" {
		why = b.judge(ctx, work, r, c, out, w)
	}
	if len(r.Scores) == 0 {
		r.ErrorCode = notGradable
	}
	return why
}

// judge asks a model about an answer, and whether it is better than that of the baseline.
func (b *batch) judge(ctx context.Context, work *execution.Work, r *Result, c *dataset.Content, out *answer.Outcome, w *Words) *stop {
	by, model := work.Wrote(agent.Seller)
	chain := judge.Without(b.judges, by, model, provider.DemoID)
	if len(chain) == 0 {
		return nil // a fallback wrote, and it is the only judge
	}
	k := caseOf(b.base, c, out)
	v, err := judge.Ask(ctx, work, chain, k)
	switch {
	case err == nil:
		r.Scores[grade.Judge] = v.Score
		w.Checks = v.Checks
		r.Passed = v.Good() && (r.Hard || len(r.Scores) == 1)
	case !errors.Is(err, judge.ErrNone):
		return reason(ctx, err)
	}
	if b.e.Baseline == "" {
		return nil
	}
	other, err := b.baseline(ctx, r.Item)
	if err != nil || other == "" {
		return nil
	}
	r.Versus, err = judge.Compare(ctx, work, chain, k, other)
	if err != nil && !errors.Is(err, judge.ErrNone) {
		return reason(ctx, err)
	}
	return nil
}

// baseline is what the evaluation of the active version answered to an item, "" for nothing.
func (b *batch) baseline(ctx context.Context, item string) (out string, err error) {
	err = b.s.db.View(ctx, func(tx *store.Tx) error {
		r, err := ofItem.Find(tx, b.org, store.Tuple(store.Text(b.e.Baseline), store.Text(item)))
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		var w Words
		err = words.OpenJSON(tx.DB(), b.org, &r, &w)
		out = w.Output
		return err
	})
	return out, err
}

// keep stores a result together with what it cost. One that is there already, or of an
// evaluation that was cancelled, only costs.
func (b *batch) keep(ctx context.Context, work *execution.Work, r *Result, out *answer.Outcome, w Words) *stop {
	err := b.s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		r := *r
		if work != nil {
			o := execution.Outcome{Err: out.Err, Action: out.Action, Decision: out.Decided(), Knowledge: out.Chunks(), Validators: out.Checked()}
			if err := work.Settle(tx, o); err != nil {
				return err
			}
			r.Execution, r.Action, r.Codes, r.Cost = work.ID(), out.Action, out.Codes, work.Spent()
		}
		e, err := table.Get(tx, b.org, b.e.ID)
		if err != nil || e.Status != Running {
			b.halt(&stop{})
			return store.IgnoreNotFound(err)
		}
		if _, err := ofItem.ID(tx, b.org, store.Tuple(store.Text(r.Evaluation), store.Text(r.Item))); !store.IsNotFound(err) {
			return err
		}
		r.ID, r.CreatedAt = tx.DB().NewID("evr"), tx.DB().Now()
		if err := words.SetJSON(tx, b.org, &r, w); err != nil {
			return err
		}
		if err := results.Insert(tx, b.org, &r); err != nil {
			return err
		}
		return b.emitProgress(tx, &e)
	})
	if err != nil {
		return &stop{err: err}
	}
	b.answered.Store(true)
	return nil
}

// emitProgress says how far an evaluation is, at most every five seconds.
func (b *batch) emitProgress(tx *store.Tx, e *Evaluation) error {
	last := b.emittedAt.Load()
	now := time.Now().UnixNano()
	if now-last < int64(emitEvery) || !b.emittedAt.CompareAndSwap(last, now) {
		return nil
	}
	return emitUpdated(tx, b.org, e)
}
