package plane

// strip is what a column holds of the rings or lines that are cut: points one
// after another, and where each ring or piece of a line ends among them. A strip
// of rows is a column of transposed points.
type strip struct {
	points []Point
	ends   []int32
}

func (s *strip) reset() { s.points, s.ends = s.points[:0], s.ends[:0] }

// start is where the ring or piece that is being written begins.
func (s *strip) start() int {
	if len(s.ends) == 0 {
		return 0
	}
	return int(s.ends[len(s.ends)-1])
}

// part is the i-th ring or piece.
func (s *strip) part(i int) []Point {
	from := int32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.points[from:s.ends[i]:s.ends[i]]
}

// cutRing writes the part of a ring between the columns low and high.
func (s *strip) cutRing(r []Point, low, high int32) {
	s.reset()
	a := r[len(r)-1]
	for _, b := range r {
		if max(a.X, b.X) > low && min(a.X, b.X) < high {
			s.ringEdge(a, b, low, high)
		}
		a = b
	}
	s.endRing()
}

// ringEdge writes the part of an edge of a ring between low and high, which it
// reaches into. Where the ring left the strip, it comes back on the same side:
// the way along the border is the straight line between the two points.
func (s *strip) ringEdge(a, b Point, low, high int32) {
	s.put(inColumn(a, b, a, low, high))
	s.put(inColumn(a, b, b, low, high))
}

// put writes a point unless it is the one before it.
func (s *strip) put(p Point) {
	if n := len(s.points); n == s.start() || s.points[n-1] != p {
		s.points = append(s.points, p)
	}
}

// endRing ends the ring that is being written, or forgets it when too little is
// left of it.
func (s *strip) endRing() {
	from, n := s.start(), len(s.points)
	for n > from+1 && s.points[n-1] == s.points[from] {
		n--
	}
	if n-from < 3 {
		s.points = s.points[:from]
		return
	}
	s.points = s.points[:n]
	s.ends = append(s.ends, int32(n))
}

// lineEdge writes the part of a segment between low and high, which it reaches.
func (s *strip) lineEdge(a, b Point, low, high int32) {
	p, q := inColumn(a, b, a, low, high), inColumn(a, b, b, low, high)
	if p == q {
		return // only touches
	}
	if n := len(s.points); n == s.start() || s.points[n-1] != p {
		s.endLine()
		s.points = append(s.points, p)
	}
	s.points = append(s.points, q)
}

// endLine ends the piece of a line that is being written.
func (s *strip) endLine() {
	if n := len(s.points); n > s.start() {
		s.ends = append(s.ends, int32(n))
	}
}

// inColumn gives p, an end of the segment a-b, or where the segment crosses the
// border of the column when p lies outside. It is the same point for b-a.
func inColumn(a, b, p Point, low, high int32) Point {
	switch {
	case p.X < low:
		return crossColumn(a, b, low)
	case p.X > high:
		return crossColumn(a, b, high)
	}
	return p
}

// crossColumn is the grid point nearest to where a-b crosses the column x.
func crossColumn(a, b Point, x int32) Point {
	if a.X > b.X {
		a, b = b, a
	}
	dx, dy := int64(b.X-a.X), int64(b.Y-a.Y)
	return Point{x, a.Y + int32(round(dy*int64(x-a.X), dx))}
}

// cutter cuts rings and lines into the columns of a grid. It keeps its memory.
type cutter struct {
	size, buffer int32
	first, last  int32   // the columns wanted
	strips       []strip // of the columns from first on
	low, high    int32   // the columns written to, as far as they are wanted
	safe         [2]int32
	at           int32 // the column whose inner part is safe
}

// begin makes the cutter ready for columns first to last.
func (c *cutter) begin(size, buffer, first, last int32) {
	c.size, c.buffer, c.first, c.last = size, buffer, first, last
	if n := int(last-first) + 1; n > len(c.strips) {
		c.strips = append(c.strips, make([]strip, n-len(c.strips))...)
	}
	for i := range c.strips[:last-first+1] {
		c.strips[i].reset()
	}
	c.low, c.high = last+1, first-1
	c.settle(first)
}

// settle notes the part of a column that no other column reaches.
func (c *cutter) settle(at int32) {
	c.at = at
	c.safe = [2]int32{at*c.size + c.buffer + 1, at*c.size + c.size - c.buffer - 1}
}

// ring cuts a ring.
func (c *cutter) ring(r []Point) {
	a := r[len(r)-1]
	low, high := c.last+1, c.first-1
	for _, b := range r {
		from, to := c.reach(min(a.X, b.X), max(a.X, b.X), 0)
		for i := from; i <= to; i++ {
			x := i * c.size
			c.strips[i-c.first].ringEdge(a, b, x-c.buffer, x+c.size+c.buffer)
		}
		if from <= to {
			low, high = min(low, from), max(high, to)
		}
		a = b
	}
	for i := low; i <= high; i++ {
		c.strips[i-c.first].endRing()
	}
	c.low, c.high = min(c.low, low), max(c.high, high)
}

// line cuts a line.
func (c *cutter) line(l []Point) {
	low, high := c.last+1, c.first-1
	for j := 1; j < len(l); j++ {
		a, b := l[j-1], l[j]
		from, to := c.reach(min(a.X, b.X), max(a.X, b.X), 1)
		for i := from; i <= to; i++ {
			x := i * c.size
			c.strips[i-c.first].lineEdge(a, b, x-c.buffer, x+c.size+c.buffer)
		}
		if from <= to {
			low, high = min(low, from), max(high, to)
		}
	}
	for i := low; i <= high; i++ {
		c.strips[i-c.first].endLine()
	}
	c.low, c.high = min(c.low, low), max(c.high, high)
}

// reach gives the wanted columns that the range from low to high reaches into
// (border 0) or at least touches (border 1).
func (c *cutter) reach(low, high, border int32) (from, to int32) {
	if low >= c.safe[0] && high <= c.safe[1] {
		return c.at, c.at
	}
	from = cellOf(low-c.buffer-border, c.size)
	to = cellOf(high+c.buffer-1+border, c.size)
	if from == to && from >= c.first && to <= c.last {
		c.settle(from)
	}
	return max(from, c.first), min(to, c.last)
}

// cellOf is the cell of a grid that holds the coordinate.
func cellOf(x, size int32) int32 {
	q := x / size
	if x%size < 0 {
		q--
	}
	return q
}
