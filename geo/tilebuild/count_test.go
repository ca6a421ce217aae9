package tilebuild

import (
	"context"
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/planar"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
	"svc/geo/tile"
)

// census is what an extract holds, counted without the product's pipeline.
type census struct {
	pharmacies map[tile.ID]int // nodes, by tile
	houses     map[tile.ID]int // nodes with nothing but an address
	primary    float64         // length of primary streets, in pixels of zoom 14
	buildings  float64         // area of closed ways
}

// count reads an extract into memory and counts.
func count(t *testing.T, path string) census {
	t.Helper()
	f, err := osm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := census{pharmacies: map[tile.ID]int{}, houses: map[tile.ID]int{}}
	at := map[int64]orb.Point{}
	one := func(b *osm.Block) (struct{}, error) {
		for _, n := range b.Nodes {
			x, y := tile.Project(float64(n.Lon)/1e7, float64(n.Lat)/1e7)
			at[n.ID] = orb.Point{float64(x), float64(y)}
			id := tile.Holding(14, x, y)
			if n.Tags.Get("amenity") == "pharmacy" {
				c.pharmacies[id]++
			}
			if len(n.Tags) == 1 && n.Tags.Get("addr:housenumber") != "" {
				c.houses[id]++
			}
		}
		for _, w := range b.Ways {
			line := make(orb.LineString, len(w.Refs))
			for i, ref := range w.Refs {
				line[i] = at[ref]
			}
			closed := len(line) > 3 && w.Refs[0] == w.Refs[len(w.Refs)-1]
			switch {
			case w.Tags.Get("highway") == "primary":
				c.primary += planar.Length(line)
			case closed && w.Tags.Has("building") && w.Tags.Get("building") != "no":
				c.buildings += math.Abs(planar.Area(orb.Ring(line)))
			}
		}
		return struct{}{}, nil
	}
	// One kind after another and one block at a time: the map is not shared.
	for _, kind := range []osm.Kinds{osm.Nodes, osm.Ways} {
		blocks := make(chan struct{}, 1)
		err := osm.Scan(context.Background(), f, kind, nil, func(b *osm.Block) (struct{}, error) {
			blocks <- struct{}{}
			defer func() { <-blocks }()
			return one(b)
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestCounts holds the tiles of zoom 14 against the source: the same number of
// things in each tile, the same length of streets, the same area of buildings.
func TestCounts(t *testing.T) {
	want := count(t, osmtest.Extract(t, "malta.osm.pbf"))
	path, report := buildReal(t, "malta.osm.pbf")
	r := archive(t, path)
	square := orb.Bound{Max: orb.Point{4096, 4096}}
	var length, buildings float64
	eachTile(t, r, func(id tile.ID, _ uint32, d decoded) {
		if id.Z != 14 {
			return
		}
		// Areas give points too: at least those of the nodes.
		if got := len(d.with("pois", "amenity", "pharmacy")); got < want.pharmacies[id] {
			t.Errorf("%v: %d pharmacies, the source has %d nodes", id, got, want.pharmacies[id])
		}
		if got := len(d["addresses"]); got < want.houses[id] {
			t.Errorf("%v: %d addresses, the source has %d nodes", id, got, want.houses[id])
		}
		delete(want.pharmacies, id)
		for _, f := range d["streets"] {
			if f.Properties["kind"] != "primary" || f.Properties["link"] == true {
				continue
			}
			for _, l := range linesOf(f.Geometry) {
				for _, piece := range clip.LineString(square, l.Clone()) {
					length += planar.Length(piece)
				}
			}
		}
		for _, f := range d["buildings"] {
			for _, p := range polygonsOf(f.Geometry) {
				buildings += planar.Area(clip.Polygon(square, p.Clone()))
			}
		}
	})
	if len(want.pharmacies) > 0 {
		t.Errorf("tiles with pharmacies that are not there: %v", want.pharmacies)
	}
	t.Logf("primary streets %.0f of %.0f pixels, buildings %.0f of %.0f", length, want.primary, buildings, want.buildings)
	if math.Abs(length/want.primary-1) > 0.005 {
		t.Errorf("primary streets are %.0f pixels long, in the source %.0f", length, want.primary)
	}
	// Multipolygons add some, rounding and simplifying move some.
	if buildings < want.buildings*0.99 || buildings > want.buildings*1.03 {
		t.Errorf("buildings cover %.0f pixels, in the source closed ways cover %.0f", buildings, want.buildings)
	}
	if report.CutWays > 0 {
		t.Errorf("%d areas are cut off", report.CutWays)
	}
}
