package tilebuild

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"svc/geo/osm"
	"svc/geo/shortbread"
)

func TestStreetAcrossTiles(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary", 4000, 100, 4200, 300)
	r, _ := d.build(t)
	for _, c := range []struct {
		dx   int32
		want orb.LineString
	}{
		{0, orb.LineString{{4000, 100}, {4160, 260}}},
		{1, orb.LineString{{-64, 132}, {104, 300}}},
	} {
		f := at(t, r, near(c.dx, 0)).with("streets", "kind", "primary")
		if len(f) != 1 || !orb.Equal(f[0].Geometry, c.want) {
			t.Errorf("tile %d: %v", c.dx, f)
		}
	}
	if got := at(t, r, near(0, 1)); got != nil {
		t.Errorf("the tile below holds %v", got)
	}
}

func TestLakeWithIsland(t *testing.T) {
	d := &drawing{}
	lake, island := d.box("", 100, 100, 1100, 1100), d.box("", 400, 400, 700, 700)
	d.relation("type=multipolygon natural=water name=Koʻl", lake, -island)
	r, _ := d.build(t)
	f := at(t, r, home)["water_polygons"]
	if len(f) != 1 {
		t.Fatalf("%d water polygons", len(f))
	}
	p, ok := f[0].Geometry.(orb.Polygon)
	if !ok || len(p) != 2 || planar.Area(p) != 1000*1000-300*300 {
		t.Errorf("the lake is %v", f[0].Geometry)
	}
	label := at(t, r, home).with("water_polygons_labels", "name", "Koʻl")
	if len(label) != 1 || !planar.PolygonContains(p, label[0].Point()) {
		t.Errorf("its label: %v", label)
	}
}

// TestLabelInside: the middle of the extent of a C lies outside it.
func TestLabelInside(t *testing.T) {
	d := &drawing{}
	d.area("natural=water name=Hilol", 100, 100, 3000, 100, 3000, 300, 300, 300, 300, 2700, 3000, 2700, 3000, 3000, 100, 3000)
	r, _ := d.build(t)
	for z := uint8(11); z <= 14; z++ {
		got := at(t, r, home.At(z))
		water, label := got["water_polygons"], got.with("water_polygons_labels", "name", "Hilol")
		if len(water) != 1 || len(label) != 1 || !planar.PolygonContains(water[0].Geometry.(orb.Polygon), label[0].Point()) {
			t.Errorf("zoom %d: %v in %v", z, label, water)
		}
	}
}

func TestBuildings(t *testing.T) {
	d := &drawing{}
	d.box("building=yes", 1000, 1000, 1020, 1020)
	d.box("building=yes", 1020, 1000, 1040, 1020) // a neighbour with a common wall
	d.box("building=yes", 4080, 10, 4100, 30)     // over the edge
	r, report := d.build(t)
	if got := at(t, r, home)["buildings"]; len(got) != 3 {
		t.Errorf("%d buildings at zoom 14", len(got))
	}
	// The buffer of buildings is 8: the next tile has what lies in it.
	next := at(t, r, near(1, 0))["buildings"]
	if len(next) != 1 || next[0].Geometry.Bound() != (orb.Bound{Min: orb.Point{-8, 10}, Max: orb.Point{4, 30}}) {
		t.Errorf("beyond the edge: %v", next)
	}
	for z := range uint8(14) {
		if got := at(t, r, home.At(z)); got != nil {
			t.Errorf("zoom %d: %v", z, got)
		}
	}
	if report.Features["buildings"] != 3 || report.Zooms[14].Tiles != 2 {
		t.Errorf("%+v", report)
	}
}

func TestMergedStreets(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary name=Navoiy", 100, 100, 500, 100)
	d.way("highway=primary name=Navoiy", 900, 100, 500, 100) // drawn the other way round
	d.way("highway=primary name=Navoiy", 900, 100, 1300, 700)
	r, _ := d.build(t)
	want := orb.LineString{{100, 100}, {900, 100}, {1300, 700}}
	for _, layer := range []string{"streets", "street_labels"} {
		f := at(t, r, home)[layer]
		if len(f) != 1 || !orb.Equal(f[0].Geometry, want) {
			t.Errorf("%s: %v", layer, f)
		}
	}
}

// TestOneway: lines with a direction are not turned round to be joined.
func TestOneway(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary oneway=yes", 100, 100, 500, 100)
	d.way("highway=primary oneway=yes", 500, 100, 900, 300) // goes on
	d.way("highway=primary oneway=yes", 1500, 900, 900, 300)
	r, _ := d.build(t)
	f := at(t, r, home)["streets"]
	if len(f) != 1 {
		t.Fatalf("%d features: %v", len(f), f)
	}
	var got []string
	for _, l := range linesOf(f[0].Geometry) {
		got = append(got, fmt.Sprint(l[0], l[len(l)-1]))
	}
	slices.Sort(got)
	if want := []string{"[100 100] [900 300]", "[1500 900] [900 300]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSmallThingsDropOut(t *testing.T) {
	d := &drawing{}
	d.box("natural=wood", 100, 100, 200, 200) // 6 pixels of a screen at zoom 14
	d.box("natural=wood", 1000, 1000, 3500, 3500)
	r, _ := d.build(t)
	for z, want := range map[uint8]int{14: 2, 11: 1} {
		n := 0
		for _, f := range at(t, r, home.At(z))["land"] {
			n += len(polygonsOf(f.Geometry))
		}
		if n != want {
			t.Errorf("zoom %d: %d woods, want %d", z, n, want)
		}
	}
	if got := at(t, r, home.At(6))["land"]; got != nil {
		t.Errorf("zoom 6: %v", got)
	}
}

// TestNeighboursGrowTogether: at low zooms woods side by side are one.
func TestNeighboursGrowTogether(t *testing.T) {
	d := &drawing{}
	d.box("natural=wood", 0, 0, 1600, 1600)
	d.box("natural=wood", 1600, 0, 3200, 1600)
	d.box("landuse=residential", 0, 1600, 3200, 3200)
	r, _ := d.build(t)
	got := at(t, r, home.At(11)).with("land", "kind", "forest")
	if len(got) != 1 || len(polygonsOf(got[0].Geometry)) != 1 {
		t.Errorf("zoom 11: %v", got)
	}
	if got := at(t, r, home).with("land", "kind", "forest"); len(got) != 2 {
		t.Errorf("zoom 14: %v", got)
	}
}

// TestBoundaryOnce: a way in two relations is one line, of the lower level.
func TestBoundaryOnce(t *testing.T) {
	d := &drawing{}
	common := d.way("", 1000, 0, 1000, 2000)
	west := d.way("", 1000, 2000, 0, 2000, 0, 0, 1000, 0)
	east := d.way("", 1000, 2000, 2000, 2000, 2000, 0, 1000, 0)
	d.relation("type=boundary boundary=administrative admin_level=4 name=Gʻarb", common, west)
	d.relation("type=boundary boundary=administrative admin_level=2 name=Sharq", common, east)
	r, _ := d.build(t)
	got := at(t, r, home)["boundaries"]
	length := map[float64]float64{}
	for _, f := range got {
		for _, l := range linesOf(f.Geometry) {
			length[f.Properties["admin_level"].(float64)] += planar.Length(l)
		}
	}
	if want := map[float64]float64{2: 6000, 4: 4000}; fmt.Sprint(length) != fmt.Sprint(want) {
		t.Errorf("lengths by level %v, want %v", length, want)
	}
	labels := at(t, r, home)["boundary_labels"]
	if len(labels) != 2 {
		t.Fatalf("%d labels", len(labels))
	}
	for _, f := range labels {
		if east := f.Point()[0] > 1000; east != (f.Properties["name"] == "Sharq") {
			t.Errorf("%v stands at %v", f.Properties["name"], f.Point())
		}
	}
}

func TestNamesOfLanguages(t *testing.T) {
	d := &drawing{}
	d.node(500, 500, "place=city name=Toshkent name:ru=Ташкент name:en=Tashkent name:uz-Cyrl=Тошкент name:de=Taschkent")
	all, _ := d.build(t)
	some, _ := d.build(t, func(o *Options) { o.Langs = []string{"ru", "uz-Cyrl"} })
	city := at(t, all, home)["place_labels"][0].Properties
	for key, want := range map[string]any{
		"name": "Toshkent", "name_ru": "Ташкент", "name_en": "Tashkent", "name_uz-Cyrl": "Тошкент", "name_de": "Taschkent",
	} {
		if city[key] != want {
			t.Errorf("%s is %v", key, city[key])
		}
	}
	city = at(t, some, home)["place_labels"][0].Properties
	if city["name"] != "Toshkent" || city["name_ru"] != "Ташкент" || city["name_uz-Cyrl"] != "Тошкент" || city["name_en"] != nil || city["name_de"] != nil {
		t.Errorf("with two languages: %v", city)
	}
	for _, l := range some.Info().Layers {
		if _, en := l.Fields["name_en"]; l.ID == "place_labels" && (en || l.Fields["name_ru"] != "String") {
			t.Errorf("the archive describes %v", l.Fields)
		}
	}
}

// TestCrowd: where more labels stand than can be shown, the larger ones stay;
// at the last zoom all do.
func TestCrowd(t *testing.T) {
	d := &drawing{}
	for i := range int32(40) {
		d.node(100+50*i, 100, fmt.Sprintf("place=village name=Q%d population=%d", i, 100+i))
	}
	r, _ := d.build(t)
	got := at(t, r, home.At(10))["place_labels"]
	if len(got) != thinKeep {
		t.Fatalf("%d villages at zoom 10", len(got))
	}
	for _, f := range got {
		if n := f.Properties["population"].(float64); n < 140-thinKeep {
			t.Errorf("a village of %v stays", n)
		}
	}
	if got := at(t, r, home)["place_labels"]; len(got) != 40 {
		t.Errorf("%d villages at zoom 14", len(got))
	}
}

// TestPlaceTwice: a place as a node and as an area has one label.
func TestPlaceTwice(t *testing.T) {
	d := &drawing{}
	d.node(1000, 1000, "place=hamlet name=Ovul population=300")
	d.box("place=hamlet name=Ovul", 700, 700, 1500, 1500)
	d.node(3900, 3900, "place=hamlet name=Ovul") // another one, far away
	r, _ := d.build(t)
	if got := at(t, r, home)["place_labels"]; len(got) != 2 || got[0].Properties["population"] != 300.0 {
		t.Errorf("%v", got)
	}
}

// TestInsideLargeAreas: the tiles inside a wood hold a square each, cost one
// entry a run, and those at its edge have the right share.
func TestInsideLargeAreas(t *testing.T) {
	const side = 70*4096 + 2000
	d := &drawing{}
	d.box("natural=wood", 0, 0, side, side)
	r, report := d.build(t)
	for _, c := range []struct {
		dx, dy int32
		want   float64
	}{
		{0, 0, (4096 + 64) * (4096 + 64)}, {1, 1, (4096 + 128) * (4096 + 128)}, {35, 50, (4096 + 128) * (4096 + 128)},
		{69, 1, (4096 + 128) * (4096 + 128)}, {70, 70, (2000 + 64) * (2000 + 64)}, {70, 3, (2000 + 64) * (4096 + 128)},
	} {
		land := at(t, r, near(c.dx, c.dy))["land"]
		if len(land) != 1 || math.Abs(planar.Area(land[0].Geometry)-c.want) > 4*4300 {
			t.Errorf("tile %d,%d: %v", c.dx, c.dy, land)
		}
	}
	if got := at(t, r, near(71, 0)); got != nil {
		t.Errorf("beyond it: %v", got)
	}
	z := report.Zooms[14]
	// The tiles to the west and north have no more of it than their buffers show.
	if z.Tiles != 71*71 || z.Different > 2000 || report.Records > 3000 {
		t.Errorf("%d tiles in %d runs from %d records", z.Tiles, z.Different, report.Records)
	}
}

// TestCrossedArea: a closed way in the form of an eight has both its halves.
func TestCrossedArea(t *testing.T) {
	d := &drawing{}
	d.area("natural=wood", 0, 0, 2000, 2000, 2000, 0, 0, 2000)
	r, _ := d.build(t)
	got := at(t, r, home)["land"]
	if len(got) != 1 || math.Abs(planar.Area(got[0].Geometry)-2000*2000/2) > 4000 || invalid(polygonsOf(got[0].Geometry)) != "" {
		t.Errorf("%v", got)
	}
}

// TestSea: water on the right of the coast, and only where there is data.
func TestSea(t *testing.T) {
	d := &drawing{}
	// Counter-clockwise on the map: land on the left.
	d.way("natural=coastline", 1000, 1000, 1000, 3000, 3000, 3000, 3000, 1000, 1000, 1000)
	r, _ := d.build(t)
	sea := at(t, r, home)["ocean"]
	if len(sea) != 1 || planar.Area(sea[0].Geometry) != (4096+128)*(4096+128)-2000*2000 {
		t.Fatalf("%v", sea)
	}
	if got := at(t, r, near(1, 1))["ocean"]; len(got) != 1 || planar.Area(got[0].Geometry) != (4096+128)*(4096+128) {
		t.Errorf("beside it: %v", got)
	}
	far := near(200, 200)
	if got := at(t, r, far); got != nil {
		t.Errorf("far away: %v", got)
	}
}

// TestCutAway: an area of which nodes are missing is left out and counted; the
// line of it that is there is drawn.
func TestCutAway(t *testing.T) {
	d := &drawing{}
	d.box("natural=wood", 0, 0, 1000, 1000)
	id := d.way("highway=primary", 100, 100, 500, 100, 900, 100)
	d.ways[0].Refs[1] = 99999
	d.ways[id-1].Refs = append(d.ways[id-1].Refs, 88888)
	d.relation("type=multipolygon natural=wood", d.way("", 2000, 2000, 2500, 2500))
	r, report := d.build(t)
	if got := at(t, r, home); len(got["land"]) != 0 || len(got["streets"]) != 1 {
		t.Errorf("%v", got)
	}
	if report.CutWays != 1 || report.BrokenTotal != 1 || report.Broken[0].Problem != "unclosed" {
		t.Errorf("%+v", report)
	}
}

// TestTooLarge: a tile that would be too large loses house numbers first.
func TestTooLarge(t *testing.T) {
	d := &drawing{}
	for i := range int32(60_000) {
		d.node(i%245*16+10, i/245*16+5, fmt.Sprintf("addr:housenumber=%d addr:street=X", i))
	}
	d.box("building=yes", 100, 100, 200, 200)
	d.way("highway=residential", 10, 10, 3000, 3000)
	r, report := d.build(t)
	got := at(t, r, home)
	if z := report.Zooms[shortbread.MaxZoom]; z.Largest > maxTile || z.Largest < maxTile*8/10 {
		t.Errorf("the largest tile has %d bytes", z.Largest)
	}
	if n := len(got["addresses"]); n == 0 || n >= 60_000 || len(got["buildings"]) != 1 || len(got["streets"]) != 1 {
		t.Errorf("%d addresses, %d buildings, %d streets are left", n, len(got["buildings"]), len(got["streets"]))
	}
}

func TestBounds(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary", -3000, 500, 3000, 500)
	d.box("natural=wood", -2000, -2000, 2000, 2000)
	d.node(1000, 1000, "amenity=cafe name=A")
	d.node(-1000, 1000, "amenity=cafe name=B")
	sw, ne := place(0, 4000), place(4000, 0)
	r, _ := d.build(t, func(o *Options) { o.Bounds = &[4]float64{sw.Lon(), sw.Lat(), ne.Lon(), ne.Lat()} })
	got := at(t, r, home)
	if len(got["pois"]) != 1 || got["pois"][0].Properties["name"] != "A" {
		t.Errorf("%v", got["pois"])
	}
	for _, layer := range []string{"streets", "land"} {
		b := got[layer][0].Geometry.Bound()
		if math.Abs(b.Min[0]) > 1 {
			t.Errorf("%s begins at %v", layer, b)
		}
	}
	if got := at(t, r, near(-1, 0)); got["pois"] != nil || len(got["land"]) > 0 && got["land"][0].Geometry.Bound().Min[0] < 4095 {
		t.Errorf("outside the bounds: %v", got)
	}
}

// TestSeveralInputs: what two extracts hold is drawn once, and a way that one
// cuts off is whole when the other has the rest.
func TestSeveralInputs(t *testing.T) {
	whole := &drawing{}
	whole.node(1000, 1000, "amenity=cafe name=A")
	whole.way("highway=primary", 100, 100, 2000, 100, 3000, 900)
	whole.box("natural=wood", 100, 200, 900, 900)
	lake := whole.box("", 2000, 2000, 3000, 3000)
	whole.relation("type=multipolygon natural=water", lake)
	part := &drawing{ways: whole.ways, relations: whole.relations}
	part.nodes = slices.DeleteFunc(slices.Clone(whole.nodes), func(n osm.Node) bool { return n.ID == whole.ways[0].Refs[2] || n.ID == whole.ways[1].Refs[2] })
	part.nodes[0].Tags = tags("amenity=cafe name=B") // of what differs the first counts
	alone, _ := whole.build(t)
	both, _ := part.build(t, func(o *Options) { o.Inputs = append(o.Inputs, whole.write(t, sorted)) })
	a, b := at(t, alone, home), at(t, both, home)
	if got := b["pois"]; len(got) != 1 || got[0].Properties["name"] != "B" {
		t.Errorf("%v", got)
	}
	for _, layer := range []string{"pois", "streets", "land", "water_polygons"} {
		if len(a[layer]) != 1 || len(b[layer]) != 1 || !orb.Equal(a[layer][0].Geometry, b[layer][0].Geometry) {
			t.Errorf("%s: %v and %v", layer, a[layer], b[layer])
		}
	}
}
