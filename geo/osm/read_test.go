package osm_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// Every shape of file gives the same objects, for every set of wanted kinds.
func TestShapes(t *testing.T) {
	want := sample(100)
	for _, c := range []osmtest.Compression{osmtest.Raw, osmtest.Zlib, osmtest.Zstd, osmtest.LZ4} {
		for bits := range 16 {
			opts := osmtest.Options{
				Compression: c, PerBlob: 17,
				Dense: bits&1 != 0, Sorted: bits&2 != 0, Mixed: bits&4 != 0, Scattered: bits&8 != 0,
			}
			t.Run(fmt.Sprintf("%d/dense=%t,sorted=%t,mixed=%t,scattered=%t", c, opts.Dense, opts.Sorted, opts.Mixed, opts.Scattered), func(t *testing.T) {
				data := written(t, opts, want)
				for kinds := osm.Kinds(1); kinds <= all; kinds++ {
					got, err := read(mustOpen(t, data), kinds)
					if err != nil {
						t.Fatal(err)
					}
					if d := cmp.Diff(only(want, kinds), got); d != "" {
						t.Errorf("kinds %v: -want +got\n%s", kinds, d)
					}
				}
			})
		}
	}
}

func TestScale(t *testing.T) {
	const lat, lon = 90_000_000_000, 180_000_000_000
	for _, c := range []struct {
		granularity, offset, world, v int64
		want                          int32
		ok                            bool
	}{
		{100, 0, lat, 900_000_000, 900_000_000, true},
		{100, 0, lat, 900_000_001, 0, false},
		{100, 0, lat, -900_000_001, 0, false},
		{100, 0, lon, math.MaxInt64, 0, false},
		{100, 0, lon, math.MinInt64, 0, false},
		{1000, 500, lat, 7, 75, true},
		{1, 0, lat, 149, 1, true},
		{1, 0, lat, 150, 2, true},
		{1, 0, lat, -149, -1, true},
		{1, 0, lat, -151, -2, true},
		{7, 3, lon, 100, 7, true},
		{math.MaxInt32, 0, lon, 83, 1_782_411_427, true},
		{math.MaxInt32, 0, lon, 84, 0, false},
		{100, math.MaxInt64, lon, 0, 0, false},
		{100, math.MinInt64, lon, 0, 0, false},
		{100, 180_000_000_000, lon, -3_600_000_000, -1_800_000_000, true},
		{100, 180_000_000_000, lon, 1, 0, false},
	} {
		got, ok := osm.Place(c.granularity, c.offset, c.world, c.v)
		if got != c.want || ok != c.ok {
			t.Errorf("%+v: got %d, %t", c, got, ok)
		}
	}
}

// A file that stores coordinates coarser and shifted gives the same places.
func TestGranularityAndOffsets(t *testing.T) {
	b := osm.Block{Nodes: []osm.Node{{ID: 1, Lat: 412_995_000, Lon: 692_401_000}, {ID: 2, Lat: -1000, Lon: 0}}}
	for _, dense := range []bool{false, true} {
		opts := osmtest.Options{Dense: dense, Granularity: 1000, LatOffset: -50_000, LonOffset: 7_000_000_000}
		got, err := read(mustOpen(t, written(t, opts, b)), all)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(b, got); d != "" {
			t.Errorf("dense %t: -want +got\n%s", dense, d)
		}
	}
}

func TestVarint(t *testing.T) {
	for shift := range 64 {
		for _, d := range []uint64{0, 1, math.MaxUint64} {
			v := uint64(1)<<shift + d
			b := binary.AppendUvarint(nil, v)
			for tail := range 10 {
				in := append(append([]byte{0xff}, b...), make([]byte, tail)...)
				got, p := osm.Varint(in, 1)
				if got != v || p != 1+len(b) {
					t.Fatalf("%d with %d bytes after it: got %d, position %d", v, tail, got, p)
				}
				if n := osm.Count(b); n != 1 {
					t.Fatalf("%d counts as %d numbers", v, n)
				}
			}
			if _, p := osm.Varint(b[:len(b)-1], 0); p != -1 {
				t.Fatalf("%d cut off is accepted", v)
			}
		}
	}
	endless := make([]byte, 64)
	for i := range endless {
		endless[i] = 0x80
	}
	if _, p := osm.Varint(endless, 0); p != -1 {
		t.Error("an endless number is accepted")
	}
}

func TestHeader(t *testing.T) {
	opts := osmtest.Options{
		Sorted: true, Dense: true, Program: "osmtest/1",
		Bounds:      &[4]float64{68.5, 41.25, 69.75, 42},
		Replication: time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC),
	}
	path := filepath.Join(t.TempDir(), "x.osm.pbf")
	if err := os.WriteFile(path, written(t, opts, sample(3)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := osm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := osm.Header{Bounds: opts.Bounds, Replication: opts.Replication, Sorted: true, Program: "osmtest/1"}
	if d := cmp.Diff(want, f.Header()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if info, _ := os.Stat(path); f.Size() != info.Size() || f.Path() != path {
		t.Errorf("size %d, path %s", f.Size(), f.Path())
	}
	plain := mustOpen(t, written(t, osmtest.Options{}, osm.Block{}))
	if d := cmp.Diff(osm.Header{}, plain.Header()); d != "" {
		t.Errorf("a header that says nothing: -want +got\n%s", d)
	}
	odd := mustOpen(t, written(t, osmtest.Options{Bounds: &[4]float64{0, 0, 181, 1}, Replication: time.Unix(1, 0)}, osm.Block{}))
	if d := cmp.Diff(osm.Header{}, odd.Header()); d != "" {
		t.Errorf("a header with impossible values: -want +got\n%s", d)
	}
}

// Text that is not UTF-8 is repaired, so that all that follows can rely on it.
func TestInvalidText(t *testing.T) {
	b := osm.Block{Nodes: []osm.Node{{ID: 1, Tags: osm.Tags{{Key: "name", Value: "a\xffb"}}}}}
	got, err := read(mustOpen(t, written(t, osmtest.Options{}, b)), all)
	if err != nil {
		t.Fatal(err)
	}
	if name := got.Nodes[0].Tags.Get("name"); name != "a\uFFFDb" {
		t.Errorf("got %q", name)
	}
}

// Dense groups may leave out the zeros of nodes without tags at their end.
func TestDenseTagsWithoutTail(t *testing.T) {
	var table, dense, group, block []byte
	for _, s := range []string{"", "k", "v"} {
		table = append(append(table, 1<<3|2, byte(len(s))), s...)
	}
	dense = append(dense, 1<<3|2, 3, 2, 2, 2) // ids 1, 2, 3
	dense = append(dense, 8<<3|2, 3, 0, 0, 0)
	dense = append(dense, 9<<3|2, 3, 0, 0, 0)
	dense = append(dense, 10<<3|2, 3, 1, 2, 0) // k=v on the first
	group = append(append(group, 2<<3|2, byte(len(dense))), dense...)
	block = append(append(block, 1<<3|2, byte(len(table))), table...)
	block = append(append(block, 2<<3|2, byte(len(group))), group...)
	got, _, err := osm.DecodeBlock(block, all)
	if err != nil {
		t.Fatal(err)
	}
	want := []osm.Node{{ID: 1, Tags: osm.Tags{{Key: "k", Value: "v"}}}, {ID: 2}, {ID: 3}}
	if d := cmp.Diff(want, got.Nodes); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestWords(t *testing.T) {
	for typ, want := range map[osm.Type]string{0: "node n", 1: "way w", 2: "relation r", 3: "unknown ?"} {
		if got := fmt.Sprintf("%s %c", typ, typ.Letter()); got != want {
			t.Errorf("type %d: got %q, want %q", typ, got, want)
		}
	}
	tags := osm.Tags{{Key: "a", Value: ""}, {Key: "b", Value: "1"}, {Key: "b", Value: "2"}}
	if tags.Get("b") != "1" || tags.Get("a") != "" || tags.Get("c") != "" || !tags.Has("a") || tags.Has("c") {
		t.Errorf("Get or Has is wrong on %v", tags)
	}
}
