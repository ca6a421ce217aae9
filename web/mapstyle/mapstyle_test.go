package mapstyle

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

func TestSprites(t *testing.T) {
	h := New(Config{Assets: fixture()})
	tests := []struct {
		path, kind, body string
	}{
		{"/sprites/base.json", "application/json; charset=utf-8", `{"icon-bus":{"x":0}}`},
		{"/sprites/base@2x.json", "application/json; charset=utf-8", `{"icon-bus":{"x":1}}`},
		{"/sprites/base.png", "image/png", "\x89PNG one"},
		{"/sprites/base@2x.png", "image/png", "\x89PNG two"},
		{"/sprites/base@3x.png", "", ""},
		{"/sprites/base", "", ""},
		{"/sprites/base.json.gz", "", ""},
		{"/sprites/", "", ""},
		{"/sprites/nothing.json", "", ""},
	}
	for _, tt := range tests {
		w := get(t, h, tt.path)
		if tt.kind == "" {
			if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
				t.Errorf("%s: %d %s", tt.path, w.Code, w.Header())
			}
			continue
		}
		if w.Code != http.StatusOK || w.Body.String() != tt.body || w.Header().Get("Content-Type") != tt.kind ||
			w.Header().Get("Cache-Control") != "public, max-age=604800" {
			t.Errorf("%s: %d %q %v", tt.path, w.Code, w.Body, w.Header())
		}
		tag := w.Header().Get("ETag")
		if again := get(t, h, tt.path, "If-None-Match: "+tag); tag == "" || again.Code != http.StatusNotModified {
			t.Errorf("%s again with tag %q: %d", tt.path, tag, again.Code)
		}
	}
}

// TestWithoutTheBuild: the paths answer 404, and the log says once what to run.
func TestWithoutTheBuild(t *testing.T) {
	log, out := logged()
	h := New(Config{Assets: fstest.MapFS{"README.txt": {Data: []byte("placeholder")}}, Log: log})
	for _, path := range []string{"/styles/light.json", "/styles/styles.json", "/fonts/fonts.json", "/fonts/noto_sans_bold/0-255.pbf", "/sprites/base.png"} {
		if w := get(t, h, path); w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	if n := strings.Count(out.String(), "make assets"); n != 1 || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("the log: %s", out)
	}
}

// TestDamagedBuild: a build that is not whole serves nothing and says why.
func TestDamagedBuild(t *testing.T) {
	tests := []struct {
		name   string
		damage func(fstest.MapFS)
		log    string
	}{
		{"style list", func(f fstest.MapFS) { f["styles/styles.json"] = &fstest.MapFile{Data: []byte("{")} }, "styles/styles.json"},
		{"font list", func(f fstest.MapFS) { f["fonts/fonts.json"] = &fstest.MapFile{Data: []byte("[")} }, "fonts/fonts.json"},
		{"font range", func(f fstest.MapFS) { f["fonts/noto_sans_bold/1-2.pbf.gz"] = pack("") }, "1-2.pbf.gz"},
		{"sprite", func(f fstest.MapFS) { f["sprites/base.gif"] = &fstest.MapFile{} }, "base.gif"},
		{"a style less", func(f fstest.MapFS) { delete(f, "styles/shortbread/dark.json.gz") }, "make assets"},
		{"no sprites", func(f fstest.MapFS) {
			for name := range f {
				if strings.HasPrefix(name, "sprites/") {
					delete(f, name)
				}
			}
		}, "make assets"},
	}
	for _, tt := range tests {
		files := fixture()
		tt.damage(files)
		log, out := logged()
		h := New(Config{Assets: files, Log: log})
		if w := get(t, h, "/styles/light.json"); w.Code != http.StatusNotFound || !strings.Contains(out.String(), tt.log) {
			t.Errorf("%s: %d, log %s", tt.name, w.Code, out)
		}
	}
	for _, text := range []string{"no JSON", `{"head":null}`, `{"layers":[7]}`} {
		files := fixture()
		files["styles/shortbread/dark.json.gz"] = pack(text)
		log, out := logged()
		h := New(Config{Assets: files, Log: log})
		if w := get(t, h, "/styles/dark.json?key=secret"); w.Code != http.StatusInternalServerError || !strings.Contains(out.String(), "dark") || strings.Contains(out.String(), "secret") {
			t.Errorf("template %q: %d, log %s", text, w.Code, out)
		}
	}
}

func TestOtherPaths(t *testing.T) {
	h := New(Config{Assets: fixture()})
	for _, path := range []string{"/", "/fonts", "/tiles/tiles.json"} {
		if w := get(t, h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
