// Package mvt writes Mapbox vector tiles, version 2.1 of the specification.
//
// It promises tiles that every decoder accepts: layers of extent 4096, keys and
// values stored once a layer in the order of their first use, command integers
// that describe something (repeated points, lines without length and rings
// without area are left out, a feature with nothing left too), outer rings
// clockwise on a screen and holes the other way. The same calls give the same
// bytes.
//
// It refuses ids of features (the schema has none), extensions, and other
// extents. It does not repair polygons: package plane does.
package mvt

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"svc/geo/plane"
)

// Extent is the width of a tile in its coordinates.
const Extent = 4096

// Value is what a tag says: a text, a number, or yes or no. Values are
// comparable; the zero Value is the empty text.
type Value struct {
	text string
	bits uint64
	kind kind
}

type kind uint8

const (
	isText kind = iota
	isBool
	isInt
	isFloat
)

// String makes a text. What is not UTF-8 in it is replaced when it is written.
func String(s string) Value { return Value{text: s} }

// Bool makes yes or no.
func Bool(b bool) Value {
	if b {
		return Value{kind: isBool, bits: 1}
	}
	return Value{kind: isBool}
}

// Int makes a whole number.
func Int(i int64) Value { return Value{kind: isInt, bits: uint64(i)} }

// Float makes a number. It is written with 32 bits when these suffice.
func Float(f float64) Value { return Value{kind: isFloat, bits: math.Float64bits(f)} }

// The fields of a value (specification 4.1, vector_tile.proto).
const (
	valueText   = 1<<3 | wireBytes
	valueFloat  = 2<<3 | wireFixed32
	valueDouble = 3<<3 | wireFixed64
	valueUint   = 5<<3 | wireVarint
	valueSint   = 6<<3 | wireVarint
	valueBool   = 7<<3 | wireVarint
)

// Wire types of protocol buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// append writes the value's message without its length.
func (v Value) append(dst []byte) []byte {
	switch v.kind {
	case isBool:
		return append(dst, valueBool, byte(v.bits))
	case isInt:
		if i := int64(v.bits); i < 0 {
			return binary.AppendUvarint(append(dst, valueSint), uint64(i<<1)^uint64(i>>63))
		}
		return binary.AppendUvarint(append(dst, valueUint), v.bits)
	case isFloat:
		f := math.Float64frombits(v.bits)
		if g := float32(f); float64(g) == f {
			return binary.LittleEndian.AppendUint32(append(dst, valueFloat), math.Float32bits(g))
		}
		return binary.LittleEndian.AppendUint64(append(dst, valueDouble), v.bits)
	}
	return appendText(append(dst, valueText), v.text)
}

// appendText writes a length and a text.
func appendText(dst []byte, s string) []byte {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// Tag is one attribute of a feature.
type Tag struct {
	Key   string
	Value Value
}

// Tile is one vector tile while it is put together. The zero Tile is ready. It
// is not for several goroutines at once.
type Tile struct {
	layers []*Layer // those in use, then those of tiles before
	used   int
}

// Reset empties the tile and keeps its memory.
func (t *Tile) Reset() { t.used = 0 }

// Layer gives the layer of a name. Layers are written in the order of their first
// use.
func (t *Tile) Layer(name string) *Layer {
	for _, l := range t.layers[:t.used] {
		if l.name == name {
			return l
		}
	}
	// A layer that had the same name before has room of the right size.
	at := slices.IndexFunc(t.layers[t.used:], func(l *Layer) bool { return l.name == name })
	if at >= 0 {
		at += t.used
		t.layers[at], t.layers[t.used] = t.layers[t.used], t.layers[at]
	} else {
		t.layers = slices.Insert(t.layers, t.used, newLayer(name))
	}
	l := t.layers[t.used]
	t.used++
	l.reset()
	return l
}

// The fields of a tile and of a layer.
const (
	tileLayer     = 3<<3 | wireBytes
	layerName     = 1<<3 | wireBytes
	layerFeature  = 2<<3 | wireBytes
	layerKey      = 3<<3 | wireBytes
	layerValue    = 4<<3 | wireBytes
	layerExtent   = 5<<3 | wireVarint
	layerVersion  = 15<<3 | wireVarint
	layerSettings = 5 // bytes of version and extent
)

// Append writes the tile after dst. Layers without features are left out.
func (t *Tile) Append(dst []byte) []byte {
	for _, l := range t.layers[:t.used] {
		if l.count > 0 {
			dst = l.append(dst)
		}
	}
	return dst
}

// Empty says whether no layer has a feature.
func (t *Tile) Empty() bool {
	return !slices.ContainsFunc(t.layers[:t.used], func(l *Layer) bool { return l.count > 0 })
}

// Layer is one layer of a tile. It is written to as features are added.
type Layer struct {
	name     string
	count    int
	features []byte
	keys     dictionary[string]
	values   dictionary[Value]

	tags     []uint32 // of the feature being written: indexes of keys and values
	geometry geometry
}

func newLayer(name string) *Layer { return &Layer{name: name} }

func (l *Layer) reset() {
	l.count, l.features = 0, l.features[:0]
	l.keys.reset()
	l.values.reset()
}

// Len is the number of features.
func (l *Layer) Len() int { return l.count }

// Size is about the number of bytes the layer takes.
func (l *Layer) Size() int { return len(l.features) + len(l.keys.data) + len(l.values.data) }

func (l *Layer) append(dst []byte) []byte {
	name := strings.ToValidUTF8(l.name, "\uFFFD")
	size := layerSettings + 1 + varintSize(uint64(len(name))) + len(name) +
		len(l.features) + len(l.keys.data) + len(l.values.data)
	dst = slices.Grow(dst, size+11)
	dst = binary.AppendUvarint(append(dst, tileLayer), uint64(size))
	dst = append(dst, layerVersion, 2)
	dst = appendText(append(dst, layerName), name)
	dst = append(dst, l.features...)
	dst = append(dst, l.keys.data...)
	dst = append(dst, l.values.data...)
	return binary.AppendUvarint(append(dst, layerExtent), Extent)
}

// dictionary numbers what features share, and holds it as it is written.
type dictionary[K comparable] struct {
	index map[K]uint32
	data  []byte
}

// maxKept is the most entries whose map is emptied for the next tile: emptying
// takes the time of the largest tile so far.
const maxKept = 1 << 12

func (d *dictionary[K]) reset() {
	d.data = d.data[:0]
	if len(d.index) > maxKept {
		d.index = nil
		return
	}
	clear(d.index)
}

// number gives the index of k, and says whether it is new.
func (d *dictionary[K]) number(k K) (uint32, bool) {
	if i, ok := d.index[k]; ok {
		return i, false
	}
	if d.index == nil {
		d.index = map[K]uint32{}
	}
	i := uint32(len(d.index))
	d.index[k] = i
	return i, true
}

func (l *Layer) key(k string) uint32 {
	i, fresh := l.keys.number(k)
	if fresh {
		l.keys.data = appendText(append(l.keys.data, layerKey), k)
	}
	return i
}

func (l *Layer) value(v Value) uint32 {
	i, fresh := l.values.number(v)
	if fresh {
		var room [64]byte
		message := v.append(room[:0])
		l.values.data = append(l.values.data, layerValue)
		l.values.data = binary.AppendUvarint(l.values.data, uint64(len(message)))
		l.values.data = append(l.values.data, message...)
	}
	return i
}

// Points adds a feature of one or more points, unless there is none.
func (l *Layer) Points(tags []Tag, pts []plane.Point) {
	l.geometry.reset()
	l.geometry.points(pts)
	l.add(typePoint, tags)
}

// Lines adds a feature of one or more lines, unless none has a length.
func (l *Layer) Lines(tags []Tag, lines []plane.Line) {
	l.geometry.reset()
	for _, line := range lines {
		l.geometry.line(line)
	}
	l.add(typeLine, tags)
}

// Polygons adds a feature of one or more polygons, unless none has an area. The
// holes of a polygon without area are left out with it; rings that run the wrong
// way are turned round.
func (l *Layer) Polygons(tags []Tag, ps []plane.Polygon) {
	l.geometry.reset()
	for _, p := range ps {
		for i, r := range p {
			if !l.geometry.ring(r, i == 0) && i == 0 {
				break
			}
		}
	}
	l.add(typePolygon, tags)
}

// The fields and types of a feature.
const (
	featureTags     = 2<<3 | wireBytes
	featureType     = 3<<3 | wireVarint
	featureGeometry = 4<<3 | wireBytes

	typePoint   = 1
	typeLine    = 2
	typePolygon = 3
)

// add writes the feature whose geometry is ready. Of tags with the same key the
// first counts (specification 4.4: keys are unique in a feature).
func (l *Layer) add(kind byte, tags []Tag) {
	shape := l.geometry.data
	if len(shape) == 0 {
		return
	}
	l.tags = l.tags[:0]
	size := 0
next:
	for _, t := range tags {
		k := l.key(t.Key)
		for i := 0; i < len(l.tags); i += 2 {
			if l.tags[i] == k {
				continue next
			}
		}
		v := l.value(t.Value)
		l.tags = append(l.tags, k, v)
		size += varintSize(uint64(k)) + varintSize(uint64(v))
	}
	total := 2 + 1 + varintSize(uint64(len(shape))) + len(shape)
	if size > 0 {
		total += 1 + varintSize(uint64(size)) + size
	}
	f := slices.Grow(l.features, total+11)
	f = binary.AppendUvarint(append(f, layerFeature), uint64(total))
	if size > 0 {
		f = binary.AppendUvarint(append(f, featureTags), uint64(size))
		for _, i := range l.tags {
			f = binary.AppendUvarint(f, uint64(i))
		}
	}
	f = append(f, featureType, kind)
	f = binary.AppendUvarint(append(f, featureGeometry), uint64(len(shape)))
	f = append(f, shape...)
	l.features = f
	l.count++
}

// varintSize is the number of bytes that AppendUvarint writes.
func varintSize(v uint64) int {
	n := 1
	for ; v >= 0x80; v >>= 7 {
		n++
	}
	return n
}
