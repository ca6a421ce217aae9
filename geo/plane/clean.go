package plane

import (
	"math"
	"sync"
)

// The work that is done exactly. A shape past one of these bounds is drawn on a
// lattice instead (coarse.go): simple shapes of 100,000 points are far below. Real
// shapes cross themselves a few times and not eight times a point, so that the
// bounds of Clean only meet what was made to cost time; it spends a tenth of a
// second on that, and CleanThoroughly seconds.
var (
	usual    = budget{pairs: 1 << 23, meets: 1 << 13}
	generous = budget{pairs: 1 << 26, meets: 1 << 20}
)

// budget bounds the work on a shape.
type budget struct {
	pairs int // of edges and of boxes compared, plus 64 a point
	meets int // crossings, and edges bent to a grid point, plus 8 a point
}

// Clean makes valid polygons of the rings of a shape: the area where the winding
// number of the rings, as they are oriented, is above zero. The polygons have no
// ring that crosses or touches itself, no two of them overlap or share an edge,
// holes lie inside their outer ring, and rings meet each other in single points
// at most; outer rings have a positive area, holes a negative one. Rings cut by
// ClipRings or Slicer, rounded to a coarser grid or simplified one by one need
// this.
//
// All corners are grid points. Where edges cross, the crossing moves to the
// nearest grid point, and edges that pass within half a unit of a corner or
// crossing are bent to it (snap rounding), so that nothing moves by more than a
// unit. Rings that are valid and do not touch are given back as they are,
// without copying; other results are sorted by their westernmost point, with
// which their rings begin, and leave out points in line with their neighbours.
// Cleaning a clean shape changes nothing.
//
// The time is about n log n for n points of the kind that maps have. A shape
// whose edges meet more than eight thousand times and eight times a point, or lie
// so that ten million pairs had to be compared, is drawn with 512 cells on its
// longer side: it stays valid, and becomes coarse.
func Clean(rings []Ring) []Polygon { return cleaned(rings, usual) }

// CleanThoroughly is Clean for the few shapes of a map that must not become coarse
// whatever they look like, such as the sea: edges may meet a million times.
func CleanThoroughly(rings []Ring) []Polygon { return cleaned(rings, generous) }

func cleaned(rings []Ring, most budget) []Polygon {
	c := cleaners.Get().(*cleaner)
	defer cleaners.Put(c)
	c.most = most
	return c.clean(rings)
}

var cleaners = sync.Pool{New: func() any { return new(cleaner) }}

// cleaner holds the memory of one Clean at a time.
type cleaner struct {
	rings  []Ring  // those of three points or more, no point twice in a row
	edges  []edge  // of all rings, one ring after another
	firsts []int32 // the first edge of each ring
	tree   tree
	most   budget
	pairs  int // left of the budget

	found findings
	hot   []uint64 // keys of the grid points that edges are bent to
	cuts  []cut
	graph graph
}

// edge is one directed edge of a ring, and the ring.
type edge struct {
	a, b Point
	ring int32
}

func (e *edge) box() Box {
	return Box{min(e.a.X, e.b.X), min(e.a.Y, e.b.Y), max(e.a.X, e.b.X), max(e.a.Y, e.b.Y)}
}

func (c *cleaner) clean(rings []Ring) []Polygon {
	c.load(rings)
	if len(c.rings) == 0 {
		return nil
	}
	c.pairs = c.most.pairs + 64*len(c.edges)
	c.tree.build(c.edges)
	c.found.reset()
	switch c.look() {
	case apart:
		if polygons, ok := c.nested(); ok {
			return polygons
		}
		c.graph.fill(c.edges)
	case meeting:
		c.graph.fill(c.edges)
	case tangled:
		if !c.snap() {
			return c.coarse()
		}
	case tooMuch:
		return c.coarse()
	}
	return c.graph.polygons()
}

// load takes the rings without repeated points. A ring that has some is copied.
func (c *cleaner) load(rings []Ring) {
	clear(c.rings)
	c.rings, c.edges, c.firsts = c.rings[:0], c.edges[:0], c.firsts[:0]
	for _, r := range rings {
		if r = unrepeated(r); len(r) < 3 {
			continue
		}
		c.firsts = append(c.firsts, int32(len(c.edges)))
		a := r[len(r)-1]
		for _, b := range r {
			c.edges = append(c.edges, edge{a, b, int32(len(c.rings))})
			a = b
		}
		c.rings = append(c.rings, r)
	}
}

// unrepeated is the ring without points equal to the one before.
func unrepeated(r Ring) Ring {
	for len(r) > 1 && r[len(r)-1] == r[0] {
		r = r[:len(r)-1]
	}
	for i := 1; i < len(r); i++ {
		if r[i] == r[i-1] {
			out := append(make(Ring, 0, len(r)-1), r[:i]...)
			for _, p := range r[i+1:] {
				if p != out[len(out)-1] {
					out = append(out, p)
				}
			}
			return out
		}
	}
	return r
}

// nestLimit is the most rings whose nesting is found by comparing each with each.
const nestLimit = 24

// nested makes polygons of simple rings that do not meet, and says false when
// that is not as easy as it looks: many rings, or a ring that changes nothing.
func (c *cleaner) nested() ([]Polygon, bool) {
	if len(c.rings) == 1 {
		if c.rings[0].Area2() > 0 {
			return []Polygon{{c.rings[0]}}, true
		}
		return nil, true
	}
	if len(c.rings) > nestLimit {
		return nil, false
	}
	var boxes [nestLimit]Box
	var areas [nestLimit]int64
	var parent [nestLimit]int
	for i, r := range c.rings {
		boxes[i], areas[i] = BoxOf(r), r.Area2()
	}
	for i, r := range c.rings {
		winding, smallest := int64(0), int64(math.MaxInt64)
		for j, outer := range c.rings {
			if i == j || !boxes[i].Within(boxes[j]) || !insideRing(outer, r[0]) {
				continue
			}
			winding += sign(areas[j])
			if areas[j] > 0 && areas[j] < smallest {
				smallest, parent[i] = areas[j], j
			}
		}
		if (areas[i] > 0) != (winding == 0) || (areas[i] < 0) != (winding == 1) {
			return nil, false
		}
	}
	out := make([]Polygon, 0, 1)
	var place [nestLimit]int
	for i, r := range c.rings {
		if areas[i] > 0 {
			place[i] = len(out)
			out = append(out, Polygon{r})
		}
	}
	for i, r := range c.rings {
		if areas[i] < 0 {
			at := place[parent[i]]
			out[at] = append(out[at], r)
		}
	}
	return out, true
}

// insideRing says whether p, which is not on the ring, is inside it.
func insideRing(r Ring, p Point) bool {
	inside := false
	a := r[len(r)-1]
	for _, b := range r {
		if (a.Y > p.Y) != (b.Y > p.Y) {
			if c := cross(a, b, p); (c > 0) == (b.Y > a.Y) {
				inside = !inside
			}
		}
		a = b
	}
	return inside
}

func sign(a int64) int64 {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	}
	return 0
}
