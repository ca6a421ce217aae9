package console

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	embedded "svc/embed/console"
)

func serve(t *testing.T, c Config, path string) *http.Response {
	t.Helper()
	c.Log = slog.New(slog.DiscardHandler)
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

var built = fstest.MapFS{
	"index.html":          {Data: []byte("<!doctype html>shell")},
	"placeholder.html":    {Data: []byte("placeholder")},
	"assets/main-0a1b.js": {Data: []byte("run()")},
}

func TestAnyPathIsTheShell(t *testing.T) {
	for _, path := range []string{"/console/", "/console/recipients", "/console/recipients/rcp_1?tab=messages", "/console/index.html", "/console/a.b/c.js"} {
		resp := serve(t, Config{Files: built}, path)
		if body := text(t, resp); resp.StatusCode != http.StatusOK || body != "<!doctype html>shell" {
			t.Errorf("%s: %d %s", path, resp.StatusCode, body)
		}
		h := resp.Header
		if h.Get("Cache-Control") != "no-cache" || h.Get("ETag") == "" || h.Get("X-Frame-Options") != "DENY" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestThePolicyRunsNoForeignScript(t *testing.T) {
	csp := serve(t, Config{Files: built}, Root).Header.Get("Content-Security-Policy")
	directives := map[string]string{}
	for d := range strings.SplitSeq(csp, "; ") {
		name, value, _ := strings.Cut(d, " ")
		directives[name] = value
	}
	for name, want := range map[string]string{
		"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'", "frame-ancestors": "'none'", "base-uri": "'none'", "form-action": "'none'",
	} {
		if directives[name] != want {
			t.Errorf("%s is %q, want %q", name, directives[name], want)
		}
	}
	if strings.Contains(csp, "eval") || strings.Contains(csp, "http") || strings.Contains(csp, "*") {
		t.Errorf("the policy is too wide: %s", csp)
	}
}

func TestAssetsStay(t *testing.T) {
	resp := serve(t, Config{Files: built}, "/console/assets/main-0a1b.js")
	if body := text(t, resp); body != "run()" || resp.Header.Get("Cache-Control") != keepForever || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/javascript") {
		t.Errorf("%s %v", body, resp.Header)
	}
	// A page of another version asks for a file that is gone: no HTML as a script.
	if resp := serve(t, Config{Files: built}, "/console/assets/main-9z9z.js"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a file of another version: %d", resp.StatusCode)
	}
}

func TestEnter(t *testing.T) {
	resp := serve(t, Config{Files: built}, "/console?lang=uz")
	if at := resp.Header.Get("Location"); resp.StatusCode != http.StatusPermanentRedirect || at != "/console/?lang=uz" {
		t.Errorf("%d %s", resp.StatusCode, at)
	}
}

func TestWithoutABuildItSaysHow(t *testing.T) {
	only := fstest.MapFS{}
	data, err := embedded.Files().Open("placeholder.html")
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(data)
	if err != nil {
		t.Fatal(err)
	}
	only["placeholder.html"] = &fstest.MapFile{Data: page}
	resp := serve(t, Config{Files: only}, "/console/recipients")
	if body := text(t, resp); !strings.Contains(body, embedded.Command) {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}

func TestDevelopmentServer(t *testing.T) {
	vite := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "vite "+r.URL.Path)
	}))
	defer vite.Close()
	if body := text(t, serve(t, Config{Dev: vite.URL}, "/console/src/main.tsx")); body != "vite /console/src/main.tsx" {
		t.Error(body)
	}
	vite.Close()
	resp := serve(t, Config{Dev: vite.URL}, "/console/")
	if body := text(t, resp); resp.StatusCode != http.StatusBadGateway || !strings.Contains(body, "npm run dev") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
}
