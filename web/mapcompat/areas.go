package mapcompat

import (
	"svc/geo/geom"
	"svc/geo/index"
)

// smallestArea is the entry of the smallest administrative area around a point
// whose level is at most that; ok is false without one.
func smallestArea(x *index.Index, lat, lon float64, level uint8) (id uint32, ok bool) {
	var best *index.AreaRow
	x.Containing(geom.FromDegrees(lat, lon), func(a *index.AreaRow) {
		if a.Level > level || !x.Rows[a.Entry].Has(index.FlagNamed) {
			return
		}
		if best == nil || a.Level > best.Level || a.Level == best.Level && a.Size < best.Size {
			best = a
		}
	})
	if best == nil {
		return 0, false
	}
	return best.Entry, true
}

// within reports whether the area of an entry holds a point; has is false when the
// entry has no area.
func within(x *index.Index, area uint32, at geom.Point) (inside bool) {
	x.Containing(at, func(a *index.AreaRow) { inside = inside || a.Entry == area })
	return inside
}

// hasArea reports whether an entry has an area of its own.
func hasArea(x *index.Index, id uint32) bool {
	for i := range x.Areas() {
		if x.Areas()[i].Entry == id {
			return true
		}
	}
	return false
}
