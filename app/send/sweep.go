package send

import (
	"context"
	"time"

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

// inFlightWait is how long a sweep leaves a message alone that is on its way.
const inFlightWait = time.Second

func (s *Service) sweep(ctx context.Context, j queue.Job, a sweeping) error {
	for {
		var left leftover
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			left, err = s.sweepSome(tx, a)
			if err == nil && left == nothing {
				err = queue.Finish(tx, j)
			}
			return err
		})
		switch {
		case err != nil:
			return err
		case left == nothing:
			return nil
		case left == onItsWay:
			return queue.Snooze(inFlightWait)
		}
	}
}

// leftover is what a transaction of a sweep leaves to the next.
type leftover int

const (
	nothing leftover = iota
	more
	onItsWay // a message of a deleted account: what the platform takes counts
)

// sweepSome ends the next jobs. It looks at the campaign as it is now.
func (s *Service) sweepSome(tx *store.Tx, a sweeping) (leftover, error) {
	where, ended, err := dropped(tx, a)
	if err != nil || where == nil {
		return nothing, err
	}
	page, err := jobs.Page(tx, a.Org, store.Query[Job]{Where: where, Limit: sweptAtATime})
	if err != nil {
		return nothing, err
	}
	t := newDispatchTx(s, tx)
	for i := range page.Data {
		if err := t.finish(a.Org, &page.Data[i], Cancelled); err != nil {
			return nothing, err
		}
	}
	switch {
	case page.Next != nil:
		return more, nil
	case a.Account != "":
		return sweepQueue(tx, a)
	case ended:
		_, err = policies.Edit(tx, a.Org, a.Batch, func(b *CampaignPolicy) error {
			b.Swept = true
			return nil
		})
	}
	return nothing, err
}

// sweepQueue deletes the queue of a deleted account, once nothing of it is on its way.
func sweepQueue(tx *store.Tx, a sweeping) (leftover, error) {
	l, err := accountQueueOf(tx, a.Org, a.Account)
	if err != nil || l.InFlight != nil {
		return onItsWay, err
	}
	return nothing, store.IgnoreNotFound(accountQueues.Delete(tx, a.Org, a.Account))
}

// dropped are the conditions of the jobs that a sweep ends, nil for none: they wait,
// are not in flight, and nobody will send them. ended says that it is a cancelled
// campaign.
func dropped(tx *store.Tx, a sweeping) (where []store.Cond[Job], ended bool, err error) {
	waits := statusFacet.Any(string(Waiting))
	if a.Account != "" {
		l, err := accountQueueOf(tx, a.Org, a.Account)
		where = []store.Cond[Job]{accountFacet.Any(a.Account), waits}
		if l.InFlight != nil {
			where = append(where, jobs.Records([]string{l.InFlight.Job}).Not())
		}
		return where, false, err
	}
	b, err := policies.Get(tx, a.Org, a.Batch)
	if err != nil {
		return nil, false, store.IgnoreNotFound(err)
	}
	inFlight, err := jobsInFlight(tx, a.Org, b.ID)
	where = []store.Cond[Job]{batchFacet.Any(b.ID), waits, jobs.Records(inFlight).Not()}
	if !b.Ended {
		where = append(where, accountFacet.Any(b.Accounts...).Not())
	}
	return where, b.Ended, err
}
