package search

import (
	"math"
	"slices"
	"strings"

	"svc/geo/geom"
	"svc/geo/index"
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

// crossingWords begin, end or stand in a query that asks for a crossing.
var crossingWords = wordSet(`угол пересечение перекресток перекрёсток corner intersection junction crossing
	кесишмаси kesishmasi kesishuvi chorrahasi чорраҳаси чорраха chorraha burchagi`)

// andWords stand between two streets.
var andWords = wordSet("и and va ва bilan билан с со x of")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Tokens(words) {
		set[t] = true
	}
	return set
}

// readCrossing reads "X & Y", "X кесишмаси Y", "угол X и Y".
func (a *asked) readCrossing() {
	if left, right, ok := strings.Cut(a.raw, "&"); ok {
		a.addCrossing(text.Tokens(left), text.Tokens(right), false)
		return
	}
	at := slices.IndexFunc(a.tokens, func(t string) bool { return crossingWords[t] })
	if at < 0 {
		a.readPlainAnd()
		return
	}
	left, right := a.tokens[:at], a.tokens[at+1:]
	if len(left) > 0 && len(right) > 0 && !slices.ContainsFunc(left, isAnd) {
		a.addCrossing(left, right, false)
		return
	}
	rest := slices.Concat(left, right)
	for len(rest) > 0 && isAnd(rest[0]) { // corner of
		rest = rest[1:]
	}
	if i := slices.IndexFunc(rest, isAnd); i > 0 {
		a.addCrossing(rest[:i], rest[i+1:], false)
		return
	}
	for i := 1; i < len(rest); i++ {
		a.addCrossing(rest[:i], rest[i:], false)
	}
}

// readPlainAnd reads "Main Street and 5th Avenue", where both sides say that they are
// streets.
func (a *asked) readPlainAnd() {
	i := slices.IndexFunc(a.tokens, isAnd)
	if i <= 0 || i+1 == len(a.tokens) {
		return
	}
	if left, right := a.tokens[:i], a.tokens[i+1:]; len(text.Types(left)) > 0 || len(text.Types(right)) > 0 {
		a.addCrossing(left, right, false)
	}
}

func isAnd(t string) bool { return andWords[t] }

func (a *asked) addCrossing(left, right []string, fallback bool) {
	if len(left) == 0 || len(right) == 0 {
		return
	}
	if strings.Contains(a.raw, "&") { // or a name: Gus & Gus
		a.addWhole("")
		a.sides = [][]string{left, right}
	}
	a.add(reading{how: asCrossing, words: left, place: right, types: []string{}, fallback: fallback})
}

// readSides reads streets that do not meet as two streets.
func (a *asked) readSides() {
	for _, side := range a.sides {
		a.add(reading{how: asNames, words: text.Significant(side), types: text.Types(side), category: "street", cost: costDropped, fallback: true})
	}
}

// crossing finds the point where two streets meet, which is one result.
func (r *request) crossing(rd *reading) []hit {
	x := r.engine.x
	left, right := r.streetsNamed(rd.words), r.streetsNamed(rd.place)
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

// streetsNamed are the streets that the words name, best first.
func (r *request) streetsNamed(words []string) []hit {
	q := Query{Lang: r.q.Lang, Limit: crossingHits, Ref: r.q.Ref, Bias: r.q.Bias, Kinds: KindSet(0).With(index.Street)}
	in := request{engine: r.engine, scratch: r.scratch, q: &q, filter: r.engine.newFilter(&q), types: text.Types(words)}
	hits := in.byName(text.Significant(words))
	return slices.DeleteFunc(hits, func(h hit) bool { return !h.strong })
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
