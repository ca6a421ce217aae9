package turn

import (
	"context"
	"time"

	"svc/store"
	"svc/store/queue"
)

// sweep is the job that looks for turns which are owed and which no job answers. There are
// none unless something went wrong.
type sweep struct{}

// Kind implements queue.Args.
func (sweep) Kind() string { return "seller.sweep" }

// Queue implements queue.Args.
func (sweep) Queue() queue.Name { return queue.Maintenance }

const (
	sweepEvery = time.Minute
	sweepChunk = 200
	// late is how long after it is due a turn is looked at.
	late = 30 * time.Second
)

// Schedule asks for the sweep; one that waits already stays as it is.
func Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, sweep{}, time.Time{}, queue.Once("turns"))
	return err
}

// sweep wakes workers for turns that are late. A job that is there stays as it is.
func (s *Service) sweep(ctx context.Context, _ queue.Job, _ sweep) error {
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		list, _, err := due.Walk(tx, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now().Add(-late))), Limit: sweepChunk})
		for i := range list {
			if err := wake(tx, list[i].Org, list[i].Record.Conversation, time.Time{}); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return queue.Snooze(sweepEvery)
}
