package plane

// Slicer cuts geometry along a grid of square cells: the tiles of one zoom. The
// cell of column c and row r covers Size units from (c*Size, r*Size) on, and
// Buffer units more on each side.
//
// A Slicer keeps its memory and allocates nothing once it has seen shapes as
// large as those to come; it is not for several goroutines at once. Time grows
// with the points read and written; memory is bounded by the points of a shape
// plus pieceBudget.
type Slicer struct {
	Size   int32 // of a cell, above zero, at most 2^24
	Buffer int32 // below half of Size
	Cells  Box   // the cells wanted: columns are X, rows are Y, all included

	columns, rows cutter
	rings         []Ring
	lines         []Line
	points        []Point
	square        [4]Point
}

// Cell is what one cell holds of a shape. Points count from the north-western
// corner of the cell without its buffer. The memory is the slicer's: it is good
// until yield returns.
type Cell struct {
	Col, Row int32
	Rings    []Ring // from Rings: they may run along the border, Clean makes them valid
	Lines    []Line // from Lines
	Full     bool   // the shape covers the cell with its buffer: Rings is one square
}

// pieceBudget is the most points that cutting holds at a time beyond those of
// the shape.
const pieceBudget = 1 << 22

// maxBand is the most columns or rows cut at a time.
const maxBand = 1 << 14

// Around gives the cells that hold p, in their buffer perhaps: columns are X,
// rows are Y.
func (s *Slicer) Around(p Point) Box {
	return s.reached(Box{p.X, p.Y, p.X, p.Y}, 1)
}

// reached gives the wanted cells that a box reaches into (border 0) or at least
// touches (border 1).
func (s *Slicer) reached(b Box, border int32) Box {
	if b.Empty() {
		return Nowhere()
	}
	return Box{
		max(s.Cells.MinX, cellOf(b.MinX-s.Buffer-border, s.Size)),
		max(s.Cells.MinY, cellOf(b.MinY-s.Buffer-border, s.Size)),
		min(s.Cells.MaxX, cellOf(b.MaxX+s.Buffer-1+border, s.Size)),
		min(s.Cells.MaxY, cellOf(b.MaxY+s.Buffer-1+border, s.Size)),
	}
}

// frame is the box of a cell with its buffer.
func (s *Slicer) frame(col, row int32) Box {
	x, y := col*s.Size, row*s.Size
	return Box{x, y, x + s.Size, y + s.Size}.Expand(s.Buffer)
}

// Rings cuts the rings of a shape (oriented as in Polygon) and hands over every
// cell that the shape has a part of, column by column. What is filled inside a
// cell is right when the winding number of its rings is above zero there. A ring
// outside takes no part; a cell inside a hole is not handed over.
func (s *Slicer) Rings(rings []Ring, yield func(Cell)) {
	around, total := Nowhere(), 0
	for _, r := range rings {
		if len(r) >= 3 {
			around, total = around.Union(BoxOf(r)), total+len(r)
		}
	}
	cells := s.reached(around, 0)
	if cells.Empty() {
		return
	}
	if cells.MinX == cells.MaxX && cells.MinY == cells.MaxY && around.Within(s.frame(cells.MinX, cells.MinY)) {
		s.whole(cells.MinX, cells.MinY, rings, yield)
		return
	}
	step := s.band(cells.MinX, cells.MaxX, total, func(count func(a, b int32)) {
		for _, r := range rings {
			if len(r) >= 3 {
				spans(r, true, count)
			}
		}
	})
	for first := cells.MinX; first <= cells.MaxX; first += step {
		s.columns.begin(s.Size, s.Buffer, first, min(first+step-1, cells.MaxX))
		for _, r := range rings {
			if len(r) >= 3 {
				s.columns.ring(r)
			}
		}
		for col := s.columns.low; col <= s.columns.high; col++ {
			if column := &s.columns.strips[col-first]; len(column.ends) > 0 {
				transpose(column.points)
				s.ringRows(col, cells, column, yield)
			}
		}
	}
}

// whole hands over rings that lie in one cell only.
func (s *Slicer) whole(col, row int32, rings []Ring, yield func(Cell)) {
	s.rings, s.points = s.rings[:0], s.points[:0]
	x, y := col*s.Size, row*s.Size
	for _, r := range rings {
		for _, p := range r {
			s.points = append(s.points, Point{p.X - x, p.Y - y})
		}
	}
	at := 0
	for _, r := range rings {
		if len(r) >= 3 {
			s.rings = append(s.rings, Ring(s.points[at:at+len(r):at+len(r)]))
		}
		at += len(r)
	}
	s.yieldRings(col, row, yield)
}

// ringRows cuts a column of transposed rings into its cells.
func (s *Slicer) ringRows(col int32, cells Box, column *strip, yield func(Cell)) {
	step := s.band(cells.MinY, cells.MaxY, len(column.points), func(count func(a, b int32)) {
		for i := range column.ends {
			spans(column.part(i), true, count)
		}
	})
	for first := cells.MinY; first <= cells.MaxY; first += step {
		s.rows.begin(s.Size, s.Buffer, first, min(first+step-1, cells.MaxY))
		for i := range column.ends {
			s.rows.ring(column.part(i))
		}
		for row := s.rows.low; row <= s.rows.high; row++ {
			cell := &s.rows.strips[row-first]
			if len(cell.ends) == 0 {
				continue
			}
			s.rings = s.rings[:0]
			for i := range cell.ends {
				s.rings = append(s.rings, Ring(cell.part(i)))
			}
			home(cell.points, col*s.Size, row*s.Size)
			s.yieldRings(col, row, yield)
		}
	}
}

// home turns transposed points back and counts them from the corner of a cell.
func home(points []Point, x, y int32) {
	for i, p := range points {
		points[i] = Point{p.Y - x, p.X - y}
	}
}

// yieldRings hands over s.rings, unless they cover nothing.
func (s *Slicer) yieldRings(col, row int32, yield func(Cell)) {
	c := Cell{Col: col, Row: row, Rings: s.rings}
	frame := Box{0, 0, s.Size, s.Size}.Expand(s.Buffer)
	if uniform(s.rings, frame) {
		var area int64
		for _, r := range s.rings {
			area += r.Area2()
		}
		if area <= 0 {
			return
		}
		c.Full = true
		s.square = [4]Point{{frame.MinX, frame.MinY}, {frame.MaxX, frame.MinY}, {frame.MaxX, frame.MaxY}, {frame.MinX, frame.MaxY}}
		s.rings = append(s.rings[:0], s.square[:])
		c.Rings = s.rings
	}
	yield(c)
}

// uniform says whether no edge enters the box: all of it is covered alike.
func uniform(rings []Ring, b Box) bool {
	for _, r := range rings {
		p := r[len(r)-1]
		for _, q := range r {
			if !(p.X == q.X && (p.X == b.MinX || p.X == b.MaxX)) && !(p.Y == q.Y && (p.Y == b.MinY || p.Y == b.MaxY)) {
				return false
			}
			p = q
		}
	}
	return true
}

// Lines cuts lines and hands over every cell that has a piece of them, column by
// column. A piece that only touches a cell is left out.
func (s *Slicer) Lines(lines []Line, yield func(Cell)) {
	around, total := Nowhere(), 0
	for _, l := range lines {
		around, total = around.Union(BoxOf(l)), total+len(l)
	}
	cells := s.reached(around, 1)
	if cells.Empty() {
		return
	}
	step := s.band(cells.MinX, cells.MaxX, total, func(count func(a, b int32)) {
		for _, l := range lines {
			spans(l, false, count)
		}
	})
	for first := cells.MinX; first <= cells.MaxX; first += step {
		s.columns.begin(s.Size, s.Buffer, first, min(first+step-1, cells.MaxX))
		for _, l := range lines {
			s.columns.line(l)
		}
		for col := s.columns.low; col <= s.columns.high; col++ {
			if column := &s.columns.strips[col-first]; len(column.ends) > 0 {
				transpose(column.points)
				s.lineRows(col, cells, column, yield)
			}
		}
	}
}

// lineRows cuts a column of transposed lines into its cells.
func (s *Slicer) lineRows(col int32, cells Box, column *strip, yield func(Cell)) {
	step := s.band(cells.MinY, cells.MaxY, len(column.points), func(count func(a, b int32)) {
		for i := range column.ends {
			spans(column.part(i), false, count)
		}
	})
	for first := cells.MinY; first <= cells.MaxY; first += step {
		s.rows.begin(s.Size, s.Buffer, first, min(first+step-1, cells.MaxY))
		for i := range column.ends {
			s.rows.line(column.part(i))
		}
		for row := s.rows.low; row <= s.rows.high; row++ {
			cell := &s.rows.strips[row-first]
			if len(cell.ends) == 0 {
				continue
			}
			s.lines = s.lines[:0]
			for i := range cell.ends {
				s.lines = append(s.lines, Line(cell.part(i)))
			}
			home(cell.points, col*s.Size, row*s.Size)
			yield(Cell{Col: col, Row: row, Lines: s.lines})
		}
	}
}

// band says how many columns (or rows) to cut at a time, so that their points
// stay in the budget: all of them nearly always. each counts every segment.
func (s *Slicer) band(first, last int32, points int, each func(count func(a, b int32))) int32 {
	cells := int64(last-first) + 1
	if int64(points)*cells <= pieceBudget && cells <= maxBand {
		return int32(cells)
	}
	var written int64
	each(func(a, b int32) {
		from := max(first, cellOf(min(a, b)-s.Buffer-1, s.Size))
		to := min(last, cellOf(max(a, b)+s.Buffer, s.Size))
		written += 2 * int64(max(0, to-from+1))
	})
	bands := max(1, written/pieceBudget)
	return int32(max(1, min(maxBand, cells/bands)))
}

// spans counts the X range of every segment.
func spans(points []Point, closed bool, count func(a, b int32)) {
	for i := 1; i < len(points); i++ {
		count(points[i-1].X, points[i].X)
	}
	if closed {
		count(points[len(points)-1].X, points[0].X)
	}
}
