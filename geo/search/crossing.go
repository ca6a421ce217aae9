package search

import (
	"math"
	"slices"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/result"
	"svc/geo/text"
)

// Where two streets meet (map contract 41.11).
const (
	byCrossing     = "intersection"
	crossingReach  = 30 // metres between two streets that meet
	crossingHits   = 25 // streets of each name that are tried
	maxCrossingEnd = 4000
)

// crossing finds the point where two streets meet, which is one result.
func (r *request) crossing(rd *reading.Reading) []hit {
	x := r.engine.x
	left, right := r.streetsNamed(rd.Words), r.streetsNamed(rd.Place)
	best, at := math.Inf(-1), geom.Point{}
	var one, two uint32
	for _, a := range left {
		for _, b := range right {
			if a.entry == b.entry || a.score+b.score <= best {
				continue
			}
			if p, ok := meeting(x, a.entry, b.entry); ok {
				best, at, one, two = a.score+b.score, p, a.entry, b.entry
			}
		}
	}
	if math.IsInf(best, -1) || r.q.Box != nil && !r.q.Box.Contains(at) {
		return nil
	}
	shown := result.New(x, one, r.q.Lang, nil)
	other := x.Detail(two)
	shown.Name += " / " + result.NameIn(x, &other, r.q.Lang)
	r.pointResult(&shown, at, byCrossing)
	return []hit{{entry: one, score: 1, reason: byCrossing, strong: true, shown: &shown}}
}

// streetsNamed are the streets that have the words in their names, best first. Pieces of
// one street all count: it may be another than the best that meets. A word inside a name
// counts too, which the meeting proves: Georgia is the West Georgia Street.
func (r *request) streetsNamed(words []string) []hit {
	q := Query{Lang: r.q.Lang, Limit: crossingHits, Ref: r.q.Ref, Bias: r.q.Bias, Kinds: KindSet(0).With(index.Street)}
	in := request{engine: r.engine, scratch: r.scratch, q: &q, filter: r.engine.newFilter(&q), types: text.Types(words), repeats: true}
	hits := in.byName(text.Significant(words))
	return slices.DeleteFunc(hits, func(h hit) bool { return !h.strong && h.reason != stageNames[exactStage] })
}

// meeting is where two streets come within reach of each other: at their crossing, or
// at the nearest of their points.
func meeting(x *index.Index, a, b uint32) (at geom.Point, ok bool) {
	da, db := x.Detail(a), x.Detail(b)
	reach := da.Box.Grow(crossingReach)
	if !reach.Intersects(db.Box) {
		return at, false
	}
	best := float64(crossingReach)
	left := maxCrossingEnd
	try := func(from, to index.Shape) {
		for _, line := range from.Parts {
			for _, p := range line {
				if left--; left < 0 {
					return
				}
				if d, q := nearestOn(p, to.Parts); d < best {
					best, at, ok = d, q, true
				}
			}
		}
	}
	sa, sb := x.Shape(&da), x.Shape(&db)
	try(sa, sb)
	try(sb, sa)
	if p, crosses := crossingOf(sa.Parts, sb.Parts); crosses {
		return p, true
	}
	return at, ok
}

// nearestOn is the nearest point of some lines within reach of p.
func nearestOn(p geom.Point, lines [][]geom.Point) (metres float64, at geom.Point) {
	metres = math.Inf(1)
	near, around := geom.From(p), geom.Around(p, crossingReach)
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			if !geom.Empty().Extend(l[i-1]).Extend(l[i]).Intersects(around) {
				continue
			}
			if d, q := near.ToSegment(l[i-1], l[i]); d < metres {
				metres, at = d, q
			}
		}
	}
	return metres, at
}

// crossingOf is the first point where two lines cross.
func crossingOf(a, b [][]geom.Point) (geom.Point, bool) {
	left := maxCrossingEnd * 16
	for _, l := range a {
		for i := 1; i < len(l); i++ {
			box := geom.Empty().Extend(l[i-1]).Extend(l[i])
			for _, m := range b {
				for j := 1; j < len(m); j++ {
					if left--; left < 0 {
						return geom.Point{}, false
					}
					if !box.Intersects(geom.Empty().Extend(m[j-1]).Extend(m[j])) {
						continue
					}
					if p, ok := segmentsCross(l[i-1], l[i], m[j-1], m[j]); ok {
						return p, true
					}
				}
			}
		}
	}
	return geom.Point{}, false
}

// segmentsCross is the point that two segments share.
func segmentsCross(a, b, c, d geom.Point) (geom.Point, bool) {
	ux, uy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	vx, vy := float64(d.X)-float64(c.X), float64(d.Y)-float64(c.Y)
	cross := ux*vy - uy*vx
	if cross == 0 {
		return geom.Point{}, false
	}
	wx, wy := float64(c.X)-float64(a.X), float64(c.Y)-float64(a.Y)
	t, s := (wx*vy-wy*vx)/cross, (wx*uy-wy*ux)/cross
	if t < 0 || t > 1 || s < 0 || s > 1 {
		return geom.Point{}, false
	}
	return geom.Between(a, b, t), true
}
