package plane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestClipLine(t *testing.T) {
	box := Box{0, 0, 10, 10}
	for _, c := range []struct{ name, line, want string }{
		{"inside", "1,1 5,5 9,1", "1,1 5,5 9,1"},
		{"outside", "11,1 15,5", ""},
		{"outside past a corner", "-3,2 2,-4", ""},
		{"through", "-5,5 15,5", "0,5 10,5"},
		{"through corners", "-5,-5 15,15", "0,0 10,10"},
		{"touches a corner", "-1,1 1,-1", ""},
		{"in and out", "5,5 5,15 8,15 8,5", "5,5 5,10 / 8,10 8,5"},
		{"out and in over one corner", "2,5 5,15 8,5", "2,5 4,10 / 7,10 8,5"},
		{"along the border", "-5,0 15,0", "0,0 10,0"},
		{"touches the border with a corner", "2,12 5,10 8,12", ""},
		{"on the border, inside, on the border", "0,0 0,10 10,10", "0,0 0,10 10,10"},
		{"leaves from the border and comes back there", "5,5 5,10 5,12 5,10 6,6", "5,5 5,10 6,6"},
		{"rounded to the nearest", "5,5 9,12", "5,5 8,10"},
		{"a half goes up", "5,5 8,15", "5,5 7,10"},
		{"repeated points", "1,1 1,1 2,2 2,2", "1,1 1,1 2,2 2,2"},
		{"one point", "1,1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := Line(parse(t, c.line)[0])
			if got := writeLines(ClipLine(nil, l, box)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if got := ClipLine(nil, Line{{1, 1}, {2, 2}}, Nowhere()); got != nil {
		t.Errorf("clipped to nothing: %v", got)
	}
}

func writeLines(lines []Line) string {
	rings := make([]Ring, len(lines))
	for i, l := range lines {
		rings[i] = Ring(l)
	}
	return write(rings)
}

// lineGap is how far a point is from lines.
func lineGap(lines []Line, p Point) float64 {
	least := math.Inf(1)
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			least = min(least, segmentGap(l[i-1], l[i], p))
		}
	}
	return least
}

// clipped checks pieces against the line they were cut from: inside the box, on
// the line, and about as long as what can be measured of the line inside.
func clipped(l Line, pieces []Line, b Box) error {
	got := 0.0
	for _, piece := range pieces {
		got += piece.Length()
		if len(piece) < 2 {
			return fmt.Errorf("a piece of %d points", len(piece))
		}
		for _, p := range piece {
			if !b.Contains(p) {
				return fmt.Errorf("%v is outside", p)
			}
			if lineGap([]Line{l}, p) > moved {
				return fmt.Errorf("%v is not on the line", p)
			}
		}
	}
	want, slack := 0.0, 0.01
	for i := 1; i < len(l); i++ {
		part, cut := lengthInside(l[i-1], l[i], b)
		want += part
		if cut {
			slack += 2 // both ends may move
		}
	}
	if math.Abs(got-want) > slack {
		return fmt.Errorf("length %v, want %v", got, want)
	}
	return nil
}

// lengthInside measures a segment inside a box, in floating point.
func lengthInside(a, b Point, box Box) (length float64, cut bool) {
	from, to := 0.0, 1.0
	for _, s := range [2][4]int32{{a.X, b.X, box.MinX, box.MaxX}, {a.Y, b.Y, box.MinY, box.MaxY}} {
		p, d := float64(s[0]), float64(s[1])-float64(s[0])
		if d == 0 {
			if s[0] < s[2] || s[0] > s[3] {
				return 0, false
			}
			continue
		}
		u, v := (float64(s[2])-p)/d, (float64(s[3])-p)/d
		from, to = max(from, min(u, v)), min(to, max(u, v))
	}
	full := math.Hypot(float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y))
	return max(0, to-from) * full, from > 0 || to < 1
}

func FuzzClipLine(f *testing.F) {
	f.Add([]byte{31, 0, 0, 30, 30, 5, 20, 7, 3})
	f.Add([]byte{0x9f, 0, 0, 30, 30, 5, 20, 7, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range foreign(data) {
			if len(r) < 2 {
				continue
			}
			l, all := Line(r), BoxOf(r)
			w, h := (all.MaxX-all.MinX)/4, (all.MaxY-all.MinY)/4
			box := Box{all.MinX + w, all.MinY + h, all.MaxX - w, all.MaxY - 2*h}
			pieces := ClipLine(nil, l, box)
			if err := clipped(l, pieces, box); err != nil {
				t.Fatalf("%s cut to %v: %s: %v", write([]Ring{r}), box, writeLines(pieces), err)
			}
			back := slices.Clone(l)
			slices.Reverse(back)
			again := ClipLine(nil, back, box)
			slices.Reverse(again)
			for _, piece := range again {
				slices.Reverse(piece)
			}
			if writeLines(again) != writeLines(pieces) {
				t.Fatalf("%s cut to %v: %s, backward %s", write([]Ring{r}), box, writeLines(pieces), writeLines(again))
			}
		}
	})
}

func TestClipRings(t *testing.T) {
	box := Box{0, 0, 10, 10}
	for _, c := range []struct{ name, rings, want string }{
		{"inside", "1,1 9,1 5,9", "1,1 9,1 5,9"},
		{"outside", "11,1 19,1 15,9", ""},
		{"outside past a corner", "14,9 14,14 9,14", ""},
		{"around", "-5,-5 15,-5 15,15 -5,15", "0,10 0,0 10,0 10,10"},
		{"touches a side", "10,2 15,2 15,8 10,8", ""},
		{"a corner of it", "5,5 15,5 15,15 5,15", "5,10 5,5 10,5 10,10"},
		{"two parts", "5,2 15,2 15,8 5,8 5,7 12,7 12,3 5,3", "5,2 10,2 10,3 5,3\n5,7 10,7 10,8 5,8"},
		{"a hole across", "1,1 20,1 20,9 1,9 / 5,4 5,6 15,6 15,4", "1,1 10,1 10,4 5,4 5,6 10,6 10,9 1,9"},
		{"a hole around", "-9,-9 20,-9 20,20 -9,20 / -5,-5 -5,15 15,15 15,-5", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cut := ClipRings(nil, parse(t, c.rings), box)
			if got := writePolygons(Clean(cut)); got != c.want {
				t.Errorf("got %q, want %q (cut %s)", got, c.want, write(cut))
			}
		})
	}
}

// covers checks rings cut to a box: they stay in it, and inside cover what the
// uncut ones do.
func covers(rings, cut []Ring, b Box) error {
	for _, r := range cut {
		if len(r) < 3 {
			return fmt.Errorf("a ring of %d points", len(r))
		}
		for _, p := range r {
			if !b.Contains(p) {
				return fmt.Errorf("%v is outside", p)
			}
		}
	}
	border := Ring{{b.MinX, b.MinY}, {b.MaxX, b.MinY}, {b.MaxX, b.MaxY}, {b.MinX, b.MaxY}}
	near := append(slices.Clone(rings), border)
	stepX, stepY := max(1, (b.MaxX-b.MinX)/20), max(1, (b.MaxY-b.MinY)/20)
	for x := b.MinX + 1; x < b.MaxX; x += stepX {
		for y := b.MinY + 1; y < b.MaxY; y += stepY {
			p := Point{x, y}
			if gap(near, p) <= 2*moved { // cut at a column and at a row
				continue
			}
			if got, want := winding(cut, p), winding(rings, p); got != want {
				return fmt.Errorf("winding number of %v is %d, want %d", p, got, want)
			}
		}
	}
	return nil
}

func FuzzClipRings(f *testing.F) {
	f.Add([]byte{31, 0, 0, 30, 30, 5, 20, 255, 7, 3, 8, 9, 2, 20})
	f.Add([]byte{0x9f, 0, 0, 30, 30, 5, 20, 255, 7, 3, 8, 9, 2, 20})
	f.Fuzz(func(t *testing.T, data []byte) {
		rings := slices.DeleteFunc(foreign(data), func(r Ring) bool { return len(r) < 3 })
		all := boxOfRings(rings)
		if all.Empty() {
			return
		}
		w, h := (all.MaxX-all.MinX)/4, (all.MaxY-all.MinY)/4
		box := Box{all.MinX + w, all.MinY + h, all.MaxX - w, all.MaxY - 2*h}
		cut := ClipRings(nil, rings, box)
		if err := covers(rings, cut, box); err != nil {
			t.Fatalf("%s cut to %v: %s: %v", write(rings), box, write(cut), err)
		}
		clean := sane(t, cut)
		for _, p := range clean {
			if !p.Box().Within(box) {
				t.Fatalf("%s cut to %v: %s", write(rings), box, writePolygons(clean))
			}
		}
	})
}

// Cut rings of a large plane, to see that nothing overflows.
func TestClipRingsLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 200 {
		ring := make(Ring, 30)
		for i := range ring {
			ring[i] = Point{r.Int32N(2*Limit) - Limit, r.Int32N(2*Limit) - Limit}
		}
		box := Box{-Limit / 2, -Limit / 3, Limit / 5, Limit / 2}
		if err := covers([]Ring{ring}, ClipRings(nil, []Ring{ring}, box), box); err != nil {
			t.Fatal(err)
		}
	}
}
