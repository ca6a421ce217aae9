package search

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// engine answers every request.
type engine struct {
	status int
	body   string
	asked  *http.Request
}

// RoundTrip implements http.RoundTripper.
func (e *engine) RoundTrip(r *http.Request) (*http.Response, error) {
	e.asked = r
	w := httptest.NewRecorder()
	w.WriteHeader(e.status)
	_, _ = w.WriteString(e.body)
	return w.Result(), nil
}

func TestSearXNG(t *testing.T) {
	e := &engine{status: 200, body: `{"results":[{"title":"A","url":"https://a.example/","content":"x"},{"url":"javascript:1"},{"url":"https://a.example/"},{"url":"https://b.example/"}]}`}
	list, err := NewSearXNG("http://10.0.0.5:8888/", e).Search(t.Context(), "gul  narxi", "uz", 5)
	if err != nil || len(list) != 2 || list[0].Title != "A" || list[1].URL != "https://b.example/" {
		t.Errorf("%+v, %v", list, err)
	}
	if got := e.asked.URL.String(); got != "http://10.0.0.5:8888/search?format=json&language=uz&pageno=1&q=gul+narxi" {
		t.Error(got)
	}
	e.status = http.StatusForbidden
	_, err = NewSearXNG("http://10.0.0.5:8888", e).Search(t.Context(), "secret question", "", 5)
	if err == nil || !strings.Contains(err.Error(), "search.formats") || strings.Contains(err.Error(), "secret") {
		t.Errorf("a default installation: %v", err)
	}
}

func TestBrave(t *testing.T) {
	e := &engine{status: 200, body: `{"web":{"results":[{"title":"A","url":"https://a.example/","description":"x"}]}}`}
	list, err := NewBrave("secret-key", "", e).Search(t.Context(), "gul", "ru", 50)
	if err != nil || len(list) != 1 || list[0].Text != "x" {
		t.Errorf("%+v, %v", list, err)
	}
	if e.asked.URL.Query().Get("count") != "20" || e.asked.Header.Get("X-Subscription-Token") != "secret-key" || e.asked.URL.Host != "api.search.brave.com" {
		t.Errorf("asked %s", e.asked.URL)
	}
	e.status = http.StatusUnauthorized
	if _, err := NewBrave("secret-key", "", e).Search(t.Context(), "gul", "", 1); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a wrong key: %v", err)
	}
	e.status, e.body = 200, "<html>"
	if _, err := NewBrave("k", "", e).Search(t.Context(), "gul", "", 1); err == nil {
		t.Error("a page was an answer")
	}
	if _, err := (None{}).Search(t.Context(), "gul", "", 1); !errors.Is(err, ErrNotConfigured) {
		t.Error(err)
	}
}
