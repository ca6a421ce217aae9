package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
)

// Where holds for records with an entry in the span. It reads as many entries as
// the span has: right for a prefix that somebody types, wrong for most of a table.
func (x *Index[T]) Where(s Span) Cond[T] {
	return Cond[T]{part: x.p, span: s, load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		w := newWalk(tx, x.t, x.p, org, []Span{s})
		err := w.all()
		return w.found.Set(), err
	}}
}

// Where holds for records whose value lies in one of the spans. It reads as many
// entries as they have.
func (u *Unique[T]) Where(spans ...Span) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		w := newWalk(tx, u.t, u.p, org, spans)
		err := w.all()
		return w.found.Set(), err
	}}
}

// Among is Where for spans of a larger group: those for which group holds have their
// values in the spans or in rest, and nobody else has. It reads whichever has fewer
// entries, and about as many of the other: a prefix that nearly all of a group have
// costs what the few cost that do not.
func (u *Unique[T]) Among(group Cond[T], spans, rest []Span) Cond[T] {
	return among(u.t, u.p, group, spans, rest)
}

// Among is Unique.Among for a sorted index with one entry a record at most.
func (x *Index[T]) Among(group Cond[T], spans, rest []Span) Cond[T] {
	return among(x.t, x.p, group, spans, rest)
}

func among[T any](t *Table[T], p *part[T], group Cond[T], spans, rest []Span) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		if group.not {
			return nil, errNot
		}
		inside, outside := newWalk(tx, t, p, org, spans), newWalk(tx, t, p, org, rest)
		for n := firstStep; ; n *= 2 {
			if done, err := inside.step(n); done || err != nil {
				return inside.found.Set(), err
			}
			if done, err := outside.step(n); err != nil {
				return nil, err
			} else if done {
				break
			}
		}
		all, err := group.load(tx, org)
		if err != nil {
			return nil, err
		}
		return numbers.Without(all, outside.found.Set()), nil
	}}
}

// firstStep is how many entries Among reads of one side before it looks at the
// other. A variable for tests, which have too few entries otherwise.
var firstStep = 512

var errNot = errors.New("store: a condition that must not hold inside another")

// walk collects the numbers of the entries of a part that lie in some spans.
type walk[T any] struct {
	tx     *Tx
	t      *Table[T]
	part   *part[T]
	prefix []byte
	ranges []kv.Range // what is left
	found  numbers.Builder
}

func newWalk[T any](tx *Tx, t *Table[T], p *part[T], org layout.Org, spans []Span) *walk[T] {
	w := &walk[T]{tx: tx, t: t, part: p, prefix: t.core.PartKey(p.Kind, p.Num, &org)}
	for _, s := range spans {
		w.ranges = append(w.ranges, index.In(w.prefix, s))
	}
	return w
}

func (w *walk[T]) all() error {
	_, err := w.step(0)
	return err
}

// step reads up to n entries, 0 for all, and says whether none are left.
func (w *walk[T]) step(n int) (done bool, err error) {
	if !w.t.core.Numbered {
		return true, fmt.Errorf("store: a condition on a table without facets: %s", w.t.core.Name)
	}
	for len(w.ranges) > 0 {
		r := w.ranges[0]
		r.Limit = n
		read := 0
		var last []byte
		for p, err := range w.tx.buf.Scan(r) {
			if err != nil {
				return true, err
			}
			number, size := binary.Uvarint(p.Value)
			if size <= 0 || number > numbers.Max {
				return true, corrupt("an entry of %s %s without a number", w.t.core.Name, w.part.Label())
			}
			w.found.Add(uint32(number))
			read++
			last = p.Key
		}
		if n > 0 && read == n {
			w.ranges[0].From = append(append([]byte(nil), last...), 0) // the first key behind it
			return false, nil
		}
		if n > 0 {
			n -= read
		}
		w.ranges = w.ranges[1:]
	}
	return true, nil
}
