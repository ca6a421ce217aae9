// Package tilesettest makes small tile archives for tests, in both containers.
// It writes MBTiles with the same driver that reads them, which stands in for the
// tools that operators use.
package tilesettest

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// Tiles is content by tile.
type Tiles map[tile.ID][]byte

// Gzip packs text as tiles are packed.
func Gzip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// PMTiles writes an archive of tiles.
func PMTiles(t testing.TB, info tile.Info, tiles Tiles) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.pmtiles")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pmtiles.NewWriter(f)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]tile.ID, 0, len(tiles))
	for id := range tiles {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b tile.ID) int { return int(a.Code()) - int(b.Code()) })
	for _, id := range ids {
		if err := w.Add(id, tiles[id]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(info); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// schema is what tile makers write: one table for tiles and one for their names.
const schema = `CREATE TABLE metadata (name text, value text);
CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)`

// MBTiles writes an archive of tiles. statements are run at the end, for what
// an archive should not have.
func MBTiles(t testing.TB, metadata map[string]string, tiles Tiles, statements ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.mbtiles")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	do := func(query string, args ...any) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", query, err))
		}
	}
	for s := range strings.SplitSeq(schema, ";") {
		do(s)
	}
	for name, value := range metadata {
		do("INSERT INTO metadata VALUES (?, ?)", name, value)
	}
	for id, data := range tiles {
		do("INSERT INTO tiles VALUES (?, ?, ?, ?)", id.Z, id.X, uint32(1)<<id.Z-1-id.Y, data)
	}
	for _, s := range statements {
		do(s)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
