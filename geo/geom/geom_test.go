package geom

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDistanceKnown(t *testing.T) {
	for _, c := range []struct {
		name                   string
		lat1, lon1, lat2, lon2 float64
		metres                 float64
	}{
		{"one degree of a meridian", 0, 0, 1, 0, 111195.08},
		{"one degree of the equator", 0, 0, 0, 1, 111195.08},
		{"one degree of longitude at 60 degrees", 60, 0, 60, 1, 55594.9},
		{"Toshkent to Samarqand", 41.2995, 69.2401, 39.6542, 66.9597, 265_900},
		{"London to Paris", 51.5074, -0.1278, 48.8566, 2.3522, 343_560},
		{"a quarter of the Earth", 0, 0, 90, 0, 10_007_557},
		{"half of it", 0, 0, 0, 180, 20_015_115},
		{"across the date line", 0, 179.5, 0, -179.5, 111195.08},
		{"one unit", 0, 0, 0.0000001, 0, 0.0111195},
	} {
		a, b := FromDegrees(c.lat1, c.lon1), FromDegrees(c.lat2, c.lon2)
		if got := Distance(a, b); math.Abs(got-c.metres) > c.metres*0.001 {
			t.Errorf("%s: %.4f m, want %.4f", c.name, got, c.metres)
		}
		if Distance(a, b) != Distance(b, a) || Distance(a, a) != 0 {
			t.Errorf("%s: not symmetric, or not zero to itself", c.name)
		}
	}
}

func TestFromDegrees(t *testing.T) {
	p := FromDegrees(41.2995001, 69.2401119)
	if p.Lat() != 41.2995001 || p.Lon() != 69.2401119 {
		t.Errorf("%v, %v", p.Lat(), p.Lon())
	}
}

// TestNear: within a country the plane agrees with the sphere to half a percent.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		p := FromDegrees(r.Float64()*130-65, r.Float64()*300-150)
		q := FromDegrees(p.Lat()+(r.Float64()-.5)*4, p.Lon()+(r.Float64()-.5)*4)
		want := Distance(p, q)
		if got := From(p).Metres(q); math.Abs(got-want) > 0.005*want+0.001 {
			t.Fatalf("from %v to %v: %.2f m, want %.2f", p, q, got, want)
		}
	}
	if From(Point{1, 2}).Metres(Point{1, 2}) != 0 {
		t.Error("a point is not at itself")
	}
}

// TestAround: the box holds every point within the distance, and none much farther.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		p := FromDegrees(r.Float64()*160-80, r.Float64()*350-175)
		metres := math.Pow(10, r.Float64()*4+1)
		q := FromDegrees(p.Lat()+(r.Float64()-.5)*.4, p.Lon()+(r.Float64()-.5)*.4)
		if d := From(p).Metres(q); d <= metres*0.999 && !Around(p, metres).Contains(q) {
			t.Fatalf("%v lies %.1f m from %v, outside the box of %.1f m", q, d, p, metres)
		}
	}
	for _, lat := range []float64{90, -90, 89.9999999} {
		b := Around(FromDegrees(lat, 10), 1000)
		if b.MinX != -180*Scale || b.MaxX != 180*Scale {
			t.Errorf("at %v degrees a box has every longitude: %v", lat, b)
		}
	}
	if b := Around(FromDegrees(0, 180), 1000); b.MaxX > 180*Scale || b.MinX >= b.MaxX {
		t.Errorf("at the edge of the world: %v", b)
	}
}

func TestToSegment(t *testing.T) {
	at := func(x, y float64) Point { return FromDegrees(y/111195, x/111195) }
	for _, c := range []struct {
		name          string
		p, a, b, want Point
		metres        float64
	}{
		{"beside the middle", at(50, 30), at(0, 0), at(100, 0), at(50, 0), 30},
		{"before the start", at(-40, 30), at(0, 0), at(100, 0), at(0, 0), 50},
		{"behind the end", at(130, 40), at(0, 0), at(100, 0), at(100, 0), 50},
		{"on it", at(10, 0), at(0, 0), at(100, 0), at(10, 0), 0},
		{"a segment without length", at(3, 4), at(0, 0), at(0, 0), at(0, 0), 5},
	} {
		d, q := From(c.p).ToSegment(c.a, c.b)
		if math.Abs(d-c.metres) > 0.02 || Distance(q, c.want) > 0.02 {
			t.Errorf("%s: %.3f m at %v, want %.3f at %v", c.name, d, q, c.metres, c.want)
		}
	}
}

func TestBox(t *testing.T) {
	e := Empty()
	p := Point{5, -7}
	if !e.IsEmpty() || e.Contains(p) || e.Diagonal() != 0 || e.Union(e) != e {
		t.Error("the empty box holds something")
	}
	b := e.Extend(p)
	if b != (Box{5, -7, 5, -7}) || !b.Contains(p) || b.Center() != p || e.Union(b) != b {
		t.Errorf("a box of one point: %v", b)
	}
	world := Box{-180 * Scale, -90 * Scale, 180 * Scale, 90 * Scale}
	if world.Center() != (Point{}) {
		t.Errorf("the middle of the world overflows: %v", world.Center())
	}
	for _, c := range []struct {
		a, b Box
		want bool
	}{
		{Box{0, 0, 10, 10}, Box{10, 10, 20, 20}, true},
		{Box{0, 0, 10, 10}, Box{11, 0, 20, 20}, false},
		{Box{0, 0, 10, 10}, Box{0, 11, 20, 20}, false},
		{Box{0, 0, 10, 10}, Box{2, 2, 3, 3}, true},
	} {
		if c.a.Intersects(c.b) != c.want || c.b.Intersects(c.a) != c.want {
			t.Errorf("%v and %v", c.a, c.b)
		}
	}
}

func TestMiddleAndLength(t *testing.T) {
	at := func(x float64) Point { return FromDegrees(0, x/111195.08) }
	line := []Point{at(0), at(10), at(10), at(100)}
	if l := Length(line); math.Abs(l-100) > 0.05 {
		t.Errorf("length %.3f", l)
	}
	if m := Middle(line); Distance(m, at(50)) > 0.05 {
		t.Errorf("middle %v", m)
	}
	if Middle(nil) != (Point{}) || Middle([]Point{at(3)}) != at(3) || Middle([]Point{at(3), at(3)}) != at(3) {
		t.Error("the middle of next to nothing")
	}
}

// TestHilbertLocality: neighbours on the curve are neighbours on the ground,
// and every cell has a position of its own.
func TestHilbertLocality(t *testing.T) {
	const cells = 64 // of the 65536, side by side
	step := func(i, degrees int) float64 { return float64(i) * float64(degrees) / 65535 }
	seen := map[uint32][2]int{}
	for x := range cells {
		for y := range cells {
			h := Hilbert(FromDegrees(step(y, 180)+0.0005, step(x, 360)+0.0005))
			if old, ok := seen[h]; ok {
				t.Fatalf("cells %v and %v share position %d", old, [2]int{x, y}, h)
			}
			seen[h] = [2]int{x, y}
		}
	}
	close, total := 0, 0
	for h, a := range seen {
		b, ok := seen[h+1]
		if !ok {
			continue
		}
		total++
		if abs(a[0]-b[0])+abs(a[1]-b[1]) == 1 {
			close++
		}
	}
	if total < cells*cells*9/10 || close != total {
		t.Errorf("of %d steps along the curve %d go to a neighbouring cell", total, close)
	}
	for _, p := range []Point{FromDegrees(90, 180), FromDegrees(-90, -180), FromDegrees(90, -180), FromDegrees(-90, 180)} {
		_ = Hilbert(p) // the corners of the world have a position
	}
	if Hilbert(FromDegrees(-90, -180)) == Hilbert(FromDegrees(90, 180)) {
		t.Error("two corners of the world are one")
	}
}

func abs(v int) int { return max(v, -v) }

func TestSimplify(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		n := 3 + r.IntN(200)
		line := make([]Point, n)
		x, y := 69.0, 41.0
		for i := range line {
			x, y = x+(r.Float64()-.4)*.001, y+(r.Float64()-.5)*.001
			line[i] = FromDegrees(y, x)
		}
		ring := r.IntN(2) == 0 && n > 4
		if ring {
			line[n-1] = line[0]
		}
		tolerance := math.Pow(10, r.Float64()*3)
		got := Simplify(line, tolerance)
		if got[0] != line[0] || got[len(got)-1] != line[n-1] {
			t.Fatal("the ends moved")
		}
		if ring && len(got) < 4 {
			t.Fatalf("a ring of %d points", len(got))
		}
		if !subsequence(got, line) {
			t.Fatal("points that were not there")
		}
		// Every dropped point lies within the tolerance of what is left, unless
		// a ring was reduced to its last triangle.
		for _, p := range line {
			if d := toLine(p, got); d > tolerance*1.01+0.05 && len(got) > 4 {
				t.Fatalf("a point is %.2f m away, tolerance %.2f", d, tolerance)
			}
		}
	}
	short := []Point{{0, 0}, {10, 10}}
	if got := Simplify(short, 100); len(got) != 2 {
		t.Error("two points are a line")
	}
	same := []Point{{5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 5}}
	if got := Simplify(same, 1); len(got) < 4 {
		t.Errorf("a ring in one place keeps four points, not %d", len(got))
	}
	if got := Simplify(same, 0); len(got) != len(same) {
		t.Error("no tolerance changes nothing")
	}
}

func subsequence(got, line []Point) bool {
	i := 0
	for _, p := range line {
		if i < len(got) && got[i] == p {
			i++
		}
	}
	return i == len(got)
}

func toLine(p Point, line []Point) float64 {
	best := math.Inf(1)
	for i := 1; i < len(line); i++ {
		d, _ := From(p).ToSegment(line[i-1], line[i])
		best = math.Min(best, d)
	}
	return best
}
