package search

import (
	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/result"
)

// Coordinates as a query (map contract 41.11): decimal degrees in either order, degrees
// with minutes and seconds, plus codes. They answer one result: the point, with the
// address that reverse geocoding gives it.

const byPoint = "coordinate"

// atPoint answers a coordinate.
func (r *request) atPoint(p *reading.Point) []hit {
	at := p.At
	if p.Short != "" {
		near, ok := r.from(p.Place)
		if !ok {
			return nil
		}
		lat, lon, ok := reading.RecoverPlusCode(p.Short, near.Lat(), near.Lon())
		if !ok {
			return nil
		}
		at = geom.FromDegrees(lat, lon)
	}
	if r.q.Box != nil && !r.q.Box.Contains(at) || r.q.Kinds != 0 && !r.q.Kinds.Has(index.Address) || r.q.Category != "" {
		return nil
	}
	nearest, ok := around.Nearest(r.engine.x, at)
	if !ok {
		return nil
	}
	shown := result.New(r.engine.x, nearest, r.q.Lang, nil)
	described := around.Reverse(r.engine.x, at.Lat(), at.Lon(), r.q.Lang)
	shown.Name, shown.Address = described.Label, described.Address
	r.pointResult(&shown, at, byPoint)
	shown.Label = shown.CategoryLabel
	return []hit{{entry: nearest, score: 1, reason: byPoint, strong: true, shown: &shown}}
}

// from is the point from which a short plus code counts: the place that the words name,
// else the reference point, else the middle of the map.
func (r *request) from(words []string) (geom.Point, bool) {
	if len(words) > 0 {
		hits := r.findNamed(words, 0)
		if len(hits) == 0 {
			return geom.Point{}, false
		}
		return r.engine.x.Rows[hits[0].entry].Point(), true
	}
	if r.q.Ref != nil {
		return *r.q.Ref, true
	}
	b := r.engine.x.Meta.Bounds
	return geom.FromDegrees((b[1]+b[3])/2, (b[0]+b[2])/2), true
}

// pointResult turns the result of the entry beside a point into that of the point: an
// address without names of its own. Its id stays that of the entry.
func (r *request) pointResult(shown *result.Result, at geom.Point, reason string) {
	shown.Kind, shown.Category, shown.Reason = index.Address.String(), byAddress, reason
	shown.Group, shown.Icon, shown.CategoryLabel = result.Classify(byAddress, r.q.Lang)
	shown.Lat, shown.Lon = at.Lat(), at.Lon()
	shown.BBox = result.BBox(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y})
	shown.Names, shown.Rank = nil, 0
	if r.q.Ref != nil {
		shown.Distance = result.Round(geom.Distance(*r.q.Ref, at))
	}
}
