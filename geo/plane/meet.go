package plane

import "math/bits"

// verdict says how the edges of a shape lie to each other.
type verdict int

const (
	apart   verdict = iota // rings are simple and do not meet
	meeting                // edges meet in their ends only, or are equal
	tangled                // edges cross, overlap, or end on another
	tooMuch                // to find that out costs too much
)

// findings is what was seen when every edge was compared with every other.
type findings struct {
	verdict   verdict
	crossings []Point // the grid points nearest to proper crossings
}

func (f *findings) reset() { f.verdict, f.crossings = apart, f.crossings[:0] }

func (f *findings) worse(v verdict) { f.verdict = max(f.verdict, v) }

// look compares the edges.
func (c *cleaner) look() verdict {
	limit := c.most.meets + 8*len(c.edges)
	done := c.tree.join(&c.pairs, func(i, j int) bool {
		c.compare(i, j)
		return len(c.found.crossings) <= limit
	})
	if !done {
		return tooMuch
	}
	return c.found.verdict
}

// compare notes how the edges i < j meet.
func (c *cleaner) compare(i, j int) {
	s, t := &c.edges[i], &c.edges[j]
	o1, o2 := cross(s.a, s.b, t.a), cross(s.a, s.b, t.b)
	if o1 > 0 && o2 > 0 || o1 < 0 && o2 < 0 {
		return
	}
	if s.b == t.a && j == i+1 && s.ring == t.ring && o2 != 0 {
		return // neighbours that are not in line
	}
	o3, o4 := cross(t.a, t.b, s.a), cross(t.a, t.b, s.b)
	if o3 > 0 && o4 > 0 || o3 < 0 && o4 < 0 {
		return
	}
	switch {
	case o1 == 0 && o2 == 0:
		c.inLine(i, j)
	case o1 != 0 && o2 != 0 && o3 != 0 && o4 != 0:
		c.found.worse(tangled)
		c.found.crossings = append(c.found.crossings, crossing(s.a, s.b, t.a, t.b))
	case (o1 == 0 && !s.ends(t.a)) || (o2 == 0 && !s.ends(t.b)) || (o3 == 0 && !t.ends(s.a)) || (o4 == 0 && !t.ends(s.b)):
		c.found.worse(tangled)
	case !c.neighbours(i, j):
		c.found.worse(meeting)
	}
}

// inLine notes how two edges on one line meet; their boxes touch.
func (c *cleaner) inLine(i, j int) {
	s, t := &c.edges[i], &c.edges[j]
	if (s.a == t.a && s.b == t.b) || (s.a == t.b && s.b == t.a) {
		c.found.worse(meeting)
		return
	}
	// One point in common, or a stretch?
	sa, sb, ta, tb := s.a.key(), s.b.key(), t.a.key(), t.b.key()
	low, high := max(min(sa, sb), min(ta, tb)), min(max(sa, sb), max(ta, tb))
	switch {
	case low < high:
		c.found.worse(tangled)
	case low == high && !c.neighbours(i, j):
		c.found.worse(meeting)
	}
}

// ends says whether p is an end of the edge.
func (e *edge) ends(p Point) bool { return e.a == p || e.b == p }

// neighbours says whether the edges i < j follow each other along their ring.
func (c *cleaner) neighbours(i, j int) bool {
	ring := c.edges[i].ring
	if ring != c.edges[j].ring {
		return false
	}
	first := int(c.firsts[ring])
	return j == i+1 || i == first && j == first+len(c.rings[ring])-1
}

// crossing is the grid point nearest to where a-b and c-d cross, which they do
// inside both. A crossing in the middle between two grid points goes to the one
// with the greater coordinate, whatever the order of the points.
func crossing(a, b, c, d Point) Point {
	num := cross(c, d, a)
	den := num - cross(c, d, b)
	return Point{
		a.X + int32(mulRound(int64(b.X-a.X), num, den)),
		a.Y + int32(mulRound(int64(b.Y-a.Y), num, den)),
	}
}

// mulRound is the whole number nearest to d*num/den, the greater of two, for
// num/den between 0 and 1.
func mulRound(d, num, den int64) int64 {
	if den < 0 {
		num, den = -num, -den
	}
	if d > -1<<15 && d < 1<<15 && den < 1<<46 {
		return round(d*num, den)
	}
	size := uint64(max(d, -d))
	hi, lo := bits.Mul64(size, uint64(num))
	q, r := bits.Div64(hi, lo, uint64(den)) // hi < den: num is, and size is below 2^30
	up := r >= uint64(den)-r                // half or more
	if d >= 0 {
		if up {
			q++
		}
		return int64(q)
	}
	if r > uint64(den)-r { // below zero a half goes toward zero, to the greater
		q++
	}
	return -int64(q)
}
