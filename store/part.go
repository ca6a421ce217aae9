package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"svc/store/kv"
)

// partInfo is what a part of a table is without the type of its records.
type partInfo struct {
	name    string
	num     uint16
	kind    byte // kindUnique, kindSorted, kindCount or kindFacet
	all     bool // spans all organizations
	version int
	total   bool // every record has exactly one entry
}

// label names a part in the catalogue and in errors.
func (p partInfo) label() string {
	return map[byte]string{kindUnique: "unique", kindSorted: "index", kindCount: "tally", kindFacet: "facet"}[p.kind] + " " + p.name
}

// part is one thing that a table keeps beside its records. Either keys or values
// is set; both are pure functions of the record.
type part[T any] struct {
	partInfo
	keys   func(*T) []Key
	values func(*T) []string
}

// add registers a part. It panics on what no program should start with.
func (t *Table[T]) add(p part[T]) *part[T] {
	p.num = partHash(p.label())
	for _, other := range t.all {
		if other.num == p.num {
			panic(fmt.Sprintf("store: table %s: %s and %s collide: rename one", t.name, p.label(), other.label()))
		}
	}
	p.version = 1
	t.all = append(t.all, &p)
	return &p
}

func (t *Table[T]) parts() []partInfo {
	out := make([]partInfo, len(t.all))
	for i, p := range t.all {
		out[i] = p.partInfo
	}
	return out
}

// org gives the organization that stands in front of the part's values.
func (p *part[T]) org(o orgID) *orgID {
	if p.all {
		return nil
	}
	return &o
}

// recordRef is where a record lies.
type recordRef struct {
	org    orgID
	id     []byte
	number uint32
}

// tail is what identifies a record behind a value, or in a unique entry.
func (p *part[T]) tail(at recordRef) []byte {
	if !p.all {
		return at.id
	}
	return append(append(make([]byte, 0, 16+len(at.id)), at.org[:]...), at.id...)
}

// indexEntries is what a part keeps of one record.
type indexEntries struct {
	keys   []Key    // of index entries
	values []string // each once
}

// indexEntries is what the parts keep of a record, nothing of nil. It shares no memory with
// the record that a change of the record writes to.
func (t *Table[T]) indexEntries(rec *T) []indexEntries {
	out := make([]indexEntries, len(t.all))
	for i, p := range t.all {
		out[i] = indexEntries{p.keysOf(rec), p.valuesOf(rec)}
	}
	return out
}

// keysOf are the keys of the entries of a record; nil where a part has no entry for
// one without a value.
func (p *part[T]) keysOf(rec *T) []Key {
	if rec == nil || p.keys == nil {
		return nil
	}
	keys := p.keys(rec)
	isNil := func(k Key) bool { return k == nil }
	if p.total || !slices.ContainsFunc(keys, isNil) {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), isNil)
}

// valuesOf gives each value of a record once.
func (p *part[T]) valuesOf(rec *T) (out []string) {
	if rec == nil || p.values == nil {
		return nil
	}
	values := p.values(rec)
	if len(values) > 0 {
		out = make([]string, 0, len(values))
	}
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// missing are the keys that others lack. No key and an empty one are two.
func missing(keys, others []Key) (out []Key) {
	if len(others) == 0 {
		return keys
	}
	for i, k := range keys {
		same := func(o Key) bool { return bytes.Equal(k, o) && (k == nil) == (o == nil) }
		if i < len(others) && same(others[i]) || slices.ContainsFunc(others, same) {
			continue
		}
		out = append(out, k)
	}
	return out
}

// entries are the index entries of a record, for unique and sorted parts.
func (t *Table[T]) entries(p *part[T], at recordRef, rec *T) []kv.Pair {
	return t.pairs(p, at, p.keysOf(rec))
}

// pairs are the index entries of keys of a record.
func (t *Table[T]) pairs(p *part[T], at recordRef, keys []Key) []kv.Pair {
	if len(keys) == 0 {
		return nil
	}
	out := make([]kv.Pair, 0, len(keys))
	prefix, tail := t.partKey(p.kind, p.num, p.org(at.org)), p.tail(at)
	for i, k := range keys {
		key := Key(prefix)
		if i+1 < len(keys) { // the last one, which mostly is the only one, goes on in place
			key = append(make(Key, 0, len(prefix)+len(k)+1+len(tail)), prefix...)
		}
		key = appendPart(key, k)
		if p.kind == kindUnique {
			out = append(out, kv.Pair{Key: key, Value: t.uniqueValue(at.number, tail)})
			continue
		}
		out = append(out, kv.Pair{Key: append(key, tail...), Value: t.entryValue(at.number, len(tail))})
	}
	return out
}

// uniqueValue is what a unique entry knows of its record: its number when the table
// has numbers, and which it is.
func (t *core) uniqueValue(number uint32, tail []byte) []byte {
	if !t.numbered {
		return tail
	}
	v := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen32+len(tail)), uint64(number))
	return append(v, tail...)
}

// holder takes apart what a unique entry points to.
func (t *core) holder(value []byte, org *orgID) (at recordRef, err error) {
	if t.numbered {
		n, size := binary.Uvarint(value)
		if size <= 0 || n > maxNumber {
			return at, corrupt("a unique entry of %s without a number", t.name)
		}
		at.number, value = uint32(n), value[size:]
	}
	if org != nil {
		at.org, at.id = *org, value
		return at, nil
	}
	if len(value) < 16 {
		return at, corrupt("a unique entry of %s that is too short", t.name)
	}
	at.org, at.id = orgID(value[:16]), value[16:]
	return at, nil
}

// recordsOf resolves numbers to the keys of their records.
func (t *core) recordsOf(tx *Tx, org orgID, numbers []uint32) ([][]byte, error) {
	keys := make([][]byte, len(numbers))
	for i, n := range numbers {
		keys[i] = t.numberKey(org, n)
	}
	ids, err := tx.getMany(keys)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if id == nil {
			return nil, corrupt("number %d of %s belongs to no record", binary.BigEndian.Uint32(keys[i][len(keys[i])-4:]), t.name)
		}
		ids[i] = t.recordKey(org, id)
	}
	return ids, nil
}
