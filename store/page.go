package store

import (
	"errors"

	"svc/store/internal/layout"
	"svc/store/internal/query"
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
	if q.Limit <= 0 {
		return page, errNoLimit
	}
	l := query.List{Where: untyped(q.Where), Reverse: q.Reverse, Offset: q.Offset, Limit: q.Limit, After: q.After}
	var matches []T
	if q.Sort != nil {
		l.Sort = &q.Sort.p.Part
		l.Values = func(refs []layout.Ref) (values [][]byte, err error) {
			matches, values, err = q.Sort.valuesOf(tx, o, refs)
			return values, err
		}
	}
	found, err := query.Find(&tx.buf, &t.core, o, l)
	page.Total, page.Next = found.Total, found.Next
	switch {
	case err != nil:
	case found.InOrder:
		page.Data, page.Next, err = t.walk(tx, t.core.RecordKey(o, nil), found.After, q.Limit, q.Reverse)
	case found.Sorted != nil:
		page.Data = make([]T, len(found.Sorted))
		for i, at := range found.Sorted {
			page.Data[i] = matches[at]
		}
	case found.Keys != nil:
		page.Data, err = t.loadAll(tx, found.Keys)
	}
	return page, err
}

// valuesOf loads records and gives what their entries have behind the prefix of the index.
func (x *Index[T]) valuesOf(tx *Tx, org layout.Org, refs []layout.Ref) (recs []T, values [][]byte, err error) {
	if recs, err = x.t.loadPlaces(tx, refs); err != nil {
		return nil, nil, err
	}
	prefix := len(x.t.core.PartKey(layout.KindSorted, x.p.Num, &org))
	values = make([][]byte, len(recs))
	for i := range recs {
		values[i] = x.t.entries(x.p, refs[i], &recs[i])[0].Key[prefix:]
	}
	return recs, values, nil
}

// ErrCursor is a cursor that is no place in the list.
var ErrCursor = query.ErrCursor
