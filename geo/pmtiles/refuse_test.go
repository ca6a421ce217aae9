package pmtiles

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/gzip"

	"svc/geo/tile"
)

// bomb is gzip of n zero bytes.
func bomb(t testing.TB, n int) []byte {
	t.Helper()
	b, err := pack(make([]byte, n))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// change gives small with one thing changed.
func change(t testing.TB, edit func(a *raw)) []byte {
	t.Helper()
	a := small(t)
	edit(&a)
	return a.file()
}

// lying gives small with one number of its finished header overwritten.
func lying(t testing.TB, at int, value uint64) []byte {
	t.Helper()
	b := small(t).file()
	binary.LittleEndian.PutUint64(b[at:], value)
	return b
}

// TestRefusals: a file that is no whole archive is refused when it is opened,
// with a sentence that names the file, says what is wrong and what to do.
func TestRefusals(t *testing.T) {
	good := small(t).file()
	newer := bytes.Clone(good)
	newer[7] = 4
	overlapping := func(a *raw) {
		a.root = plain(t, entry{code: 0, length: 1, run: 5}, entry{code: 3, length: 1, run: 1})
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "is not a PMTiles archive: build one with"},
		{"text", []byte("hello"), "is not a PMTiles archive"},
		{"a map", []byte("SVCMAP\x00\x01 and more than a hundred bytes of something else" + strings.Repeat(" ", 200)), "is not a PMTiles archive"},
		{"a newer version", newer, "is PMTiles version 4 and this svc reads version 3"},
		{"cut in the header", good[:100], "is truncated: copy it again"},
		{"cut at the end", good[:len(good)-1], "is truncated"},
		{"cut after the header", good[:headerSize], "is truncated"},
		{"a root past the end", lying(t, 8, 1<<40), "is truncated"},
		{"an offset that wraps", lying(t, 8, 1<<64-4), "is truncated"},
		{"a length that wraps", lying(t, 16, 1<<64-100), "is truncated"},
		{"leaves past the end", lying(t, 48, 1<<63), "is truncated"},
		{"data past the end", lying(t, 64, 1<<20), "is truncated"},
		{"brotli inside", change(t, func(a *raw) { a.internal = packedBrotli }), "packed with brotli; svc reads gzip and none"},
		{"unknown inside", change(t, func(a *raw) { a.internal = packedUnknown }), "packed with unknown"},
		{"zstd tiles", change(t, func(a *raw) { a.packed = packedZstd }), "tiles packed with zstd, which map clients cannot undo"},
		{"zooms upside down", change(t, func(a *raw) { a.minZoom = 9 }), "is damaged (zooms)"},
		{"too deep a zoom", change(t, func(a *raw) { a.maxZoom = 32 }), "is damaged (zooms)"},
		{"no root", change(t, func(a *raw) { a.root = nil }), "a directory that lies about its length"},
		{"a root that counts too much", change(t, func(a *raw) { a.root = binary.AppendUvarint(nil, 1<<60) }), "lies about its length"},
		{"a root cut short", change(t, func(a *raw) { a.root = a.root[:len(a.root)-1] }), "is damaged"},
		{"more than the root counts", change(t, func(a *raw) { a.root = append(a.root, 7) }), "the length of a directory"},
		{"an endless number", change(t, func(a *raw) { a.root = bytes.Repeat([]byte{0xff}, 50) }), "lies about its length"},
		{"the same tile twice", change(t, func(a *raw) { a.root = []byte{2, 0, 0, 1, 1, 1, 1, 1, 1} }), "the order of a directory"},
		{"no such tile", change(t, func(a *raw) { a.root = plain(t, entry{code: 1 << 63, length: 1, run: 1}) }), "the order of a directory"},
		{"a tile without bytes", change(t, func(a *raw) { a.root = plain(t, entry{length: 0, run: 1}) }), "the lengths of a directory"},
		{"nothing before the first", change(t, func(a *raw) { a.root = []byte{1, 0, 1, 1, 0} }), "the offsets of a directory"},
		{"a tile outside", change(t, func(a *raw) { a.root = plain(t, entry{offset: 5, length: 2, run: 1}) }), "the entry of tile 0/0/0 points outside"},
		{"a tile that wraps", change(t, func(a *raw) { a.root = plain(t, entry{offset: 1<<64 - 3, length: 4, run: 1}) }), "points outside"},
		{"a leaf outside", change(t, func(a *raw) { a.root = plain(t, entry{offset: 1 << 20, length: 2}) }), "points outside"},
		{"runs that overlap", change(t, overlapping), "the runs of a directory overlap"},
		{"metadata that is text", change(t, func(a *raw) { a.metadata = []byte("hello") }), "its metadata is no JSON object"},
		{"metadata that is a list", change(t, func(a *raw) { a.metadata = []byte("[1]") }), "its metadata is no JSON object"},
		{"a root that explodes", change(t, func(a *raw) { a.internal, a.root = packedGzip, bomb(t, maxDirectory+1) }), "grows past 4 MB"},
		{"metadata that explodes", change(t, func(a *raw) {
			a.internal, a.metadata = packedGzip, bomb(t, maxMetadata+1)
			a.root, _ = pack(plain(t))
		}), "grows past 16 MB"},
		{"a plain root of megabytes", change(t, func(a *raw) { a.root = make([]byte, maxDirectory+1) }), "grows past 4 MB"},
		{"a root that is no gzip", change(t, func(a *raw) { a.internal, a.root = packedGzip, []byte("no gzip at all, but long enough") }), gzip.ErrHeader.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.pmtiles")
			if err := os.WriteFile(path, c.data, 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Open(path)
			if err == nil {
				_ = r.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q and the file", err, c.want)
			}
		})
	}
}

// TestBadLeaves: what opening does not read is an error of the tile that needs
// it, and of Verify.
func TestBadLeaves(t *testing.T) {
	loop := func(a *raw) { // a leaf that points at itself
		a.leaves = plain(t, entry{code: 3, length: 5}) // as long as it is
		a.root = plain(t, entry{code: 3, length: uint32(len(a.leaves))})
	}
	for _, c := range []struct {
		name         string
		edit         func(a *raw)
		tile, verify string
	}{
		{"rubbish", func(a *raw) { a.leaves = bytes.Repeat([]byte{0xff}, len(a.leaves)) }, "lies about its length", "lies about its length"},
		{"a leaf of itself", loop, "hang too deep", "hang too deep"},
		{"an empty leaf", func(a *raw) {
			a.leaves, a.root = []byte{0}, plain(t, entry{code: 3, length: 1})
		}, "", "an empty leaf directory"},
		{"a leaf twice", func(a *raw) {
			a.leaves = plain(t, entry{code: 3, length: 1, run: 1})
			n := uint32(len(a.leaves))
			a.root = plain(t, entry{code: 3, length: n}, entry{code: 4, length: n})
		}, "", "a leaf directory with tiles of another"},
		{"a wrong count", func(a *raw) { a.entries = 9 }, "", "4 entries where the header counts 9"},
		{"a wrong checksum", func(a *raw) { a.metadata = []byte(`{"svc:checksum":"0"}`) }, "", "differs from its checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := parsed(change(t, c.edit))
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = r.Tile(tile.FromCode(3))
			expect(t, "tile", err, c.tile)
			expect(t, "verify", r.Verify(), c.verify)
			if c.tile != "" {
				expect(t, "each", r.Each(func(tile.ID, uint32, []byte) error { return nil }), c.tile)
			}
		})
	}
}

func expect(t *testing.T, what string, err error, want string) {
	t.Helper()
	if (err != nil) != (want != "") || err != nil && !(strings.Contains(err.Error(), want) && strings.Contains(err.Error(), "a.pmtiles")) {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

// TestDamagedTile: one wrong bit in the tile data of our own archive is found.
func TestDamagedTile(t *testing.T) {
	path, _ := build(t, 100, 5)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[headSize+30] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, "verify", open(t, path).Verify(), "differs from its checksum")
}

// TestUnfinished: a file that was not finished is no archive.
func TestUnfinished(t *testing.T) {
	f := create(t)
	w, err := NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(tile.ID{}, make([]byte, 2<<20)); err != nil {
		t.Fatal(err)
	}
	_, err = Open(f.Name())
	expect(t, "open", err, "is not a PMTiles archive")
}

// TestCutWhileRead: pages that are gone are an error of Verify, and of the
// reading of the head, never the end of the process.
func TestCutWhileRead(t *testing.T) {
	path, _ := build(t, 2000, 2)
	r := open(t, path)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	expect(t, "verify", r.Verify(), "changed while they were read")
	expect(t, "head", guarded(path, r.parse), "changed while they were read")
}

// TestPipe: a named pipe is refused at once; opening one would wait for a writer.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.pmtiles")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path)
	expect(t, "open", err, "are not a regular file")
	_, err = Open(filepath.Join(filepath.Dir(path), "none", "a.pmtiles"))
	expect(t, "open", err, "open the tiles:")
}
