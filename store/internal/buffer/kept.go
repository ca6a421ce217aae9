package buffer

import (
	"encoding/binary"
	"iter"
	"math"

	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
)

// Counter names a kept count.
type Counter struct {
	Table  *layout.Table
	Part   uint16
	Org    layout.Org
	Across bool // of all organizations
	Value  string
}

// Key is where it is.
func (c Counter) Key() []byte {
	if c.Across {
		return c.Table.CountKey(c.Part, nil, c.Value)
	}
	return c.Table.CountKey(c.Part, &c.Org, c.Value)
}

// piece names a chunk of a facet.
type piece struct {
	t     *layout.Table
	part  uint16
	org   layout.Org
	value string
	at    uint32 // number>>numbers.Shift
}

func (p piece) key() []byte {
	return p.t.ChunkKey(p.part, p.org, p.value, p.at)
}

// Count adds to a kept counter.
func (tx *Tx) Count(c Counter, by int64) {
	if tx.counts == nil {
		tx.counts = map[Counter]int64{}
	}
	tx.counts[c] += by
}

// Sum reads a kept counter.
func (tx *Tx) Sum(c Counter) (int, error) {
	b, err := tx.Get(c.Key())
	if err != nil {
		return 0, err
	}
	n, err := ReadCount(b)
	return int(n + tx.counts[c]), err
}

// ReadCount reads the value of a count.
func ReadCount(b []byte) (int64, error) {
	n, err := kv.DecodeNumber(b)
	if err != nil {
		return 0, layout.Corrupt("a count: %w", err)
	}
	return n, nil
}

// Next takes the next number of a table in an organization.
func (tx *Tx) Next(t *layout.Table, org layout.Org) (uint32, error) {
	key := t.NextKey(org)
	n, ok := tx.next[string(key)]
	if !ok {
		b, err := tx.Get(key)
		if err != nil {
			return 0, err
		}
		if n = 1; b != nil {
			v, size := binary.Uvarint(b)
			if size <= 0 || v == 0 || v > math.MaxUint32 {
				return 0, layout.Corrupt("the next number of %s is no number", t.Name)
			}
			n = uint32(v)
		}
	}
	if n > numbers.Max {
		return 0, layout.Corrupt("table %s has used up its numbers", t.Name)
	}
	if tx.next == nil {
		tx.next = map[string]uint32{}
	}
	tx.next[string(key)] = n + 1
	return n, nil
}

// members are the changes of one chunk: whether a number is in the set from now on.
type members map[uint16]bool

// Sums reads the counters of all values behind a prefix.
func (tx *Tx) Sums(prefix []byte) (map[string]int, error) {
	out := map[string]int{}
	for p, err := range tx.ScanKept(kv.Under(prefix)) {
		if err != nil {
			return nil, err
		}
		value, _, ok := layout.ReadText(p.Key[len(prefix):])
		if !ok {
			return nil, layout.Corrupt("a count of no value")
		}
		n, err := ReadCount(p.Value)
		if err != nil {
			return nil, err
		}
		out[value] += int(n)
	}
	return out, nil
}

// Set reads the set of one value. Part 0 holds every record.
func (tx *Tx) Set(t *layout.Table, part uint16, org layout.Org, value string) (out numbers.Set, err error) {
	for c, err := range tx.Chunks(t, part, org, value, false) {
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Chunks reads a set chunk by chunk, the last one first with reverse.
func (tx *Tx) Chunks(t *layout.Table, part uint16, org layout.Org, value string, reverse bool) iter.Seq2[numbers.Chunk, error] {
	prefix := t.FacetKey(part, org, value)
	r := kv.Under(prefix)
	r.Reverse = reverse
	return func(yield func(numbers.Chunk, error) bool) {
		for p, err := range tx.ScanKept(r) {
			c := numbers.Chunk{}
			if err == nil {
				if c.Words, err = numbers.DecodeWords(p.Value); err != nil {
					err = layout.Corrupt("%w", err)
				}
			}
			if err == nil && len(p.Key) != len(prefix)+4 {
				err = layout.Corrupt("a facet chunk of %s without a place", t.Name)
			}
			if err == nil {
				c.At = binary.BigEndian.Uint32(p.Key[len(prefix):])
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// SetMember adds a record to the set of a value or takes it out.
func (tx *Tx) SetMember(t *layout.Table, part uint16, org layout.Org, value string, number uint32, on bool) {
	at := piece{t, part, org, value, number >> numbers.Shift}
	m := tx.members[at]
	if m == nil {
		if tx.members == nil {
			tx.members = map[piece]members{}
		}
		m = members{}
		tx.members[at] = m
	}
	m[uint16(number%numbers.ChunkSize)] = on
}
