package plane

import (
	"cmp"
	"slices"
)

// graph is the edges of a shape when they meet in their ends only. Vertices are
// numbered from west to east, so that every arc runs from a smaller number to a
// greater one.
type graph struct {
	points []Point // by vertex
	arcs   []arc   // by their western vertex, there from north to south
	first  []int32 // the first arc of each vertex, and one more

	raw    []rawArc
	keys   []uint64
	status []int32

	// What is left of the arcs around the polygons; see trace.go.
	ends   []int32 // arcs at each vertex, from endAt on
	endAt  []int32
	next   []int32 // the arc after each
	walkOf []int32 // the walk of each, or -1
	place  []int32 // where on the stack a vertex is, or -1
	stack  []int32
	cycles []int32 // vertices of the cycles of one walk
	marks  []int32 // where each ends in cycles
}

// rawArc is an arc by the keys of its ends, and how often it is used: once for
// each edge that runs its way, less the edges that run back.
type rawArc struct {
	west, east uint64
	times      int32
}

// arc joins two vertices.
type arc struct {
	west, east int32
	times      int32 // edges that run east, less those that run west
	north      int32 // the winding number on the northern side
	under      int32 // the nearest arc to the north that is a border, or -1
	border     int8  // of the polygons: 1 when it runs east around them, -1 west, 0 it is none
}

// fill takes edges that meet in their ends only.
func (g *graph) fill(edges []edge) {
	g.begin()
	for i := range edges {
		g.add(edges[i].a, edges[i].b)
	}
	g.settle()
}

func (g *graph) begin() { g.raw = g.raw[:0] }

func (g *graph) add(a, b Point) {
	switch ka, kb := a.key(), b.key(); {
	case ka < kb:
		g.raw = append(g.raw, rawArc{ka, kb, 1})
	case ka > kb:
		g.raw = append(g.raw, rawArc{kb, ka, -1})
	}
}

// settle sums up equal arcs, numbers the vertices and finds the borders.
func (g *graph) settle() {
	slices.SortFunc(g.raw, func(a, b rawArc) int {
		if a.west != b.west {
			return cmp.Compare(a.west, b.west)
		}
		return cmp.Compare(a.east, b.east)
	})
	kept := g.raw[:0]
	for i := 0; i < len(g.raw); {
		a := g.raw[i]
		for i++; i < len(g.raw) && g.raw[i].west == a.west && g.raw[i].east == a.east; i++ {
			a.times += g.raw[i].times
		}
		if a.times != 0 {
			kept = append(kept, a)
		}
	}
	g.raw = kept

	g.keys = g.keys[:0]
	for _, a := range g.raw {
		g.keys = append(g.keys, a.west, a.east)
	}
	slices.Sort(g.keys)
	g.keys = slices.Compact(g.keys)
	g.points = g.points[:0]
	for _, k := range g.keys {
		g.points = append(g.points, pointOf(k))
	}
	g.arcs, g.first = g.arcs[:0], append(g.first[:0], 0)
	for _, a := range g.raw {
		for g.keys[len(g.first)-1] != a.west {
			g.first = append(g.first, int32(len(g.arcs)))
		}
		east, _ := slices.BinarySearch(g.keys, a.east)
		g.arcs = append(g.arcs, arc{west: int32(len(g.first) - 1), east: int32(east), times: a.times})
	}
	for len(g.first) <= len(g.points) {
		g.first = append(g.first, int32(len(g.arcs)))
	}
	g.sweep()
}

// sweep goes over the vertices from west to east, with the arcs over the place
// where it is in order from north to south, and finds the winding number on both
// sides of each arc.
func (g *graph) sweep() {
	g.status = g.status[:0]
	for v := range g.points {
		from, _ := slices.BinarySearchFunc(g.status, g.points[v], g.side)
		to := from
		for to < len(g.status) && g.arcs[g.status[to]].east == int32(v) {
			to++
		}
		winding, under := int32(0), int32(-1)
		if from > 0 {
			a := &g.arcs[g.status[from-1]]
			winding, under = a.north+a.times, a.under
			if a.border != 0 {
				under = g.status[from-1]
			}
		}
		begin, end := g.first[v], g.first[v+1]
		g.fan(g.arcs[begin:end])
		for i := begin; i < end; i++ {
			a := &g.arcs[i]
			a.north, a.under = winding, under
			winding += a.times
			a.border = border(a.north, winding)
			if a.border != 0 {
				under = i
			}
		}
		g.replace(from, to, begin, end)
	}
}

// border says which way a border between these winding numbers runs: filled is
// what lies south of an arc that runs east.
func border(north, south int32) int8 {
	switch {
	case north <= 0 && south > 0:
		return 1
	case north > 0 && south <= 0:
		return -1
	}
	return 0
}

// side compares an arc of the status with a vertex: below zero when the arc runs
// north of it.
func (g *graph) side(i int32, v Point) int {
	a := &g.arcs[i]
	return -int(sign(cross(g.points[a.west], g.points[a.east], v)))
}

// fan sorts arcs of one western vertex from north to south.
func (g *graph) fan(arcs []arc) {
	if len(arcs) < 2 {
		return
	}
	slices.SortFunc(arcs, func(a, b arc) int {
		return -int(sign(cross(g.points[a.west], g.points[a.east], g.points[b.east])))
	})
}

// replace puts the arcs from begin on where the status has those of from..to.
func (g *graph) replace(from, to int, begin, end int32) {
	n := int(end - begin)
	if grow := n - (to - from); grow > 0 {
		for range grow {
			g.status = append(g.status, 0)
		}
		copy(g.status[to+grow:], g.status[to:len(g.status)-grow])
	} else if grow < 0 {
		g.status = append(g.status[:to+grow], g.status[to:]...)
	}
	for i := range n {
		g.status[from+i] = begin + int32(i)
	}
}
