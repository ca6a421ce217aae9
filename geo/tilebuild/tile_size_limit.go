package tilebuild

import (
	"cmp"
	"math"
	"slices"

	"svc/geo/shortbread"
)

const (
	// maxTile is the most bytes of a tile before it is packed; larger ones
	// stall the browsers of phones.
	maxTile = 500_000
	// maxRounds bounds how often a tile is made smaller.
	maxRounds = 8
)

// expendable orders what goes first when a tile is too large. Layers that are
// not here go last.
var expendable = map[shortbread.Layer]int{
	shortbread.Addresses:           0,
	shortbread.StreetLabelsPoints:  1,
	shortbread.POIs:                2,
	shortbread.PublicTransport:     2,
	shortbread.Buildings:           3,
	shortbread.Land:                3,
	shortbread.Sites:               3,
	shortbread.WaterPolygonsLabels: 4,
	shortbread.WaterLinesLabels:    4,
	shortbread.WaterLines:          4,
	shortbread.WaterPolygons:       5,
	shortbread.StreetLabels:        5,
	shortbread.Streets:             6,
	shortbread.Boundaries:          8,
	shortbread.BoundaryLabels:      8,
	shortbread.Ocean:               9,
}

const expendableOther = 7

// limitSize leaves out what is missed least of a tile that is too large: house
// numbers, labels of junctions, points of interest by rank, then the smallest
// buildings and areas, the smallest waters, and the least of the streets.
func (e *encoder) limitSize() {
	type loss struct {
		record, class int
		value         float64
	}
	losses := make([]loss, len(e.records))
	total := 0
	for i := range e.records {
		r := &e.records[i]
		class, ok := expendable[r.layer]
		if !ok {
			class = expendableOther
		}
		losses[i] = loss{i, class, e.value(r)}
		total += len(r.body) + recordCost
	}
	slices.SortStableFunc(losses, func(a, b loss) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.value, b.value))
	})
	// A little more than the share that is too much: attributes are shared.
	excess := int(1.05 * float64(total) * float64(len(e.raw)-e.limit) / float64(len(e.raw)))
	gone := make([]bool, len(e.records))
	for _, l := range losses {
		if excess < 0 {
			break
		}
		gone[l.record] = true
		excess -= len(e.records[l.record].body) + recordCost
	}
	kept := e.records[:0]
	for i, r := range e.records {
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	e.records = kept
}

// recordCost is about what a feature takes beyond its geometry.
const recordCost = 8

// value is what a record is worth among those of its class.
func (e *encoder) value(r *record) float64 {
	switch r.kind {
	case pointRecord:
		return float64(r.weight)
	case lineRecord:
		// The drawing order puts what matters last, and then length counts.
		e.lines, e.points = readParts(e.lines[:0], e.points[:0], r.body)
		length := 0.0
		for _, l := range e.lines {
			length += l.Length()
		}
		return float64(r.order)*1e5 + min(length, 1e5-1)
	case polygonRecord:
		e.rings, e.points = readParts(e.rings[:0], e.points[:0], r.body)
		var area int64
		for _, ring := range e.rings {
			area += ring.Area2()
		}
		return float64(area)
	}
	return math.Inf(1)
}
