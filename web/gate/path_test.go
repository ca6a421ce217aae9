package gate

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPaths: what is checked and counted is what the router serves, however the
// path is written.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		target, pattern, product string // product "": not gated
	}{
		{"/api/search", "/api/search", "search"},
		{"/api//search", "/api/search", "search"},
		{"//api/search", "/api/search", "search"},
		{"/api/./search", "/api/search", "search"},
		{"/x/../api/search", "/api/search", "search"},
		{"/api/v1/../search", "/api/search", "search"},
		{"/api/%2e/search", "/api/search", "search"},
		{"/x/%2e%2e/api/search", "/api/search", "search"},
		{"/api%2Fsearch", "/api/search", "search"},
		{"/api%2fsearch", "/api/search", "search"},
		{"/%61pi/%73earch", "/api/search", "search"},
		{"/api/v1%2F..%2Fsearch", "/api/search", "search"},
		{"/api/search/", "/api/", "other"},
		{"/api/nothing", "/api/", "other"},
		{"/api/Search", "/api/", "other"},
		{"/API/search", "/", ""},
		{"/api/place/12", "/api/place/{id}", "places"},
		{"/api/place/a%2Fb", "/api/", "places"},
		{"/api/place/..%2Fsearch", "/api/search", "search"},
		{"/fonts/Noto%20Sans%2CX/0-255.pbf", "/fonts/{stack}/{range}", "tiles"},
		{"/tiles/1/2/3.pbf", "/tiles/", "tiles"},
		{"/api/status", "/api/status", ""},
		{"/api//status", "/api/status", ""},
		{"/api/search/..%2Fstatus", "/api/status", ""},
		{"/api/status/..%2Fsearch", "/api/search", "search"},
		{"/health/../api/search", "/api/search", "search"},
		{"/v1/map.js", "/v1/", ""},
		{"/v1/../tiles/1", "/tiles/", "tiles"},
		{"/v1/%2e%2e/tiles/1", "/tiles/", "tiles"},
		{"/api/place/..%2F..%2Fconsole%2Fx", "/console/", ""},
		{"/api/v1/x", "/api/v1/", ""},
		{"/api/v1/a%2F..%2F..%2Fsearch", "/api/v1/", ""}, // one segment to the router: the messaging service's
		{"/api/%76%31/x", "/api/v1/", ""},
		{"/console/x", "/console/", ""},
		{"/", "/", ""},
	} {
		w := newWorld(t, func(cfg *Config) { cfg.Require = false })
		rec := w.ask("GET", c.target+"?key=open")
		if got := rec.Header().Get("X-Pattern"); got != c.pattern || rec.Code != 200 {
			t.Errorf("%s was served by %q with %d, want %q", c.target, got, rec.Code, c.pattern)
		}
		want := map[string][2]int64{}
		if c.product != "" {
			want[c.product] = [2]int64{1, 0}
		}
		if d := cmp.Diff(want, w.counted("open")); d != "" {
			t.Errorf("%s: %s", c.target, d)
		}
		strict := newWorld(t, nil)
		if rec := strict.ask("GET", c.target); (rec.Code == 401) != (c.product != "") {
			t.Errorf("%s without a key: %d", c.target, rec.Code)
		}
	}
}

// TestOthersPassUntouched: method, path and headers of what is not the map's.
func TestOthersPassUntouched(t *testing.T) {
	w := newWorld(t, nil)
	for _, target := range []string{"/api/v1/a%2Fb?key=off", "/api/v1/x", "/console/a%2Fb", "/console/x", "/nobody"} {
		for _, method := range []string{"GET", "OPTIONS", "DELETE", "PUT"} {
			rec := w.ask(method, target)
			if got := rec.Header().Get("X-Saw"); got != method+" "+target {
				t.Errorf("%s %s arrived as %s (%d)", method, target, got, rec.Code)
			}
			for name := range rec.Header() {
				if strings.HasPrefix(name, "Access-Control") {
					t.Errorf("%s %s: %s", method, target, name)
				}
			}
		}
	}
	if len(w.seen) != 0 {
		t.Errorf("checked %v", w.seen)
	}
}

func TestCORSAndOptions(t *testing.T) {
	w := newWorld(t, nil)
	for _, target := range []string{"/api/search", "/api/usage", "/api/nothing", "/tiles/1", "/fonts/a/b", "/api/status", "/health", "/v1/map.js", "/app/main.js", "/"} {
		rec := w.ask("OPTIONS", target)
		if rec.Code != 204 || rec.Body.Len() != 0 || rec.Header().Get("X-Pattern") != "" {
			t.Errorf("OPTIONS %s: %d, served by %q", target, rec.Code, rec.Header().Get("X-Pattern"))
		}
		for _, rec := range []*httptest.ResponseRecorder{rec, w.ask("GET", target), w.ask("GET", target+"?key=open")} {
			h := rec.Header()
			if h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Methods") != "GET, POST, OPTIONS" ||
				h.Get("Access-Control-Allow-Headers") != "Content-Type, Range" {
				t.Errorf("%s: %v", target, h)
			}
		}
	}
	if n := w.counted("open")["search"]; n != [2]int64{1, 0} {
		t.Errorf("OPTIONS was counted: %v", n)
	}
}

func TestMethods(t *testing.T) {
	w := newWorld(t, nil)
	for method, want := range map[string]string{
		"GET": "GET", "HEAD": "HEAD", "POST": "POST", "PUT": "GET", "DELETE": "GET", "PATCH": "GET", "TRACE": "GET", "X-ODD": "GET",
	} {
		for _, target := range []string{"/api/search?key=open", "/api/status", "/", "/v1/map.js", "/app/main.js"} {
			if got := w.ask(method, target).Header().Get("X-Saw"); got != want+" "+target {
				t.Errorf("%s %s arrived as %s", method, target, got)
			}
		}
	}
}

// TestHeadHasNoBody over a real connection.
func TestHeadHasNoBody(t *testing.T) {
	w := newWorld(t, nil)
	srv := httptest.NewServer(w.next)
	defer srv.Close()
	for target, status := range map[string]int{"/api/search": 401, "/api/usage?key=quota": 200} {
		resp, err := http.Head(srv.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != status || resp.ContentLength < 10 {
			t.Errorf("HEAD %s: %d, length %d", target, resp.StatusCode, resp.ContentLength)
		}
	}
}

// FuzzRoute: no spelling of a path reaches a gated handler without a key, by the
// router's reading of it or by URL.Path.
func FuzzRoute(f *testing.F) {
	for _, s := range []string{"/api/search", "/api%2Fsearch", "/x/%2e%2e/api/search", "/api/v1/..%2fsearch", "//tiles/./1", "/api/v1/../../tiles//x", "*", "/%2F/api", "/api%2F.?", "/x/%2e%2e/api/%2e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := url.ParseRequestURI(raw)
		if err != nil || u.Host != "" || u.Path == "" {
			return
		}
		w := newWorldOnce(t)
		r := &http.Request{Method: "GET", URL: u, Host: "h", Header: http.Header{}, RequestURI: raw}
		rec := httptest.NewRecorder()
		w.ServeHTTP(rec, r.WithContext(t.Context()))
		if rec.Header().Get("X-Gated") != "" {
			t.Fatalf("%q reached %s without a key", raw, rec.Header().Get("X-Gated"))
		}
	})
}

// newWorldOnce is a strict gate without any valid key before a router that marks
// gated paths.
func newWorldOnce(t *testing.T) http.Handler {
	t.Helper()
	mux := http.NewServeMux()
	mark := func(rw http.ResponseWriter, r *http.Request) { rw.Header().Set("X-Gated", r.URL.Path) }
	for _, p := range []string{"/api/", "/tiles/", "/terrain/", "/fonts/", "/sprites/", "/styles/"} {
		mux.HandleFunc(p, mark)
	}
	mux.HandleFunc("/api/status", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/api/v1/", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/", func(rw http.ResponseWriter, r *http.Request) {
		for _, p := range []string{"/api/", "/tiles/", "/terrain/", "/fonts/", "/sprites/", "/styles/"} {
			if strings.HasPrefix(r.URL.Path, p) && !strings.HasPrefix(r.URL.Path, "/api/v1/") {
				mark(rw, r)
			}
		}
	})
	return New(Config{Keys: noKeys, Require: true}).Wrap(mux)
}

// FuzzQueryValue: the scan answers what url.ParseQuery would.
func FuzzQueryValue(f *testing.F) {
	for _, s := range []string{"key=a", "a=1;key=b&key=c", "%6bey=%zz&key=+x", "key&key=1", "&&=&key==", "key=%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if strings.Count(raw, "&") > 5000 {
			return // beyond the number of pairs that net/url reads
		}
		values, _ := url.ParseQuery(raw)
		if got, want := queryValue(raw, "key"), values.Get("key"); got != want {
			t.Fatalf("%q: %q, net/url says %q", raw, got, want)
		}
	})
}
