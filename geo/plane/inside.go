package plane

import "math"

// PointInside gives a place for a label: a grid point strictly inside a valid
// polygon, near the middle of the largest circle that fits (the pole of
// inaccessibility), and of places nearly as good one near the middle. It looks
// at a few hundred places at most, fewer when the polygon has many points.
//
// A polygon so narrow that no grid point is inside gives a point of its border.
// An empty polygon gives the origin.
func PointInside(p Polygon) Point {
	if len(p) == 0 || len(p[0]) == 0 {
		return Point{}
	}
	if len(p[0]) >= 3 {
		if at, ok := newPole(p).find(); ok && Inside(p, at) {
			return at
		}
		if at, ok := newRows(p).find(); ok && Inside(p, at) {
			return at
		}
	}
	return p[0][0]
}

// Inside says whether a point lies inside a polygon, not on its border.
func Inside(p Polygon, at Point) bool {
	inside := false
	for _, r := range p {
		if len(r) < 3 {
			continue
		}
		a := r[len(r)-1]
		for _, b := range r {
			if min(a.Y, b.Y) <= at.Y && max(a.Y, b.Y) >= at.Y {
				c := cross(a, b, at)
				if c == 0 && min(a.X, b.X) <= at.X && max(a.X, b.X) >= at.X {
					return false
				}
				if (a.Y > at.Y) != (b.Y > at.Y) && (c > 0) == (b.Y > a.Y) {
					inside = !inside
				}
			}
			a = b
		}
	}
	return inside
}

// pole looks for the pole of inaccessibility: squares are looked at in the order
// of the best distance they might hold, and quartered (polylabel).
type pole struct {
	p             Polygon
	size          float64 // half the diagonal of the box
	midX, midY    float64 // the centre of the area
	precision     float64
	left          int // places that may still be looked at
	best          spot
	squares       []spot
	width, height float64
}

// spot is the middle of a square.
type spot struct {
	x, y, half float64
	score      float64 // how good the middle is
	most       float64 // how good the best place in the square may be
}

func newPole(p Polygon) *pole {
	b, points := p.Box(), 0
	for _, r := range p {
		points += len(r)
	}
	s := &pole{p: p, width: float64(b.MaxX - b.MinX), height: float64(b.MaxY - b.MinY)}
	s.size = math.Hypot(s.width, s.height) / 2
	s.precision = max(0.5, 0.03*min(s.width, s.height))
	s.left = min(max(1<<22/points, 64), 512)
	s.midX, s.midY = p.centre()
	return s
}

// centre is the centre of the area, the first point when there is none.
func (p Polygon) centre() (x, y float64) {
	o, sum := p[0][0], 0.0
	for _, r := range p {
		for i := range r {
			a, b := r[i], r[(i+1)%len(r)]
			c := float64(cross(o, a, b))
			sum += c
			x += float64(c * float64(int64(a.X-o.X)+int64(b.X-o.X)))
			y += float64(c * float64(int64(a.Y-o.Y)+int64(b.Y-o.Y)))
		}
	}
	if sum == 0 {
		return float64(o.X), float64(o.Y)
	}
	return float64(o.X) + x/(3*sum), float64(o.Y) + y/(3*sum)
}

// find says false when no place inside was found.
func (s *pole) find() (Point, bool) {
	if s.width == 0 || s.height == 0 {
		return Point{}, false
	}
	s.best = s.look(s.midX, s.midY, 0)
	b := s.p.Box()
	side := max(min(s.width, s.height), max(s.width, s.height)/8)
	for x := float64(b.MinX); x < float64(b.MaxX); x += side {
		for y := float64(b.MinY); y < float64(b.MaxY); y += side {
			s.try(x+side/2, y+side/2, side/2)
		}
	}
	for s.left > 0 {
		q, ok := s.take()
		if !ok || q.most-s.best.score <= s.precision {
			break
		}
		h := q.half / 2
		for _, d := range [4][2]float64{{-h, -h}, {h, -h}, {-h, h}, {h, h}} {
			s.try(q.x+d[0], q.y+d[1], h)
		}
	}
	at := Point{int32(math.Floor(s.best.x + 0.5)), int32(math.Floor(s.best.y + 0.5))}
	return at, s.best.score > 0
}

// try looks at a square and keeps it when it may hold something better.
func (s *pole) try(x, y, half float64) {
	q := s.look(x, y, half)
	s.left--
	if q.score > s.best.score {
		s.best = q
	}
	if q.most > s.best.score+s.precision {
		s.squares = append(s.squares, q)
	}
}

// take removes the square that promises most.
func (s *pole) take() (spot, bool) {
	if len(s.squares) == 0 {
		return spot{}, false
	}
	most := 0
	for i, q := range s.squares {
		if q.most > s.squares[most].most {
			most = i
		}
	}
	q, last := s.squares[most], len(s.squares)-1
	s.squares[most] = s.squares[last]
	s.squares = s.squares[:last]
	return q, true
}

// look judges a place: its distance from the border, less up to a tenth when it
// is far from the middle, below zero outside.
func (s *pole) look(x, y, half float64) spot {
	d, far, corner := s.distance(x, y), math.Hypot(x-s.midX, y-s.midY), half*math.Sqrt2
	return spot{x: x, y: y, half: half, score: s.judge(d, far), most: s.judge(d+corner, max(0, far-corner))}
}

// judge is how good a place is at a distance from the border and another from the
// middle.
func (s *pole) judge(d, far float64) float64 {
	if d <= 0 {
		return d
	}
	return d * (1 - 0.1*min(1, far/s.size))
}

// distance of a place from the border, below zero outside.
func (s *pole) distance(x, y float64) float64 {
	inside, least := false, math.Inf(1)
	for _, r := range s.p {
		if len(r) < 3 {
			continue
		}
		a := r[len(r)-1]
		ax, ay := float64(a.X)-x, float64(a.Y)-y
		for _, b := range r {
			bx, by := float64(b.X)-x, float64(b.Y)-y
			dx, dy := bx-ax, by-ay
			if (ay > 0) != (by > 0) && (float64(ay*dx) > float64(ax*dy)) == (dy > 0) {
				inside = !inside
			}
			px, py := ax, ay
			if along, length := -float64(ax*dx)-float64(ay*dy), float64(dx*dx)+float64(dy*dy); along >= length {
				px, py = bx, by
			} else if along > 0 {
				t := along / length
				px, py = ax+float64(t*dx), ay+float64(t*dy)
			}
			least = min(least, float64(px*px)+float64(py*py))
			ax, ay = bx, by
		}
	}
	if !inside {
		return -math.Sqrt(least)
	}
	return math.Sqrt(least)
}
