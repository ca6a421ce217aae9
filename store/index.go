package store

import (
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Index sorts the records of an organization by a value, and by id where values
// are equal.
type Index[T any] struct {
	t *table
	p *record.Part
}

// Index declares a sorted index with one entry for each record; a nil key sorts
// first. A list may be sorted by it. The function is pure.
func (t *Table[T]) Index(name string, of func(*T) Key) *Index[T] {
	return &Index[T]{&t.core, t.core.Add(keyed(layout.Part{Name: name, Kind: layout.KindSorted, Total: true}, one(of)))}
}

// Multi declares a sorted index with as many entries for a record as the function
// gives keys, none included. A list cannot be sorted by it.
func (t *Table[T]) Multi(name string, of func(*T) []Key) *Index[T] {
	return &Index[T]{&t.core, t.core.Add(keyed(layout.Part{Name: name, Kind: layout.KindSorted}, of))}
}

// Version is Unique.Version.
func (x *Index[T]) Version(n int) *Index[T] {
	x.p.Version = n
	return x
}

// Range says what a walk visits: the records of a span (none given: all), behind a
// cursor, up to Limit of them, which is mandatory, the highest value first with
// Reverse.
type Range struct {
	Span    Span
	After   Cursor
	Limit   int
	Reverse bool
}

// Walk reads records in the order of the index. next is nil when nothing is left.
// It is for work inside the service, page by page; lists of the API use Table.Page.
func (x *Index[T]) Walk(tx *Tx, org string, r Range) ([]T, Cursor, error) {
	recs, _, next, err := x.t.indexed(tx, x.p, org, false, r)
	return allTyped[T](recs), next, err
}

// IDs is Walk without the records.
func (x *Index[T]) IDs(tx *Tx, org string, r Range) ([]string, Cursor, error) {
	refs, next, err := x.t.refs(tx, x.p, org, false, r)
	return ids(refs), next, err
}

func ids(refs []Ref) (out []string) {
	for _, r := range refs {
		out = append(out, r.ID)
	}
	return out
}

// First reads the first record of a span, or answers ErrNotFound.
func (x *Index[T]) First(tx *Tx, org string, s Span) (T, error) {
	return typed[T](x.t.end(tx, x.p, org, Range{Span: s, Limit: 1}))
}

// Last reads the last record of a span, or answers ErrNotFound.
func (x *Index[T]) Last(tx *Tx, org string, s Span) (T, error) {
	return typed[T](x.t.end(tx, x.p, org, Range{Span: s, Limit: 1, Reverse: true}))
}

// IndexAcross sorts the records of all organizations by a value: what is due, what
// an administrator sees.
type IndexAcross[T any] struct {
	t *table
	p *record.Part
}

// MultiAcross declares a sorted index over all organizations, with as many entries
// for a record as the function gives keys.
func (t *Table[T]) MultiAcross(name string, of func(*T) []Key) *IndexAcross[T] {
	return &IndexAcross[T]{&t.core, t.core.Add(keyed(layout.Part{Name: name, Kind: layout.KindSorted, Across: true}, of))}
}

// Version is Unique.Version.
func (x *IndexAcross[T]) Version(n int) *IndexAcross[T] {
	x.p.Version = n
	return x
}

// Of is a record together with whose it is.
type Of[T any] struct {
	Org    string
	Record T
}

// Walk is Index.Walk over all organizations.
func (x *IndexAcross[T]) Walk(tx *Tx, r Range) (recs []Of[T], next Cursor, err error) {
	found, at, next, err := x.t.indexed(tx, x.p, "", true, r)
	for i, rec := range found {
		recs = append(recs, Of[T]{at[i].Org.String(), *rec.(*T)})
	}
	return recs, next, err
}

// Ref names a record of a table whose records belong to organizations.
type Ref struct{ Org, ID string }

// Refs is Walk without the records.
func (x *IndexAcross[T]) Refs(tx *Tx, r Range) ([]Ref, Cursor, error) {
	return x.t.refs(tx, x.p, "", true, r)
}
