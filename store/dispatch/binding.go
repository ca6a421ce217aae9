package dispatch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"svc/store"
)

// clockStep is how far ahead of the clock a time may lie that was now a moment ago: a
// transaction may wait for the disk.
const clockStep = time.Minute

// core is a queue without the types of its records and work.
type core interface {
	// look finds up to limit records that may be claimed, and when the next will be due;
	// zero when none waits, or more are due than were asked for.
	look(tx *store.Tx, now time.Time, limit int) (found []store.Ref, next time.Time, err error)
	// serve settles and claims for one record.
	serve(tx *store.Tx, t *turn, it *item) error
	// claimed pages through records with claims.
	claimed(tx *store.Tx, after store.Cursor, limit int) (list []holding, next store.Cursor, err error)
	// release lets go of the claims of a record that gone says are nobody's.
	release(tx *store.Tx, t *turn, key store.Ref, gone func(key store.Ref, c Claim) (bool, error)) error
	// begin is Handler.Begin.
	begin(w *work)
	// try does claimed work. It answers a panic, whose outcome the work has all the same.
	try(ctx context.Context, w *work) error
}

// holding is a record and what is claimed of it.
type holding struct {
	key    store.Ref
	claims []Claim
}

// binding is a queue with its types.
type binding[T, W, O any] struct {
	x        *Index[T]
	h        Handler[T, W, O]
	queue    string
	farthest time.Duration
}

// errSame ends an edit that changed nothing.
var errSame = errors.New("nothing changed")

// edit changes a record, if it is there and if change does not answer errSame.
func (b *binding[T, W, O]) edit(tx *store.Tx, key store.Ref, change func(*T) error) (found bool, err error) {
	_, err = b.x.t.Edit(tx, key.Org, key.ID, change)
	switch {
	case errors.Is(err, errSame):
		return true, nil
	case store.IsNotFound(err):
		return false, nil
	}
	return true, err
}

func (b *binding[T, W, O]) serve(tx *store.Tx, t *turn, it *item) error {
	found, err := b.edit(tx, it.key, func(rec *T) error {
		e := &Entry[T]{Org: it.key.Org, Record: rec, Now: t.now, t: t}
		changed, err := b.settleAll(tx, e, it)
		if err != nil {
			return err
		}
		claimed, err := b.claimAll(tx, e, it)
		if err == nil && !changed && !claimed {
			err = errSame
		}
		return err
	})
	if !found {
		it.lost = len(it.outcomes)
	}
	return err
}

// settleAll stores what came of the work of a record that is still this node's.
func (b *binding[T, W, O]) settleAll(tx *store.Tx, e *Entry[T], it *item) (changed bool, err error) {
	s := b.x.of.Slot(e.Record)
	for _, x := range it.outcomes {
		i := slices.IndexFunc(s.Claims, func(c Claim) bool { return c.Node == x.node && c.Token == x.token })
		if i < 0 {
			it.lost++
			continue
		}
		c := s.Claims[i]
		b.letGo(s, i, e.Now)
		changed = true
		err := carefully(func() error {
			if !x.done {
				return b.h.Release(tx, e, c, CutOff)
			}
			return b.h.Settle(tx, e, x.work.(W), x.out.(O))
		})
		if err != nil {
			return false, &settleError{err}
		}
	}
	return changed, nil
}

// letGo takes a claim out of a slot, which is looked at again.
func (b *binding[T, W, O]) letGo(s *Slot, i int, now time.Time) {
	s.Claims = slices.Delete(slices.Clone(s.Claims), i, i+1)
	if len(s.Claims) == 0 {
		s.Claims = nil
	}
	if s.Due.IsZero() || s.Due.After(now) {
		s.Due = now
	}
}

// claimAll claims as much work of a record as it.room allows.
func (b *binding[T, W, O]) claimAll(tx *store.Tx, e *Entry[T], it *item) (changed bool, err error) {
	s, room := b.x.of.Slot(e.Record), it.room
	if e.t.closed {
		room = 0
	}
	if it.poison != nil && room > 0 && b.isDue(e.Record, e.Now) {
		s.Due, changed = e.Now, true
		err := carefully(func() error { return b.h.Poison(tx, e, it.poison.ref, it.poison.err) })
		if err != nil {
			return false, err
		}
	}
	for len(it.begun) < room && b.isDue(e.Record, e.Now) {
		e.about = ""
		var offer Offer[W]
		err := carefully(func() (err error) {
			offer, err = b.h.Claim(tx, e)
			return err
		})
		if err != nil {
			return false, &claimError{e.about, err}
		}
		if it.elsewhere = offer.Elsewhere; it.elsewhere {
			return changed, nil
		}
		s.Due, changed = offer.Next, true
		if !offer.OK {
			break
		}
		s.Token++
		c := Claim{Node: e.t.node, Token: s.Token, Since: e.Now, Ref: offer.Ref}
		s.Claims = append(slices.Clip(s.Claims), c)
		it.begun = append(it.begun, &work{key: it.key, node: c.Node, token: c.Token, work: offer.Work, since: e.Now})
	}
	// Nothing may wait for longer: it would count as due at once, for ever.
	if b.farthest > 0 && changed && s.Due.After(e.Now.Add(b.farthest)) {
		s.Due = e.Now.Add(b.farthest)
	}
	if b.x.waits(e.Record) {
		it.next = s.Due
	}
	return changed, nil
}

// isDue says whether something may be claimed of a record now. Times count to the
// millisecond.
func (b *binding[T, W, O]) isDue(rec *T, now time.Time) bool {
	if !b.x.waits(rec) || b.x.of.Queue(rec) != b.queue {
		return false
	}
	due := b.x.of.Slot(rec).Due
	return due.Before(now.Add(time.Millisecond)) ||
		b.farthest > 0 && !due.Before(now.Add(b.farthest+time.Millisecond)) ||
		b.x.noted != nil && !b.x.of.Noted(rec).Before(now.Add(clockStep))
}

func (b *binding[T, W, O]) look(tx *store.Tx, now time.Time, limit int) ([]store.Ref, time.Time, error) {
	return b.x.look(tx, b.queue, now, b.farthest, limit)
}

func (b *binding[T, W, O]) claimed(tx *store.Tx, after store.Cursor, limit int) (list []holding, next store.Cursor, err error) {
	found, next, err := b.x.claims.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(b.queue))), After: after, Limit: limit})
	for i := range found {
		rec := &found[i].Record
		list = append(list, holding{store.Ref{Org: found[i].Org, ID: b.x.t.ID(rec)}, b.x.of.Slot(rec).Claims})
	}
	return list, next, err
}

func (b *binding[T, W, O]) release(tx *store.Tx, t *turn, key store.Ref, gone func(store.Ref, Claim) (bool, error)) error {
	_, err := b.edit(tx, key, func(rec *T) error {
		e, s, same := &Entry[T]{Org: key.Org, Record: rec, Now: t.now, t: t}, b.x.of.Slot(rec), true
		for i := 0; i < len(s.Claims); {
			c := s.Claims[i]
			yes, err := gone(key, c)
			if err != nil {
				return err
			}
			if !yes {
				i++
				continue
			}
			same = false
			b.letGo(s, i, t.now)
			if err := carefully(func() error { return b.h.Release(tx, e, c, NodeEnded) }); err != nil {
				return err
			}
		}
		if same {
			return errSame
		}
		b.x.Changed(tx, rec)
		return nil
	})
	return err
}

func (b *binding[T, W, O]) begin(w *work) {
	if b.h.Begin != nil {
		w.work = b.h.Begin(w.work.(W))
	}
}

// try does a piece of work. A panic has an outcome too.
func (b *binding[T, W, O]) try(ctx context.Context, w *work) (crash error) {
	defer func() {
		if p := recover(); p != nil {
			crash = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			w.done = carefully(func() error {
				w.out = b.h.Crashed(w.work.(W), fmt.Errorf("panic: %v", p))
				return nil
			}) == nil
		}
	}()
	w.out, w.done = b.h.Work(ctx, w.work.(W))
	return nil
}

// carefully makes a panic an error.
func carefully(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}

// claimError is a Claim that failed, and what it was about to take.
type claimError struct {
	ref string
	err error
}

func (e *claimError) Error() string { return "claim: " + e.err.Error() }
func (e *claimError) Unwrap() error { return e.err }

// settleError is a Settle that failed.
type settleError struct{ err error }

func (e *settleError) Error() string { return "settle: " + e.err.Error() }
func (e *settleError) Unwrap() error { return e.err }
