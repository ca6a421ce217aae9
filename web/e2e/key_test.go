package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// refused lets the refusals pass that a test provokes.
func refused(status string) func(string) bool {
	return func(problem string) bool { return strings.HasPrefix(problem, status+" ") }
}

func TestPageAsksForAKey(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	keys, key := browsertest.Key(t)
	base := browsertest.Serve(t, "--map", browsertest.Map(t, ""), "--keys", keys, "--require-key")
	p := browsertest.Open(t, browsertest.Options{Allow: refused("401")})
	p.Goto(base + "/" + wilmington)
	p.Wait("document.querySelector('dialog[open]')")
	p.Shot("key")
	p.Type("#key-field", "0123456789abcdef0123456789abcdef\n")
	p.Wait("/does not know this key/.test(document.querySelector('#key-note').textContent)")
	p.Shot("key-wrong")
	p.Accessible()
	p.Type("#key-field", key+"\n") // what stood there is selected and goes
	p.Wait("!document.querySelector('dialog')")
	p.WaitDrawn(drawn)
	p.Clean()

	p.Goto(base + "/" + wilmington + "&again=1")
	p.Wait(ready)
	p.WaitDrawn(drawn)
	if browsertest.Eval[bool](p, "Boolean(document.querySelector('dialog'))") {
		t.Error("the key was not remembered")
	}
	if browsertest.Eval[bool](p, fmt.Sprintf("location.href.includes(%q)", key)) {
		t.Error("the key stands in the address, which people share")
	}
	p.Clean()
}

// elsewhere serves a page of another origin that uses the bundle as its
// documentation says.
func elsewhere(t *testing.T, base, key, load string) string {
	t.Helper()
	page := fmt.Sprintf(`<!doctype html><html lang="en"><title>elsewhere</title>
<link rel="stylesheet" href="%[1]s/v1/map.css">
<div id="map" style="height: 400px"></div><div id="box"></div>
%[3]s
<script type="module">
const { Map, SvcMap } = { SvcMap: window.SvcMap, ...(window.SvcMap ? {} : await import('%[1]s/v1/map.js')) };
const m = window.map = new (SvcMap?.Map ?? Map)({ container: 'map', key: '%[2]s', lang: 'en', center: [-75.5484, 39.7447], zoom: 15 });
window.failures = [];
m.on('error', (e) => failures.push(e.error.status + ' ' + e.error.code + ': ' + e.error.message));
m.on('load', () => { window.loaded = true; });
m.on('place', (e) => { window.place = e.place.name; });
m.search.attach('#box');
</script>`, base, key, load)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, page)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// front is an address that is known before what it shows.
type front struct{ url, page string }

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target, err := url.Parse(f.page)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	f.url = s.URL
	return f
}

// TestBundleOnAnotherOrigin: a page of another origin uses the bundle with a key
// restricted to it, as a module and as a script; a third origin is refused.
func TestBundleOnAnotherOrigin(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	sample := browsertest.Map(t, "")
	for _, tt := range []struct{ name, load string }{
		{"module", ""},
		{"script", `<script src="%s/v1/map.umd.js"></script>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// The key must know the page and the page the key: the address comes first.
			site := newFront(t)
			keys, key := browsertest.Key(t, site.url)
			base := browsertest.Serve(t, "--map", sample, "--keys", keys, "--require-key")
			load := tt.load
			if load != "" {
				load = fmt.Sprintf(load, base)
			}
			site.page = elsewhere(t, base, key, load)

			p := browsertest.Open(t, browsertest.Options{Small: true, Allow: func(s string) bool { return s == "404 /favicon.ico" }})
			p.Goto(site.url)
			p.Wait("window.loaded")
			p.WaitDrawn(drawn)
			p.Type("#box input", "wilmington\n")
			p.Wait("/Wilmington/.test(window.place)")
			p.Wait("document.querySelector('.svc-card')")
			p.Shot("elsewhere-" + tt.name)
			p.Clean()

			third := browsertest.Open(t, browsertest.Options{Small: true, Allow: func(s string) bool {
				return strings.HasPrefix(s, "403 ") || s == "404 /favicon.ico"
			}})
			third.Goto(site.page) // the same page at its own origin, which the key does not know
			// It says why: to the program, and to whoever looks at the page.
			third.Wait("window.failures?.length")
			told := browsertest.Eval[string](third, "failures[0]")
			if !strings.HasPrefix(told, "403 forbidden: ") || !strings.Contains(told, "origin") {
				t.Errorf("the program is told %q", told)
			}
			third.Wait("/cannot be shown.*origin/.test(document.querySelector('#map .svc-notice')?.textContent)")
			third.Accessible()
			third.Shot("refused-" + tt.name)
			third.Type("#box input", "wilmington\n")
			third.Wait("/origin/.test(document.querySelector('#box .svc-search-note').textContent)")
			if browsertest.Eval[bool](third, "Boolean(window.loaded || window.place)") {
				t.Error("a refused page got a map or a place")
			}
			third.Clean()
		})
	}
}
