package coord

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"svc/store"
)

// periodic is something that happens once every while, as it is stored. The record is
// made at the first time and stays: it is one for each name in the program.
type periodic struct {
	Name string    `json:"name"`
	Next time.Time `json:"next"`
	Last time.Time `json:"last,omitzero"` // when it began last
}

var periodics = store.NewTable("periodic", "", func(p *periodic) string { return p.Name }).Global()

// longestWait is after how long the clock is looked at again: a timer does not notice
// when somebody sets it.
const longestWait = time.Minute

// afterError is how long it waits when the store fails.
const afterError = time.Second

// Periodic calls f every so often until the context ends, on one node at a time, each of
// which calls Periodic with the same name and time. The first time is at once. Times that
// were missed, because no node was alive, are made up for by one call. An error or a
// panic of f is logged, and the next call is a whole interval later. A next time that lies
// further ahead than the interval was noted before the clock was set back: it counts as
// now.
//
// f ends soon after its context, which ends when the node does. What it writes may come
// while another node has begun already: where that matters it checks the lease that it
// is given. Periodic answers an error only when the store cannot be used.
func (n *Node) Periodic(ctx context.Context, name string, every time.Duration, f func(context.Context, Lease) error) error {
	for ctx.Err() == nil {
		s, err := n.Enter(ctx)
		if err == nil {
			err = s.periodic(ctx, name, every, f)
			s.Leave()
		}
		switch {
		case err == nil, ctx.Err() != nil, errors.Is(err, ErrOver):
		case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
			return fmt.Errorf("%s: %w", name, err)
		default:
			n.log().Error("what happens periodically cannot be begun", "name", name, "error", err)
			Sleep(ctx, afterError)
		}
	}
	return nil
}

// Sleep waits for a while, or until the context ends.
func Sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// periodic is Periodic in one session.
func (s *Session) periodic(ctx context.Context, name string, every time.Duration, f func(context.Context, Lease) error) error {
	ctx, cancel := s.Within(ctx)
	defer cancel()
	released, stop := s.n.db.Listen(LeasesTopic)
	defer stop()
	ended, stop := s.n.db.Listen(NodesTopic)
	defer stop()
	for {
		wait, err := s.untilNext(ctx, name, every)
		if err != nil {
			return s.overOr(err)
		}
		if wait <= 0 {
			err := s.once(ctx, name, every, f)
			if err == nil {
				continue
			}
			if !errors.Is(err, ErrHeld) {
				return s.overOr(err)
			}
			wait = longestWait // whoever does it says when it is over
		}
		t := time.NewTimer(min(wait, longestWait))
		select {
		case <-t.C:
		case <-released:
		case <-ended:
		case <-ctx.Done():
			t.Stop()
			return s.overOr(ctx.Err())
		}
		t.Stop()
	}
}

// untilNext is how long the next time is away; zero or less for now.
func (s *Session) untilNext(ctx context.Context, name string, every time.Duration) (wait time.Duration, err error) {
	err = s.n.db.View(ctx, func(tx *store.Tx) error {
		wait = 0
		p, err := periodics.Get(tx, store.Platform, name)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if wait = p.Next.Sub(s.n.db.Now()); wait > every {
			wait = 0
		}
		return nil
	})
	return wait, err
}

// once calls f, if no other node has done it meanwhile, and notes when the next time is.
func (s *Session) once(ctx context.Context, name string, every time.Duration, f func(context.Context, Lease) error) error {
	l, err := s.TryAcquire(ctx, "periodic "+name)
	if err != nil {
		return err
	}
	begin := s.n.db.Now()
	wait, err := s.untilNext(ctx, name, every)
	if err != nil || wait > 0 {
		return errors.Join(err, l.Release(context.WithoutCancel(ctx)))
	}
	if err := carefully(ctx, l, f); err != nil && ctx.Err() == nil {
		s.o.Log.Error("what happens periodically failed", "name", name, "error", err)
	}
	if ctx.Err() != nil { // it was cut off, and is begun again
		return errors.Join(ctx.Err(), l.Release(context.WithoutCancel(ctx)))
	}
	return s.n.db.Update(ctx, func(tx *store.Tx) error {
		if err := l.Check(tx); err != nil {
			return err
		}
		p := periodic{Name: name, Next: begin.Add(every), Last: begin}
		return errors.Join(periodics.Put(tx, store.Platform, &p), l.release(tx))
	})
}

// carefully keeps a panic in the call.
func carefully(ctx context.Context, l Lease, f func(context.Context, Lease) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f(ctx, l)
}
