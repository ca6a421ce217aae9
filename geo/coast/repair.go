package coast

import (
	"math"
	"slices"

	"svc/geo/plane"
)

const (
	// ownGap is the part of its length by which a chain may be open and still
	// be taken for a ring with a way missing.
	ownGap = 0.1
	// maxGaps bounds the pairs of loose ends that are compared in one cell;
	// past it all of them are led to the border.
	maxGaps = 1 << 20
)

// parts sorts the pieces of a region into rings and lines from border to
// border. Loose ends inside are joined over a gap where that is the shortest
// thing to do, else led straight to the border.
func (r *region) parts() (closed, open []plane.Line) {
	b := newBorder(r.box)
	inside := func(p plane.Point) bool { _, on := b.at(p); return !on }
	// The start of a ring lies anywhere in it: cutting left two pieces there.
	lines := r.bridge(join(r.pieces), inside)
	for _, l := range lines {
		if isClosed(l) {
			closed = append(closed, l)
			continue
		}
		if inside(head(l)) {
			p, _ := b.nearest(head(l))
			l = slices.Insert(slices.Clone(l), 0, p)
		}
		if inside(tail(l)) {
			p, _ := b.nearest(tail(l))
			l = append(slices.Clone(l), p)
		}
		open = append(open, l)
	}
	return closed, open
}

// gap is a place where the end of one line may be joined with the start of
// another, or of itself.
type gap struct {
	from, to int
	width    float64
}

// bridge joins loose ends over gaps, the narrowest first. A gap between two
// lines is bridged when it is narrower than the way of either end to the
// border; a line is closed into a ring when its gap is small beside it.
func (r *region) bridge(lines []plane.Line, inside func(plane.Point) bool) []plane.Line {
	gaps := r.gaps(lines, inside)
	if len(gaps) == 0 {
		return lines
	}
	// what follows a line, and the chain of bridged lines it belongs to
	after := make([]int, len(lines))
	chain := make([]int, len(lines))
	length := make([]float64, len(lines))
	led := make([]bool, len(lines))
	for i, l := range lines {
		after[i], chain[i], length[i] = -1, i, l.Length()
	}
	find := func(i int) int {
		for chain[i] != i {
			chain[i] = chain[chain[i]]
			i = chain[i]
		}
		return i
	}
	for _, g := range gaps {
		a, c := find(g.from), find(g.to)
		if after[g.from] >= 0 || led[g.to] || a == c && g.width > ownGap*length[a] {
			continue
		}
		after[g.from], led[g.to] = g.to, true
		if a != c {
			chain[c] = a
			length[a] += length[c] + g.width
		}
	}
	return bridged(lines, after, led)
}

// gaps lists the gaps that may be bridged, narrowest first.
func (r *region) gaps(lines []plane.Line, inside func(plane.Point) bool) []gap {
	var from, to []int
	for i, l := range lines {
		if isClosed(l) {
			continue
		}
		if inside(tail(l)) {
			from = append(from, i)
		}
		if inside(head(l)) {
			to = append(to, i)
		}
	}
	if len(from)*len(to) > maxGaps {
		return nil
	}
	b := newBorder(r.box)
	var gaps []gap
	for _, i := range from {
		p := tail(lines[i])
		_, atMost := b.nearest(p)
		for _, j := range to {
			q := head(lines[j])
			_, other := b.nearest(q)
			width := math.Hypot(float64(q.X)-float64(p.X), float64(q.Y)-float64(p.Y))
			if width <= float64(min(atMost, other)) {
				gaps = append(gaps, gap{i, j, width})
			}
		}
	}
	slices.SortStableFunc(gaps, func(a, b gap) int {
		switch {
		case a.width < b.width:
			return -1
		case a.width > b.width:
			return 1
		}
		return 0
	})
	return gaps
}

// bridged writes the lines out, each with what follows it.
func bridged(lines []plane.Line, after []int, led []bool) []plane.Line {
	var out []plane.Line
	used := make([]bool, len(lines))
	write := func(first int) {
		l := slices.Clone(lines[first])
		used[first] = true
		for i := after[first]; i >= 0 && !used[i]; i = after[i] {
			used[i] = true
			l = append(l, lines[i]...)
		}
		if last := after[lastOf(first, after)]; last == first {
			l = append(l, l[0])
		}
		out = append(out, l)
	}
	for _, rings := range []bool{false, true} {
		for i := range lines {
			if !used[i] && led[i] == rings {
				write(i)
			}
		}
	}
	return out
}

// lastOf follows the lines from first to the last one, or to the one before
// first in a ring.
func lastOf(first int, after []int) int {
	i := first
	for after[i] >= 0 && after[i] != first {
		i = after[i]
	}
	return i
}
