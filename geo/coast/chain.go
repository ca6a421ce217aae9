package coast

import (
	"cmp"
	"slices"

	"svc/geo/plane"
)

// chains joins ways end to start as far as they go, in their direction. Where
// two ends meet head to head, the shorter chain was drawn the wrong way and is
// turned round. The result does not depend on the order of the ways.
func chains(ways []plane.Line) []plane.Line {
	lines := make([]plane.Line, 0, len(ways))
	for _, w := range ways {
		if l := withoutRepeats(w); len(l) > 1 {
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, compareLines)
	lines = slices.CompactFunc(lines, slices.Equal)
	return turn(join(lines))
}

func compareLines(a, b plane.Line) int {
	return slices.CompareFunc(a, b, func(p, q plane.Point) int {
		if p.X != q.X {
			return int(p.X) - int(q.X)
		}
		return int(p.Y) - int(q.Y)
	})
}

// withoutRepeats drops points that repeat the one before; a line without any
// is returned as it is.
func withoutRepeats(l plane.Line) plane.Line {
	for i := 1; i < len(l); i++ {
		if l[i] == l[i-1] {
			return slices.Compact(slices.Clone(l))
		}
	}
	return l
}

func head(l plane.Line) plane.Point { return l[0] }
func tail(l plane.Line) plane.Point { return l[len(l)-1] }

func isClosed(l plane.Line) bool { return head(l) == tail(l) }

// ends finds lines by a point at which they start or end.
type ends map[plane.Point][]int

// take gives a line at the point that is not used yet, and uses it; -1 when
// there is none.
func (e ends) take(p plane.Point, used []bool) int {
	for list := e[p]; len(list) > 0; list = e[p] {
		e[p] = list[1:]
		if i := list[0]; !used[i] {
			used[i] = true
			return i
		}
	}
	return -1
}

// endsOf indexes lines by their first and their last point.
func endsOf(lines []plane.Line) (heads, tails ends) {
	heads, tails = make(ends, len(lines)), make(ends, len(lines))
	for i, l := range lines {
		heads[head(l)] = append(heads[head(l)], i)
		tails[tail(l)] = append(tails[tail(l)], i)
	}
	return heads, tails
}

// join follows the lines from end to start.
func join(lines []plane.Line) []plane.Line {
	heads, tails := endsOf(lines)
	used := make([]bool, len(lines))
	var out []plane.Line
	// Lines that nothing leads to come first: what remains then are rings.
	for _, loose := range []bool{true, false} {
		for i, l := range lines {
			if !used[i] && (!loose || len(tails[head(l)]) == 0) {
				used[i] = true
				out = append(out, follow(lines, i, heads, used))
			}
		}
	}
	return out
}

// follow joins to a line what continues it, until that makes a ring or nothing
// more does.
func follow(lines []plane.Line, first int, heads ends, used []bool) plane.Line {
	path, points := []int{first}, len(lines[first])
	for at := lines[first]; head(lines[first]) != tail(at); {
		next := heads.take(tail(at), used)
		if next < 0 {
			break
		}
		path = append(path, next)
		at = lines[next]
		points += len(at) - 1
	}
	if len(path) == 1 {
		return lines[first]
	}
	out := append(make(plane.Line, 0, points), lines[first]...)
	for _, i := range path[1:] {
		out = append(out, lines[i][1:]...)
	}
	return out
}

// turn turns round chains whose end meets the end of another, or whose start
// meets a start: the longer one is taken to be right.
func turn(lines []plane.Line) []plane.Line {
	var out, open []plane.Line
	for _, l := range lines {
		if isClosed(l) {
			out = append(out, l)
		} else {
			open = append(open, l)
		}
	}
	slices.SortStableFunc(open, func(a, b plane.Line) int { return cmp.Compare(b.Length(), a.Length()) })
	heads, tails := endsOf(open)
	used := make([]bool, len(open))
	for i, l := range open {
		if used[i] {
			continue
		}
		used[i] = true
		if len(tails[tail(l)]) > 1 || len(heads[head(l)]) > 1 {
			l = grow(slices.Clone(l), open, heads, tails, used)
			// Turned round, what comes before comes after.
			slices.Reverse(l)
			l = grow(l, open, tails, heads, used)
			slices.Reverse(l)
		}
		out = append(out, l)
	}
	return out
}

// grow lengthens a chain at its end with chains that continue it, and with
// chains that do once they are turned round. ahead finds the former, against
// the latter; the chain and ahead run the same way.
func grow(l plane.Line, open []plane.Line, ahead, against ends, used []bool) plane.Line {
	for !isClosed(l) {
		i := ahead.take(tail(l), used)
		if i < 0 {
			i = against.take(tail(l), used)
		}
		if i < 0 {
			break
		}
		more := slices.Clone(open[i])
		if head(more) != tail(l) {
			slices.Reverse(more)
		}
		l = append(l, more[1:]...)
	}
	return l
}
