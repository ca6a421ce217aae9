package tilebuild

import (
	"cmp"
	"encoding/binary"

	"svc/geo/plane"
	"svc/geo/shortbread"
)

// recordKind says what geometry a record has.
type recordKind uint8

const (
	pointRecord recordKind = iota
	lineRecord
	polygonRecord // rings, outer ones positive and holes negative, not yet clean
	coverRecord   // all of the tile, and of the tiles that follow on the curve
)

// Flags of records.
const (
	directed = 1 << iota // a line that must not be turned round
	once                 // a label that another object may repeat
	aside                // a label of a tile beside: not drawn, but not repeated either
)

// record is a feature, or the part of it, in one tile: what the sorter carries.
// As bytes it is, one behind the other: layer and kind, for a cover the number
// of tiles, flags, order, source, part, tags, weight, and the geometry in
// pixels of the tile.
type record struct {
	layer  shortbread.Layer
	kind   recordKind
	flags  uint8
	order  int32
	source uint64 // the object: id and type
	part   uint32 // number of the feature among those of its object
	tags   uint32 // number of the set, see package tagset
	weight uint32 // points: rank in 1/65535; lines: the shortest piece worth drawing, in pixels of the tile
	body   []byte // the geometry
}

// appendHead appends all but the geometry. A cover says how many tiles it covers.
func (r *record) appendHead(dst []byte, covered uint32) []byte {
	dst = append(dst, byte(r.layer)<<2|byte(r.kind))
	if r.kind == coverRecord {
		dst = binary.AppendUvarint(dst, uint64(covered))
	}
	dst = append(dst, r.flags)
	dst = binary.AppendVarint(dst, int64(r.order))
	dst = binary.AppendUvarint(dst, r.source)
	dst = binary.AppendUvarint(dst, uint64(r.part))
	dst = binary.AppendUvarint(dst, uint64(r.tags))
	return binary.AppendUvarint(dst, uint64(r.weight))
}

// coverage gives the number of tiles that a record counts for.
func coverage(data []byte) uint32 {
	if recordKind(data[0]&3) != coverRecord {
		return 1
	}
	n, _ := binary.Uvarint(data[1:])
	return uint32(n)
}

// reader takes numbers off bytes that this package wrote.
type reader []byte

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(*r)
	*r = (*r)[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(*r)
	*r = (*r)[n:]
	return v
}

func (r *reader) byte() byte {
	v := (*r)[0]
	*r = (*r)[1:]
	return v
}

// readRecord is the inverse of appendHead; body shares the memory of data.
func readRecord(data []byte) (r record) {
	in := reader(data)
	b := in.byte()
	r.layer, r.kind = shortbread.Layer(b>>2), recordKind(b&3)
	if r.kind == coverRecord {
		in.uint()
	}
	r.flags = in.byte()
	r.order, r.source = int32(in.int()), in.uint()
	r.part, r.tags, r.weight = uint32(in.uint()), uint32(in.uint()), uint32(in.uint())
	r.body = in
	return r
}

// compare orders the records of a tile: by layer and drawing order, and then by
// the object, so that the order does not depend on who was first.
func (r *record) compare(o *record) int {
	if r.layer != o.layer {
		return cmp.Compare(r.layer, o.layer)
	}
	if r.order != o.order {
		return cmp.Compare(r.order, o.order)
	}
	if r.source != o.source {
		return cmp.Compare(r.source, o.source)
	}
	return cmp.Compare(r.part, o.part)
}

// appendPoint appends the body of a point.
func appendPoint(dst []byte, p plane.Point) []byte {
	return binary.AppendVarint(binary.AppendVarint(dst, int64(p.X)), int64(p.Y))
}

// appendParts appends the body of lines or rings.
func appendParts[S ~[]plane.Point](dst []byte, parts []S) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(parts)))
	var last plane.Point
	for _, part := range parts {
		dst = binary.AppendUvarint(dst, uint64(len(part)))
		for _, p := range part {
			dst = binary.AppendVarint(dst, int64(p.X-last.X))
			dst = binary.AppendVarint(dst, int64(p.Y-last.Y))
			last = p
		}
	}
	return dst
}

func readPoint(body []byte) plane.Point {
	in := reader(body)
	x := in.int()
	return plane.Point{X: int32(x), Y: int32(in.int())}
}

// readParts is the inverse of appendParts. The points are
// appended to room, which is returned too.
func readParts[S ~[]plane.Point](dst []S, room []plane.Point, body []byte) ([]S, []plane.Point) {
	in := reader(body)
	var last plane.Point
	for range in.uint() {
		from := len(room)
		for range in.uint() {
			last.X += int32(in.int())
			last.Y += int32(in.int())
			room = append(room, last)
		}
		dst = append(dst, S(room[from:len(room):len(room)]))
	}
	return dst, room
}
