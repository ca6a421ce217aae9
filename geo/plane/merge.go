package plane

import (
	"math/bits"
	"slices"
)

// MergeLines joins lines end to end at the points where exactly two ends meet.
// A joined line begins with the first of its lines in the order given and runs
// in its direction; others may be turned round. Lines of fewer than two points
// are left out, closed lines are left as they are. Of segments that are the same,
// one way or the other, the first stays: lines are cut where the others were, so
// that nothing runs over itself. A line that was not joined shares its memory
// with the input.
func MergeLines(lines []Line) []Line { return merge(lines, false) }

// MergeDirected joins lines like MergeLines, but only where one line ends and
// another begins: no line is turned round, and segments are the same only when
// they have the same direction. It is meant for lines whose direction says
// something, one-way streets for example.
func MergeDirected(lines []Line) []Line { return merge(lines, true) }

// end is one end of a line: 2*line for its first point, 2*line+1 for its last.
type end struct {
	at uint64 // the key of the point
	id int32
}

type merger struct {
	lines []Line
	mate  []int32 // for each end the end it is joined to, or -1
	used  []bool
}

func merge(lines []Line, directed bool) []Line {
	lines, _ = WithoutRepeats(lines, directed)
	m := merger{lines: lines, mate: mates(lines, directed), used: make([]bool, len(lines))}
	out := make([]Line, 0, len(lines))
	for i, l := range lines {
		if len(l) < 2 || m.used[i] {
			continue
		}
		out = append(out, m.chain(int32(i)))
	}
	return out
}

// WithoutRepeats takes out the segments that came before in the lines, in either
// direction or, when directed, in the same one, and says whether there were any;
// without any it gives the lines as they are. A line is cut where it loses a
// segment; the pieces share the memory of the lines. Simplifying lines may lay
// one onto another.
func WithoutRepeats(lines []Line, directed bool) (out []Line, cut bool) {
	total := 0
	for _, l := range lines {
		total += max(len(l)-1, 0)
	}
	if total < 2 {
		return lines, false
	}
	seen := newSegmentSet(total)
	for i, l := range lines {
		from := 0
		for j := 1; j < len(l); j++ {
			if !seen.known(l[j-1], l[j], directed) {
				continue
			}
			if !cut {
				cut = true
				out = append(make([]Line, 0, len(lines)+1), lines[:i]...)
			}
			if j-1 > from {
				out = append(out, l[from:j:j])
			}
			from = j
		}
		if cut && len(l)-from > 1 {
			out = append(out, l[from:])
		}
	}
	if !cut {
		return lines, false
	}
	return out, true
}

// segmentSet is a hash table of segments; both ends are equal in a free place.
type segmentSet [][2]Point

func newSegmentSet(n int) segmentSet { return make(segmentSet, 1<<bits.Len(uint(2*n))) }

// known says whether a segment came before, and notes it. One without a length
// never did.
func (s segmentSet) known(a, b Point, directed bool) bool {
	if !directed && a.key() > b.key() {
		a, b = b, a
	}
	if a == b {
		return false
	}
	const odd = 0x9e3779b97f4a7c15 // spreads what differs in the low bits over the high ones
	hash := ((a.key() * odd) ^ b.key()) * odd
	for at := hash >> (64 - bits.Len(uint(len(s)-1))); ; at = (at + 1) & uint64(len(s)-1) {
		switch s[at] {
		case [2]Point{a, b}:
			return true
		case [2]Point{}:
			s[at] = [2]Point{a, b}
			return false
		}
	}
}

// mates pairs the ends that meet in twos.
func mates(lines []Line, directed bool) []int32 {
	ends := make([]end, 0, 2*len(lines))
	for i, l := range lines {
		if len(l) >= 2 {
			ends = append(ends, end{l[0].key(), int32(2 * i)}, end{l[len(l)-1].key(), int32(2*i + 1)})
		}
	}
	slices.SortFunc(ends, func(a, b end) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return int(a.id) - int(b.id)
	})
	mate := make([]int32, 2*len(lines))
	for i := range mate {
		mate[i] = -1
	}
	for i := 0; i < len(ends); {
		j := i + 1
		for j < len(ends) && ends[j].at == ends[i].at {
			j++
		}
		if j-i == 2 {
			if a, b := ends[i].id, ends[i+1].id; !directed || a%2 != b%2 {
				mate[a], mate[b] = b, a
			}
		}
		i = j
	}
	return mate
}

// chain joins everything that hangs together with line i, which no chain holds
// yet and which comes first among them in the order given.
func (m *merger) chain(i int32) Line {
	m.used[i] = true
	after := m.follow(nil, 2*i+1) // all of a loop, so that it begins with line i
	before := m.follow(nil, 2*i)
	if len(before)+len(after) == 0 {
		return m.lines[i]
	}
	total := len(m.lines[i])
	for _, e := range append(before, after...) {
		total += len(m.lines[e/2]) - 1
	}
	out := make(Line, 0, total)
	for _, e := range slices.Backward(before) { // entered by e, so it leads from its other end to e
		out = m.add(out, e^1)
	}
	out = m.add(out, 2*i)
	for _, e := range after {
		out = m.add(out, e)
	}
	return out
}

// follow lists the ends by which the lines after the end e are entered, until
// nothing is joined or the chain comes back to a line it holds.
func (m *merger) follow(path []int32, e int32) []int32 {
	for {
		next := m.mate[e]
		if next < 0 || m.used[next/2] {
			return path
		}
		m.used[next/2] = true
		path = append(path, next)
		e = next ^ 1
	}
}

// add appends a line from its end e on, without the point it shares with what
// is there.
func (m *merger) add(out Line, e int32) Line {
	l := m.lines[e/2]
	skip := min(len(out), 1)
	if e%2 == 0 {
		return append(out, l[skip:]...)
	}
	for _, p := range slices.Backward(l[:len(l)-skip]) {
		out = append(out, p)
	}
	return out
}
