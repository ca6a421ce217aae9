package tilebuild

import (
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	find "svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tagset"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// indexOf builds the search index of an extract.
func indexOf(t testing.TB, in string) *index.Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.svcmap")
	if _, err := mapbuild.Run(t.Context(), mapbuild.Options{Inputs: []string{in}, Out: path}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// club is an area whose middle of the extent lies in its thin part, and whose
// roomiest place is 1,400 pixels from there.
func club(x, y int32) []int32 {
	return []int32{x, y + 40, x + 2900, y + 40, x + 2900, y, x + 3500, y, x + 3500, y + 100, x, y + 100}
}

// TestClickedWhereFound: what can be clicked stands where the search index has
// it (map contract 2), areas of any form too; labels that nobody looks up keep
// the roomiest place.
func TestClickedWhereFound(t *testing.T) {
	d := &drawing{}
	d.area("leisure=garden name=Bogʻ", club(200, 200)...)
	d.area("railway=station name=Vokzal", club(200, 600)...)
	d.area("place=island name=Orol", club(200, 1000)...)
	d.relation("type=multipolygon leisure=park name=Xiyobon", d.area("", club(200, 1400)...))
	d.area("natural=water name=Koʻl", club(200, 1800)...)
	x := indexOf(t, d.write(t, sorted))
	r, _ := d.build(t, func(o *Options) { o.Index = x })
	got := at(t, r, home)
	for name, layer := range map[string]string{"Bogʻ": "pois", "Vokzal": "public_transport", "Orol": "place_labels", "Xiyobon": "pois"} {
		list := got.with(layer, "name", name)
		if len(list) != 1 {
			t.Errorf("%s: %v", name, list)
			continue
		}
		p := list[0].Geometry.(orb.Point)
		entry := find.Lookup(x, place(int32(p[0]), int32(p[1])), name, 3, "uz")
		if entry == nil || entry.Name != name {
			t.Errorf("%s stands at %v, where the index has %v", name, p, entry)
			continue
		}
		if rank := list[0].Properties["rank"]; rank != entry.Rank {
			t.Errorf("%s has the rank %v on the map and %v in the index", name, rank, entry.Rank)
		}
	}
	if label := got.with("water_polygons_labels", "name", "Koʻl"); len(label) != 1 || label[0].Geometry.(orb.Point)[0] < 3000 {
		t.Errorf("the label of the lake: %v", label)
	}
}

// TestClickedWithinBounds: an area whose entry the bounds cut off, as they do
// with places that only reach into them, has its label inside them.
func TestClickedWithinBounds(t *testing.T) {
	p := newPainter(tilesort.New(t.TempDir(), 0), tagset.New(), &plane.Box{MaxX: 1000, MaxY: 1000})
	s := shape{
		rings: []plane.Ring{{{X: 100, Y: 100}, {X: 900, Y: 100}, {X: 900, Y: 900}, {X: 100, Y: 900}}},
		entry: spot{at: plane.Point{X: 5000, Y: 500}, ok: true},
	}
	if got := p.label(shortbread.PlaceLabels, &s); !got.ok || !p.bounds.Contains(got.at) {
		t.Errorf("%+v", got)
	}
}

// TestClickedOnMalta: a click on any symbol of a real map finds what it stands
// for. Two things of one name within a step of each other are told apart by
// nobody.
func TestClickedOnMalta(t *testing.T) {
	in := osmtest.Extract(t, "malta.osm.pbf")
	x := indexOf(t, in)
	path, _ := buildReal(t, "malta.osm.pbf", func(o *Options) { o.Index = x })
	symbols, others := 0, 0
	eachTile(t, archive(t, path), func(id tile.ID, _ uint32, d decoded) {
		if id.Z != 14 {
			return
		}
		for _, f := range d["pois"] {
			name, _ := f.Properties["name"].(string)
			category, _ := f.Properties["category"].(string)
			if name == "" || category == "" {
				continue
			}
			symbols++
			found := find.Lookup(x, clickOn(id, f), name, 120, "uz")
			if found == nil || found.Distance > 5 {
				t.Errorf("%s (%s) of %v: %+v", name, category, id, found)
				continue
			}
			if found.Category != category || found.Rank != f.Properties["rank"] {
				others++
				t.Logf("%s (%s, %v): %s, %s, %v at %v m", name, category, f.Properties["rank"], found.Name, found.Category, found.Rank, found.Distance)
			}
		}
	})
	t.Logf("%d symbols, %d find another thing of their name in their place", symbols, others)
	if symbols < 2000 || others > 5 {
		t.Errorf("%d symbols, %d find another thing", symbols, others)
	}
}

// clickOn is the place of a symbol.
func clickOn(id tile.ID, f *geojson.Feature) geom.Point {
	p := f.Geometry.(orb.Point)
	lon, lat := tile.Unproject(int32(id.X)*tile.Extent+int32(p[0]), int32(id.Y)*tile.Extent+int32(p[1]))
	return geom.FromDegrees(lat, lon)
}
