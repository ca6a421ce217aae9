package plane

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Shapes and the polygons they become.
var shapes = []struct{ name, rings, want string }{
	{"nothing", "", ""},
	{"two points", "0,0 5,5", ""},
	{"a line there and back", "0,0 5,5 9,0 5,5", ""},
	{"a square", "0,0 10,0 10,10 0,10", "0,0 10,0 10,10 0,10"},
	{"a square begun elsewhere stays", "10,10 0,10 0,0 10,0", "10,10 0,10 0,0 10,0"},
	{"a point in line stays where nothing is done", "0,0 5,0 10,0 10,10 0,10", "0,0 5,0 10,0 10,10 0,10"},
	{"repeated points", "0,0 0,0 10,0 10,10 10,10 0,10 0,0", "0,0 10,0 10,10 0,10"},
	{"the wrong way round", "0,0 0,10 10,10 10,0", ""},
	{"a hole", "0,0 10,0 10,10 0,10 / 2,2 2,4 4,4 4,2", "0,0 10,0 10,10 0,10 / 2,2 2,4 4,4 4,2"},
	{"an island in a hole", "0,0 10,0 10,10 0,10 / 2,2 2,8 8,8 8,2 / 4,4 6,4 6,6 4,6", "0,0 10,0 10,10 0,10 / 2,2 2,8 8,8 8,2\n4,4 6,4 6,6 4,6"},
	{"a hole outside", "0,0 10,0 10,10 0,10 / 20,2 20,4 24,4 24,2", "0,0 10,0 10,10 0,10"},
	{"a hole in a hole", "0,0 10,0 10,10 0,10 / 2,2 2,8 8,8 8,2 / 3,3 3,4 4,4 4,3", "0,0 10,0 10,10 0,10 / 2,2 2,8 8,8 8,2"},
	{"an outer in an outer", "0,0 10,0 10,10 0,10 / 2,2 4,2 4,4 2,4", "0,0 10,0 10,10 0,10"},
	{"the same twice", "0,0 10,0 10,10 0,10 / 0,0 10,0 10,10 0,10", "0,0 10,0 10,10 0,10"},
	{"a hole of the same size", "0,0 10,0 10,10 0,10 / 0,0 0,10 10,10 10,0", ""},
	{"two squares side by side become one", "0,0 5,0 5,10 0,10 / 5,0 10,0 10,10 5,10", "0,0 10,0 10,10 0,10"},
	{"two squares that overlap", "0,0 6,0 6,6 0,6 / 3,3 9,3 9,9 3,9", "0,0 6,0 6,3 9,3 9,9 3,9 3,6 0,6"},
	{"two squares in a corner", "0,0 5,0 5,5 0,5 / 5,5 9,5 9,9 5,9", "0,0 5,0 5,5 0,5\n5,5 9,5 9,9 5,9"},
	{"a bow", "0,0 10,10 10,0 0,10", "0,0 5,5 0,10"},
	{"a bow the other way", "0,0 0,10 10,0 10,10", "5,5 10,0 10,10"},
	{"a spike", "0,0 5,0 5,-5 5,0 10,0 10,10 0,10", "0,0 10,0 10,10 0,10"},
	{"a spike inside", "0,0 5,0 5,5 5,0 10,0 10,10 0,10", "0,0 10,0 10,10 0,10"},
	{"a ring that touches itself", "0,0 10,0 10,10 20,10 20,20 10,20 10,10 0,10", "0,0 10,0 10,10 0,10\n10,10 20,10 20,20 10,20"},
	{"a hole that touches the outer ring", "0,0 10,0 10,10 0,10 / 0,0 2,5 5,2", "0,0 10,0 10,10 0,10 / 0,0 2,5 5,2"},
	{"the same in one ring", "0,0 10,0 10,10 8,5 5,8 10,10 0,10", "0,0 10,0 10,10 0,10 / 5,8 10,10 8,5"},
	{"a hole that touches a side", "0,0 10,0 10,10 0,10 / 5,0 3,3 7,3", "0,0 5,0 10,0 10,10 0,10 / 3,3 7,3 5,0"},
	{"a hole that parts the outer ring", "0,0 10,0 10,10 0,10 / 5,0 4,5 5,10 6,5", "0,0 5,0 4,5 5,10 0,10\n5,0 10,0 10,10 5,10 6,5"},
	{"holes that touch", "0,0 10,0 10,10 0,10 / 2,2 2,4 4,4 4,2 / 4,4 4,6 6,6 6,4", "0,0 10,0 10,10 0,10 / 4,4 4,6 6,6 6,4 / 2,2 2,4 4,4 4,2"},
	{"a hole across the border", "0,0 10,0 10,10 0,10 / 5,5 5,15 8,15 8,5", "0,0 10,0 10,10 8,10 8,5 5,5 5,10 0,10"},
	{"a star is filled", "10,0 16,19 0,7 20,7 4,19", "0,7 8,7 10,0 12,7 20,7 14,12 16,19 10,15 4,19 6,12"},
	{"a cut ring that runs along the border", "0,0 10,0 10,2 0,2 0,8 10,8 10,10 0,10 0,0", "0,0 10,0 10,2 0,2\n0,8 10,8 10,10 0,10"},
}

func TestClean(t *testing.T) {
	for _, c := range shapes {
		t.Run(c.name, func(t *testing.T) {
			got := sane(t, parse(t, c.rings))
			if w := writePolygons(got); c.want != w {
				t.Errorf("Clean(%s)\n got %s\nwant %s", c.rings, w, c.want)
			}
		})
	}
}

// Small planes are where rounding matters: everything lies near everything.
func TestCleanRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 3000 {
		data := make([]byte, 4+r.IntN(50))
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		sane(t, foreign(data))
	}
}

// Shapes of many edges, over all of the plane that is allowed.
func TestCleanLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, size := range []int32{30, 300, 4096, 1 << 20, 2*Limit - 2} {
		for _, n := range []int{20, 60, 120} {
			var rings []Ring
			for range 3 {
				ring := make(Ring, n)
				for i := range ring {
					ring[i] = Point{r.Int32N(size) - size/2, r.Int32N(size) - size/2}
				}
				rings = append(rings, ring)
			}
			sane(t, rings)
		}
	}
}

// Many rings in each other are not compared each with each.
func TestCleanNested(t *testing.T) {
	var rings []Ring
	for i := int32(0); i < 2*nestLimit; i++ {
		r := Ring{{i, i}, {500 - i, i}, {500 - i, 500 - i}, {i, 500 - i}}
		if i%2 == 1 {
			slices.Reverse(r)
		}
		rings = append(rings, r)
	}
	if got := sane(t, rings); len(got) != nestLimit {
		t.Errorf("%d polygons, want %d", len(got), nestLimit)
	}
}

// The order of the rings and where they begin changes nothing but the order of
// what is given back as it is.
func TestCleanOrder(t *testing.T) {
	rings := parse(t, "0,0 60,0 60,60 0,60 / 30,30 90,30 90,90 30,90 / 10,10 10,20 20,20 20,10 / 5,70 20,95 40,55")
	want := writePolygons(Clean(rings))
	for range 8 {
		rings = append(rings[1:len(rings):len(rings)], rings[0])
		for i, r := range rings {
			rings[i] = append(r[1:len(r):len(r)], r[0])
		}
		if got := writePolygons(Clean(rings)); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	}
}

// star is a ring of n points on a circle of which each edge passes nearly through
// the middle.
func star(n int, radius float64) Ring {
	r := make(Ring, n)
	for i := range r {
		a := 2 * math.Pi * float64(i*(n/2)%n) / float64(n)
		r[i] = Point{int32(radius * math.Cos(a)), int32(radius * math.Sin(a))}
	}
	return r
}

// Shapes made to cost much are drawn coarsely: valid, and right but near edges.
func TestCleanBounded(t *testing.T) {
	comb := make(Ring, 0, 60000) // 30,000 long parallel teeth on a slope
	for i := range int32(30000) {
		comb = append(comb, Point{i * 40, i * 40}, Point{i*40 + 20000000, i*40 + 10000000})
	}
	comb = append(comb, Point{60000 * 40, 0})
	for _, c := range []struct {
		name string
		ring Ring
	}{{"star", star(20001, 2000)}, {"wide star", star(20001, 1<<27)}, {"comb", comb}} {
		t.Run(c.name, func(t *testing.T) {
			got := Clean([]Ring{c.ring})
			box := BoxOf(c.ring)
			cell := float64(max(box.MaxX-box.MinX, box.MaxY-box.MinY)/lattice + 1)
			if err := differs([]Ring{c.ring}, got, box, 30, 2*cell); err != nil {
				t.Error(err)
			}
			points := 0
			for _, p := range got {
				for _, r := range p {
					points += len(r)
				}
			}
			if points == 0 || points > 4*lattice*lattice {
				t.Fatalf("%d points", points)
			}
			if points < 3000 {
				if err := wrong(got); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The coarse way draws what the exact one does, to a cell.
func TestCoarse(t *testing.T) {
	hole := blob(200, 0, 0, 100000)
	slices.Reverse(hole)
	rings := []Ring{blob(300, 0, 0, 300000), hole, {{500000, -200000}, {700000, -100000}, {450000, 300000}}}
	var c cleaner
	c.load(rings)
	got := c.coarse()
	box := boxOfRings(rings)
	cell := float64((box.MaxX-box.MinX)/lattice + 1)
	if err := differs(rings, got, box, 150, cell); err != nil {
		t.Error(err)
	}
	if err := wrong(got); err != nil {
		t.Error(err)
	}
}

// The squares that an edge is said to enter are those of its points, rounded as
// crossings are.
func TestPasses(t *testing.T) {
	floor := func(a, b int) int32 { return int32(floorDiv(int64(a), int64(b))) }
	for dx := 1; dx <= 9; dx++ {
		for dy := -9; dy <= 9; dy++ {
			if dy == 0 {
				continue
			}
			e := edge{a: Point{0, 0}, b: Point{int32(dx), int32(dy)}}
			n := 4 * dx * max(dy, -dy) // all borders of squares are met at some k/n
			want := map[Point]bool{}
			var way []Point
			for k := 0; k <= n; k++ {
				p := Point{floor(2*k*dx+n, 2*n), floor(2*k*dy+n, 2*n)}
				if !want[p] {
					want[p], way = true, append(way, p)
				}
			}
			for x := int32(0); x <= int32(dx); x++ {
				for y := min(0, int32(dy)); y <= max(0, int32(dy)); y++ {
					p, back := Point{x, y}, edge{a: e.b, b: e.a}
					if e.passes(p) != want[p] || back.passes(p) != want[p] {
						t.Fatalf("%v passes %v: %v", e, p, !want[p])
					}
				}
			}
			if !slices.IsSortedFunc(way, e.order) {
				t.Fatalf("the order of %v along %v", way, e)
			}
		}
	}
}

// A simple ring comes back without being copied.
func TestCleanShares(t *testing.T) {
	r := Ring{{0, 0}, {10, 0}, {10, 10}, {0, 10}}
	rings := []Ring{r}
	got := Clean(rings)
	if &got[0][0][0] != &r[0] {
		t.Error("the ring was copied")
	}
	if n := testing.AllocsPerRun(100, func() { Clean(rings) }); pooled && n > 2 {
		t.Errorf("%v allocations, want the polygon and its list", n)
	}
}

func FuzzClean(f *testing.F) {
	f.Add([]byte{8, 0, 0, 9, 9, 9, 0, 0, 9})
	f.Add([]byte{0x9f, 0, 0, 9, 9, 9, 0, 0, 9, 255, 3, 3, 8, 1, 5, 5})
	f.Fuzz(func(t *testing.T, data []byte) { sane(t, foreign(data)) })
}

// What was made to cross itself without end costs a part of a second, and where a
// map must be right it is exact all the same.
func TestBudgets(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	ring := make(Ring, 500) // 26,000 crossings, 50 a point
	for i := range ring {
		ring[i] = Point{r.Int32N(3 << 20), r.Int32N(3 << 20)}
	}
	for _, b := range []struct {
		most  budget
		exact bool
	}{{usual, false}, {generous, true}} {
		c := cleaner{most: b.most}
		c.clean([]Ring{ring})
		if within := len(c.found.crossings) <= usual.meets+8*len(ring)+1; within == b.exact {
			t.Errorf("%+v: %d crossings were looked at", b.most, len(c.found.crossings))
		}
	}
	if err := differs([]Ring{ring}, CleanThoroughly([]Ring{ring}), BoxOf(ring), 60, 2); err != nil {
		t.Error(err)
	}
}
