package tilebuild

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"svc/geo/osm/osmtest"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// buildReal builds the tiles of a real extract.
func buildReal(t testing.TB, name string, change ...func(*Options)) (string, *Report) {
	t.Helper()
	o := Options{Inputs: []string{osmtest.Extract(t, name)}, Out: filepath.Join(t.TempDir(), "a.pmtiles")}
	for _, c := range change {
		c(&o)
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return o.Out, r
}

// TestEveryTile decodes every tile of real extracts: nothing but the schema,
// nothing beyond the buffer, nothing in the buffer alone, every polygon valid, no
// line over itself.
func TestEveryTile(t *testing.T) {
	for _, name := range []string{"malta.osm.pbf", "andorra-valhalla.osm.pbf", "heidelberg-germany.osm.pbf"} {
		t.Run(name, func(t *testing.T) {
			path, _ := buildReal(t, name)
			r := archive(t, path)
			c := newSchemaCheck()
			tiles, features := 0, 0
			eachTile(t, r, func(id tile.ID, _ uint32, d decoded) {
				tiles++
				reaches := false
				for layer, list := range d {
					for _, f := range list {
						features++
						reaches = reaches || f.Geometry.Bound().Intersects(orb.Bound{Max: orb.Point{tile.Extent - 1, tile.Extent - 1}})
						if what := c.wrong(id, layer, f); what != "" {
							t.Errorf("%v %s %v: %s", id, layer, f.Properties, what)
						}
					}
				}
				if !reaches {
					t.Errorf("%v holds nothing but what lies in its buffer", id)
				}
			})
			t.Logf("%d tiles, %d features, layers %v", tiles, features, c.seen)
			if tiles < 50 || features < 10_000 {
				t.Errorf("only %d tiles with %d features", tiles, features)
			}
		})
	}
}

// schemaCheck holds features against the tables of the schema.
type schemaCheck struct {
	layers map[string]shortbread.LayerInfo
	seen   map[string]int
}

func newSchemaCheck() *schemaCheck {
	c := &schemaCheck{layers: map[string]shortbread.LayerInfo{}, seen: map[string]int{}}
	for _, l := range shortbread.Layers() {
		c.layers[l.Name] = l
	}
	return c
}

func (c *schemaCheck) wrong(id tile.ID, layer string, f *geojson.Feature) string {
	l, ok := c.layers[layer]
	c.seen[layer]++
	switch {
	case !ok:
		return "there is no such layer"
	case id.Z < l.MinZoom || id.Z > l.MaxZoom:
		return fmt.Sprintf("the layer is from zoom %d to %d", l.MinZoom, l.MaxZoom)
	}
	for k, v := range f.Properties {
		if what := wrongField(&l, k, v); what != "" {
			return what
		}
	}
	if _, found := twice(f); found && f.Properties["oneway"] != true { // a one-way street may come back
		return "a segment is drawn two times"
	}
	return wrongGeometry(&l, f.Geometry)
}

func wrongField(l *shortbread.LayerInfo, key string, value any) string {
	typ := ""
	for _, f := range l.Fields {
		if f.Name == key {
			typ = f.Type
		}
	}
	if l.Names && (key == "name" || strings.HasPrefix(key, "name_")) {
		typ = shortbread.String
	}
	is := map[string]bool{}
	switch value.(type) {
	case string:
		is[shortbread.String] = true
	case bool:
		is[shortbread.Boolean] = true
	default:
		is[shortbread.Number] = true
	}
	switch {
	case typ == "":
		return "there is no attribute " + key
	case !is[typ]:
		return fmt.Sprintf("%s is a %T", key, value)
	case value == "":
		return key + " is empty"
	}
	return ""
}

func wrongGeometry(l *shortbread.LayerInfo, g orb.Geometry) string {
	b, around := g.Bound(), float64(l.Buffer)
	switch {
	case len(linesOf(g)) > 0:
		for _, line := range linesOf(g) {
			if len(line) < 2 {
				return "a line of one point"
			}
			for i := range line[1:] {
				if line[i] == line[i+1] {
					return "a point of a line is repeated"
				}
			}
		}
	case len(polygonsOf(g)) > 0:
		if what := invalid(polygonsOf(g)); what != "" {
			return what
		}
	default:
		if p, ok := g.(orb.Point); !ok || p[0] < 0 || p[1] < 0 || p[0] >= 4096 || p[1] >= 4096 {
			return fmt.Sprintf("a %T at %v", g, g)
		}
	}
	if b.Min[0] < -around || b.Min[1] < -around || b.Max[0] > 4096+around || b.Max[1] > 4096+around {
		return fmt.Sprintf("%v lies beyond the buffer of %v", b, around)
	}
	return ""
}
