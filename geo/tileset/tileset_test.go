package tileset_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"svc/geo/tile"
	"svc/geo/tileset"
	"svc/geo/tileset/tilesettest"
)

// TestBothContainers: the same tiles answer the same from either.
func TestBothContainers(t *testing.T) {
	tiles := tilesettest.Tiles{
		{Z: 2, X: 1, Y: 3}: tilesettest.Gzip(t, "packed"), {Z: 3, X: 7}: tilesettest.Gzip(t, "more"),
	}
	for container, path := range map[string]string{
		"PMTiles": tilesettest.PMTiles(t, tile.Info{Name: "a", Format: tile.PBF}, tiles),
		"MBTiles": tilesettest.MBTiles(t, map[string]string{"name": "a", "format": "pbf"}, tiles),
	} {
		t.Run(container, func(t *testing.T) {
			odd := filepath.Join(t.TempDir(), "tiles.bin") // told by what it is, not by its name
			if err := os.Rename(path, odd); err != nil {
				t.Fatal(err)
			}
			s, err := tileset.OpenVector(odd)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}()
			if s.Container() != container || s.Path() != odd || s.Size() == 0 || s.BuildID() == "" || len(s.LogFields())%2 != 0 {
				t.Errorf("%s %s, %d bytes, build %q, %v", s.Container(), s.Path(), s.Size(), s.BuildID(), s.LogFields())
			}
			for id, want := range tiles {
				got, ok, err := s.Tile(id)
				if err != nil || !ok || !got.Gzip || string(got.Data) != string(want) {
					t.Errorf("%v: %+v, %t, %v", id, got, ok, err)
				}
			}
			for id, covers := range map[tile.ID]bool{
				{Z: 1}: false, {Z: 2, X: 3, Y: 3}: true, {Z: 2, X: 4, Y: 3}: false, {Z: 3}: true, {Z: 4}: false, {Z: 32}: false,
			} {
				if _, ok, err := s.Tile(tile.ID{Z: 3}); ok || err != nil {
					t.Errorf("a missing tile: %t, %v", ok, err)
				}
				if got := s.Covers(id); got != covers {
					t.Errorf("covers %v: %t", id, got)
				}
			}
			if err := s.Verify(); err != nil {
				t.Error(err)
			}
			if got := s.Info().Name; got != "a" {
				t.Errorf("name %q", got)
			}
		})
	}
}

// TestTerrainEncodings: an archive of heights that says nothing is Terrarium.
func TestTerrainEncodings(t *testing.T) {
	for _, told := range []string{"", "terrarium", " Terrarium"} {
		s, err := tileset.OpenTerrain(tilesettest.MBTiles(t, map[string]string{"format": "png", "encoding": told}, tilesettest.Tiles{{Z: 1}: []byte("x")}))
		if err != nil {
			t.Errorf("%q: %v", told, err)
			continue
		}
		_ = s.Close()
	}
}

// TestDense: both containers tell it, MBTiles in its JSON too, and who says
// nothing, or something else, is sparse.
func TestDense(t *testing.T) {
	one := tilesettest.Tiles{{Z: 1}: []byte("x")}
	mb := func(m map[string]string) string {
		m["format"] = "png"
		return tilesettest.MBTiles(t, m, one)
	}
	for _, c := range []struct {
		name, path string
		want       bool
	}{
		{"PMTiles without", tilesettest.PMTiles(t, tile.Info{Format: tile.PNG}, one), false},
		{"no row", mb(map[string]string{}), false},
		{"true", mb(map[string]string{"sparse": "true"}), false},
		{"words", mb(map[string]string{"sparse": "maybe"}), false},
		{"false", mb(map[string]string{"sparse": " FALSE"}), true},
		{"JSON false", mb(map[string]string{"json": `{"sparse":false}`}), true},
		{"JSON text", mb(map[string]string{"json": `{"sparse":"false"}`}), true},
		{"JSON true", mb(map[string]string{"json": `{"sparse":true}`}), false},
		{"JSON null", mb(map[string]string{"json": `{"sparse":null}`}), false},
		{"JSON 0", mb(map[string]string{"json": `{"sparse":0}`}), true},
		{"the row goes before JSON", mb(map[string]string{"sparse": "true", "json": `{"sparse":false}`}), false},
	} {
		s, err := tileset.Open(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := s.Dense(); got != c.want {
			t.Errorf("%s: dense %t", c.name, got)
		}
		_ = s.Close()
	}
}

// TestPlain: tiles that are not packed are told apart.
func TestPlain(t *testing.T) {
	s, err := tileset.OpenTerrain(tilesettest.PMTiles(t, tile.Info{Format: tile.WebP}, tilesettest.Tiles{{Z: 1}: []byte("RIFF....WEBP")}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if got, ok, err := s.Tile(tile.ID{Z: 1}); got.Gzip || !ok || err != nil {
		t.Errorf("%+v, %t, %v", got, ok, err)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	pipe, text := filepath.Join(dir, "pipe"), filepath.Join(dir, "text")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(text, []byte("hi"), 0o600); err != nil {
		t.Fatal(err)
	}
	one := tilesettest.Tiles{{Z: 1}: []byte("x")}
	vector := tilesettest.PMTiles(t, tile.Info{Format: tile.PBF}, one)
	for _, c := range []struct {
		name, path string
		open       func(string) (*tileset.Set, error)
		want       string
	}{
		{"missing", filepath.Join(dir, "none"), tileset.OpenVector, "open the tiles:"},
		{"a pipe", pipe, tileset.OpenVector, "are not a regular file"},
		{"a folder", dir, tileset.OpenVector, "are not a regular file"},
		{"text", text, tileset.OpenVector, "is not a PMTiles archive: build one with"},
		{"vector tiles as terrain", vector, tileset.OpenTerrain, "has tiles of the format pbf, and here elevation images (png or webp) are wanted: --tiles is"},
		{"images as tiles", tilesettest.MBTiles(t, map[string]string{"format": "png"}, one), tileset.OpenVector, "has tiles of the format png, and here vector tiles (pbf) are wanted: --terrain is"},
		{"photographs as terrain", tilesettest.MBTiles(t, map[string]string{"format": "jpg"}, one), tileset.OpenTerrain, "has tiles of the format jpg"},
		{"the other encoding of heights", tilesettest.PMTiles(t, tile.Info{Format: tile.PNG, Encoding: "mapbox"}, one), tileset.OpenTerrain,
			`has elevation in the encoding "mapbox", and here terrarium is wanted: make it again`},
		{"the other encoding in MBTiles", tilesettest.MBTiles(t, map[string]string{"format": "webp", "encoding": "mapbox"}, one), tileset.OpenTerrain,
			`has elevation in the encoding "mapbox"`},
		{"no format", tilesettest.PMTiles(t, tile.Info{}, one), tileset.OpenVector, "has tiles of the format unknown"},
	} {
		s, err := c.open(c.path)
		if err == nil {
			_ = s.Close()
			t.Errorf("%s: opened", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v, want %q and the file", c.name, err, c.want)
		}
	}
}
