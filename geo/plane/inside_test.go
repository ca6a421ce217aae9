package plane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestPointInside(t *testing.T) {
	for _, c := range []struct {
		name, rings string
		x, y, slack int32 // where the label is expected, and how far off it may be
	}{
		{"a square", "0,0 100,0 100,100 0,100", 50, 50, 3},
		{"a long rectangle", "0,0 1000,0 1000,20 0,20", 500, 10, 30},
		{"wider at one end", "0,0 1000,0 1000,46 0,40", 500, 21, 150},
		{"a letter C", "0,0 100,0 100,20 20,20 20,80 100,80 100,100 0,100", 12, 50, 45},
		{"a letter L", "0,0 20,0 20,80 100,80 100,100 0,100", 12, 88, 8},
		{"a ring", "0,0 100,0 100,100 0,100 / 10,10 10,90 60,90 60,10", 80, 50, 6},
		{"a head with a tail", "0,0 40,0 40,19 400,19 400,21 40,21 40,40 0,40", 20, 20, 4},
		{"a triangle of one point", "0,0 3,0 0,3", 1, 1, 0},
		{"a slope of few points", "0,0 30,28 30,30", 22, 21, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Polygon(parse(t, c.rings))
			got := PointInside(p)
			if !Inside(p, got) {
				t.Fatalf("%v is not inside", got)
			}
			if math.Abs(float64(got.X-c.x)) > float64(c.slack) || math.Abs(float64(got.Y-c.y)) > float64(c.slack) {
				t.Errorf("%v, want %d,%d within %d", got, c.x, c.y, c.slack)
			}
		})
	}
}

// Where nothing is inside, it is the border; broken polygons are no danger.
func TestPointInsideNothing(t *testing.T) {
	for text, want := range map[string]Point{
		"":                {},
		"3,4":             {3, 4},
		"3,4 5,6":         {3, 4},
		"0,0 1,0 1,1 0,1": {0, 0},
		"0,0 9,0 4,0":     {0, 0},
		"0,0 9,9 5,5":     {0, 0},
		"7,0 7,9 7,5":     {7, 0},
		"0,0 30,29 30,30": {0, 0},
	} {
		if got := PointInside(Polygon(parse(t, text))); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A sliver over all of the plane with few grid points inside, and a polygon of
// very many points: found, and soon.
func TestPointInsideHard(t *testing.T) {
	for name, p := range map[string]Polygon{
		"sliver": {{{0, 0}, {1 << 20, 3 << 18}, {1<<20 + 1, 3<<18 + 2}, {1 << 19, 3<<17 + 1}}},
		"coast":  {blob(100000, 0, 0, 1<<26)},
		"star":   Clean([]Ring{star(501, 1<<20)})[0],
	} {
		if got := PointInside(p); !Inside(p, got) {
			t.Errorf("%s: %v is not inside", name, got)
		}
	}
}

func TestInside(t *testing.T) {
	p := Polygon(parse(t, "0,0 10,0 10,10 0,10 / 4,4 4,6 6,6 6,4"))
	for at, want := range map[Point]bool{
		{1, 1}: true, {5, 3}: true, {5, 4}: false, {5, 5}: false, {4, 4}: false, {0, 0}: false,
		{10, 5}: false, {11, 5}: false, {-1, 5}: false, {5, 10}: false, {3, 4}: true, {7, 6}: true,
	} {
		if got := Inside(p, at); got != want {
			t.Errorf("%v: %v", at, got)
		}
	}
}

// roomy says whether a grid point lies inside, looking at all of them.
func roomy(p Polygon) bool {
	b := p.Box()
	for x := b.MinX; x <= b.MaxX; x++ {
		for y := b.MinY; y <= b.MaxY; y++ {
			if at := (Point{x, y}); gap(p, at) > 0 && winding(p, at) > 0 {
				return true
			}
		}
	}
	return false
}

// rowsFind checks that the search by rows finds a point when there is one.
func rowsFind(p Polygon) error {
	at, ok := newRows(p).find()
	if ok && (gap(p, at) == 0 || winding(p, at) <= 0) {
		return fmt.Errorf("%s: %v is not inside", write(p), at)
	}
	if b := p.Box(); !ok && b.MaxX-b.MinX <= 64 && roomy(p) {
		return fmt.Errorf("%s: nothing found", write(p))
	}
	return nil
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	for range 400 {
		data := make([]byte, 10+r.IntN(60))
		for i := range data {
			data[i] = byte(r.UintN(256))
		}
		for _, p := range Clean(foreign(data)) {
			if err := rowsFind(p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func FuzzPointInside(f *testing.F) {
	f.Add([]byte{31, 0, 0, 30, 29, 30, 30, 255, 3, 3, 9, 9, 1, 20})
	f.Add([]byte{0x9f, 0, 0, 30, 29, 30, 30, 255, 3, 3, 9, 9, 1, 20})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range Clean(foreign(data)) {
			if err := rowsFind(p); err != nil {
				t.Fatal(err)
			}
			got := PointInside(p)
			inside := gap(p, got) > 0 && winding(p, got) > 0
			if inside != Inside(p, got) {
				t.Fatalf("%s: Inside(%v) is %v", write(p), got, !inside)
			}
			if small := p.Box(); !inside && (small.MaxX-small.MinX > 64 || roomy(p)) {
				t.Fatalf("%s: %v is not inside", write(p), got)
			}
		}
	})
}
