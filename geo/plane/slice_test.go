package plane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slicedRings checks every cell of a grid against the shape.
func slicedRings(s *Slicer, rings []Ring) error {
	rings = slices.DeleteFunc(slices.Clone(rings), func(r Ring) bool { return len(r) < 3 })
	frame := Box{0, 0, s.Size, s.Size}.Expand(s.Buffer)
	seen := map[Point]bool{}
	var fault error
	s.Rings(rings, func(c Cell) {
		at := Point{c.Col, c.Row}
		if fault != nil {
			return
		}
		if seen[at] || !s.Cells.Contains(at) {
			fault = fmt.Errorf("cell %v twice, or not wanted", at)
			return
		}
		seen[at] = true
		home := moveRings(rings, -c.Col*s.Size, -c.Row*s.Size)
		if c.Full && (len(c.Rings) != 1 || c.Rings[0].Area2() != 2*int64(frame.MaxX-frame.MinX)*int64(frame.MaxY-frame.MinY)) {
			fault = fmt.Errorf("full cell %v: %s", at, write(c.Rings))
		}
		if c.Full { // filled once however often it is covered
			for i, r := range home {
				if within(r, frame) {
					fault = fmt.Errorf("full cell %v has ring %d inside", at, i)
				}
			}
			if p := (Point{s.Size / 2, s.Size / 2}); gap(home, p) > 0 && winding(home, p) <= 0 {
				fault = fmt.Errorf("full cell %v is empty", at)
			}
			return
		}
		if err := covers(home, c.Rings, frame); err != nil {
			fault = fmt.Errorf("cell %v: %w", at, err)
		}
	})
	if fault != nil {
		return fault
	}
	for col := s.Cells.MinX; col <= s.Cells.MaxX; col++ {
		for row := s.Cells.MinY; row <= s.Cells.MaxY; row++ {
			if seen[Point{col, row}] {
				continue
			}
			home := moveRings(rings, -col*s.Size, -row*s.Size)
			if p := (Point{s.Size / 2, s.Size / 2}); gap(home, p) > 2*moved && winding(home, p) > 0 {
				return fmt.Errorf("cell %d,%d is missing", col, row)
			}
		}
	}
	return nil
}

func within(r Ring, b Box) bool { return BoxOf(r).Within(b.Expand(-2)) }

func moveRings(rings []Ring, x, y int32) []Ring {
	out := make([]Ring, len(rings))
	for i, r := range rings {
		for _, p := range r {
			out[i] = append(out[i], Point{p.X + x, p.Y + y})
		}
	}
	return out
}

// slicedLines checks every cell of a grid against the lines.
func slicedLines(s *Slicer, lines []Line) error {
	frame := Box{0, 0, s.Size, s.Size}.Expand(s.Buffer)
	got := map[Point]float64{}
	var fault error
	s.Lines(lines, func(c Cell) {
		at := Point{c.Col, c.Row}
		if _, twice := got[at]; twice || !s.Cells.Contains(at) {
			fault = fmt.Errorf("cell %v twice, or not wanted", at)
		}
		for _, l := range c.Lines {
			got[at] += l.Length()
			if len(l) < 2 {
				fault = fmt.Errorf("cell %v: a line of %d points", at, len(l))
			}
			for i, p := range l {
				if !frame.Contains(p) || i > 0 && p == l[i-1] {
					fault = fmt.Errorf("cell %v: %v outside or repeated", at, p)
				}
				if d := lineGap(lines, Point{p.X + c.Col*s.Size, p.Y + c.Row*s.Size}); d > 2*moved {
					fault = fmt.Errorf("cell %v: %v is %v from the lines", at, p, d)
				}
			}
		}
	})
	for col := s.Cells.MinX; col <= s.Cells.MaxX && fault == nil; col++ {
		for row := s.Cells.MinY; row <= s.Cells.MaxY; row++ {
			want, slack := 0.0, 0.1
			for _, l := range lines {
				for i := 1; i < len(l); i++ {
					part, cut := lengthInside(l[i-1], l[i], s.frame(col, row))
					want += part
					if cut { // where a flat segment is cut at a row depends much on its rounded end
						w, h := math.Abs(float64(l[i].X-l[i-1].X)), math.Abs(float64(l[i].Y-l[i-1].Y))
						slack += 4 + math.Hypot(w, h)/max(1, min(w, h))
					}
				}
			}
			if have := got[Point{col, row}]; have < want-slack || have > want+slack {
				return fmt.Errorf("cell %d,%d holds %v of the lines, want %v", col, row, have, want)
			}
		}
	}
	return fault
}

func TestSlicerShapes(t *testing.T) {
	for _, buffer := range []int32{0, 1, 3, 7} {
		s := &Slicer{Size: 16, Buffer: buffer, Cells: Box{-4, -4, 6, 6}}
		for _, text := range []string{
			"2,2 10,2 10,10 2,10",         // in one cell
			"2,2 14,2 14,14 2,14",         // in the buffer of others
			"0,0 16,0 16,16 0,16",         // exactly a cell
			"-40,-40 80,-40 80,80 -40,80", // many full ones
			"-40,-40 80,-40 80,80 -40,80 / -20,-20 -20,60 60,60 60,-20",           // with a hole of many
			"-40,-40 80,-40 80,80 -40,80 / 16,16 16,32 32,32 32,16",               // with a hole of one
			"-40,0 80,0 80,1 -40,1",                                               // a strip along a border
			"-40,-40 80,80 80,81 -40,-39",                                         // a slope
			"16,-40 17,-40 17,80 16,80 16,81 40,81 40,-41 16,-41",                 // upright
			"-400,-400 400,-400 400,400 -400,400",                                 // beyond what is wanted
			"5,5 6,5 6,6 5,6 / 50,50 60,50 60,60 50,60 / -30,0 -20,0 -20,9",       // far apart
			"0,0 40,0 40,40 0,40 / 40,0 80,0 80,40 40,40 / 0,20 80,20 80,30 0,30", // overlapping
		} {
			if err := slicedRings(s, parse(t, text)); err != nil {
				t.Errorf("buffer %d, %s: %v", buffer, text, err)
			}
			var lines []Line
			for _, r := range parse(t, text) {
				lines = append(lines, Line(r))
			}
			if err := slicedLines(s, lines); err != nil {
				t.Errorf("buffer %d, lines %s: %v", buffer, text, err)
			}
		}
	}
}

func TestSlicerFull(t *testing.T) {
	s := &Slicer{Size: 16, Buffer: 2, Cells: Box{0, 0, 9, 9}}
	full, part := 0, 0
	s.Rings(parse(t, "10,10 150,10 150,150 10,150 / 40,40 40,100 100,100 100,40"), func(c Cell) {
		if c.Full {
			full++
		} else {
			part++
		}
	})
	// Of 10 x 10 cells 36 lie on the border (corner cells of the shape too), and of
	// the 8 x 8 inside the hole's border takes cells 2 to 6 both ways but the 3 x 3
	// that it empties.
	if full != 64-25 || part != 36+16 {
		t.Errorf("%d full, %d in part", full, part)
	}
}

func TestSlicerAround(t *testing.T) {
	s := &Slicer{Size: 100, Buffer: 5, Cells: Box{0, 0, 9, 9}}
	for p, want := range map[Point]Box{
		{50, 50}:   {0, 0, 0, 0},
		{105, 95}:  {0, 0, 1, 1},
		{106, 94}:  {1, 0, 1, 0},
		{-5, 500}:  {0, 4, 0, 5},
		{1005, 50}: {9, 0, 9, 0},
	} {
		if got := s.Around(p); got != want {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
	if !s.Around(Point{-6, 50}).Empty() {
		t.Error("a point outside is in a cell")
	}
}

// Shapes that span very many cells are cut in bands, which changes nothing.
func TestSlicerBands(t *testing.T) {
	s := &Slicer{Size: 4, Buffer: 1, Cells: Box{-20000, 0, 20000, 3}}
	rings := parse(t, "-90000,0 90000,2 90000,9 -90000,7")
	cells, full := 0, 0
	last := int32(-20001)
	s.Rings(rings, func(c Cell) {
		cells++
		if c.Full {
			full++
		}
		if c.Col < last {
			t.Fatalf("column %d after %d", c.Col, last)
		}
		last = c.Col
	})
	if last != 20000 || cells < 2*40001 {
		t.Errorf("%d cells up to column %d", cells, last)
	}
	// Zigzags whose pieces are far more than the budget.
	zigzag := make(Line, 3000)
	for i := range zigzag {
		zigzag[i] = Point{int32(i%2) * 30000, int32(i)}
	}
	s = &Slicer{Size: 8, Buffer: 0, Cells: Box{0, 0, 4000, 400}}
	total := 0.0
	s.Lines([]Line{zigzag}, func(c Cell) {
		for _, l := range c.Lines {
			total += l.Length()
		}
	})
	// Every eighth row of the grid is the border of two cells, which both hold what
	// lies on it.
	if want := zigzag.Length(); total < want || total > 1.13*want {
		t.Errorf("length %v, want %v to %v", total, want, 1.125*want)
	}
	held := 0
	for _, column := range s.columns.strips {
		held += cap(column.points)
	}
	if held > 3*pieceBudget || held == 0 {
		t.Errorf("memory for %d points held, the budget is %d", held, pieceBudget)
	}
}

func TestSlicerRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		data := make([]byte, 10+r.IntN(60))
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		if err := sliceForeign(data); err != nil {
			t.Fatal(err)
		}
	}
}

// sliceForeign cuts what bytes make into a grid of a few cells.
func sliceForeign(data []byte) error {
	rings := foreign(data)
	all := boxOfRings(rings)
	if all.Empty() {
		return nil
	}
	size := max(8, (all.MaxX-all.MinX)/4)
	s := &Slicer{Size: size, Buffer: size / 5, Cells: Box{-9, -9, 9, 9}}
	if err := slicedRings(s, rings); err != nil {
		return fmt.Errorf("%s cut by %d: %w", write(rings), size, err)
	}
	var lines []Line
	for _, r := range rings {
		lines = append(lines, Line(r))
	}
	if err := slicedLines(s, lines); err != nil {
		return fmt.Errorf("lines %s cut by %d: %w", write(rings), size, err)
	}
	return nil
}

func FuzzSlicer(f *testing.F) {
	f.Add([]byte{31, 0, 0, 30, 30, 5, 20, 255, 7, 3, 8, 9, 2, 20})
	f.Add([]byte{0x9f, 0, 0, 30, 30, 5, 20, 255, 7, 3, 8, 9, 2, 20})
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := sliceForeign(data); err != nil {
			t.Fatal(err)
		}
	})
}

// Nothing is allocated once the slicer has seen such a shape.
func TestSlicerAllocates(t *testing.T) {
	s := &Slicer{Size: 1 << 8, Buffer: 4, Cells: Box{-100, -100, 100, 100}}
	rings := []Ring{blob(500, 0, 0, 2000)}
	lines := []Line{Line(rings[0])}
	n := 0
	count := func(c Cell) { n += len(c.Rings) + len(c.Lines) }
	if a := testing.AllocsPerRun(20, func() { s.Rings(rings, count); s.Lines(lines, count) }); a > 0 {
		t.Errorf("%v allocations", a)
	}
	if n == 0 {
		t.Error("no cells")
	}
}
