package search

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// fixed is an engine that answers every request alike.
type fixed struct {
	status int
	body   string
}

// RoundTrip implements http.RoundTripper.
func (x fixed) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: x.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(x.body)), Request: r}, nil
}

// FuzzAnswers: whatever an engine answers, what comes of it are pages of the web, no more than
// were asked for, each once, or an error of ours without the question and the key.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"results":[{"title":"A","url":"https://a.example/","content":"x"},{"url":"javascript:1"},{"url":"https://a.example/"},{"url":"http://b.example:99999/%zz"}]}`,
		`{"web":{"results":[{"title":"A","url":"https://a.example/","description":"x"},{"url":"https://"},{"url":" https://c.example"}]}}`,
		`{"results":{},"web":[]}`, `{"results":null,"web":null}`, `[]`, `null`, ``, "<html>secret question</html>", `{"results":[{"url":"https://user:pw@a.example/"},{"url":"//a.example"}]}`,
	} {
		f.Add(200, body)
		f.Add(403, body)
		f.Add(500, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		for _, s := range []Searcher{NewSearXNG("http://10.0.0.5:8888", fixed{status, body}), NewBrave("sk-secret", "", fixed{status, body})} {
			list, err := s.Search(context.Background(), "secret question", "uz", 3)
			var e *Error
			switch {
			case err == nil:
			case !errors.As(err, &e):
				t.Errorf("not ours: %v", err)
			case strings.Contains(err.Error(), "secret") || len(err.Error()) > 300:
				t.Errorf("it says too much: %v", err)
			}
			if err == nil && status != http.StatusOK || len(list) > 3 {
				t.Errorf("%d: %d results", status, len(list))
			}
			seen := map[string]bool{}
			for _, r := range list {
				u, err := url.Parse(r.URL)
				if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || seen[r.URL] {
					t.Errorf("%q is no page, or twice", r.URL)
				}
				seen[r.URL] = true
			}
		}
	})
}
