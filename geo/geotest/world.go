package geotest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
	"svc/geo/search"
)

// The origin of every map, and the length of a degree there.
const (
	originLat  = 41.3
	originLon  = 69.24
	metresADeg = 6371008.8 * math.Pi / 180
)

// firstHidden is the first id of nodes and ways that a file draws without
// naming them.
const firstHidden = 1_000_000_000

// extract is what one source file holds.
type extract struct {
	nodes     []osm.Node
	ways      []osm.Way
	relations []osm.Relation
}

// world is a map as a file draws it.
type world struct {
	extracts []extract
	langs    []string
	bounds   *[4]float64
	shared   map[geom.Point]int64 // unnamed nodes, by place and extract
	hidden   int64
}

func newWorld() *world {
	return &world{extracts: make([]extract, 1), shared: map[geom.Point]int64{}, hidden: firstHidden}
}

func (w *world) objects() []osm.Node { return w.extracts[0].nodes }

func (w *world) last() *extract { return &w.extracts[len(w.extracts)-1] }

// draw adds what one line says.
func (w *world) draw(text string) error {
	words, err := fields(text)
	if err != nil || len(words) == 0 || strings.HasPrefix(words[0], "#") || words[0] == "map" {
		return err
	}
	switch words[0] {
	case "extract":
		w.extracts = append(w.extracts, extract{})
		w.shared = map[geom.Point]int64{}
		return nil
	case "option":
		return w.option(words[1:])
	case "repeat":
		return w.repeat(words[1:])
	}
	return w.object(words, 0, 0)
}

func (w *world) option(words []string) error {
	for _, s := range words {
		key, value, _ := strings.Cut(s, "=")
		switch key {
		case "langs":
			w.langs = strings.Split(value, ",")
		case "bounds":
			box, err := boxOf(value)
			if err != nil {
				return err
			}
			w.bounds = &[4]float64{float64(box.MinX) / geom.Scale, float64(box.MinY) / geom.Scale, float64(box.MaxX) / geom.Scale, float64(box.MaxY) / geom.Scale}
		default:
			return fmt.Errorf("there is no option %s", key)
		}
	}
	return nil
}

// repeat draws an object several times, each time a step further.
func (w *world) repeat(words []string) error {
	if len(words) < 4 {
		return fmt.Errorf("repeat wants a count, a step and an object")
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return err
	}
	dx, dy, err := metres(words[1])
	if err != nil {
		return err
	}
	first, err := strconv.ParseInt(words[2][1:], 10, 64)
	if err != nil {
		return err
	}
	for i := range n {
		copied := []string{words[2][:1] + strconv.FormatInt(first+int64(i), 10)}
		for _, s := range words[3:] {
			copied = append(copied, strings.ReplaceAll(s, "$i", strconv.Itoa(i)))
		}
		if err := w.object(copied, float64(i)*dx, float64(i)*dy); err != nil {
			return err
		}
	}
	return nil
}

// object draws a node, way or relation, moved by dx, dy metres.
func (w *world) object(words []string, dx, dy float64) error {
	id, err := strconv.ParseInt(words[0][1:], 10, 64)
	if err != nil {
		return fmt.Errorf("%s is neither an object nor a question", words[0])
	}
	var tags osm.Tags
	var rest []string
	for _, s := range words[1:] {
		if key, value, ok := strings.Cut(s, "="); ok {
			tags = append(tags, osm.Tag{Key: key, Value: value})
		} else {
			rest = append(rest, s)
		}
	}
	x := w.last()
	switch words[0][0] {
	case 'n':
		if len(rest) != 1 {
			return fmt.Errorf("a node has one point")
		}
		p, err := point(rest[0], dx, dy)
		x.nodes = append(x.nodes, osm.Node{ID: id, Lat: p.Y, Lon: p.X, Tags: tags})
		return err
	case 'w':
		refs, err := w.refs(rest, dx, dy)
		x.ways = append(x.ways, osm.Way{ID: id, Refs: refs, Tags: tags})
		return err
	case 'r':
		members, err := w.members(rest, dx, dy)
		if tags.Get("type") == "" {
			tags = append(tags, osm.Tag{Key: "type", Value: "multipolygon"})
		}
		x.relations = append(x.relations, osm.Relation{ID: id, Members: members, Tags: tags})
		return err
	}
	return fmt.Errorf("%s is neither an object nor a question", words[0])
}

func (w *world) members(words []string, dx, dy float64) ([]osm.Member, error) {
	if len(words) > 0 && words[0] == "box" {
		refs, err := w.refs(words, dx, dy)
		w.hidden++
		w.last().ways = append(w.last().ways, osm.Way{ID: w.hidden, Refs: refs})
		return []osm.Member{{Type: osm.TypeWay, Ref: w.hidden, Role: "outer"}}, err
	}
	types := map[byte]osm.Type{'n': osm.TypeNode, 'w': osm.TypeWay, 'r': osm.TypeRelation}
	var out []osm.Member
	for _, s := range words {
		role, ref, ok := strings.Cut(s, ":")
		if !ok || len(ref) < 2 {
			return nil, fmt.Errorf("%s is no member: write role:w1", s)
		}
		id, err := strconv.ParseInt(ref[1:], 10, 64)
		typ, known := types[ref[0]]
		if err != nil || !known {
			return nil, fmt.Errorf("%s is no member: write role:w1", s)
		}
		out = append(out, osm.Member{Type: typ, Ref: id, Role: role})
	}
	return out, nil
}

// refs reads the points of a way.
func (w *world) refs(words []string, dx, dy float64) ([]int64, error) {
	if len(words) == 3 && words[0] == "box" {
		x0, y0, err := metres(words[1])
		if err != nil {
			return nil, err
		}
		x1, y1, err := metres(words[2])
		if err != nil {
			return nil, err
		}
		corner := func(x, y float64) string { return fmt.Sprintf("%g,%g", x, y) }
		return w.refs([]string{corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1), corner(x0, y0)}, dx, dy)
	}
	var out []int64
	for _, s := range words {
		if s[0] == 'n' {
			id, err := strconv.ParseInt(s[1:], 10, 64)
			if err != nil {
				return nil, err
			}
			out = append(out, id)
			continue
		}
		p, err := point(s, dx, dy)
		if err != nil {
			return nil, err
		}
		id, ok := w.shared[p]
		if !ok {
			w.hidden++
			id = w.hidden
			w.shared[p] = id
			w.last().nodes = append(w.last().nodes, osm.Node{ID: id, Lat: p.Y, Lon: p.X})
		}
		out = append(out, id)
	}
	return out, nil
}

func metres(s string) (x, y float64, err error) {
	a, b, ok := strings.Cut(s, ",")
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if !ok || errX != nil || errY != nil {
		return 0, 0, fmt.Errorf("%q is no point: write metres east,north", s)
	}
	return x, y, nil
}

// point reads metres east and north of the origin.
func point(s string, dx, dy float64) (geom.Point, error) {
	x, y, err := metres(s)
	return at(x+dx, y+dy), err
}

func at(x, y float64) geom.Point {
	lat := originLat + y/metresADeg
	return geom.FromDegrees(lat, originLon+x/metresADeg/math.Cos(originLat*math.Pi/180))
}

// back gives a point in whole metres from the origin.
func back(p geom.Point) string {
	x := (p.Lon() - originLon) * metresADeg * math.Cos(originLat*math.Pi/180)
	y := (p.Lat() - originLat) * metresADeg
	whole := func(v float64) int { return int(math.Round(v)) }
	return fmt.Sprintf("%d,%d", whole(x), whole(y))
}

func boxOf(s string) (geom.Box, error) {
	parts := strings.Split(s, ",")
	if len(parts) != 4 {
		return geom.Box{}, fmt.Errorf("%q is no box: write west,south,east,north in metres", s)
	}
	sw, err := point(parts[0]+","+parts[1], 0, 0)
	if err != nil {
		return geom.Box{}, err
	}
	ne, err := point(parts[2]+","+parts[3], 0, 0)
	return geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}, err
}

// built is a map that answers.
type built struct {
	x      *index.Index
	engine *search.Engine
	report *mapbuild.Report
	err    error
}

// options writes the extracts and says how they are built.
func (w *world) options(t testing.TB) mapbuild.Options {
	dir := t.TempDir()
	o := mapbuild.Options{Out: filepath.Join(dir, "test.svcmap"), Langs: w.langs, Bounds: w.bounds}
	for i, e := range w.extracts {
		path := filepath.Join(dir, fmt.Sprintf("%d.osm.pbf", i))
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := osmtest.Write(f, osmtest.Options{Dense: true, Sorted: true}, e.nodes, e.ways, e.relations); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		o.Inputs = append(o.Inputs, path)
	}
	return o
}

// write builds the map file and gives its path.
func (w *world) write(t testing.TB) string {
	o := w.options(t)
	if _, err := mapbuild.Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return o.Out
}

// build builds the map file and opens it.
func (w *world) build(t *testing.T) *built {
	o := w.options(t)
	b := &built{}
	if b.report, b.err = mapbuild.Run(context.Background(), o); b.err != nil {
		return b
	}
	x, err := index.Open(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	b.x, b.engine = x, search.New(x)
	return b
}
