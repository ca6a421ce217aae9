package pmtiles

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/geo/tile"
)

// TestRoundTrip: every tile that went in comes out, every other one does not
// exist, and the walk visits each once and in order.
func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 2, 500, 60_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			path, want := build(t, n, uint64(n))
			r := open(t, path)
			last := uint64(0)
			for code := range want {
				last = max(last, code)
			}
			for code := range last + 20 {
				got, ok, err := r.Tile(tile.FromCode(code))
				if err != nil || ok != (want[code] != nil) || !bytes.Equal(got, want[code]) {
					t.Fatalf("tile %v: %q, %t, %v; want %q", tile.FromCode(code), got, ok, err, want[code])
				}
			}
			walked := added{}
			err := r.Each(func(first tile.ID, run uint32, data []byte) error {
				for i := range uint64(run) {
					walked[first.Code()+i] = data
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !maps.EqualFunc(want, walked, bytes.Equal) {
				t.Error("the walk saw other tiles than those that went in")
			}
			if err := r.Verify(); err != nil {
				t.Error(err)
			}
			if tiles, _, _ := r.Counts(); tiles != uint64(len(want)) {
				t.Errorf("the header counts %d tiles of %d", tiles, len(want))
			}
		})
	}
}

// TestLayout: one content is stored once, tile data lies in the order of codes,
// equal neighbours are one entry, and the root is where readers over a network
// look for it.
func TestLayout(t *testing.T) {
	path, want := build(t, 60_000, 7)
	r := open(t, path)
	contents := map[string]bool{}
	total := 0
	for _, data := range want {
		if !contents[string(data)] {
			contents[string(data)] = true
			total += len(data)
		}
	}
	if r.header.contents != uint64(len(contents)) || r.header.data.length != uint64(total) {
		t.Errorf("%d contents in %d bytes, want %d in %d", r.header.contents, r.header.data.length, len(contents), total)
	}
	if end := r.header.root.offset + r.header.root.length; end > headSize {
		t.Errorf("the root directory ends at %d", end)
	}
	var sizes []int
	for _, p := range r.root.rest {
		leaf, err := r.leaf(span{p.offset, uint64(p.length)})
		if err != nil || p.run != 0 {
			t.Fatalf("the root of so many entries has a tile, or a bad leaf (%v)", err)
		}
		sizes = append(sizes, len(leaf.codes))
	}
	for _, n := range sizes {
		if n < sizes[0]-1 || n > sizes[0]+1 || n > smallestLeaf {
			t.Errorf("leaves of %v entries are not of one size", sizes)
			break
		}
	}
	var stored []byte // in the order of codes
	var before []byte
	next, seen := uint64(0), map[string]bool{}
	err := r.Each(func(first tile.ID, run uint32, data []byte) error {
		if !seen[string(data)] {
			seen[string(data)] = true
			stored = append(stored, data...)
		}
		if bytes.Equal(before, data) && first.Code() == next {
			t.Errorf("%v is an entry of its own after an equal neighbour", first)
		}
		before, next = data, first.Code()+uint64(run)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(stored, r.tiles) {
		t.Error("the tile data does not lie in the order of codes")
	}
}

func TestInfo(t *testing.T) {
	path, _ := build(t, 10, 1)
	if d := cmp.Diff(info(), *open(t, path).Info()); d != "" {
		t.Errorf("description (-want +got):\n%s", d)
	}
}

// TestBuildID: the same archive has the same id, another one another.
func TestBuildID(t *testing.T) {
	ids := map[string]int{}
	for i, seed := range []uint64{1, 1, 2} {
		path, _ := build(t, 10, seed)
		id := open(t, path).BuildID()
		if first, seen := ids[id]; seen != (i == 1) || seen && first != 0 {
			t.Errorf("archive %d has the id of %d", i, first)
		}
		if _, seen := ids[id]; !seen {
			ids[id] = i
		}
	}
}

// TestWriterRefuses what would make an archive that lies.
func TestWriterRefuses(t *testing.T) {
	id := tile.ID{Z: 5, X: 3, Y: 3}
	type step struct {
		id   tile.ID
		run  uint32
		data []byte
	}
	for _, c := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"the same tile again", []step{{id, 1, []byte("a")}, {id, 1, []byte("b")}}, "it comes after 5/3/3"},
		{"a tile above", []step{{id, 1, []byte("a")}, {id.Parent(), 1, []byte("b")}}, "it comes after"},
		{"inside a run", []step{{tile.ID{Z: 1}, 4, []byte("a")}, {tile.ID{Z: 1, X: 1}, 1, []byte("b")}}, "it comes after 1/1/0"},
		{"no bytes", []step{{id, 1, nil}}, "cannot be stored"},
		{"no tiles", []step{{id, 0, []byte("a")}}, "cannot be stored"},
		{"not a tile", []step{{tile.ID{Z: 2, X: 4}, 1, []byte("a")}}, "cannot be stored"},
		{"a run into the next zoom", []step{{tile.ID{Z: 1}, 5, []byte("a")}}, "a run of 5 leaves its zoom"},
		{"gzip and not", []step{{tile.ID{}, 1, gzipped("a")}, {id, 1, []byte("a")}}, "cannot be in one archive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := NewWriter(create(t))
			if err != nil {
				t.Fatal(err)
			}
			for i, s := range c.steps {
				err := w.AddRun(s.id, s.run, s.data)
				if last := i == len(c.steps)-1; last != (err != nil) || last && !strings.Contains(err.Error(), c.want) {
					t.Errorf("step %d: %v, want %q at the last", i, err, c.want)
				}
			}
		})
	}
	for _, told := range []tile.Info{{MaxZoom: 4}, {MinZoom: 6, MaxZoom: 7}} {
		w, err := NewWriter(create(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(id, []byte("a")); err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(told); err == nil || !strings.Contains(err.Error(), "zoom 5 to 5") {
			t.Errorf("other zooms than told: %v", err)
		}
		if err := w.Add(tile.ID{Z: 6}, []byte("a")); err == nil || !strings.Contains(err.Error(), "is finished") {
			t.Errorf("after the end: %v", err)
		}
	}
}

func create(t testing.TB) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "a.pmtiles"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestFullDisk: a file that takes no more is told once and stays told.
func TestFullDisk(t *testing.T) {
	f := create(t)
	w, err := NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	err = w.Add(tile.ID{}, make([]byte, 2<<20)) // past the buffer
	if !errors.Is(err, os.ErrClosed) {
		t.Errorf("add: %v", err)
	}
	if err := w.Add(tile.ID{Z: 1}, []byte("a")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("add after a failure: %v", err)
	}
	if err := w.Finish(info()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("finish: %v", err)
	}
}

// TestZooms are taken from the tiles when nobody tells them.
func TestZooms(t *testing.T) {
	f := create(t)
	w, err := NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []tile.ID{{Z: 3, X: 1, Y: 1}, {Z: 7, X: 5, Y: 5}} {
		if err := w.Add(id, []byte("a")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(tile.Info{Format: tile.PNG}); err != nil {
		t.Fatal(err)
	}
	got := open(t, f.Name()).Info()
	if got.MinZoom != 3 || got.MaxZoom != 7 || got.Format != tile.PNG {
		t.Errorf("zoom %d to %d of %q", got.MinZoom, got.MaxZoom, got.Format)
	}
}

// TestCache: a small cache gives the same answers to many at once, keeps its
// bound, and keeps what is asked for.
func TestCache(t *testing.T) {
	path, want := build(t, 60_000, 3)
	r := open(t, path)
	one, err := r.leaf(span{r.root.rest[0].offset, uint64(r.root.rest[0].length)})
	if err != nil {
		t.Fatal(err)
	}
	limit := 3*one.bytes() + 100
	r.cache = newCache(limit)
	var askers sync.WaitGroup
	for n := range 4 {
		askers.Go(func() {
			asked := 0
			for code, data := range want { // in any order
				if asked++; asked > 300+n {
					return
				}
				if got, ok, err := r.Tile(tile.FromCode(code)); err != nil || !ok || !bytes.Equal(got, data) {
					t.Errorf("tile %v: %q, %t, %v", tile.FromCode(code), got, ok, err)
					return
				}
			}
		})
	}
	askers.Wait()
	if r.cache.bytes > limit || len(r.cache.leaves) != len(r.cache.order) || len(r.cache.order) < 2 {
		t.Errorf("the cache has %d bytes of %d in %d leaves and %d places", r.cache.bytes, limit, len(r.cache.leaves), len(r.cache.order))
	}
	big := &directory{codes: make([]uint64, limit)}
	r.cache.put(span{1, 1}, big)
	if r.cache.get(span{1, 1}) != nil || len(r.cache.order) < 2 {
		t.Error("a directory above the bound was kept")
	}
	c := newCache(3 * one.bytes())
	for i := range uint64(20) {
		c.put(span{i, 1}, one)
		if c.get(span{0, 1}) == nil {
			t.Fatalf("what is asked for all the time went at step %d", i)
		}
	}
}

// TestByHand reads what our writer never writes: nothing packed, sections in
// another order, a leaf below a leaf.
func TestByHand(t *testing.T) {
	r, err := parsed(small(t).file())
	if err != nil {
		t.Fatal(err)
	}
	for code := range uint64(30) {
		got, ok, err := r.Tile(tile.FromCode(code))
		if want, exists := smallTiles[code]; err != nil || ok != exists || string(got) != want {
			t.Errorf("tile %v: %q, %t, %v; want %q", tile.FromCode(code), got, ok, err, want)
		}
	}
	if _, ok, err := r.Tile(tile.ID{Z: 40}); ok || err != nil {
		t.Errorf("a tile that cannot be: %t, %v", ok, err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	if got := r.Info(); got.Name != "by hand" || got.Format != tile.PNG || got.Layers != nil || got.Bounds[0] != -180 {
		t.Errorf("description %+v", got)
	}
}

// TestSparse: what makers write of "sparse", in the types that they write it in.
func TestSparse(t *testing.T) {
	for metadata, want := range map[string]string{
		`{}`: "", `{"sparse":false}`: "false", `{"sparse":"true"}`: "true", `{"sparse":0}`: "0", `{"sparse":null}`: "",
	} {
		a := small(t)
		a.metadata = []byte(metadata)
		r, err := parsed(a.file())
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Sparse(); got != want {
			t.Errorf("%s: %q, want %q", metadata, got, want)
		}
	}
}
