package maptiles_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"svc/geo/live"
	"svc/geo/tile"
	"svc/geo/tileset"
	"svc/geo/tileset/tilesettest"
	"svc/web/gate"
	"svc/web/maptiles"
)

var tashkent = tile.ID{Z: 14, X: 11343, Y: 6124}

func vectorInfo() tile.Info {
	return tile.Info{
		Name: "Oʻzbekiston", Attribution: "© OpenStreetMap contributors", Format: tile.PBF, MinZoom: 2, MaxZoom: 14,
		Bounds: [4]float64{55.99, 37.17, 73.15, 45.59}, Center: [2]float64{69.24, 41.31}, CenterZoom: 6, Schema: "shortbread", SchemaVersion: "1.1",
		Layers: []tile.Layer{{ID: "pois", MinZoom: 14, MaxZoom: 14, Fields: map[string]string{"rank": "Number"}}},
	}
}

func vectorTiles(t testing.TB) tilesettest.Tiles {
	return tilesettest.Tiles{{Z: 2, X: 1, Y: 1}: tilesettest.Gzip(t, "world"), tashkent: tilesettest.Gzip(t, "Tashkent")}
}

func source(t testing.TB, path string, open func(string) (*tileset.Set, error)) *maptiles.Source {
	t.Helper()
	s := live.Open(path, 0, slog.New(slog.DiscardHandler), live.Kind[*tileset.Set]{Name: "tiles", Open: open})
	if _, release, ok := s.Acquire(); path != "" && !ok {
		t.Fatal("the archive does not open")
	} else {
		release()
	}
	return s
}

// handler serves vector tiles and terrain behind the gate, as the server does.
func handler(t testing.TB, c maptiles.Config) http.Handler {
	return gate.New(gate.Config{}).Wrap(maptiles.New(c))
}

func whole(t testing.TB) http.Handler {
	png := tilesettest.Tiles{{Z: 3, X: 5, Y: 3}: []byte("\x89PNG\r\n\x1a\nheights")}
	return handler(t, maptiles.Config{
		Tiles:   source(t, tilesettest.PMTiles(t, vectorInfo(), vectorTiles(t)), tileset.OpenVector),
		Terrain: source(t, tilesettest.MBTiles(t, map[string]string{"format": "png", "maxzoom": "12"}, png), tileset.OpenTerrain),
	})
}

func ask(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestPaths: exactly the documented paths answer, the rest is 404 in plain text.
func TestPaths(t *testing.T) {
	h := whole(t)
	for path, want := range map[string]int{
		"/tiles/14/11343/6124.pbf": 200, "/tiles/14/11343/6124.mvt": 200, "/tiles/2/1/1.pbf": 200,
		"/tiles/14/11343/6125.pbf": 204, "/tiles/2/0/0.pbf": 204, "/tiles/14/16383/16383.mvt": 204, "/tiles/3/7/0.pbf": 204,
		"/tiles/tiles.json": 200, "/terrain/tiles.json": 200, "/terrain/3/5/3.png": 200, "/terrain/3/5/4.png": 204, "/terrain/12/0/0.png": 204,
		// outside the zooms, outside the zoom
		"/tiles/1/0/0.pbf": 404, "/tiles/0/0/0.pbf": 404, "/tiles/15/0/0.pbf": 404, "/tiles/255/0/0.pbf": 404, "/tiles/270/1/1.pbf": 404,
		"/tiles/14/16384/0.pbf": 404, "/tiles/14/0/16384.pbf": 404, "/tiles/14/4294978639/6124.pbf": 404, "/tiles/4294967310/11343/6124.pbf": 404,
		"/tiles/99999999999999999999/0/0.pbf": 404, "/terrain/2/0/0.png": 404, "/terrain/13/0/0.png": 404,
		// not three whole numbers
		"/tiles/+2/1/1.pbf": 404, "/tiles/-2/1/1.pbf": 404, "/tiles/02/1/1.pbf": 404, "/tiles/2/01/1.pbf": 404, "/tiles/2/1/01.pbf": 404,
		"/tiles/2/1/+1.pbf": 404, "/tiles/2/1/1.0.pbf": 404, "/tiles/2/1/1e0.pbf": 404, "/tiles/2/1/0x1.pbf": 404, "/tiles/2/1/.pbf": 404,
		"/tiles/2/%31/1.pbf": 200, "/tiles/2/%D9%A1/1.pbf": 404, "/tiles/2/1/1%20.pbf": 404, "/tiles/a/b/c.pbf": 404, "/tiles///.pbf": 404,
		// other shapes
		"/tiles/2/1/1": 404, "/tiles/2/1/1.": 404, "/tiles/2/1/1.PBF": 404, "/tiles/2/1/1.png": 404, "/tiles/2/1/1.pbf.gz": 404, "/tiles/2/1/1.pbf/": 404,
		"/tiles/2/1.pbf": 404, "/tiles/2/1/1/1.pbf": 404, "/tiles/": 404, "/tiles/2": 404, "/tiles/tiles.json/": 404, "/tiles/Tiles.json": 404,
		"/terrain/3/5/3.webp": 404, "/terrain/3/5/3.pbf": 404, "/terrain/": 404, "/terrain/3/5/3.": 404, "/terrain/3/5/3.jpg": 404,
		"/tiles/2//1/1.pbf": 200, "/tiles/../tiles/2/1/1.pbf": 200, // the gate cleans
	} {
		w := ask(h, http.MethodGet, path)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
		kind := w.Header().Get("Content-Type")
		switch w.Code {
		case 404:
			if kind != "text/plain; charset=utf-8" || !strings.HasPrefix(w.Body.String(), "404 ") {
				t.Errorf("%s: %q %q", path, kind, w.Body)
			}
		case 204:
			if w.Body.Len() > 0 || kind != "" || w.Header().Get("Cache-Control") != "public, max-age=86400" {
				t.Errorf("%s: %v %q", path, w.Header(), w.Body)
			}
		}
	}
}

// TestTile: every header of a tile, packed and inflated, asked for in any method.
func TestTile(t *testing.T) {
	h := whole(t)
	const path = "/tiles/14/11343/6124.pbf"
	for _, c := range []struct {
		method, accept, coding, body string
	}{
		{http.MethodGet, "gzip, deflate, br", "gzip", "Tashkent"},
		{http.MethodGet, "identity", "", "Tashkent"},
		{http.MethodGet, "", "", "Tashkent"},
		{http.MethodGet, "gzip;q=0", "", "Tashkent"},
		{http.MethodGet, "*", "gzip", "Tashkent"},
		{http.MethodPost, "gzip", "gzip", "Tashkent"},
		{http.MethodDelete, "gzip", "gzip", "Tashkent"},
		{http.MethodHead, "gzip", "gzip", ""},
		{http.MethodHead, "", "", ""},
	} {
		w := ask(h, c.method, path, "Accept-Encoding", c.accept)
		length := w.Header().Get("Content-Length")
		got := w.Header().Clone()
		for _, name := range []string{"Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Content-Length", "Etag"} {
			if got.Get(name) == "" {
				t.Errorf("%v: no %s", c, name)
			}
			got.Del(name)
		}
		want := http.Header{
			"Content-Type": {"application/vnd.mapbox-vector-tile"}, "Cache-Control": {"public, max-age=86400"}, "Vary": {"Accept-Encoding"},
			"X-Content-Type-Options": {"nosniff"}, "Access-Control-Allow-Origin": {"*"},
		}
		if c.coding != "" {
			want.Set("Content-Encoding", c.coding)
		}
		if d := cmp.Diff(want, got); d != "" || w.Code != 200 {
			t.Errorf("%v: %d (-want +got):\n%s", c, w.Code, d)
		}
		body := w.Body.Bytes()
		if c.coding == "gzip" && c.body != "" {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if string(body) != c.body || length == "0" {
			t.Errorf("%v: %q of length %s", c, body, length)
		}
	}
}

// TestConditional: a tag is strong, one for each tile and encoding, and gives 304.
func TestConditional(t *testing.T) {
	h := whole(t)
	seen := map[string]string{}
	for _, c := range [][2]string{
		{"/tiles/14/11343/6124.pbf", "gzip"}, {"/tiles/14/11343/6124.pbf", ""}, {"/tiles/2/1/1.pbf", "gzip"}, {"/terrain/3/5/3.png", ""},
		{"/tiles/tiles.json", ""}, {"/terrain/tiles.json", ""},
	} {
		tag := ask(h, http.MethodGet, c[0], "Accept-Encoding", c[1]).Header().Get("ETag")
		if !strings.HasPrefix(tag, `"`) || !strings.HasSuffix(tag, `"`) || len(tag) < 18 || seen[tag] != "" {
			t.Errorf("%v: tag %s, also of %q", c, tag, seen[tag])
		}
		seen[tag] = c[0]
		for _, match := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			w := ask(h, http.MethodGet, c[0], "Accept-Encoding", c[1], "If-None-Match", match)
			if w.Code != 304 || w.Body.Len() > 0 || w.Header().Get("ETag") != tag || w.Header().Get("Cache-Control") == "" {
				t.Errorf("%v with %s: %d %v", c, match, w.Code, w.Header())
			}
		}
		if w := ask(h, http.MethodGet, c[0], "Accept-Encoding", c[1], "If-None-Match", `"x"`); w.Code != 200 {
			t.Errorf("%v: another tag gives %d", c, w.Code)
		}
	}
	if w := ask(h, http.MethodGet, "/tiles/2/0/0.pbf", "If-None-Match", "*"); w.Code != 204 {
		t.Errorf("an empty tile has no bytes to match: %d", w.Code)
	}
}

func decode(t *testing.T, w *httptest.ResponseRecorder) map[string]any {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%d %q: %v", w.Code, w.Body, err)
	}
	return got
}

func TestTileJSON(t *testing.T) {
	h := whole(t)
	want := map[string]any{
		"tilejson": "3.0.0", "name": "Oʻzbekiston", "tiles": []any{"http://example.com/tiles/{z}/{x}/{y}.pbf"}, "minzoom": 2., "maxzoom": 14.,
		"bounds": []any{55.99, 37.17, 73.15, 45.59}, "center": []any{69.24, 41.31, 6.}, "attribution": "© OpenStreetMap contributors",
		"vector_layers": []any{map[string]any{"id": "pois", "minzoom": 14., "maxzoom": 14., "fields": map[string]any{"rank": "Number"}}},
		"tile_schema":   "shortbread",
	}
	w := ask(h, http.MethodGet, "/tiles/tiles.json")
	if d := cmp.Diff(want, decode(t, w)); d != "" || w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("%v (-want +got):\n%s", w.Header(), d)
	}
	want = map[string]any{
		"tilejson": "3.0.0", "tiles": []any{"http://example.com/terrain/{z}/{x}/{y}.png"}, "minzoom": 3., "maxzoom": 12.,
		"bounds": []any{-180., -tile.MaxLatitude, 180., tile.MaxLatitude}, "center": []any{0., 0., 3.}, "encoding": "terrarium", "tileSize": 256.,
	}
	if d := cmp.Diff(want, decode(t, ask(h, http.MethodGet, "/terrain/tiles.json"))); d != "" {
		t.Errorf("terrain (-want +got):\n%s", d)
	}
}

// TestTileURL: the address of the tiles is the one that the client reached, or the
// operator's; a hostile header does not get into it, and neither does a key that
// did not come in the query.
func TestTileURL(t *testing.T) {
	for _, c := range []struct {
		public, query string
		header        []string
		want, cache   string
	}{
		{"", "", nil, "http://example.com/tiles/{z}/{x}/{y}.pbf", "private, max-age=300"},
		{"", "", []string{"X-Forwarded-Proto", "https", "X-Forwarded-Host", "a.example, b.example"}, "https://a.example/tiles/{z}/{x}/{y}.pbf", "private, max-age=300"},
		{"", "", []string{"X-Forwarded-Proto", "ftp", "X-Forwarded-Host", `evil"}/<script>`}, "http://example.com/tiles/{z}/{x}/{y}.pbf", "private, max-age=300"},
		{"https://maps.example/base/", "", []string{"X-Forwarded-Host", "evil.example"}, "https://maps.example/base/tiles/{z}/{x}/{y}.pbf", "public, max-age=300"},
		{"", "?key=abc&a=b", nil, "http://example.com/tiles/{z}/{x}/{y}.pbf?key=abc", "private, max-age=300"},
		{"", "?key=%22%26%7Bz%7D%3Cb%3E", nil, "http://example.com/tiles/{z}/{x}/{y}.pbf?key=%22%26%7Bz%7D%3Cb%3E", "private, max-age=300"},
		{"", "?key=", nil, "http://example.com/tiles/{z}/{x}/{y}.pbf", "private, max-age=300"},
		{"", "", []string{"X-Api-Key", "secret"}, "http://example.com/tiles/{z}/{x}/{y}.pbf", "private, max-age=300"},
	} {
		h := handler(t, maptiles.Config{Tiles: source(t, tilesettest.PMTiles(t, vectorInfo(), vectorTiles(t)), tileset.OpenVector), PublicURL: c.public})
		w := ask(h, http.MethodGet, "/tiles/tiles.json"+c.query, c.header...)
		if got := decode(t, w)["tiles"]; !cmp.Equal(got, []any{c.want}) || w.Header().Get("Cache-Control") != c.cache {
			t.Errorf("%+v: %v, %v", c, got, w.Header())
		}
	}
}

// TestForeignArchives: plain vector tiles, images in WebP, no layers told.
func TestForeignArchives(t *testing.T) {
	plain := tilesettest.MBTiles(t, map[string]string{"format": "pbf", "attribution": `<a href="/">©</a>`}, tilesettest.Tiles{{Z: 1}: []byte("\x1a\x00plain")})
	webp := tilesettest.PMTiles(t, tile.Info{Format: tile.WebP, Encoding: "Terrarium"}, tilesettest.Tiles{{Z: 1}: []byte("RIFF....WEBP")})
	h := handler(t, maptiles.Config{Tiles: source(t, plain, tileset.OpenVector), Terrain: source(t, webp, tileset.OpenTerrain)})
	w := ask(h, http.MethodGet, "/tiles/1/0/0.pbf", "Accept-Encoding", "gzip")
	if w.Body.String() != "\x1a\x00plain" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("plain: %q %v", w.Body, w.Header())
	}
	if w := ask(h, http.MethodGet, "/tiles/tiles.json"); !strings.Contains(w.Body.String(), `"<a href=\"/\">©</a>"`) {
		t.Errorf("the attribution changed: %q", w.Body)
	}
	if layers, ok := decode(t, ask(h, http.MethodGet, "/tiles/tiles.json"))["vector_layers"]; !ok || !cmp.Equal(layers, []any{}) {
		t.Errorf("layers %v", layers)
	}
	if w := ask(h, http.MethodGet, "/terrain/1/0/0.webp"); w.Code != 200 || w.Header().Get("Content-Type") != "image/webp" {
		t.Errorf("webp: %d %v", w.Code, w.Header())
	}
	if w := ask(h, http.MethodGet, "/terrain/1/0/0.png"); w.Code != 404 {
		t.Errorf("png of webp: %d", w.Code)
	}
	got := decode(t, ask(h, http.MethodGet, "/terrain/tiles.json"))
	if got["encoding"] != "terrarium" || !cmp.Equal(got["tiles"], []any{"http://example.com/terrain/{z}/{x}/{y}.webp"}) {
		t.Errorf("terrain %v", got)
	}
}

// TestMissingTerrain: a tile that the archive lacks is empty, unless the archive
// says that it lacks none; outside the zooms there are none either way. What
// vector tiles say of it does not count (map contract 2 and 6).
func TestMissingTerrain(t *testing.T) {
	for told, want := range map[string]int{"": 204, "true": 204, "1": 204, "false": 404, "False": 404, "0": 404} {
		metadata := map[string]string{"format": "png", "minzoom": "3", "maxzoom": "12"}
		vector := map[string]string{"format": "pbf", "minzoom": "3", "maxzoom": "12"}
		if told != "" {
			metadata["sparse"], vector["sparse"] = told, told
		}
		one := tilesettest.Tiles{{Z: 3, X: 5, Y: 3}: []byte("\x89PNG\r\n\x1a\nheights")}
		h := handler(t, maptiles.Config{
			Terrain: source(t, tilesettest.MBTiles(t, metadata, one), tileset.OpenTerrain),
			Tiles:   source(t, tilesettest.MBTiles(t, vector, tilesettest.Tiles{{Z: 3, X: 5, Y: 3}: []byte("\x1a\x00")}), tileset.OpenVector),
		})
		for path, want := range map[string]int{"/terrain/3/5/3.png": 200, "/terrain/3/5/4.png": want, "/terrain/13/0/0.png": 404, "/tiles/3/5/4.pbf": 204} {
			w := ask(h, http.MethodGet, path)
			if w.Code != want || want == 404 && (w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || !strings.HasPrefix(w.Body.String(), "404 ")) {
				t.Errorf("sparse %q: %s: %d %q, want %d", told, path, w.Code, w.Body, want)
			}
		}
	}
}

// TestWithout: every path of an absent archive is 404 in plain text.
func TestWithout(t *testing.T) {
	for name, h := range map[string]http.Handler{
		"nil": handler(t, maptiles.Config{}), "no file": handler(t, maptiles.Config{Tiles: source(t, "", tileset.OpenVector), Terrain: source(t, "", tileset.OpenTerrain)}),
	} {
		for path, want := range map[string]string{
			"/tiles/2/1/1.pbf": "404 no tiles on this server\n", "/tiles/tiles.json": "404 no tiles on this server\n", "/tiles/x": "404 no tiles on this server\n",
			"/terrain/2/1/1.png": "404 no terrain on this server\n", "/terrain/tiles.json": "404 no terrain on this server\n",
		} {
			if w := ask(h, http.MethodGet, path); w.Code != 404 || w.Body.String() != want || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s: %s: %d %q", name, path, w.Code, w.Body)
			}
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("/tiles/14/11343/6124.pbf", "gzip", `"a"`, "key=a")
	f.Add("/tiles/2/1/1.mvt", "*;q=0", "*", "")
	f.Add("/terrain/3/5/3.png", "", "", "key=%22")
	f.Add("/tiles/4294967298/1/1.pbf", "identity", "W/", "key")
	f.Add("/tiles/tiles.json", "br", "", "key=\xff&key=2")
	h := whole(f)
	f.Fuzz(func(t *testing.T, path, accept, match, query string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path, r.URL.RawQuery = path, query
		r.Header["Accept-Encoding"], r.Header["If-None-Match"] = []string{accept}, []string{match}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200:
			if strings.HasSuffix(path, ".json") && !json.Valid(w.Body.Bytes()) {
				t.Fatalf("%q?%q: %q", path, query, w.Body)
			}
		case 204, 304, 404:
		default:
			t.Fatalf("%q?%q: %d %q", path, query, w.Code, w.Body)
		}
	})
}

// BenchmarkTile answers a tile of 20 kB behind the gate, without a network. The
// target of 15,000 a second on two cores (map contract 15) leaves 133 µs of a
// core for everything, the network with it.
func BenchmarkTile(b *testing.B) {
	data := append([]byte{0x1f, 0x8b}, make([]byte, 20_000)...)
	h := handler(b, maptiles.Config{Tiles: source(b, tilesettest.PMTiles(b, vectorInfo(), tilesettest.Tiles{tashkent: data}), tileset.OpenVector)})
	r := httptest.NewRequest(http.MethodGet, "/tiles/14/11343/6124.pbf", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		w.Body = nil
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(15_000, "target-requests/s")
}
