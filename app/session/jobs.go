package session

import (
	"context"
	"time"

	"svc/app/session/apikey"
	"svc/app/session/guess"
	"svc/app/session/notice"
	"svc/store"
	"svc/store/queue"
)

// sweep is the job that removes sessions that are over and tells of keys that soon
// will be.
type sweep struct{}

// Kind implements queue.Args.
func (sweep) Kind() string { return "session.sweep" }

// Queue implements queue.Args.
func (sweep) Queue() queue.Name { return queue.Maintenance }

const (
	sweepEvery = time.Hour
	sweepChunk = 200
)

// Work registers the workers of the slice.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ sweep) error {
		if err := s.sweepSessions(ctx); err != nil {
			return err
		}
		for _, over := range []func(*store.Tx, int) (int, error){sweepLinks, sweepResetRequests, guess.Sweep, apikey.Warn} {
			if err := s.sweepAll(ctx, over); err != nil {
				return err
			}
		}
		return queue.Snooze(sweepEvery)
	})
	notice.Work(w, s.db)
	queue.Register(w, s.mailReset)
}

// Schedule asks for the jobs that go on for ever; call it at every start.
func Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, sweep{}, time.Time{}, queue.Once("sweep"))
	return err
}

// sweepAll repeats a removal until nothing is left to remove.
func (s *Service) sweepAll(ctx context.Context, remove func(*store.Tx, int) (int, error)) error {
	for n := sweepChunk; n == sweepChunk; {
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = remove(tx, sweepChunk)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) sweepSessions(ctx context.Context) error {
	for n := sweepChunk; n == sweepChunk; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			over := store.Between(nil, store.Time(tx.DB().Now()))
			ids, _, err := byExpiry.IDs(tx, store.Platform, store.Range{Span: over, Limit: sweepChunk})
			for _, id := range ids {
				if err == nil {
					err = drop(tx, id)
				}
			}
			n = len(ids)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
