package search

import (
	"svc/geo/geom"
	"svc/geo/index"
)

// People add the town to what they look for: "amir temur toshkent", "apteka
// yunusobod". Names do not hold their town, so the specified stages leave such
// a query to the trigram stage, where an unrelated word is not refused. Two
// readings make that useful, and touch no query that an earlier stage answers:
// a word that one of an entry's areas bears counts as one that sounds the
// same, and a category word beside a place name lists the category there.

// scoreArea is what an unrelated word scores when an area of the entry bears it.
const scoreArea = scoreSkeleton

// areaNames are primary names of areas, as string ids.
type areaNames map[uint32]bool

// areasOf finds, for each word, the places that have it in a name.
func (r *request) areasOf() []areaNames {
	x := r.engine.x
	out := make([]areaNames, len(r.words))
	var set index.NameSet
	for i := range r.words {
		w := &r.words[i]
		out[i] = areaNames{}
		for t := w.sameSkeleton.From; t < w.sameSkeleton.To; t++ {
			x.Postings(x.TermAtSkeleton(t), func(s uint32) {
				x.ReadSet(s, &set)
				for id := range set.Members {
					if kind, _ := x.Coarse(id); kind == index.Place {
						out[i][x.PrimaryName(id)] = true
					}
				}
			})
		}
	}
	return out
}

// around reports whether an area around an entry bears one of the names.
func (n areaNames) around(a index.Admin) bool {
	for _, name := range [...]uint32{a.City, a.District, a.Region, a.Suburb, a.Neighbourhood} {
		if name != 0 && n[name] {
			return true
		}
	}
	return false
}

// withAreas is the text score of an entry whose unrelated words, which scored
// dice each, may name its areas.
func (n *nameScan) withAreas(score float64, matched uint32, dice float64, row *index.Row) float64 {
	for i := range n.words {
		if matched&(1<<i) == 0 && !n.words[i].free && n.areas[i].around(n.engine.x.Admin(row)) {
			score += max(0, scoreArea-dice) / float64(n.counted())
		}
	}
	return score
}

// counted is the number of words that score.
func (r *request) counted() int {
	n := 0
	for i := range r.words {
		if !r.words[i].free {
			n++
		}
	}
	return n
}

// placeReach is how far a place without a polygon extends, in metres.
var placeReach = map[string]float64{"place.city": 10_000, "place.town": 4_000, "place.suburb": 2_500}

const (
	otherReach  = 1_500
	streetReach = 300
)

// browseAt lists the category of the query within the place, or along the
// street, that the words name whole; nil when they name none, or the query has
// a box of its own.
func (r *request) browseAt(words []string) []hit {
	if r.q.Box != nil {
		return nil
	}
	e, q := r.engine, *r.q
	where := Query{Lang: q.Lang, Limit: 5, Ref: q.Ref, Bias: q.Bias, Kinds: KindSet(0).With(index.Place).With(index.Street)}
	named := request{engine: e, scratch: r.scratch, q: &where, filter: e.newFilter(&where)}
	hits := named.byNameAbove(words, where.Limit, scoreEqual+bonusFirst)
	if len(hits) == 0 {
		return nil
	}
	box := e.extent(hits)
	q.Box = &box
	inside := request{engine: e, scratch: r.scratch, q: &q, filter: r.filter}
	inside.filter.box = &box
	return inside.browse(nil)
}

// extent is the box of the best of some hits. A place that is only a point
// takes the polygon of a namesake around it, unless that is far larger, as the
// region is that bears the name of its city.
func (e *Engine) extent(hits []hit) geom.Box {
	d, row := e.x.Detail(hits[0].entry), &e.x.Rows[hits[0].entry]
	if e.x.Kind(row) == index.Street {
		return d.Box.Grow(streetReach)
	}
	if d.HasGeometry() {
		return d.Box
	}
	reach, ok := placeReach[e.x.CategoryID(row.Category)]
	if !ok {
		reach = otherReach
	}
	for _, h := range hits[1:] {
		o := e.x.Detail(h.entry)
		if o.HasGeometry() && o.Box.Contains(row.Point()) && o.Box.Diagonal() < 4*reach {
			return o.Box
		}
	}
	return geom.Around(row.Point(), reach)
}
