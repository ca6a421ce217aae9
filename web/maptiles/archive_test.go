package maptiles_test

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"svc/geo/tileset"
	"svc/geo/tileset/tilesettest"
	"svc/web/maptiles"
)

// TestDamagedTile: what cannot be read is one 500 that nobody stores, and a line in
// the log that names the archive and no key.
func TestDamagedTile(t *testing.T) {
	path := tilesettest.MBTiles(t, map[string]string{"format": "pbf"}, nil,
		"INSERT INTO tiles VALUES (1, 0, 1, zeroblob(40000000))", "INSERT INTO tiles VALUES (1, 1, 1, x'1f8b00')")
	var log bytes.Buffer
	h := handler(t, maptiles.Config{Tiles: source(t, path, tileset.OpenVector), Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, tilePath := range []string{"/tiles/1/0/0.pbf", "/tiles/1/1/0.pbf"} {
		log.Reset()
		w := ask(h, http.MethodGet, tilePath+"?key=secret")
		if w.Code != 500 || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: %d %v", tilePath, w.Code, w.Header())
		}
		if s := log.String(); !strings.Contains(s, "a tile cannot be read") || !strings.Contains(s, tilePath) || strings.Contains(s, "secret") {
			t.Errorf("%s: log %q", tilePath, s)
		}
	}
}

// TestCutTile: a tile of which the file was cut off while it serves faults before
// anything is answered, so that the server's safety net can make it one 500.
func TestCutTile(t *testing.T) {
	noise := make([]byte, 300<<10)
	_, _ = rand.Read(noise)
	tiles := tilesettest.Tiles{{Z: 2, X: 1, Y: 1}: append([]byte{0x1f, 0x8b}, noise...)}
	path := tilesettest.PMTiles(t, vectorInfo(), tiles)
	h := maptiles.New(maptiles.Config{Tiles: source(t, path, tileset.OpenVector)})
	if w := ask(h, http.MethodGet, "/tiles/2/1/1.pbf", "Accept-Encoding", "gzip"); w.Code != 200 || w.Body.Len() != len(noise)+2 {
		t.Fatalf("whole: %d, %d bytes", w.Code, w.Body.Len())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(bytes.Index(data, noise))+150<<10); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
			t.Errorf("%d with %d bytes, %v", w.Code, w.Body.Len(), w.Header())
		}
	}()
	r := httptest.NewRequest(http.MethodGet, "/tiles/2/1/1.pbf", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	h.ServeHTTP(silent{w}, r)
}

// silent takes an answer without looking at it, as the system does: only the
// server itself can notice that its memory is gone.
type silent struct{ *httptest.ResponseRecorder }

func (s silent) Write(b []byte) (int, error) {
	s.Body.WriteString("sent")
	return len(b), nil
}

// TestSwap: a new archive serves from the next request on, with other tags.
func TestSwap(t *testing.T) {
	path := tilesettest.PMTiles(t, vectorInfo(), vectorTiles(t))
	s := source(t, path, tileset.OpenVector)
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(t.Context()) }()
	t.Cleanup(func() { <-done })
	h := handler(t, maptiles.Config{Tiles: s})
	first := ask(h, http.MethodGet, "/tiles/2/1/1.pbf").Header().Get("ETag")
	next := tilesettest.PMTiles(t, vectorInfo(), tilesettest.Tiles{{Z: 2, X: 1, Y: 1}: tilesettest.Gzip(t, "new")})
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	s.Reload()
	for range 1_000_000 { // each question is work: no sleep is needed
		w := ask(h, http.MethodGet, "/tiles/2/1/1.pbf", "If-None-Match", first)
		if w.Code == 304 {
			continue
		}
		if w.Code != 200 || w.Body.String() != "new" || w.Header().Get("ETag") == first {
			t.Fatalf("%d %q %v", w.Code, w.Body, w.Header())
		}
		return
	}
	t.Fatal("the new archive does not serve")
}

// FuzzPath: no path, header or key breaks the handler.
