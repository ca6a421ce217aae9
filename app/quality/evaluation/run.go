package evaluation

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/ai"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/engine/prompt"
	"svc/app/engine/provider"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/app/seller/answer"
	"svc/app/seller/playground"
	"svc/store"
	"svc/store/queue"
)

// working is the job that runs an evaluation.
type working struct {
	Org        string `json:"org"`
	Evaluation string `json:"evaluation"`
}

// Kind implements queue.Args.
func (working) Kind() string { return "quality.evaluation" }

// Queue implements queue.Args.
func (working) Queue() queue.Name { return queue.Analysis }

// Bounds of a run.
const (
	// MaxConcurrency is how many items of one evaluation are answered at a time at most.
	MaxConcurrency     = 8
	defaultConcurrency = 4
	jobTime            = 10 * time.Minute
	// sliceTime is how long a worker goes on before it makes room for others.
	sliceTime = 3 * time.Minute
	tellEvery = 5 * time.Second
	// mostTries is how often in a row no model may answer.
	mostTries = 5
	waitFirst = 30 * time.Second
	// leastLevel is that of autonomy from which on something is written.
	leastLevel = 2
)

// Work registers the job.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.work, queue.WithTimeout(jobTime)) }

// The codes of evaluations that failed, beside those of the API.
const (
	judgeVoid     = "judge_void"
	promptChanged = "prompt_changed"
	noItems       = "dataset_empty"
	notGradable   = "not_gradable"
)

// stop is why no further item is begun: code ends the evaluation, wait continues it later, err
// is our own trouble.
type stop struct {
	code string
	wait time.Duration
	err  error
}

// batch is one try of a worker at an evaluation.
type batch struct {
	s      *Service
	org    string
	e      Evaluation
	base   *answer.Situation
	judges []agent.ChainEntry // nil: none is asked
	items  []dataset.Item
	begun  time.Time
	told   atomic.Int64 // when progress was told, unix nanoseconds
	demo   atomic.Bool
	why    atomic.Pointer[stop]
}

// work goes on with an evaluation. When its last try fails for trouble of our own, the
// evaluation has failed.
func (s *Service) work(ctx context.Context, j queue.Job, a working) error {
	err := s.try(ctx, j, a)
	if err == nil || ctx.Err() != nil || queue.Later(err) || j.Attempts < j.MaxAttempts {
		return err
	}
	s.o.Log.Error("an evaluation failed", "evaluation", a.Evaluation, "error", err)
	return s.db.Update(ctx, func(tx *store.Tx) error {
		e, err := table.Get(tx, a.Org, a.Evaluation)
		if err == nil && (e.Status == Running || e.Status == Queued) {
			e.ErrorCode = api.ErrInternal.Code
			err = apply(tx, a.Org, &e, GaveUp)
		}
		return errors.Join(store.IgnoreNotFound(err), queue.Finish(tx, j))
	})
}

func (s *Service) try(ctx context.Context, j queue.Job, a working) error {
	b, err := s.begin(ctx, a)
	if err != nil || b == nil {
		return err
	}
	b.calibrate(ctx)
	b.run(ctx)
	if ctx.Err() != nil && b.why.Load() == nil {
		return ctx.Err() // the node stops; another goes on
	}
	return b.end(ctx, j)
}

// begin notes that an evaluation runs, and reads what it needs; nil: there is nothing to do.
func (s *Service) begin(ctx context.Context, a working) (*batch, error) {
	b := &batch{s: s, org: a.Org, begun: time.Now()}
	b.told.Store(b.begun.UnixNano())
	run := false
	err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
		b.e, err = table.Get(tx, a.Org, a.Evaluation)
		if run = err == nil && (b.e.Status == Queued || b.e.Status == Running); !run {
			return store.IgnoreNotFound(err)
		}
		if b.e.Status == Running {
			return nil
		}
		b.e.StartedAt = tx.DB().Now()
		return apply(tx, a.Org, &b.e, Begun)
	})
	if err != nil || !run {
		return nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if b.base, err = s.base(tx, a.Org, &b.e); err != nil {
			return err
		}
		if b.items, err = b.missing(tx); err != nil || !b.e.has(grade.Judge) {
			return err
		}
		b.judges, err = s.judges(tx, a.Org, &b.e)
		return err
	})
	if refused := api.From(err); err != nil && refused.Code != api.ErrInternal.Code {
		b.halt(&stop{code: refused.Code}) // its business or its version is gone
		return b, nil
	}
	return b, err
}

// base is what all items share.
func (s *Service) base(tx *store.Tx, org string, e *Evaluation) (*answer.Situation, error) {
	about, err := s.o.Trials.Situation(tx, org, playground.Trial{
		Business: e.Business, Prompt: e.Prompt, Chain: e.Chain, Messages: []answer.Said{{From: answer.Customer, Text: "?"}},
	})
	if err == nil {
		about.Level = max(about.Level, leastLevel)
	}
	return about, err
}

// missing are the items that have no result yet.
func (b *batch) missing(tx *store.Tx) (out []dataset.Item, err error) {
	limit := b.e.Total
	list, err := dataset.Items(tx, b.org, b.e.Dataset, max(limit, 1))
	for i := range list {
		if err != nil {
			return nil, err
		}
		_, err = ofItem.ID(tx, b.org, store.Tuple(store.Text(b.e.ID), store.Text(list[i].ID)))
		if store.IsNotFound(err) {
			out, err = append(out, list[i]), nil
		}
	}
	return out, err
}

// judges are the models that judge: those of JUDGE without the one that writes.
func (s *Service) judges(tx *store.Tx, org string, e *Evaluation) ([]agent.ChainEntry, error) {
	writers := e.Chain
	if writers == nil {
		var err error
		if writers, err = s.o.Runs.Chain(tx, org, agent.Seller); err != nil {
			return nil, err
		}
	}
	chain, err := s.o.Runs.Chain(tx, org, agent.Judge)
	if len(writers) > 0 {
		chain = judge.Without(chain, writers[0].ProviderID, writers[0].Model, provider.DemoID)
	}
	if err == nil && len(chain) == 0 {
		err = api.ErrState.WithMessage("No model is left to judge: the agent JUDGE needs one that does not write the answers.")
	}
	return chain, err
}

// halt notes why nothing more is begun; the first reason counts.
func (b *batch) halt(why *stop) { b.why.CompareAndSwap(nil, why) }

// run answers the items that are missing.
func (b *batch) run(ctx context.Context) {
	var group errgroup.Group
	group.SetLimit(max(b.e.Concurrency, 1))
	for i := range b.items {
		group.Go(func() error {
			if b.why.Load() != nil || ctx.Err() != nil {
				return nil
			}
			if time.Since(b.begun) > sliceTime {
				b.halt(&stop{wait: time.Second})
				return nil
			}
			if why := b.one(ctx, &b.items[i]); why != nil {
				b.halt(why)
			}
			return nil
		})
	}
	_ = group.Wait() // what failed stands in why
}

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
	if work.PromptVersion(agent.Seller) != b.e.Prompt {
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
	why := b.grade(ctx, work, &r, &content, &out, &w)
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
func (b *batch) grade(ctx context.Context, work *execution.Work, r *Result, c *dataset.Content, out *answer.Outcome, w *Words) *stop {
	given := givenOf(out)
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
		return b.tell(tx, &e)
	})
	if err != nil {
		return &stop{err: err}
	}
	return nil
}

// tell says how far an evaluation is, at most every five seconds.
func (b *batch) tell(tx *store.Tx, e *Evaluation) error {
	last := b.told.Load()
	now := time.Now().UnixNano()
	if now-last < int64(tellEvery) || !b.told.CompareAndSwap(last, now) {
		return nil
	}
	return tell(tx, b.org, e)
}

// end notes how the try ended: completed, failed, cancelled meanwhile, or again later.
func (b *batch) end(ctx context.Context, j queue.Job) error {
	why := b.why.Load()
	if why != nil && why.err != nil {
		return why.err
	}
	var wait time.Duration
	err := b.s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		wait = 0
		e, err := table.Get(tx, b.org, b.e.ID)
		if err != nil || e.Status != Running && e.Status != Queued {
			return errors.Join(store.IgnoreNotFound(err), queue.Finish(tx, j))
		}
		e.Demo = e.Demo || b.demo.Load()
		if e.Figures, e.Cost, err = figures(tx, b.org, e.ID); err != nil {
			return err
		}
		on := Answered
		switch {
		case why == nil:
		case why.wait > 0 && e.Tries < mostTries:
			if wait = why.wait; why.code != "" {
				e.Tries++
			}
			return table.Put(tx, b.org, &e)
		default:
			on, e.ErrorCode = GaveUp, why.code
		}
		if err := apply(tx, b.org, &e, on); err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
	if err == nil && wait > 0 {
		return queue.Snooze(wait)
	}
	return err
}

// pin fixes the version that an evaluation runs, and the one that it is compared with.
func pin(tx *store.Tx, org string, e *Evaluation) error {
	active, err := prompt.Active(tx, org, agent.Seller, "")
	if err != nil {
		return err
	}
	if !e.Pinned {
		e.Prompt, e.Pinned = active, true
	}
	if e.Baseline == "" && e.Prompt != active {
		base, found, err := newest(tx, org, active, e.Dataset)
		if err != nil {
			return err
		}
		if found {
			e.Baseline = base.ID
		}
	}
	return nil
}
