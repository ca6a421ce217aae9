package mapbundle

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"svc/embed/sdk"
	"svc/web/gate"
)

func zip(text string) *fstest.MapFile {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// built is what a build leaves: plain, compressed in two ways, and in one.
func built() fstest.MapFS {
	return fstest.MapFS{
		"index.html":              file("<!doctype html><title>page</title>"),
		"placeholder.html":        file("placeholder"),
		"app/main-0a1b2c.js.gz":   zip("app()"),
		"app/main-0a1b2c.js.br":   file("br of app()"),
		"app/main-0a1b2c.css":     file("body{}"),
		"v1/map.js.gz":            zip("export const map = 1"),
		"v1/map.js.br":            file("br of map"),
		"v1/map.css":              file(".svc{}"),
		"v1/map.d.ts.gz":          zip("export declare const map: 1"),
		"v1/version.json":         file(`{"sdk":"1","maplibre":"6"}`),
		"v1/LICENSES.txt.gz":      zip("MapLibre: BSD-3\n"),
		"v1/LICENSES.txt.br":      file("br of licences"),
		"v1/notes.md":             file("of no known type"),
		"app/broken-000000.js.br": file("only for clients that read Brotli"),
	}
}

func handle(t *testing.T, c Config) http.Handler {
	t.Helper()
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return New(c)
}

// get asks with the header Accept-Encoding as browsers send it; "" sends none.
func get(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const browser = "gzip, deflate, br, zstd"

func TestFiles(t *testing.T) {
	h := handle(t, Config{Files: built()})
	tests := []struct {
		path, accept, coding, kind, cache, body string
	}{
		{"/", browser, "", "text/html; charset=utf-8", "no-cache", "<!doctype html><title>page</title>"},
		{"/app/main-0a1b2c.js", browser, "br", "text/javascript; charset=utf-8", keepForever, "br of app()"},
		{"/app/main-0a1b2c.js", "", "", "text/javascript; charset=utf-8", keepForever, "app()"},
		{"/app/main-0a1b2c.css", browser, "", "text/css; charset=utf-8", keepForever, "body{}"},
		{"/v1/map.js", browser, "br", "text/javascript; charset=utf-8", "public, max-age=3600", "br of map"},
		{"/v1/map.js", "identity", "", "text/javascript; charset=utf-8", "public, max-age=3600", "export const map = 1"},
		{"/v1/map.css", browser, "", "text/css; charset=utf-8", "public, max-age=3600", ".svc{}"},
		{"/v1/map.d.ts", "br", "", "application/typescript; charset=utf-8", "public, max-age=3600", "export declare const map: 1"},
		{"/v1/version.json", browser, "", "application/json; charset=utf-8", "public, max-age=3600", `{"sdk":"1","maplibre":"6"}`},
		{"/v1/map.js?v=0a1b2c", browser, "br", "text/javascript; charset=utf-8", "public, max-age=3600", "br of map"},
	}
	for _, tt := range tests {
		w := get(h, "GET", tt.path, "Accept-Encoding", tt.accept)
		head := w.Header()
		got := []string{head.Get("Content-Encoding"), head.Get("Content-Type"), head.Get("Cache-Control"), w.Body.String()}
		want := []string{tt.coding, tt.kind, tt.cache, tt.body}
		if w.Code != 200 || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s (%s): %d %q, want %q", tt.path, tt.accept, w.Code, got, want)
		}
		if head.Get("X-Content-Type-Options") != "nosniff" || head.Get("ETag") == "" || head.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: headers %v", tt.path, head)
		}
		again := get(h, "GET", tt.path, "Accept-Encoding", tt.accept, "If-None-Match", head.Get("ETag"))
		if again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s again: %d %q, want 304 without a body", tt.path, again.Code, again.Body)
		}
		if peek := get(h, "HEAD", tt.path, "Accept-Encoding", tt.accept); peek.Code != 200 || peek.Body.Len() != 0 {
			t.Errorf("HEAD %s: %d %q", tt.path, peek.Code, peek.Body)
		}
	}
}

func TestNotServed(t *testing.T) {
	h := handle(t, Config{Files: built()})
	for _, path := range []string{
		"/app/", "/app/none.js", "/v1/", "/v1/none.js", "/v1/map.js.br", "/v1/map.js.gz", "/v1/notes.md", "/v1/../index.html",
		"/index.html", "/placeholder.html", "/app/broken-000000.js", "/v1/MAP.js",
	} {
		w := get(h, "GET", path, "Accept-Encoding", browser)
		if w.Code != 404 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s: %d %q, want a plain 404", path, w.Code, w.Body)
		}
	}
}

// TestEveryOriginMayUseTheBundle behind the gate, which has one rule for all
// paths of the map.
func TestEveryOriginMayUseTheBundle(t *testing.T) {
	h := gate.New(gate.Config{}).Wrap(handle(t, Config{Files: built()}))
	for path, want := range map[string]string{"/v1/map.js": "*", "/v1/none": "*", "/": "*", "/app/main-0a1b2c.js": "*", "/app/none": "*"} {
		w := get(h, "GET", path, "Origin", "https://elsewhere.example")
		if got := w.Header().Get("Access-Control-Allow-Methods"); got != "GET, POST, OPTIONS" {
			t.Errorf("%s: Access-Control-Allow-Methods %q", path, got)
		}
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s: Access-Control-Allow-Origin %q, want %q", path, got, want)
		}
	}
	if got := get(h, "GET", "/v1/map.js").Header().Get("Cross-Origin-Resource-Policy"); got != "cross-origin" {
		t.Errorf("Cross-Origin-Resource-Policy: %q", got)
	}
}

// TestMethods: what is no OPTIONS is read, as on all paths of the map.
func TestMethods(t *testing.T) {
	h := gate.New(gate.Config{}).Wrap(handle(t, Config{Files: built()}))
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204, "POST": 200, "PUT": 200, "PATCH": 200, "DELETE": 200, "FOO": 200} {
		for _, path := range []string{"/", "/v1/map.js", "/app/main-0a1b2c.js"} {
			w := get(h, method, path)
			if w.Code != want || (w.Body.Len() > 0) != (want == 200 && method != "HEAD") {
				t.Errorf("%s %s: %d, want %d, with %d bytes", method, path, w.Code, want, w.Body.Len())
			}
		}
	}
}

func TestPolicy(t *testing.T) {
	tests := []struct{ public, want string }{
		{"", "connect-src 'self';"},
		{"https://maps.example/below", "connect-src 'self' https://maps.example;"},
		{"https://maps.example:8443", "connect-src 'self' https://maps.example:8443;"},
		{"javascript:alert(1)", "connect-src 'self';"},
		{"https://x.example; script-src *", "connect-src 'self';"},
	}
	for _, tt := range tests {
		h := handle(t, Config{Files: built(), PublicURL: tt.public})
		policy := get(h, "GET", "/").Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, tt.want) || strings.Contains(policy, "script-src *") {
			t.Errorf("public URL %q: %s, want %s", tt.public, policy, tt.want)
		}
		for _, forbidden := range []string{"unsafe-inline", "unsafe-eval"} {
			if strings.Contains(policy, forbidden) {
				t.Errorf("the policy allows %s: %s", forbidden, policy)
			}
		}
	}
	if policy := get(handle(t, Config{Files: built()}), "GET", "/v1/map.js").Header().Get("Content-Security-Policy"); policy != "" {
		t.Errorf("a policy on the bundle, which others run on their pages: %s", policy)
	}
}

func TestLicenses(t *testing.T) {
	h := handle(t, Config{Files: built(), Licenses: []byte("Noto Sans: OFL 1.1\n")})
	plain := get(h, "GET", "/v1/LICENSES.txt").Body.String()
	if want := "MapLibre: BSD-3\n\nNoto Sans: OFL 1.1\n"; plain != want {
		t.Errorf("licences %q, want %q", plain, want)
	}
	w := get(h, "GET", "/v1/LICENSES.txt", "Accept-Encoding", browser)
	if got := w.Header().Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("the old Brotli form lacks the second part, so gzip was wanted, not %q", got)
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || string(text) != plain {
		t.Errorf("gzip of the licences: %q, %v", text, err)
	}
	if alone := get(handle(t, Config{Files: built()}), "GET", "/v1/LICENSES.txt"); alone.Body.String() != "MapLibre: BSD-3\n" {
		t.Errorf("licences alone: %q", alone.Body)
	}
	damaged := built()
	damaged["v1/LICENSES.txt.gz"] = file("no gzip")
	if w := get(handle(t, Config{Files: damaged, Licenses: []byte("x")}), "GET", "/v1/LICENSES.txt"); w.Code != 500 {
		t.Errorf("damaged licences: %d %q", w.Code, w.Body)
	}
}

func TestNotBuilt(t *testing.T) {
	var log bytes.Buffer
	h := handle(t, Config{
		Files: fstest.MapFS{"placeholder.html": file("run make assets")}, Command: "make assets",
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if w := get(h, "GET", "/"); w.Code != 200 || w.Body.String() != "run make assets" || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("/: %d %q %v", w.Code, w.Body, w.Header())
	}
	if w := get(h, "GET", "/v1/map.js"); w.Code != 404 || w.Body.String() != "the browser bundle is not built into this server\n" {
		t.Errorf("/v1/map.js: %d %q", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "make assets") || strings.Count(log.String(), "\n") != 1 {
		t.Errorf("the log should name the command in one line: %q", &log)
	}
	if w := get(handle(t, Config{Files: fstest.MapFS{}}), "GET", "/"); w.Code != 404 {
		t.Errorf("/ without any file: %d %q", w.Code, w.Body)
	}
}

// noFiles is a folder that cannot be read.
type noFiles struct{}

func (noFiles) Open(string) (fs.File, error) { return nil, fs.ErrPermission }

func TestUnreadableFiles(t *testing.T) {
	var log bytes.Buffer
	h := handle(t, Config{Files: noFiles{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if w := get(h, "GET", "/"); w.Code != 404 || !strings.Contains(log.String(), "permission denied") {
		t.Errorf("%d, log %q", w.Code, &log)
	}
}

// TestCarried holds what the binary carries to the same rules, built or not.
func TestCarried(t *testing.T) {
	h := handle(t, Config{Files: sdk.Files()})
	w := get(h, "GET", "/")
	if w.Code != 200 || !strings.HasPrefix(w.Body.String(), "<!doctype html>") {
		t.Fatalf("/: %d %.80q", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), "<style") || strings.Contains(w.Body.String(), "style=") {
		t.Error("the page has styles of its own, which its policy forbids")
	}
	if _, err := fs.Stat(sdk.Files(), "placeholder.html"); err != nil {
		t.Errorf("the placeholder is not committed: %v", err)
	}
}

func BenchmarkBundle(b *testing.B) {
	h := New(Config{Files: built(), Log: slog.New(slog.DiscardHandler)})
	r := httptest.NewRequest("GET", "/v1/map.js", nil)
	r.Header.Set("Accept-Encoding", browser)
	for b.Loop() {
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
}
