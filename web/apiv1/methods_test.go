package apiv1

import (
	"strings"
	"testing"
)

// TestAllow: a path with other methods names them, whoever asks (contract 21.2).
func TestAllow(t *testing.T) {
	for _, tt := range []struct{ route, allow string }{
		{"DELETE /things", "GET, HEAD, POST, OPTIONS"},
		{"OPTIONS /things", "GET, HEAD, POST, OPTIONS"},
		{"PUT /public/opt-out/x", "GET, HEAD, POST, OPTIONS"},
		{"GET /auth/login", "POST, OPTIONS"},
		{"HEAD /auth/login", "POST, OPTIONS"},
		{"OPTIONS /openapi/openapi.json", "GET, HEAD, OPTIONS"},
		{"OPTIONS /nothing", ""},
		{"DELETE /nothing", ""},
		{"OPTIONS /", ""},
	} {
		f := setup(t)
		if got := f.do(t, tt.route, "").Header.Get("Allow"); got != tt.allow {
			t.Errorf("%s: Allow is %q, want %q", tt.route, got, tt.allow)
		}
	}
}

// TestWrongMethodTellsNothingElse: somebody unknown hears the same as everybody.
func TestWrongMethodTellsNothingElse(t *testing.T) {
	f := setup(t)
	var answers []string
	for _, as := range [][]string{nil, {"Authorization", "Bearer key"}, {"Authorization", "Bearer other"}} {
		resp := f.do(t, "DELETE /things", "{}", as...)
		answers = append(answers, resp.Status+read(t, resp))
	}
	if answers[0] != answers[1] || answers[1] != answers[2] {
		t.Errorf("%q", answers)
	}
	long := strings.Repeat("M", 5000)
	if body := read(t, f.do(t, long+" /things", "")); len(body) > 300 {
		t.Errorf("a method is repeated in %d bytes", len(body))
	}
}

const listed = "https://console.example.uz"

// TestCORS: pages of the listed origins may ask and read, no others (contract 21.2).
func TestCORS(t *testing.T) {
	for _, tt := range []struct {
		name, route, origin string
		asks                string // Access-Control-Request-Method
		mayRead             bool
		methods             string
	}{
		{"a page of a listed origin", "GET /things", listed, "", true, ""},
		{"however it writes itself", "GET /things", "https://CONSOLE.example.uz", "", true, ""},
		{"a refusal can be read too", "DELETE /things", listed, "", true, ""},
		{"one of what is not there too", "GET /nothing", listed, "", true, ""},
		{"a stream can be read too", "GET /stream", listed, "", true, ""},
		{"a preflight", "OPTIONS /things", listed, "POST", true, "GET, HEAD, POST, OPTIONS"},
		{"a preflight of nothing", "OPTIONS /nothing", listed, "POST", true, ""},
		{"no preflight", "OPTIONS /things", listed, "", true, ""},
		{"no page", "GET /things", "", "", false, ""},
		{"the public address needs none", "GET /things", "https://svc.example.uz", "", false, ""},
		{"another origin", "GET /things", "https://evil.example", "", false, ""},
		{"a lookalike", "GET /things", listed + ".evil.example", "", false, ""},
		{"another scheme", "GET /things", "http://console.example.uz", "", false, ""},
		{"none to speak of", "GET /things", "null", "", false, ""},
		{"a preflight of another origin", "OPTIONS /things", "https://evil.example", "POST", false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := setup(t)
			headers := []string{"Authorization", "Bearer key"}
			if tt.origin != "" {
				headers = append(headers, "Origin", tt.origin)
			}
			if tt.asks != "" {
				headers = append(headers, "Access-Control-Request-Method", tt.asks)
			}
			h := f.do(t, tt.route, "", headers...).Header
			origin, credentials := "", ""
			if tt.mayRead {
				origin, credentials = tt.origin, "true"
			}
			if h.Get("Access-Control-Allow-Origin") != origin || h.Get("Access-Control-Allow-Credentials") != credentials {
				t.Errorf("allowed: %q, with cookies: %q", h.Get("Access-Control-Allow-Origin"), h.Get("Access-Control-Allow-Credentials"))
			}
			if got := h.Get("Access-Control-Allow-Methods"); got != tt.methods {
				t.Errorf("methods: %q, want %q", got, tt.methods)
			}
			if (tt.methods != "") != strings.Contains(h.Get("Access-Control-Allow-Headers"), "Idempotency-Key") {
				t.Errorf("headers: %q", h.Get("Access-Control-Allow-Headers"))
			}
			for _, name := range []string{"X-Request-Id", "X-RateLimit-Remaining", "X-Svc-Ignored-Fields", "Idempotent-Replayed", "Retry-After"} {
				if tt.mayRead != strings.Contains(h.Get("Access-Control-Expose-Headers"), name) {
					t.Errorf("readable: %q", h.Get("Access-Control-Expose-Headers"))
				}
			}
			if h.Get("Vary") != "Origin" {
				t.Errorf("Vary: %q", h.Get("Vary"))
			}
		})
	}
}

// TestDocumentForEveryPage: the description is public, with cookies or without.
func TestDocumentForEveryPage(t *testing.T) {
	f := setup(t)
	if got := f.do(t, "GET /openapi/openapi.json", "").Header.Get("Access-Control-Allow-Origin"); got != "*" {
		t.Errorf("%q", got)
	}
	if got := f.do(t, "GET /openapi/openapi.json", "", "Origin", listed).Header.Get("Access-Control-Allow-Origin"); got != listed {
		t.Errorf("%q", got)
	}
}
