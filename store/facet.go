package store

import (
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Facet keeps, for each value, the set of records that have it, so that a list
// filtered by many values has its exact total and any page of it at once (storage 10).
type Facet[T any] struct {
	t *table
	p *record.Part
}

// Facet declares a set of records for each value the function gives; it is pure. A
// table with a facet numbers its records, so that a set is bits: it is for values
// that few or many records share, not for those that each has its own.
func (t *Table[T]) Facet(name string, of func(*T) []string) *Facet[T] {
	t.core.Numbered = true
	return &Facet[T]{&t.core, t.core.Add(valued(layout.Part{Name: name, Kind: layout.KindFacet}, of))}
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
	return typed[T](f.t.first(tx, f.p, org, value))
}
