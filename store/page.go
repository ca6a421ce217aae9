package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
)

var errNoLimit = errors.New("store: a walk or a page without a limit")

// Query is a list as the API shows it.
type Query[T any] struct {
	// Where are the conditions that all hold. They need a table with facets.
	Where []Cond[T]
	// Sort is the order; nil is the order in which the records were first saved.
	Sort    *Index[T]
	Reverse bool
	Offset  int
	Limit   int
	// After goes on behind the last record of another page, which is how exports
	// and jobs read: an offset costs more the deeper it is. Not with Offset.
	After Cursor
}

// Page is a part of a list.
type Page[T any] struct {
	Data  []T
	Total int    // how many records match, exactly
	Next  Cursor // behind the last record; nil when nothing is left
}

// Page reads a page with the exact total. In a table with facets, pages in the
// order of saving cost the same at any offset. Sorted by an index they cost the
// entries up to the page; few matches are sorted in memory instead.
func (t *Table[T]) Page(tx *Tx, org string, q Query[T]) (page Page[T], err error) {
	o, err := t.at(tx, org)
	if err != nil {
		return page, err
	}
	switch {
	case q.Limit <= 0:
		return page, errNoLimit
	case q.Offset < 0 || q.Offset > 0 && q.After != nil:
		return page, fmt.Errorf("store: a page of %s with offset %d (and a cursor: %v)", t.core.Name, q.Offset, q.After != nil)
	case q.Sort != nil && !q.Sort.p.Total:
		return page, fmt.Errorf("store: a list of %s sorted by %s, which does not hold every record once", t.core.Name, q.Sort.p.Name)
	case !t.core.Numbered && len(q.Where) > 0:
		return page, fmt.Errorf("store: a condition on %s, a table without facets", t.core.Name)
	}
	l := list[T]{t: t, tx: tx, org: o, q: q}
	if len(q.Where) == 0 {
		return l.unfiltered()
	}
	if l.match, err = t.matching(tx, o, q.Where); err != nil {
		return page, err
	}
	page.Total = l.match.Count()
	switch {
	case q.Sort == nil:
		page.Data, page.Next, err = l.byNumber(func(p *numbers.Picker, after uint32) error {
			p.Out = l.match.Pick(after, p.Offset, p.Limit, p.Reverse)
			return nil
		})
	case l.smallEnough(page.Total):
		page.Data, page.Next, err = l.sortMatches()
	default:
		page.Data, page.Next, err = l.byIndex()
	}
	return page, err
}

// list is a page in the making.
type list[T any] struct {
	t     *Table[T]
	tx    *Tx
	org   layout.Org
	q     Query[T]
	match numbers.Set // nil: every record
}

// unfiltered walks the records or an index; the total is kept.
func (l list[T]) unfiltered() (page Page[T], err error) {
	if page.Total, err = l.tx.buf.Sum(buffer.Counter{Table: &l.t.core, Org: l.org}); err != nil {
		return page, err
	}
	if l.q.Sort != nil {
		page.Data, page.Next, err = l.byIndex()
		return page, err
	}
	if l.t.core.Numbered {
		page.Data, page.Next, err = l.byNumber(l.pickFromAll)
		return page, err
	}
	prefix := l.t.core.RecordKey(l.org, nil)
	after, q := l.q.After, l.q
	if q.Offset > 0 {
		if after, err = l.skip(prefix); err != nil || after == nil {
			return page, err
		}
	}
	page.Data, page.Next, err = l.t.walk(l.tx, prefix, after, q.Limit, q.Reverse)
	return page, err
}

// skip finds the last record before the offset; nil when there are not so many.
func (l list[T]) skip(prefix []byte) (last Cursor, err error) {
	r := index.Beyond(kv.Under(prefix), prefix, nil, l.q.Reverse)
	r.Limit, r.KeysOnly = l.q.Offset, true
	n := 0
	for p, err := range l.tx.buf.Scan(r) {
		if err != nil {
			return nil, err
		}
		if n++; n == l.q.Offset {
			last = append(last, p.Key[len(prefix):]...)
		}
	}
	return last, nil
}

// pickFromAll picks from the set of every record, and reads no more of it than it
// needs.
func (l list[T]) pickFromAll(p *numbers.Picker, after uint32) error {
	for c, err := range l.tx.buf.Chunks(&l.t.core, 0, l.org, "", p.Reverse) {
		if err != nil {
			return err
		}
		if p.Take(c, after) {
			break
		}
	}
	return nil
}

// byNumber pages in the order of saving through numbers that pick finds.
func (l list[T]) byNumber(pick func(p *numbers.Picker, after uint32) error) ([]T, Cursor, error) {
	after := uint32(0)
	if l.q.After != nil {
		if len(l.q.After) != 4 {
			return nil, nil, ErrCursor
		}
		after = binary.BigEndian.Uint32(l.q.After)
	}
	p := numbers.Picker{Offset: l.q.Offset, Limit: l.q.Limit + 1, Reverse: l.q.Reverse}
	if err := pick(&p, after); err != nil {
		return nil, nil, err
	}
	numbers := p.Out
	var next Cursor
	if len(numbers) > l.q.Limit {
		numbers = numbers[:l.q.Limit]
		next = binary.BigEndian.AppendUint32(nil, numbers[l.q.Limit-1])
	}
	keys, err := index.Records(&l.tx.buf, &l.t.core, l.org, numbers)
	if err != nil {
		return nil, nil, err
	}
	recs, err := l.t.loadAll(l.tx, keys)
	return recs, next, err
}

// ErrCursor is a cursor that is no place in the list.
var ErrCursor = errors.New("store: a cursor of another list")

// byIndex walks the index and keeps what matches.
func (l list[T]) byIndex() ([]T, Cursor, error) {
	prefix := l.t.core.PartKey(layout.KindSorted, l.q.Sort.p.Num, &l.org)
	scan := index.Range{Span: l.span(), After: l.q.After, Reverse: l.q.Reverse}.KeysUnder(prefix)
	offset, more := l.q.Offset, false
	var keys [][]byte
	var next Cursor
	for p, err := range l.tx.buf.Scan(scan) {
		if err != nil {
			return nil, nil, err
		}
		e, err := l.t.core.ReadEntry(p, len(prefix), &l.org)
		if err != nil {
			return nil, nil, err
		}
		if l.match != nil && !l.match.Has(e.Number) {
			continue
		}
		if offset > 0 {
			offset--
			continue
		}
		if more = len(keys) == l.q.Limit; more {
			break
		}
		keys = append(keys, l.t.core.RecordKey(l.org, e.ID))
		next = append(next[:0:0], p.Key[len(prefix):]...)
	}
	if !more {
		next = nil
	}
	recs, err := l.t.loadAll(l.tx, keys)
	return recs, next, err
}

// maxSorted is how many matches may be in memory to be sorted.
const maxSorted = 20_000

// loadCost is how many index entries can be passed over in the time in which one
// match is loaded. A variable for tests, which have too few records otherwise.
var loadCost = 40

// span is the part of the index that matches can lie in: that of a condition on
// the same index, else all of it.
func (l list[T]) span() Span {
	for _, c := range l.q.Where {
		if c.part == l.q.Sort.p && !c.not {
			return c.span
		}
	}
	return All()
}

// smallEnough decides between walking the index until the page is full and
// sorting the matches.
func (l list[T]) smallEnough(matches int) bool {
	if matches == 0 {
		return true
	}
	if s := l.span(); s.From != nil || s.To != nil {
		return false // the matches lie together
	}
	all, err := l.tx.buf.Sum(buffer.Counter{Table: &l.t.core, Org: l.org})
	walked := (l.q.Offset + l.q.Limit) * max(1, all/matches)
	if l.q.After != nil {
		walked = all / 2 // the cursor may lie anywhere
	}
	return err == nil && matches <= maxSorted && matches*loadCost < min(walked, all)
}

// sortMatches loads all matches and sorts them as the index would.
func (l list[T]) sortMatches() ([]T, Cursor, error) {
	numbers := l.match.Pick(0, 0, maxSorted, false)
	keys, err := index.Records(&l.tx.buf, &l.t.core, l.org, numbers)
	if err != nil {
		return nil, nil, err
	}
	recs, err := l.t.loadAll(l.tx, keys)
	if err != nil {
		return nil, nil, err
	}
	prefix := len(l.t.core.PartKey(layout.KindSorted, l.q.Sort.p.Num, &l.org))
	type sortable struct {
		key []byte
		rec T
	}
	all := make([]sortable, len(recs))
	for i, rec := range recs {
		id := keys[i][len(l.t.core.RecordKey(l.org, nil)):]
		entries := l.t.entries(l.q.Sort.p, layout.Ref{Org: l.org, ID: id, Number: numbers[i]}, &rec)
		all[i] = sortable{entries[0].Key[prefix:], rec}
	}
	slices.SortFunc(all, func(a, b sortable) int {
		if l.q.Reverse {
			a, b = b, a
		}
		return bytes.Compare(a.key, b.key)
	})
	from := min(l.q.Offset, len(all))
	if l.q.After != nil {
		from = slices.IndexFunc(all, func(s sortable) bool {
			c := bytes.Compare(s.key, l.q.After)
			return l.q.Reverse && c < 0 || !l.q.Reverse && c > 0
		})
		if from < 0 {
			from = len(all)
		}
	}
	to := min(from+l.q.Limit, len(all))
	out := make([]T, 0, to-from)
	var next Cursor
	for _, s := range all[from:to] {
		out = append(out, s.rec)
		if to < len(all) {
			next = s.key
		}
	}
	return out, next, nil
}
