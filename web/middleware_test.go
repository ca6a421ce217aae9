package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"svc/geo/live"
)

// testServer is a Server with h as the map, and its log.
func testServer(h http.HandlerFunc) (*Server, *safeBuffer) {
	log := &safeBuffer{}
	c := Config{Log: NewLogger(log), Metrics: NewMetrics("test")}
	if h != nil {
		c.Map = h
	}
	return New(c), log
}

func do(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestRequestID(t *testing.T) {
	tests := []struct {
		name, sent string
		kept       bool
	}{
		{"none", "", false},
		{"plain", "abc-DEF_1.2", true},
		{"longest", strings.Repeat("a", 128), true},
		{"too long", strings.Repeat("a", 129), false},
		{"space", "a b", false},
		{"line break", "a\nb", false},
		{"control", "a\x1bb", false},
		{"deleted", "a\x7fb", false},
		{"Cyrillic", "абв", false},
		{"of a load balancer", "Root=1-67891233-abcdef012345678912345678", true},
		{"colon", "a:b", true},
		{"path", "req/1", true},
		{"guid", "{3f2504e0-4f89-41d3-9a0c-0305e82c3301}", true},
		{"first and last", `!"<>&'\|~`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var inside string
			s, log := testServer(func(_ http.ResponseWriter, r *http.Request) { inside = RequestID(r.Context()) })
			r := httptest.NewRequest(http.MethodGet, "/api/search", nil)
			r.Header.Set("X-Request-Id", tt.sent)
			got := do(s, r).Header().Get("X-Request-Id")
			if (got == tt.sent) != tt.kept || !saneRequestID(got) {
				t.Errorf("answered %q", got)
			}
			var line struct {
				ID string `json:"request_id"`
			}
			if err := json.Unmarshal([]byte(log.String()), &line); err != nil || inside != got || line.ID != got {
				t.Errorf("handler saw %q, log %s", inside, log)
			}
		})
	}
	s, _ := testServer(nil)
	a := do(s, httptest.NewRequest(http.MethodGet, "/", nil)).Header().Get("X-Request-Id")
	b := do(s, httptest.NewRequest(http.MethodGet, "/", nil)).Header().Get("X-Request-Id")
	if a == b || a == "" {
		t.Errorf("made ids %q and %q", a, b)
	}
}

func TestAccessLineHoldsNoSecret(t *testing.T) {
	s, log := testServer(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "12345")
	})
	r := httptest.NewRequest(http.MethodGet, "/api/search?q=my+home&key=topsecret", nil)
	r.Header.Set("X-Api-Key", "othersecret")
	r.Header.Set("Referer", "https://acme.example/?key=thirdsecret")
	do(s, r)
	var line map[string]any
	if err := json.Unmarshal([]byte(log.String()), &line); err != nil {
		t.Fatalf("%v in %s", err, log)
	}
	for key, want := range map[string]any{
		"msg": "request", "method": "GET", "path": "/api/search", "status": 418.0, "bytes": 5.0, "remote": "192.0.2.1",
	} {
		if line[key] != want {
			t.Errorf("%s = %v, want %v", key, line[key], want)
		}
	}
	for _, secret := range []string{"secret", "home"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q in %s", secret, log)
		}
	}
}

func TestALongPathIsCutInTheLog(t *testing.T) {
	s, log := testServer(nil)
	do(s, httptest.NewRequest(http.MethodGet, "/"+strings.Repeat("x", 5000), nil))
	if n := len(log.String()); n > 600 {
		t.Errorf("a log line of %d bytes", n)
	}
}

func TestAPanicIsOneFailedRequest(t *testing.T) {
	s, log := testServer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		panic("boom")
	})
	r := httptest.NewRequest(http.MethodGet, "/api/place/1?key=topsecret", nil)
	r.Header.Set("X-Request-Id", "id-1")
	w := do(s, r)
	if w.Code != 500 || w.Body.String() != `{"error":"internal error"}`+"\n" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	h := w.Header()
	if h.Get("X-Request-Id") != "id-1" || h.Get("Content-Encoding") != "" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", h)
	}
	if l := log.String(); !strings.Contains(l, "boom") || !strings.Contains(l, `"status":500`) || strings.Contains(l, "topsecret") {
		t.Errorf("log %s", l)
	}
	if n := testutil.ToFloat64(s.c.Metrics.panics); n != 1 {
		t.Errorf("%v panics counted", n)
	}
}

func TestAPanicInTheMiddleOfAnAnswerHangsUp(t *testing.T) {
	s, _ := testServer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"half":`)
		panic("boom")
	})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	resp, err := http.Get(ts.URL + "/api/place/1")
	if err != nil {
		return // hung up before the header: nobody takes that for an answer
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("a whole answer: %q", body)
	}
}

// TestATruncatedMappedFileIsOneFailedRequest reads a memory-mapped file behind
// its end: without the middleware that signal ends the process.
func TestATruncatedMappedFileIsOneFailedRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "map")
	page := os.Getpagesize()
	if err := os.WriteFile(path, make([]byte, 4*page), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := syscall.Mmap(int(f.Fd()), 0, 4*page, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(data) }()
	if err := os.Truncate(path, int64(page)); err != nil {
		t.Fatal(err)
	}
	s, _ := testServer(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(data[3*page : 3*page+1])
		_, _ = w.Write([]byte{data[3*page]})
	})
	for range 2 {
		r := httptest.NewRequest(http.MethodGet, "/api/place/1", nil)
		s.c.Map = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if data[3*page] == 7 {
				t.Error("read behind the end of the file")
			}
		})
		if w := do(s, r); w.Code != 500 {
			t.Errorf("status %d", w.Code)
		}
	}
}

func TestStreamsCanFlush(t *testing.T) {
	s, _ := testServer(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Errorf("flush: %v", err)
		}
		<-r.Context().Done()
	})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	resp, err := http.Get(ts.URL + "/api/stream")
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	_ = resp.Body.Close()
	if line != "first\n" || err != nil {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestMetricLabelsAreASmallSet(t *testing.T) {
	for path, want := range map[string]string{
		"/": "page", "/health": "health", "/api/search": "search", "/api/place/7": "places", "/api/nothing": "other",
		"/api/v1/contacts": "none", "/wp-login.php": "none", "/tiles/1/2/3.pbf": "tiles", "/api/status": "meta",
	} {
		if got := productLabel(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

func TestIndexFigures(t *testing.T) {
	m := NewMetrics("1.2.3")
	var f indexFigures
	m.watchIndex(func() indexFigures { return f })
	check := func(want string) {
		t.Helper()
		err := testutil.GatherAndCompare(m.registry, strings.NewReader(want), "svc_index_entries", "svc_index_age_seconds")
		if err != nil {
			t.Error(err)
		}
	}
	text := func(entries, age string) string {
		return "# HELP svc_index_age_seconds Time since the served index was built; 0 without one.\n# TYPE svc_index_age_seconds gauge\nsvc_index_age_seconds " + age +
			"\n# HELP svc_index_entries Entries of the served index; 0 without one.\n# TYPE svc_index_entries gauge\nsvc_index_entries " + entries + "\n"
	}
	check(text("0", "0"))
	f = indexFigures{entries: 7, bytes: 100, age: 3600}
	check(text("7", "3600"))
}

func TestAServerWithoutAMapHasFiguresToo(t *testing.T) {
	m := NewMetrics("1.2.3")
	m.WatchMap(live.New("", 0, false, slog.New(slog.DiscardHandler), m), time.Now)
	if n, err := testutil.GatherAndCount(m.registry, "svc_index_entries", "svc_index_bytes", "svc_index_age_seconds"); n != 3 || err != nil {
		t.Errorf("%d figures, %v", n, err)
	}
}

func TestLoggerOnATerminalIsNotJSON(t *testing.T) {
	var b bytes.Buffer
	newLogger(&b, true).With("a", 1).WithGroup("g").Info("hello", slog.Int("b", 2))
	if json.Valid(b.Bytes()) || !strings.Contains(b.String(), "hello") {
		t.Errorf("got %q", b.String())
	}
}

// BenchmarkMiddleware prints what the middleware adds to every request.
func BenchmarkMiddleware(b *testing.B) {
	s := New(Config{
		Log: NewLogger(io.Discard), Metrics: NewMetrics("test"),
		Map: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
	})
	h := s.Handler()
	r := httptest.NewRequest(http.MethodGet, "/api/search?q=x", nil)
	w := httptest.NewRecorder()
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(w, r)
	}
}

// TestOnlyTrustedProxiesSayWhereARequestCame (contract 21.3, Hosts).
func TestOnlyTrustedProxiesSayWhereARequestCame(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:4000": " ", "10.0.0.1:4000": "maps.example https", "[::ffff:10.0.0.1]:4000": "maps.example https", "@": " ",
	} {
		got := ""
		s := New(Config{
			Log: slog.New(slog.DiscardHandler), Metrics: NewMetrics("test"), Trusted: netip.MustParsePrefix("10.0.0.0/8").Contains,
			Map: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				got = r.Header.Get("X-Forwarded-Host") + " " + r.Header.Get("X-Forwarded-Proto")
			}),
		})
		r := httptest.NewRequest(http.MethodGet, "/api/search", nil)
		r.RemoteAddr = remote
		r.Header.Set("X-Forwarded-Host", "maps.example")
		r.Header.Set("X-Forwarded-Proto", "https")
		s.Handler().ServeHTTP(httptest.NewRecorder(), r)
		if got != want {
			t.Errorf("%s: %q, want %q", remote, got, want)
		}
	}
}
