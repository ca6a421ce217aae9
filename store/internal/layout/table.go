package layout

import (
	"encoding/binary"
	"fmt"

	"svc/store/recordid"
)

// Scope says whose the records of a table are.
type Scope int

// What records belong to.
const (
	ScopeOrg    Scope = iota // each to an organization
	ScopeGlobal              // none to one
	ScopeBoth                // some to one
)

// Table is what a table is without the type of its records.
type Table struct {
	Name     string
	Num      uint32
	Prefix   string // of its ids; "" for ids of any form
	Scope    Scope
	Numbered bool // its records have numbers, because it has facets
}

// RecordKey is where a record lies.
func (t *Table) RecordKey(org Org, id []byte) []byte {
	return append(append(Space(t.Num, KindRecord), org[:]...), id...)
}

// NumberKey is where the id of the record of a number is.
func (t *Table) NumberKey(org Org, n uint32) []byte {
	return binary.BigEndian.AppendUint32(append(Space(t.Num, KindNumber), org[:]...), n)
}

// NextKey is where the number of the next new record is.
func (t *Table) NextKey(org Org) []byte { return append(Space(t.Num, KindNext), org[:]...) }

// PartKey is where the values of a part begin, those of one organization unless
// the part spans all.
func (t *Table) PartKey(kind byte, part uint16, org *Org) []byte {
	k := binary.BigEndian.AppendUint16(Space(t.Num, kind), part)
	if org != nil {
		k = append(k, org[:]...)
	}
	return k
}

// CountKey is where it is kept how many records have a value.
func (t *Table) CountKey(part uint16, org *Org, value string) []byte {
	k := t.PartKey(KindCount, part, org)
	k = append(k, Text(value)...)
	return append(k, 0)
}

// FacetKey is where the chunks of the set of a value begin.
func (t *Table) FacetKey(part uint16, org Org, value string) []byte {
	return append(t.PartKey(KindFacet, part, &org), Text(value)...)
}

// ChunkKey is where a chunk of the set of a value is.
func (t *Table) ChunkKey(part uint16, org Org, value string, at uint32) []byte {
	return binary.BigEndian.AppendUint32(t.FacetKey(part, org, value), at)
}

// PartOf reads the part from a key of a table.
func PartOf(key []byte) uint16 { return binary.BigEndian.Uint16(key[5:]) }

// IDString writes an id as callers know it.
func (t *Table) IDString(id []byte) (string, error) {
	if t.Prefix == "" {
		return string(id), nil
	}
	if len(id) != 16 {
		return "", Corrupt("an id of %s in %d bytes", t.Name, len(id))
	}
	return recordid.Of(t.Prefix, [16]byte(id)), nil
}

// maxID is the longest id of a table without a prefix, in bytes.
const maxID = 256

// IDBytes is an id as keys hold it; false for what no record can have.
func (t *Table) IDBytes(id string) ([]byte, bool) {
	if t.Prefix == "" {
		return []byte(id), id != "" && len(id) <= maxID
	}
	b, ok := recordid.Bytes(t.Prefix, id)
	return b[:], ok
}

// OrgBytes is an organization as keys hold it.
func (t *Table) OrgBytes(org string) (o Org, err error) {
	if org == Platform {
		if t.Scope == ScopeOrg {
			return o, fmt.Errorf("table %s: its records belong to organizations, and none was given", t.Name)
		}
		return o, nil
	}
	b, ok := recordid.Bytes(orgPrefix, org)
	switch {
	case t.Scope == ScopeGlobal:
		return o, fmt.Errorf("table %s: its records belong to no organization, and one was given", t.Name)
	case !ok:
		return o, fmt.Errorf("table %s: %q is not the id of an organization", t.Name, org)
	}
	return b, nil
}
