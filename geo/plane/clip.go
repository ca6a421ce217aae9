package plane

// ClipLine appends to dst the pieces of l that lie inside b, its border
// included. Where l leaves the box, its piece ends at the grid point of the
// border nearest to the crossing; the same segment gives the same point whichever
// way it runs. Pieces that only touch the box in a point are left out. When all
// of l is inside, the piece shares its memory.
func ClipLine(dst []Line, l Line, b Box) []Line {
	if len(l) < 2 || b.Empty() {
		return dst
	}
	around := BoxOf(l)
	if around.Within(b) {
		return append(dst, l)
	}
	if !around.Intersects(b) {
		return dst
	}
	var piece Line
	flush := func() {
		if len(piece) > 1 {
			dst = append(dst, piece)
		}
		piece = nil
	}
	for i := 1; i < len(l); i++ {
		p, q, ok := clipSegment(l[i-1], l[i], b)
		if !ok {
			flush()
			continue
		}
		if len(piece) == 0 || piece[len(piece)-1] != p {
			flush()
			piece = append(piece, p)
		}
		if q != p {
			piece = append(piece, q)
		}
	}
	flush()
	return dst
}

// clipSegment gives the part of p-q inside b, in the direction of p-q, and
// false when there is none (Liang-Barsky in whole numbers).
func clipSegment(p, q Point, b Box) (Point, Point, bool) {
	if b.Contains(p) && b.Contains(q) {
		return p, q, true
	}
	swapped := p.compare(q) > 0
	if swapped {
		p, q = q, p
	}
	w := window{enter: fraction{0, 1}, leave: fraction{1, 1}}
	dx, dy := int64(q.X)-int64(p.X), int64(q.Y)-int64(p.Y)
	if !w.cut(-dx, int64(p.X)-int64(b.MinX)) || !w.cut(dx, int64(b.MaxX)-int64(p.X)) ||
		!w.cut(-dy, int64(p.Y)-int64(b.MinY)) || !w.cut(dy, int64(b.MaxY)-int64(p.Y)) {
		return p, q, false
	}
	from, to := w.enter.along(p, dx, dy), w.leave.along(p, dx, dy)
	if swapped {
		from, to = to, from
	}
	return from, to, true
}

// fraction is num/den of the way along a segment, den above zero.
type fraction struct{ num, den int64 }

// less compares exactly: both terms are below 2^30.
func (f fraction) less(g fraction) bool { return f.num*g.den < g.num*f.den }

// along is the grid point nearest to this part of the way from p.
func (f fraction) along(p Point, dx, dy int64) Point {
	return Point{p.X + int32(round(dx*f.num, f.den)), p.Y + int32(round(dy*f.num, f.den))}
}

// round is the whole number nearest to a/b for b above zero, the greater of two.
func round(a, b int64) int64 { return floorDiv(2*a+b, 2*b) }

// floorDiv is the greatest whole number not above a/b, for b above zero.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// window is the part of a segment inside the borders seen so far.
type window struct{ enter, leave fraction }

// cut narrows the window to where step*t <= room, and says whether any is left.
func (w *window) cut(step, room int64) bool {
	switch {
	case step == 0:
		return room >= 0
	case step < 0: // comes in
		if t := (fraction{-room, -step}); w.enter.less(t) {
			w.enter = t
		}
	default: // goes out
		if t := (fraction{room, step}); t.less(w.leave) {
			w.leave = t
		}
	}
	return !w.leave.less(w.enter)
}

// ClipRings appends to dst the rings cut to b. A cut ring may run along the
// border of the box and back: what is filled inside the box is right, and Clean
// makes valid polygons of it. Rings outside disappear; a ring inside shares its
// memory.
func ClipRings(dst []Ring, rings []Ring, b Box) []Ring {
	if b.Empty() {
		return dst
	}
	for _, r := range rings {
		around := BoxOf(r)
		switch {
		case len(r) < 3 || !around.Intersects(b):
		case around.Within(b):
			dst = append(dst, r)
		default:
			dst = clipRing(dst, r, b)
		}
	}
	return dst
}

// clipRing cuts a ring first by columns, then by rows (Sutherland-Hodgman).
func clipRing(dst []Ring, r Ring, b Box) []Ring {
	var column, row strip
	column.cutRing(r, b.MinX, b.MaxX)
	if len(column.points) == 0 {
		return dst
	}
	transpose(column.points)
	row.cutRing(column.points, b.MinY, b.MaxY)
	transpose(row.points)
	if len(row.points) == 0 {
		return dst
	}
	return append(dst, row.points)
}

// transpose swaps X and Y, so that rows are cut by what cuts columns.
func transpose[S ~[]Point](points S) {
	for i, p := range points {
		points[i] = Point{p.Y, p.X}
	}
}
