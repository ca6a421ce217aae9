package store

import (
	"svc/store/internal/index"
	"svc/store/internal/layout"
)

// Index sorts the records of an organization by a value, and by id where values
// are equal.
type Index[T any] struct {
	t *Table[T]
	p *part[T]
}

// Index declares a sorted index with one entry for each record; a nil key sorts
// first. A list may be sorted by it. The function is pure.
func (t *Table[T]) Index(name string, of func(*T) Key) *Index[T] {
	return &Index[T]{t, t.add(part[T]{Part: layout.Part{Name: name, Kind: layout.KindSorted, Total: true}, keys: one(of)})}
}

// Multi declares a sorted index with as many entries for a record as the function
// gives keys, none included. A list cannot be sorted by it.
func (t *Table[T]) Multi(name string, of func(*T) []Key) *Index[T] {
	return &Index[T]{t, t.add(part[T]{Part: layout.Part{Name: name, Kind: layout.KindSorted}, keys: of})}
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
func (x *Index[T]) Walk(tx *Tx, org string, r Range) (recs []T, next Cursor, err error) {
	o, err := x.t.at(tx, org)
	if err != nil {
		return nil, nil, err
	}
	at, next, err := x.t.entriesIn(tx, x.p, &o, r)
	if err != nil {
		return nil, nil, err
	}
	recs, err = x.t.loadPlaces(tx, at)
	return recs, next, err
}

// IDs is Walk without the records.
func (x *Index[T]) IDs(tx *Tx, org string, r Range) (ids []string, next Cursor, err error) {
	o, err := x.t.at(tx, org)
	if err != nil {
		return nil, nil, err
	}
	at, next, err := x.t.entriesIn(tx, x.p, &o, r)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range at {
		id, err := x.t.core.IDString(a.ID)
		if err != nil {
			return nil, nil, err
		}
		ids = append(ids, id)
	}
	return ids, next, nil
}

// First reads the first record of a span, or answers ErrNotFound.
func (x *Index[T]) First(tx *Tx, org string, s Span) (T, error) {
	recs, _, err := x.Walk(tx, org, Range{Span: s, Limit: 1})
	return firstOf(recs, err)
}

// Last reads the last record of a span, or answers ErrNotFound.
func (x *Index[T]) Last(tx *Tx, org string, s Span) (T, error) {
	recs, _, err := x.Walk(tx, org, Range{Span: s, Limit: 1, Reverse: true})
	return firstOf(recs, err)
}

func firstOf[T any](recs []T, err error) (T, error) {
	var none T
	switch {
	case err != nil:
		return none, err
	case len(recs) == 0:
		return none, ErrNotFound
	}
	return recs[0], nil
}

// IndexAcross sorts the records of all organizations by a value: what is due, what
// an administrator sees.
type IndexAcross[T any] struct {
	t *Table[T]
	p *part[T]
}

// MultiAcross declares a sorted index over all organizations, with as many entries
// for a record as the function gives keys.
func (t *Table[T]) MultiAcross(name string, of func(*T) []Key) *IndexAcross[T] {
	return &IndexAcross[T]{t, t.add(part[T]{Part: layout.Part{Name: name, Kind: layout.KindSorted, Across: true}, keys: of})}
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
	if err := x.t.known(tx); err != nil {
		return nil, nil, err
	}
	at, next, err := x.t.entriesIn(tx, x.p, nil, r)
	if err != nil {
		return nil, nil, err
	}
	found, err := x.t.loadPlaces(tx, at)
	if err != nil {
		return nil, nil, err
	}
	for i, rec := range found {
		recs = append(recs, Of[T]{at[i].Org.String(), rec})
	}
	return recs, next, nil
}

// Ref names a record of a table whose records belong to organizations.
type Ref struct{ Org, ID string }

// Refs is Walk without the records.
func (x *IndexAcross[T]) Refs(tx *Tx, r Range) (refs []Ref, next Cursor, err error) {
	if err := x.t.known(tx); err != nil {
		return nil, nil, err
	}
	at, next, err := x.t.entriesIn(tx, x.p, nil, r)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range at {
		id, err := x.t.core.IDString(a.ID)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, Ref{a.Org.String(), id})
	}
	return refs, next, nil
}

// entriesIn finds where the records of a range lie.
func (t *Table[T]) entriesIn(tx *Tx, p *part[T], org *layout.Org, r Range) ([]layout.Ref, Cursor, error) {
	if r.Limit <= 0 {
		return nil, nil, errNoLimit
	}
	at, next, err := index.Walk(&tx.buf, &t.core, &p.Part, org, index.Range{Span: r.Span, After: r.After, Limit: r.Limit, Reverse: r.Reverse})
	return at, next, err
}

func (t *Table[T]) loadPlaces(tx *Tx, at []layout.Ref) ([]T, error) {
	keys := make([][]byte, len(at))
	for i, a := range at {
		keys[i] = t.core.RecordKey(a.Org, a.ID)
	}
	return t.loadAll(tx, keys)
}
