// Package geom holds the few pieces of plane and sphere arithmetic that the
// map engines share. Coordinates are whole numbers of 1e-7 degrees, the
// precision of the source data, so that a point read from a map is the point
// that was written into it and the distance between equal points is zero.
//
// It promises metres good to 0.5 % within a country and refuses nothing:
// callers check ranges before they come here.
package geom

import "math"

// Scale is the number of coordinate units in one degree.
const Scale = 1e7

// earthRadius is the mean radius of the Earth in metres (IUGG).
const earthRadius = 6371008.8

// metresPerUnit is the length of one coordinate unit along a meridian.
const metresPerUnit = earthRadius * math.Pi / 180 / Scale

// Point is a place on the map: X is longitude and Y latitude, in 1e-7 degrees.
type Point struct{ X, Y int32 }

// FromDegrees rounds a latitude and longitude in degrees to a Point.
func FromDegrees(lat, lon float64) Point {
	return Point{X: int32(math.Round(lon * Scale)), Y: int32(math.Round(lat * Scale))}
}

// Lat is the latitude in degrees.
func (p Point) Lat() float64 { return float64(p.Y) / Scale }

// Lon is the longitude in degrees.
func (p Point) Lon() float64 { return float64(p.X) / Scale }

// Box is an axis-aligned rectangle, its edges included.
type Box struct{ MinX, MinY, MaxX, MaxY int32 }

// Empty is the box that contains nothing and disappears when extended.
func Empty() Box {
	return Box{MinX: math.MaxInt32, MinY: math.MaxInt32, MaxX: math.MinInt32, MaxY: math.MinInt32}
}

// IsEmpty reports whether no point lies in the box.
func (b Box) IsEmpty() bool { return b.MinX > b.MaxX || b.MinY > b.MaxY }

// Extend is the smallest box that holds b and p.
func (b Box) Extend(p Point) Box {
	return Box{min(b.MinX, p.X), min(b.MinY, p.Y), max(b.MaxX, p.X), max(b.MaxY, p.Y)}
}

// Union is the smallest box that holds both.
func (b Box) Union(o Box) Box {
	return Box{min(b.MinX, o.MinX), min(b.MinY, o.MinY), max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)}
}

// Contains reports whether p lies in the box or on its edge.
func (b Box) Contains(p Point) bool {
	return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY
}

// Grow is the box with metres added on each side, clamped to the world.
func (b Box) Grow(metres float64) Box {
	if b.IsEmpty() {
		return b
	}
	return Around(Point{b.MinX, b.MinY}, metres).Union(Around(Point{b.MaxX, b.MaxY}, metres))
}

// Intersects reports whether the boxes share a point.
func (b Box) Intersects(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY
}

// Intersection is what both boxes hold; empty when they do not meet.
func (b Box) Intersection(o Box) Box {
	b.MinX, b.MinY, b.MaxX, b.MaxY = max(b.MinX, o.MinX), max(b.MinY, o.MinY), min(b.MaxX, o.MaxX), min(b.MaxY, o.MaxY)
	if b.MinX > b.MaxX || b.MinY > b.MaxY {
		return Empty()
	}
	return b
}

// Center is the middle of the box.
func (b Box) Center() Point {
	return Point{X: int32((int64(b.MinX) + int64(b.MaxX)) / 2), Y: int32((int64(b.MinY) + int64(b.MaxY)) / 2)}
}

// Diagonal is the length in metres from corner to corner.
func (b Box) Diagonal() float64 {
	if b.IsEmpty() {
		return 0
	}
	return Distance(Point{b.MinX, b.MinY}, Point{b.MaxX, b.MaxY})
}

// Around is the box that holds every point within metres of p, clamped to the world.
func Around(p Point, metres float64) Box {
	dy := metres / metresPerUnit
	cos := math.Cos(radians(p.Y))
	dx := 360 * Scale
	if cos > 1e-6 {
		dx = dy / cos
	}
	return Box{
		MinX: clamp(float64(p.X)-dx, 180), MinY: clamp(float64(p.Y)-dy, 90),
		MaxX: clamp(float64(p.X)+dx, 180), MaxY: clamp(float64(p.Y)+dy, 90),
	}
}

func clamp(v, degrees float64) int32 {
	return int32(math.Max(-degrees*Scale, math.Min(degrees*Scale, v)))
}

func radians(units int32) float64 { return float64(units) * (math.Pi / 180 / Scale) }

// Distance is the great-circle distance in metres.
func Distance(a, b Point) float64 {
	if a == b {
		return 0
	}
	la, lb := radians(a.Y), radians(b.Y)
	sy := math.Sin((lb - la) / 2)
	sx := math.Sin(radiansWide(int64(b.X)-int64(a.X)) / 2)
	h := sy*sy + math.Cos(la)*math.Cos(lb)*sx*sx
	return 2 * earthRadius * math.Asin(math.Sqrt(math.Min(1, h)))
}

func radiansWide(units int64) float64 { return float64(units) * (math.Pi / 180 / Scale) }

// Near measures distances from one reference point, cheaply: the Earth is
// taken as a plane at the mean latitude of the two points.
type Near struct {
	p   Point
	cos float64
	sin float64
}

// From prepares distances from p.
func From(p Point) Near {
	s, c := math.Sincos(radians(p.Y))
	return Near{p: p, cos: c, sin: s}
}

// Metres is the distance to q.
func (n Near) Metres(q Point) float64 {
	x, y := n.Plane(q)
	return math.Sqrt(x*x + y*y)
}

// AtLeast is a cheap lower bound on the distance to q, close for near points.
func (n Near) AtLeast(q Point) float64 {
	dy := float64(int64(q.Y)-int64(n.p.Y)) * metresPerUnit
	if math.Abs(dy) > 500_000 {
		return math.Abs(dy)
	}
	return n.Metres(q)
}

// Plane gives q in metres east and north of the reference point.
func (n Near) Plane(q Point) (x, y float64) {
	dy := float64(int64(q.Y) - int64(n.p.Y))
	half := dy * (math.Pi / 360 / Scale)
	cos := n.cos
	if math.Abs(half) < 0.05 { // first-order step to the mean latitude
		cos -= n.sin * half
	} else {
		cos = math.Cos(radians(n.p.Y) + half)
	}
	dx := float64(int64(q.X)-int64(n.p.X)) * cos
	return dx * metresPerUnit, dy * metresPerUnit
}

// ToSegment gives the distance in metres to the segment a-b and its nearest point.
func (n Near) ToSegment(a, b Point) (float64, Point) {
	ax, ay := n.Plane(a)
	bx, by := n.Plane(b)
	dx, dy := bx-ax, by-ay
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, -(ax*dx+ay*dy)/l))
	}
	q := Between(a, b, t)
	px, py := ax+t*dx, ay+t*dy
	return math.Sqrt(px*px + py*py), q
}

// Between is the point at the share t, in [0, 1], of the way from a to b.
func Between(a, b Point, t float64) Point {
	return Point{
		X: a.X + int32(math.Round(t*float64(int64(b.X)-int64(a.X)))),
		Y: a.Y + int32(math.Round(t*float64(int64(b.Y)-int64(a.Y)))),
	}
}

// Length is the length of a line in metres.
func Length(line []Point) float64 {
	var sum float64
	for i := 1; i < len(line); i++ {
		sum += Distance(line[i-1], line[i])
	}
	return sum
}

// Bounds is the box around points; empty for none.
func Bounds(points []Point) Box {
	b := Empty()
	for _, p := range points {
		b = b.Extend(p)
	}
	return b
}

// Middle is the point half-way along a line.
func Middle(line []Point) Point {
	rest := Length(line) / 2
	for i := 1; i < len(line); i++ {
		d := Distance(line[i-1], line[i])
		if d > 0 && d >= rest {
			return Between(line[i-1], line[i], rest/d)
		}
		rest -= d
	}
	if len(line) == 0 {
		return Point{}
	}
	return line[len(line)-1]
}
