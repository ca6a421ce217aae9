package tilebuild

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"

	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// decoded is a tile as an independent decoder reads it.
type decoded map[string][]*geojson.Feature

// archive opens what a build wrote.
func archive(t testing.TB, path string) *pmtiles.Reader {
	t.Helper()
	r, err := pmtiles.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if err := r.Verify(); err != nil {
		t.Fatal(err)
	}
	return r
}

func decode(t testing.TB, packed []byte) decoded {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := mvt.Unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	out := decoded{}
	for _, l := range layers {
		if l.Version != 2 || l.Extent != 4096 || len(l.Features) == 0 || out[l.Name] != nil {
			t.Errorf("layer %s: version %d, extent %d, %d features", l.Name, l.Version, l.Extent, len(l.Features))
		}
		out[l.Name] = l.Features
	}
	return out
}

// at decodes one tile; nil when the archive has none.
func at(t testing.TB, r *pmtiles.Reader, id tile.ID) decoded {
	t.Helper()
	data, ok, err := r.Tile(id)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return decode(t, data)
}

// eachTile decodes every tile; a run of equal ones once.
func eachTile(t testing.TB, r *pmtiles.Reader, do func(id tile.ID, run uint32, d decoded)) {
	t.Helper()
	err := r.Each(func(first tile.ID, run uint32, data []byte) error {
		do(first, run, decode(t, data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// with gives the features of a layer that have an attribute.
func (d decoded) with(layer, key string, value any) (out []*geojson.Feature) {
	for _, f := range d[layer] {
		if f.Properties[key] == value {
			out = append(out, f)
		}
	}
	return out
}

// linesOf gives the lines of a feature.
func linesOf(g orb.Geometry) []orb.LineString {
	switch g := g.(type) {
	case orb.LineString:
		return []orb.LineString{g}
	case orb.MultiLineString:
		return g
	}
	return nil
}

// polygonsOf gives the polygons of a feature.
func polygonsOf(g orb.Geometry) []orb.Polygon {
	switch g := g.(type) {
	case orb.Polygon:
		return []orb.Polygon{g}
	case orb.MultiPolygon:
		return g
	}
	return nil
}
