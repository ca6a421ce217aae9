package index

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"svc/geo/geom"
)

func randomBox(r *rand.Rand) geom.Box {
	p := geom.FromDegrees(41+r.Float64(), 69+r.Float64())
	w, h := int32(r.IntN(3_000_000)), int32(r.IntN(3_000_000))
	return geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X + w, MaxY: p.Y + h}
}

// TestNearBruteForce compares the trees with looking at everything.
func TestNearBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 80, 85, 90, 1300, 4100} { // 16, 17 and 18 of a category, two and three levels
		x := open(t, write(t, testModel(n, uint64(n))))
		for range 200 {
			box := randomBox(r)
			for c := range x.Meta.Categories {
				var got, want []uint32
				x.Near(uint8(c), box, func(id uint32, p geom.Point) bool {
					if p != x.Rows[id].Point() {
						t.Fatalf("entry %d stands at %v, not %v", id, x.Rows[id].Point(), p)
					}
					got = append(got, id)
					return true
				})
				for id := range x.Rows {
					if x.Rows[id].Category == uint8(c) && box.Contains(x.Rows[id].Point()) {
						want = append(want, uint32(id))
					}
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Fatalf("%d entries, category %d, box %v: %v, want %v", n, c, box, got, want)
				}
			}
		}
		all := 0
		for c := range x.Meta.Categories {
			all += len(x.Category(uint8(c)))
		}
		if all != n {
			t.Errorf("the categories hold %d of %d entries", all, n)
		}
	}
}

// TestNearStops ends when it is told to.
func TestNearStops(t *testing.T) {
	x := open(t, write(t, testModel(1000, 1)))
	n := 0
	x.Near(catCafe, geom.Box{MinX: -1800000000, MinY: -900000000, MaxX: 1800000000, MaxY: 900000000}, func(uint32, geom.Point) bool {
		n++
		return n < 3
	})
	if n != 3 {
		t.Errorf("%d calls", n)
	}
}

// TestContainingBruteForce compares with casting a ray over every decoded ring.
func TestContainingBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	m := testModel(600, 5)
	built := NewAreas(m)
	sources := make([]Source, len(m.Areas))
	shapes := make([]Shape, len(m.Areas))
	var corners []geom.Point
	for i, a := range m.Areas {
		sources[i], shapes[i] = m.Entries[a.Entry].Source, DecodeShape(m.Entries[a.Entry].Extra.Shape)
		corners = append(corners, shapes[i].Parts[0]...)
	}
	x := open(t, write(t, m))
	hits := 0
	for i := range 4000 {
		p := geom.FromDegrees(41+r.Float64(), 69+r.Float64())
		if i%4 == 0 { // level with a corner, where a ray may cross two edges or none
			p.Y = corners[r.IntN(len(corners))].Y
		}
		var want, got, file []Source
		for k := range shapes {
			if insideShape(shapes[k], p) {
				want = append(want, sources[k])
			}
		}
		built.Containing(p, func(k int) { got = append(got, sources[k]) })
		x.Containing(p, func(a *AreaRow) { file = append(file, x.Rows[a.Entry].Source) })
		for _, list := range [][]Source{want, got, file} {
			slices.Sort(list)
		}
		if !slices.Equal(want, got) || !slices.Equal(want, file) {
			t.Fatalf("%v: the builder says %v, the file %v, want %v", p, got, file, want)
		}
		hits += len(want)
	}
	if hits == 0 {
		t.Fatal("no point was inside anything")
	}
}

// insideShape is the even-odd rule, written out.
func insideShape(s Shape, p geom.Point) bool {
	in := false
	for _, ring := range s.Parts {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a.Y > p.Y) == (b.Y > p.Y) {
				continue
			}
			at := float64(a.X) + (float64(p.Y)-float64(a.Y))*(float64(b.X)-float64(a.X))/(float64(b.Y)-float64(a.Y))
			if at > float64(p.X) {
				in = !in
			}
		}
	}
	return in
}

// TestStreetsBruteForce: every edge of a street that touches the box is found.
func TestStreetsBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	x := open(t, write(t, testModel(900, 6)))
	type edge struct {
		id   uint32
		a, b geom.Point
	}
	var all []edge
	for id := range x.Rows {
		if x.Kind(&x.Rows[id]) != Street {
			continue
		}
		d := x.Detail(uint32(id))
		for _, part := range x.Shape(&d).Parts {
			for i := 1; i < len(part); i++ {
				all = append(all, edge{uint32(id), part[i-1], part[i]})
			}
		}
	}
	found := 0
	for range 200 {
		box := randomBox(r)
		got := map[edge]bool{}
		x.Streets(box, func(id uint32, piece []geom.Point) {
			for i := 1; i < len(piece); i++ {
				got[edge{id, piece[i-1], piece[i]}] = true
			}
		})
		for _, e := range all {
			if geom.Empty().Extend(e.a).Extend(e.b).Intersects(box) && !got[e] {
				t.Fatalf("box %v misses %v", box, e)
			}
		}
		found += len(got)
	}
	if found == 0 {
		t.Fatal("no street was found")
	}
}

func TestShapeRoundTrip(t *testing.T) {
	line := func(n int) []geom.Point {
		pts := make([]geom.Point, n)
		for i := range pts {
			pts[i] = geom.Point{X: int32(i*i) - 1800000000, Y: 900000000 - int32(i)}
		}
		return pts
	}
	for _, n := range []int{2, 3, 15, 16, 17, 18, 33, 34, 1000} {
		for _, s := range []Shape{
			{Kind: Lines, Parts: [][]geom.Point{line(n), line(2)}, Hole: []bool{false, false}},
			{Kind: Polygons, Parts: [][]geom.Point{line(n), line(n + 1), line(5)}, Hole: []bool{false, true, false}},
			{Kind: Polygon, Parts: [][]geom.Point{line(n)}, Hole: []bool{false}},
		} {
			data := EncodeShape(s)
			if diff := cmp.Diff(s, DecodeShape(data)); diff != "" {
				t.Fatalf("%d points: %s", n, diff)
			}
			edges := 0
			EachPiece(data, func(pts []geom.Point) { edges += len(pts) - 1 })
			want := 0
			for _, p := range s.Parts {
				want += len(p) - 1
			}
			if edges != want {
				t.Fatalf("%d points: pieces of %d edges, want %d", n, edges, want)
			}
			for cut := range data { // a damaged shape reads as far as it goes
				_ = DecodeShape(data[:cut])
			}
		}
	}
	if EncodeShape(Shape{}) != nil {
		t.Error("no shape has bytes")
	}
}
