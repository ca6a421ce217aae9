package ring

import "slices"

// simple is one ring without repeated vertices, counter-clockwise from its
// westernmost vertex, not closed.
type simple struct {
	pts      []Point
	lines    []int32 // the lines it is made of
	way      int64   // one of its ways, the smallest id
	split    bool    // it shares a line with another ring
	notInner bool    // a piece of it has a role other than inner
	notOuter bool    // a piece of it has a role other than outer
}

// rings takes the graph, in which every vertex has an even degree, apart.
//
// The plane around a vertex falls into sectors, by turns inside and outside. A
// ring is followed so that the inside stays on the left, turning at each vertex
// into the next edge clockwise: the one that bounds the same inner sector. So
// rings never cross each other, and the outer ring and a hole that touches it
// are told apart without looking at more than one vertex.
func (a *assembly) rings(g *graph) []simple {
	g.turn()
	w := walker{
		assembly: a, graph: g, parity: g.parities(),
		used: make([]bool, len(g.edges)), place: make([]int32, len(g.points)),
	}
	for e := range int32(len(g.edges)) {
		if !w.used[e] {
			w.walk(e)
		}
	}
	return w.out
}

// parities gives for each vertex whether the edge in slot 0 has the inside on
// its left when followed away from the vertex (0) or on its right (1). Edges
// alternate around a vertex, and both ends of an edge agree, so one edge whose
// sides are known decides a connected piece: at its westernmost vertex the
// lowest edge has the outside on its right.
func (g *graph) parities() []uint8 {
	const unknown = 2
	parity := make([]uint8, len(g.points))
	for v := range parity {
		parity[v] = unknown
	}
	var stack []int32
	for v := range int32(len(g.points)) {
		list := g.at(v)
		if parity[v] != unknown || len(list) == 0 {
			continue
		}
		lowest := 0
		for i := range list {
			if orient(g.points[v], g.points[g.other(list[lowest], v)], g.points[g.other(list[i], v)]) < 0 {
				lowest = i
			}
		}
		parity[v] = uint8(lowest & 1)
		stack = append(stack, v)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for i, e := range g.at(v) {
				w := g.other(e, v)
				if parity[w] == unknown {
					slot := g.edges[e].slot[g.side(e, w)]
					parity[w] = uint8((int(slot) + i + int(parity[v]) + 1) & 1)
					stack = append(stack, w)
				}
			}
		}
	}
	return parity
}

type walker struct {
	*assembly
	graph  *graph
	parity []uint8
	used   []bool
	place  []int32 // of a vertex in path, plus one; 0 when it is not there
	path   []step
	out    []simple
}

// step is a vertex and the edge by which the path leaves it.
type step struct{ vertex, edge int32 }

// walk follows the ring that begins with edge e, and cuts a simple ring off
// whenever it comes back to a vertex.
func (w *walker) walk(e int32) {
	g := w.graph
	start := g.edges[e].ends[0]
	if (int(g.edges[e].slot[0])+int(w.parity[start]))&1 == 1 {
		start = g.edges[e].ends[1]
	}
	v := start
	for e >= 0 {
		w.used[e] = true
		w.path = append(w.path, step{v, e})
		w.place[v] = int32(len(w.path))
		v = g.other(e, v)
		if at := w.place[v]; at > 0 {
			w.emit(w.path[at-1:])
			w.path = w.path[:at-1]
		}
		e = w.next(e, v, start)
	}
	// Left over only where crossings could not be resolved.
	for _, s := range w.path {
		w.place[s.vertex] = 0
	}
	w.path = w.path[:0]
}

// next gives the edge to follow after arriving at v by e, -1 when the ring is
// complete.
func (w *walker) next(e, v, start int32) int32 {
	list := w.graph.at(v)
	slot := int(w.graph.edges[e].slot[w.graph.side(e, v)])
	for i := 1; i < len(list); i++ {
		f := list[(slot-i+len(list))%len(list)]
		if !w.used[f] {
			return f
		}
		if v == start {
			break
		}
	}
	return -1
}

// emit makes a ring of a closed piece of the path.
func (w *walker) emit(path []step) {
	s := simple{pts: make([]Point, 0, len(path))}
	for i, p := range path {
		w.place[p.vertex] = 0
		s.pts = append(s.pts, w.graph.points[p.vertex])
		line := w.graph.edges[p.edge].line
		if n := len(s.lines); n == 0 || s.lines[n-1] != line {
			s.lines = append(s.lines, line)
		}
		l := &w.lines[line]
		if i == 0 || l.ID < s.way {
			s.way = l.ID
		}
		s.notInner = s.notInner || l.Role != "inner"
		s.notOuter = s.notOuter || l.Role != "outer"
	}
	if s.normalize() {
		w.out = append(w.out, s)
	}
}

// normalize turns the ring counter-clockwise and to its first vertex. False
// when it surrounds nothing.
func (s *simple) normalize() bool {
	n := len(s.pts)
	if n < 3 {
		return false
	}
	first := 0
	for i, p := range s.pts {
		if comparePoints(p, s.pts[first]) < 0 {
			first = i
		}
	}
	s.pts = slices.Concat(s.pts[first:], s.pts[:first])
	switch orient(s.pts[n-1], s.pts[0], s.pts[1]) {
	case 0:
		return false
	case -1:
		slices.Reverse(s.pts[1:])
	}
	return true
}
