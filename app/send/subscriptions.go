package send

import (
	"time"

	"svc/app/account"
	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/send/figures"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

const (
	// fewJobs is how many jobs one signal changes; what is left is seen to when it is
	// claimed.
	fewJobs = 200
	// repliesWithin is how long after a message an answer counts as one to it.
	repliesWithin = 30 * 24 * time.Hour
)

// subscribe subscribes to the signals that change jobs and account queues.
func (s *Service) subscribe(b *signal.Bus) {
	signal.On(b, s.optedOut)
	signal.On(b, s.deleted)
	signal.On(b, s.received)
	signal.On(b, s.read)
	signal.On(b, func(tx *store.Tx, _ *api.Call, x account.Changed) error {
		if x.To != account.Active {
			return nil
		}
		return wake(tx, x.Org, x.ID)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x account.Repaced) error { return wake(tx, x.Org, x.ID) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x account.Deleted) error {
		_, err := queue.Add(tx, sweeping{Org: x.Org, Account: x.ID}, time.Time{}, queue.For(x.Org, x.ID), queue.Once(x.ID))
		return err
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x org.WasReactivated) error { return wakeAll(tx, x.ID) })
}

// wakeAll wakes every account of an organization that has waited.
func wakeAll(tx *store.Tx, orgID string) error {
	list, _, err := accountQueues.Walk(tx, orgID, nil, maxInFlight)
	for i := range list {
		if err == nil {
			err = wake(tx, orgID, list[i].ID)
		}
	}
	return err
}

// optedOut ends what waits for somebody who opted out, and counts the opt-out to the
// campaign that wrote to them last. What a claim is too late for is on its way.
func (s *Service) optedOut(tx *store.Tx, c *api.Call, x recipient.OptedOut) error {
	if x.ID == "" {
		return nil
	}
	list, err := s.skipAll(tx, c, x.ID, OptedOut)
	if err != nil {
		return err
	}
	var last *Job
	for i := range list {
		j := &list[i]
		if j.Kind == Campaign && j.Status == Delivered && x.At.Sub(j.SentAt) < optOutAfter && (last == nil || j.SentAt.After(last.SentAt)) {
			last = j
		}
	}
	if last == nil {
		return nil
	}
	return figures.Count(tx, c.Org, last.Batch, last.AccountID, x.At, figures.Counters{OptedOut: 1}, "")
}

// deleted ends what waits for somebody who was deleted, and forgets the names of
// whoever got something.
func (s *Service) deleted(tx *store.Tx, c *api.Call, x recipient.Deleted) error {
	list, err := s.skipAll(tx, c, x.ID, RecipientDeleted)
	for i := range list {
		j := &list[i]
		if err != nil || j.Username == "" && j.MessengerID == 0 {
			continue
		}
		j.Username, j.MessengerID = "", 0
		err = jobs.Put(tx, c.Org, j)
	}
	return err
}

// skipAll ends the jobs that wait for a person and are not in flight, and answers
// the newest of all jobs of that person.
func (s *Service) skipAll(tx *store.Tx, c *api.Call, recipientID, reason string) ([]Job, error) {
	list, _, err := byRecipient.Walk(tx, c.Org, store.Range{Span: store.Is(store.Text(recipientID)), Limit: fewJobs, Reverse: true})
	if err != nil {
		return nil, err
	}
	t := newDispatchTx(s, tx)
	for i := range list {
		j := &list[i]
		if j.Status != Waiting {
			continue
		}
		l, err := accountQueueOf(tx, c.Org, j.AccountID)
		if err != nil {
			return nil, err
		}
		if l.InFlight != nil && l.InFlight.Job == j.ID {
			continue
		}
		j.SkipReason = reason
		if err := t.finish(c.Org, j, Skipped); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// read notes that somebody has read what an account wrote, up to a message.
func (s *Service) read(tx *store.Tx, _ *api.Call, x connection.ReadByPeer) error {
	of := func(message int64) store.Key {
		return store.Tuple(store.Text(x.Account), store.Int(x.PeerID), store.Int(message))
	}
	span := store.Between(of(1), of(int64(x.UpTo)+1)) // 0 is a number that is not known
	list, _, err := byPeer.Walk(tx, x.Org, store.Range{Span: span, Limit: fewJobs, Reverse: true})
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	for i := range list {
		j := &list[i]
		if !j.ReadAt.IsZero() {
			return nil // and so are those before it
		}
		j.ReadAt = now
		if err := jobs.Put(tx, x.Org, j); err != nil {
			return err
		}
		if err := mark(tx, x.Org, j, now, figures.Counters{Read: 1}); err != nil {
			return err
		}
	}
	return nil
}

// received notes that somebody answered the last message that an account sent.
func (s *Service) received(tx *store.Tx, _ *api.Call, x connection.Received) error {
	if x.Out {
		return nil
	}
	of := store.Tuple(store.Text(x.Account), store.Int(x.PeerID))
	j, err := byPeer.Last(tx, x.Org, store.Is(of))
	if err != nil || !j.RepliedAt.IsZero() || x.At.Before(j.SentAt.Add(-time.Minute)) || x.At.Sub(j.SentAt) > repliesWithin {
		return store.IgnoreNotFound(err)
	}
	j.RepliedAt = x.At
	if err := jobs.Put(tx, x.Org, &j); err != nil {
		return err
	}
	return mark(tx, x.Org, &j, tx.DB().Now(), figures.Counters{Replied: 1})
}

func mark(tx *store.Tx, orgID string, j *Job, at time.Time, by figures.Counters) error {
	if j.Kind == Test {
		return nil
	}
	return figures.Count(tx, orgID, j.Batch, j.AccountID, at, by, "")
}
