// Package ring assembles polygons from the member ways of multipolygon and
// boundary relations.
//
// It promises polygons a strict consumer accepts: simple closed rings, outer
// rings counter-clockwise, holes clockwise, holes inside their outer ring,
// rings meeting each other in single points at most; the same result for any
// order and direction of the ways; and an answer for the sound part of a
// relation when another part is broken, with every repair reported.
//
// A relation is read as the area that an odd number of its rings surround.
// Where lines cross, a vertex is put on the crossing. Roles are hints: only a
// ring of role inner that lies outside everything is left out because of them,
// unless the relation has no ways but inner ones. The ring around it may be one
// that the extract lacks: ways without points count.
//
// It refuses: rings with a gap (they are reported and skipped, never closed by
// a guess), points outside the world, rings across the 180th meridian (the data
// cuts them there), and geometry made to cost unbounded time.
package ring

import (
	"cmp"
	"slices"

	"svc/geo/geom"
)

// The world in 1e-7 degrees. Inside it the product of two coordinate
// differences fits in 63 bits, so that all decisions are exact.
const (
	maxX = 1_800_000_000
	maxY = 900_000_000
)

// Point is a place: X longitude, Y latitude, in 1e-7 degrees.
type Point = geom.Point

// comparePoints orders points from west to east, then from south to north.
func comparePoints(p, q Point) int { return cmp.Compare(pointKey(p), pointKey(q)) }

// pointKey is a number that orders points like comparePoints.
func pointKey(p Point) uint64 {
	return uint64(uint32(p.X)^1<<31)<<32 | uint64(uint32(p.Y)^1<<31)
}

func inWorld(p Point) bool {
	return p.X >= -maxX && p.X <= maxX && p.Y >= -maxY && p.Y <= maxY
}

// Line is one member way. ID is the id of the way, 0 when it has none. Vertices
// are identified by their place: two nodes in one place are one vertex, so
// Nodes is not needed and may be nil. A way the extract does not contain has no
// Pts; it must be listed all the same, for its role tells what the others are.
type Line struct {
	ID    int64
	Role  string
	Pts   []Point
	Nodes []int64
}

// Polygon is an outer ring and its holes. Rings are closed (first == last); the
// outer ring is counter-clockwise, holes are clockwise, and each begins at its
// westernmost, then southernmost vertex.
type Polygon struct {
	Outer []Point
	Holes [][]Point
}

// Kinds of Problem.
const (
	Missing      = "missing-member"    // a way has no points
	TooShort     = "too-short"         // a way has one place only
	Outside      = "outside-world"     // a way has a point outside the world; it is left out
	DuplicateWay = "duplicate-way"     // a way is listed twice; it counts once
	Shared       = "shared-segment"    // two ways run over each other; there they cancel out
	Unclosed     = "unclosed"          // a chain of ways ends here; it is left out
	Intersection = "self-intersection" // two segments cross here; a vertex was put in
	InnerOutside = "inner-outside"     // a ring of role inner lies outside all outer rings
	OuterInside  = "outer-inside"      // a ring of role outer lies inside another; it counts as hole
	TooComplex   = "too-complex"       // assembling would take too long; nothing is returned
)

// maxProblems bounds the list of problems of one relation; the rest is not listed.
const maxProblems = 1000

// Problem is one thing wrong with a relation. Way is the id of a way involved.
type Problem struct {
	Kind string
	Way  int64
	At   Point
}

// Assemble makes polygons of the member ways of one relation, the largest
// first, and reports what is wrong with it. Time is near n·log(n) for n points.
func Assemble(lines []Line) ([]Polygon, []Problem) {
	a := &assembly{}
	a.collect(lines)
	a.cancel()
	a.restore()
	// Chains with a gap go before crossings are looked for: they must not leave
	// vertices on sound rings, nor close because they happen to cross something.
	g := newGraph(a.segs)
	repaired := a.repair(g)
	if repaired {
		a.segs = g.living(a.segs)
	}
	noded, ok := a.node()
	if !ok {
		return nil, a.sorted()
	}
	if repaired || noded {
		g = newGraph(a.segs)
	}
	polygons := a.nest(a.rings(g))
	return polygons, a.sorted()
}

// assembly is one call of Assemble under way.
type assembly struct {
	lines    []Line
	segs     []segment
	spare    []segment // cancelled out, one of each pair
	problems []Problem
	lost     bool // a way that is not inner is missing or does not close
}

// lose notes that a way is of no use.
func (a *assembly) lose(l *Line) { a.lost = a.lost || l.Role != "inner" }

func (a *assembly) report(kind string, way int64, at Point) {
	p := Problem{Kind: kind, Way: way, At: at}
	switch {
	case len(a.problems) < maxProblems:
		a.problems = append(a.problems, p)
	case kind == TooComplex: // the one that explains the missing polygons
		a.problems[maxProblems-1] = p
	}
}

// sorted gives the problems in an order that does not depend on that of the ways.
func (a *assembly) sorted() []Problem {
	slices.SortFunc(a.problems, func(p, q Problem) int {
		return cmp.Or(cmp.Compare(p.Kind, q.Kind), comparePoints(p.At, q.At), cmp.Compare(p.Way, q.Way))
	})
	return slices.Compact(a.problems)
}

// orient tells on which side of the line from a to b the point c lies: 1 left,
// -1 right, 0 on it. It is exact for points of the world.
func orient(a, b, c Point) int {
	return cmp.Compare(
		(int64(b.X)-int64(a.X))*(int64(c.Y)-int64(a.Y)),
		(int64(b.Y)-int64(a.Y))*(int64(c.X)-int64(a.X)),
	)
}
