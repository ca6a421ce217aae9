package coast

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"svc/geo/plane"
	"svc/geo/tile"
)

// The drawings are 100 units wide and lie in the corner of one cell; they are
// the bounds of the data.
var (
	cell   = tile.ID{Z: CellZoom, X: 178, Y: 94}
	origin = corner(cell.Box(), 0)
	canvas = plane.Box{MinX: origin.X, MinY: origin.Y, MaxX: origin.X + 100, MaxY: origin.Y + 100}
)

// way reads "0,50 100,50": points of the drawing, x to the right and y down.
func way(t testing.TB, text string) plane.Line {
	t.Helper()
	var l plane.Line
	for _, w := range strings.Fields(text) {
		x, y, _ := strings.Cut(w, ",")
		a, errA := strconv.Atoi(x)
		b, errB := strconv.Atoi(y)
		if errA != nil || errB != nil {
			t.Fatalf("%q is no point", w)
		}
		l = append(l, plane.Point{X: origin.X + int32(a), Y: origin.Y + int32(b)})
	}
	return l
}

func ways(t testing.TB, texts []string) []plane.Line {
	t.Helper()
	out := make([]plane.Line, 0, len(texts))
	for _, w := range texts {
		out = append(out, way(t, w))
	}
	return out
}

// winding is how often the rings run around a point, clockwise on a screen.
func winding(rings []plane.Ring, x, y float64) int {
	n := 0
	for _, r := range rings {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			ax, ay, bx, by := float64(a.X), float64(a.Y), float64(b.X), float64(b.Y)
			if (ay > y) == (by > y) {
				continue
			}
			if x < ax+(y-ay)/(by-ay)*(bx-ax) {
				if by > ay {
					n++
				} else {
					n--
				}
			}
		}
	}
	return n
}

// drawn is what the sea looks like: five by five points of the drawing, ~ at
// sea and # on land. They are off any coast that a test draws.
func drawn(cells []Cell) string {
	var b strings.Builder
	for row := range 5 {
		for col := range 5 {
			mark := byte('#')
			for _, c := range cells {
				if winding(c.Rings, float64(origin.X)+float64(20*col)+10.3, float64(origin.Y)+float64(20*row)+10.6) > 0 {
					mark = '~'
				}
			}
			b.WriteByte(mark)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const (
	seaSouth  = "#####\n#####\n#####\n~~~~~\n~~~~~\n"
	seaNorth  = "~~~~~\n~~~~~\n~~~~~\n#####\n#####\n"
	island    = "~~~~~\n~###~\n~###~\n~###~\n~~~~~\n"
	innerSea  = "#####\n#~~~#\n#~~~#\n#~~~#\n#####\n"
	everySea  = "~~~~~\n~~~~~\n~~~~~\n~~~~~\n~~~~~\n"
	everyLand = "#####\n#####\n#####\n#####\n#####\n"
)

func TestOceanDrawn(t *testing.T) {
	tests := []struct {
		name  string
		ways  []string
		want  string
		wrong bool // the coast is faulty: the same picture in another order is not asked for
	}{
		{name: "no coast", want: everyLand},
		{name: "one point is no coast", ways: []string{"50,50", "50,50 50,50"}, want: everyLand},
		{name: "land on the left, going east", ways: []string{"0,60 100,60"}, want: seaSouth},
		{name: "land on the left, going west", ways: []string{"100,60 0,60"}, want: seaNorth},
		{name: "beyond the bounds", ways: []string{"-50,60 180,60"}, want: seaSouth},
		{name: "in three ways", ways: []string{"60,60 100,60", "0,60 30,60", "30,60 30,60 60,60"}, want: seaSouth},
		{name: "the same way twice", ways: []string{"0,60 100,60", "0,60 100,60"}, want: seaSouth},
		{name: "an island", ways: []string{"20,20 20,80 80,80 80,20 20,20"}, want: island},
		{name: "an island in two ways", ways: []string{"80,80 80,20 20,20", "20,20 20,80 80,80"}, want: island},
		{name: "an inner sea", ways: []string{"20,20 80,20 80,80 20,80 20,20"}, want: innerSea},
		{
			name: "an island in an inner sea",
			ways: []string{"20,20 80,20 80,80 20,80 20,20", "40,40 40,60 60,60 60,40 40,40"},
			want: "#####\n#~~~#\n#~#~#\n#~~~#\n#####\n",
		},
		{
			name: "a lagoon in an island",
			ways: []string{"20,20 20,80 80,80 80,20 20,20", "40,40 60,40 60,60 40,60 40,40"},
			want: "~~~~~\n~###~\n~#~#~\n~###~\n~~~~~\n",
		},
		{
			name: "an island off a coast",
			ways: []string{"0,20 100,20", "40,40 40,80 60,80 60,40 40,40"},
			want: "#####\n~~~~~\n~~#~~\n~~#~~\n~~~~~\n",
		},
		{
			name: "islands that touch in a point",
			ways: []string{"20,20 20,40 40,40 40,20 20,20", "40,40 40,60 60,60 60,40 40,40"},
			want: "~~~~~\n~#~~~\n~~#~~\n~~~~~\n~~~~~\n",
		},
		{
			name: "a strait",
			ways: []string{"0,40 100,40", "100,60 0,60"},
			want: "#####\n#####\n~~~~~\n#####\n#####\n",
		},
		{
			name: "an isthmus",
			ways: []string{"100,40 0,40", "0,60 100,60"},
			want: "~~~~~\n~~~~~\n#####\n~~~~~\n~~~~~\n",
		},
		{
			name: "a cape from the west",
			ways: []string{"0,60 60,60 60,40 0,40"},
			want: "~~~~~\n~~~~~\n###~~\n~~~~~\n~~~~~\n",
		},
		{
			name: "a bay from the west",
			ways: []string{"0,40 60,40 60,60 0,60"},
			want: "#####\n#####\n~~~##\n#####\n#####\n",
		},
		{
			name: "sea in two corners",
			ways: []string{"40,0 40,40 0,40", "60,100 60,60 100,60"},
			want: "~~###\n~~###\n#####\n###~~\n###~~\n",
		},
		{
			name: "land in two corners",
			ways: []string{"0,40 40,40 40,0", "100,60 60,60 60,100"},
			want: "##~~~\n##~~~\n~~~~~\n~~~##\n~~~##\n",
		},
		{
			name: "two bays from the south",
			ways: []string{"20,100 20,60 40,60 40,100", "60,100 60,40 80,40 80,100"},
			want: "#####\n#####\n###~#\n#~#~#\n#~#~#\n",
		},
		{
			name: "two capes from the north",
			ways: []string{"20,0 20,60 40,60 40,0", "60,0 60,40 80,40 80,0"},
			want: "~#~#~\n~#~#~\n~#~~~\n~~~~~\n~~~~~\n",
		},
		{
			name: "two bays from the east",
			ways: []string{"100,40 60,40 60,20 100,20", "100,80 40,80 40,60 100,60"},
			want: "#####\n###~~\n#####\n##~~~\n#####\n",
		},
		{
			name: "an island with its tip to the north-west, seen from above",
			ways: []string{"20,50 80,80 80,60 20,50"},
			want: "~~~~~\n~~~~~\n~~~~~\n~~~#~\n~~~~~\n",
		},
		{
			name: "and from the left",
			ways: []string{"50,20 60,80 80,80 50,20"},
			want: "~~~~~\n~~~~~\n~~~~~\n~~~#~\n~~~~~\n",
		},
		{
			name: "a coast that leaves and comes back",
			ways: []string{"0,60 40,60 40,130 60,130 60,60 100,60"},
			want: "#####\n#####\n#####\n~~#~~\n~~#~~\n",
		},
		{name: "along the border, land outside", ways: []string{"0,0 100,0 100,100 0,100 0,0"}, want: everySea},
		{name: "along the border, sea outside", ways: []string{"0,0 0,100 100,100 100,0 0,0"}, want: everyLand},
		{name: "sea beyond a coast outside", ways: []string{"-50,160 150,160"}, want: everyLand},

		{name: "loose ends are led to the border", ways: []string{"5,60 95,60"}, want: seaSouth, wrong: true},
		{name: "a small gap is bridged", ways: []string{"0,60 48,60", "52,60 100,60"}, want: seaSouth, wrong: true},
		{name: "an island with a small gap", ways: []string{"20,20 20,80 80,80 80,20 25,20"}, want: island, wrong: true},
		{name: "an island with two gaps", ways: []string{"20,22 20,80 78,80", "80,80 80,20 22,20"}, want: island, wrong: true},
		{
			name: "two parts of an island with a small and a larger gap",
			ways: []string{"20,30 20,80 50,80", "52,80 80,80 80,20 30,20"}, want: island, wrong: true,
		},
		{
			name: "a short coast is no ring", ways: []string{"45,45 45,55 55,55"},
			want: "~~###\n~~###\n~~###\n~~~##\n~~~##\n", wrong: true,
		},
		{
			name: "an end near the border goes there", ways: []string{"0,60 95,60", "65,45 65,0"},
			want: "###~~\n###~~\n#####\n~~~~~\n~~~~~\n", wrong: true,
		},
		{name: "a long way the wrong way round", ways: []string{"0,80 35,80", "65,80 35,80", "65,80 100,80"}, want: "#####\n#####\n#####\n#####\n~~~~~\n"},
		{name: "a way the wrong way round", ways: []string{"0,60 40,60", "60,60 40,60", "60,60 100,60"}, want: seaSouth},
		{name: "the first the wrong way round", ways: []string{"20,60 0,60", "20,60 100,60"}, want: seaSouth},
		{name: "the last the wrong way round", ways: []string{"0,60 80,60", "100,60 90,60 80,60"}, want: seaSouth},
		{name: "a stump out at sea", ways: []string{"0,60 100,60", "50,85 51,85"}, want: "", wrong: true},
		{name: "an island drawn the wrong way is lost", ways: []string{"0,20 100,20", "40,40 60,40 60,80 40,80 40,40"}, want: "#####\n~~~~~\n~~~~~\n~~~~~\n~~~~~\n", wrong: true},
		{
			name: "a coast that crosses itself", ways: []string{"0,60 100,60 100,90 50,30 50,10 0,10"},
			wrong: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := ways(t, tt.ways)
			for range len(list) + 1 {
				cells := Ocean(list, Bounds{canvas}, []tile.ID{cell})
				inside(t, cells, canvas)
				if got := drawn(cells); tt.want != "" && got != tt.want {
					t.Fatalf("%q gives\n%swant\n%s", tt.ways, got, tt.want)
				}
				if tt.wrong || len(list) == 0 {
					break
				}
				list = append(list[1:len(list):len(list)], list[0])
			}
		})
	}
}

// inside checks what holds for every result.
func inside(t *testing.T, cells []Cell, bounds plane.Box) {
	t.Helper()
	for _, c := range cells {
		if !c.Box.Within(bounds) || !c.Box.Within(c.ID.Box()) || len(c.Rings) == 0 {
			t.Fatalf("cell %v has box %v and %d rings", c.ID, c.Box, len(c.Rings))
		}
		for _, r := range c.Rings {
			if !plane.BoxOf(r).Within(c.Box) {
				t.Fatalf("a ring of cell %v leaves its box %v: %v", c.ID, c.Box, r)
			}
			if len(r) < 3 || r.Area2() == 0 || r[0] == r[len(r)-1] {
				t.Fatalf("ring %v surrounds nothing", r)
			}
		}
		for _, p := range plane.Clean(c.Rings) {
			if p.Area2() <= 0 || !p.Box().Within(c.Box) {
				t.Fatalf("cleaned, cell %v holds %v", c.ID, p)
			}
		}
	}
}

// TestOceanOfCells: cells without coast follow the nearest one, a coast over
// many cells is one coast, and what is not asked for is left out.
func TestOceanOfCells(t *testing.T) {
	size := tile.Size(CellZoom)
	at := func(x, y uint32) tile.ID { return tile.ID{Z: CellZoom, X: 100 + x, Y: 100 + y} }
	p := func(x, y float64) plane.Point {
		return plane.Point{X: 100*size + int32(x*float64(size)), Y: 100*size + int32(y*float64(size))}
	}
	// From the west to the east through the second row, sea in the south.
	coast := plane.Line{p(0.5, 1.5), p(1.5, 1.25), p(2.5, 1.75), p(3.5, 1.5)}
	var all []tile.ID
	for y := range uint32(4) {
		for x := range uint32(4) {
			all = append(all, at(x, y))
		}
	}
	full, part := map[tile.ID]bool{}, map[tile.ID]bool{}
	cells := Ocean([]plane.Line{coast}, nil, append(all, at(0, 2), tile.ID{Z: 9, X: 203, Y: 206}, tile.ID{Z: CellZoom, X: 1 << 8}))
	for i, c := range cells {
		if i > 0 && cells[i-1].ID.Code() >= c.ID.Code() {
			t.Error("cells are out of order or twice")
		}
		full[c.ID], part[c.ID] = c.Full, !c.Full
		if c.Full && !slices.Equal(c.Rings[0], square(c.ID.Box())) {
			t.Errorf("full cell %v has ring %v", c.ID, c.Rings[0])
		}
	}
	for _, id := range all {
		x, y := id.X-100, id.Y-100
		if wantFull, wantPart := y > 1, y == 1; full[id] != wantFull || part[id] != wantPart {
			t.Errorf("cell %d,%d: full %v, part %v", x, y, full[id], part[id])
		}
	}
	if got := Ocean([]plane.Line{coast}, nil, all[:4]); got != nil {
		t.Errorf("cells without any coast have a sea: %v", got)
	}
	// Neighbours agree on their common edge: together they are one sea.
	var rings []plane.Ring
	var sum int64
	for _, c := range cells {
		rings = append(rings, c.Rings...)
		for _, r := range c.Rings {
			sum += r.Area2()
		}
	}
	polygons := plane.Clean(rings)
	if len(polygons) != 1 || polygons[0].Area2() != sum {
		t.Errorf("the sea of all cells is %d polygons, area %d, want 1 of area %d", len(polygons), plane.Polygon(rings).Area2(), sum)
	}
}

// TestOceanOrder: the order of ways and cells does not matter.
func TestOceanOrder(t *testing.T) {
	list := ways(t, []string{"0,60 40,60", "40,60 100,60", "20,80 20,90 30,90 30,80 20,80", "60,80 60,90 70,90 70,80 60,80", "50,10 51,10"})
	cells := []tile.ID{cell, {Z: CellZoom, X: cell.X + 1, Y: cell.Y}}
	want := Ocean(list, nil, cells)
	slices.Reverse(list)
	slices.Reverse(cells)
	got := Ocean(list, nil, cells)
	if len(want) == 0 || len(got) != len(want) {
		t.Fatalf("%d cells, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].ID != want[i].ID || !slices.EqualFunc(got[i].Rings, want[i].Rings, slices.Equal[plane.Ring]) {
			t.Errorf("cell %v differs", want[i].ID)
		}
	}
}

// TestOceanOfRubbish: a coast of many loose pieces, or of many that meet in one
// point, takes no more than a sound one.
func TestOceanOfRubbish(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	size := tile.Size(CellZoom)
	anywhere := func() plane.Point {
		return plane.Point{X: origin.X + rng.Int32N(size), Y: origin.Y + rng.Int32N(size)}
	}
	var loose, star []plane.Line
	middle := anywhere()
	for range 20_000 {
		p, q := anywhere(), anywhere()
		loose = append(loose, plane.Line{p, {X: p.X + 5, Y: p.Y + 5}})
		star = append(star, plane.Line{p, middle}, plane.Line{middle, q})
	}
	for name, ways := range map[string][]plane.Line{"loose": loose, "star": star} {
		cells := Ocean(ways, nil, []tile.ID{cell})
		if len(cells) > 1 {
			t.Errorf("%s: %d cells", name, len(cells))
		}
		for _, c := range cells {
			for _, r := range c.Rings {
				if !plane.BoxOf(r).Within(c.Box) {
					t.Fatalf("%s: a ring leaves its cell", name)
				}
			}
		}
	}
}
