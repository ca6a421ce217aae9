package dispatch

import (
	"errors"
	"math"
	"time"

	"svc/store"
)

// endOfTime lies behind every time that is stored.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// look finds records of a queue that may be claimed: those that the clock was set back
// behind first, then by priority those that are due longest. next is when the first is
// due of those that are not, zero for none; it is not known when limit were found.
func (x *Index[T]) look(tx *store.Tx, queue string, now time.Time, farthest time.Duration, limit int) (found []store.Ref, next time.Time, err error) {
	known := map[store.Ref]bool{}
	take := func(by *store.IndexAcross[T], s store.Span) error {
		if len(found) >= limit {
			return nil
		}
		// Those known already may be in the span too.
		refs, _, err := by.Refs(tx, store.Range{Span: s, Limit: limit})
		for _, ref := range refs {
			if !known[ref] && len(found) < limit {
				known[ref] = true
				found = append(found, ref)
			}
		}
		return err
	}
	q := store.Text(queue)
	if x.noted != nil {
		err := take(x.noted, store.Between(store.Tuple(q, store.Time(now.Add(clockStep))), store.Tuple(q, store.Time(endOfTime))))
		if err != nil {
			return nil, next, err
		}
	}
	soon := store.Time(now.Add(time.Millisecond)) // due are those up to now, to the millisecond
	err = x.priorities(tx, queue, func(first *T) error {
		p := x.of.Slot(first).Priority
		of := func(k store.Key) store.Key { return store.Tuple(q, store.Int(int64(p)), k) }
		if err := take(x.due, store.Between(store.Tuple(q, store.Int(int64(p))), of(soon))); err != nil {
			return err
		}
		if farthest > 0 {
			beyond := of(store.Time(now.Add(farthest + time.Millisecond)))
			if err := take(x.due, store.Between(beyond, behind(q, p))); err != nil {
				return err
			}
		}
		if len(found) >= limit {
			return errEnough
		}
		later, _, err := x.due.Walk(tx, store.Range{Span: store.Between(of(soon), behind(q, p)), Limit: 1})
		if err != nil || len(later) == 0 {
			return err
		}
		if due := x.of.Slot(&later[0].Record).Due; next.IsZero() || due.Before(next) {
			next = due
		}
		return nil
	})
	return found, next, err
}

// Later are up to limit records of a queue that wait for a time to come, of all priorities.
func (x *Index[T]) Later(tx *store.Tx, queue string, now time.Time, limit int) (found []store.Ref, err error) {
	q := store.Text(queue)
	err = x.priorities(tx, queue, func(first *T) error {
		p := x.of.Slot(first).Priority
		soon := store.Tuple(q, store.Int(int64(p)), store.Time(now.Add(time.Millisecond)))
		refs, _, err := x.due.Refs(tx, store.Range{Span: store.Between(soon, behind(q, p)), Limit: limit - len(found)})
		if found = append(found, refs...); err == nil && len(found) >= limit {
			return errEnough
		}
		return err
	})
	return found, err
}

// behind is the key behind all of a priority.
func behind(queue store.Key, priority int) store.Key {
	if priority == math.MaxInt {
		return store.Tuple(queue, store.Int(math.MaxInt64), store.Time(endOfTime))
	}
	return store.Tuple(queue, store.Int(int64(priority)+1))
}

// priorities calls f with the record of each priority of a queue that is due first, the
// lowest priority first, until f answers errEnough.
func (x *Index[T]) priorities(tx *store.Tx, queue string, f func(first *T) error) error {
	q := store.Text(queue)
	end := store.Tuple(q, store.Int(math.MaxInt64), store.Time(endOfTime))
	for from := store.Tuple(q); ; {
		first, _, err := x.due.Walk(tx, store.Range{Span: store.Between(from, end), Limit: 1})
		if err != nil || len(first) == 0 {
			return err
		}
		rec := &first[0].Record
		if err := f(rec); err != nil {
			return ignoreEnough(err)
		}
		p := x.of.Slot(rec).Priority
		if p == math.MaxInt {
			return nil
		}
		from = behind(q, p)
	}
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

func ignoreEnough(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
