package tile

import (
	"math"
	"testing"

	"svc/geo/plane"
)

// TestCode holds the numbering against the table of the PMTiles specification
// and its worked example (12/3423/1763 is 19078479).
func TestCode(t *testing.T) {
	for _, c := range []struct {
		id   ID
		code uint64
	}{
		{ID{0, 0, 0}, 0},
		{ID{1, 0, 0}, 1}, {ID{1, 0, 1}, 2}, {ID{1, 1, 1}, 3}, {ID{1, 1, 0}, 4},
		{ID{2, 0, 0}, 5}, {ID{2, 1, 0}, 6}, {ID{2, 1, 1}, 7}, {ID{2, 0, 1}, 8},
		{ID{12, 3423, 1763}, 19078479},
		{ID{31, 0, 0}, First(31)},
		{ID{31, 1<<31 - 1, 0}, First(32) - 1},
	} {
		if got := c.id.Code(); got != c.code {
			t.Errorf("%v has code %d, want %d", c.id, got, c.code)
		}
		if got := FromCode(c.code); got != c.id {
			t.Errorf("code %d is %v, want %v", c.code, got, c.id)
		}
	}
	if id := FromCode(First(MaxZoom + 1)); id.Valid() {
		t.Errorf("the code after the last is %v", id)
	}
	if id := FromCode(math.MaxUint64); id.Valid() {
		t.Errorf("the greatest code is %v", id)
	}
}

// TestCurve: the codes of a zoom are its tiles, each once, and every step goes
// to a neighbour.
func TestCurve(t *testing.T) {
	for z := range uint8(8) {
		seen := map[ID]bool{}
		last := ID{}
		for code := First(z); code < First(z+1); code++ {
			id := FromCode(code)
			if id.Z != z || !id.Valid() || seen[id] || id.Code() != code {
				t.Fatalf("code %d is %v (code %d, seen %t)", code, id, id.Code(), seen[id])
			}
			step := math.Abs(float64(id.X)-float64(last.X)) + math.Abs(float64(id.Y)-float64(last.Y))
			if code > First(z) && step != 1 {
				t.Fatalf("from %v to %v", last, id)
			}
			seen[id], last = true, id
		}
		if len(seen) != 1<<(2*z) {
			t.Errorf("zoom %d has %d tiles", z, len(seen))
		}
	}
}

func FuzzCode(f *testing.F) {
	f.Add(uint64(0))
	f.Add(First(31) - 1)
	f.Add(First(32))
	f.Add(uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, code uint64) {
		id := FromCode(code)
		if id.Valid() != (code < First(MaxZoom+1)) {
			t.Fatalf("code %d is %v", code, id)
		}
		if id.Valid() && id.Code() != code {
			t.Fatalf("code %d is %v, which has code %d", code, id, id.Code())
		}
	})
}

func TestValid(t *testing.T) {
	for id, want := range map[ID]bool{
		{0, 0, 0}: true, {0, 1, 0}: false, {0, 0, 1}: false,
		{14, 16383, 16383}: true, {14, 16384, 0}: false, {14, 0, 16384}: false,
		{31, 1<<31 - 1, 1<<31 - 1}: true, {31, 1 << 31, 0}: false, {32, 0, 0}: false, {255, 0, 0}: false,
	} {
		if got := id.Valid(); got != want {
			t.Errorf("%v: %t", id, got)
		}
	}
}

func TestFamily(t *testing.T) {
	id := ID{14, 11343, 6124}
	for _, child := range id.Children() {
		if child.Parent() != id || !child.Valid() {
			t.Errorf("%v is a child of %v", child, child.Parent())
		}
		if child.At(14) != id || child.At(15) != child || child.At(20) != child {
			t.Errorf("%v at 14 is %v", child, child.At(14))
		}
	}
	if got := id.At(0); got != (ID{}) {
		t.Errorf("at zoom 0: %v", got)
	}
	if got := (ID{}).Parent(); got != (ID{}) {
		t.Errorf("the parent of the world is %v", got)
	}
	if got := id.String(); got != "14/11343/6124" {
		t.Error(got)
	}
}

func TestProject(t *testing.T) {
	for _, c := range []struct {
		lon, lat float64
		x, y     int32
	}{
		{0, 0, World / 2, World / 2},
		{-180, MaxLatitude, 0, 0},
		{180, -MaxLatitude, World, World},
		{-181, 90, 0, 0},
		{math.Inf(1), -90, World, World},
		{math.NaN(), math.NaN(), 0, 0},
		{90, 66.51326044311186, World * 3 / 4, World / 4},
	} {
		if x, y := Project(c.lon, c.lat); x != c.x || y != c.y {
			t.Errorf("%g,%g is at %d,%d, want %d,%d", c.lon, c.lat, x, y, c.x, c.y)
		}
	}
	for lon := -180.0; lon <= 180; lon += 7.3 {
		for lat := -85.0; lat <= 85; lat += 3.1 {
			x, y := Project(lon, lat)
			gotLon, gotLat := Unproject(x, y)
			if math.Abs(gotLon-lon) > 360.0/World || math.Abs(gotLat-lat) > 360.0/World {
				t.Fatalf("%g,%g came back as %g,%g", lon, lat, gotLon, gotLat)
			}
		}
	}
}

// TestHolding: Tashkent lies in the tile that is an example of a path that people know,
// and every place lies in the box of the tile that holds it.
func TestHolding(t *testing.T) {
	x, y := Project(69.24, 41.31)
	if got := Holding(14, x, y); got != (ID{14, 11343, 6124}) {
		t.Errorf("Tashkent is in %v", got)
	}
	for _, p := range [][2]int32{{0, 0}, {World, World}, {-5, World + 5}, {x, y}, {World / 2, World/2 - 1}} {
		inside := [2]int32{min(max(p[0], 0), World), min(max(p[1], 0), World)}
		for z := range uint8(WorldBits + 1) {
			id := Holding(z, p[0], p[1])
			b := id.Box()
			if !id.Valid() || inside[0] < b.MinX || inside[0] > b.MaxX || inside[1] < b.MinY || inside[1] > b.MaxY {
				t.Errorf("%v is in %v, which is %v", p, id, b)
			}
		}
	}
}

func TestBox(t *testing.T) {
	for _, c := range []struct {
		id  ID
		box plane.Box
	}{
		{ID{0, 0, 0}, plane.Box{MaxX: World, MaxY: World}},
		{ID{14, 1, 2}, plane.Box{MinX: 4096, MinY: 8192, MaxX: 8192, MaxY: 12288}},
		{ID{26, World - 1, 0}, plane.Box{MinX: World - 1, MaxX: World, MaxY: 1}},
		{ID{28, 7, 9}, plane.Box{MinX: 1, MinY: 2, MaxX: 1, MaxY: 2}},
	} {
		if got := c.id.Box(); got != c.box {
			t.Errorf("%v is %v, want %v", c.id, got, c.box)
		}
	}
	first, last := Range(14, plane.Box{MinX: 4095, MinY: 4096, MaxX: 8192, MaxY: 8191})
	if first != (ID{14, 0, 1}) || last != (ID{14, 2, 1}) {
		t.Errorf("from %v to %v", first, last)
	}
	if Size(0) != World || Size(DetailZoom) != Extent || Size(26) != 1 || Size(27) != 0 {
		t.Error("the sizes of tiles are wrong")
	}
}

func BenchmarkCode(b *testing.B) {
	id := ID{14, 11343, 6124}
	for b.Loop() {
		id.Code()
	}
}
