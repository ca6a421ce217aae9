// Package plane is geometry on the integer grid of map tiles: clipping, cutting
// along a grid of tiles, simplifying, cleaning polygons, joining lines, and
// finding a place for a label.
//
// It promises exact decisions (every comparison is made on whole numbers),
// polygons that a strict consumer accepts (Clean), the same result for the same
// input on every machine, and bounded time for shapes made to cost much.
//
// Units are the caller's: pixels of a tile, or world units. X grows to the east
// and Y grows DOWN, as in tiles. Every coordinate lies within ±Limit; geometry
// in degrees and metres is at home in package geom.
//
// It refuses nothing: what is too short or has no area disappears, and shapes
// past the bounds that Clean names become coarser.
package plane

import "math"

// Limit bounds the coordinates of everything here. Within it twice the
// difference of two coordinates times another fits in 62 bits, so that all
// decisions are exact. The world has 2^26 units.
const Limit = 1 << 28

// Point is a place on the grid: X to the east, Y down.
type Point struct{ X, Y int32 }

// Line is a line through two points or more.
type Line []Point

// Ring is a closed line that does not repeat its first point: three points or
// more.
type Ring []Point

// Polygon is an outer ring and its holes. Area2 of the outer ring is positive,
// Area2 of holes is negative (vector tiles 2.1, 4.3.4.4).
type Polygon []Ring

// compare orders points from west to east, then from north to south.
func (p Point) compare(q Point) int {
	switch a, b := p.key(), q.key(); {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// key is a number that orders points like compare.
func (p Point) key() uint64 {
	return uint64(uint32(p.X)^1<<31)<<32 | uint64(uint32(p.Y)^1<<31)
}

// pointOf is the point with this key.
func pointOf(key uint64) Point {
	return Point{int32(uint32(key>>32) ^ 1<<31), int32(uint32(key) ^ 1<<31)}
}

// cross is twice the signed area of the triangle a, b, c: positive when c lies
// on the right of the way from a to b as seen on a screen, zero when the three
// are in line.
func cross(a, b, c Point) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}

// dot is the product of the lengths of b-a and c-a with the cosine between them.
func dot(a, b, c Point) int64 {
	return int64(b.X-a.X)*int64(c.X-a.X) + int64(b.Y-a.Y)*int64(c.Y-a.Y)
}

// Area2 is twice the signed area: positive when the ring runs clockwise on a
// screen (Y down), which vector tiles ask of outer rings.
func (r Ring) Area2() int64 {
	if len(r) < 3 {
		return 0
	}
	var sum int64
	for i := 2; i < len(r); i++ {
		sum += cross(r[0], r[i-1], r[i])
	}
	return sum
}

// Area2 is twice the area: of the outer ring less that of the holes.
func (p Polygon) Area2() int64 {
	var sum int64
	for _, r := range p {
		sum += r.Area2()
	}
	return sum
}

// Box gives the smallest box around the outer ring.
func (p Polygon) Box() Box {
	if len(p) == 0 {
		return Nowhere()
	}
	return BoxOf(p[0])
}

// Length is the length of the line.
func (l Line) Length() float64 {
	var sum float64
	for i := 1; i < len(l); i++ {
		sum += math.Hypot(float64(l[i].X-l[i-1].X), float64(l[i].Y-l[i-1].Y))
	}
	return sum
}

// Box is a rectangle with its border. It is empty when a maximum is below its
// minimum.
type Box struct{ MinX, MinY, MaxX, MaxY int32 }

// Nowhere is the empty box that Extend grows from.
func Nowhere() Box { return Box{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32} }

// BoxOf gives the smallest box around points.
func BoxOf[S ~[]Point](points S) Box {
	b := Nowhere()
	for _, p := range points {
		b = b.Extend(p)
	}
	return b
}

// Empty says whether the box holds no point.
func (b Box) Empty() bool { return b.MinX > b.MaxX || b.MinY > b.MaxY }

// Contains says whether p is in the box or on its border.
func (b Box) Contains(p Point) bool {
	return p.X >= b.MinX && p.X <= b.MaxX && p.Y >= b.MinY && p.Y <= b.MaxY
}

// Within says whether all of b is in o. An empty box is within every box.
func (b Box) Within(o Box) bool {
	return b.Empty() || b.MinX >= o.MinX && b.MaxX <= o.MaxX && b.MinY >= o.MinY && b.MaxY <= o.MaxY
}

// Intersects says whether the boxes share a point.
func (b Box) Intersects(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY
}

// Extend gives the box that holds p too.
func (b Box) Extend(p Point) Box {
	return Box{min(b.MinX, p.X), min(b.MinY, p.Y), max(b.MaxX, p.X), max(b.MaxY, p.Y)}
}

// Union gives the smallest box around both.
func (b Box) Union(o Box) Box {
	return Box{min(b.MinX, o.MinX), min(b.MinY, o.MinY), max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)}
}

// Expand moves the border outward by n units, or inward when n is negative.
func (b Box) Expand(n int32) Box {
	if b.Empty() {
		return b
	}
	return Box{b.MinX - n, b.MinY - n, b.MaxX + n, b.MaxY + n}
}
