package tilebuild

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/geo/geom"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
	"svc/geo/plane"
	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// home is the tile that drawings are made in: coordinates are its pixels, and
// may go on beyond it.
var home = tile.ID{Z: 14, X: 11343, Y: 6124}

// drawing is a small map.
type drawing struct {
	nodes     []osm.Node
	ways      []osm.Way
	relations []osm.Relation
	places    map[plane.Point]int64
}

// tags reads "key=value key=value"; an underscore in a value is a space.
func tags(text string) (out osm.Tags) {
	for _, f := range strings.Fields(text) {
		k, v, _ := strings.Cut(f, "=")
		out = append(out, osm.Tag{Key: k, Value: strings.ReplaceAll(v, "_", " ")})
	}
	return out
}

// place is a pixel of home in degrees.
func place(x, y int32) geom.Point {
	lon, lat := tile.Unproject(int32(home.X)*tile.Extent+x, int32(home.Y)*tile.Extent+y)
	return geom.FromDegrees(lat, lon)
}

// node draws a node, once at each place when it has no tags.
func (d *drawing) node(x, y int32, text string) int64 {
	at := plane.Point{X: x, Y: y}
	if id, ok := d.places[at]; ok && text == "" {
		return id
	}
	if d.places == nil {
		d.places = map[plane.Point]int64{}
	}
	id := int64(len(d.nodes) + 1)
	d.places[at] = id
	p := place(x, y)
	d.nodes = append(d.nodes, osm.Node{ID: id, Lat: p.Y, Lon: p.X, Tags: tags(text)})
	return id
}

// way draws a way through pixels x, y, x, y, ...
func (d *drawing) way(text string, xy ...int32) int64 {
	w := osm.Way{ID: int64(len(d.ways) + 1), Tags: tags(text)}
	for i := 0; i < len(xy); i += 2 {
		w.Refs = append(w.Refs, d.node(xy[i], xy[i+1], ""))
	}
	d.ways = append(d.ways, w)
	return w.ID
}

// area draws a closed way.
func (d *drawing) area(text string, xy ...int32) int64 {
	return d.way(text, append(xy, xy[0], xy[1])...)
}

// box draws a rectangle.
func (d *drawing) box(text string, x0, y0, x1, y1 int32) int64 {
	return d.area(text, x0, y0, x1, y0, x1, y1, x0, y1)
}

// relation draws a relation of ways: outer ones positive, inner ones negative.
func (d *drawing) relation(text string, ways ...int64) int64 {
	r := osm.Relation{ID: int64(len(d.relations) + 1), Tags: tags(text)}
	for _, w := range ways {
		m := osm.Member{Type: osm.TypeWay, Ref: max(w, -w), Role: "outer"}
		if w < 0 {
			m.Role = "inner"
		}
		r.Members = append(r.Members, m)
	}
	d.relations = append(d.relations, r)
	return r.ID
}

// write makes an extract of the drawing.
func (d *drawing) write(t testing.TB, o osmtest.Options) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.Write(f, o, d.nodes, d.ways, d.relations); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

var sorted = osmtest.Options{Dense: true, Sorted: true}

// build makes the tiles of a drawing.
func (d *drawing) build(t testing.TB, change ...func(*Options)) (*pmtiles.Reader, *Report) {
	t.Helper()
	o := Options{Inputs: []string{d.write(t, sorted)}, Out: filepath.Join(t.TempDir(), "a.pmtiles")}
	for _, c := range change {
		c(&o)
	}
	report, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return archive(t, o.Out), report
}

// near is a tile beside home.
func near(dx, dy int32) tile.ID {
	return tile.ID{Z: 14, X: uint32(int32(home.X) + dx), Y: uint32(int32(home.Y) + dy)}
}
