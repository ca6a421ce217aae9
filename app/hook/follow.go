package hook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/app/event"
	"svc/store"
	"svc/store/coord"
)

const (
	eventsAtATime = 200
	// madeAtATime bounds the deliveries of one transaction.
	madeAtATime = 500
	// unsavedEvents is after how many events that nobody receives the place is
	// saved all the same.
	unsavedEvents = 1000
	afterError    = time.Second
)

// eventCursor is how far the follower has come: all events up to this one are done.
type eventCursor struct {
	ID    string `json:"id"`
	Event string `json:"event"`
}

const eventCursorID = "events"

var eventCursors = store.NewTable("webhook_place", "", func(p *eventCursor) string { return p.ID }).Global()

// follower makes the deliveries of events. It is one on all nodes together: it has the
// lease of that, and proves it in each of its transactions.
type follower struct {
	s       *Service
	lease   coord.Lease
	at      eventCursor
	unsaved int // events that were passed without saving the place
}

// leaseOfFollower is the key of the lease.
const leaseOfFollower = "webhooks: follower of events"

// follow makes deliveries until the context ends, while no other node does.
func (s *Service) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		session, err := coord.Of(s.db).Enter(ctx)
		if err == nil {
			err = s.followIn(ctx, session)
			session.Leave()
		}
		switch {
		case err == nil, ctx.Err() != nil, errors.Is(err, coord.ErrOver), errors.Is(err, coord.ErrLost):
		case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
			return fmt.Errorf("make deliveries: %w", err)
		default:
			s.log.Error("deliveries cannot be made", "error", err)
			coord.Sleep(ctx, afterError)
		}
	}
	return nil
}

// followIn is follow in one session of this node.
func (s *Service) followIn(ctx context.Context, session *coord.Session) error {
	wake, stop := s.db.Listen(event.Topic(""))
	defer stop()
	lease, err := session.Acquire(ctx, leaseOfFollower)
	if err != nil {
		return err
	}
	defer func() {
		if err := lease.Release(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, store.ErrClosed) {
			s.log.Error("the lease of making deliveries stays until this node ended", "error", err)
		}
	}()
	f := follower{s: s, lease: lease}
	if err := f.begin(ctx); err != nil {
		return err
	}
	for {
		more, err := f.step(ctx)
		if err != nil {
			return err
		}
		if more {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-session.Done():
			return coord.ErrOver
		case <-wake:
		}
	}
}

func (f *follower) begin(ctx context.Context) error {
	return f.s.db.View(ctx, func(tx *store.Tx) (err error) {
		p, err := eventCursors.Get(tx, store.Platform, eventCursorID)
		if store.IsNotFound(err) {
			p, err = eventCursor{ID: eventCursorID}, nil
		}
		f.at = p
		return err
	})
}

// fanned is what one step did.
type fanned struct {
	at     eventCursor
	events int
	made   int
	more   bool
	woken  map[endpoint]struct{} // that have something to send
}

// endpoint names one.
type endpoint struct{ org, webhook string }

// step makes the deliveries of some events and moves the place behind them, in one
// transaction. Where nobody receives anything it writes nothing: those events would
// be passed again after a restart, and endpoints that are made meanwhile receive
// only later ones (Webhook.Since).
func (f *follower) step(ctx context.Context) (more bool, err error) {
	var out fanned
	err = f.s.db.Update(ctx, func(tx *store.Tx) (err error) {
		if err := f.lease.Check(tx); err != nil {
			return err
		}
		if out, err = fanOut(tx, f.at); err != nil {
			return err
		}
		for w := range out.woken {
			if err := wake(tx, w.org, w.webhook); err != nil {
				return err
			}
		}
		if out.made == 0 && f.unsaved+out.events < unsavedEvents {
			return nil
		}
		return eventCursors.Put(tx, store.Platform, &out.at)
	})
	if err != nil {
		return false, err
	}
	if f.at = out.at; out.made > 0 || f.unsaved+out.events >= unsavedEvents {
		f.unsaved = 0
	} else {
		f.unsaved += out.events
	}
	return out.more, nil
}

// fanOut makes the deliveries of the events behind a place.
func fanOut(tx *store.Tx, at eventCursor) (out fanned, err error) {
	list, err := event.AfterAcross(tx, at.Event, eventsAtATime)
	if err != nil {
		return out, err
	}
	out = fanned{at: at, more: len(list) == eventsAtATime, woken: map[endpoint]struct{}{}}
	hooks := map[string][]Webhook{}
	for i := range list {
		e := &list[i]
		org := e.OrganizationID
		if _, known := hooks[org]; !known {
			if hooks[org], err = active(tx, org); err != nil {
				return out, err
			}
		}
		done, err := out.deliver(tx, e, hooks[org])
		if err != nil {
			return out, err
		}
		if !done {
			out.more = true
			return out, nil
		}
		out.at, out.events = eventCursor{ID: eventCursorID, Event: e.ID}, out.events+1
	}
	return out, nil
}

// deliver makes the deliveries of one event. It is false when the transaction is
// full before it was done: the next one begins with the same event.
func (o *fanned) deliver(tx *store.Tx, e *event.Stored, hooks []Webhook) (done bool, err error) {
	made, org := 0, e.OrganizationID
	done = true
	for i := range hooks {
		w := &hooks[i]
		if !w.takes(e) {
			continue
		}
		if o.made == madeAtATime {
			done = false
			break
		}
		// A recovery may have been here first, or a transaction that became full.
		if _, err := byPair.ID(tx, org, store.Tuple(store.Text(w.ID), store.Text(e.ID))); err == nil {
			continue
		} else if !store.IsNotFound(err) {
			return false, err
		}
		if err := insert(tx, org, w, &e.Event); err != nil {
			return false, err
		}
		o.woken[endpoint{org, w.ID}] = struct{}{}
		o.made, made = o.made+1, made+1
	}
	if made == 0 {
		return done, nil
	}
	return done, event.Delivered(tx, org, e.ID, event.Deliveries{Pending: made})
}

// active are the endpoints of an organization that receive events, by id.
func active(tx *store.Tx, org string) (out []Webhook, err error) {
	for w, err := range webhooks.Each(tx, org, "") {
		if err != nil {
			return nil, err
		}
		if w.Status == Active {
			out = append(out, *w)
		}
	}
	return out, nil
}
