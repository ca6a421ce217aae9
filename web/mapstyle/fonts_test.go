package mapstyle

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestFontPaths(t *testing.T) {
	h := New(Config{Assets: fixture()})
	tests := []struct {
		path    string
		status  int
		name    string // of the answered stack
		letters string // letter and the first letter of the weight it came from
	}{
		{"/fonts/noto_sans_regular/0-255.pbf", 200, "noto_sans_regular", "ar br"},
		{"/fonts/noto_sans_bold/0-255.pbf", 200, "noto_sans_bold", "bb cb"},
		{"/fonts/Noto%20Sans%20Regular/0-255.pbf", 200, "noto_sans_regular", "ar br"},
		{"/fonts/NOTO_Sans_bold/0-255.pbf", 200, "noto_sans_bold", "bb cb"},
		{"/fonts/noto_sans_regular,noto_sans_bold/0-255.pbf", 200, "noto_sans_regular,noto_sans_bold", "ar br cb"},
		{"/fonts/Noto%20Sans%20Bold,%20Noto%20Sans%20Regular/0-255.pbf", 200, "noto_sans_bold,noto_sans_regular", "ar bb cb"},
		{"/fonts/Open%20Sans,noto_sans_bold/0-255.pbf", 200, "noto_sans_bold", "bb cb"},
		{"/fonts/noto_sans_bold,noto_sans_bold/0-255.pbf", 200, "noto_sans_bold", "bb cb"},
		{"/fonts/noto_sans_bold,noto_sans_regular/1024-1279.pbf", 200, "noto_sans_bold,noto_sans_regular", "ўr қr"},
		{"/fonts/noto_sans_bold/1024-1279.pbf", 200, "noto_sans_bold", ""},
		{"/fonts/noto_sans_bold/65280-65535.pbf", 200, "noto_sans_bold", ""},
		{"/fonts/noto_sans_bold,noto_sans_regular/512-767.pbf", 200, "noto_sans_bold,noto_sans_regular", ""},
		{"/fonts/noto_sans_bold/65536-65791.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/1-256.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/0-256.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/00-255.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/+0-255.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/-256--1.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold/0-255", 404, "", ""},
		{"/fonts/noto_sans_bold/0-255.pbf/", 404, "", ""},
		{"/fonts/noto_sans_bold/x/0-255.pbf", 404, "", ""},
		{"/fonts/noto_sans_bold", 404, "", ""},
		{"/fonts/", 404, "", ""},
		{"/fonts/,/0-255.pbf", 404, "", ""},
		{"/fonts/Open%20Sans/0-255.pbf", 404, "", ""},
	}
	for _, tt := range tests {
		for _, accept := range []string{"gzip", "identity"} {
			w := get(t, h, tt.path, "Accept-Encoding: "+accept)
			if w.Code != tt.status {
				t.Errorf("%s (%s): %d %s", tt.path, accept, w.Code, w.Body)
				continue
			}
			if tt.status != http.StatusOK {
				if ct := w.Header().Get("Content-Type"); ct != "text/plain; charset=utf-8" {
					t.Errorf("%s: a refusal is %q", tt.path, ct)
				}
				continue
			}
			body := w.Body.Bytes()
			if w.Header().Get("Content-Encoding") == "gzip" {
				body = unpack(t, body)
			}
			name, ranged, from := readStack(t, body)
			var letters []string
			for _, r := range slices.Sorted(maps.Keys(from)) {
				weight := strings.TrimPrefix(from[r], "noto_sans_")
				letters = append(letters, string(r)+weight[:1])
			}
			if got := strings.Join(letters, " "); got != tt.letters || name != tt.name {
				t.Errorf("%s (%s): stack %q with %q, want %q with %q", tt.path, accept, name, got, tt.name, tt.letters)
			}
			if !strings.HasSuffix(tt.path, "/"+ranged+".pbf") {
				t.Errorf("%s: range %q", tt.path, ranged)
			}
		}
	}
}

func TestFontHeaders(t *testing.T) {
	h := New(Config{Assets: fixture()})
	for _, path := range []string{"/fonts/noto_sans_regular/0-255.pbf", "/fonts/noto_sans_regular,noto_sans_bold/0-255.pbf", "/fonts/noto_sans_bold/512-767.pbf"} {
		w := get(t, h, path, "Accept-Encoding: gzip")
		for name, want := range map[string]string{
			"Content-Type": "application/x-protobuf", "Cache-Control": "public, max-age=604800", "Vary": "Accept-Encoding",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		tag := w.Header().Get("ETag")
		if tag == "" {
			t.Errorf("%s has no tag", path)
		}
		if again := get(t, h, path, "Accept-Encoding: gzip", "If-None-Match: "+tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d with %d bytes", path, again.Code, again.Body.Len())
		}
	}
	list := get(t, h, "/fonts/fonts.json")
	if got := list.Body.String(); got != `["noto_sans_regular","noto_sans_bold"]` {
		t.Errorf("fonts.json is %s", got)
	}
}

// TestComposedIsKept: a composed range is made once, and what is kept is bounded.
func TestComposedIsKept(t *testing.T) {
	f, err := loadFonts(fixture())
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"noto_sans_regular", "noto_sans_bold"}
	one := f.glyphs(known, 0)
	if f.glyphs(known, 0) != one {
		t.Error("the second request composed again")
	}
	for n := range maxComposed {
		f.composed[rangeText(n)] = one
	}
	f.glyphs([]string{"noto_sans_bold", "noto_sans_regular"}, 0)
	if n := len(f.composed); n > maxComposed {
		t.Errorf("%d composed ranges are kept", n)
	}
}

func TestDamagedFont(t *testing.T) {
	files := fixture()
	files["fonts/noto_sans_bold/0-255.pbf.gz"] = pack("\x0a\x7fshort")
	log, out := logged()
	h := New(Config{Assets: files, Log: log})
	w := get(t, h, "/fonts/noto_sans_regular,noto_sans_bold/0-255.pbf?key=secret")
	if w.Code != http.StatusInternalServerError || !strings.Contains(out.String(), "noto_sans_bold") {
		t.Errorf("%d, log %q", w.Code, out)
	}
	if strings.Contains(out.String(), "secret") {
		t.Error("the log has the key")
	}
}

func FuzzFontPath(f *testing.F) {
	h := New(Config{Assets: fixture()})
	f.Add("noto_sans_bold", "0-255.pbf")
	f.Add("Noto Sans Regular,noto_sans_bold", "1024-1279.pbf")
	f.Add(",,x", "65280-65535.pbf")
	f.Add("a/b", "-0--255.pbf")
	f.Fuzz(func(t *testing.T, list, file string) {
		req := httptest.NewRequest(http.MethodGet, "http://map.example/", nil)
		req.URL.Path = "/fonts/" + list + "/" + file
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		switch w.Code {
		case http.StatusOK:
			_, ranged, _ := readStack(t, w.Body.Bytes())
			if file != ranged+".pbf" {
				t.Errorf("%q answers the range %q", file, ranged)
			}
		case http.StatusNotFound:
		default:
			t.Errorf("%q: %d", req.URL.Path, w.Code)
		}
	})
}

func FuzzGlyphs(f *testing.F) {
	f.Add([]byte(glyphFile("x", "0-255", "abc")))
	f.Add([]byte("\x0a\x7fshort"))
	f.Add([]byte{0x0a, 0x02, 0x1a, 0x00})
	f.Fuzz(func(t *testing.T, file []byte) {
		all := map[uint64][]byte{}
		if addGlyphs(all, file) != nil {
			return
		}
		again := map[uint64][]byte{}
		if err := addGlyphs(again, appendStack(nil, "x", "0-255", all)); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if len(again) != len(all) {
			t.Errorf("%d glyphs became %d", len(all), len(again))
		}
	})
}
