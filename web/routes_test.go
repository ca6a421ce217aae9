package web

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestWhoOwnsAPath(t *testing.T) {
	s, _ := testServer(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "map") })
	tests := []struct {
		path, body, kind string
		code             int
	}{
		{"/health", `{"status":"ok"}` + "\n", "application/json; charset=utf-8", 200},
		{"/api/search", "map", "", 200},
		{"/api/geocode", "map", "", 200}, // the map's own handler answers its 404
		{"/api", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v1", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v1/contacts", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/v10", "map", "", 200},
		{"/api/../api/v1/x", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/api/search/../v1/x", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"//health", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/health/", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/index.html", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/console/", "404 not found\n", "text/plain; charset=utf-8", 404},
		{"/static/x", "404 not found\n", "text/plain; charset=utf-8", 404},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.URL.Path = tt.path
			w := do(s, r)
			if w.Code != tt.code || w.Body.String() != tt.body || (tt.kind != "" && w.Header().Get("Content-Type") != tt.kind) {
				t.Errorf("%d %q %s", w.Code, w.Body, w.Header().Get("Content-Type"))
			}
		})
	}
}

func TestWithoutAMapTheAPIIsNotFound(t *testing.T) {
	s, _ := testServer(nil)
	if w := do(s, httptest.NewRequest(http.MethodGet, "/api/search", nil)); w.Code != 404 {
		t.Errorf("status %d", w.Code)
	}
}

func TestHealthWhileStopping(t *testing.T) {
	s, _ := testServer(nil)
	s.drain.stop()
	w := do(s, httptest.NewRequest(http.MethodGet, "/health", nil))
	if w.Code != 503 || w.Body.String() != `{"status":"stopping"}`+"\n" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
}

func TestPage(t *testing.T) {
	s, _ := testServer(nil)
	w := do(s, httptest.NewRequest(http.MethodGet, "/", nil))
	page := w.Body.String()
	if w.Code != 200 || !strings.HasPrefix(page, "<!doctype html>") || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	policy := w.Header().Get("Content-Security-Policy")
	blocks := regexp.MustCompile(`(?s)<(?:script|style)[^>]*>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("%d inline blocks, want one script and one style", len(blocks))
	}
	for _, b := range blocks {
		sum := sha256.Sum256([]byte(b[1]))
		if hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, hash) {
			t.Errorf("the policy does not allow a block of the page: %s", policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	// The page works without any other file or host.
	if m := regexp.MustCompile(`(?i)(?:src|href)="(?:https?:|/)[^"]*"|style="|\bon[a-z]+="`).FindAllString(page, -1); m != nil {
		t.Errorf("the page refers to other files or has inline handlers: %q", m)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("If-None-Match", w.Header().Get("ETag"))
	if again := do(s, r); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("the same page again: %d with %d bytes", again.Code, again.Body.Len())
	}
}

// TestPageAnswersToTheDocsLink: refusals of the gate point at /#api-keys.
func TestPageAnswersToTheDocsLink(t *testing.T) {
	s, _ := testServer(nil)
	if page := do(s, httptest.NewRequest(http.MethodGet, "/", nil)).Body.String(); !strings.Contains(page, `id="api-keys"`) {
		t.Error("the page has no section api-keys")
	}
}
