package coast

import (
	"math"

	"svc/geo/plane"
)

// nearest tells on which side of the nearest coast a place lies.
type nearest struct{ regions []*region } // those with coast

func newNearest(regions []*region) *nearest {
	n := &nearest{}
	for _, r := range regions {
		if len(r.pieces) > 0 {
			n.regions = append(n.regions, r)
		}
	}
	return n
}

// water says whether a place is at sea: whether it lies on the right of the
// coast nearest to it.
func (n *nearest) water(p plane.Point) bool {
	// The region next to the place gives a distance that leaves few others.
	var next *region
	for _, r := range n.regions {
		if next == nil || boxDistance(r.box, p) < boxDistance(next.box, p) {
			next = r
		}
	}
	if next == nil {
		return false
	}
	best := closest{square: math.Inf(1)}
	best.lookAll(next, p)
	for _, r := range n.regions {
		if d := boxDistance(r.box, p); r != next && d*d <= best.square {
			best.lookAll(r, p)
		}
	}
	return best.right > 0
}

// boxDistance is how far a point is from a box, 0 inside.
func boxDistance(b plane.Box, p plane.Point) float64 {
	dx := max(float64(b.MinX)-float64(p.X), 0, float64(p.X)-float64(b.MaxX))
	dy := max(float64(b.MinY)-float64(p.Y), 0, float64(p.Y)-float64(b.MaxY))
	return math.Hypot(dx, dy)
}

// closest is the nearest place of a coast found so far.
type closest struct {
	square float64 // of the distance
	right  float64 // positive when the point lies on the right there
}

func (c *closest) lookAll(r *region, p plane.Point) {
	for _, l := range r.pieces {
		c.look(l, p)
	}
}

// look compares a line with the nearest place so far.
func (c *closest) look(l plane.Line, p plane.Point) {
	for i := 1; i < len(l); i++ {
		dx, dy := float64(l[i].X)-float64(l[i-1].X), float64(l[i].Y)-float64(l[i-1].Y)
		px, py := float64(p.X)-float64(l[i-1].X), float64(p.Y)-float64(l[i-1].Y)
		share := (px*dx + py*dy) / (dx*dx + dy*dy)
		if share > 0 && share < 1 { // the foot of the point lies inside the segment
			across := dx*py - dy*px
			if d := across * across / (dx*dx + dy*dy); d < c.square {
				c.square, c.right = d, across
			}
			continue
		}
		if d := px*px + py*py; d < c.square {
			c.square, c.right = d, cornerSide(l, i-1, p)
		}
	}
	last := l[len(l)-1]
	px, py := float64(p.X)-float64(last.X), float64(p.Y)-float64(last.Y)
	if d := px*px + py*py; d < c.square {
		c.square, c.right = d, cornerSide(l, len(l)-1, p)
	}
}

// cornerSide tells on which side of a vertex a point lies whose nearest place
// of the line it is: the side that the two segments there face together.
func cornerSide(l plane.Line, i int, p plane.Point) float64 {
	before, after := i-1, i
	if isClosed(l) && (i == 0 || i == len(l)-1) {
		before, after = len(l)-2, 0
	}
	px, py := float64(p.X)-float64(l[i].X), float64(p.Y)-float64(l[i].Y)
	side := 0.0
	for _, s := range [2]int{before, after} {
		if s < 0 || s+1 >= len(l) {
			continue
		}
		dx, dy := float64(l[s+1].X)-float64(l[s].X), float64(l[s+1].Y)-float64(l[s].Y)
		side += (dx*py - dy*px) / math.Hypot(dx, dy)
	}
	return side
}
