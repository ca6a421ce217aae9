package ring

import (
	"cmp"
	"math"
	"slices"
)

// Crossings are looked for again after vertices were put in, since rounding a
// crossing to 1e-7 degrees (1 cm) bends both lines a little. What is left after
// these rounds is smaller than a centimetre.
const crossRounds = 4

// cut is a vertex to put into a segment.
type cut struct {
	seg int32
	at  Point
}

// node puts a vertex wherever two segments meet other than at their ends: on
// crossings, where an end touches the inside of another, and where they run
// over each other, which then cancels out. It says whether it put any, and false
// in ok when that takes too long.
func (a *assembly) node() (changed, ok bool) {
	budget := 1<<25 + 512*len(a.segs)
	room := 1<<14 + 4*len(a.segs) // for new vertices
	for range crossRounds {
		cuts, crossed, ok := a.cuts(&budget, room)
		room -= len(cuts)
		if !ok || room < 0 {
			at := Point{}
			if len(a.segs) > 0 {
				at = a.segs[0].a
			}
			a.report(TooComplex, 0, at)
			return changed, false
		}
		if len(cuts) == 0 {
			break
		}
		changed = true
		a.split(cuts)
		a.cancel()
		if !crossed {
			break
		}
	}
	return changed, true
}

// cuts sweeps over the segments, which are sorted by their western end, and
// compares each with those whose x range it meets.
func (a *assembly) cuts(budget *int, room int) (cuts []cut, crossed, ok bool) {
	var active []int32
	for i := range a.segs {
		s := &a.segs[i]
		low, high := min(s.a.Y, s.b.Y), max(s.a.Y, s.b.Y)
		*budget -= len(active)
		if *budget < 0 || len(cuts) > room {
			return nil, false, false
		}
		all := active
		active = active[:0] // what stays in reach of s, packed to the front
		for _, j := range all {
			t := &a.segs[j]
			if t.b.X < s.a.X {
				continue
			}
			active = append(active, j)
			if min(t.a.Y, t.b.Y) > high || max(t.a.Y, t.b.Y) < low {
				continue
			}
			before := len(cuts)
			var x bool
			cuts, x = meet(cuts, a.segs, int32(i), j)
			if x {
				crossed = true
				a.report(Intersection, min(a.lines[s.line].ID, a.lines[t.line].ID), cuts[before].at)
			}
		}
		active = append(active, int32(i))
	}
	return cuts, crossed, true
}

// meet appends the cuts of one pair of segments and says whether they cross.
func meet(cuts []cut, segs []segment, i, j int32) ([]cut, bool) {
	s, t := segs[i], segs[j]
	o1, o2 := orient(s.a, s.b, t.a), orient(s.a, s.b, t.b)
	if o1*o2 > 0 {
		return cuts, false
	}
	o3, o4 := orient(t.a, t.b, s.a), orient(t.a, t.b, s.b)
	if o3*o4 > 0 {
		return cuts, false
	}
	if o1*o2 < 0 && o3*o4 < 0 {
		p := crossing(s, t)
		return append(cuts, cut{i, p}, cut{j, p}), true
	}
	for _, e := range []struct {
		side int
		seg  int32
		p    Point
	}{{o1, i, t.a}, {o2, i, t.b}, {o3, j, s.a}, {o4, j, s.b}} {
		if e.side == 0 && segs[e.seg].contains(e.p) {
			cuts = append(cuts, cut{e.seg, e.p})
		}
	}
	return cuts, false
}

// contains says whether p, which is on the line of s, is inside s; its ends are not.
func (s segment) contains(p Point) bool {
	return comparePoints(p, s.a) > 0 && comparePoints(p, s.b) < 0
}

// crossing gives the vertex nearest to where s and t cross. The conversions
// keep the compiler from fusing operations, so that every machine agrees.
func crossing(s, t segment) Point {
	dx, dy := float64(s.b.X)-float64(s.a.X), float64(s.b.Y)-float64(s.a.Y)
	ex, ey := float64(t.b.X)-float64(t.a.X), float64(t.b.Y)-float64(t.a.Y)
	fx, fy := float64(t.a.X)-float64(s.a.X), float64(t.a.Y)-float64(s.a.Y)
	den := float64(dx*ey) - float64(dy*ex)
	k := (float64(fx*ey) - float64(fy*ex)) / den
	if !(k >= 0 && k <= 1) { // lost to rounding: nearly parallel lines
		k = 0.5
	}
	return Point{
		X: s.a.X + int32(math.Round(float64(k*dx))),
		Y: s.a.Y + int32(math.Round(float64(k*dy))),
	}
}

// split puts the vertices of cuts into their segments.
func (a *assembly) split(cuts []cut) {
	slices.SortFunc(cuts, func(c, d cut) int {
		if c.seg != d.seg {
			return cmp.Compare(c.seg, d.seg)
		}
		s := a.segs[c.seg]
		return cmp.Or(cmp.Compare(s.along(c.at), s.along(d.at)), comparePoints(c.at, d.at))
	})
	out := make([]segment, 0, len(a.segs)+len(cuts))
	for i, s := range a.segs {
		last := s.a
		for len(cuts) > 0 && cuts[0].seg == int32(i) {
			if p := cuts[0].at; p != last && p != s.b {
				out = append(out, newSegment(last, p, s.line))
				last = p
			}
			cuts = cuts[1:]
		}
		out = append(out, newSegment(last, s.b, s.line))
	}
	a.segs = out
}

// along orders points by how far they are along s.
func (s segment) along(p Point) float64 {
	return float64((float64(s.b.X)-float64(s.a.X))*(float64(p.X)-float64(s.a.X))) +
		float64((float64(s.b.Y)-float64(s.a.Y))*(float64(p.Y)-float64(s.a.Y)))
}
