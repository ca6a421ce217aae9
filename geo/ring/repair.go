package ring

import "container/heap"

// repair takes edges out until every vertex has an even number of them, which
// is what closed rings need: first the chains with a loose end, then between
// vertices where an odd number of ways meets the shortest connection, which is
// the way too much. It says whether it took any out; the graph is then to be made anew.
func (a *assembly) repair(g *graph) (broken bool) {
	degree := make([]int32, len(g.points))
	for v := range degree {
		degree[v] = g.first[v+1] - g.first[v]
		if degree[v] == 1 {
			e := g.at(int32(v))[0]
			a.unclosed(g, e, int32(v))
		}
	}
	for v := range int32(len(degree)) {
		broken = g.strip(v, degree) || broken
	}
	p := pairing{graph: g, degree: degree, budget: 1<<20 + 16*len(g.edges)}
	for v := range int32(len(degree)) {
		if degree[v]%2 == 0 {
			continue
		}
		broken = true
		e, ok := p.connect(v)
		if !ok {
			e = g.anyEdge(v)
			p.drop(v)
		}
		a.unclosed(g, e, v)
	}
	return broken
}

// unclosed reports that the chain with the edge e ends at v.
func (a *assembly) unclosed(g *graph, e, v int32) {
	l := &a.lines[g.edges[e].line]
	a.report(Unclosed, l.ID, g.points[v])
	a.lose(l)
}

// strip takes out the chain that ends at v, up to where it meets something.
func (g *graph) strip(v int32, degree []int32) bool {
	if degree[v] != 1 {
		return false
	}
	for degree[v] == 1 {
		e := g.anyEdge(v)
		g.dead[e] = true
		degree[v]--
		v = g.other(e, v)
		degree[v]--
	}
	return true
}

// anyEdge gives the first edge at v that was not taken out, -1 for none.
func (g *graph) anyEdge(v int32) int32 {
	for _, e := range g.at(v) {
		if !g.dead[e] {
			return e
		}
	}
	return -1
}

// pairing connects vertices of odd degree, nearest first (Dijkstra).
type pairing struct {
	graph  *graph
	degree []int32
	budget int

	dist  []int64
	via   []int32 // the edge a vertex was reached by
	round []int32 // the search dist and via belong to
	now   int32
	queue distances
}

// connect finds the nearest other odd vertex from v, takes the path out, and
// gives its first edge. False when the search became too long.
func (p *pairing) connect(v int32) (int32, bool) {
	g := p.graph
	if p.dist == nil {
		p.dist, p.via, p.round = make([]int64, len(g.points)), make([]int32, len(g.points)), make([]int32, len(g.points))
	}
	p.now++
	p.queue = p.queue[:0]
	p.reach(v, 0, -1)
	for len(p.queue) > 0 {
		top := heap.Pop(&p.queue).(distance)
		if top.dist > p.dist[top.vertex] {
			continue
		}
		if top.vertex != v && p.degree[top.vertex]%2 == 1 {
			return p.remove(v, top.vertex), true
		}
		for _, e := range g.at(top.vertex) {
			if p.budget--; p.budget < 0 {
				return -1, false
			}
			if !g.dead[e] {
				w := g.other(e, top.vertex)
				p.reach(w, top.dist+g.length(e), e)
			}
		}
	}
	return -1, false
}

func (p *pairing) reach(v int32, dist int64, via int32) {
	if p.round[v] == p.now && p.dist[v] <= dist {
		return
	}
	p.round[v], p.dist[v], p.via[v] = p.now, dist, via
	heap.Push(&p.queue, distance{dist, v})
}

// remove takes the path found out and gives its edge at from.
func (p *pairing) remove(from, to int32) (e int32) {
	for to != from {
		e = p.via[to]
		p.graph.dead[e] = true
		p.degree[to]--
		to = p.graph.other(e, to)
		p.degree[to]--
	}
	return e
}

// drop takes out everything connected with v.
func (p *pairing) drop(v int32) {
	g := p.graph
	stack := []int32{v}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, e := range g.at(v) {
			if g.dead[e] {
				continue
			}
			g.dead[e] = true
			w := g.other(e, v)
			p.degree[v]--
			p.degree[w]--
			stack = append(stack, w)
		}
	}
}

// length is measured along the axes: whole numbers, the same on every machine.
func (g *graph) length(e int32) int64 {
	a, b := g.points[g.edges[e].ends[0]], g.points[g.edges[e].ends[1]]
	dx, dy := int64(b.X)-int64(a.X), int64(b.Y)-int64(a.Y)
	return max(dx, -dx) + max(dy, -dy)
}

type distance struct {
	dist   int64
	vertex int32
}

// distances is a heap, nearest first; equal ones by vertex, to be repeatable.
type distances []distance

func (d distances) Len() int { return len(d) }
func (d distances) Less(i, j int) bool {
	return d[i].dist < d[j].dist || d[i].dist == d[j].dist && d[i].vertex < d[j].vertex
}
func (d distances) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *distances) Push(x any)   { *d = append(*d, x.(distance)) }
func (d *distances) Pop() any {
	x := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return x
}
