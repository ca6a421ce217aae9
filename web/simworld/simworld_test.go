package simworld

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"svc/messenger/platform/sim"
	"svc/messenger/platform/sim/calendar"
	"svc/messenger/platform/sim/video"
)

// pages are the consent pages of all networks and of the calendar.
func pages() []string {
	ask := func(path, client string) string {
		return path + "?" + url.Values{
			"client_id": {client}, "redirect_uri": {"http://svc.example/back"}, "response_type": {"code"}, "state": {"s"}, "scope": {"a"},
			"code_challenge": {"c"}, "code_challenge_method": {"S256"},
		}.Encode()
	}
	return []string{
		ask(sim.PhotoConsent+"/oauth/authorize", sim.PhotoApp), ask(sim.PageConsent+"/"+sim.Version+"/dialog/oauth", sim.PageApp),
		ask(video.Consent+"/o/oauth2/v2/auth", video.App), ask(calendar.Consent+"/o/oauth2/v2/auth", calendar.ClientID),
	}
}

func demo(t *testing.T) http.Handler {
	t.Helper()
	world, err := sim.New(sim.Options{Demo: true, Log: slog.New(slog.DiscardHandler), Webhook: func() string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	return world.Handler()
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	return w
}

func TestEveryConsentPageIsReachedBelowTheService(t *testing.T) {
	signedIn := true
	h := Mount(demo(t), "/_sim", func(*http.Request) bool { return signedIn })
	for _, p := range pages() {
		if w := get(h, "/_sim"+p); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Allow access") {
			t.Errorf("%s: %d %s", p, w.Code, w.Body)
		}
	}
	signedIn = false
	for _, p := range pages() {
		if w := get(h, "/_sim"+p); w.Code != http.StatusSeeOther {
			t.Errorf("%s without a sign-in: %d", p, w.Code)
		}
	}
}

func TestEveryConsentPageIsGuardedOnOtherAddresses(t *testing.T) {
	h, token, err := Guard(demo(t), &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 9441})
	if err != nil || token == "" {
		t.Fatal(token, err)
	}
	for _, p := range pages() {
		if w := get(h, p); w.Code != http.StatusForbidden {
			t.Errorf("%s without the token: %d", p, w.Code)
		}
	}
}
