package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAnEscapedQueryInThePathIsNotLogged: a client that escapes the "?" of its
// address sends the query as a part of the path.
func TestAnEscapedQueryInThePathIsNotLogged(t *testing.T) {
	for _, target := range []string{
		"/api/search%3Fq=my+home%26key=topsecret", "/api/search&key=topsecret", "/api/search;key=topsecret",
		"/api/key=topsecret/search", "/api/v1/x%3Fkey%3Dtopsecret", "/%3Fkey%3Dtopsecret",
	} {
		for name, h := range map[string]http.HandlerFunc{
			"answered": func(http.ResponseWriter, *http.Request) {},
			"panic":    func(http.ResponseWriter, *http.Request) { panic("boom") },
		} {
			s, log := testServer(h)
			do(s, httptest.NewRequest(http.MethodGet, target, nil))
			if l := log.String(); strings.Contains(l, "topsecret") || strings.Contains(l, "home") || !strings.Contains(l, `"path":"/`) {
				t.Errorf("%s, %s: %s", target, name, l)
			}
		}
	}
}

// TestAKeyAsASegmentIsNotLogged: others put the key into the path itself.
func TestAKeyAsASegmentIsNotLogged(t *testing.T) {
	const key = "0123456789abcdef0123456789ABCDEF"
	for target, want := range map[string]string{
		"/api/search/" + key: "/api/search/(hidden)",
		"/api/v1/public/opt-out/01kqfxa2d0t9v2n8m5c7b3k1hj01kqfxa2d0t9v2n8m5c7b3k1hkAbC-_9": "/api/v1/public/opt-out/(hidden)",
		"/o/AWPvqKgaZ5V3xH0m1nQkTwFj76ioGmeVd8R9JtZ5pE8Bc2Yx4LmN-_9a":                       "/o/(hidden)",
		"/api/v1/recipients/rcp_01kqfxa2d0t9v2n8m5c7b3k1hj":                                 "/api/v1/recipients/rcp_01kqfxa2d0t9v2n8m5c7b3k1hj",
		"/" + key + "/api/place/1":                                                          "/(hidden)/api/place/1",
		"/api/place/" + key + ".json":                                                       "/api/place/(hidden)",
		"/api/place/" + key + "?x=1":                                                        "/api/place/(hidden)",
		"/fonts/" + key[:31] + "/0-255.pbf":                                                 "/fonts/" + key[:31] + "/0-255.pbf",
		"/fonts/noto_sans_regular,noto_sans_bold/0-255.pbf":                                 "/fonts/noto_sans_regular,noto_sans_bold/0-255.pbf",
	} {
		s, log := testServer(nil)
		do(s, httptest.NewRequest(http.MethodGet, target, nil))
		if l := log.String(); strings.Contains(l, key) || !strings.Contains(l, `"path":"`+want+`"`) {
			t.Errorf("%s: %s", target, l)
		}
	}
}

// TestAKeyInThePathIsNotLogged: whatever shape it has, and however the path is written.
func TestAKeyInThePathIsNotLogged(t *testing.T) {
	for target, want := range map[string]string{
		"/k/topsecret/nominatim/search":                "/k/(hidden)/nominatim/search",
		"/k/topsecret/photon/api?q=x":                  "/k/(hidden)/photon/api",
		"//k//topsecret/photon/api":                    "/k/(hidden)/photon/api",
		"/k%2Ftopsecret%2Fphoton%2Fapi":                "/k/(hidden)/photon/api",
		"/x/../k/./topsecret/photon/api":               "/k/(hidden)/photon/api",
		"/k/x/../topsecret/photon/api":                 "/k/(hidden)/photon/api",
		"/k/topsecret/../../photon/api":                "/photon/api",
		"/k/topsecret":                                 "/k/(hidden)",
		"/k/topsecret/":                                "/k/(hidden)",
		"/k/topsecret/api/search":                      "/k/(hidden)/api/search",
		"/k/topsecret%3Fq=x":                           "/k/(hidden)",
		"/k/0123456789abcdef0123456789abcdef/photon/x": "/k/(hidden)/photon/x",
		"/nominatim/search":                            "/nominatim/search",
		"/k":                                           "/k",
	} {
		for name, h := range map[string]http.HandlerFunc{
			"answered": func(http.ResponseWriter, *http.Request) {},
			"panic":    func(http.ResponseWriter, *http.Request) { panic("boom") },
		} {
			s, log := testServer(h)
			do(s, httptest.NewRequest(http.MethodGet, target, nil))
			if l := log.String(); strings.Contains(l, "secret") || strings.Contains(l, "0123456789abcdef") || !strings.Contains(l, `"path":"`+want+`"`) {
				t.Errorf("%s, %s: %s", target, name, l)
			}
		}
	}
}

// TestAPageFaultIsToldAsSuch reads behind the end of a mapped file.
func TestAPageFaultIsToldAsSuch(t *testing.T) {
	path, page := filepath.Join(t.TempDir(), "map"), os.Getpagesize()
	if err := os.WriteFile(path, make([]byte, 2*page), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := syscall.Mmap(int(f.Fd()), 0, 2*page, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(data) }()
	if err := os.Truncate(path, int64(page)); err != nil {
		t.Fatal(err)
	}
	s, log := testServer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200 + int(data[page])) })
	if w := do(s, httptest.NewRequest(http.MethodGet, "/api/place/1", nil)); w.Code != 500 {
		t.Errorf("status %d", w.Code)
	}
	if l := log.String(); !strings.Contains(l, "page fault: a mapped file is shorter than it was") {
		t.Errorf("log: %s", l)
	}
}
