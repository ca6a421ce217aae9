package index

import "svc/geo/geom"

// fanout is the number of children of a tree node: a node's boxes fill a few cache lines.
const fanout = 16

// tree is a packed R-tree over items that stand in spatial order: node i of
// the lowest level covers items [16i, 16i+16), and so upward to one root.
// Only node boxes are stored; items have their own coordinates.
type tree struct {
	nodes []geom.Box
	items int
	holds []uint8 // of each node; nil: not asked for
	any   uint8   // nodes that hold none of these are passed over
}

// touches reports whether a node is to be looked into.
func (t *tree) touches(q geom.Box, node int) bool {
	return (t.holds == nil || t.holds[node]&t.any != 0) && q.Intersects(t.nodes[node])
}

// treeSize is the number of nodes over n items.
func treeSize(n int) int {
	if n == 0 {
		return 0
	}
	sum := 0
	for {
		n = (n + fanout - 1) / fanout
		sum += n
		if n == 1 {
			return sum
		}
	}
}

// packTree appends the node boxes over items whose boxes are given in order.
func packTree(nodes []geom.Box, n int, box func(i int) geom.Box) []geom.Box {
	if n == 0 {
		return nodes
	}
	start := len(nodes)
	for i := 0; i < n; i += fanout {
		b := geom.Empty()
		for j := i; j < min(i+fanout, n); j++ {
			b = b.Union(box(j))
		}
		nodes = append(nodes, b)
	}
	for level := nodes[start:]; len(level) > 1; {
		from := len(nodes)
		for i := 0; i < len(level); i += fanout {
			b := geom.Empty()
			for _, c := range level[i:min(i+fanout, len(level))] {
				b = b.Union(c)
			}
			nodes = append(nodes, b)
		}
		level = nodes[from:]
	}
	return nodes
}

// packHolds appends what each node of packTree holds, in the same order.
func packHolds(holds []uint8, n int, of func(i int) uint8) []uint8 {
	if n == 0 {
		return holds
	}
	start := len(holds)
	for i := 0; i < n; i += fanout {
		var b uint8
		for j := i; j < min(i+fanout, n); j++ {
			b |= of(j)
		}
		holds = append(holds, b)
	}
	for level := holds[start:]; len(level) > 1; {
		from := len(holds)
		for i := 0; i < len(level); i += fanout {
			var b uint8
			for _, c := range level[i:min(i+fanout, len(level))] {
				b |= c
			}
			holds = append(holds, b)
		}
		level = holds[from:]
	}
	return holds
}

// search calls leaf with each range of items whose node touches q, in item
// order, until leaf returns false.
func (t *tree) search(q geom.Box, leaf func(from, to int) bool) {
	if t.items == 0 {
		return
	}
	var starts, counts [10]int
	levels, n, at := 0, t.items, 0
	for n > 1 || levels == 0 {
		n = (n + fanout - 1) / fanout
		starts[levels], counts[levels] = at, n
		at += n
		levels++
	}
	if t.touches(q, starts[levels-1]) {
		t.descend(q, &starts, &counts, levels-1, 0, leaf)
	}
}

func (t *tree) descend(q geom.Box, starts, counts *[10]int, level, node int, leaf func(from, to int) bool) bool {
	from := node * fanout
	if level == 0 {
		return leaf(from, min(from+fanout, t.items))
	}
	to := min(from+fanout, counts[level-1])
	for i := from; i < to; i++ {
		if t.touches(q, starts[level-1]+i) && !t.descend(q, starts, counts, level-1, i, leaf) {
			return false
		}
	}
	return true
}
