// Package shortbread is the vector tile schema Shortbread 1.1: from the tags of
// one object to the layers, attributes and zooms of a map.
//
// It promises the tables of the schema as tables: what an object becomes, from
// which zoom on, with which attributes from which zoom on; and beside them what map contract 2 adds:
// the category and the rank of the search index on
// pois (and on public_transport, which is clicked the same way), the rank on
// place_labels, and every name_xx that the object has.
//
// It refuses to look at geometry: what depends on the size of an area is told
// by Feature.Measure, what is too small to draw by Feature.MinSize. Attributes
// without a value are left out, also where the schema speaks of an empty text.
//
// Source: https://shortbread-tiles.org/schema/1.1/.
package shortbread

import (
	"math"

	"svc/geo/mvt"
)

// Geometry says how the geometry of an object is used.
type Geometry uint8

// The three uses of a geometry.
const (
	// Point is a node as it is, or the label point inside an area.
	Point Geometry = iota + 1
	// Line is the way as a line, closed ones included.
	Line
	// Polygon is the area of a closed way or a multipolygon.
	Polygon
)

// MaxZoom is the last zoom of the schema; later ones are drawn from it.
const MaxZoom = 14

// Feature is one feature of one layer that an object becomes. It has no
// geometry of its own: As says how that of the object is used.
//
// Tags belong to the Mapper that gave them. They are overwritten when it begins
// a new list: by its next call with an empty dst. Their strings are those of the
// object's tags.
type Feature struct {
	Layer Layer
	As    Geometry
	// Min and Max are the first and the last zoom it appears at.
	Min, Max uint8
	// Directed: the direction of the line has a meaning (a one-way street), so
	// it must not be turned round when lines are joined. It holds from the
	// zoom on at which the tag oneway appears.
	Directed bool
	// Once: the same label may come from another object (a place drawn as a
	// node and as an area). Of those of the layer that stand close together
	// with the same kind and name, one is kept, the first in Order.
	Once bool
	// Area: the feature depends on the size of the object's area; Measure must
	// be called before it is used.
	Area bool
	// Order is the place within its layer, ascending: streets by their z
	// order, labels by what is more important. Equal ones keep the order of
	// the data.
	Order int32
	// Rank is the importance for thinning, from 0 to 1, larger stays longer.
	Rank float32
	// MinSize is the smallest size worth drawing below MaxZoom: a length in
	// pixels for lines and an area in square pixels for polygons (and label
	// points of areas, by the area they stand for), where 256 pixels are the
	// side of a tile, so 16 units of the tile are one pixel. 0 draws
	// everything. At MaxZoom everything is drawn.
	MinSize float32
	// Tags, ascending by the zoom they appear from.
	Tags []Tag
}

// Tag is an attribute of a feature from a zoom on.
type Tag struct {
	mvt.Tag
	Min uint8
}

// TagsAt appends to dst the attributes that the feature has at a zoom.
func (f *Feature) TagsAt(dst []mvt.Tag, zoom uint8) []mvt.Tag {
	for i := range f.Tags {
		if f.Tags[i].Min > zoom {
			break
		}
		dst = append(dst, f.Tags[i].Tag)
	}
	return dst
}

// SameTags says whether two zooms show the same attributes, so that what was
// encoded for one serves the other.
func (f *Feature) SameTags(a, b uint8) bool {
	lo, hi := min(a, b), max(a, b)
	for i := range f.Tags {
		if m := f.Tags[i].Min; m > lo && m <= hi {
			return false
		}
	}
	return true
}

// Measure completes a feature whose Area is set: it fills the attribute
// way_area and the order, and for labels the first zoom. mercator is the area
// in square metres of the Mercator plane, ground the area on the ground in
// square metres. (Shortbread 1.1: water bodies are measured on the plane in
// square metres, boundaries in hectares.)
func (f *Feature) Measure(mercator, ground float64) {
	if !f.Area {
		return
	}
	value := mercator
	switch f.Layer {
	case BoundaryLabels:
		value = ground / 1e4
		f.Min = max(f.Min, boundaryLabelZoom(mercator))
	case WaterPolygonsLabels:
		f.Min = max(f.Min, waterLabelZoom(mercator))
	}
	for i := range f.Tags {
		if f.Tags[i].Key == "way_area" {
			f.Tags[i].Value = mvt.Float(math.Round(value))
		}
	}
	f.Order = descending(value)
}

// descending maps a size that is not negative to an order that puts larger
// ones first: the bits of such a float sort as it does.
func descending(size float64) int32 {
	if !(size > 0) {
		return 0
	}
	return -int32(math.Float32bits(float32(min(size, math.MaxFloat32))))
}

// Hint is what the search index knows of the same object: its category and its
// rank. Both are zero for an object it does not hold.
// (map contract 2: pois carry category and rank, place_labels carry rank.)
type Hint struct {
	Category string
	Rank     float64
}
