package coast

import (
	"cmp"
	"slices"

	"svc/geo/plane"
)

// border is the edge of a box as one closed way around, clockwise on a screen
// from the north-west corner.
type border struct {
	box           plane.Box
	width, height int64
}

func newBorder(b plane.Box) border {
	return border{b, int64(b.MaxX) - int64(b.MinX), int64(b.MaxY) - int64(b.MinY)}
}

func (b border) length() int64 { return 2 * (b.width + b.height) }

// at is how far along the border a point of it lies; ok is false for a point
// that is not on it.
func (b border) at(p plane.Point) (along int64, ok bool) {
	switch {
	case !b.box.Contains(p):
		return 0, false
	case p.Y == b.box.MinY:
		return int64(p.X) - int64(b.box.MinX), true
	case p.X == b.box.MaxX:
		return b.width + int64(p.Y) - int64(b.box.MinY), true
	case p.Y == b.box.MaxY:
		return b.width + b.height + int64(b.box.MaxX) - int64(p.X), true
	case p.X == b.box.MinX:
		return 2*b.width + b.height + int64(b.box.MaxY) - int64(p.Y), true
	}
	return 0, false
}

// ahead is the way from one place to another, clockwise.
func (b border) ahead(from, to int64) int64 {
	if d := to - from; d >= 0 {
		return d
	}
	return to - from + b.length()
}

// nearest is the point of the border nearest to a point inside, and how far.
func (b border) nearest(p plane.Point) (q plane.Point, distance int64) {
	up, down := int64(p.Y)-int64(b.box.MinY), int64(b.box.MaxY)-int64(p.Y)
	left, right := int64(p.X)-int64(b.box.MinX), int64(b.box.MaxX)-int64(p.X)
	switch distance = min(up, down, left, right); distance {
	case up:
		return plane.Point{X: p.X, Y: b.box.MinY}, distance
	case down:
		return plane.Point{X: p.X, Y: b.box.MaxY}, distance
	case left:
		return plane.Point{X: b.box.MinX, Y: p.Y}, distance
	}
	return plane.Point{X: b.box.MaxX, Y: p.Y}, distance
}

// corners appends the corners passed between two places, clockwise.
func (b border) corners(dst plane.Ring, from, to int64) plane.Ring {
	ends := [4]int64{0, b.width, b.width + b.height, 2*b.width + b.height}
	way := b.ahead(from, to)
	first := 0
	for first < 4 && ends[first] <= from {
		first++
	}
	for i := range 4 {
		c := (first + i) & 3
		if d := b.ahead(from, ends[c]); d > 0 && d < way {
			dst = append(dst, corner(b.box, c))
		}
	}
	return dst
}

// entry is a line that comes in over the border.
type entry struct {
	line  plane.Line
	along int64 // where it comes in
	out   int64 // where it goes out
}

// rings closes lines that begin and end on the border: from where one goes out,
// along the border with the water on the right, to where the next comes in.
func (b border) rings(lines []plane.Line) []plane.Ring {
	entries := make([]entry, 0, len(lines))
	for _, l := range lines {
		in, isIn := b.at(head(l))
		out, isOut := b.at(tail(l))
		if isIn && isOut {
			entries = append(entries, entry{l, in, out})
		}
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return cmp.Compare(x.along, y.along) })
	q := newQueue(len(entries))
	var rings []plane.Ring
	for first := range entries {
		if !q.waiting(first) {
			continue
		}
		var ring plane.Ring
		for i := first; ; {
			e := entries[i]
			ring = appendPoints(ring, e.line)
			at, _ := slices.BinarySearchFunc(entries, e.out, func(x entry, out int64) int { return cmp.Compare(x.along, out) })
			i = q.next(at)
			ring = b.corners(ring, e.out, entries[i].along)
			q.take(i)
			if i == first {
				break
			}
		}
		rings = appendRing(rings, unrepeated(ring))
	}
	return rings
}

// appendPoints appends a line to a ring that may end where it begins.
func appendPoints(r plane.Ring, l plane.Line) plane.Ring {
	if len(r) > 0 && r[len(r)-1] == l[0] {
		l = l[1:]
	}
	return append(r, l...)
}

// unrepeated drops the last points of a ring that repeat its first.
func unrepeated(r plane.Ring) plane.Ring {
	for len(r) > 1 && r[len(r)-1] == r[0] {
		r = r[:len(r)-1]
	}
	return r
}

// queue says which of n things in a circle is the next one not yet taken.
type queue struct{ after []int }

func newQueue(n int) *queue {
	q := &queue{after: make([]int, n+1)}
	for i := range q.after {
		q.after[i] = i
	}
	return q
}

func (q *queue) waiting(i int) bool { return q.after[i] == i }

func (q *queue) take(i int) { q.after[i] = i + 1 }

// next is the first waiting one from i on, round the circle; there must be one.
func (q *queue) next(i int) int {
	if j := q.find(i); j < len(q.after)-1 {
		return j
	}
	return q.find(0)
}

func (q *queue) find(i int) int {
	for q.after[i] != i {
		q.after[i] = q.after[q.after[i]]
		i = q.after[i]
	}
	return i
}
