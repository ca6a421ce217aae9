package store

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"svc/store/kv"
	"svc/store/recordid"
)

// The key space. A table is the first four bytes of the hash of its name, a part
// (an index, a tally, a facet) the first two of the hash of its label; org is the
// organization in 16 bytes, zeroes for the platform. Part 0 belongs to the table.
//
//	table 'r' org id                     a record: tag, number, JSON
//	table 'u' part [org] value           unique: → [number] [org] id
//	table 's' part [org] value [org] id  sorted: → [number] [length of what follows the value]
//	table 'c' part [org] value 0         how many records have the value
//	table 'f' part org value chunk       facet: which of 16,384 numbers have the value
//	table 'n' org number                 → id
//	table 'x' org                        the next number
//	0000  name                           what the file says about itself: backup, head, keys, preparing
//
// [org] stands in front of the value in parts of one organization, and behind it
// in those that span all. An engine with concurrent commits may spread a hot count over
// several keys of its own, behind the one of kv.Tx.Add (storage 6).
const (
	kindRecord = 'r'
	kindUnique = 'u'
	kindSorted = 's'
	kindCount  = 'c'
	kindFacet  = 'f'
	kindNumber = 'n'
	kindNext   = 'x'
)

// tableHash numbers a table. 0 is the file's own.
func tableHash(name string) uint32 { return max(1, uint32(xxhash.Sum64String(name)>>32)) }

// partHash numbers a part of a table. 0 is the table's own.
func partHash(label string) uint16 { return max(1, uint16(xxhash.Sum64String(label)>>48)) }

// orgID is an organization in a key.
type orgID [16]byte

// Platform is the organization of what belongs to none.
const Platform = ""

// orgPrefix is the prefix of the ids of organizations.
const orgPrefix = "org"

func (o orgID) String() string {
	if o == (orgID{}) {
		return Platform
	}
	return recordid.Of(orgPrefix, o)
}

// space builds keys of one kind of one table.
func space(table uint32, kind byte) []byte {
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 96), table), kind)
}

func metaKey(name string) []byte { return append(make([]byte, 4, 4+len(name)), name...) }

func (t *core) recordKey(org orgID, id []byte) []byte {
	return append(append(space(t.num, kindRecord), org[:]...), id...)
}

func (t *core) numberKey(org orgID, n uint32) []byte {
	return binary.BigEndian.AppendUint32(append(space(t.num, kindNumber), org[:]...), n)
}

func (t *core) nextKey(org orgID) []byte { return append(space(t.num, kindNext), org[:]...) }

// partKey is where the values of a part begin, those of one organization unless
// the part spans all.
func (t *core) partKey(kind byte, part uint16, org *orgID) []byte {
	k := binary.BigEndian.AppendUint16(space(t.num, kind), part)
	if org != nil {
		k = append(k, org[:]...)
	}
	return k
}

func (t *core) countKey(part uint16, org *orgID, value string) []byte {
	k := t.partKey(kindCount, part, org)
	k = append(k, Text(value)...)
	return append(k, 0)
}

func (t *core) facetKey(part uint16, org orgID, value string) []byte {
	return append(t.partKey(kindFacet, part, &org), Text(value)...)
}

// readText takes a Text off the front of b.
func readText(b []byte) (s string, rest []byte, ok bool) {
	var out []byte
	for i := 0; i+1 < len(b); i++ {
		if b[i] != 0 {
			out = append(out, b[i])
			continue
		}
		switch i++; b[i] {
		case 1:
			return string(out), b[i+1:], true
		case 0xFF:
			out = append(out, 0)
		default:
			return "", nil, false
		}
	}
	return "", nil, false
}

// Tags of a stored record.
const (
	tagPlain    = 1 // JSON
	tagNumbered = 2 // number, JSON
)

func packRecord(number uint32, json []byte) []byte {
	if number == 0 {
		return append([]byte{tagPlain}, json...)
	}
	b := make([]byte, 0, 6+len(json))
	return append(binary.AppendUvarint(append(b, tagNumbered), uint64(number)), json...)
}

func unpackRecord(b []byte) (number uint32, json []byte, err error) {
	switch {
	case len(b) > 0 && b[0] == tagPlain:
		return 0, b[1:], nil
	case len(b) > 0 && b[0] == tagNumbered:
		n, size := binary.Uvarint(b[1:])
		if size <= 0 || n == 0 || n > maxNumber {
			return 0, nil, corrupt("a record without its number")
		}
		return uint32(n), b[1+size:], nil
	}
	return 0, nil, corrupt("a record of an unknown form")
}

// entryValue is what a sorted entry knows of its record: its number when the
// table has numbers, and how many bytes of the key are its id when ids differ in
// length.
func (t *core) entryValue(number uint32, tail int) []byte {
	v := []byte{}
	if t.numbered {
		v = binary.AppendUvarint(v, uint64(number))
	}
	if t.prefix == "" {
		v = binary.AppendUvarint(v, uint64(tail))
	}
	return v
}

// entry is a sorted entry, taken apart.
type entry struct {
	value  []byte // encoded
	org    orgID
	id     []byte
	number uint32
}

// readEntry takes apart what a scan of a sorted part found behind its prefix.
func (t *core) readEntry(p kv.Pair, prefix int, org *orgID) (e entry, err error) {
	tail, v := 16, p.Value
	if org == nil {
		tail += 16
	}
	if t.numbered {
		n, size := binary.Uvarint(v)
		if size <= 0 {
			return e, corrupt("an index entry of %s without a number", t.name)
		}
		e.number, v = uint32(n), v[size:]
	}
	if t.prefix == "" {
		n, size := binary.Uvarint(v)
		if size <= 0 || n > kv.MaxKey {
			return e, corrupt("an index entry of %s without a length", t.name)
		}
		tail = int(n)
	}
	rest := p.Key[prefix:]
	if len(rest) < tail || org == nil && tail < 16 {
		return e, corrupt("an index entry of %s that is too short", t.name)
	}
	e.value, e.id = rest[:len(rest)-tail], rest[len(rest)-tail:]
	if org == nil {
		e.org, e.id = orgID(e.id[:16]), e.id[16:]
	} else {
		e.org = *org
	}
	return e, nil
}

// idString writes an id as callers know it.
func (t *core) idString(id []byte) (string, error) {
	if t.prefix == "" {
		return string(id), nil
	}
	if len(id) != 16 {
		return "", corrupt("an id of %s in %d bytes", t.name, len(id))
	}
	return recordid.Of(t.prefix, [16]byte(id)), nil
}

// maxID is the longest id of a table without a prefix, in bytes.
const maxID = 256

// idBytes is an id as keys hold it; false for what no record can have.
func (t *core) idBytes(id string) ([]byte, bool) {
	if t.prefix == "" {
		return []byte(id), id != "" && len(id) <= maxID
	}
	b, ok := recordid.Bytes(t.prefix, id)
	return b[:], ok
}

// orgBytes is an organization as keys hold it.
func (t *core) orgBytes(org string) (o orgID, err error) {
	if org == Platform {
		if t.scope == scopeOrg {
			return o, fmt.Errorf("table %s: its records belong to organizations, and none was given", t.name)
		}
		return o, nil
	}
	b, ok := recordid.Bytes(orgPrefix, org)
	switch {
	case t.scope == scopeGlobal:
		return o, fmt.Errorf("table %s: its records belong to no organization, and one was given", t.name)
	case !ok:
		return o, fmt.Errorf("table %s: %q is not the id of an organization", t.name, org)
	}
	return b, nil
}
