package welcome

import (
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func get(t *testing.T, target, accept string) *http.Response {
	t.Helper()
	h, err := New(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	r.Header.Set("Accept-Language", accept)
	if !h.Owns(r.URL.Path) {
		t.Fatalf("%s is not its own", target)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestPages(t *testing.T) {
	for _, tt := range []struct{ target, accept, lang, title string }{
		{SignUpPath + "?setup_token=x", "", "uz", "Roʻyxatdan oʻtish"},
		{SignUpPath, "ru-RU,ru;q=0.9", "ru", "Регистрация"},
		{SignUpPath, "en-GB", "en", "Sign up"},
		{SignUpPath + "?lang=en", "ru", "en", "Sign up"},
		{SignUpPath + "?lang=xx", "fr", "uz", "Roʻyxatdan oʻtish"},
		{InvitationPath + "?token=secret", "ru", "ru", "Приглашение"},
	} {
		resp := get(t, tt.target, tt.accept)
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		text := string(body)
		if !strings.Contains(text, `<html lang="`+tt.lang+`">`) || !strings.Contains(text, "<title>"+tt.title) {
			t.Errorf("%s for %q: %s", tt.target, tt.accept, text)
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s repeats the token", tt.target)
		}
		h := resp.Header
		if h.Get("Cache-Control") != "no-store" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: %v", tt.target, h)
		}
	}
	for _, name := range []string{"welcome.css", "welcome.js"} {
		if resp := get(t, assetsPath+name, ""); resp.StatusCode != 200 || resp.Header.Get("ETag") == "" {
			t.Errorf("%s: %d %v", name, resp.StatusCode, resp.Header)
		}
	}
}

func TestWordsAreWhole(t *testing.T) {
	want := slices.Sorted(maps.Keys(words["en"]))
	for _, lang := range languages {
		if got := slices.Sorted(maps.Keys(words[lang])); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", lang, got, want)
		}
	}
}
