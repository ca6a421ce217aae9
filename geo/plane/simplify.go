package plane

// longest is the longest run of points that is simplified as one. The time of
// Douglas-Peucker can be the square of the length (a zigzag, a spiral): longer
// lines are cut into runs first.
const longest = 2048

// SimplifyLine appends to dst the line without the points that lie within
// tolerance units of what is left (Douglas-Peucker). The ends stay. A tolerance
// of 0 takes out points in line with their neighbours; a negative one nothing.
// dst may be l[:0].
func SimplifyLine(dst, l Line, tolerance float64) Line {
	if len(l) <= 2 || tolerance < 0 {
		return append(dst, l...)
	}
	dst = append(dst, l[0])
	square := tolerance * tolerance
	for from := 0; from < len(l)-1; from += longest {
		dst = simplifyRun(dst, l[from:min(from+longest, len(l)-1)+1], square)
	}
	return dst
}

// SimplifyRing appends to dst the ring without the points that lie within
// tolerance units of what is left, or nothing when fewer than three points are.
// The result does not depend on the point the ring begins with. dst may be
// r[:0] only when the ring begins with its lexicographically smallest point.
func SimplifyRing(dst, r Ring, tolerance float64) Ring {
	if len(r) < 3 || tolerance < 0 {
		return append(dst, r...)
	}
	// Anchored at the westernmost point and at the one farthest from it.
	first := 0
	for i, p := range r {
		if p.compare(r[first]) < 0 {
			first = i
		}
	}
	far, most := 0, int64(-1)
	for i := range r {
		p := r[(first+i)%len(r)]
		if d := dot(r[first], p, p); d > most {
			far, most = i, d
		}
	}
	s := ringRun{r, first, tolerance * tolerance}
	start := len(dst)
	dst = append(dst, r[first])
	dst = s.run(dst, 0, far)
	dst = s.run(dst, far, len(r))
	dst = dst[:len(dst)-1] // the first point again
	if len(dst)-start < 3 {
		return dst[:start]
	}
	return dst
}

// ringRun simplifies parts of a ring that is seen to begin with point first.
type ringRun struct {
	r      Ring
	first  int
	square float64
}

func (s *ringRun) at(i int) Point {
	if i += s.first; i >= len(s.r) {
		i -= len(s.r)
	}
	return s.r[i]
}

// run appends what stays of the points after from, up to and with to.
func (s *ringRun) run(dst Ring, from, to int) Ring {
	var room [256]Point
	for ; from < to; from += longest {
		part := Line(room[:0])
		for i := from; i <= min(from+longest, to); i++ {
			part = append(part, s.at(i))
		}
		dst = Ring(simplifyRun(Line(dst), part, s.square))
	}
	return dst
}

// simplifyRun appends what stays of l after its first point. It reads ahead of
// what it writes, so dst may be the memory of l.
func simplifyRun(dst, l Line, square float64) Line {
	var room [64]int32
	stack := append(room[:0], int32(len(l)-1)) // points that stay, the nearest on top
	for from := 0; len(stack) > 0; {
		to := int(stack[len(stack)-1])
		if at, d := farthest(l[from : to+1]); d > square {
			stack = append(stack, int32(from+at))
			continue
		}
		stack = stack[:len(stack)-1]
		dst = append(dst, l[to])
		from = to
	}
	return dst
}

// farthest finds the point that lies farthest from the segment between the ends
// of l, and the square of its distance. The conversions keep the compiler from
// fusing operations, so that every machine agrees.
func farthest(l Line) (at int, square float64) {
	square = -1
	a, b := l[0], l[len(l)-1]
	dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
	length := float64(dx*dx) + float64(dy*dy)
	for i := 1; i < len(l)-1; i++ {
		px, py := float64(l[i].X-a.X), float64(l[i].Y-a.Y)
		var d float64
		switch along := float64(px*dx) + float64(py*dy); {
		case along <= 0:
			d = float64(px*px) + float64(py*py)
		case along >= length:
			qx, qy := px-dx, py-dy
			d = float64(qx*qx) + float64(qy*qy)
		default:
			c := float64(dx*py) - float64(dy*px)
			d = float64(c*c) / length
		}
		if d > square {
			at, square = i, d
		}
	}
	return at, square
}
