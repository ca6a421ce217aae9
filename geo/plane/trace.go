package plane

import "slices"

// polygons follows the borders around each connected area. Where borders touch
// in a point, the way turns so that it stays with its area; the way around one
// area is then cut into rings that visit no point twice.
func (g *graph) polygons() []Polygon {
	g.link()
	g.walkOf = fill(g.walkOf, len(g.arcs), -1)
	g.place = fill(g.place, len(g.points), -1)
	var out []Polygon
	var areaOf []int32 // the polygon of each walk
	for i := range g.arcs {
		if g.arcs[i].border == 0 || g.walkOf[i] >= 0 {
			continue
		}
		g.walk(int32(i), int32(len(areaOf)))
		area := int32(-1)
		from := int32(0)
		var holes []Ring
		for _, to := range g.marks {
			r := g.ring(g.cycles[from:to])
			from = to
			if r.Area2() > 0 {
				area = int32(len(out))
				out = append(out, Polygon{r})
			} else {
				holes = append(holes, r)
			}
		}
		if area < 0 { // the walk around holes only: in the area to the north of it
			area = areaOf[g.walkOf[g.arcs[i].under]]
		}
		out[area] = append(out[area], holes...)
		areaOf = append(areaOf, area)
	}
	return out
}

// fill gives n times v, in the memory of s when it suffices.
func fill(s []int32, n int, v int32) []int32 {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// tail and head are the vertices that a border comes from and leads to.
func (a *arc) tail() int32 {
	if a.border > 0 {
		return a.west
	}
	return a.east
}

func (a *arc) head() int32 { return a.west ^ a.east ^ a.tail() }

// link finds the border after each border.
func (g *graph) link() {
	g.endAt = fill(g.endAt, len(g.points)+1, 0)
	for i := range g.arcs {
		if a := &g.arcs[i]; a.border != 0 {
			g.endAt[a.west]++
			g.endAt[a.east]++
		}
	}
	sum := int32(0)
	for v, n := range g.endAt {
		sum += n
		g.endAt[v] = sum // where the ends of v end, and begin after filling
	}
	g.ends = fill(g.ends, int(sum), 0)
	for i := range g.arcs {
		if a := &g.arcs[i]; a.border != 0 {
			for _, v := range [2]int32{a.west, a.east} {
				g.endAt[v]--
				g.ends[g.endAt[v]] = int32(i)
			}
		}
	}
	g.next = fill(g.next, len(g.arcs), -1)
	for v := range g.points {
		g.turn(int32(v), g.ends[g.endAt[v]:g.endAt[v+1]])
	}
}

// turn says how to go on at v: with the first border clockwise (as X and Y are
// drawn in a book, Y up) from the one that leads here. Between the two nothing
// but the area lies.
func (g *graph) turn(v int32, ends []int32) {
	if len(ends) > 2 {
		slices.SortFunc(ends, func(i, j int32) int {
			a, b := g.other(i, v), g.other(j, v)
			if (a > v) != (b > v) { // the eastern half first
				if a > v {
					return -1
				}
				return 1
			}
			return -int(sign(cross(g.points[v], g.points[a], g.points[b])))
		})
	}
	for k, i := range ends {
		if g.arcs[i].head() == v {
			g.next[i] = ends[(k+len(ends)-1)%len(ends)]
		}
	}
}

// other is the vertex at the far end of an arc from v.
func (g *graph) other(i, v int32) int32 { return g.arcs[i].west ^ g.arcs[i].east ^ v }

// walk follows the borders from one on until it is reached again, and cuts the
// way into cycles where it comes back to a vertex.
func (g *graph) walk(start, id int32) {
	g.cycles, g.marks, g.stack = g.cycles[:0], g.marks[:0], g.stack[:0]
	for i := start; g.walkOf[i] < 0; i = g.next[i] {
		g.walkOf[i] = id
		v := g.arcs[i].tail()
		if at := g.place[v]; at >= 0 {
			g.cut(at)
		}
		g.place[v] = int32(len(g.stack))
		g.stack = append(g.stack, v)
	}
	g.cut(0)
}

// cut takes the vertices from a place on the stack on: they are a cycle.
func (g *graph) cut(at int32) {
	for _, v := range g.stack[at:] {
		g.place[v] = -1
	}
	g.cycles = append(g.cycles, g.stack[at:]...)
	g.marks = append(g.marks, int32(len(g.cycles)))
	g.stack = g.stack[:at]
}

// ring gives the points of a cycle from the westernmost on, without those in
// line with their neighbours; a point where borders touch stays.
func (g *graph) ring(cycle []int32) Ring {
	first := 0
	for i, v := range cycle {
		if v < cycle[first] {
			first = i
		}
	}
	n := len(cycle)
	r := make(Ring, 0, n)
	for k := range n {
		i := (first + k) % n
		v := cycle[i]
		p, a, b := g.points[v], g.points[cycle[(i+n-1)%n]], g.points[cycle[(i+1)%n]]
		if g.endAt[v+1]-g.endAt[v] > 2 || cross(a, p, b) != 0 {
			r = append(r, p)
		}
	}
	return slices.Clip(r)
}
