// Package layout is the form of what a store keeps: which key has a record, an index entry, a
// count, a set, and what their values look like.
//
// It promises that keys sort as what they stand for, and that bytes which it never wrote are
// an error that matches ErrCorrupt. It refuses to read or write: it is told bytes, and tells
// them.
package layout

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

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
	KindRecord = 'r'
	KindUnique = 'u'
	KindSorted = 's'
	KindCount  = 'c'
	KindFacet  = 'f'
	KindNumber = 'n'
	KindNext   = 'x'
)

// TableNumber numbers a table by its name. 0 is the file's own.
func TableNumber(name string) uint32 { return max(1, uint32(xxhash.Sum64String(name)>>32)) }

// partNumber numbers a part of a table. 0 is the table's own.
func partNumber(label string) uint16 { return max(1, uint16(xxhash.Sum64String(label)>>48)) }

// Org is an organization in a key.
type Org [16]byte

// Platform is the organization of what belongs to none.
const Platform = ""

// orgPrefix is the prefix of the ids of organizations.
const orgPrefix = "org"

// String is the id of the organization.
func (o Org) String() string {
	if o == (Org{}) {
		return Platform
	}
	return recordid.Of(orgPrefix, o)
}

// Space begins the keys of one kind of one table.
func Space(table uint32, kind byte) []byte {
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 96), table), kind)
}

// Meta is the key of something that the file says about itself.
func Meta(name string) []byte { return append(make([]byte, 4, 4+len(name)), name...) }
