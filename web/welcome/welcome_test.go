package welcome

import (
	"context"
	"errors"
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
	return getWhile(t, "first_person", target, accept)
}

// getWhile asks for a page while sign-up is in that state; "" is one that cannot be read.
func getWhile(t *testing.T, state, target, accept string) *http.Response {
	t.Helper()
	h, err := New(Options{Log: slog.New(slog.DiscardHandler), Signup: func(context.Context) (string, error) {
		if state == "" {
			return "", errors.New("unreadable")
		}
		return state, nil
	}})
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
		{ResetPath + "?token=secret", "uz", "uz", "Yangi parol"},
		{EmailPath + "?token=secret", "en", "en", "Confirm your new address"},
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

// TestSignupSaysWhoMay: the page follows the state of sign-up (contract 21.1).
func TestSignupSaysWhoMay(t *testing.T) {
	for _, tt := range []struct {
		state, target, text string
		form                bool
	}{
		{"first_person", SignUpPath + "?setup_token=x", "firstText", true},
		{"first_person", SignUpPath, "firstLinkText", false},
		{"open", SignUpPath, "openText", true},
		{"open", SignUpPath + "?setup_token=x", "openText", true},
		{"closed", SignUpPath, "closedText", false},
		{"closed", SignUpPath + "?setup_token=x", "closedText", false},
	} {
		for _, lang := range languages {
			body, err := io.ReadAll(getWhile(t, tt.state, tt.target, lang).Body)
			if err != nil {
				t.Fatal(err)
			}
			text := string(body)
			for name := range map[string]bool{"firstText": true, "firstLinkText": true, "openText": true, "closedText": true} {
				if got := strings.Contains(text, words[lang][name]); got != (name == tt.text) {
					t.Errorf("%s, %s in %s: %s is %t", tt.state, tt.target, lang, name, got)
				}
			}
			if got := strings.Contains(text, "<form"); got != tt.form {
				t.Errorf("%s, %s: form %t", tt.state, tt.target, got)
			}
		}
	}
	if resp := getWhile(t, "", SignUpPath, "en"); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a state that cannot be read: %d", resp.StatusCode)
	}
}

func TestWordsAreWhole(t *testing.T) {
	for _, of := range []map[string]map[string]string{words, errorWords} {
		want := slices.Sorted(maps.Keys(of["en"]))
		for _, lang := range languages {
			if got := slices.Sorted(maps.Keys(of[lang])); !slices.Equal(got, want) {
				t.Errorf("%s has %v, want %v", lang, got, want)
			}
		}
	}
}
