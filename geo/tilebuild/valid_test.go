package tilebuild

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/paulmach/orb"
)

// The check of validity shares nothing with the product: it looks at the
// coordinates that an independent decoder gives, all whole numbers, and at every
// pair of edges that come near each other.

type vertex struct{ x, y int64 }

type side struct {
	a, b       vertex
	ring, next int // ring number; index of the edge that follows in it
	index      int
}

// invalid says what is wrong with the polygons of one feature by the rules of
// OGC simple features and of vector tiles 2.1; "" when nothing is.
func invalid(polygons []orb.Polygon) string {
	var sides []side
	var rings [][]vertex
	outer := map[int]int{} // ring to the ring that is its outer one
	for _, p := range polygons {
		first := len(rings)
		for i, r := range p {
			pts := make([]vertex, 0, len(r))
			for _, q := range r[:len(r)-1] {
				pts = append(pts, vertex{int64(q[0]), int64(q[1])})
			}
			if r[0] != r[len(r)-1] || len(pts) < 3 {
				return fmt.Sprintf("a ring of %d points", len(r))
			}
			if a := area2(pts); (a > 0) != (i == 0) || a == 0 {
				return fmt.Sprintf("ring %d of a polygon has twice the area %d", i, a)
			}
			outer[len(rings)] = first
			from := len(sides)
			for j := range pts {
				sides = append(sides, side{pts[j], pts[(j+1)%len(pts)], len(rings), from + (j+1)%len(pts), from + j})
			}
			rings = append(rings, pts)
		}
	}
	if s := meetings(sides); s != "" {
		return s
	}
	return nesting(rings, outer)
}

func area2(r []vertex) (sum int64) {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += p.x*q.y - q.x*p.y
	}
	return sum
}

func turn(a, b, c vertex) int {
	return cmp.Compare((b.x-a.x)*(c.y-a.y)-(b.y-a.y)*(c.x-a.x), 0)
}

func between(a, b, p vertex) bool {
	return turn(a, b, p) == 0 && min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x) && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y)
}

// meetings looks at all pairs of edges: those of one ring meet only where they
// follow each other, those of two rings in single points.
func meetings(sides []side) string {
	byX := slices.Clone(sides)
	slices.SortFunc(byX, func(s, t side) int { return cmp.Compare(min(s.a.x, s.b.x), min(t.a.x, t.b.x)) })
	for i, s := range byX {
		if s.a == s.b {
			return fmt.Sprintf("a point is repeated at %v", s.a)
		}
		for _, t := range byX[i+1:] {
			if min(t.a.x, t.b.x) > max(s.a.x, s.b.x) {
				break
			}
			if min(t.a.y, t.b.y) > max(s.a.y, s.b.y) || max(t.a.y, t.b.y) < min(s.a.y, s.b.y) {
				continue
			}
			if what := meet(s, t); what != "" {
				return what
			}
		}
	}
	return ""
}

func meet(s, t side) string {
	o1, o2, o3, o4 := turn(s.a, s.b, t.a), turn(s.a, s.b, t.b), turn(t.a, t.b, s.a), turn(t.a, t.b, s.b)
	if o1*o2 < 0 && o3*o4 < 0 {
		return fmt.Sprintf("edges %v-%v and %v-%v cross", s.a, s.b, t.a, t.b)
	}
	shared := map[vertex]bool{}
	for _, p := range []struct {
		on   side
		what vertex
	}{{s, t.a}, {s, t.b}, {t, s.a}, {t, s.b}} {
		if between(p.on.a, p.on.b, p.what) {
			shared[p.what] = true
		}
	}
	switch {
	case len(shared) > 1:
		return fmt.Sprintf("edges %v-%v and %v-%v run over each other", s.a, s.b, t.a, t.b)
	case len(shared) == 1 && s.ring == t.ring:
		if (s.next == t.index && shared[s.b]) || (t.next == s.index && shared[t.b]) {
			return ""
		}
		return fmt.Sprintf("a ring touches itself: edges %v-%v and %v-%v", s.a, s.b, t.a, t.b)
	}
	return ""
}

// nesting: holes lie inside their outer ring, outer rings outside each other
// but for those in a hole.
func nesting(rings [][]vertex, outer map[int]int) string {
	for i, r := range rings {
		for j, o := range rings {
			if i == j || outer[i] == i && outer[j] != j || outer[i] != i && outer[j] == j && outer[i] != j {
				continue
			}
			where := sideOf(r, o)
			switch {
			case outer[i] != i && outer[i] == j && where < 0:
				return fmt.Sprintf("the hole at %v lies outside", r[0])
			case outer[i] == i && outer[j] == j && where > 0 && !inHole(rings, outer, r, j):
				return fmt.Sprintf("the polygon at %v lies inside another", r[0])
			case outer[i] != i && outer[i] == outer[j] && outer[j] != j && where > 0:
				return fmt.Sprintf("the hole at %v lies inside another", r[0])
			}
		}
	}
	return ""
}

func inHole(rings [][]vertex, outer map[int]int, r []vertex, polygon int) bool {
	for k, h := range rings {
		if k != polygon && outer[k] == polygon && sideOf(r, h) > 0 {
			return true
		}
	}
	return false
}

// sideOf says on which side of ring o ring r lies, which it does not cross: 1
// inside, -1 outside.
func sideOf(r, o []vertex) int {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		// The middle of an edge, on a grid twice as fine.
		if s := inside(vertex{p.x + q.x, p.y + q.y}, o, 2); s != 0 {
			return s
		}
	}
	return 0
}

func inside(p vertex, o []vertex, scale int64) int {
	odd := false
	for i, a := range o {
		b := o[(i+1)%len(o)]
		a, b = vertex{a.x * scale, a.y * scale}, vertex{b.x * scale, b.y * scale}
		if between(a, b, p) {
			return 0
		}
		if (a.y > p.y) != (b.y > p.y) && (turn(a, b, p) > 0) == (b.y > a.y) {
			odd = !odd
		}
	}
	if odd {
		return 1
	}
	return -1
}

// TestInvalid: the check itself finds what it looks for.
func TestInvalid(t *testing.T) {
	ring := func(xy ...float64) (r orb.Ring) {
		for i := 0; i < len(xy); i += 2 {
			r = append(r, orb.Point{xy[i], xy[i+1]})
		}
		return append(r, r[0])
	}
	box := func(x0, y0, x1, y1 float64) orb.Ring { return ring(x0, y0, x1, y0, x1, y1, x0, y1) }
	hole := func(x0, y0, x1, y1 float64) orb.Ring { return ring(x0, y0, x0, y1, x1, y1, x1, y0) }
	for _, c := range []struct {
		name string
		p    []orb.Polygon
		ok   bool
	}{
		{"a square", []orb.Polygon{{box(0, 0, 10, 10)}}, true},
		{"turned round", []orb.Polygon{{hole(0, 0, 10, 10)}}, false},
		{"with a hole", []orb.Polygon{{box(0, 0, 10, 10), hole(2, 2, 4, 4)}}, true},
		{"a hole turned round", []orb.Polygon{{box(0, 0, 10, 10), box(2, 2, 4, 4)}}, false},
		{"a hole outside", []orb.Polygon{{box(0, 0, 10, 10), hole(12, 2, 14, 4)}}, false},
		{"a hole in a hole", []orb.Polygon{{box(0, 0, 10, 10), hole(1, 1, 9, 9), hole(2, 2, 4, 4)}}, false},
		{"a bow tie", []orb.Polygon{{ring(0, 0, 10, 10, 10, 0, 0, 20)}}, false},
		{"touching itself in a point", []orb.Polygon{{ring(0, 0, 10, 0, 5, 5, 10, 10, 0, 10, 5, 5)}}, false},
		{"touching its own edge", []orb.Polygon{{ring(0, 0, 10, 0, 10, 10, 5, 0, 0, 10)}}, false},
		{"a spike", []orb.Polygon{{ring(0, 0, 10, 0, 15, 0, 10, 0, 10, 10, 0, 10)}}, false},
		{"neighbours with a common edge", []orb.Polygon{{box(0, 0, 10, 10)}, {box(10, 0, 20, 10)}}, false},
		{"neighbours with a part of an edge", []orb.Polygon{{box(0, 0, 10, 10)}, {box(10, 3, 20, 7)}}, false},
		{"neighbours that touch in a point", []orb.Polygon{{box(0, 0, 10, 10)}, {box(10, 10, 20, 20)}}, true},
		{"one inside another", []orb.Polygon{{box(0, 0, 10, 10)}, {box(2, 2, 4, 4)}}, false},
		{"one in the hole of another", []orb.Polygon{{box(0, 0, 10, 10), hole(1, 1, 9, 9)}, {box(2, 2, 4, 4)}}, true},
		{"overlapping", []orb.Polygon{{box(0, 0, 10, 10)}, {box(5, 5, 15, 15)}}, false},
	} {
		if got := invalid(c.p); (got == "") != c.ok {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
