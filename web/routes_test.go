package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestWhoOwnsAPath(t *testing.T) {
	s, _ := testServer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "map") })
	s.c.Tiles, s.c.Style, s.c.Page = says("tiles"), says("style"), says("page")
	tests := []struct {
		path, body, kind string
		code             int
	}{
		{"/health", `{"status":"ok"}` + "\n", "application/json; charset=utf-8", 200},
		{"/api/search", "map", "", 200},
		{"/api/geocode", "map", "", 200}, // the map's own handler answers its 404
		{"/api", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v1", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v1/contacts", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v10", "map", "", 200},
		{"/api/../api/v1/x", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/search/../v1/x", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"//health", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/health/", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/index.html", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/console/", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/", "page", "", 200},
		{"/app/x.js", "page", "", 200},
		{"/v1/map.js", "page", "", 200},
		{"/tiles/0/0/0.pbf", "tiles", "", 200},
		{"/terrain/tiles.json", "tiles", "", 200},
		{"/fonts/fonts.json", "style", "", 200},
		{"/sprites/base.png", "style", "", 200},
		{"/styles/light.json", "style", "", 200},
		{"/tilesx", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/static/x", "404 not found\n", "text/plain; charset=utf-8", 404},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.URL.Path = tt.path
			w := do(s, r)
			if w.Code != tt.code || w.Body.String() != tt.body || (tt.kind != "" && w.Header().Get("Content-Type") != tt.kind) {
				t.Errorf("%d %q %s", w.Code, w.Body, w.Header().Get("Content-Type"))
			}
		})
	}
}

// says is a handler that answers one word.
func says(word string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, word) })
}

func TestWithoutAMapTheAPIIsNotFound(t *testing.T) {
	s, _ := testServer(nil)
	if w := do(s, httptest.NewRequest(http.MethodGet, "/api/search", nil)); w.Code != 404 {
		t.Errorf("status %d", w.Code)
	}
}

func TestHealthWhileStopping(t *testing.T) {
	s, _ := testServer(nil)
	s.drain.stop()
	w := do(s, httptest.NewRequest(http.MethodGet, "/health", nil))
	if w.Code != 503 || w.Body.String() != `{"status":"stopping"}`+"\n" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
}
