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

// sweeping ends the jobs of a campaign that nobody sends any more: those of a
// cancelled campaign, and those of accounts that were taken off one. They count as
// CANCELLED from the beginning.
type sweeping struct {
	Org   string `json:"org"`
	Batch string `json:"batch"`
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
	t := newTurn(s, tx)
	b, err := batches.Get(tx, a.Org, a.Batch)
	if err != nil {
		return true, ignoreNotFound(err)
	}
	where, err := t.droppedOf(a.Org, &b)
	if err != nil {
		return false, err
	}
	page, err := jobs.Page(tx, a.Org, store.Query[Job]{Where: where, Limit: sweptAtATime})
	if err != nil {
		return false, err
	}
	for i := range page.Data {
		if err := t.finish(a.Org, &page.Data[i], Cancelled); err != nil {
			return false, err
		}
	}
	if page.Next != nil || !b.Ended {
		return page.Next == nil, nil
	}
	b.Swept = true
	return true, batches.Put(tx, a.Org, &b)
}

// droppedOf are the conditions of the jobs that a sweep ends: they wait, are in
// nobody's hand, and nobody will send them.
func (t *turn) droppedOf(orgID string, b *Batch) ([]store.Cond[Job], error) {
	inHand, err := handsOf(t.tx, orgID, b.ID)
	if err != nil {
		return nil, err
	}
	where := []store.Cond[Job]{batchFacet.Any(b.ID), statusFacet.Any(string(Waiting)), jobs.Records(inHand).Not()}
	if !b.Ended {
		where = append(where, accountFacet.Any(b.Accounts...).Not())
	}
	return where, nil
}
