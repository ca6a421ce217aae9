package geom

import "math"

// Simplify drops the points of a line that lie within tolerance metres of the
// line without them (Douglas-Peucker). The ends stay; a ring keeps at least
// four points, so that it stays a ring.
func Simplify(line []Point, tolerance float64) []Point {
	if len(line) <= 2 || tolerance <= 0 {
		return line
	}
	ring := line[0] == line[len(line)-1]
	if ring && len(line) <= 4 {
		return line
	}
	s := simplifier{plane: flatten(line), keep: make([]bool, len(line)), square: tolerance * tolerance}
	last := len(line) - 1
	s.keep[0], s.keep[last] = true, true
	switch {
	case last > maxSplit:
		for from := 0; from < last; from += maxSplit {
			to := min(from+maxSplit, last)
			s.keep[to] = true
			s.split(from, to)
		}
	case ring: // its ends coincide: split it at the point farthest from them
		far, _ := s.farthest(0, last, 0)
		s.keep[far] = true
		s.split(0, far)
		s.split(far, last)
	default:
		s.split(0, last)
	}
	out := make([]Point, 0, len(line)/2)
	for i, k := range s.keep {
		if k {
			out = append(out, line[i])
		}
	}
	if ring && len(out) < 4 {
		return s.triangle(line)
	}
	return out
}

// maxSplit is the longest run of points that is simplified as one. A zigzag
// costs the square of its length: longer lines are cut first.
const maxSplit = 2048

type simplifier struct {
	plane  [][2]float64 // metres from the first point
	keep   []bool
	square float64 // of the tolerance
}

func flatten(line []Point) [][2]float64 {
	n := From(line[0])
	plane := make([][2]float64, len(line))
	for i, p := range line {
		plane[i][0], plane[i][1] = n.Plane(p)
	}
	return plane
}

// split keeps what is needed of the points between from and to.
func (s *simplifier) split(from, to int) {
	stack := [][2]int{{from, to}}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at, d := s.farthest(r[0], r[1], r[1]); d > s.square {
			s.keep[at] = true
			stack = append(stack, [2]int{r[0], at}, [2]int{at, r[1]})
		}
	}
}

// farthest finds the point between from and to that lies farthest from the
// segment from-end, and the square of its distance.
func (s *simplifier) farthest(from, to, end int) (at int, square float64) {
	at, square = from+1, -1
	a, b := s.plane[from], s.plane[end]
	dx, dy := b[0]-a[0], b[1]-a[1]
	l := dx*dx + dy*dy
	for i := from + 1; i < to; i++ {
		px, py := s.plane[i][0]-a[0], s.plane[i][1]-a[1]
		if l > 0 {
			t := math.Max(0, math.Min(1, (px*dx+py*dy)/l))
			px, py = px-t*dx, py-t*dy
		}
		if d := px*px + py*py; d > square {
			at, square = i, d
		}
	}
	return at, square
}

// triangle reduces a ring smaller than the tolerance to three of its points.
func (s *simplifier) triangle(ring []Point) []Point {
	last := len(ring) - 1
	a, _ := s.farthest(0, last, 0)
	b, d1 := s.farthest(0, a, a)
	if c, d2 := s.farthest(a, last, last); a == 1 || d2 > d1 {
		b = c
	}
	if b < a {
		a, b = b, a
	}
	return []Point{ring[0], ring[a], ring[b], ring[0]}
}
