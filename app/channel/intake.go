package channel

import (
	"context"
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/notify"
	"svc/app/signal"
	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/queue"
)

// Receiver takes what webhooks bring of messages, in the transaction that is given. Slices
// offer it. The same update may come again; one that comes late changes nothing newer.
type Receiver func(tx *store.Tx, org string, a *Account, u *platform.Update) error

// Commented is published when somebody commented below a post of an account, or changed or
// removed a comment. The same comment may be published again.
type Commented struct {
	Org     string
	Account Account
	Comment platform.Comment
}

const (
	// atATime is how many webhooks are read together. They are taken in together until it
	// lasted so long, and so many at least: webhooks that arrive meanwhile are stored by the
	// next commit, and a network waits for each.
	atATime       = 64
	togetherTime  = 8 * time.Millisecond
	togetherLeast = 8
	// updatesAtOnce bounds what one transaction takes in: a webhook may hold a thousand updates.
	updatesAtOnce = 100
	// intakeTurn is how long one turn lasts; then others have theirs.
	intakeTurn = time.Minute
	// justConnected is how long events wait for an account that is being connected.
	justConnected = 5 * time.Minute
	earlyWait     = 10 * time.Second
	triesOfOne    = 5
	eventsSeen    = time.Minute // how old LastEventAt may get
)

// intake takes webhooks in until none is due.
func (s *Service) intake(ctx context.Context, j queue.Job, _ intaking) error {
	for begin := time.Now(); time.Since(begin) < intakeTurn; {
		over, err := s.takeSome(ctx, j)
		if err != nil || over {
			return err
		}
	}
	return queue.Snooze(time.Millisecond)
}

func (s *Service) wake(ctx context.Context, _ queue.Job, _ waking) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		_, err := queue.Add(tx, intaking{}, time.Time{}, queue.Once("all"), queue.Attempts(100))
		return err
	})
}

// opened is a webhook that was read.
type opened struct {
	delivery
	updates []platform.Update
	failed  error
}

// takeSome takes the next webhooks in. over: none is due, and the job has ended.
func (s *Service) takeSome(ctx context.Context, j queue.Job) (over bool, err error) {
	list, err := s.open(ctx)
	if err != nil {
		return false, err
	}
	if len(list) == 0 {
		return s.endIntake(ctx, j)
	}
	for len(list) > 0 {
		n := 0
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = s.takeAll(tx, list)
			return err
		})
		if err != nil {
			return false, s.takeEach(ctx, list)
		}
		list = list[n:]
	}
	return false, nil
}

// takeEach takes webhooks in one by one, because one of them fails: it alone is put off.
func (s *Service) takeEach(ctx context.Context, list []opened) error {
	for i := range list {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			_, err := s.takeAll(tx, list[i:i+1])
			return err
		})
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return err
		}
		s.log.Error("channel: a webhook was not taken in", "delivery", list[i].ID, "error", err)
		if err := s.db.Update(ctx, func(tx *store.Tx) error { return putOff(tx, list[i].ID) }); err != nil {
			return err
		}
	}
	return nil
}

// endIntake ends the job, in a transaction that sees that nothing is due.
func (s *Service) endIntake(ctx context.Context, j queue.Job) (over bool, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		over = false
		first, err := inOrder.First(tx, store.Platform, store.All())
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		if err == nil && !first.Due.After(tx.DB().Now()) {
			return nil
		}
		if err == nil {
			if _, err := queue.Add(tx, waking{}, first.Due, queue.Once(first.ID)); err != nil {
				return err
			}
		}
		over = true
		return queue.Finish(tx, j)
	})
	return over, err
}

// open reads the next webhooks outside any change.
func (s *Service) open(ctx context.Context) (out []opened, err error) {
	var list []delivery
	err = s.db.View(ctx, func(tx *store.Tx) error {
		list, _, err = inOrder.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(time.Millisecond)), Limit: atATime})
		return err
	})
	for i := range list {
		x := opened{delivery: list[i]}
		raw, err := body.Open(s.db, store.Platform, &list[i])
		if err != nil {
			return nil, err
		}
		var odd int
		if x.updates, odd, x.failed = graph.Parse(raw); odd > 0 {
			s.log.Warn("channel: parts of a webhook were not understood", "delivery", x.ID, "parts", odd)
		}
		slices.SortStableFunc(x.updates, func(a, b platform.Update) int { return a.At.Compare(b.At) })
		out = append(out, x)
	}
	return out, err
}

// takeAll takes webhooks in, in their order, until the time for it or the room of a transaction is
// over, and says how many. One that was taken in half goes on in the next transaction.
func (s *Service) takeAll(tx *store.Tx, list []opened) (n int, err error) {
	known := map[string]*found{}
	begin, room := time.Now(), updatesAtOnce
	for i := range list {
		if i >= togetherLeast && time.Since(begin) > togetherTime || room == 0 {
			return i, nil
		}
		d, err := deliveries.Get(tx, store.Platform, list[i].ID)
		if store.IsNotFound(err) || err == nil && d.Status != Waiting {
			continue
		}
		if err != nil {
			return 0, err
		}
		for ; d.Done < len(list[i].updates) && room > 0; room-- {
			u := &list[i].updates[d.Done]
			wait, err := s.take(tx, u, known)
			if err != nil {
				return 0, err
			}
			d.Early = d.Early || wait
			d.Done++
			if !slices.Contains(d.Accounts, u.Account) {
				d.Accounts = append(d.Accounts, u.Account)
			}
		}
		over := d.Done >= len(list[i].updates)
		if over {
			d.end(tx.DB().Now(), list[i].failed != nil)
		}
		if err := deliveries.Put(tx, store.Platform, &d); err != nil || !over {
			return i, err
		}
	}
	return len(list), nil
}

// end says what becomes of a webhook that was read to its end.
func (d *delivery) end(now time.Time, broken bool) {
	switch {
	case broken:
		d.Status = Broken
	case d.Early && now.Sub(d.At) < justConnected:
		d.Done, d.Early, d.Due = 0, false, now.Add(earlyWait)
	default:
		d.Status = Taken
	}
}

// putOff lets a webhook wait that could not be taken in; in the end it is left.
func putOff(tx *store.Tx, id string) error {
	_, err := deliveries.Edit(tx, store.Platform, id, func(d *delivery) error {
		d.Tries++
		d.Due = tx.DB().Now().Add(queue.Backoff(d.Tries))
		if d.Tries >= triesOfOne {
			d.Status = Broken
		}
		return nil
	})
	return store.IgnoreNotFound(err)
}

// found is an account that a webhook is about; org is "" for one that nobody has.
type found struct {
	org     string
	account Account
	early   bool // it is being connected
}

// take takes one update in. early: its account is being connected, and it is to come again.
func (s *Service) take(tx *store.Tx, u *platform.Update, known map[string]*found) (early bool, err error) {
	key := string(u.Network) + " " + u.Account
	f := known[key]
	if f == nil {
		if f, err = find(tx, u); err != nil {
			return false, err
		}
		known[key] = f
	}
	if f.org == "" {
		return f.early, nil
	}
	if now := tx.DB().Now(); now.Sub(f.account.LastEventAt) >= eventsSeen {
		f.account.LastEventAt = now
		if err := accounts.Put(tx, f.org, &f.account); err != nil {
			return false, err
		}
	}
	return false, s.route(tx, f, u)
}

// find is the account of an update.
func find(tx *store.Tx, u *platform.Update) (*found, error) {
	key := externalKey(u.Network, u.Account)
	a, org, err := external.Find(tx, key)
	if err == nil {
		return &found{org: org, account: a}, nil
	}
	if !store.IsNotFound(err) {
		return nil, err
	}
	list, _, err := anywhere.Walk(tx, store.Range{Span: store.Is(key), Limit: 10})
	out := &found{}
	for i := range list {
		out.early = out.early || list[i].Record.Pending != "" && tx.DB().Now().Sub(list[i].Record.UpdatedAt) < justConnected
	}
	return out, err
}

// route gives an update to whom it concerns.
func (s *Service) route(tx *store.Tx, f *found, u *platform.Update) error {
	switch u.Kind {
	case platform.CommentChanged:
		if u.Comment.From == f.account.ExternalID || u.Comment.From != "" && u.Comment.From == f.account.ScopedID {
			return nil // its own
		}
		return signal.Publish(s.o.Bus, tx, api.System(context.Background(), f.org, tx.DB().Now()), Commented{f.org, f.account, u.Comment})
	case platform.OptInCame:
		return s.optIn(tx, f, u)
	case platform.PolicyEnforced:
		return s.enforced(tx, f, u)
	case platform.Nothing:
		return nil
	}
	for _, r := range s.receivers {
		if err := r(tx, f.org, &f.account, u); err != nil {
			return err
		}
	}
	return nil
}

// enforced notes that the network acted against an account.
func (s *Service) enforced(tx *store.Tx, f *found, u *platform.Update) error {
	a := &f.account
	if u.Action != "block" {
		return notify.Send(tx, f.org, a.notice(warning, a.DisplayName()+" was warned by the network", "The network says: "+u.Reason))
	}
	err := s.apply(tx, api.System(context.Background(), f.org, tx.DB().Now()), f.org, a, WasFaulty, "The network blocked the account: "+u.Reason)
	if errors.Is(err, api.ErrState) {
		return nil
	}
	return err
}
