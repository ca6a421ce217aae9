package geom

import "math"

// maxMeetingPoints bounds the points, and sixteen times as many pairs of segments, that
// Meeting compares.
const maxMeetingPoints = 4000

// Meeting is where two sets of lines cross, or where one comes nearest to a point of the
// other, within reach metres. ok is false when they keep farther apart.
func Meeting(a, b [][]Point, reach float64) (at Point, ok bool) {
	best, left := reach, maxMeetingPoints
	try := func(from, to [][]Point) {
		for _, line := range from {
			for _, p := range line {
				if left--; left < 0 {
					return
				}
				if d, q := nearestOn(p, to, reach); d < best {
					best, at, ok = d, q, true
				}
			}
		}
	}
	try(a, b)
	try(b, a)
	if p, crosses := crossingOf(a, b); crosses {
		return p, true
	}
	return at, ok
}

// nearestOn is the nearest point of some lines within reach of p.
func nearestOn(p Point, lines [][]Point, reach float64) (metres float64, at Point) {
	metres = math.Inf(1)
	near, around := From(p), Around(p, reach)
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			if !Empty().Extend(l[i-1]).Extend(l[i]).Intersects(around) {
				continue
			}
			if d, q := near.ToSegment(l[i-1], l[i]); d < metres {
				metres, at = d, q
			}
		}
	}
	return metres, at
}

// crossingOf is the first point where two sets of lines cross.
func crossingOf(a, b [][]Point) (Point, bool) {
	left := maxMeetingPoints * 16
	for _, l := range a {
		for i := 1; i < len(l); i++ {
			box := Empty().Extend(l[i-1]).Extend(l[i])
			for _, m := range b {
				for j := 1; j < len(m); j++ {
					if left--; left < 0 {
						return Point{}, false
					}
					if !box.Intersects(Empty().Extend(m[j-1]).Extend(m[j])) {
						continue
					}
					if p, ok := segmentsCross(l[i-1], l[i], m[j-1], m[j]); ok {
						return p, true
					}
				}
			}
		}
	}
	return Point{}, false
}

// segmentsCross is the point that two segments share.
func segmentsCross(a, b, c, d Point) (Point, bool) {
	ux, uy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	vx, vy := float64(d.X)-float64(c.X), float64(d.Y)-float64(c.Y)
	cross := ux*vy - uy*vx
	if cross == 0 {
		return Point{}, false
	}
	wx, wy := float64(c.X)-float64(a.X), float64(c.Y)-float64(a.Y)
	t, s := (wx*vy-wy*vx)/cross, (wx*uy-wy*ux)/cross
	if t < 0 || t > 1 || s < 0 || s > 1 {
		return Point{}, false
	}
	return Between(a, b, t), true
}
