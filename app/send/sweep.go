package send

import (
	"context"

	"svc/store"
	"svc/store/queue"
)

// sweptAtATime bounds the jobs that one transaction of a sweep ends.
const sweptAtATime = 200

// Work registers the jobs of the slice.
func (s *Service) Work(w *queue.Workers) { queue.Register(w, s.sweep) }

// sweeping ends jobs that nobody sends any more: those of a cancelled campaign, which
// count as CANCELLED from the beginning, those of accounts that were taken off one,
// and those of an account that was deleted.
type sweeping struct {
	Org     string `json:"org"`
	Batch   string `json:"batch,omitempty"`
	Account string `json:"account,omitempty"` // instead of a campaign
}

// Kind names the job.
func (sweeping) Kind() string { return "send.sweep" }

// Queue is where it waits.
func (sweeping) Queue() queue.Name { return queue.Maintenance }

func (s *Service) sweep(ctx context.Context, j queue.Job, a sweeping) error {
	for done := false; !done; {
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			done, err = s.sweepSome(tx, a)
			if err == nil && done {
				err = queue.Finish(tx, j)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepSome ends the next jobs. It looks at the campaign as it is now.
func (s *Service) sweepSome(tx *store.Tx, a sweeping) (done bool, err error) {
	where, ended, err := dropped(tx, a)
	if err != nil || where == nil {
		return true, err
	}
	page, err := jobs.Page(tx, a.Org, store.Query[Job]{Where: where, Limit: sweptAtATime})
	if err != nil {
		return false, err
	}
	t := newTurn(s, tx)
	for i := range page.Data {
		if err := t.finish(a.Org, &page.Data[i], Cancelled); err != nil {
			return false, err
		}
	}
	switch {
	case page.Next != nil:
		return false, nil
	case a.Account != "":
		return true, store.IgnoreNotFound(lanes.Delete(tx, a.Org, a.Account))
	case ended:
		_, err = batches.Edit(tx, a.Org, a.Batch, func(b *Batch) error {
			b.Swept = true
			return nil
		})
	}
	return true, err
}

// dropped are the conditions of the jobs that a sweep ends, nil for none: they wait,
// are in nobody's hand, and nobody will send them. ended says that it is a cancelled
// campaign.
func dropped(tx *store.Tx, a sweeping) (where []store.Cond[Job], ended bool, err error) {
	waits := statusFacet.Any(string(Waiting))
	if a.Account != "" {
		return []store.Cond[Job]{accountFacet.Any(a.Account), waits}, false, nil
	}
	b, err := batches.Get(tx, a.Org, a.Batch)
	if err != nil {
		return nil, false, store.IgnoreNotFound(err)
	}
	hand, err := handsOf(tx, a.Org, b.ID)
	where = []store.Cond[Job]{batchFacet.Any(b.ID), waits, jobs.Records(hand).Not()}
	if !b.Ended {
		where = append(where, accountFacet.Any(b.Accounts...).Not())
	}
	return where, b.Ended, err
}
