package coast

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

func pack(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// box is a ring of land or sea between degrees, in the units of the file.
func box(west, south, east, north int32) []int32 {
	const u = 10000
	return []int32{west * u, south * u, east * u, south * u, east * u, north * u, west * u, north * u}
}

// small is a world with one continent that has a sea with an island in it, and
// another continent; the direction of the rings says nothing.
func small(t testing.TB) *worldFile {
	t.Helper()
	sea := box(20, 10, 50, 40)
	slices.Reverse(sea) // also swaps longitude and latitude: a square from 10 to 40
	land := [][]int32{box(0, 0, 60, 60), sea, box(25, 25, 30, 30), box(-180, -90, 180, -70)}
	return &worldFile{
		Version: 1,
		Levels: []levelFile{
			{MaxZoom: 2, Land: [][]int32{box(0, 0, 60, 60)}, Borders: [][]int32{{0, 50_0000, 60_0000, 50_0000}}},
			{MaxZoom: 10, Land: land, Borders: [][]int32{{0, 50_0000, 60_0000, 50_0000}, {5_0000, 0, 5_0000, 60_0000}}},
		},
		Countries: []countryFile{
			{ISO: "AA", Lon: 5_0000, Lat: 5_0000, Area: 300, Names: map[string]string{"name": "A", "uz": "A-uz", "uz-Cyrl": "А", "ru": "А"}},
			{ISO: "BB", Lon: 5_0000, Lat: 55_0000, Area: 3e6, Names: map[string]string{"name": "B"}},
		},
	}
}

func packed(t testing.TB, f *worldFile) []byte {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, string(text))
}

func read(t testing.TB, f *worldFile) *World {
	t.Helper()
	w, err := ReadWorld(packed(t, f))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// at is a place in world units.
func at(lon, lat float64) (x, y float64) {
	a, b := tile.Project(lon, lat)
	return float64(a) + 0.3, float64(b) + 0.6
}

func TestWorldSea(t *testing.T) {
	shapes := read(t, small(t)).World(nil, nil)
	for _, tt := range []struct {
		zoom     uint8
		lon, lat float64
		sea      bool
	}{
		{0, -10, 30, true},
		{2, 5, 5, false},
		{2, 25, 15, false}, // the coarse level has no sea inside
		{3, -10, 30, true},
		{5, 5, 5, false},
		{5, 15, 35, true},
		{5, 27, 27, false},
		{5, 100, -80, false},
		{5, 100, 80, true},
		{5, -179.9, 0, true},
	} {
		found := 0
		for _, s := range shapes {
			if s.Feature.Layer != shortbread.Ocean || tt.zoom < s.Feature.Min || tt.zoom > s.Feature.Max {
				continue
			}
			found++
			x, y := at(tt.lon, tt.lat)
			if n := winding(s.Rings, x, y); n != 0 && n != 1 || (n == 1) != tt.sea {
				t.Errorf("zoom %d at %v,%v: the sea winds %d times, want sea %v", tt.zoom, tt.lon, tt.lat, n, tt.sea)
			}
		}
		if found != 1 {
			t.Errorf("zoom %d has %d oceans", tt.zoom, found)
		}
	}
}

func TestWorldBordersAndLabels(t *testing.T) {
	w := read(t, small(t))
	var borders, labels []Shape
	own := func(iso string, p plane.Point) bool { return iso == "CC" }
	for _, s := range w.World(own, []string{"uz-Cyrl"}) {
		switch s.Feature.Layer {
		case shortbread.Boundaries:
			borders = append(borders, s)
		case shortbread.BoundaryLabels:
			labels = append(labels, s)
		}
	}
	if len(borders) != 2 || borders[0].Feature.Max != 2 || borders[1].Feature.Min != 3 || borders[1].Feature.Max != 5 || len(borders[1].Lines) != 2 {
		t.Errorf("borders: %+v", borders)
	}
	if len(labels) != 2 {
		t.Fatalf("%d labels, want 2", len(labels))
	}
	large, little := labels[0], labels[1]
	if large.Feature.Min != 2 || little.Feature.Min != 5 || large.Feature.Max != 5 || large.Feature.Order >= little.Feature.Order {
		t.Errorf("labels: %+v", labels)
	}
	want := []mvt.Tag{
		{Key: "admin_level", Value: mvt.Int(2)}, {Key: "way_area", Value: mvt.Float(30000)},
		{Key: "name", Value: mvt.String("A")}, {Key: "name_uz-Cyrl", Value: mvt.String("А")},
	}
	if got := little.Feature.TagsAt(nil, 5); !slices.Equal(got, want) {
		t.Errorf("tags %v, want %v", got, want)
	}
	// Each label keeps its own tags.
	if got := large.Feature.TagsAt(nil, 2); len(got) != 3 || got[2].Value != mvt.String("B") {
		t.Errorf("tags %v", got)
	}
	// Where the data has the label, the backdrop has none.
	for _, own := range []Own{
		func(iso string, p plane.Point) bool { return iso == "BB" },
		func(iso string, p plane.Point) bool { return p == large.Point },
	} {
		for _, s := range w.World(own, nil) {
			if s.Feature.Layer == shortbread.BoundaryLabels && s.Point == large.Point {
				t.Error("a label of the data's own country")
			}
		}
	}
}

func TestNothingWithoutAWorld(t *testing.T) {
	w, err := ReadWorld(nil)
	if w != nil || err != nil {
		t.Fatalf("%v, %v", w, err)
	}
	if w.World(nil, nil) != nil || w.Near(nil, []tile.ID{cell}) != nil || w.NearLabels(nil, []tile.ID{cell}, nil, nil) != nil {
		t.Error("a backdrop of no world")
	}
}

// TestNear: around the data there is sea and there are borders, inside nothing
// twice, and cells of open sea inside the bounds are sea to the last zoom.
func TestNear(t *testing.T) {
	w := read(t, small(t))
	// Data on the west coast of the continent, one cell and part of its neighbour.
	x, y := tile.Project(0.5, 20)
	home := tile.Holding(CellZoom, x, y)
	west := tile.ID{Z: CellZoom, X: home.X - 1, Y: home.Y}
	bounds := home.Box().Union(west.Box()).Expand(-tile.Size(CellZoom) / 4)
	east := home.Box().Expand(-10)
	wide := home.Box().Union(west.Box())
	seaAt := func(bounds Bounds, cells []tile.ID, zoom uint8, p plane.Point) bool {
		n := 0
		for _, s := range w.Near(bounds, cells) {
			if s.Feature.Layer == shortbread.Ocean && s.Feature.Min <= zoom && zoom <= s.Feature.Max {
				n += winding(s.Rings, float64(p.X)+0.3, float64(p.Y)+0.6)
			}
		}
		if n < 0 || n > 1 {
			t.Errorf("the sea winds %d times", n)
		}
		return n == 1
	}
	middle := func(id tile.ID) plane.Point {
		b := id.Box()
		return plane.Point{X: (b.MinX + b.MaxX) / 2, Y: (b.MinY + b.MaxY) / 2}
	}
	outer := plane.Point{X: west.Box().MinX + 100, Y: west.Box().MinY + 100}
	far := tile.ID{Z: CellZoom, X: home.X - 13, Y: home.Y}
	tests := []struct {
		name   string
		bounds Bounds
		cells  []tile.ID
		zoom   uint8
		at     plane.Point
		want   bool
	}{
		{"in the neighbour", nil, []tile.ID{home}, 6, middle(west), true},
		{"not before the zooms of the world end", nil, []tile.ID{home}, 5, middle(west), false},
		{"to the last zoom beside the data", nil, []tile.ID{home}, 14, middle(west), true},
		{"not farther away after its own zooms", nil, []tile.ID{home}, 11, middle(tile.ID{Z: CellZoom, X: home.X - 2, Y: home.Y}), false},
		{"to the last zoom outside the bounds", Bounds{bounds}, []tile.ID{home, west}, 14, outer, true},
		{"not where there is data", nil, []tile.ID{home, west}, 10, middle(west), false},
		{"in the data's cell, outside the bounds", Bounds{bounds}, []tile.ID{home, west}, 10, outer, true},
		{"in the data's cell, inside the bounds", Bounds{bounds}, []tile.ID{home, west}, 10, middle(west), false},
		{"in the data's cell, all of it outside the bounds", Bounds{east}, []tile.ID{home, west}, 10, middle(west), true},
		{"open sea inside the bounds", Bounds{wide}, []tile.ID{home}, 14, middle(west), true},
		{"open sea partly inside the bounds", Bounds{bounds}, []tile.ID{home}, 14, middle(west), true},
		{"land", nil, []tile.ID{west}, 8, middle(tile.ID{Z: CellZoom, X: home.X + 1, Y: home.Y}), false},
		{"far away", nil, []tile.ID{home}, 8, middle(far), false},
	}
	for _, tt := range tests {
		if got := seaAt(tt.bounds, tt.cells, tt.zoom, tt.at); got != tt.want {
			t.Errorf("%s: sea %v, want %v", tt.name, got, tt.want)
		}
	}

	x, y = tile.Project(5, 20)
	home = tile.Holding(CellZoom, x, y)
	for _, s := range w.Near(nil, []tile.ID{home}) {
		if s.Feature.Layer != shortbread.Boundaries {
			continue
		}
		tall := plane.Nowhere()
		for _, l := range s.Lines {
			b := plane.BoxOf(l)
			tall = tall.Union(b)
			if common(b, home.Box().Expand(-1)) == b {
				t.Errorf("a border %v inside the data", l)
			}
		}
		if z6 := home.At(nearZoom).Box().Expand(nearRing * tile.Size(nearZoom)); tall.MinY != z6.MinY || tall.MaxY != z6.MaxY {
			t.Errorf("borders reach over %v, the tiles over %v", tall, z6)
		}
	}
	// Bounds around the world do not fill the world.
	round := plane.Box{MinX: 0, MinY: home.Box().MinY, MaxX: tile.World, MaxY: home.Box().MaxY}
	with, without := w.Near(Bounds{round}, []tile.ID{home})[0], w.Near(nil, []tile.ID{home})[0]
	if !slices.EqualFunc(with.Rings, without.Rings, slices.Equal[plane.Ring]) {
		t.Errorf("%d rings within bounds around the world, want %d", len(with.Rings), len(without.Rings))
	}
}

func TestReadWorldRefuses(t *testing.T) {
	broken := func(change func(f *worldFile)) []byte {
		f := small(t)
		change(f)
		return packed(t, f)
	}
	tests := map[string]struct {
		data []byte
		says string
	}{
		"text":           {[]byte("hello, world"), "gzip"},
		"cut short":      {packed(t, small(t))[:100], "EOF"},
		"no json":        {pack(t, "hello"), "invalid character"},
		"too large":      {pack(t, strings.Repeat(" ", maxWorldBytes+1)), "larger"},
		"next version":   {broken(func(f *worldFile) { f.Version = 2 }), "version is 2"},
		"no levels":      {broken(func(f *worldFile) { f.Levels = nil }), "0 levels"},
		"order":          {broken(func(f *worldFile) { f.Levels[0].MaxZoom = 10 }), "not in order"},
		"odd":            {broken(func(f *worldFile) { f.Levels[0].Land[0] = f.Levels[0].Land[0][:3] }), "cut short"},
		"off the earth":  {broken(func(f *worldFile) { f.Levels[0].Borders[0][1] = 90_0001 }), "not on earth"},
		"country":        {broken(func(f *worldFile) { f.Countries[0].ISO = "a" }), "no code"},
		"small letters":  {broken(func(f *worldFile) { f.Countries[0].ISO = "aa" }), "no code"},
		"country in sky": {broken(func(f *worldFile) { f.Countries[0].Lon = 181_0000 }), "not on earth"},
		"area":           {broken(func(f *worldFile) { f.Countries[0].Area = -1 }), "no area"},
		"names":          {broken(func(f *worldFile) { f.Countries[0].Names = nil }), "no names"},
		"language":       {broken(func(f *worldFile) { f.Countries[0].Names["Uzbek"] = "x" }), "name that is none"},
		"long name":      {broken(func(f *worldFile) { f.Countries[0].Names["ru"] = strings.Repeat("x", maxWorldName+1) }), "name that is none"},
	}
	for name, tt := range tests {
		w, err := ReadWorld(tt.data)
		if w != nil || err == nil || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), "build the binary again") {
			t.Errorf("%s: %v, want an error with %q", name, err, tt.says)
		}
	}
	for _, borders := range [][][]int32{{make([]int32, 2*maxWorldPoints+2)}, make([][]int32, maxWorldShapes+1)} {
		f := small(t)
		f.Levels[0].Borders = borders
		if _, err := ReadWorld(packed(t, f)); err == nil || !strings.Contains(err.Error(), "too many points") {
			t.Errorf("%d borders: %v", len(borders), err)
		}
	}
}

// FuzzReadWorld: any text gives a world inside the world, or one sentence.
func FuzzReadWorld(f *testing.F) {
	text, err := json.Marshal(small(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"version":1,"levels":[{"maxzoom":14,"land":[[0,0,0,900000,1800000,-900000]]}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ReadWorld(pack(t, text))
		if err != nil {
			return
		}
		whole := tile.ID{}.Box()
		for _, s := range slices.Concat(w.World(nil, nil), w.Near(nil, []tile.ID{cell}), w.NearLabels(nil, []tile.ID{cell}, nil, nil)) {
			b := plane.BoxOf([]plane.Point{s.Point})
			for _, r := range s.Rings {
				b = b.Union(plane.BoxOf(r))
			}
			for _, l := range s.Lines {
				b = b.Union(plane.BoxOf(l))
			}
			if !b.Within(whole) || s.Feature.Min > s.Feature.Max || s.Feature.Max > shortbread.MaxZoom {
				t.Errorf("%v from %d to %d at %v", s.Feature.Layer, s.Feature.Min, s.Feature.Max, b)
			}
		}
	})
}

// TestWithout: a box less the bounds is cut into parts that do not overlap.
func TestWithout(t *testing.T) {
	b := plane.Box{MinX: 10, MinY: 10, MaxX: 30, MaxY: 30}
	tests := []struct {
		bounds plane.Box
		parts  int
		area   int64
	}{
		{plane.Box{MinX: 0, MinY: 0, MaxX: 40, MaxY: 40}, 0, 0},
		{plane.Box{MinX: 15, MinY: 15, MaxX: 25, MaxY: 25}, 4, 300},
		{plane.Box{MinX: 0, MinY: 0, MaxX: 20, MaxY: 20}, 2, 300},
		{plane.Box{MinX: 0, MinY: 15, MaxX: 40, MaxY: 20}, 2, 300},
		{plane.Box{MinX: 31, MinY: 15, MaxX: 40, MaxY: 20}, 1, 400},
		{plane.Box{MinX: 30, MinY: 10, MaxX: 40, MaxY: 30}, 1, 400},
	}
	for _, tt := range tests {
		parts := without(b, common(b, tt.bounds))
		var area int64
		for i, p := range parts {
			area += square(p).Area2() / 2
			if !p.Within(b) {
				t.Errorf("%v: part %v leaves the box", tt.bounds, p)
			}
			for _, q := range append(parts[:i:i], tt.bounds) {
				if c := common(p, q); c.MinX < c.MaxX && c.MinY < c.MaxY {
					t.Errorf("%v: parts %v and %v overlap", tt.bounds, p, q)
				}
			}
		}
		if len(parts) != tt.parts || area != tt.area {
			t.Errorf("%v: %d parts of area %d, want %d of %d", tt.bounds, len(parts), area, tt.parts, tt.area)
		}
	}
	if without(b, Bounds(nil).In(b)) != nil {
		t.Error("without bounds nothing lies outside them")
	}
}
