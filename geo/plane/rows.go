package plane

import (
	"cmp"
	"slices"
)

// The work that rows does for one polygon.
const (
	rowsFirst  = 1 << 12 // rows looked at in a first, even pass
	rowsMost   = 1 << 20 // rows looked at when that finds nothing
	rowsBudget = 1 << 24 // crossings of rows and edges
)

// rows looks for grid points inside a narrow polygon, row by row. It is exact:
// as long as its bounds allow it finds one when there is one.
type rows struct {
	edges  []edge // each with its northern end first, by that end; no level ones
	low    int32
	high   int32
	active []edge
	stops  []stop
	left   int
}

// stop is a crossing of a row with an edge.
type stop struct {
	x            int32 // rounded down
	between      bool  // the crossing lies between grid points
	north, south bool  // the edge goes on to the north, to the south
}

func newRows(p Polygon) *rows {
	b := p.Box()
	s := &rows{low: b.MinY, high: b.MaxY, left: rowsBudget}
	for _, r := range p {
		if len(r) < 3 {
			continue
		}
		a := r[len(r)-1]
		for _, b := range r {
			switch {
			case a.Y < b.Y:
				s.edges = append(s.edges, edge{a: a, b: b})
			case a.Y > b.Y:
				s.edges = append(s.edges, edge{a: b, b: a})
			}
			a = b
		}
	}
	slices.SortFunc(s.edges, func(e, f edge) int { return cmp.Compare(e.a.Y, f.a.Y) })
	return s
}

// find gives the middle of the widest run of grid points inside.
func (s *rows) find() (Point, bool) {
	step := max(1, (s.high-s.low)/rowsFirst)
	at, ok := s.pass(step)
	if !ok && step > 1 {
		at, ok = s.pass(1)
	}
	return at, ok
}

// pass looks at every step-th row.
func (s *rows) pass(step int32) (best Point, ok bool) {
	edges, widest := s.edges, int32(0)
	s.active = s.active[:0]
	for row, n := s.low+1, 0; row < s.high && n < rowsMost && s.left > 0; row, n = row+step, n+1 {
		for ; len(edges) > 0 && edges[0].a.Y <= row; edges = edges[1:] {
			s.active = append(s.active, edges[0])
		}
		s.active = slices.DeleteFunc(s.active, func(e edge) bool { return e.b.Y < row })
		s.left -= len(s.active) + 1
		if x, width := s.row(row); width > widest {
			best, widest, ok = Point{x, row}, width, true
		}
	}
	return best, ok
}

// row gives the middle of the widest run of grid points inside on a row, and how
// many there are. A point of the row that is on no edge is inside when the places
// just north and just south of it are.
func (s *rows) row(y int32) (middle, widest int32) {
	s.stops = s.stops[:0]
	for _, e := range s.active {
		dx, dy, over := int64(e.b.X-e.a.X), int64(e.b.Y-e.a.Y), int64(y-e.a.Y)
		x := floorDiv(dx*over, dy)
		s.stops = append(s.stops, stop{e.a.X + int32(x), x*dy != dx*over, e.a.Y < y, e.b.Y > y})
	}
	slices.SortFunc(s.stops, func(a, b stop) int {
		if a.x != b.x {
			return int(a.x) - int(b.x)
		}
		if a.between != b.between && b.between {
			return -1
		}
		if a.between != b.between {
			return 1
		}
		return 0
	})
	north, south := false, false
	for i, a := range s.stops {
		north, south = north != a.north, south != a.south
		if !north || !south || i+1 == len(s.stops) {
			continue
		}
		from, to := a.x+1, s.stops[i+1].x
		if !s.stops[i+1].between {
			to--
		}
		if width := to - from + 1; width > widest {
			middle, widest = from+(to-from)/2, width
		}
	}
	return middle, widest
}
