package store

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"svc/store/kv"
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
	t.numbered = true
	return &Facet[T]{t, t.add(part[T]{partInfo: partInfo{name: name, kind: kindFacet}, values: of})}
}

// Version is Unique.Version.
func (f *Facet[T]) Version(n int) *Facet[T] {
	f.p.version = n
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
	for c, err := range tx.chunksOf(&f.t.core, f.p.num, o, value, false) {
		if err != nil {
			return none, err
		}
		for i, w := range c.w {
			if w == 0 {
				continue
			}
			number := c.at<<chunkShift | uint32(i*64+bits.TrailingZeros64(w))
			keys, err := f.t.recordsOf(tx, o, []uint32{number})
			if err != nil {
				return none, err
			}
			recs, err := f.t.loadAll(tx, keys)
			if err != nil {
				return none, err
			}
			return recs[0], nil
		}
	}
	return none, ErrNotFound
}

// Cond is a condition on the records of a table.
type Cond[T any] struct {
	load func(tx *Tx, org orgID) (set, error)
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
	return Cond[T]{load: func(tx *Tx, org orgID) (set, error) {
		var out set
		for _, v := range values {
			s, err := tx.facet(&f.t.core, f.p.num, org, v)
			if err != nil {
				return nil, err
			}
			out = combine(out, s, or)
		}
		return out, nil
	}}
}

// facet reads the set of one value. Part 0 holds every record.
func (tx *Tx) facet(t *core, part uint16, org orgID, value string) (out set, err error) {
	for c, err := range tx.chunksOf(t, part, org, value, false) {
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// chunksOf reads a set chunk by chunk, the last one first with reverse.
func (tx *Tx) chunksOf(t *core, part uint16, org orgID, value string, reverse bool) iter.Seq2[chunkAt, error] {
	prefix := t.facetKey(part, org, value)
	r := kv.Under(prefix)
	r.Reverse = reverse
	return func(yield func(chunkAt, error) bool) {
		for p, err := range tx.scanKept(r) {
			c := chunkAt{}
			if err == nil {
				c.w, err = decodeWords(p.Value)
			}
			if err == nil && len(p.Key) != len(prefix)+4 {
				err = corrupt("a facet chunk of %s without a place", t.name)
			}
			if err == nil {
				c.at = binary.BigEndian.Uint32(p.Key[len(prefix):])
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// setBit adds a record to the set of a value or takes it out.
func (tx *Tx) setBit(t *core, part uint16, org orgID, value string, number uint32, on bool) {
	at := piece{t, part, org, value, number >> chunkShift}
	m := tx.members[at]
	if m == nil {
		if tx.members == nil {
			tx.members = map[piece]members{}
		}
		m = members{}
		tx.members[at] = m
	}
	m[uint16(number%chunkBits)] = on
}

// matching is the set of records for which all conditions hold.
func (t *Table[T]) matching(tx *Tx, org orgID, where []Cond[T]) (set, error) {
	// Those that hold come first: the first of them is the set to begin with.
	where = slices.Clone(where)
	slices.SortStableFunc(where, func(a, b Cond[T]) int { return boolInt(a.not) - boolInt(b.not) })
	if len(where) == 0 || where[0].not {
		all := Cond[T]{load: func(tx *Tx, org orgID) (set, error) { return tx.facet(&t.core, 0, org, "") }}
		where = slices.Insert(where, 0, all)
	}
	var out set
	for i, c := range where {
		s, err := c.load(tx, org)
		switch {
		case err != nil:
			return nil, err
		case i == 0:
			out = s
		case c.not:
			out = combine(out, s, andNot)
		default:
			out = combine(out, s, and)
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
