package store

import (
	"slices"

	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/internal/numbers"
)

// Facet keeps, for each value, the set of records that have it, so that a list
// filtered by many values has its exact total and any page of it at once (storage 10).
type Facet[T any] struct {
	t *Table[T]
	p *part[T]
}

// Facet declares a set of records for each value the function gives; it is pure. A
// table with a facet numbers its records, so that a set is bits: it is for values
// that few or many records share, not for those that each has its own.
func (t *Table[T]) Facet(name string, of func(*T) []string) *Facet[T] {
	t.core.Numbered = true
	return &Facet[T]{t, t.add(part[T]{Part: layout.Part{Name: name, Kind: layout.KindFacet}, values: of})}
}

// Version is Unique.Version.
func (f *Facet[T]) Version(n int) *Facet[T] {
	f.p.Version = n
	return f
}

// Count is how many records have the value.
func (f *Facet[T]) Count(tx *Tx, org, value string) (int, error) {
	return f.t.countOf(tx, f.p, org, value)
}

// Counts gives the count of every value that some record has.
func (f *Facet[T]) Counts(tx *Tx, org string) (map[string]int, error) {
	return f.t.countsOf(tx, f.p, org)
}

// First reads the record that was saved first of those that have a value, or answers
// ErrNotFound. It reads one piece of the set.
func (f *Facet[T]) First(tx *Tx, org, value string) (T, error) {
	var none T
	o, err := f.t.at(tx, org)
	if err != nil {
		return none, err
	}
	for c, err := range tx.buf.Chunks(&f.t.core, f.p.Num, o, value, false) {
		if err != nil {
			return none, err
		}
		number, found := c.First()
		if !found {
			continue
		}
		keys, err := index.Records(&tx.buf, &f.t.core, o, []uint32{number})
		if err != nil {
			return none, err
		}
		recs, err := f.t.loadAll(tx, keys)
		if err != nil {
			return none, err
		}
		return recs[0], nil
	}
	return none, ErrNotFound
}

// Cond is a condition on the records of a table.
type Cond[T any] struct {
	load func(tx *Tx, org layout.Org) (numbers.Set, error)
	not  bool
	part *part[T] // the index it is a span of, nil for facets
	span Span
}

// Not holds for the records the condition does not hold for.
func (c Cond[T]) Not() Cond[T] {
	c.not = !c.not
	return c
}

// Any holds for records that have at least one of the values; for none when no
// value is given.
func (f *Facet[T]) Any(values ...string) Cond[T] {
	return Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) {
		var out numbers.Set
		for _, v := range values {
			s, err := tx.buf.Set(&f.t.core, f.p.Num, org, v)
			if err != nil {
				return nil, err
			}
			out = numbers.Or(out, s)
		}
		return out, nil
	}}
}

// matching is the set of records for which all conditions hold.
func (t *Table[T]) matching(tx *Tx, org layout.Org, where []Cond[T]) (numbers.Set, error) {
	// Those that hold come first: the first of them is the set to begin with.
	where = slices.Clone(where)
	slices.SortStableFunc(where, func(a, b Cond[T]) int { return boolInt(a.not) - boolInt(b.not) })
	if len(where) == 0 || where[0].not {
		all := Cond[T]{load: func(tx *Tx, org layout.Org) (numbers.Set, error) { return tx.buf.Set(&t.core, 0, org, "") }}
		where = slices.Insert(where, 0, all)
	}
	var out numbers.Set
	for i, c := range where {
		s, err := c.load(tx, org)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			out = s
		case c.not:
			out = numbers.Without(out, s)
		default:
			out = numbers.And(out, s)
		}
	}
	return out, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
