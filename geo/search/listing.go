package search

import (
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
)

// Browsing (map contract 41.7).
const (
	weightBrowseRank = 0.5
	weightBrowseNear = 0.5
	browseScale      = 2500 // metres
	browseNameless   = 0.1
	browseHits       = 5
	browseMinText    = reading.WholeName
	bonusBrowseName  = 0.15
	cellSize         = geom.Scale / 100 // grid cells of 0.01 degree
	browseEnough     = 3                // members wanted for each result asked for
)

// browseRings are the numbers of cells around the reference point that are
// tried one after the other.
var browseRings = []int32{1, 2, 4, 8, 16, 32}

// browse lists the members of the filter's categories, with the best names
// that the words of the query spell beside them.
func (r *request) browse(words []string) []hit {
	beside, box := r.namesBeside(words), r.browseBox()
	r.begin(nil)
	return r.collect(r.q.Limit, func(t *top) {
		for _, h := range beside {
			t.add(h)
		}
		for c, in := range r.filter.categories {
			if !in {
				continue
			}
			r.engine.eachMember(uint8(c), box, func(id uint32) {
				if row := &r.engine.x.Rows[id]; r.filter.passes(row) {
					t.add(hit{entry: id, score: r.browseScore(row), reason: byCategory})
				}
			})
		}
	})
}

// eachMember lists a category within a box; everywhere when there is none.
func (e *Engine) eachMember(c uint8, box *geom.Box, yield func(id uint32)) {
	if int(c) >= len(e.traits) {
		return
	}
	if box == nil {
		for _, id := range e.x.Category(c) {
			yield(id)
		}
		return
	}
	e.x.Near(c, *box, func(id uint32, _ geom.Point) bool {
		yield(id)
		return true
	})
}

// browseBox is where members are looked for: the query's own box, else the
// smallest ring of cells around the reference point with enough of them, else
// everywhere (nil).
func (r *request) browseBox() *geom.Box {
	if r.q.Box != nil || r.q.Ref == nil {
		return r.q.Box
	}
	for _, ring := range browseRings {
		box := cellsAround(*r.q.Ref, ring)
		found := 0
		for c, in := range r.filter.categories {
			if in {
				r.engine.eachMember(uint8(c), &box, func(uint32) { found++ })
			}
		}
		if found >= browseEnough*r.q.Limit {
			return &box
		}
	}
	return nil
}

// cellsAround is the box of the cell of p and ring cells to each side.
func cellsAround(p geom.Point, ring int32) geom.Box {
	cell := func(v int32) int64 {
		c := int64(v) / cellSize
		if v < 0 && int64(v)%cellSize != 0 {
			c--
		}
		return c
	}
	clip := func(v int64, degrees int64) int32 {
		return int32(max(-degrees*geom.Scale, min(degrees*geom.Scale, v)))
	}
	x, y, n := cell(p.X), cell(p.Y), int64(ring)
	return geom.Box{
		MinX: clip((x-n)*cellSize, 180), MinY: clip((y-n)*cellSize, 90),
		MaxX: clip((x+n+1)*cellSize-1, 180), MaxY: clip((y+n+1)*cellSize-1, 90),
	}
}

func (r *request) browseScore(row *index.Row) float64 {
	score := row.Importance()
	if r.q.Ref != nil {
		score = score*weightBrowseRank + weightBrowseNear/(1+r.near.Metres(row.Point())/browseScale)
	}
	if !row.Has(index.FlagNamed) {
		score -= browseNameless
	}
	return score
}

// namesBeside are the entries outside the categories that the words of the
// query name almost exactly, on the scale of the listing.
func (r *request) namesBeside(words []string) []hit {
	beside := *r
	beside.filter, beside.plain, beside.types = r.engine.newFilter(r.q), true, nil
	beside.begin(words)
	var out []hit
	for _, h := range beside.byNameAbove(words, browseHits, browseMinText) {
		row := &r.engine.x.Rows[h.entry]
		if r.filter.categories[row.Category] {
			continue // a member: it stands in the listing
		}
		bonus := bonusBrowseName
		if r.engine.x.Kind(row) == index.Street { // Bank Street is no bank
			bonus = -bonus
		}
		h.score, h.reason = r.browseScore(row)+bonus, byName
		out = append(out, h)
	}
	return out
}
