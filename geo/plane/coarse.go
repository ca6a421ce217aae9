package plane

// lattice is the most cells on the longer side of a shape that is drawn coarsely.
const lattice = 512

// coarse draws the shape on a lattice of square cells: a cell is filled when the
// winding number in its middle is above zero. The time is bounded by 512 steps a
// point.
func (c *cleaner) coarse() []Polygon {
	b := Nowhere()
	for _, r := range c.rings {
		b = b.Union(BoxOf(r))
	}
	d := drawing{step: 1 + max(b.MaxX-b.MinX, b.MaxY-b.MinY)/lattice}
	d.x, d.y = cellOf(b.MinX, d.step)*d.step, cellOf(b.MinY, d.step)*d.step
	d.cols, d.rows = int((b.MaxX-d.x)/d.step)+1, int((b.MaxY-d.y)/d.step)+1
	d.turns = make([]int32, (d.cols+1)*d.rows)
	for i := range c.edges {
		d.edge(&c.edges[i])
	}
	d.fill()
	c.graph.begin()
	d.outline(&c.graph)
	c.graph.settle()
	return c.graph.polygons()
}

// drawing is a lattice of cols x rows cells of step units from (x, y) on.
type drawing struct {
	step, x, y int32
	cols, rows int
	turns      []int32 // by row: how the winding number changes with each cell
	filled     []bool
}

// edge notes where the winding number changes because of an edge, in the middle
// line of each row that it crosses. All is doubled, so that middles are whole.
func (d *drawing) edge(e *edge) {
	a, b, turn := e.a, e.b, int32(-1)
	if a.Y > b.Y {
		a, b, turn = b, a, 1
	}
	step := int64(d.step)
	dx, dy := int64(b.X-a.X), int64(b.Y-a.Y)
	from := max(0, floorDiv(2*int64(a.Y-d.y)-step+2*step-1, 2*step))
	for row := from; row < int64(d.rows); row++ {
		over := 2*(int64(d.y-a.Y)+row*step) + step // from a to the middle of the row
		if over >= 2*dy {
			return
		}
		x := 2*int64(a.X-d.x) + floorDiv(over*dx, dy)
		col := min(max(0, floorDiv(x-step+2*step-1, 2*step)), int64(d.cols))
		d.turns[row*int64(d.cols+1)+col] += turn
	}
}

// fill sums up the turns.
func (d *drawing) fill() {
	d.filled = make([]bool, d.cols*d.rows)
	for row := range d.rows {
		winding := int32(0)
		for col := range d.cols {
			winding += d.turns[row*(d.cols+1)+col]
			d.filled[row*d.cols+col] = winding > 0
		}
	}
}

// at says whether a cell is filled, false beside the lattice.
func (d *drawing) at(col, row int) bool {
	return col >= 0 && row >= 0 && col < d.cols && row < d.rows && d.filled[row*d.cols+col]
}

// corner is the north-western corner of a cell.
func (d *drawing) corner(col, row int) Point {
	return Point{d.x + int32(col)*d.step, d.y + int32(row)*d.step}
}

// outline adds the sides between filled cells and others, so that they run around
// the filled ones like outer rings.
func (d *drawing) outline(g *graph) {
	for row := range d.rows + 1 {
		for col := range d.cols + 1 {
			here, a := d.at(col, row), d.corner(col, row)
			if b := d.corner(col+1, row); here != d.at(col, row-1) {
				if here {
					g.add(a, b)
				} else {
					g.add(b, a)
				}
			}
			if b := d.corner(col, row+1); here != d.at(col-1, row) {
				if here {
					g.add(b, a)
				} else {
					g.add(a, b)
				}
			}
		}
	}
}
