package photo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR the rest of a picture")

// hosts is a fake of both hosts in one server: it answers with the shapes that
// the real ones answer with, and fails as it is told.
type hosts struct {
	*httptest.Server
	mu                  sync.Mutex // for a change between two calls
	claims, info, image func(w http.ResponseWriter, r *http.Request)
	calls               atomic.Int64
}

// answerClaims changes what the entity database answers from now on.
func (h *hosts) answerClaims(f func(http.ResponseWriter, *http.Request)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.claims = f
}

func newHosts(t *testing.T) *hosts {
	t.Helper()
	h := &hosts{}
	mux := http.NewServeMux()
	count := func(f *func(http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			h.calls.Add(1)
			h.mu.Lock()
			answer := *f
			h.mu.Unlock()
			answer(w, r)
		}
	}
	mux.HandleFunc("/entity", count(&h.claims))
	mux.HandleFunc("/image", count(&h.info))
	mux.HandleFunc("/bytes/", count(&h.image))
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	h.claims = say(`{"claims":{"P18":[{"mainsnak":{"snaktype":"value","property":"P18","datavalue":{"value":"Registan square.jpg","type":"string"}},"type":"statement","rank":"normal"}]}}`)
	h.info = say(h.infoBody(""))
	h.image = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(png)
	}
	return h
}

func (h *hosts) infoBody(meta string) string {
	if meta == "" {
		meta = `{"Artist":{"value":"<a href=\"//host.example/User:A\" title=\"x > y\">Anna&nbsp;&amp; <b>Bo</b></a>","source":"commons-desc-page"},"LicenseShortName":{"value":"CC BY-SA 4.0"},"LicenseUrl":{"value":"https://creativecommons.org/licenses/by-sa/4.0"}}`
	}
	return `{"batchcomplete":true,"query":{"pages":[{"pageid":1,"ns":6,"title":"File:Registan square.jpg","imageinfo":[{"size":9,"width":4000,"height":3000,"thumburl":"` +
		h.URL + `/bytes/960px.png","thumbwidth":960,"url":"` + h.URL + `/bytes/full.png","descriptionurl":"https://host.example/wiki/File:Registan_square.jpg","mime":"image/jpeg","extmetadata":` + meta + `}]}]}}`
}

func say(body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func fail(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func hang(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func (h *hosts) client(t *testing.T, edit func(*Config)) *Client {
	t.Helper()
	cfg := Config{EntityBase: h.URL + "/entity", ImageBase: h.URL + "/image", CacheDir: t.TempDir()}
	if edit != nil {
		edit(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLookup(t *testing.T) {
	h := newHosts(t)
	var asked []string
	for _, f := range []*func(http.ResponseWriter, *http.Request){&h.claims, &h.info} {
		inner := *f
		*f = func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.Query().Get("entity")+r.URL.Query().Get("titles"))
			if r.UserAgent() != "svc test" {
				t.Errorf("user agent %q", r.UserAgent())
			}
			inner(w, r)
		}
	}
	c := h.client(t, func(c *Config) { c.UserAgent = "svc test" })
	got, err := c.Lookup(t.Context(), "Q269")
	if err != nil {
		t.Fatal(err)
	}
	want := &Photo{
		URL: "/api/photo/img/Q269.jpg", SourceURL: "https://host.example/wiki/File:Registan_square.jpg",
		Author: "Anna & Bo", License: "CC BY-SA 4.0", LicenseURL: "https://creativecommons.org/licenses/by-sa/4.0",
		Title: "Registan square.jpg", Width: 4000, Height: 3000,
		Attribution: "Anna & Bo · CC BY-SA 4.0 · Wikimedia Commons",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("photo (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Q269", "File:Registan square.jpg"}, asked); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

func TestPhotoFieldsInJSON(t *testing.T) {
	tests := []struct {
		name string
		in   Photo
		want string
	}{
		{"all", Photo{"u", "s", "a", "l", "lu", "t", 1, 2, "at"},
			`{"url":"u","source_url":"s","author":"a","license":"l","license_url":"lu","title":"t","width":1,"height":2,"attribution":"at"}`},
		{"least", Photo{}, `{"url":"","source_url":"","attribution":""}`},
	}
	for _, tt := range tests {
		got, err := json.Marshal(tt.in)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestLookupOutcomes is the row of map contract 14: none, unreachable and
// timed out are no photo; an error status or an unreadable answer is an error.
func TestLookupOutcomes(t *testing.T) {
	const none, failed = "none", "failed"
	claim := func(rank, snak, value string) string {
		return fmt.Sprintf(`{"rank":%q,"mainsnak":{"snaktype":%q,"datavalue":{"value":%s}}}`, rank, snak, value)
	}
	claims := func(list ...string) func(http.ResponseWriter, *http.Request) {
		return say(`{"claims":{"P18":[` + strings.Join(list, ",") + `]}}`)
	}
	tests := []struct {
		name string
		set  func(h *hosts)
		want string // none, failed or the title
	}{
		{"no image property", func(h *hosts) { h.claims = say(`{"claims":{}}`) }, none},
		{"claims as a list when empty", func(h *hosts) { h.claims = say(`{"claims":[]}`) }, none},
		{"no such entity", func(h *hosts) { h.claims = say(`{"error":{"code":"no-such-entity","info":"x"}}`) }, none},
		{"the database's own error", func(h *hosts) { h.claims = say(`{"error":{"code":"maxlag"}}`) }, failed},
		{"error status", func(h *hosts) { h.claims = fail(500) }, failed},
		{"refused by the host", func(h *hosts) { h.claims = fail(429) }, failed},
		{"wrong address", func(h *hosts) { h.claims = fail(404) }, failed},
		{"not JSON", func(h *hosts) { h.claims = say(`<html>`) }, failed},
		{"null", func(h *hosts) { h.claims = say(`null`) }, failed},
		{"empty", func(h *hosts) { h.claims = say(``) }, failed},
		{"endless", func(h *hosts) { h.claims = say(strings.Repeat(" ", maxAnswer+10)) }, failed},
		{"broken off", func(h *hosts) {
			h.claims = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, `{"claims"`)
			}
		}, failed},
		{"unreachable", func(h *hosts) { h.claims = hangUp }, none},
		{"deprecated only", func(h *hosts) { h.claims = claims(claim("deprecated", "value", `"a.jpg"`)) }, none},
		{"unknown value", func(h *hosts) { h.claims = claims(claim("normal", "somevalue", `null`)) }, none},
		{"a value that is no text", func(h *hosts) { h.claims = claims(claim("normal", "value", `{"id":1}`)) }, none},
		{"a name that asks for two", func(h *hosts) { h.claims = claims(claim("normal", "value", `"a|b"`)) }, none},
		{"file missing", func(h *hosts) { h.info = say(`{"query":{"pages":[{"title":"File:x","missing":true}]}}`) }, none},
		{"no pages", func(h *hosts) { h.info = say(`{"batchcomplete":true}`) }, none},
		{"pages of version 1", func(h *hosts) {
			h.info = say(`{"query":{"pages":{"7":{"title":"File:One.jpg","imageinfo":[{"url":"https://u.example/x.jpg","mime":"image/jpeg","extmetadata":[]}]}}}}`)
		}, "One.jpg"},
		{"pages of no shape", func(h *hosts) { h.info = say(`{"query":{"pages":7}}`) }, failed},
		{"a sound", func(h *hosts) {
			h.info = say(`{"query":{"pages":[{"title":"File:x.ogg","imageinfo":[{"url":"https://u.example/x.ogg","mime":"audio/ogg"}]}]}}`)
		}, none},
		{"an image at no web address", func(h *hosts) {
			h.info = say(`{"query":{"pages":[{"title":"File:x","imageinfo":[{"url":"file:///etc/passwd","mime":"image/png"}]}]}}`)
		}, none},
		{"the store's own error", func(h *hosts) { h.info = say(`{"error":{"code":"x"}}`) }, failed},
		{"the store's error status", func(h *hosts) { h.info = fail(503) }, failed},
		{"the store is unreachable", func(h *hosts) { h.info = hangUp }, none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHosts(t)
			tt.set(h)
			got, err := h.client(t, nil).Lookup(t.Context(), "Q1")
			state := none
			switch {
			case err != nil:
				state = failed
				if strings.Contains(err.Error(), "127.0.0.1") {
					t.Errorf("the error names an address: %v", err)
				}
			case got != nil:
				state = got.Title
			}
			if state != tt.want {
				t.Errorf("got %s (%v), want %s", state, err, tt.want)
			}
		})
	}
}

func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func TestPreferredClaimWins(t *testing.T) {
	file, err := parseClaims([]byte(`{"claims":{"P18":[
		{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"value":"a.jpg"}}},
		{"rank":"preferred","mainsnak":{"snaktype":"value","datavalue":{"value":"b.jpg"}}},
		{"rank":"normal","mainsnak":{"snaktype":"value","datavalue":{"value":"c.jpg"}}}]}}`))
	if file != "b.jpg" || err != nil {
		t.Errorf("got %q, %v", file, err)
	}
}

func TestBadEntity(t *testing.T) {
	h := newHosts(t)
	c := h.client(t, nil)
	for _, qid := range []string{"", "Q", "q1", "Q1x", "P1", " Q1", "Q1\n", "Q١", "../Q1", "Q1|Q2"} {
		if _, err := c.Lookup(t.Context(), qid); !errors.Is(err, ErrBadEntity) {
			t.Errorf("Lookup(%q): %v", qid, err)
		}
		if _, _, _, err := c.Image(t.Context(), qid); !errors.Is(err, ErrBadEntity) {
			t.Errorf("Image(%q): %v", qid, err)
		}
	}
	long := "Q" + strings.Repeat("1", 300)
	if p, err := c.Lookup(t.Context(), long); p != nil || err != nil {
		t.Errorf("a long id: %v, %v", p, err)
	}
	if n := h.calls.Load(); n != 0 {
		t.Errorf("%d calls for ids that cannot have a photo", n)
	}
}

func TestAHostThatHangsCostsNoMoreThanTheBudget(t *testing.T) {
	h := newHosts(t)
	h.claims = hang
	c := h.client(t, nil)
	start := time.Now()
	got, err := c.Lookup(t.Context(), "Q1")
	if took := time.Since(start); got != nil || err != nil || took < Budget-time.Second || took > Budget+2*time.Second {
		t.Errorf("got %v, %v after %v; want no photo after %v", got, err, took, Budget)
	}
}

func TestLookupsAreJoinedAndLeaversHarmNobody(t *testing.T) {
	h := newHosts(t)
	release, arrived := make(chan struct{}), make(chan struct{}, 1)
	answer := h.claims
	h.claims = func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		answer(w, r)
	}
	c := h.client(t, nil)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		if p, err := c.Lookup(ctx, "Q1"); p != nil || err != nil {
			t.Errorf("the caller who left got %v, %v", p, err)
		}
	}()
	<-arrived // the first caller's question is on its way
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			if p, err := c.Lookup(t.Context(), "Q1"); p == nil || err != nil {
				t.Errorf("got %v, %v", p, err)
			}
		})
	}
	leave()
	<-left
	close(release)
	group.Wait()
	if n := h.calls.Load(); n != 2 {
		t.Errorf("%d calls, want 2: one a host", n)
	}
}

func TestImage(t *testing.T) {
	h := newHosts(t)
	now := time.Now().Truncate(time.Second)
	c := h.client(t, func(c *Config) { c.Clock = func() time.Time { return now } })
	for try := range 2 { // fetched, then from the cache
		f, kind, modified, err := c.Image(t.Context(), "Q1")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || !bytes.Equal(got, png) || kind != "image/png" || !modified.Equal(now) {
			t.Errorf("try %d: %q, %s, %v, %v", try, got, kind, modified, err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Errorf("seek: %v", err)
		}
		if err := f.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if n := h.calls.Load(); n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
}

func TestImageOutcomes(t *testing.T) {
	serve := func(kind string, body []byte) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(body)
		}
	}
	tests := []struct {
		name string
		set  func(h *hosts)
		none bool
	}{
		{"no photo", func(h *hosts) { h.claims = say(`{"claims":{}}`) }, true},
		{"gone", func(h *hosts) { h.image = fail(404) }, true},
		{"hangs up", func(h *hosts) { h.image = hangUp }, true},
		{"error status", func(h *hosts) { h.image = fail(500) }, false},
		{"HTML that says it is an image", func(h *hosts) { h.image = serve("image/png", []byte("<html>")) }, false},
		{"an image that says it is HTML", func(h *hosts) { h.image = serve("text/html", png) }, false},
		{"SVG", func(h *hosts) { h.image = serve("image/svg+xml", []byte("<svg onload=alert(1)>")) }, false},
		{"too large", func(h *hosts) { h.image = serve("image/png", append(png, make([]byte, maxImage)...)) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHosts(t)
			tt.set(h)
			_, _, _, err := h.client(t, nil).Image(t.Context(), "Q1")
			if err == nil || errors.Is(err, ErrNone) != tt.none {
				t.Errorf("got %v, want ErrNone: %v", err, tt.none)
			}
		})
	}
}

func TestWithoutACacheFolderItStillWorks(t *testing.T) {
	h := newHosts(t)
	c := h.client(t, func(c *Config) { c.CacheDir = "" })
	for range 2 {
		if p, err := c.Lookup(t.Context(), "Q1"); p == nil || err != nil {
			t.Errorf("got %v, %v", p, err)
		}
	}
	if f, _, _, err := c.Image(t.Context(), "Q1"); err != nil {
		t.Error(err)
	} else {
		_ = f.Close()
	}
}
