package ring

import "slices"

// graph is the segments as a graph: vertices numbered from west to east, edges,
// and at each vertex its edges in order.
type graph struct {
	points []Point
	edges  []edge
	dead   []bool // edges that repair took out

	// first[v] to first[v+1] are the places of v in around, which holds edges.
	first  []int32
	around []int32
}

// edge joins the vertices ends[0] < ends[1]. slot is its place among the edges
// around either end.
type edge struct {
	ends [2]int32
	slot [2]int32
	line int32
}

// newGraph numbers the vertices of segments sorted by compareSegments.
func newGraph(segs []segment) *graph {
	g := &graph{points: make([]Point, 0, 2*len(segs)), edges: make([]edge, len(segs)), dead: make([]bool, len(segs))}
	for _, s := range segs {
		g.points = append(g.points, s.a, s.b)
	}
	slices.SortFunc(g.points, comparePoints)
	g.points = slices.Clip(slices.Compact(g.points))
	for i, s := range segs {
		g.edges[i] = edge{ends: [2]int32{g.vertex(s.a), g.vertex(s.b)}, line: s.line}
	}
	g.link()
	return g
}

func (g *graph) vertex(p Point) int32 {
	i, _ := slices.BinarySearchFunc(g.points, p, comparePoints)
	return int32(i)
}

// link lists the edges around each vertex.
func (g *graph) link() {
	g.first = make([]int32, len(g.points)+1)
	for _, e := range g.edges {
		g.first[e.ends[0]+1]++
		g.first[e.ends[1]+1]++
	}
	for v := range g.points {
		g.first[v+1] += g.first[v]
	}
	next := slices.Clone(g.first[:len(g.points)])
	g.around = make([]int32, g.first[len(g.points)])
	for i := range g.edges {
		for _, v := range g.edges[i].ends {
			g.around[next[v]] = int32(i)
			next[v]++
		}
	}
}

func (g *graph) at(v int32) []int32 { return g.around[g.first[v]:g.first[v+1]] }

// living gives the segments whose edges were not taken out.
func (g *graph) living(segs []segment) []segment {
	kept := segs[:0]
	for i, s := range segs {
		if !g.dead[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// other gives the vertex at the far end of edge e from v.
func (g *graph) other(e, v int32) int32 {
	ends := g.edges[e].ends
	return ends[0] ^ ends[1] ^ v
}

// side says which end of edge e the vertex v is.
func (g *graph) side(e, v int32) int {
	if g.edges[e].ends[0] == v {
		return 0
	}
	return 1
}

// turn sorts the edges around each vertex counter-clockwise, from east, and
// notes their slots. With two edges any order is one.
func (g *graph) turn() {
	for v := range int32(len(g.points)) {
		list := g.at(v)
		if len(list) > 2 {
			slices.SortFunc(list, func(e, f int32) int {
				if d := g.compareAngles(v, g.other(e, v), g.other(f, v)); d != 0 {
					return d
				}
				return int(e - f)
			})
		}
		for i, e := range list {
			g.edges[e].slot[g.side(e, v)] = int32(i)
		}
	}
}

// compareAngles orders the directions from v to p and to q by angle from east.
func (g *graph) compareAngles(v, p, q int32) int {
	hp, hq := g.lower(v, p), g.lower(v, q)
	if hp != hq {
		if hq {
			return -1
		}
		return 1
	}
	return -orient(g.points[v], g.points[p], g.points[q])
}

// lower says whether the direction from v to p has an angle of 180° or more.
// Vertices are numbered from west to east, then from south to north.
func (g *graph) lower(v, p int32) bool {
	dy := int64(g.points[p].Y) - int64(g.points[v].Y)
	return dy < 0 || dy == 0 && p < v
}
