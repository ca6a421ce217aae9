// Package around answers what stands at and around a coordinate: reverse
// geocoding, the entry under a label that somebody clicked, and nearby places.
//
// It promises the distances, weights and order of map contract 42, 43 and 44,
// and refuses nothing: every point
// of the Earth has an answer, be it an empty one.
package around

import (
	"cmp"
	"slices"

	"svc/geo/entry"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
)

// Categories is a set of categories of one file.
type Categories [256]bool

// OfKinds are the categories of some kinds.
func OfKinds(x *index.Index, kinds entry.KindSet) (set Categories) {
	for c := range x.Meta.Categories {
		set[c] = kinds&(1<<x.KindOf(uint8(c))) != 0
	}
	return set
}

// And keeps those of a list.
func (c Categories) And(list []uint8) (set Categories) {
	for _, m := range list {
		set[m] = c[m]
	}
	return set
}

// each calls yield with every entry of the categories within metres of p.
func each(x *index.Index, in *Categories, p geom.Point, metres float64, yield func(id uint32, row *index.Row, distance float64)) {
	box, near := geom.Around(p, metres), geom.From(p)
	for c := range x.Meta.Categories {
		if !in[c] {
			continue
		}
		x.Near(uint8(c), box, func(id uint32, at geom.Point) bool {
			if d := near.Metres(at); d <= metres {
				yield(id, &x.Rows[id], d)
			}
			return true
		})
	}
}

// nearest is the nearest entry within metres that passes; ok is false without one.
func nearest(x *index.Index, in *Categories, p geom.Point, metres float64, passes func(*index.Row) bool) (id uint32, distance float64, ok bool) {
	each(x, in, p, metres, func(i uint32, row *index.Row, d float64) {
		if (!ok || d < distance || d == distance && i < id) && passes(row) {
			id, distance, ok = i, d, true
		}
	})
	return id, distance, ok
}

// Nearby is one request for what stands around a point.
type Nearby struct {
	At         geom.Point
	Radius     float64 // metres
	Categories Categories
	Limit      int // 0 for no limit
	Lang       string
	Named      bool  // only entries with a name
	Except     int64 // an entry to leave out, or NoEntry
}

// NoEntry stands where an entry could.
const NoEntry = -1

// near 300 m half of the weight of closeness is left.
const nearbyScale = 300

type neighbour struct {
	id       uint32
	distance float64
	score    float64
}

// Find lists entries by importance and closeness, without repeats.
func Find(x *index.Index, q Nearby) []result.Result {
	out := []result.Result{}
	Each(x, q, func(r result.Result) bool {
		out = append(out, r)
		return true
	})
	return out
}

// Each is Find one result at a time, until yield returns false: a request
// without a limit in a dense city has more results than memory should hold.
func Each(x *index.Index, q Nearby, yield func(result.Result) bool) {
	var found []neighbour
	each(x, &q.Categories, q.At, q.Radius, func(id uint32, row *index.Row, d float64) {
		if int64(id) == q.Except || q.Named && !row.Has(index.FlagNamed) {
			return
		}
		found = append(found, neighbour{id, d, row.Importance()*0.4 + 0.6/(1+d/nearbyScale)})
	})
	slices.SortFunc(found, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
	})
	repeats := entry.NewRepeats(x)
	shown := 0
	for _, n := range found {
		if repeats.Seen(n.id) {
			continue
		}
		if !yield(result.New(x, n.id, q.Lang, &q.At)) {
			return
		}
		if shown++; shown == q.Limit {
			return
		}
	}
}

// nearestSteps widen the search for the entry nearest to a point, in metres.
var nearestSteps = []float64{50, 500, 5_000, 50_000}

// Nearest is the entry nearest to a point: within 50 km the one, farther away the
// most important one of the map; ok is false for a map without entries.
func Nearest(x *index.Index, p geom.Point) (id uint32, ok bool) {
	every := OfKinds(x, ^entry.KindSet(0))
	for _, metres := range nearestSteps {
		if id, _, ok := nearest(x, &every, p, metres, func(*index.Row) bool { return true }); ok {
			return id, true
		}
	}
	return 0, len(x.Rows) > 0
}
