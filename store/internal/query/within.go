package query

import (
	"encoding/binary"
	"errors"
	"fmt"

	"svc/store/internal/buffer"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
)

// Within holds for records whose value in an index lies in one of the spans. It reads as many
// entries as they have.
func Within(t *layout.Table, p *layout.Part, spans ...layout.Span) Cond {
	c := Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
		w := newWalk(tx, t, p, org, spans)
		err := w.all()
		return w.found.Set(), err
	}}
	if len(spans) == 1 {
		c.part, c.span = p, spans[0]
	}
	return c
}

// Among is Within for spans of a larger group: those for which group holds have their
// values in the spans or in rest, and nobody else has. It reads whichever has fewer entries.
func Among(t *layout.Table, p *layout.Part, group Cond, spans, rest []layout.Span) Cond {
	return Cond{load: func(tx *buffer.Tx, org layout.Org) (numbers.Set, error) {
		if group.not {
			return nil, errNot
		}
		inside, outside := newWalk(tx, t, p, org, spans), newWalk(tx, t, p, org, rest)
		for n := FirstStep; ; n *= 2 {
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

// FirstStep is how many entries Among reads of one side before it looks at the
// other. A variable for tests, which have too few entries otherwise.
var FirstStep = 512

var errNot = errors.New("store: a condition that must not hold inside another")

// walk collects the numbers of the entries of a part that lie in some spans.
type walk struct {
	tx     *buffer.Tx
	t      *layout.Table
	part   *layout.Part
	prefix []byte
	ranges []kv.Range // what is left
	found  numbers.Builder
}

func newWalk(tx *buffer.Tx, t *layout.Table, p *layout.Part, org layout.Org, spans []layout.Span) *walk {
	w := &walk{tx: tx, t: t, part: p, prefix: t.PartKey(p.Kind, p.Num, &org)}
	for _, s := range spans {
		w.ranges = append(w.ranges, index.In(w.prefix, s))
	}
	return w
}

func (w *walk) all() error {
	_, err := w.step(0)
	return err
}

// step reads up to n entries, 0 for all, and says whether none are left.
func (w *walk) step(n int) (done bool, err error) {
	if !w.t.Numbered {
		return true, fmt.Errorf("store: a condition on a table without facets: %s", w.t.Name)
	}
	for len(w.ranges) > 0 {
		r := w.ranges[0]
		r.Limit = n
		read := 0
		var last []byte
		for p, err := range w.tx.Scan(r) {
			if err != nil {
				return true, err
			}
			number, size := binary.Uvarint(p.Value)
			if size <= 0 || number > numbers.Max {
				return true, layout.Corrupt("an entry of %s %s without a number", w.t.Name, w.part.Label())
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
