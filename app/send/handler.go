package send

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/recipient"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/dispatch"
	"svc/store/queue"
)

// grace is how long messages under way may go on when the service stops.
const grace = 10 * time.Second

// handler is what the dispatcher asks about accounts that send.
func (s *Service) handler() dispatch.Handler[accountQueue, *outboundMessage, *outcome] {
	return dispatch.Handler[accountQueue, *outboundMessage, *outcome]{
		Claim: func(tx *store.Tx, e *dispatch.Entry[accountQueue]) (dispatch.Offer[*outboundMessage], error) {
			return s.within(tx, e).claim(e)
		},
		Work: s.try,
		Crashed: func(m *outboundMessage, err error) *outcome {
			return &outcome{job: m.job, at: s.db.Now(), err: &messenger.Error{Fault: messenger.Busy, Code: internalError, Cause: err}}
		},
		Settle: func(tx *store.Tx, e *dispatch.Entry[accountQueue], _ *outboundMessage, o *outcome) error {
			return s.within(tx, e).settle(e, o)
		},
		Release: func(tx *store.Tx, e *dispatch.Entry[accountQueue], _ dispatch.Claim, _ dispatch.Why) error {
			return s.within(tx, e).release(e)
		},
		Poison: func(tx *store.Tx, e *dispatch.Entry[accountQueue], job string, _ error) error {
			return s.within(tx, e).poison(e.Org, job)
		},
	}
}

// within is the transaction that serves an account, with what its accounts read in common.
func (s *Service) within(tx *store.Tx, e *dispatch.Entry[accountQueue]) *dispatchTx {
	return e.Once(func() any { return newDispatchTx(s, tx) }).(*dispatchTx)
}

// Run sends until the context ends; then it waits a little for the messages under way and
// stores what came of them. What is cut off is sent again with the same numbers, by
// another node or when the service starts.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	defer context.AfterFunc(ctx, func() { s.stopping.Store(true) })()
	s.stopping.Store(false)
	g.Go(func() error { return s.followSettings(ctx) })
	g.Go(func() error { return s.dispatcher.Run(ctx) })
	return g.Wait()
}

// followSettings has accounts looked at whenever settings change: the bounds of pacing may
// be others.
func (s *Service) followSettings(ctx context.Context) error {
	changed, stop := s.db.Listen(setting.Topic)
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
		if err := s.rewake(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("accounts that wait are not looked at before their time", "error", err)
		}
	}
}

// rewake wakes, in all organizations, the accounts that wait for a later time.
func (s *Service) rewake(ctx context.Context) error {
	for {
		left := false
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			list, err := work.Later(tx, string(queue.Send), tx.DB().Now(), sweptAtATime)
			left = len(list) == sweptAtATime
			for _, ref := range list {
				if err == nil {
					err = wake(tx, ref.Org, ref.ID)
				}
			}
			return err
		})
		if err != nil || !left {
			return err
		}
	}
}

// release lets go of what an account has in flight, whose outcome nobody will hear of: the
// job waits, and is sent with the same numbers.
func (t *dispatchTx) release(e *dispatch.Entry[accountQueue]) error {
	l := e.Record
	if l.InFlight == nil {
		return nil
	}
	h := l.InFlight
	l.InFlight = nil
	if h.Recipient != "" {
		if err := recipient.MarkSending(t.tx, e.Org, h.Recipient, time.Time{}); err != nil {
			return err
		}
	}
	j, err := jobs.Edit(t.tx, e.Org, h.Job, func(j *Job) error {
		if j.Status.Ended() {
			return errEnded
		}
		return t.unlessDropped(e.Org, j)
	})
	switch {
	case errors.Is(err, errEnded), store.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	return t.recordOutcome(e.Org, &j)
}

// poison ends a job FAILED whose claim failed on our side too often.
func (t *dispatchTx) poison(orgID, job string) error {
	j, err := jobs.Get(t.tx, orgID, job)
	if err != nil || j.Status.Ended() {
		return store.IgnoreNotFound(err)
	}
	j.ErrorCode, j.LastError = internalError, sentences[internalError]
	return t.finish(orgID, &j, Failed)
}
