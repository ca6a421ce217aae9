package evaluation

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/api"
	"svc/app/engine/agent"
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
	emitEvery = 5 * time.Second
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
	s         *Service
	org       string
	e         Evaluation
	base      *answer.Situation
	judges    []agent.ChainEntry // nil: none is asked
	items     []dataset.Item
	begun     time.Time
	emittedAt atomic.Int64 // when progress was told, unix nanoseconds
	demo      atomic.Bool
	answered  atomic.Bool // a result was kept
	why       atomic.Pointer[stop]
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
	b.emittedAt.Store(b.begun.UnixNano())
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
		Business: e.Business, Agent: e.Agent, Prompt: e.Prompt, Chain: e.Chain, Messages: []answer.Said{{From: answer.Customer, Text: "?"}},
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
	if writers == nil || e.who() != agent.Seller {
		var err error
		if writers, err = s.o.Runs.Chain(tx, org, agent.Seller, e.Business); err != nil {
			return nil, err
		}
	}
	chain, err := s.o.Runs.Chain(tx, org, agent.Judge, e.Business)
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
				return nil //nolint:nilerr // why says it
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
		if b.answered.Load() {
			e.Tries = 0
		}
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
	active, err := prompt.Active(tx, org, e.who(), e.Business)
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
