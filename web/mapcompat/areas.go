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
