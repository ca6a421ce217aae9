package ring

import (
	"container/heap"
	"math"
	"slices"
)

// Effort of InnerPoint: the outline is thinned to about this many points, and
// the search ends after this many cells.
const (
	innerPoints = 800
	innerCells  = 400
)

// InnerPoint gives a point inside the polygon, for its label: about the one
// farthest from all lines (the pole of inaccessibility, within 2 % of the
// smaller side of the box). The same polygon always gives the same point. It is
// contained in the polygon even when that is too thin to have a whole-numbered
// point inside; an empty polygon gives the zero Point.
func InnerPoint(poly Polygon) Point {
	if len(poly.Outer) == 0 {
		return Point{}
	}
	if p := newPole(poly).find(); side(poly.Outer, p) > 0 && Contains(poly, p) {
		return p
	}
	if p, ok := widest(poly); ok {
		return p
	}
	return poly.Outer[0]
}

// pole searches the pole of inaccessibility by dividing the box into square
// cells, always the most promising one first. X is scaled so that both axes
// have the same length on the ground.
type pole struct {
	rings      [][]spot
	low, high  spot
	scale      float64 // of X
	cells      cells
	best       cell
	cellsTried int
}

type spot struct{ x, y float64 }

// cell is a square around mid; dist is the signed distance of mid from the
// outline, reach the most that any point of the cell could have.
type cell struct {
	mid         spot
	half        float64
	dist, reach float64
}

func newPole(poly Polygon) *pole {
	low, high := box(poly.Outer)
	p := &pole{scale: math.Cos((float64(low.Y) + float64(high.Y)) / 2 * (math.Pi / 180 / 1e7))}
	p.scale = max(p.scale, 0.01)
	total := len(poly.Outer)
	for _, h := range poly.Holes {
		total += len(h)
	}
	step := max(1, total/innerPoints)
	p.rings = append(p.rings, p.thin(poly.Outer, step))
	for _, h := range poly.Holes {
		if len(h) >= 3*step || step == 1 {
			p.rings = append(p.rings, p.thin(h, step))
		}
	}
	p.low, p.high = p.spot(low), p.spot(high)
	return p
}

func (p *pole) spot(q Point) spot { return spot{float64(q.X) * p.scale, float64(q.Y)} }

// thin keeps every step-th point.
func (p *pole) thin(ring []Point, step int) []spot {
	out := make([]spot, 0, len(ring)/step+1)
	for i := 0; i < len(ring); i += step {
		out = append(out, p.spot(ring[i]))
	}
	return out
}

func (p *pole) find() Point {
	width, height := p.high.x-p.low.x, p.high.y-p.low.y
	size := min(width, height)
	if size <= 0 {
		return Point{}
	}
	size = max(size, max(width, height)/16) // a strip begins with 16 cells
	half := size / 2
	p.best = p.cell(spot{(p.low.x + p.high.x) / 2, (p.low.y + p.high.y) / 2}, 0)
	for x := p.low.x; x < p.high.x; x += size {
		for y := p.low.y; y < p.high.y; y += size {
			p.push(p.cell(spot{x + half, y + half}, half))
		}
	}
	precision := min(width, height) / 50
	for len(p.cells) > 0 && p.cellsTried < innerCells {
		c := heap.Pop(&p.cells).(cell)
		if c.reach-p.best.dist <= precision {
			break
		}
		h := c.half / 2
		for _, d := range []spot{{-h, -h}, {h, -h}, {-h, h}, {h, h}} {
			p.push(p.cell(spot{c.mid.x + d.x, c.mid.y + d.y}, h))
		}
	}
	return Point{X: int32(math.Round(p.best.mid.x / p.scale)), Y: int32(math.Round(p.best.mid.y))}
}

func (p *pole) push(c cell) {
	if c.dist > p.best.dist {
		p.best = c
	}
	heap.Push(&p.cells, c)
}

func (p *pole) cell(mid spot, half float64) cell {
	p.cellsTried++
	d := p.distance(mid)
	return cell{mid, half, d, d + half*math.Sqrt2}
}

// distance is that of q to the nearest line, negative outside the polygon.
func (p *pole) distance(q spot) float64 {
	inside, best := false, math.Inf(1)
	for _, r := range p.rings {
		a := r[len(r)-1]
		for _, b := range r {
			if (a.y > q.y) != (b.y > q.y) && q.x < (b.x-a.x)*(q.y-a.y)/(b.y-a.y)+a.x {
				inside = !inside
			}
			best = min(best, squared(q, a, b))
			a = b
		}
	}
	if inside {
		return math.Sqrt(best)
	}
	return -math.Sqrt(best)
}

// squared is the square of the distance of q from the line between a and b.
func squared(q, a, b spot) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	if dx != 0 || dy != 0 {
		t := ((q.x-a.x)*dx + (q.y-a.y)*dy) / (dx*dx + dy*dy)
		t = min(1, max(0, t))
		a.x, a.y = a.x+t*dx, a.y+t*dy
	}
	return (q.x-a.x)*(q.x-a.x) + (q.y-a.y)*(q.y-a.y)
}

// widest cuts the polygon along some parallels and gives the middle of the
// widest piece.
func widest(poly Polygon) (Point, bool) {
	low, high := box(poly.Outer)
	var (
		best  Point
		width = -1.0
	)
	for _, part := range []int64{8, 4, 12, 2, 6, 10, 14, 1, 15} {
		y := int64(low.Y) + (int64(high.Y)-int64(low.Y))*part/16
		xs := cuttings(poly, float64(y))
		for i := 0; i+1 < len(xs); i += 2 {
			p := Point{X: int32(math.Round((xs[i] + xs[i+1]) / 2)), Y: int32(y)}
			if w := xs[i+1] - xs[i]; w > width && Contains(poly, p) {
				best, width = p, w
			}
		}
	}
	return best, width >= 0
}

// cuttings gives the places where the parallel y meets the rings, from west to east.
func cuttings(poly Polygon, y float64) []float64 {
	var xs []float64
	add := func(ring []Point) {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (float64(a.Y) > y) != (float64(b.Y) > y) {
				k := (y - float64(a.Y)) / (float64(b.Y) - float64(a.Y))
				xs = append(xs, float64(a.X)+k*(float64(b.X)-float64(a.X)))
			}
		}
	}
	add(poly.Outer)
	for _, h := range poly.Holes {
		add(h)
	}
	slices.Sort(xs)
	return xs
}

// box gives the corners of the smallest box around a ring.
func box(ring []Point) (low, high Point) {
	low, high = ring[0], ring[0]
	for _, p := range ring {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	return low, high
}

// cells is a heap, the most promising first; equal ones from west to east.
type cells []cell

func (c cells) Len() int { return len(c) }
func (c cells) Less(i, j int) bool {
	if c[i].reach != c[j].reach {
		return c[i].reach > c[j].reach
	}
	if c[i].mid.x != c[j].mid.x {
		return c[i].mid.x < c[j].mid.x
	}
	return c[i].mid.y < c[j].mid.y
}
func (c cells) Swap(i, j int) { c[i], c[j] = c[j], c[i] }
func (c *cells) Push(x any)   { *c = append(*c, x.(cell)) }
func (c *cells) Pop() any {
	x := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return x
}
