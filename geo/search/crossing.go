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
	byCrossing    = "intersection"
	crossingReach = 30 // metres between two streets that meet
	crossingHits  = 25 // streets of each name that are tried
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

// meeting is where two streets come within reach of each other.
func meeting(x *index.Index, a, b uint32) (at geom.Point, ok bool) {
	da, db := x.Detail(a), x.Detail(b)
	if !da.Box.Grow(crossingReach).Intersects(db.Box) {
		return at, false
	}
	return geom.Meeting(x.Shape(&da).Parts, x.Shape(&db).Parts, crossingReach)
}
