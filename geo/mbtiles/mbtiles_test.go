package mbtiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/geo/mbtiles"
	"svc/geo/tile"
	"svc/geo/tileset/tilesettest"
)

var described = map[string]string{
	"name": "Oʻzbekiston", "description": "d", "attribution": "© OpenStreetMap contributors", "version": "2", "format": "pbf",
	"minzoom": "0", "maxzoom": "14", "bounds": "55.99,37.17, 73.15,45.59", "center": "69.24,41.31,6",
	"json": `{"vector_layers":[{"id":"street_labels","minzoom":10,"maxzoom":14,"fields":{"name":"String"}}]}`,
}

func someTiles(t testing.TB) tilesettest.Tiles {
	return tilesettest.Tiles{
		{Z: 0}:                       tilesettest.Gzip(t, "world"),
		{Z: 1, X: 1}:                 tilesettest.Gzip(t, "north-east"),
		{Z: 14, X: 11343, Y: 6124}:   tilesettest.Gzip(t, "Tashkent"),
		{Z: 14, X: 11343, Y: 6125}:   []byte("\x1a\x00plain"),
		{Z: 14, X: 16383, Y: 16383}:  []byte("corner"),
		{Z: 14, X: 11344, Y: 6124}:   {},
		{Z: 14, X: 1 << 13, Y: 8191}: []byte("middle"),
	}
}

func open(t testing.TB, path string) *mbtiles.Reader {
	t.Helper()
	r, err := mbtiles.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// TestTiles: rows are counted from the north, an empty or missing tile is none,
// and no file appears beside the archive.
func TestTiles(t *testing.T) {
	tiles := someTiles(t)
	path := tilesettest.MBTiles(t, described, tiles)
	r := open(t, path)
	for id, want := range tiles {
		got, ok, err := r.Tile(id)
		if err != nil || ok != (len(want) > 0) || string(got) != string(want) {
			t.Errorf("%v: %q, %t, %v", id, got, ok, err)
		}
	}
	for _, id := range []tile.ID{{Z: 1}, {Z: 1, X: 1, Y: 1}, {Z: 14}, {Z: 31}, {Z: 40}, {Z: 3, X: 8}} {
		if _, ok, err := r.Tile(id); ok || err != nil {
			t.Errorf("%v: %t, %v", id, ok, err)
		}
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(beside) != 1 {
		t.Errorf("%v beside the archive (%v)", beside, err)
	}
}

func TestInfo(t *testing.T) {
	layers := []tile.Layer{{ID: "street_labels", MinZoom: 10, MaxZoom: 14, Fields: map[string]string{"name": "String"}}}
	world := [4]float64{-180, -tile.MaxLatitude, 180, tile.MaxLatitude}
	for _, c := range []struct {
		name     string
		metadata map[string]string
		tiles    tilesettest.Tiles
		want     tile.Info
	}{
		{"all told", described, someTiles(t), tile.Info{
			Name: "Oʻzbekiston", Description: "d", Attribution: "© OpenStreetMap contributors", Version: "2", Format: tile.PBF, MaxZoom: 14,
			Bounds: [4]float64{55.99, 37.17, 73.15, 45.59}, Center: [2]float64{69.24, 41.31}, CenterZoom: 6, Layers: layers, Schema: "shortbread",
		}},
		{"nothing told", nil, someTiles(t), tile.Info{Format: tile.PBF, MaxZoom: 14, Bounds: world}},
		{"nothing at all", nil, nil, tile.Info{Bounds: world}},
		{"images", map[string]string{"bounds": "1,2,3", "center": "x,y,z", "minzoom": "-1", "maxzoom": "99", "tile_schema": "a@b", "encoding": "mapbox"},
			tilesettest.Tiles{{Z: 3}: []byte("\x89PNG\r\n\x1a\nrest"), {Z: 7}: []byte("\x89PNG\r\n\x1a\nrest")},
			tile.Info{Format: tile.PNG, MinZoom: 3, MaxZoom: 7, CenterZoom: 3, Bounds: world, Schema: "a", SchemaVersion: "b", Encoding: "mapbox"}},
		{"other spellings", map[string]string{"format": "image/JPEG", "bounds": "1,2,3,4", "center": "1,2"}, nil,
			tile.Info{Format: tile.JPEG, Bounds: [4]float64{1, 2, 3, 4}, Center: [2]float64{1, 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := open(t, tilesettest.MBTiles(t, c.metadata, c.tiles))
			if d := cmp.Diff(c.want, *r.Info()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestViews: many makers store each content once and join it in a view.
func TestViews(t *testing.T) {
	r := open(t, tilesettest.MBTiles(t, described, nil,
		"DROP TABLE tiles",
		"CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id text, PRIMARY KEY (zoom_level, tile_column, tile_row))",
		"CREATE TABLE images (tile_id text PRIMARY KEY, tile_data blob)",
		"CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images ON images.tile_id = map.tile_id",
		"INSERT INTO map VALUES (1, 0, 1, 'a')", "INSERT INTO images VALUES ('a', x'1a00')"))
	if got, ok, err := r.Tile(tile.ID{Z: 1}); !ok || err != nil || string(got) != "\x1a\x00" {
		t.Errorf("%q, %t, %v", got, ok, err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
}

// TestRefusals: what is no archive is refused with a sentence that names the file
// and says what to do.
func TestRefusals(t *testing.T) {
	good, err := os.ReadFile(tilesettest.MBTiles(t, described, someTiles(t)))
	if err != nil {
		t.Fatal(err)
	}
	made := func(statements ...string) string { return tilesettest.MBTiles(t, nil, nil, statements...) }
	written := func(data []byte) string {
		path := filepath.Join(t.TempDir(), "b ?#%41.mbtiles")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, want string }{
		{"missing", filepath.Join(t.TempDir(), "none"), "open the tiles:"},
		{"a pipe", pipe, "are not a regular file"},
		{"a folder", t.TempDir(), "are not a regular file"},
		{"empty", written(nil), "is not an MBTiles file: name a .pmtiles or .mbtiles file"},
		{"text", written([]byte(strings.Repeat("hello ", 100))), "is not an MBTiles file"},
		{"only the mark", written(append([]byte("SQLite format 3\x00"), make([]byte, 200)...)), "that can be read"},
		{"cut", written(good[:1000]), "that can be read"},
		{"another database", made("DROP TABLE tiles", "DROP TABLE metadata"), "has no metadata that can be read"},
		{"no tiles", made("DROP TABLE tiles"), "has no tiles that can be read"},
		{"other columns", made("DROP TABLE tiles", "CREATE TABLE tiles (z, x, y)"), "has no tiles that can be read"},
		{"no index", made("DROP INDEX tile_index"), "has no index that finds a tile: add one with `CREATE UNIQUE INDEX"},
		{"an unknown format", made("INSERT INTO metadata VALUES ('format', 'grid" + strings.Repeat("x", 100) + "')"), `has tiles of the format "gridxx`},
		{"broken json", made("INSERT INTO metadata VALUES ('json', '[1]')"), "its metadata is no JSON object"},
		{"a large value", made("INSERT INTO metadata VALUES ('name', zeroblob(20000000))"), `has 20000000 bytes of metadata "name"`},
		{"a deep zoom", made("INSERT INTO tiles VALUES (99, 0, 0, x'00')"), "has tiles of zoom 99"},
		{"a name from an endless view", made("DROP TABLE metadata",
			"CREATE VIEW metadata AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'name' AS name, i AS value FROM n WHERE i < 0"), "that can be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := mbtiles.Open(c.path)
			if err == nil {
				_ = r.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q and the file", err, c.want)
			}
		})
	}
}

// TestOddName: a path is not read as a query of the driver.
func TestOddName(t *testing.T) {
	data, err := os.ReadFile(tilesettest.MBTiles(t, described, someTiles(t)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a ?mode=rwc#%2e&x.mbtiles")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := open(t, path).Info().Name; got != described["name"] {
		t.Errorf("name %q", got)
	}
}

// TestHostileTile: a tile that is too large is refused without being loaded.
func TestHostileTile(t *testing.T) {
	r := open(t, tilesettest.MBTiles(t, described, nil, "INSERT INTO tiles VALUES (0, 0, 0, zeroblob(40000000))"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, ok, err := r.Tile(tile.ID{}); ok || err == nil || !strings.Contains(err.Error(), "has 40000000 bytes, more than") {
		t.Errorf("%t, %v", ok, err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 10<<20 {
		t.Errorf("refusing it took %d bytes", after.TotalAlloc-before.TotalAlloc)
	}
	if err := r.Verify(); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("verify: %v", err)
	}
}

// TestHostileView: what a view makes on its way to a tile is bounded, on every
// connection.
func TestHostileView(t *testing.T) {
	r := open(t, tilesettest.MBTiles(t, described, nil,
		"ALTER TABLE tiles RENAME TO t",
		"CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, substr(hex(zeroblob(tile_data)), 1, 4) AS tile_data FROM t",
		"INSERT INTO t VALUES (0, 0, 0, 1000)", "INSERT INTO t VALUES (1, 0, 0, 50000000)"))
	if got, ok, err := r.Tile(tile.ID{}); !ok || err != nil || string(got) != "0000" {
		t.Fatalf("a small one: %q, %t, %v", got, ok, err)
	}
	var all sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			if got, ok, err := r.Tile(tile.ID{Z: 1, Y: 1}); ok || err == nil || !strings.Contains(err.Error(), "too big") {
				t.Errorf("a hundred megabytes: %q, %t, %v", got, ok, err)
			}
		})
	}
	all.Wait()
}

// TestBuildID changes with the content, and only then.
func TestBuildID(t *testing.T) {
	path := tilesettest.MBTiles(t, described, someTiles(t))
	first := open(t, path).BuildID()
	if again := open(t, path).BuildID(); again != first {
		t.Errorf("the same file is %s and %s", first, again)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if other := open(t, path).BuildID(); other == first {
		t.Errorf("a changed file is %s still", other)
	}
}

// FuzzOpen changes bytes of a real archive: it is refused, or each tile gives
// bytes or an error, in bounded time.
func FuzzOpen(f *testing.F) {
	good, err := os.ReadFile(tilesettest.MBTiles(f, described, someTiles(f)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(16), []byte{0x10, 0x00}, uint32(0))
	f.Add(uint32(100), []byte{0x0d, 0xff, 0xff}, uint32(0))
	f.Add(uint32(4096), []byte("CREATE VIEW tiles"), uint32(3000))
	f.Add(uint32(8000), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, uint32(0))
	dir := f.TempDir()
	n := 0
	f.Fuzz(func(t *testing.T, at uint32, with []byte, cut uint32) {
		data := append([]byte(nil), good...)
		copy(data[int(at)%len(data):], with)
		data = data[:len(data)-int(cut)%len(data)]
		n++
		path := filepath.Join(dir, fmt.Sprint(os.Getpid(), n))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Remove(path) }()
		begin := time.Now()
		r, err := mbtiles.Open(path)
		if err == nil {
			for id := range someTiles(t) {
				_, _, _ = r.Tile(id)
			}
			_ = r.Verify()
			_ = r.Close()
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// BenchmarkTile reads tiles of 20 kB.
func BenchmarkTile(b *testing.B) {
	tiles := tilesettest.Tiles{}
	for x := range uint32(200) {
		tiles[tile.ID{Z: 10, X: x}] = []byte(strings.Repeat(fmt.Sprint(x%10), 20_000))
	}
	r := open(b, tilesettest.MBTiles(b, described, tiles))
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for x := uint32(0); p.Next(); x++ {
			if _, ok, err := r.Tile(tile.ID{Z: 10, X: x % 200}); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
}
