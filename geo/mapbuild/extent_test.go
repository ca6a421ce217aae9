package mapbuild

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// TestBounds: what the extracts say counts as far as the data bears it out.
func TestBounds(t *testing.T) {
	nodes, ways := town(10) // from 69.24, 41.3 to 69.25, 41.3181
	eastNodes, eastWays := town(10)
	for i := range eastNodes {
		eastNodes[i].ID += 1 << 40
		eastNodes[i].Lon += 10_0000000
	}
	for i := range eastWays {
		eastWays[i].ID += 1 << 40
		for j := range eastWays[i].Refs {
			eastWays[i].Refs[j] += 1 << 40
		}
	}
	here := func(b *[4]float64) string { return extract(t, osmtest.Options{Bounds: b}, nodes, ways) }
	east := func(b *[4]float64) string { return extract(t, osmtest.Options{Bounds: b}, eastNodes, eastWays) }
	for _, c := range []struct {
		name   string
		inputs []string
		wanted *[4]float64
		want   [4]float64
	}{
		{"as the header says", []string{here(&[4]float64{69, 41, 70, 42})}, nil, [4]float64{69, 41, 70, 42}},
		{"no header", []string{here(nil)}, nil, [4]float64{69.24, 41.3, 69.249, 41.3181}},
		{"half the world", []string{here(&[4]float64{0, 0, 180, 90})}, nil, [4]float64{69.24, 41.3, 69.249, 41.3181}},
		{"elsewhere", []string{here(&[4]float64{1, 1, 2, 2})}, nil, [4]float64{69.24, 41.3, 69.249, 41.3181}},
		{"two headers", []string{here(&[4]float64{69, 41, 70, 42}), east(&[4]float64{79, 41, 80, 41.5})}, nil, [4]float64{69, 41, 80, 42}},
		{"two headers, one lies", []string{here(&[4]float64{69, 41, 70, 42}), east(&[4]float64{0, 0, 180, 90})}, nil, [4]float64{69.24, 41.3, 79.249, 41.3181}},
		{"two, one is silent", []string{here(&[4]float64{69, 41, 70, 42}), east(nil)}, nil, [4]float64{69.24, 41.3, 79.249, 41.3181}},
		{"two, one crosses the 180th meridian", []string{here(&[4]float64{69, 41, 70, 42}), east(&[4]float64{78, 41, -179, 42})}, nil, [4]float64{69.24, 41, 79.249, 42}},
		{"as was asked for", []string{here(&[4]float64{0, 0, 180, 90})}, &[4]float64{69.2, 41.2, 69.3, 41.4}, [4]float64{69.2, 41.2, 69.3, 41.4}},
	} {
		m, err := Model(context.Background(), Options{Inputs: c.inputs, Bounds: c.wanted})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := m.Meta.Bounds[i]; got < want-0.002 || got > want+0.002 {
				t.Errorf("%s: %v, want %v", c.name, m.Meta.Bounds, c.want)
				break
			}
		}
	}
}

// TestLostLake: a lake of which the extract has only the island does not get
// the outline of the island.
func TestLostLake(t *testing.T) {
	nodes, ways := town(1)
	square := func(id int64, from, side int32) osm.Way {
		w := osm.Way{ID: id}
		for i, at := range [][2]int32{{0, 0}, {0, 1}, {1, 1}, {1, 0}} {
			n := osm.Node{ID: id*10 + int64(i), Lat: 413000000 + from + at[0]*side, Lon: 692000000 + from + at[1]*side}
			nodes = append(nodes, n)
			w.Refs = append(w.Refs, n.ID)
		}
		w.Refs = append(w.Refs, w.Refs[0])
		return w
	}
	lake, island := square(5000, 0, 90_000), square(5001, 30_000, 20_000)
	relation := osm.Relation{ID: 1, Tags: osm.Tags{{Key: "type", Value: "multipolygon"}, {Key: "natural", Value: "water"}, {Key: "name", Value: "Koʻl"}},
		Members: []osm.Member{{Type: osm.TypeWay, Ref: 5000, Role: "outer"}, {Type: osm.TypeWay, Ref: 5001, Role: "inner"}}}
	for name, c := range map[string]struct {
		ways  []osm.Way
		parts int
	}{"whole": {slices.Concat(ways, []osm.Way{lake, island}), 1}, "the outer ring is lost": {slices.Concat(ways, []osm.Way{island}), 0}} {
		path := filepath.Join(t.TempDir(), "in.osm.pbf")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := osmtest.Write(f, osmtest.Options{Sorted: true}, nodes, c.ways, []osm.Relation{relation}); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		m, err := Model(context.Background(), Options{Inputs: []string{path}})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for i := range m.Entries {
			if e := &m.Entries[i]; e.Source == index.NewSource('r', 1) {
				found++
				if parts := ringsOf(e); parts != c.parts {
					t.Errorf("%s: the lake has %d rings, want %d", name, parts, c.parts)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d lakes", name, found)
		}
	}
}

// ringsOf counts the rings that an entry is stored with.
func ringsOf(e *index.Entry) int {
	if e.Extra == nil || len(e.Extra.Shape) == 0 {
		return 0
	}
	return len(index.DecodeShape(e.Extra.Shape).Parts)
}
