package backfill

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/inbox/conversation"
	"svc/app/insight/analysis"
	"svc/store"
	"svc/store/queue"
)

// working is the job that does a run, a batch each time.
type working struct {
	Org string `json:"org"`
	Run string `json:"run"`
}

// Kind implements queue.Args.
func (working) Kind() string { return "insight.backfill" }

// Queue implements queue.Args.
func (working) Queue() queue.Name { return queue.Analysis }

// imported is the job that starts a run after an import.
type imported struct {
	Org     string `json:"org"`
	Account string `json:"account"`
	Import  string `json:"import"`
}

// Kind implements queue.Args.
func (imported) Kind() string { return "insight.imported" }

// Queue implements queue.Args.
func (imported) Queue() queue.Name { return queue.Analysis }

const (
	batch      = 20 // conversations
	atOnce     = 4
	tries      = 6
	batchTime  = 10 * time.Minute
	emitEvery  = 5 * time.Second
	waitForOne = time.Minute // before a run is tried again while another is under way
)

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.run, queue.WithTimeout(batchTime))
	queue.Register(w, s.imported)
}

func ask(tx *store.Tx, org, id string) error {
	_, err := queue.Add(tx, working{org, id}, time.Time{}, queue.Once(id), queue.For(org, id), queue.Attempts(tries))
	return err
}

// imported starts a run over the conversations of an account, once no other is under way.
func (s *Service) imported(ctx context.Context, _ queue.Job, a imported) error {
	r := record{Source: ByImport, Account: a.Account, To: s.db.Now()}
	c := api.System(ctx, a.Org, s.db.Now())
	if err := s.estimate(c, a.Org, &r); err != nil && !analysis.Refused(err) {
		return err
	}
	if r.Total == 0 {
		return nil
	}
	r.ID = s.db.NewID("bkf")
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		r := r
		if on, err := analysis.On(tx, a.Org); err != nil || !on {
			return err
		}
		return begin(tx, a.Org, &r)
	})
	if errors.Is(err, errBusy) {
		return queue.Snooze(waitForOne)
	}
	return err
}

// result is what a batch did.
type result struct {
	processed, analysed, skipped int
	cost                         catalog.Nano
}

func (s *Service) run(ctx context.Context, j queue.Job, a working) error {
	r, list, next, err := s.begin(ctx, a)
	if err != nil || r.Status != Running {
		return store.IgnoreNotFound(err)
	}
	done, failed := s.batch(ctx, a.Org, &r, list)
	if failed != nil && ctx.Err() != nil {
		return ctx.Err() // this node stops; another begins the batch anew
	}
	if failed != nil && j.Attempts < j.MaxAttempts && !analysis.Refused(failed) {
		return failed
	}
	over := failed != nil || next == nil
	err = s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error {
		r, err := table.Get(tx, a.Org, a.Run)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		return r.advance(tx, a.Org, &done, next, failed)
	})
	if err != nil || over {
		return err
	}
	return queue.Snooze(0)
}

// advance adds a batch to a run, and ends the run with the last one.
func (r *record) advance(tx *store.Tx, org string, done *result, next store.Cursor, failed error) error {
	r.Processed, r.Analysed, r.Skipped, r.Cost = r.Processed+done.processed, r.Analysed+done.analysed, r.Skipped+done.skipped, r.Cost+done.cost
	r.Total = max(r.Total, r.Processed)
	switch {
	case r.Status != Running: // it was cancelled meanwhile; what is done counts, and is told
		return r.saveAndEmit(tx, org)
	case failed != nil:
		return r.end(tx, org, GaveUp, api.From(failed).Code)
	case next == nil:
		return r.end(tx, org, Finished, "")
	}
	if r.After = next; tx.DB().Now().Sub(r.EmittedAt) >= emitEvery {
		return r.saveAndEmit(tx, org)
	}
	return table.Put(tx, org, r)
}

// begin notes that a run is at work and reads its next batch.
func (s *Service) begin(ctx context.Context, a working) (r record, list []conversation.Conversation, next store.Cursor, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) (err error) {
		if r, err = table.Get(tx, a.Org, a.Run); err != nil || r.Status != Queued && r.Status != Running {
			return err
		}
		if err := analysis.Allowed(tx, a.Org); err != nil {
			return r.end(tx, a.Org, GaveUp, api.From(err).Code)
		}
		fresh := r.Status == Queued
		if err := r.apply(Began); err != nil {
			return err
		}
		if fresh {
			if err := r.saveAndEmit(tx, a.Org); err != nil {
				return err
			}
		}
		list, next, err = conversation.Between(tx, a.Org, r.From, r.To, r.After, batch)
		return err
	})
	return r, list, next, err
}

// batch analyses the conversations of a batch, some at a time. The error is the first one: no
// other begins behind it, those at work end and are counted.
func (s *Service) batch(ctx context.Context, org string, r *record, list []conversation.Conversation) (out result, failed error) {
	results := make([]result, len(list))
	var group errgroup.Group
	group.SetLimit(atOnce)
	var stopped atomic.Bool
	accounts := map[string]string{}
	for i := range list {
		var takes, needs, before bool
		err := s.db.View(ctx, func(tx *store.Tx) (err error) {
			if takes, needs, err = r.takes(tx, org, &list[i], accounts); err != nil || !takes || needs {
				return err
			}
			before, err = analysis.AnalysedSince(tx, org, list[i].ID, r.StartedAt)
			return err
		})
		switch {
		case err != nil:
			failed = err
		case !takes:
		case before: // by a try of this batch that was interrupted
			results[i] = result{processed: 1, analysed: 1}
		case !needs:
			results[i] = result{processed: 1, skipped: 1}
		default:
			group.Go(func() error {
				if stopped.Load() {
					return nil
				}
				err := s.one(ctx, org, list[i].ID, &results[i])
				if err != nil {
					stopped.Store(true)
				}
				return err
			})
		}
		if failed != nil || stopped.Load() {
			break
		}
	}
	if err := group.Wait(); failed == nil {
		failed = err
	}
	for i := range results {
		x := &results[i]
		out.processed, out.analysed, out.skipped, out.cost = out.processed+x.processed, out.analysed+x.analysed, out.skipped+x.skipped, out.cost+x.cost
	}
	return out, failed
}

func (s *Service) one(ctx context.Context, org, id string, out *result) error {
	spent, err := s.analyses.Analyse(ctx, org, id)
	out.cost = spent
	switch {
	case errors.Is(err, analysis.ErrNothing):
		out.processed, out.skipped = 1, 1
		return nil
	case err == nil:
		out.processed, out.analysed = 1, 1
	}
	return err
}
