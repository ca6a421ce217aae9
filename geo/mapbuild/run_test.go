package mapbuild

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/geo/buildkit"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// town is a small map: a city with n streets of ten houses each.
func town(n int) (nodes []osm.Node, ways []osm.Way) {
	nodes = append(nodes, osm.Node{ID: 1, Lat: 413000000, Lon: 692400000, Tags: osm.Tags{{Key: "place", Value: "city"}, {Key: "name", Value: "Toshkent"}}})
	for s := range n {
		lat := 413000000 + int32(s)*20000
		name := fmt.Sprintf("Koʻcha %d", s)
		a, b := int64(1000+2*s), int64(1001+2*s)
		nodes = append(nodes, osm.Node{ID: a, Lat: lat, Lon: 692400000}, osm.Node{ID: b, Lat: lat, Lon: 692500000})
		ways = append(ways, osm.Way{ID: int64(s + 1), Refs: []int64{a, b}, Tags: osm.Tags{{Key: "highway", Value: "residential"}, {Key: "name", Value: name}}})
		for h := range 10 {
			nodes = append(nodes, osm.Node{ID: int64(1_000_000 + 10*s + h), Lat: lat + 1000, Lon: 692400000 + int32(h)*10000, Tags: osm.Tags{
				{Key: "addr:street", Value: name}, {Key: "addr:housenumber", Value: fmt.Sprint(h + 1)},
			}})
		}
	}
	return nodes, ways
}

// extract writes objects to a new file.
func extract(t testing.TB, o osmtest.Options, nodes []osm.Node, ways []osm.Way) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.Write(f, o, nodes, ways, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// files lists a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestBadInput: one clear error, no output, nothing left lying.
func TestBadInput(t *testing.T) {
	nodes, ways := town(40)
	good, err := os.ReadFile(extract(t, osmtest.Options{PerBlob: 50}, nodes, ways))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(good)
	for i := len(good) / 2; i < len(good)/2+40; i++ {
		damaged[i] ^= 0xa5
	}
	empty, err := os.ReadFile(extract(t, osmtest.Options{}, []osm.Node{{ID: 1, Lat: 1, Lon: 1}}, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "in.osm.pbf"},
		{"text", []byte("this is no extract\n"), "in.osm.pbf"},
		{"XML", []byte(`<?xml version="1.0"?><osm version="0.6"></osm>`), "in.osm.pbf"},
		{"a picture", append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 4000)...), "in.osm.pbf"},
		{"truncated", good[:len(good)*2/3], "in.osm.pbf"},
		{"damaged", damaged, "in.osm.pbf"},
		{"nothing usable", empty, "nothing in these extracts can be shown on a map"},
	} {
		dir, in := t.TempDir(), filepath.Join(t.TempDir(), "in.osm.pbf")
		if err := os.WriteFile(in, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Run(context.Background(), Options{Inputs: []string{in}, Out: filepath.Join(dir, "a.svcmap")})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one sentence with %q", c.name, err, c.want)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%s: left %v", c.name, left)
		}
	}
}

func TestBadOptions(t *testing.T) {
	nodes, ways := town(1)
	in := extract(t, osmtest.Options{}, nodes, ways)
	for name, o := range map[string]Options{
		"no input":           {Out: filepath.Join(t.TempDir(), "a.svcmap")},
		"no output":          {Inputs: []string{in}},
		"a missing input":    {Inputs: []string{in, in + "x"}, Out: filepath.Join(t.TempDir(), "a.svcmap")},
		"a missing folder":   {Inputs: []string{in}, Out: filepath.Join(t.TempDir(), "none", "a.svcmap")},
		"a folder as output": {Inputs: []string{in}, Out: t.TempDir()},
	} {
		if _, err := Run(context.Background(), o); err == nil {
			t.Errorf("%s: built", name)
		}
		if o.Out != "" && name != "a folder as output" {
			if _, err := os.Stat(o.Out); err == nil {
				t.Errorf("%s: left an output", name)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	nodes, ways := town(50)
	dir, ctx := t.TempDir(), context.Background()
	o := Options{Inputs: []string{extract(t, osmtest.Options{}, nodes, ways)}, Out: filepath.Join(dir, "a.svcmap")}
	for _, stage := range []string{"read relations", "read ways", "read nodes", "assemble areas", "place entries", "merge streets", "match addresses", "write the map"} {
		ctx, cancel := context.WithCancel(ctx)
		o.Progress = cancelAt{stage: stage, cancel: cancel}
		_, err := Run(ctx, o)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %q: %v", stage, err)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("cancelled at %q: left %v", stage, left)
		}
	}
}

type cancelAt struct {
	buildkit.Silent
	stage  string
	cancel func()
}

func (c cancelAt) Stage(name string, _ int64) {
	if name == c.stage {
		c.cancel()
	}
}

// TestDeterminism: neither the order of the work nor the packing of the
// extract changes a byte.
func TestDeterminism(t *testing.T) {
	nodes, ways := town(200)
	var first []byte
	for _, o := range []osmtest.Options{
		{Sorted: true}, {Sorted: true}, {Sorted: true, Dense: true, PerBlob: 100}, {Sorted: true, Dense: true, Compression: osmtest.Zstd},
	} {
		out := filepath.Join(t.TempDir(), "a.svcmap")
		if _, err := Run(context.Background(), Options{Inputs: []string{extract(t, o, nodes, ways)}, Out: out}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Errorf("%+v: other bytes", o)
		}
	}
}

// TestReal builds a real extract twice and looks the result over.
func TestReal(t *testing.T) {
	var sums [][]byte
	for range 2 {
		dir := t.TempDir()
		out := filepath.Join(dir, "delaware.svcmap")
		r, err := Run(context.Background(), Options{Inputs: []string{osmtest.Delaware(t)}, Out: out})
		if err != nil {
			t.Fatal(err)
		}
		if got := files(t, dir); !slices.Equal(got, []string{"delaware.report.json", "delaware.svcmap"}) {
			t.Fatalf("left %v", got)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, data)
		if r.Entries < 20_000 || r.Kinds["street"] < 5_000 || r.Kinds["place"] < 100 || r.Bytes != int64(len(data)) {
			t.Errorf("%d entries of kinds %v in %d bytes", r.Entries, r.Kinds, r.Bytes)
		}
	}
	if !bytes.Equal(sums[0], sums[1]) {
		t.Error("two builds of one extract differ")
	}
}

// TestReplace: a build over an older map replaces it whole, and takes over
// what a killed one left.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a.svcmap")
	for _, n := range []int{50, 2} {
		if err := os.WriteFile(out+".tmp", bytes.Repeat([]byte("left by a killed build "), 100_000), 0o644); err != nil {
			t.Fatal(err)
		}
		nodes, ways := town(n)
		if _, err := Run(context.Background(), Options{Inputs: []string{extract(t, osmtest.Options{}, nodes, ways)}, Out: out}); err != nil {
			t.Fatal(err)
		}
		x, err := index.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(x.Verify(), x.Close()); err != nil || x.Meta.Entries != 1+11*n {
			t.Errorf("%d entries: %v", x.Meta.Entries, err)
		}
		if got := files(t, dir); !slices.Equal(got, []string{"a.report.json", "a.svcmap"}) {
			t.Errorf("left %v", got)
		}
	}
}
