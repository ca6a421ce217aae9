package plane

import "slices"

// cut is a grid point that an edge is bent to.
type cut struct {
	edge int32
	at   Point
}

// snap puts edges into the graph that meet in their ends only, and says false
// when that takes too long.
//
// This is snap rounding (Hobby 1999; Guibas and Marimont 1998): the unit squares
// around all corners and crossings are hot, and every edge is led through the
// middles of the hot squares it passes. Then no two edges cross, however close
// they ran. A square holds its western and northern border and not the others,
// which is also how crossings are rounded, so that every point of the plane is in
// one square.
func (c *cleaner) snap() bool {
	c.hot = c.hot[:0]
	for i := range c.edges {
		c.hot = append(c.hot, c.edges[i].a.key())
	}
	for _, p := range c.found.crossings {
		c.hot = append(c.hot, p.key())
	}
	slices.Sort(c.hot)
	c.hot = slices.Compact(c.hot)

	c.cuts = c.cuts[:0]
	limit := c.most.meets + 8*len(c.edges)
	for _, key := range c.hot {
		p := pointOf(key)
		c.pairs -= leafSize
		c.tree.near(Box{p.X, p.Y, p.X, p.Y}, func(i int) bool {
			c.pairs--
			if e := &c.edges[i]; !e.ends(p) && e.passes(p) {
				c.cuts = append(c.cuts, cut{int32(i), p})
			}
			return c.pairs > 0
		})
		if c.pairs <= 0 || len(c.cuts) > limit {
			return false
		}
	}
	slices.SortFunc(c.cuts, func(a, b cut) int {
		if a.edge != b.edge {
			return int(a.edge) - int(b.edge)
		}
		return c.edges[a.edge].order(a.at, b.at)
	})
	c.bend()
	return true
}

// bend puts every edge into the graph by way of its cuts.
func (c *cleaner) bend() {
	c.graph.begin()
	cuts := c.cuts
	for i := range c.edges {
		e := &c.edges[i]
		from := e.a
		for ; len(cuts) > 0 && cuts[0].edge == int32(i); cuts = cuts[1:] {
			c.graph.add(from, cuts[0].at)
			from = cuts[0].at
		}
		c.graph.add(from, e.b)
	}
	c.graph.settle()
}

// passes says whether the edge enters the square around p, which is in its box.
// The square has corners at odd halves, the edge has its ends on whole numbers:
// an edge through the box misses the square when it passes the corners on the
// one or the other side.
func (e *edge) passes(p Point) bool {
	a, b := e.a, e.b
	if a.X == b.X || a.Y == b.Y {
		return true
	}
	if a.X > b.X {
		a, b = b, a
	}
	off, dx, dy := 2*cross(a, b, p), int64(b.X-a.X), int64(b.Y-a.Y)
	if dy > 0 { // it may touch the south-western or north-eastern corner: not of the square
		return off < dx+dy && off > -dx-dy
	}
	return off <= dx-dy && off > dy-dx // the north-western corner is of the square
}

// order says which of two squares the edge enters first. It runs through them as
// on a staircase, each of its coordinates going one way only.
func (e *edge) order(p, q Point) int {
	if e.a.X > e.b.X {
		p.X, q.X = -p.X, -q.X
	}
	if e.a.Y > e.b.Y {
		p.Y, q.Y = -p.Y, -q.Y
	}
	if p.X != q.X {
		return int(p.X) - int(q.X)
	}
	return int(p.Y) - int(q.Y)
}
