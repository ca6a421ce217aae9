package ring

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Random polygons with holes, islands in them and neighbours, cut to pieces,
// reversed and shuffled, come back as they were.
func TestPiecesComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 300 {
		n := 5 + rng.IntN(120)
		x, y := (rng.Float64()-0.5)*3e9, (rng.Float64()-0.5)*1.5e9
		lines := []Line{star(rng, "outer", x, y, 5e6, 9e6, n)}
		holes := rng.IntN(4)
		for i := range holes {
			at := 2 * math.Pi * float64(i) / float64(holes)
			hx, hy := x+2.5e6*math.Cos(at), y+2.5e6*math.Sin(at)
			lines = append(lines, star(rng, "inner", hx, hy, 5e5, 1e6, 5+rng.IntN(30)))
			if rng.IntN(2) == 0 {
				lines = append(lines, star(rng, "outer", hx, hy, 1e5, 2e5, 5+rng.IntN(9)))
			}
		}
		if n < 24 { // too few corners for the holes to be surely inside
			lines = lines[:1]
		}
		lines = append(lines, star(rng, "outer", x+3e7, y, 1e6, 9e6, 5+rng.IntN(40)))
		want := 0.0
		for _, l := range lines {
			if a := math.Abs(Area(l.Pts)); l.Role == "inner" {
				want -= a
			} else {
				want += a
			}
		}
		polygons, problems := Assemble(shred(rng, lines))
		valid(t, polygons)
		if len(problems) > 0 {
			t.Fatalf("round %d: problems %s", round, drawProblems(problems))
		}
		whole, _ := Assemble(lines)
		if draw(whole) != draw(polygons) {
			t.Fatalf("round %d: the pieces give another result than the rings", round)
		}
		if got := totalArea(polygons); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("round %d: area %f, want %f", round, got, want)
		}
	}
}

func totalArea(polygons []Polygon) (sum float64) {
	for _, p := range polygons {
		sum += Area(p.Outer)
		for _, h := range p.Holes {
			sum += Area(h) // clockwise: negative
		}
	}
	return sum
}

// Closed lines at random on a coarse grid touch, cross and cover each other in
// every way there is. What comes out must be the places that an odd number of
// them surround.
func TestAnyClosedLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for round := range 3000 {
		step := []int32{1000, 40_000, 150_000_000}[round%3]
		grid := int32(3 + rng.IntN(5))
		var lines []Line
		for i := range 1 + rng.IntN(4) {
			l := Line{ID: int64(i + 1), Role: "outer"}
			for range 3 + rng.IntN(6) {
				l.Pts = append(l.Pts, Point{X: rng.Int32N(grid) * step, Y: rng.Int32N(grid) * step})
			}
			l.Pts = append(l.Pts, l.Pts[0])
			lines = append(lines, l)
		}
		polygons, _ := Assemble(lines)
		for _, p := range polygons {
			validRing(t, p.Outer, 1)
			for _, h := range p.Holes {
				validRing(t, h, -1)
			}
		}
		checkFill(t, rng, lines, polygons, grid*step)
		if t.Failed() {
			t.Fatalf("round %d: %v\ngives\n%s", round, lines, draw(polygons))
		}
	}
}

// checkFill compares polygons with the lines at random places that are not
// within rounding of a line.
func checkFill(t *testing.T, rng *rand.Rand, lines []Line, polygons []Polygon, size int32) {
	for range 60 {
		p := Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
		near, odd := false, false
		for _, l := range lines {
			near = near || apart(l.Pts, p) < 3
			odd = odd != (side(l.Pts, p) > 0)
		}
		if !near && covered(t, polygons, p) != odd {
			t.Errorf("%v: an odd number of lines around it: %t", p, odd)
		}
	}
}

// A relation with a broken part gives the sound part unchanged.
func TestBrokenPartSpoilsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for round := range 200 {
		sound := shred(rng, []Line{star(rng, "outer", 0, 0, 5e6, 9e6, 40), star(rng, "inner", 0, 0, 1e6, 2e6, 20)})
		want, _ := Assemble(sound)
		broken := shred(rng, []Line{star(rng, "outer", 5e7, 0, 5e6, 9e6, 40)})
		broken = append(broken[1:], Line{ID: 1, Pts: []Point{sound[0].Pts[0], {X: 2e8, Y: int32(round)}}})
		polygons, problems := Assemble(append(broken, sound...))
		if draw(polygons) != draw(want) {
			t.Fatalf("round %d: got\n%s\nwant\n%s", round, draw(polygons), draw(want))
		}
		if !strings.Contains(drawProblems(problems), Unclosed) {
			t.Fatalf("round %d: the gap is not reported: %s", round, drawProblems(problems))
		}
	}
}

// FuzzAssemble: no lines make it panic or run for long, and its promises hold.
func FuzzAssemble(f *testing.F) {
	f.Add([]byte{0, 0, 0, 9, 0, 9, 9, 0, 9, 0, 0, 255, 2, 2, 4, 2, 4, 4, 2, 2})
	f.Add([]byte{0, 0, 9, 9, 9, 0, 0, 9, 0, 0, 255, 1, 1, 5, 5, 255, 7, 7})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			return
		}
		scale := int32(1)
		if len(data) > 0 {
			scale = []int32{1, 1000, 7_000_000}[data[0]%3]
		}
		lines := []Line{{ID: 1}}
		for i := 0; i+1 < len(data); i += 2 {
			l := &lines[len(lines)-1]
			if data[i] == 255 {
				lines = append(lines, Line{ID: int64(data[i+1]), Role: []string{"", "inner", "outer"}[data[i+1]%3]})
				continue
			}
			l.Pts = append(l.Pts, Point{X: (int32(data[i]) - 100) * scale, Y: (int32(data[i+1]) - 100) * scale})
		}
		polygons, problems := Assemble(lines)
		if len(problems) > maxProblems {
			t.Fatalf("%d problems", len(problems))
		}
		for _, p := range polygons {
			validRing(t, p.Outer, 1)
			for _, h := range p.Holes {
				validRing(t, h, -1)
			}
			if at := InnerPoint(p); !Contains(p, at) {
				t.Fatalf("the label %v is not in %s", at, draw([]Polygon{p}))
			}
		}
	})
}
