package ring

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// way makes a line from x, y, x, y, …
func way(id int64, role string, xy ...int32) Line {
	l := Line{ID: id, Role: role}
	for i := 0; i+1 < len(xy); i += 2 {
		l.Pts = append(l.Pts, Point{X: xy[i], Y: xy[i+1]})
	}
	return l
}

// square is a closed way around the square from x, y with sides of n.
func square(id int64, role string, x, y, n int32) Line {
	return way(id, role, x, y, x+n, y, x+n, y+n, x, y+n, x, y)
}

// draw writes polygons as text: «outer / hole / hole», one a line.
func draw(polygons []Polygon) string {
	var lines []string
	for _, p := range polygons {
		parts := []string{drawRing(p.Outer)}
		holes := make([]string, 0, len(p.Holes))
		for _, h := range p.Holes {
			holes = append(holes, drawRing(h))
		}
		slices.Sort(holes)
		lines = append(lines, strings.Join(append(parts, holes...), " / "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func drawRing(r []Point) string {
	var out []string
	for _, p := range r {
		out = append(out, fmt.Sprintf("%d,%d", p.X, p.Y))
	}
	return strings.Join(out, " ")
}

// drawProblems writes problems as «kind way@x,y», in order.
func drawProblems(problems []Problem) string {
	var out []string
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%s %d@%d,%d", p.Kind, p.Way, p.At.X, p.At.Y))
	}
	return strings.Join(out, "; ")
}

// valid checks what the package promises of every polygon.
func valid(t testing.TB, polygons []Polygon) {
	t.Helper()
	for _, p := range polygons {
		validRing(t, p.Outer, 1)
		for _, h := range p.Holes {
			validRing(t, h, -1)
			for i, v := range h[1:] {
				if side(p.Outer, v) < 0 || side(p.Outer, mid(h[i], v)) < 0 && apart(p.Outer, mid(h[i], v)) > 2 {
					t.Fatalf("the hole %s leaves its outer ring %s", drawRing(h), drawRing(p.Outer))
				}
			}
		}
	}
}

func mid(a, b Point) Point {
	return Point{X: int32((int64(a.X) + int64(b.X)) / 2), Y: int32((int64(a.Y) + int64(b.Y)) / 2)}
}

func validRing(t testing.TB, r []Point, turn int) {
	t.Helper()
	if len(r) < 4 || r[0] != r[len(r)-1] {
		t.Fatalf("the ring %s is not closed", drawRing(r))
	}
	seen := map[Point]bool{}
	for _, p := range r[1:] {
		if seen[p] {
			t.Fatalf("the ring %s touches itself in %v", drawRing(r), p)
		}
		seen[p] = true
		if comparePoints(p, r[0]) < 0 {
			t.Fatalf("the ring %s does not begin at its westernmost vertex", drawRing(r))
		}
	}
	if got := orient(r[len(r)-2], r[0], r[1]); got != turn {
		t.Fatalf("the ring %s turns %d, want %d", drawRing(r), got, turn)
	}
}

// apart gives the distance of p from the nearest line of the ring.
func apart(ring []Point, p Point) float64 {
	best := math.Inf(1)
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		best = min(best, squared(spot{float64(p.X), float64(p.Y)}, spot{float64(a.X), float64(a.Y)}, spot{float64(b.X), float64(b.Y)}))
	}
	return math.Sqrt(best)
}

// covered says whether one of the polygons contains p, and that no two do.
func covered(t testing.TB, polygons []Polygon, p Point) bool {
	n := 0
	for _, poly := range polygons {
		if Contains(poly, p) {
			n++
		}
	}
	if n > 1 {
		t.Fatalf("%d polygons cover %v", n, p)
	}
	return n == 1
}

// shred cuts closed lines into open pieces, reverses some, and shuffles them.
func shred(rng *rand.Rand, lines []Line) []Line {
	var out []Line
	id := int64(1000)
	for _, l := range lines {
		n := len(l.Pts) - 1
		turn := rng.IntN(n) // the ways need not begin where the ring did
		pts := append(slices.Concat(l.Pts[turn:n], l.Pts[:turn]), l.Pts[turn])
		for len(pts) > 1 {
			k := 1 + rng.IntN(len(pts)-1)
			piece := slices.Clone(pts[:k+1])
			if rng.IntN(2) == 0 {
				slices.Reverse(piece)
			}
			id++
			out = append(out, Line{ID: id, Role: l.Role, Pts: piece})
			pts = pts[k:]
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// star is a closed line around a centre, with a vertex each angle.
func star(rng *rand.Rand, role string, x, y, small, large float64, n int) Line {
	l := Line{Role: role}
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		r := small + rng.Float64()*(large-small)
		l.Pts = append(l.Pts, Point{X: int32(math.Round(x + r*math.Cos(angle))), Y: int32(math.Round(y + r*math.Sin(angle)))})
	}
	l.Pts = append(l.Pts, l.Pts[0])
	return l
}
