package osm

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// worldLon and worldLat are the largest coordinates, in 1e-9 degrees.
const (
	worldLon = 180_000_000_000
	worldLat = 90_000_000_000
)

// Fields of the messages PrimitiveBlock and PrimitiveGroup.
const (
	blockStrings     = 1
	blockGroup       = 2
	blockGranularity = 17
	blockLatOffset   = 19
	blockLonOffset   = 20

	groupNode     = 1
	groupDense    = 2
	groupWay      = 3
	groupRelation = 4
)

// maxDecoded bounds the memory of one decoded block in bytes: many times what
// any writer produces, far less than 32 MiB of hostile bytes could ask for.
const maxDecoded = 256 << 20

// Memory of one decoded element in bytes, as charged against maxDecoded.
const (
	costString   = 16
	costNode     = 40
	costWay      = 56
	costRelation = 56
	costMember   = 32
	costTag      = 32
	costRef      = 8
	costGroup    = 24
)

// decoder turns the bytes of one block into a Block. Everything it owns is
// reused for the next block; the text of the strings is made new each time, so
// that a string kept by mistake stays correct.
type decoder struct {
	block   Block
	tags    []Tag    // the tags of all objects; objects hold pieces of it
	refs    []int64  // the same for ways
	members []Member // the same for relations

	groups  [][]byte
	table   packed // the message StringTable
	strings []string
	ready   bool // strings is filled

	lat, lon scale
	charged  int
}

// decode fills d.block with what data, a message PrimitiveBlock, holds of the
// wanted kinds, and gives the kinds it holds at all.
func (d *decoder) decode(data []byte, want Kinds) (Kinds, error) {
	d.block.Nodes, d.block.Ways, d.block.Relations = d.block.Nodes[:0], d.block.Ways[:0], d.block.Relations[:0]
	d.tags, d.refs, d.members = d.tags[:0], d.refs[:0], d.members[:0]
	d.groups, d.table, d.ready, d.charged = d.groups[:0], nil, false, 0
	if err := d.frame(data); err != nil {
		return 0, err
	}
	var kinds Kinds
	for _, g := range d.groups {
		k, err := d.group(g, want)
		if err != nil {
			return 0, err
		}
		kinds |= k
	}
	return kinds, nil
}

// frame reads the outer message: groups, the string table and the scale, which
// follows the groups it applies to.
func (d *decoder) frame(data []byte) error {
	var (
		granularity          = int64(100)
		latOffset, lonOffset int64
		m                    = message{buf: data}
		f                    field
	)
	for {
		ok, err := m.next(&f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch {
		case f.num == blockStrings && f.wire == wireBytes:
			err = d.table.add(&f)
		case f.num == blockGroup && f.wire == wireBytes:
			if err = d.charge(1, costGroup); err == nil {
				d.groups = append(d.groups, f.data)
			}
		case f.num == blockGranularity && f.wire == wireVarint:
			granularity = int64(int32(f.val))
		case f.num == blockLatOffset && f.wire == wireVarint:
			latOffset = int64(f.val)
		case f.num == blockLonOffset && f.wire == wireVarint:
			lonOffset = int64(f.val)
		}
		if err != nil {
			return err
		}
	}
	if granularity <= 0 {
		return damaged("the granularity is %d", granularity)
	}
	d.lat = newScale(granularity, latOffset, worldLat)
	d.lon = newScale(granularity, lonOffset, worldLon)
	return nil
}

// group decodes one message PrimitiveGroup. The format asks for one kind a
// group; the decoder does not depend on it.
func (d *decoder) group(data []byte, want Kinds) (Kinds, error) {
	var (
		kinds Kinds
		m     = message{buf: data}
		f     field
	)
	for {
		ok, err := m.next(&f)
		if err != nil || !ok {
			return kinds, err
		}
		kind := kindOf(&f)
		kinds |= kind
		if kind&want == 0 {
			continue
		}
		if err := d.text(); err != nil {
			return kinds, err
		}
		switch f.num {
		case groupNode:
			err = d.node(f.data)
		case groupDense:
			err = d.dense(f.data)
		case groupWay:
			err = d.way(f.data)
		case groupRelation:
			err = d.relation(f.data)
		}
		if err != nil {
			return kinds, err
		}
	}
}

// kindOf gives the kind of objects in a field of a group, 0 for other fields
// (changesets).
func kindOf(f *field) Kinds {
	if f.wire != wireBytes {
		return 0
	}
	switch f.num {
	case groupNode, groupDense:
		return Nodes
	case groupWay:
		return Ways
	case groupRelation:
		return Relations
	}
	return 0
}

// charge books n elements of the given size, before memory is taken for them.
func (d *decoder) charge(n, size int) error {
	d.charged += n * size
	if d.charged > maxDecoded {
		return &problem{what: "one block unpacks to more objects than this program accepts", advice: adviceRepack}
	}
	return nil
}

// text reads the string table, once a block and only when it is needed.
func (d *decoder) text() error {
	if d.ready {
		return nil
	}
	d.ready = true
	d.strings = d.strings[:0]
	var (
		all = string(d.table)
		m   = message{buf: d.table}
		f   field
	)
	for {
		ok, err := m.next(&f)
		if err != nil || !ok {
			return err
		}
		if f.num != 1 || f.wire != wireBytes {
			continue
		}
		if err := d.charge(1, costString); err != nil {
			return err
		}
		s := all[m.pos-len(f.data) : m.pos]
		if !utf8.ValidString(s) {
			s = strings.ToValidUTF8(s, "\uFFFD")
		}
		d.strings = append(d.strings, s)
	}
}

// str gives entry i of the string table.
func (d *decoder) str(i uint64) (string, error) {
	if i >= uint64(len(d.strings)) {
		return "", damaged("string %d is asked for, the block has %d", i, len(d.strings))
	}
	return d.strings[i], nil
}

// pairs decodes the lists of keys and values of one object.
func (d *decoder) pairs(keys, values packed) (Tags, error) {
	if len(keys) == 0 && len(values) == 0 {
		return nil, nil
	}
	n := keys.count()
	if m := values.count(); m != n {
		return nil, damaged("an object has %d keys but %d values", n, m)
	}
	if err := d.charge(n, costTag); err != nil {
		return nil, err
	}
	d.tags = slices.Grow(d.tags, n)
	first, k, v := len(d.tags), 0, 0
	for range n {
		var key, value uint64
		if key, k = varint(keys, k); k < 0 {
			return nil, badVarint()
		}
		if value, v = varint(values, v); v < 0 {
			return nil, badVarint()
		}
		t, err := d.tag(key, value)
		if err != nil {
			return nil, err
		}
		d.tags = append(d.tags, t)
	}
	if k != len(keys) || v != len(values) {
		return nil, badVarint()
	}
	return d.tags[first:len(d.tags):len(d.tags)], nil
}

func (d *decoder) tag(key, value uint64) (t Tag, err error) {
	if t.Key, err = d.str(key); err == nil {
		t.Value, err = d.str(value)
	}
	return t, err
}
