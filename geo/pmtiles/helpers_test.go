package pmtiles

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"svc/geo/tile"
)

// added is what went into an archive: content by code.
type added map[uint64][]byte

func info() tile.Info {
	return tile.Info{
		Name: "Oʻzbekiston", Attribution: "© OpenStreetMap contributors", Format: tile.PBF, MaxZoom: 14,
		Bounds: [4]float64{55.99, 37.17, 73.15, 45.59}, Center: [2]float64{69.24, 41.31}, CenterZoom: 6,
		Schema: "shortbread", SchemaVersion: "1.1",
		Layers: []tile.Layer{{ID: "ocean", MaxZoom: 14, Fields: map[string]string{}}, {ID: "pois", MinZoom: 14, MaxZoom: 14, Fields: map[string]string{"rank": "Number"}}},
	}
}

// gzipped is content that begins as gzip does; nothing here inflates it.
func gzipped(s string) []byte { return append([]byte{0x1f, 0x8b}, s...) }

// build writes an archive of n random runs of tiles from zoom 0 down: a quarter of
// one content, the rest one tile each and all different.
func build(t testing.TB, n int, seed uint64) (path string, want added) {
	t.Helper()
	path, want = filepath.Join(t.TempDir(), "a.pmtiles"), added{}
	rng := rand.New(rand.NewPCG(seed, 0))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	code := uint64(0)
	for i := range n {
		data, run := gzipped(fmt.Sprintf("tile %d %s", i, bytes.Repeat([]byte("x"), rng.IntN(60)))), uint32(1)
		if rng.IntN(4) == 0 {
			data, run = gzipped("sea"), min(1+rng.Uint32N(9), uint32(tile.First(tile.FromCode(code).Z+1)-code))
		}
		if err := w.AddRun(tile.FromCode(code), run, data); err != nil {
			t.Fatal(err)
		}
		for range run {
			want[code] = data
			code++
		}
		code += rng.Uint64N(300) / 250 * rng.Uint64N(50) // most tiles have a neighbour
	}
	if err := w.Finish(info()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path, want
}

func open(t testing.TB, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// raw is an archive put together by hand, for what our writer never writes.
type raw struct {
	header
	root, metadata, leaves, data []byte
}

// file lays the sections one after the other, the metadata last.
func (a raw) file() []byte {
	a.header.root = span{headerSize, uint64(len(a.root))}
	a.header.leaves = span{a.header.root.offset + a.header.root.length, uint64(len(a.leaves))}
	a.header.data = span{a.header.leaves.offset + a.header.leaves.length, uint64(len(a.data))}
	a.header.metadata = span{a.header.data.offset + a.header.data.length, uint64(len(a.metadata))}
	return bytes.Join([][]byte{a.encode(), a.root, a.leaves, a.data, a.metadata}, nil)
}

// plain undoes the packing of encodeDirectory.
func plain(t testing.TB, entries ...entry) []byte {
	t.Helper()
	b, err := encodeDirectory(entries)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = unpack(b, packedGzip, maxDirectory); err != nil {
		t.Fatal(err)
	}
	return b
}

// small is a hand-made archive of zoom 0 to 2 with nothing packed and a leaf
// below a leaf.
func small(t testing.TB) raw {
	t.Helper()
	inner := plain(t, entry{code: 4, offset: 3, length: 2, run: 1}, entry{code: 5, offset: 0, length: 3, run: 4})
	outer := plain(t, entry{code: 3, offset: 5, length: 1, run: 1}, entry{code: 4, offset: 0, length: uint32(len(inner))})
	return raw{
		header: header{internal: packedNot, packed: packedNot, format: 2, maxZoom: 2},
		root: plain(t, entry{code: 0, offset: 0, length: 3, run: 2},
			entry{code: 3, offset: uint64(len(inner)), length: uint32(len(outer))}),
		leaves: append(inner, outer...), data: []byte("abcdeF"), metadata: []byte(`{"name":"by hand","vector_layers":7}`),
	}
}

// smallTiles is what the tiles of small hold, by code.
var smallTiles = map[uint64]string{0: "abc", 1: "abc", 3: "F", 4: "de", 5: "abc", 6: "abc", 7: "abc", 8: "abc"}

// parsed reads an archive from memory.
func parsed(data []byte) (*Reader, error) {
	r := &Reader{path: "a.pmtiles", data: data}
	return r, r.parse()
}
