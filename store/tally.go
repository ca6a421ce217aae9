package store

import (
	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Tally counts the records of an organization by a value, in the transactions that
// change them.
type Tally[T any] struct {
	t *table
	p *record.Part
}

// Tally declares kept counts. A record counts once for each value the function
// gives; it is pure.
func (t *Table[T]) Tally(name string, of func(*T) []string) *Tally[T] {
	return &Tally[T]{&t.core, t.core.Add(valued(layout.Part{Name: name, Kind: layout.KindCount}, of))}
}

// Version is Unique.Version.
func (y *Tally[T]) Version(n int) *Tally[T] {
	y.p.Version = n
	return y
}

// Count is how many records have the value.
func (y *Tally[T]) Count(tx *Tx, org, value string) (int, error) {
	return y.t.countOf(tx, y.p, org, value)
}

// Counts gives the count of every value that some record has.
func (y *Tally[T]) Counts(tx *Tx, org string) (map[string]int, error) {
	return y.t.countsOf(tx, y.p, org)
}

// TallyAcross counts the records of all organizations by a value.
type TallyAcross[T any] struct {
	t *table
	p *record.Part
}

// TallyAcross declares kept counts over all organizations.
func (t *Table[T]) TallyAcross(name string, of func(*T) []string) *TallyAcross[T] {
	return &TallyAcross[T]{&t.core, t.core.Add(valued(layout.Part{Name: name, Kind: layout.KindCount, Across: true}, of))}
}

// Version is Unique.Version.
func (y *TallyAcross[T]) Version(n int) *TallyAcross[T] {
	y.p.Version = n
	return y
}

// Count is how many records have the value.
func (y *TallyAcross[T]) Count(tx *Tx, value string) (int, error) {
	if err := y.t.known(tx); err != nil {
		return 0, err
	}
	return tx.buf.Sum(buffer.Counter{Table: y.t.layout(), Part: y.p.Num, Across: true, Value: value})
}

// Counts gives the count of every value that some record has.
func (y *TallyAcross[T]) Counts(tx *Tx) (map[string]int, error) {
	if err := y.t.known(tx); err != nil {
		return nil, err
	}
	return tx.buf.Sums(y.t.PartKey(layout.KindCount, y.p.Num, nil))
}

// CountsOf are the counts of these values; one that no record has is 0.
func CountsOf[V ~string, T any](tx *Tx, y *TallyAcross[T], values []V) (map[V]int, error) {
	all, err := y.Counts(tx)
	out := map[V]int{}
	for _, v := range values {
		out[v] = all[string(v)]
	}
	return out, err
}
