package mapstyle

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// style is what the tests read of a style.
type style struct {
	Version int
	Name    string
	Glyphs  string
	Sprite  []struct{ ID, URL string }
	Sources map[string]map[string]any
	Layers  []struct {
		ID     string
		Layout map[string]json.RawMessage
	}
}

func readStyle(tb testing.TB, h http.Handler, target string, headers ...string) style {
	tb.Helper()
	w := get(tb, h, target, headers...)
	if w.Code != http.StatusOK {
		tb.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	body := w.Body.Bytes()
	if w.Header().Get("Content-Encoding") == "gzip" {
		body = unpack(tb, body)
	}
	var s style
	if err := json.Unmarshal(body, &s); err != nil {
		tb.Fatalf("%s: %v in %s", target, err, body)
	}
	return s
}

func (s style) layers() string {
	var ids []string
	for _, l := range s.Layers {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

func (s style) sources() string {
	var ids []string
	for id := range s.Sources {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func TestStyleAddresses(t *testing.T) {
	yes := func() bool { return true }
	tests := []struct {
		public, target, header string
		base, query            string
	}{
		{"", "/styles/light.json", "", "http://map.example", ""},
		{"", "/styles/light.json?key=", "", "http://map.example", ""},
		{"", "/styles/light.json?key=abc", "", "http://map.example", "?key=abc"},
		{"", "/styles/light.json?key=a%26b%3D%22%7Bz%7D%5C%20%3C", "", "http://map.example", "?key=a%26b%3D%22%7Bz%7D%5C+%3C"},
		{"https://maps.example/m/", "/styles/light.json?key=abc", "", "https://maps.example/m", "?key=abc"},
		{"", "/styles/light.json", "X-Forwarded-Host: tiles.example", "http://tiles.example", ""},
		{"", "/styles/light.json", `X-Forwarded-Host: evil"},{`, "http://map.example", ""},
		{"", "/styles/light.json", "X-Forwarded-Proto: https", "https://map.example", ""},
	}
	for _, tt := range tests {
		h := New(Config{Assets: fixture(), PublicURL: tt.public, Terrain: yes})
		var headers []string
		if tt.header != "" {
			headers = append(headers, tt.header)
		}
		target := tt.target + "&hillshade=1"
		if !strings.Contains(tt.target, "?") {
			target = tt.target + "?hillshade=1"
		}
		s := readStyle(t, h, target, headers...)
		got := []string{s.Glyphs, s.Sources["tiles"]["url"].(string), s.Sources["terrain"]["url"].(string)}
		for _, one := range s.Sprite {
			got = append(got, one.ID+" "+one.URL)
		}
		want := []string{
			tt.base + "/fonts/{fontstack}/{range}.pbf" + tt.query,
			tt.base + "/tiles/tiles.json" + tt.query,
			tt.base + "/terrain/tiles.json" + tt.query,
			"base " + tt.base + "/sprites/base" + tt.query,
			"places " + tt.base + "/sprites/places" + tt.query,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: %s", tt.target, tt.header, diff)
		}
	}
}

func TestStyleParameters(t *testing.T) {
	const labels = `["coalesce",["get","name_uz"],["get","name"]]`
	tests := []struct {
		query, tiles string
		terrain      bool
		layers       string
		sources      string
		name, label  string
	}{
		{"", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", labels},
		{"lang=ru", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", `["get","name_ru"]`},
		{"lang=en", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", `["get","name_en"]`},
		{"lang=uz-Cyrl", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", `["get","name_uz-Cyrl"]`},
		{"lang=de", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", labels},
		{"poi=0", "shortbread", false, "background town", "tiles", "light of shortbread", labels},
		{"poi=1", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", labels},
		{"hillshade=1", "shortbread", false, "background town poi-place", "tiles", "light of shortbread", labels},
		{"hillshade=1", "shortbread", true, "background hillshade town poi-place", "terrain tiles", "light of shortbread", labels},
		{"hillshade=0", "shortbread", true, "background town poi-place", "tiles", "light of shortbread", labels},
		{"", "", false, "background", "", "light of shortbread", ""},
		{"hillshade=1", "", true, "background hillshade", "terrain", "light of shortbread", ""},
		{"", "openmaptiles", false, "background town poi-place", "tiles", "light of openmaptiles", labels},
		{"", "somebody's", false, "background town poi-place", "tiles", "light of shortbread", labels},
	}
	for _, tt := range tests {
		h := New(Config{
			Assets: fixture(), Tiles: func() string { return tt.tiles }, Terrain: func() bool { return tt.terrain },
		})
		for _, accept := range []string{"gzip", "identity"} {
			s := readStyle(t, h, "/styles/light.json?"+tt.query, "Accept-Encoding: "+accept)
			if s.layers() != tt.layers || s.sources() != tt.sources || s.Name != tt.name || s.Version != 8 {
				t.Errorf("%q with %q tiles: version %d, name %q, layers %q, sources %q", tt.query, tt.tiles, s.Version, s.Name, s.layers(), s.sources())
			}
			for _, l := range s.Layers {
				if label := l.Layout["text-field"]; label != nil && string(label) != tt.label {
					t.Errorf("%q: %s is labelled %s", tt.query, l.ID, label)
				}
			}
			if tt.tiles == "shortbread" && s.Sources["tiles"]["attribution"] != "© OpenStreetMap contributors" {
				t.Errorf("%q: attribution %v", tt.query, s.Sources["tiles"]["attribution"])
			}
		}
	}
}

// TestStyleFollowsTheTiles: tiles and terrain may come and go while the server runs.
func TestStyleFollowsTheTiles(t *testing.T) {
	schema, terrain := "", false
	h := New(Config{Assets: fixture(), Tiles: func() string { return schema }, Terrain: func() bool { return terrain }})
	var seen []string
	look := func() { seen = append(seen, readStyle(t, h, "/styles/dark.json?hillshade=1").sources()) }
	look()
	schema = "shortbread"
	look()
	terrain = true
	look()
	if want := []string{"", "tiles", "terrain tiles"}; !slices.Equal(seen, want) {
		t.Errorf("sources %q", seen)
	}
}

func TestStyleHeaders(t *testing.T) {
	h := New(Config{Assets: fixture(), PublicURL: "https://map.example"})
	for _, path := range []string{"/styles/light.json", "/styles/styles.json"} {
		// What anybody's X-Forwarded-Host made is for nobody else's eyes.
		derived := get(t, New(Config{Assets: fixture()}), path, "X-Forwarded-Host: evil.example")
		if got := derived.Header().Get("Cache-Control"); got != "private, max-age=300" {
			t.Errorf("%s with an address from headers: Cache-Control is %q", path, got)
		}
		w := get(t, h, path, "Accept-Encoding: gzip")
		for name, want := range map[string]string{
			"Content-Type": "application/json; charset=utf-8", "Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		tag := "If-None-Match: " + w.Header().Get("ETag")
		if again := get(t, h, path, "Accept-Encoding: gzip", tag); again.Code != http.StatusNotModified {
			t.Errorf("%s again: %d", path, again.Code)
		}
		for _, other := range []string{path + "?key=k", "/styles/dark.json", "/styles/light.json?lang=ru", "/styles/light.json?poi=0"} {
			if w := get(t, h, other, "Accept-Encoding: gzip", tag); w.Code != http.StatusOK {
				t.Errorf("%s has the tag of %s", other, path)
			}
		}
	}
	for _, path := range []string{"/styles/", "/styles/light", "/styles/Light.json", "/styles/light.json/", "/styles/../light.json", "/styles/colorful.json", "/styles/shortbread/light.json"} {
		if w := get(t, h, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestStyleList(t *testing.T) {
	h := New(Config{Assets: fixture()})
	const want = `[{"id":"light","name":"Light","dark":false,"url":"http://map.example/styles/light.json?key=a%2Fb"},` +
		`{"id":"dark","name":"Dark","dark":true,"url":"http://map.example/styles/dark.json?key=a%2Fb"}]`
	if got := get(t, h, "/styles/styles.json?key=a/b").Body.String(); got != want {
		t.Errorf("got %s", got)
	}
}

// FuzzStyleParameters: whatever a key or a language holds, the answer is JSON,
// and the key stands in addresses only, escaped.
func FuzzStyleParameters(f *testing.F) {
	h := New(Config{Assets: fixture(), Terrain: func() bool { return true }})
	f.Add("key", "uz", "1", "map.example")
	f.Add(`","evil":"`, "uz-Cyrl", "0", `a"b`)
	f.Add("{fontstack}\\\x00é", "ru", "", "map.example:8080")
	f.Add("</script>", "\xff", "1", "[::1]")
	f.Fuzz(func(t *testing.T, key, lang, flag, host string) {
		r := httptest.NewRequest(http.MethodGet, "http://map.example/styles/light.json", nil)
		r.URL.RawQuery = url.Values{"key": {key}, "lang": {lang}, "poi": {flag}, "hillshade": {flag}}.Encode()
		r.Header.Set("X-Forwarded-Host", host)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var s style
		if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
			t.Fatalf("%v in %s", err, w.Body)
		}
		query := ""
		if key != "" {
			query = "?key=" + url.QueryEscape(key)
		}
		rest := w.Body.String()
		for _, address := range []string{s.Glyphs, s.Sources["tiles"]["url"].(string), s.Sprite[0].URL, s.Sprite[1].URL} {
			if !strings.HasSuffix(address, query) || key == "" && strings.Contains(address, "?") {
				t.Errorf("the address %s has not the key %q", address, key)
			}
			rest = strings.Replace(rest, address, "", 1)
		}
		if len(key) >= 8 && strings.Contains(rest, key) {
			t.Errorf("the key %q stands outside the addresses: %s", key, rest)
		}
		if got, _ := json.Marshal(s.Version); string(got) != "8" {
			t.Errorf("version %s", got)
		}
	})
}
