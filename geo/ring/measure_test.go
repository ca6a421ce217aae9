package ring

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestArea(t *testing.T) {
	degree := func(n int32) int32 { return n * 10_000_000 }
	for _, c := range []struct {
		name string
		ring []Point
		want float64
	}{
		{"none", nil, 0},
		{"two points", []Point{{X: 0, Y: 0}, {X: 1, Y: 1}}, 0},
		// R² · Δλ · (sin φ₂ − sin φ₁)
		{"one degree at the equator", square(0, "", 0, 0, degree(1)).Pts, 6371008.8 * 6371008.8 * math.Pi / 180 * math.Sin(math.Pi/180)},
		{"an eighth of the Earth", way(0, "", 0, 0, degree(90), 0, degree(90), degree(90), 0, degree(90)).Pts, 4 * math.Pi * 6371008.8 * 6371008.8 / 8},
		{"not closed, clockwise", way(0, "", 0, 0, 0, degree(1), degree(1), degree(1), degree(1), 0).Pts, -6371008.8 * 6371008.8 * math.Pi / 180 * math.Sin(math.Pi/180)},
		// 100 units are 11.12 mm × 11.12 mm · cos 60°.
		{"a tile at 60° north", square(0, "", degree(30), degree(60), 100).Pts, 1.1119508 * 1.1119508 * 0.5},
	} {
		if got := Area(c.ring); math.Abs(got-c.want) > 1e-5*math.Abs(c.want) {
			t.Errorf("%s: %f, want %f", c.name, got, c.want)
		}
	}
}

func TestContains(t *testing.T) {
	polygons, _ := Assemble([]Line{
		way(1, "outer", 0, 0, 10, 0, 10, 10, 5, 5, 0, 10, 0, 0),
		square(2, "inner", 2, 2, 2),
	})
	poly := polygons[0]
	for p, want := range map[Point]bool{
		{X: 1, Y: 1}: true, {X: 3, Y: 3}: false, {X: 5, Y: 4}: true, {X: 5, Y: 5}: true, {X: 5, Y: 6}: false,
		{X: 0, Y: 0}: true, {X: 10, Y: 10}: true, {X: 0, Y: 5}: true, {X: 5, Y: 0}: true, {X: 2, Y: 2}: true, {X: 2, Y: 3}: true, {X: 4, Y: 4}: true,
		{X: 11, Y: 5}: false, {X: -1, Y: 0}: false, {X: 11, Y: 0}: false, {X: -1, Y: 10}: false, {X: 5, Y: 11}: false, {X: 7, Y: 7}: true, {X: 3, Y: 7}: true, {X: 6, Y: 7}: false,
		{X: math.MaxInt32, Y: 5}: false, {X: math.MinInt32, Y: 5}: false, {X: 5, Y: math.MaxInt32}: false, {X: 5, Y: math.MinInt32}: false,
	} {
		if got := Contains(poly, p); got != want {
			t.Errorf("%v: %t", p, got)
		}
	}
	if Contains(Polygon{}, Point{}) {
		t.Error("nothing contains something")
	}
}

func TestInnerPoint(t *testing.T) {
	ring := func(l Line) Polygon { return Polygon{Outer: l.Pts} }
	for _, c := range []struct {
		name string
		poly Polygon
		want Point
		near float64 // tolerated distance
	}{
		{"square", ring(square(0, "", 0, 0, 1000)), Point{X: 500, Y: 500}, 30},
		{"an L", ring(way(0, "", 0, 0, 9000, 0, 9000, 1000, 3000, 1000, 3000, 9000, 0, 9000, 0, 0)), Point{X: 1500, Y: 1500}, 7000},
		{"a strip", ring(way(0, "", 0, 0, 100_000, 0, 100_000, 10, 0, 10, 0, 0)), Point{X: 50_000, Y: 5}, 50_000},
		{"a triangle of one unit", ring(way(0, "", 0, 0, 1, 0, 0, 1, 0, 0)), Point{X: 0, Y: 0}, 2},
		{"north", ring(square(0, "", 0, 700_000_000, 100_000)), Point{X: 50_000, Y: 700_050_000}, 30_000},
	} {
		got := InnerPoint(c.poly)
		if !Contains(c.poly, got) {
			t.Errorf("%s: %v is outside", c.name, got)
		}
		if d := math.Hypot(float64(got.X-c.want.X), float64(got.Y-c.want.Y)); d > c.near {
			t.Errorf("%s: %v is %.0f from %v", c.name, got, d, c.want)
		}
	}
	if got := InnerPoint(Polygon{}); got != (Point{}) {
		t.Errorf("of nothing: %v", got)
	}
	// A hole in the middle pushes the label aside.
	polygons, _ := Assemble([]Line{square(1, "", 0, 0, 9000), square(2, "", 2000, 2000, 6000)})
	if got := InnerPoint(polygons[0]); apart(polygons[0].Outer, got) < 900 || apart(polygons[0].Holes[0], got) < 900 {
		t.Errorf("beside a hole: %v", got)
	}
}

// The label is inside, always the same, and about as far from the lines as any
// other place.
func TestInnerPointOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		l := star(rng, "", 6.9e8, 4.1e8, 1e4, 1e7, 4+rng.IntN(3000))
		polygons, _ := Assemble([]Line{l})
		poly := polygons[0]
		got := InnerPoint(poly)
		if !Contains(poly, got) || InnerPoint(poly) != got {
			t.Fatalf("%v is outside or not repeatable", got)
		}
		if len(poly.Outer) > innerPoints {
			continue
		}
		pole := newPole(poly)
		best := pole.distance(pole.spot(got))
		for range 100 {
			p := Point{X: 6.9e8 + rng.Int32N(2e7) - 1e7, Y: 4.1e8 + rng.Int32N(2e7) - 1e7}
			if d := pole.distance(pole.spot(p)); d > best*1.05+0.03*(pole.high.y-pole.low.y) {
				t.Fatalf("%v is %f from the lines, %v is %f", got, best, p, d)
			}
		}
	}
}
