package ring

import (
	"cmp"
	"slices"
)

// bound is one non-vertical segment of a ring, l its western end.
type bound struct {
	l, r  Point
	ring  int32
	above bool // the inside of the ring is above the segment
}

// nest finds which ring lies in which and makes polygons: rings inside an even
// number of others are outer rings, the rest are holes of the ring around them.
// When that takes too long the answer is nil, and reported.
func (a *assembly) nest(rings []simple) []Polygon {
	// West to east; rings that begin at one vertex from the lower to the upper.
	slices.SortFunc(rings, func(r, s simple) int {
		return cmp.Or(comparePoints(r.pts[0], s.pts[0]), -orient(r.pts[0], r.pts[1], s.pts[1]))
	})
	parent, ok := parents(rings)
	if !ok {
		a.report(TooComplex, 0, rings[0].pts[0])
		return nil
	}
	a.markSplit(rings)
	depth, child := a.depths(rings, parent)
	named := slices.ContainsFunc(a.lines, func(l Line) bool { return l.Role != "inner" })
	var polygons []Polygon
	index := make([]int, len(rings))
	for i, r := range rings {
		hole := depth[i]%2 == 1
		switch {
		case hole && parent[i] < 0: // of a ring that is lost
			a.report(InnerOutside, r.way, r.pts[0])
			continue
		case hole && !r.notOuter && !r.split:
			a.report(OuterInside, r.way, r.pts[0])
		case !hole && !r.notInner:
			a.report(InnerOutside, r.way, r.pts[0])
			if named && !child[i] {
				continue
			}
		}
		if hole {
			p := &polygons[index[parent[i]]]
			p.Holes = append(p.Holes, r.closed(true))
			continue
		}
		index[i] = len(polygons)
		polygons = append(polygons, Polygon{Outer: r.closed(false)})
	}
	return largestFirst(polygons)
}

// depths tells how many rings surround each ring, and which rings surround
// another. Where a way that is not inner could not be used, a ring of role inner
// outside everything lies in the ring that this way is missing from, and so does
// what is inside: an island stays an island when its lake is not there.
func (a *assembly) depths(rings []simple, parent []int32) (depth []int, child []bool) {
	depth, child = make([]int, len(rings)), make([]bool, len(rings))
	for i, p := range parent {
		switch {
		case p >= 0:
			depth[i] = depth[p] + 1
			child[p] = true
		case a.lost && !rings[i].notInner:
			depth[i] = 1
		}
	}
	return depth, child
}

func largestFirst(polygons []Polygon) []Polygon {
	type sized struct {
		area float64
		i    int
	}
	order := make([]sized, len(polygons))
	for i, p := range polygons {
		order[i] = sized{Area(p.Outer), i}
	}
	slices.SortFunc(order, func(a, b sized) int { return cmp.Or(cmp.Compare(b.area, a.area), cmp.Compare(a.i, b.i)) })
	out := make([]Polygon, len(polygons))
	for i, o := range order {
		out[i] = polygons[o.i]
	}
	return out
}

// markSplit marks the rings that share a way with another ring. Their roles say
// little: a way that touches itself is one ring with one role to its author.
func (a *assembly) markSplit(rings []simple) {
	const none, several = -1, -2
	owner := make([]int, len(a.lines))
	for i := range owner {
		owner[i] = none
	}
	for i, r := range rings {
		for _, l := range r.lines {
			if owner[l] != none && owner[l] != i {
				owner[l] = several
			} else if owner[l] == none {
				owner[l] = i
			}
		}
	}
	for i := range rings {
		for _, l := range rings[i].lines {
			rings[i].split = rings[i].split || owner[l] == several
		}
	}
}

// closed gives the ring with its first vertex again at the end.
func (s *simple) closed(clockwise bool) []Point {
	out := append(slices.Clip(s.pts), s.pts[0])
	if clockwise {
		slices.Reverse(out)
	}
	return out
}

// parents gives for each ring the smallest ring around it, -1 for none. From a
// place just inside the western corner of a ring one looks down: the first
// segment below belongs to the ring around it, or to a ring beside it that has
// the same one around it. Rings are sorted, so that one is known already.
func parents(rings []simple) ([]int32, bool) {
	var bounds []bound
	for i, r := range rings {
		last := r.pts[len(r.pts)-1]
		for _, p := range r.pts {
			if last.X < p.X {
				bounds = append(bounds, bound{last, p, int32(i), true})
			} else if p.X < last.X {
				bounds = append(bounds, bound{p, last, int32(i), false})
			}
			last = p
		}
	}
	slices.SortFunc(bounds, func(b, c bound) int { return cmp.Compare(b.l.X, c.l.X) })
	var (
		parent = make([]int32, len(rings))
		active []bound
		next   int
		budget = 1<<26 + 512*len(bounds)
	)
	for i, r := range rings {
		for ; next < len(bounds) && bounds[next].l.X <= r.pts[0].X; next++ {
			active = append(active, bounds[next])
		}
		if budget -= len(active); budget < 0 {
			return nil, false
		}
		best := -1
		kept := active[:0]
		for _, b := range active {
			if b.r.X <= r.pts[0].X {
				continue
			}
			kept = append(kept, b)
			if int(b.ring) < i && b.below(r.pts[0], r.pts[1]) && (best < 0 || kept[best].under(b)) {
				best = len(kept) - 1
			}
		}
		active = kept
		switch {
		case best < 0:
			parent[i] = -1
		case active[best].above:
			parent[i] = active[best].ring
		default:
			parent[i] = parent[active[best].ring]
		}
	}
	return parent, true
}

// below says whether b passes below the corner p whose lower edge goes to low.
func (b bound) below(p, low Point) bool {
	if side := orient(b.l, b.r, p); side != 0 {
		return side > 0
	}
	return orient(b.l, b.r, low) > 0
}

// under says whether b lies below c, where both are above one another.
func (b bound) under(c bound) bool {
	if b.l.X <= c.l.X {
		return cmp.Or(orient(b.l, b.r, c.l), orient(b.l, b.r, c.r)) > 0
	}
	return cmp.Or(orient(c.l, c.r, b.l), orient(c.l, c.r, b.r)) < 0
}
