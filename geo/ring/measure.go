package ring

import "math"

// earthRadius is the mean radius of the Earth in metres (IUGG).
const earthRadius = 6_371_008.8

// Area gives the area of a ring in m² on a sphere with the mean radius of the
// Earth, positive when the ring is counter-clockwise. The ring may repeat its
// first point at the end or not. Its sides are taken as straight in longitude
// and sine of latitude, which for the sides of real rings makes no difference.
func Area(ring []Point) float64 {
	if len(ring) < 3 {
		return 0
	}
	base := sin(ring[0].Y)
	sum := 0.0
	last := ring[len(ring)-1]
	h := sin(last.Y) - base
	for _, p := range ring {
		k := sin(p.Y) - base
		sum -= float64((float64(p.X) - float64(last.X)) * (h + k))
		last, h = p, k
	}
	const radians = math.Pi / 180 / 1e7
	return sum / 2 * radians * earthRadius * earthRadius
}

func sin(y int32) float64 { return math.Sin(float64(y) * (math.Pi / 180 / 1e7)) }

// Contains says whether p lies in the polygon. On the line of a ring counts as
// inside. It is exact.
func Contains(poly Polygon, p Point) bool {
	switch side(poly.Outer, p) {
	case 0:
		return true
	case -1:
		return false
	}
	for _, h := range poly.Holes {
		switch side(h, p) {
		case 0:
			return true
		case 1:
			return false
		}
	}
	return true
}

// side gives 1 for a point inside the ring, -1 outside, 0 on its line.
func side(ring []Point, p Point) int {
	if len(ring) == 0 {
		return -1
	}
	inside := false
	a := ring[len(ring)-1]
	for _, b := range ring {
		switch {
		case (a.Y > p.Y) != (b.Y > p.Y):
			o := orient(a, b, p)
			if o == 0 {
				return 0
			}
			if (o > 0) == (b.Y > a.Y) { // the side passes east of p
				inside = !inside
			}
		case p == b, a.Y == p.Y && b.Y == p.Y && (a.X > p.X) != (b.X > p.X):
			return 0
		}
		a = b
	}
	if inside {
		return 1
	}
	return -1
}
