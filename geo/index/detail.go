package index

import (
	"encoding/binary"

	"svc/geo/geom"
)

// NameKeys are the variants of a name that are stored, by the number that a
// file gives them. The keys after SearchedNames are shown, never searched.
var NameKeys = [...]string{
	"uz", "uz-Latn", "uz-Cyrl", "ru", "en", "kaa", "tg", "kk",
	"alt_name", "old_name", "official_name", "int_name", "short_name",
	"etymology",
}

// SearchedNames is the number of leading NameKeys that are search variants.
const SearchedNames = 13

// Numbers of the name keys that the name rule asks for.
const (
	NameUZ = iota
	NameUZLatn
	NameUZCyrl
	NameRU
	NameEN
)

// NameRef is one stored variant of a name.
type NameRef struct {
	Key   uint8 // into NameKeys
	Value uint32
}

// TagRef is one stored tag.
type TagRef struct{ Key, Value uint32 }

// Detail is what a row leaves out. Texts are string ids.
type Detail struct {
	Name, Street, House, Postcode uint32
	StreetEntry                   uint32 // entry id of the street + 1; 0 when no entry matched
	Names                         []NameRef
	Tags                          []TagRef
	Box                           geom.Box // extent; of a point the point
	Population                    int
	AdminLevel                    int

	geometry uint32 // offset + 1; 0 without
}

// HasGeometry reports whether Geometry will find a shape.
func (d *Detail) HasGeometry() bool { return d.geometry > 0 }

// The parts of a detail record, in the order in which they follow its bits.
const (
	partName = 1 << iota
	partStreet
	partHouse
	partPostcode
	partNames
	partTags
	partBox
	partGeometry
	partPopulation
	partLevel
	partStreetEntry // the street is an entry: its name is not repeated
)

func (d *Detail) bits(point geom.Point) (bits uint64) {
	set := func(bit uint64, has bool) {
		if has {
			bits |= bit
		}
	}
	set(partName, d.Name != 0)
	set(partStreet, d.Street != 0 && d.StreetEntry == 0)
	set(partStreetEntry, d.StreetEntry != 0)
	set(partHouse, d.House != 0)
	set(partPostcode, d.Postcode != 0)
	set(partNames, len(d.Names) > 0)
	set(partTags, len(d.Tags) > 0)
	set(partBox, d.Box != geom.Box{MinX: point.X, MinY: point.Y, MaxX: point.X, MaxY: point.Y})
	set(partGeometry, d.geometry != 0)
	set(partPopulation, d.Population > 0)
	set(partLevel, d.AdminLevel > 0)
	return bits
}

// appendDetail encodes d of an entry that stands at point.
func appendDetail(dst []byte, d *Detail, point geom.Point) []byte {
	bits := d.bits(point)
	dst = binary.AppendUvarint(dst, bits)
	for _, f := range []struct {
		bit   uint64
		value uint32
	}{{partName, d.Name}, {partStreet, d.Street}, {partHouse, d.House}, {partPostcode, d.Postcode}} {
		if bits&f.bit != 0 {
			dst = binary.AppendUvarint(dst, uint64(f.value))
		}
	}
	if bits&partNames != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(d.Names)))
		for _, n := range d.Names {
			dst = binary.AppendUvarint(append(dst, n.Key), uint64(n.Value))
		}
	}
	if bits&partTags != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(d.Tags)))
		for _, t := range d.Tags {
			dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(t.Key)), uint64(t.Value))
		}
	}
	if bits&partBox != 0 {
		dst = binary.AppendVarint(dst, int64(d.Box.MinX)-int64(point.X))
		dst = binary.AppendVarint(dst, int64(d.Box.MinY)-int64(point.Y))
		dst = binary.AppendVarint(dst, int64(d.Box.MaxX)-int64(point.X))
		dst = binary.AppendVarint(dst, int64(d.Box.MaxY)-int64(point.Y))
	}
	if bits&partGeometry != 0 {
		dst = binary.AppendUvarint(dst, uint64(d.geometry-1))
	}
	if bits&partPopulation != 0 {
		dst = binary.AppendUvarint(dst, uint64(d.Population))
	}
	if bits&partLevel != 0 {
		dst = binary.AppendUvarint(dst, uint64(d.AdminLevel))
	}
	if bits&partStreetEntry != 0 {
		dst = binary.AppendUvarint(dst, uint64(d.StreetEntry-1))
	}
	return dst
}

// cursor reads varints; past the end of the data it reads zeros.
type cursor []byte

func (c *cursor) uint() uint64 {
	v, n := binary.Uvarint(*c)
	if n <= 0 {
		*c = nil
		return 0
	}
	*c = (*c)[n:]
	return v
}

func (c *cursor) int() int64 {
	v, n := binary.Varint(*c)
	if n <= 0 {
		*c = nil
		return 0
	}
	*c = (*c)[n:]
	return v
}

func (c *cursor) byte() byte {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return b
}

// count reads the number of items to come, which cannot exceed the bytes left.
func (c *cursor) count() int { return int(min(c.uint(), uint64(len(*c)))) }

// Detail reads the rest of entry id.
func (x *Index) Detail(id uint32) Detail {
	row := &x.Rows[id]
	c := cursor(x.details[row.Detail:])
	bits := c.uint()
	var d Detail
	for _, f := range []struct {
		bit   uint64
		value *uint32
	}{{partName, &d.Name}, {partStreet, &d.Street}, {partHouse, &d.House}, {partPostcode, &d.Postcode}} {
		if bits&f.bit != 0 {
			*f.value = uint32(c.uint())
		}
	}
	if bits&partNames != 0 {
		d.Names = make([]NameRef, c.count())
		for i := range d.Names {
			d.Names[i] = NameRef{Key: c.byte() % uint8(len(NameKeys)), Value: uint32(c.uint())}
		}
	}
	if bits&partTags != 0 {
		d.Tags = make([]TagRef, c.count())
		for i := range d.Tags {
			d.Tags[i] = TagRef{Key: uint32(c.uint()), Value: uint32(c.uint())}
		}
	}
	d.Box = geom.Box{MinX: row.Lon, MinY: row.Lat, MaxX: row.Lon, MaxY: row.Lat}
	if bits&partBox != 0 {
		d.Box.MinX += int32(c.int())
		d.Box.MinY += int32(c.int())
		d.Box.MaxX += int32(c.int())
		d.Box.MaxY += int32(c.int())
	}
	if bits&partGeometry != 0 {
		d.geometry = uint32(c.uint()) + 1
	}
	if bits&partPopulation != 0 {
		d.Population = int(c.uint())
	}
	if bits&partLevel != 0 {
		d.AdminLevel = int(c.uint())
	}
	if bits&partStreetEntry != 0 {
		d.StreetEntry = uint32(c.uint()) + 1
		d.Street = x.PrimaryName(d.StreetEntry - 1)
	}
	return d
}

// PrimaryName is the string id of an entry's own name; 0 when it has none.
func (x *Index) PrimaryName(id uint32) uint32 {
	c := cursor(x.details[x.Rows[id].Detail:])
	if c.uint()&partName == 0 {
		return 0
	}
	return uint32(c.uint())
}

// Shape reads the stored geometry of d.
func (x *Index) Shape(d *Detail) Shape {
	if d.geometry == 0 {
		return Shape{}
	}
	return DecodeShape(x.geometry[d.geometry-1:])
}

// NameIn is the stored variant of a name under one of the NameKeys; empty without.
func (x *Index) NameIn(d *Detail, key uint8) string {
	for _, n := range d.Names {
		if n.Key == key {
			return x.Text(n.Value)
		}
	}
	return ""
}
