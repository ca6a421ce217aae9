package mapbuild

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// TestNamed: objects with a name that are no entry are told by their tag; the pieces of a
// border, whose names are made of those of the areas beside them, are no objects, and a closed
// boundary is one.
func TestNamed(t *testing.T) {
	tag := func(pairs ...string) (out osm.Tags) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, osm.Tag{Key: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	node := func(id int64, lat, lon int32, tags ...string) osm.Node {
		return osm.Node{ID: id, Lat: lat, Lon: lon, Tags: tag(tags...)}
	}
	nodes := []osm.Node{
		node(1, 410000000, 690000000, "amenity", "cafe", "name", "Choyxona"), node(2, 410010000, 690010000, "name", "Hammom", "disused:amenity", "public_bath"),
		node(3, 410020000, 690020000), node(4, 410030000, 690020000), node(5, 410030000, 690030000),
		node(6, 410010000, 690020000), // without a name
	}
	ways := []osm.Way{
		{ID: 10, Refs: []int64{3, 4}, Tags: tag("boundary", "administrative", "admin_level", "2", "name", "Uzbekistan - Kazakhstan")},
		{ID: 11, Refs: []int64{4, 5}, Tags: tag("boundary", "administrative", "admin_level", "4")},
		{ID: 12, Refs: []int64{3, 4, 5, 3}, Tags: tag("boundary", "forest_compartment", "name", "12")},
	}
	file := filepath.Join(t.TempDir(), "a.osm.pbf")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.Write(f, osmtest.Options{}, nodes, ways, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := Run(t.Context(), Options{Inputs: []string{file}, Out: file + ".svcmap", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	got := report.Named
	want := Named{Objects: 3, LeftOut: 1, Share: 1.0 / 3, Borders: 1, Tags: map[string]int{"name only": 1}, Relations: map[string]int{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
