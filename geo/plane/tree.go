package plane

// leafSize edges share one box of the tree, fanout boxes one of the level above.
const (
	leafSize = 8
	fanout   = 4
)

// tree is boxes around runs of edges, and boxes around runs of those. Edges that
// follow each other along a ring lie close together, so the order of the edges
// is a good one for a spatial index and nothing needs sorting.
type tree struct {
	edges  []edge
	levels [][]Box // the last one has a single box
}

// build makes the tree over edges, which it keeps.
func (t *tree) build(edges []edge) {
	t.edges = edges
	n := (len(edges) + leafSize - 1) / leafSize
	t.level(0, n)
	for i := range n {
		b := Nowhere()
		for j := i * leafSize; j < min((i+1)*leafSize, len(edges)); j++ {
			b = b.Union(edges[j].box())
		}
		t.levels[0][i] = b
	}
	level := 1
	for ; n > 1; level++ {
		below := t.levels[level-1]
		n = (n + fanout - 1) / fanout
		t.level(level, n)
		for i := range n {
			b := Nowhere()
			for _, child := range below[i*fanout : min((i+1)*fanout, len(below))] {
				b = b.Union(child)
			}
			t.levels[level][i] = b
		}
	}
	t.levels = t.levels[:level]
}

// level makes room for n boxes on a level, in memory used before when it fits.
func (t *tree) level(i, n int) {
	if i < cap(t.levels) {
		t.levels = t.levels[:i+1]
	} else {
		t.levels = append(t.levels, nil)
	}
	if cap(t.levels[i]) < n {
		t.levels[i] = make([]Box, n)
	}
	t.levels[i] = t.levels[i][:n]
}

// children is the range of boxes on the level below, or of edges, that the box
// i of a level stands for.
func (t *tree) children(level, i int) (from, to int) {
	if level == 0 {
		return i * leafSize, min((i+1)*leafSize, len(t.edges))
	}
	return i * fanout, min((i+1)*fanout, len(t.levels[level-1]))
}

// join calls meet with every pair of edges i < j whose boxes touch, until meet
// says false or the budget of comparisons is spent; then it says false.
func (t *tree) join(budget *int, meet func(i, j int) bool) bool {
	j := joiner{t, budget, meet}
	return j.self(len(t.levels)-1, 0)
}

type joiner struct {
	*tree
	budget *int
	meet   func(i, j int) bool
}

// self joins what one box holds with itself.
func (j *joiner) self(level, i int) bool {
	from, to := j.children(level, i)
	if level == 0 {
		return j.leaves(from, to, from, to)
	}
	for a := from; a < to; a++ {
		if !j.self(level-1, a) {
			return false
		}
		for b := a + 1; b < to; b++ {
			if !j.two(level-1, a, b) {
				return false
			}
		}
	}
	return true
}

// two joins what two boxes of a level hold, a before b.
func (j *joiner) two(level, a, b int) bool {
	*j.budget--
	if !j.levels[level][a].Intersects(j.levels[level][b]) {
		return *j.budget > 0
	}
	af, at := j.children(level, a)
	bf, bt := j.children(level, b)
	if level == 0 {
		return j.leaves(af, at, bf, bt)
	}
	for c := af; c < at; c++ {
		if !j.levels[level-1][c].Intersects(j.levels[level][b]) {
			continue
		}
		for d := bf; d < bt; d++ {
			if !j.two(level-1, c, d) {
				return false
			}
		}
	}
	return true
}

// leaves joins two runs of edges, which are the same or one before the other.
func (j *joiner) leaves(af, at, bf, bt int) bool {
	other := j.levels[0][bf/leafSize]
	for a := af; a < at; a++ {
		box := j.edges[a].box()
		if !box.Intersects(other) {
			continue
		}
		from := max(bf, a+1)
		*j.budget -= bt - from
		for b := from; b < bt; b++ {
			e := &j.edges[b]
			if min(e.a.X, e.b.X) <= box.MaxX && max(e.a.X, e.b.X) >= box.MinX &&
				min(e.a.Y, e.b.Y) <= box.MaxY && max(e.a.Y, e.b.Y) >= box.MinY && !j.meet(a, b) {
				return false
			}
		}
	}
	return *j.budget > 0
}

// near calls visit with every edge whose box touches b, until it says false.
func (t *tree) near(b Box, visit func(i int) bool) bool {
	return t.search(len(t.levels)-1, 0, b, visit)
}

func (t *tree) search(level, i int, b Box, visit func(i int) bool) bool {
	if !t.levels[level][i].Intersects(b) {
		return true
	}
	from, to := t.children(level, i)
	for c := from; c < to; c++ {
		if level > 0 {
			if !t.search(level-1, c, b, visit) {
				return false
			}
		} else if t.edges[c].box().Intersects(b) && !visit(c) {
			return false
		}
	}
	return true
}
