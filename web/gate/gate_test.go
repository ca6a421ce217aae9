package gate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/mapkey"
)

var noon = time.Date(2026, 11, 21, 12, 34, 56, 0, time.UTC)

const keyFile = `[
	{"key":"open","name":"Open"},
	{"key":"off","disabled":true},
	{"key":"site","origins":["https://a.example","https://*.b.example"]},
	{"key":"slow","rate_limit":1},
	{"key":"quota","name":"Quota","monthly_quota":2}]`

// world is a gate in front of a handler that answers what it was asked.
type world struct {
	*testing.T
	gate  *Gate
	meter *mapkey.Meter
	next  http.Handler
	seen  []string // product and outcome of each check
}

// newWorld makes one; edit may change the configuration.
func newWorld(t *testing.T, edit func(*Config)) *world {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, []byte(keyFile), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := mapkey.OpenKeys(path, mapkey.KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return noon }
	meter := mapkey.OpenMeter(filepath.Join(t.TempDir(), "usage.db"), mapkey.MeterOptions{Clock: clock})
	t.Cleanup(func() { _ = meter.Close(t.Context()) })
	w := &world{T: t, meter: meter}
	c := Config{
		Keys: keys, Require: true, Meter: meter, PublicURL: "https://maps.example/", Clock: clock,
		Observe: func(product, outcome string) { w.seen = append(w.seen, product+" "+outcome) },
	}
	if edit != nil {
		edit(&c)
	}
	w.gate = New(c)
	mux := http.NewServeMux()
	mux.Handle("/api/usage", w.gate.Usage())
	for _, p := range []string{"/", "/api/", "/api/search", "/api/place/{id}", "/api/status", "/api/v1/", "/tiles/", "/fonts/{stack}/{range}", "/v1/", "/app/", "/console/"} {
		mux.HandleFunc(p, func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("X-Pattern", p)
			rw.Header().Set("X-Saw", r.Method+" "+r.URL.RequestURI())
		})
	}
	w.next = w.gate.Wrap(mux)
	return w
}

// ask sends a request; headers are name, value, name, value.
func (w *world) ask(method, target string, headers ...string) *httptest.ResponseRecorder {
	w.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	w.next.ServeHTTP(rec, r)
	return rec
}

// counted is what has been metered of a key: product to requests and denied.
func (w *world) counted(key string) map[string][2]int64 {
	w.Helper()
	r, err := w.meter.Report(w.Context(), &mapkey.Holder{ID: mapkey.KeyID(key)}, mapkey.MonthWindow(noon), false, noon)
	if err != nil {
		w.Error(err)
	}
	out := map[string][2]int64{}
	for _, p := range r.Products {
		out[p.Product] = [2]int64{p.Requests, p.Denied}
	}
	return out
}

// TestRefusals is the table "Gate refusals", row by row.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		before  int // admitted requests of the same kind first
		target  string
		headers []string
		status  int
		text    string
		message string
	}{
		{0, "/api/search?q=a", nil, 401, "Unauthorized", "missing API key (pass the query parameter or the header)"},
		{0, "/api/search?key=nobody", nil, 401, "Unauthorized", "unknown API key"},
		{0, "/api/search?key=off", nil, 403, "Forbidden", "this API key is disabled"},
		{0, "/api/search?key=site", nil, 403, "Forbidden", "this API key is restricted to specific origins and the request sent none"},
		{0, "/api/search?key=site", []string{"Origin", "https://Evil.example/"}, 403, "Forbidden", "origin https://evil.example is not allowed for this API key"},
		{0, "/tiles/1/1/1.pbf?key=site", []string{"Referer", "https://evil.example:99/x"}, 403, "Forbidden", "origin https://evil.example:99 is not allowed for this API key"},
		{1, "/api/search?key=slow", nil, 429, "Too Many Requests", "rate limit exceeded"},
		{1, "/api/usage?key=slow", nil, 429, "Too Many Requests", "rate limit exceeded"},
	} {
		w := newWorld(t, nil)
		for range c.before {
			if rec := w.ask("GET", c.target, c.headers...); rec.Code != 200 {
				t.Errorf("%s: %d before the limit", c.target, rec.Code)
			}
		}
		rec := w.ask("GET", c.target, c.headers...)
		want := map[string]any{"error": c.text, "code": float64(c.status), "message": c.message, "docs": "https://maps.example/#api-keys"}
		checkRefusal(t, c.target, rec, c.status, want)
		for _, h := range []string{"Retry-After", "RateLimit-Limit", "RateLimit-Reset", "RateLimit-Remaining"} {
			if rec.Header().Get(h) != "" {
				t.Errorf("%s: %s is set", c.target, h)
			}
		}
	}
}

func checkRefusal(t *testing.T, what string, rec *httptest.ResponseRecorder, status int, want map[string]any) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatalf("%s: %v in %s", what, err, rec.Body)
	}
	if d := cmp.Diff(want, got); d != "" || rec.Code != status {
		t.Errorf("%s: %d %s", what, rec.Code, d)
	}
	h := rec.Header()
	if h.Get("Content-Type") != "application/json; charset=utf-8" || h.Get("Cache-Control") != "no-store" || h.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%s: headers %v", what, h)
	}
	if h.Get("X-Pattern") != "" {
		t.Errorf("%s: the handler ran", what)
	}
}

func TestQuotaRefusal(t *testing.T) {
	w := newWorld(t, nil)
	w.ask("GET", "/api/search?key=quota")
	w.ask("GET", "/tiles/1/1/1.pbf?key=quota")
	rec := w.ask("GET", "/api/route?key=quota")
	checkRefusal(t, "quota", rec, 429, map[string]any{
		"error": "Too Many Requests", "code": 429.0, "docs": "https://maps.example/#api-keys",
		"message": "monthly quota of 2 requests exhausted; it resets on 2026-12-01 (UTC)",
		"quota":   map[string]any{"limit": 2.0, "used": 2.0, "resets": "2026-12-01T00:00:00Z"},
	})
	wait := "818704" // from 21 November 12:34:56 to 1 December
	for name, want := range map[string]string{"Retry-After": wait, "RateLimit-Limit": "2", "RateLimit-Remaining": "0", "RateLimit-Reset": wait} {
		if got := rec.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if rec := w.ask("GET", "/api/usage?key=quota"); rec.Code != 200 || !strings.Contains(rec.Body.String(), `"remaining":0`) {
		t.Errorf("the report after the refusal: %d %s", rec.Code, rec.Body)
	}
	want := map[string][2]int64{"search": {1, 0}, "tiles": {1, 0}, "routing": {0, 1}}
	if d := cmp.Diff(want, w.counted("quota")); d != "" {
		t.Error(d)
	}
}

func TestSecondsUntilTheReset(t *testing.T) {
	for left, want := range map[time.Duration]int64{-time.Hour: 1, 0: 1, time.Nanosecond: 1, time.Second: 1, 1001 * time.Millisecond: 2, time.Hour: 3600} {
		if got := secondsUntil(noon.Add(left), noon); got != want {
			t.Errorf("%v before: %d, want %d", left, got, want)
		}
	}
}

// TestNotEnforced: checks run and are metered, nothing is refused.
func TestNotEnforced(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Require = false })
	for range 3 {
		for _, key := range []string{"", "nobody", "off", "site", "slow", "quota"} {
			if rec := w.ask("GET", "/api/search?key="+key); rec.Code != 200 {
				t.Errorf("key %q: %d", key, rec.Code)
			}
		}
	}
	for key, want := range map[string][2]int64{"off": {0, 3}, "site": {0, 3}, "slow": {1, 2}, "quota": {2, 1}, "nobody": {}, "": {}} {
		if got := w.counted(key)["search"]; got != want {
			t.Errorf("key %q counted %v, want %v", key, got, want)
		}
	}
}

func TestWithoutAKeyFileEverythingPasses(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Keys = nil })
	for _, target := range []string{"/api/search", "/api/search?key=off", "/tiles/1/1/1.pbf"} {
		if rec := w.ask("GET", target); rec.Code != 200 {
			t.Errorf("%s: %d", target, rec.Code)
		}
	}
}

func TestPresentingAKey(t *testing.T) {
	for _, c := range []struct {
		query, header string
		want          int
	}{
		{"key=open", "", 200},
		{"q=x&key=open&lang=uz", "", 200},
		{"", "open", 200},
		{"key=open", "nobody", 200},
		{"key=nobody", "open", 401}, // the parameter wins
		{"key=", "open", 200},       // an empty one is none
		{"key", "open", 200},
		{"key=nobody&key=open", "", 401}, // the first counts
		{"%6Bey=open", "", 200},
		{"key=%6Fpen", "", 200},
		{"key=%zz", "open", 200},    // a bad escape is no parameter
		{"a=1;key=open", "", 401},   // a semicolon does not separate
		{"key=open;a=1", "", 401},   //
		{"Key=open", "", 401},       // letters count
		{"key=open%20", "", 401},    // and so do spaces
		{"q=%zz&key=open", "", 200}, // a bad neighbour does not matter
		{"key=OPEN", "", 401},
	} {
		w := newWorld(t, nil)
		var headers []string
		if c.header != "" {
			headers = []string{"X-API-Key", c.header}
		}
		if rec := w.ask("GET", "/api/search?"+c.query, headers...); rec.Code != c.want {
			t.Errorf("query %q, header %q: %d, want %d", c.query, c.header, rec.Code, c.want)
		}
	}
}

func TestOriginInAMessageIsBounded(t *testing.T) {
	w := newWorld(t, nil)
	for _, origin := range []string{"https://" + strings.Repeat("ю", 5000), "https://a\"}<script>\x01", "https://\xff\xfe"} {
		rec := w.ask("GET", "/api/search?key=site", "Origin", origin)
		var body struct{ Message string }
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || rec.Code != 403 {
			t.Errorf("%d, %v", rec.Code, err)
		}
		if rec.Body.Len() > 600 {
			t.Errorf("a refusal of %d bytes", rec.Body.Len())
		}
	}
}

func TestObserve(t *testing.T) {
	w := newWorld(t, nil)
	w.ask("GET", "/api/search?key=open")
	w.ask("GET", "/tiles/1/1/1.pbf")
	w.ask("GET", "/api/usage?key=off")
	w.ask("GET", "/api/status")
	w.ask("OPTIONS", "/api/search")
	if d := cmp.Diff([]string{"search admitted", "tiles no_key", "meta disabled"}, w.seen); d != "" {
		t.Error(d)
	}
}

func TestBaseURL(t *testing.T) {
	for _, c := range []struct {
		public, host, proto, forwarded, want string
	}{
		{"https://maps.example/", "x", "http", "y", "https://maps.example"},
		{"", "maps.example:8080", "", "", "http://maps.example:8080"},
		{"", "inside", "https", "maps.example", "https://maps.example"},
		{"", "inside", "HTTPS, http", "maps.example, proxy", "https://maps.example"},
		{"", "inside", "javascript", "evil.example/\"><x", "http://inside"},
		{"", "a b", "", strings.Repeat("a", 300), "http://localhost"},
		{"", "[::1]:80", "", "", "http://[::1]:80"},
		{"", "inside", "", "[2001:db8::1]", "http://[2001:db8::1]"},
		{"", "inside", "", "xn--80a.example.", "http://xn--80a.example."},
		{"", "inside", "", "map_1.example:8443", "http://map_1.example:8443"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = c.host
		r.Header.Set("X-Forwarded-Proto", c.proto)
		r.Header.Set("X-Forwarded-Host", c.forwarded)
		if got := BaseURL(r, c.public); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for _, odd := range []string{
		"::::", "..", ".", ":80", "a..b", ".a", "a:", "a:b", "a:1:2", "a:70000", "a:0", "::1", "[]", "[::1", "[::1]x", "[::1]:", "[1.2.3.4]",
		"[fe80::1%25eth0]", "[[::1]]", "a]", strings.Repeat("a", 64) + ".example",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = odd
		r.Header.Set("X-Forwarded-Host", odd)
		if got := BaseURL(r, ""); got != "http://localhost" {
			t.Errorf("%q is no host: %q", odd, got)
		}
	}
	r := httptest.NewRequest("GET", "https://maps.example/", nil)
	if got := BaseURL(r, ""); got != "https://maps.example" {
		t.Errorf("TLS: %q", got)
	}
}
