package store

import (
	"errors"

	"svc/store/internal/query"
	"svc/store/internal/record"
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
func (t *Table[T]) Page(tx *Tx, org string, q Query[T]) (Page[T], error) {
	var sort *record.Part
	if q.Sort != nil {
		sort = q.Sort.p
	}
	l := query.List{Where: conditions(q.Where), Reverse: q.Reverse, Offset: q.Offset, Limit: q.Limit, After: q.After}
	found, err := t.core.page(tx, org, sort, l)
	return Page[T]{allTyped[T](found.Records), found.Total, found.Next}, err
}

// ErrCursor is a cursor that is no place in the list.
var ErrCursor = query.ErrCursor
