package query

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

// List is what a page is of.
type List struct {
	Where   []Cond
	Sort    *layout.Part // an index with one entry for each record; nil: as they were first saved
	Reverse bool
	Offset  int
	Limit   int
	After   []byte // Page.Next of another page
	// Values gives what the entries of records in Sort have behind their prefix. It is called
	// once at most, when that is cheaper than to walk the index.
	Values func([]layout.Ref) ([][]byte, error)
}

// Page says where the records of a page are, in one of three ways.
type Page struct {
	Total int
	Next  []byte
	// Keys are theirs.
	Keys [][]byte
	// Sorted are their places among what Values was asked for; nil unless it was.
	Sorted []int
	// InOrder says that they are those behind After in the order of their keys, as many as the
	// list may have.
	InOrder bool
	After   []byte
}

// Find finds a page.
func Find(tx *buffer.Tx, t *layout.Table, org layout.Org, q List) (page Page, err error) {
	switch {
	case q.Offset < 0 || q.Offset > 0 && q.After != nil:
		return page, fmt.Errorf("store: a page of %s with offset %d (and a cursor: %v)", t.Name, q.Offset, q.After != nil)
	case q.Sort != nil && !q.Sort.Total:
		return page, fmt.Errorf("store: a list of %s sorted by %s, which does not hold every record once", t.Name, q.Sort.Name)
	case !t.Numbered && len(q.Where) > 0:
		return page, fmt.Errorf("store: a condition on %s, a table without facets", t.Name)
	}
	l := list{t: t, tx: tx, org: org, q: q}
	if len(q.Where) == 0 {
		return l.unfiltered()
	}
	if l.match, err = Matching(tx, t, org, q.Where); err != nil {
		return page, err
	}
	total := l.match.Count()
	switch {
	case q.Sort == nil:
		page.Keys, page.Next, err = l.byNumber(func(p *numbers.Picker, after uint32) error {
			p.Out = l.match.Pick(after, p.Offset, p.Limit, p.Reverse)
			return nil
		})
	case l.smallEnough(total):
		page, err = l.sortMatches()
	default:
		page.Keys, page.Next, err = l.byIndex()
	}
	page.Total = total
	return page, err
}

// ErrCursor is a cursor that is no place in the list.
var ErrCursor = errors.New("store: a cursor of another list")

// list is a page in the making.
type list struct {
	t     *layout.Table
	tx    *buffer.Tx
	org   layout.Org
	q     List
	match numbers.Set // nil: every record
}

// unfiltered walks the records or an index; the total is kept.
func (l list) unfiltered() (page Page, err error) {
	if page.Total, err = l.tx.Sum(buffer.Counter{Table: l.t, Org: l.org}); err != nil {
		return page, err
	}
	if l.q.Sort != nil {
		page.Keys, page.Next, err = l.byIndex()
		return page, err
	}
	if l.t.Numbered {
		page.Keys, page.Next, err = l.byNumber(l.pickFromAll)
		return page, err
	}
	page.InOrder, page.After = true, l.q.After
	if l.q.Offset > 0 {
		page.After, err = l.skip(l.t.RecordKey(l.org, nil))
		page.InOrder = page.After != nil
	}
	return page, err
}

// skip finds the last record before the offset; nil when there are not so many.
func (l list) skip(prefix []byte) (last []byte, err error) {
	r := index.Beyond(kv.Under(prefix), prefix, nil, l.q.Reverse)
	r.Limit, r.KeysOnly = l.q.Offset, true
	n := 0
	for p, err := range l.tx.Scan(r) {
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
func (l list) pickFromAll(p *numbers.Picker, after uint32) error {
	for c, err := range l.tx.Chunks(l.t, 0, l.org, "", p.Reverse) {
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
func (l list) byNumber(pick func(p *numbers.Picker, after uint32) error) ([][]byte, []byte, error) {
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
	picked := p.Out
	var next []byte
	if len(picked) > l.q.Limit {
		picked = picked[:l.q.Limit]
		next = binary.BigEndian.AppendUint32(nil, picked[l.q.Limit-1])
	}
	keys, err := index.Records(l.tx, l.t, l.org, picked)
	return keys, next, err
}

// byIndex walks the index and keeps what matches.
func (l list) byIndex() ([][]byte, []byte, error) {
	prefix := l.t.PartKey(layout.KindSorted, l.q.Sort.Num, &l.org)
	scan := index.Range{Span: l.span(), After: l.q.After, Reverse: l.q.Reverse}.KeysUnder(prefix)
	offset, more := l.q.Offset, false
	keys := [][]byte{}
	var next []byte
	for p, err := range l.tx.Scan(scan) {
		if err != nil {
			return nil, nil, err
		}
		e, err := l.t.ReadEntry(p, len(prefix), &l.org)
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
		keys = append(keys, l.t.RecordKey(l.org, e.ID))
		next = append(next[:0:0], p.Key[len(prefix):]...)
	}
	if !more {
		next = nil
	}
	return keys, next, nil
}

// maxSorted is how many matches may be in memory to be sorted.
const maxSorted = 20_000

// LoadCost is how many index entries can be passed over in the time in which one
// match is loaded. A variable for tests, which have too few records otherwise.
var LoadCost = 40

// span is the part of the index that matches can lie in: that of a condition on
// the same index, else all of it.
func (l list) span() layout.Span {
	for _, c := range l.q.Where {
		if c.part == l.q.Sort && !c.not {
			return c.span
		}
	}
	return layout.Span{}
}

// smallEnough decides between walking the index until the page is full and
// sorting the matches.
func (l list) smallEnough(matches int) bool {
	if matches == 0 {
		return true
	}
	if s := l.span(); s.From != nil || s.To != nil {
		return false // the matches lie together
	}
	all, err := l.tx.Sum(buffer.Counter{Table: l.t, Org: l.org})
	walked := (l.q.Offset + l.q.Limit) * max(1, all/matches)
	if l.q.After != nil {
		walked = all / 2 // the cursor may lie anywhere
	}
	return err == nil && matches <= maxSorted && matches*LoadCost < min(walked, all)
}

// sortMatches sorts all matches as the index would, by what the caller says of them.
func (l list) sortMatches() (page Page, err error) {
	picked := l.match.Pick(0, 0, maxSorted, false)
	keys, err := index.Records(l.tx, l.t, l.org, picked)
	if err != nil {
		return page, err
	}
	refs := make([]layout.Ref, len(keys))
	for i, key := range keys {
		refs[i] = layout.Ref{Org: l.org, ID: key[len(l.t.RecordKey(l.org, nil)):], Number: picked[i]}
	}
	values, err := l.q.Values(refs)
	if err != nil {
		return page, err
	}
	all := make([]int, len(values))
	for i := range all {
		all[i] = i
	}
	slices.SortFunc(all, func(a, b int) int {
		if l.q.Reverse {
			a, b = b, a
		}
		return bytes.Compare(values[a], values[b])
	})
	from := min(l.q.Offset, len(all))
	if l.q.After != nil {
		from = slices.IndexFunc(all, func(i int) bool {
			c := bytes.Compare(values[i], l.q.After)
			return l.q.Reverse && c < 0 || !l.q.Reverse && c > 0
		})
		if from < 0 {
			from = len(all)
		}
	}
	to := min(from+l.q.Limit, len(all))
	page.Sorted = all[from:to]
	if to < len(all) && to > from {
		page.Next = values[all[to-1]]
	}
	return page, nil
}
