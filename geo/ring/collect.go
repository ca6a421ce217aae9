package ring

import (
	"cmp"
	"slices"
)

// segment is one straight piece between two vertices, a before b in the order
// of comparePoints, and the way it came from.
type segment struct {
	a, b Point
	line int32
}

func newSegment(p, q Point, line int32) segment {
	if comparePoints(p, q) > 0 {
		p, q = q, p
	}
	return segment{p, q, line}
}

func compareSegments(s, t segment) int {
	if d := comparePoints(s.a, t.a); d != 0 {
		return d
	}
	if d := comparePoints(s.b, t.b); d != 0 {
		return d
	}
	return cmp.Compare(s.line, t.line)
}

// collect takes the usable lines apart into segments. Lines are numbered in the
// order of their ids, so that nothing after this depends on the order given.
func (a *assembly) collect(lines []Line) {
	a.lines = slices.Clone(lines)
	slices.SortStableFunc(a.lines, compareLines)
	total := 0
	for _, l := range a.lines {
		total += len(l.Pts)
	}
	a.segs = make([]segment, 0, total)
	for i, l := range a.lines {
		if kind := l.fault(); kind != "" {
			at := Point{}
			if len(l.Pts) > 0 {
				at = l.Pts[0]
			}
			a.report(kind, l.ID, at)
			a.lose(&a.lines[i])
			continue
		}
		if l.ID != 0 && i > 0 && a.lines[i-1].ID == l.ID && slices.Equal(a.lines[i-1].Pts, l.Pts) {
			a.report(DuplicateWay, l.ID, l.Pts[0])
			continue
		}
		for j, p := range l.Pts[1:] {
			if q := l.Pts[j]; p != q {
				a.segs = append(a.segs, newSegment(q, p, int32(i)))
			}
		}
	}
}

// compareLines orders by id, usable lines first, then by content.
func compareLines(l, m Line) int {
	return cmp.Or(cmp.Compare(l.ID, m.ID),
		cmp.Compare(len(m.Pts), len(l.Pts)),
		slices.CompareFunc(l.Pts, m.Pts, comparePoints),
		cmp.Compare(l.Role, m.Role))
}

// fault says why a line cannot be used, "" when it can.
func (l *Line) fault() string {
	if len(l.Pts) == 0 {
		return Missing
	}
	short := true
	for _, p := range l.Pts {
		if !inWorld(p) {
			return Outside
		}
		short = short && p == l.Pts[0]
	}
	if short {
		return TooShort
	}
	return ""
}

// cancel sorts the segments and removes pairs of equal ones: an area surrounded
// twice is not surrounded, and the border between two areas is none of their sum.
func (a *assembly) cancel() {
	slices.SortFunc(a.segs, compareSegments)
	type pair struct{ i, j int32 }
	seen := map[pair]bool{}
	kept := a.segs[:0]
	for i := 0; i < len(a.segs); {
		j := i + 1
		for j < len(a.segs) && a.segs[j].a == a.segs[i].a && a.segs[j].b == a.segs[i].b {
			j++
		}
		s := a.segs[i]
		if n := j - i; n > 1 {
			if p := (pair{s.line, a.segs[i+1].line}); !seen[p] {
				seen[p] = true
				a.report(Shared, a.lines[p.i].ID, s.a)
			}
			if n%2 == 0 {
				a.spare = append(a.spare, s)
			}
		}
		if (j-i)%2 == 1 {
			kept = append(kept, s)
		}
		i = j
	}
	a.segs = kept
}

// restore puts cancelled segments back where they close a gap: a stretch that
// two ways describe, while the ring needs it once.
func (a *assembly) restore() {
	if len(a.spare) == 0 {
		return
	}
	odd := map[Point]bool{}
	for _, s := range a.segs {
		odd[s.a], odd[s.b] = !odd[s.a], !odd[s.b]
	}
	near := map[Point][]int{}
	for i, s := range a.spare {
		near[s.a] = append(near[s.a], i)
		near[s.b] = append(near[s.b], i)
	}
	used := make([]bool, len(a.spare))
	budget := 1<<16 + 16*len(a.spare)
	for _, s := range a.spare {
		for _, p := range []Point{s.a, s.b} {
			if odd[p] && budget > 0 {
				a.bridge(p, odd, near, used, &budget)
			}
		}
	}
	slices.SortFunc(a.segs, compareSegments)
}

// bridge looks for the way over spare segments from p to another odd vertex
// with the fewest segments, and puts it back.
func (a *assembly) bridge(p Point, odd map[Point]bool, near map[Point][]int, used []bool, budget *int) {
	from := map[Point]int{p: -1} // the spare segment a vertex was reached by
	queue := []Point{p}
	for len(queue) > 0 && *budget > 0 {
		v := queue[0]
		queue = queue[1:]
		if v != p && odd[v] {
			odd[p], odd[v] = false, false
			for at := v; at != p; {
				i := from[at]
				used[i] = true
				a.segs = append(a.segs, a.spare[i])
				at = a.spare[i].other(at)
			}
			return
		}
		for _, i := range near[v] {
			*budget--
			w := a.spare[i].other(v)
			if _, been := from[w]; !used[i] && !been {
				from[w] = i
				queue = append(queue, w)
			}
		}
	}
}

func (s segment) other(p Point) Point {
	if s.a == p {
		return s.b
	}
	return s.a
}
