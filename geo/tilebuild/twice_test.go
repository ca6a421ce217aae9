package tilebuild

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/tile"
)

// twice gives a segment that a feature draws two times, whichever way round.
func twice(f *geojson.Feature) (orb.LineString, bool) {
	seen := map[[4]float64]bool{}
	for _, l := range linesOf(f.Geometry) {
		for i := range l[1:] {
			a, b := l[i], l[i+1]
			if b[0] < a[0] || b[0] == a[0] && b[1] < a[1] {
				a, b = b, a
			}
			key := [4]float64{a[0], a[1], b[0], b[1]}
			if seen[key] {
				return orb.LineString{a, b}, true
			}
			seen[key] = true
		}
	}
	return nil, false
}

// lanes draws two ways from one place to another, close to each other in the
// middle, where each is cut in two.
func lanes(d *drawing) {
	for _, middle := range []int32{1004, 996} {
		d.way("highway=primary name=A", 100, 1000, 3100, middle)
		d.way("highway=primary name=A", 3100, middle, 6100, 1000)
	}
}

// TestNothingTwice: ways that lie on each other, that turn back on themselves,
// or that only come to lie so at a low zoom, are drawn once.
func TestNothingTwice(t *testing.T) {
	for name, draw := range map[string]func(*drawing){
		"two ways on one place": func(d *drawing) {
			d.way("highway=primary name=A", 100, 100, 3000, 100)
			d.way("highway=primary name=A", 3000, 100, 100, 100)
		},
		"out and back": func(d *drawing) {
			d.way("highway=primary name=A", 100, 100, 1500, 100, 3000, 100, 1500, 100, 1500, 3000)
		},
		"a loop that falls flat when it is joined": lanes,
		"lanes that fall together when they are joined": func(d *drawing) {
			lanes(d)
			d.way("highway=primary name=A", 100, 1000, 100, 100)
			d.way("highway=primary name=A", 6100, 1000, 6100, 100)
		},
	} {
		d := &drawing{}
		draw(d)
		r, _ := d.build(t)
		lines := 0
		eachTile(t, r, func(id tile.ID, _ uint32, tiled decoded) {
			for _, layer := range []string{"streets", "street_labels"} {
				for _, f := range tiled[layer] {
					lines++
					if s, found := twice(f); found {
						t.Errorf("%s: %v %s draws %v two times", name, id, layer, s)
					}
				}
			}
		})
		if lines < 8 {
			t.Errorf("%s: %d lines in all tiles", name, lines)
		}
	}
}

// TestBothDirections: of two one-way streets on one place, with opposite
// directions, none is left out.
func TestBothDirections(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary oneway=yes", 100, 100, 3000, 100)
	d.way("highway=primary oneway=yes", 3000, 100, 100, 100)
	d.way("highway=primary oneway=yes", 100, 100, 3000, 100)
	r, _ := d.build(t)
	length := 0.0
	for _, f := range at(t, r, home)["streets"] {
		for _, l := range linesOf(f.Geometry) {
			length += planar.Length(l)
		}
	}
	if length != 2*2900 {
		t.Errorf("%v pixels of streets, want both directions", length)
	}
}

// TestPlaceTwiceAcrossTiles: the edge of a tile between two labels of one place
// does not make them two.
func TestPlaceTwiceAcrossTiles(t *testing.T) {
	for _, corner := range []struct{ x, y int32 }{{4096, 2000}, {2000, 4096}, {4096, 4096}} {
		d := &drawing{}
		d.node(corner.x-60, corner.y-60, "place=hamlet name=Ovul population=300")
		d.box("place=hamlet name=Ovul", corner.x-20, corner.y-20, corner.x+180, corner.y+180)
		d.node(corner.x+1500, corner.y+1500, "place=hamlet name=Ovul") // another one
		r, _ := d.build(t)
		found := map[uint8][]string{}
		eachTile(t, r, func(id tile.ID, _ uint32, tiled decoded) {
			for _, f := range tiled["place_labels"] {
				found[id.Z] = append(found[id.Z], fmt.Sprint(id, f.Point()))
			}
		})
		if len(found[14]) != 2 {
			t.Errorf("beside %v: labels at zoom 14: %v", corner, found[14])
		}
		if got := at(t, r, home).with("place_labels", "population", 300.0); len(got) != 1 {
			t.Errorf("beside %v: not the one that says most stays: %v", corner, found[14])
		}
	}
}

// TestPOITwice: one thing as two objects on one place has one symbol, be they
// of different importance; the more important stays.
func TestPOITwice(t *testing.T) {
	d := town()
	d.node(2500, 2500, "tourism=museum name=Muzey")
	d.node(2500, 2500, "tourism=museum name=Muzey wikidata=Q1 wikipedia=uz:Muzey")
	d.node(2500, 2500, "tourism=museum name=Boshqa")
	in, path := d.write(t, sorted), filepath.Join(t.TempDir(), "a.svcmap")
	if _, err := mapbuild.Run(t.Context(), mapbuild.Options{Inputs: []string{in}, Out: path}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	ranks := map[float64]bool{}
	best := 0.0
	for i := range x.Rows {
		if row := &x.Rows[i]; x.CategoryID(row.Category) == "culture.museum" {
			ranks[row.Importance()] = true
			best = max(best, row.Importance())
		}
	}
	if len(ranks) != 2 {
		t.Fatalf("the index ranks the museums %v: this test needs two that differ", ranks)
	}
	r, _ := d.build(t, func(o *Options) { o.Index = x })
	got := at(t, r, home).with("pois", "name", "Muzey")
	if len(got) != 1 || got[0].Properties["rank"] != best {
		t.Errorf("%d symbols, want one of rank %v: %v", len(got), best, got)
	}
	if got := at(t, r, home).with("pois", "name", "Boshqa"); len(got) != 1 {
		t.Errorf("another thing on the place: %v", got)
	}
}

// TestBufferOnly: what only the buffer of a tile shows makes no tile.
func TestBufferOnly(t *testing.T) {
	for name, draw := range map[string]func(*drawing){
		"a street that ends before the edge": func(d *drawing) { d.way("highway=primary", 30, 1000, 3000, 1000) },
		"a street beside the edge":           func(d *drawing) { d.way("highway=primary", 20, 100, 20, 3900) },
		"a street on the edge":               func(d *drawing) { d.way("highway=primary", 0, 100, 0, 3900) },
		"a wood beside the edge":             func(d *drawing) { d.box("natural=wood", 10, 100, 2000, 3900) },
		"a wood that ends on the edge":       func(d *drawing) { d.box("natural=wood", 0, 100, 2000, 3900) },
		"a building beside the edge":         func(d *drawing) { d.box("building=yes", 4, 100, 300, 300) },
	} {
		d := &drawing{}
		draw(d)
		r, report := d.build(t)
		if at(t, r, home) == nil || report.Zooms[14].Tiles != 1 {
			t.Errorf("%s: %d tiles", name, report.Zooms[14].Tiles)
		}
	}
	d := &drawing{}
	d.way("highway=primary", -30, 1000, 3000, 1000)
	if r, _ := d.build(t); at(t, r, near(-1, 0)) == nil {
		t.Error("a street that crosses the edge is missing beyond it")
	}
}

// TestPacked: a dense tile is not stored as it is. The packer of the standard
// library, which looks for short matches at every level, is the measure.
func TestPacked(t *testing.T) {
	path, _ := buildReal(t, "malta.osm.pbf")
	ours, theirs := 0, 0
	err := archive(t, path).Each(func(_ tile.ID, _ uint32, data []byte) error {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(z)
		if err != nil {
			return err
		}
		var again bytes.Buffer
		w := gzip.NewWriter(&again)
		if _, err := w.Write(raw); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		ours, theirs = ours+len(data), theirs+again.Len()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if t.Logf("%d bytes, %d by the standard library", ours, theirs); ours*100 > theirs*102 {
		t.Errorf("packed into %d bytes, the standard library needs %d", ours, theirs)
	}
}

// TestLostLake: an island whose lake the extract lacks does not become water;
// the relation is reported.
func TestLostLake(t *testing.T) {
	d := &drawing{}
	lost, island := d.box("", 0, 0, 3000, 3000), d.box("natural=scrub", 1000, 1000, 2000, 2000)
	d.relation("type=multipolygon natural=water name=Koʻl", lost, -island)
	whole, _ := d.build(t)
	if got := at(t, whole, home)["water_polygons"]; len(got) != 1 || planar.Area(got[0].Geometry) != 3000*3000-1000*1000 {
		t.Fatalf("the lake: %v", got)
	}
	d.ways = d.ways[1:]
	r, report := d.build(t)
	got := at(t, r, home)
	if len(got["water_polygons"]) != 0 || len(got["water_polygons_labels"]) != 0 || len(got["land"]) != 1 {
		t.Errorf("%v", got)
	}
	if report.BrokenTotal != 1 || report.Broken[0].Name != "Koʻl" {
		t.Errorf("%+v", report.BrokenList)
	}
}
