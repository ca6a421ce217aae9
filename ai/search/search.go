// Package search asks search engines of the web, each behind the same interface.
//
// It promises one request a search, bounded in time and size, and that its errors hold
// neither keys nor questions. It refuses to fetch what was found (package web does).
package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Result is a page that an engine knows.
type Result struct {
	Title, URL, Text string
}

// Searcher asks an engine.
type Searcher interface {
	// Search answers at most n pages; lang is uz, ru, en, or "" for any.
	Search(ctx context.Context, question, lang string, n int) ([]Result, error)
}

// ErrNotConfigured is the answer where there is no engine.
var ErrNotConfigured = errors.New("no search engine is configured: set searxng-url or brave-api-key")

// None is no engine.
type None struct{}

// Search implements Searcher.
func (None) Search(context.Context, string, string, int) ([]Result, error) {
	return nil, ErrNotConfigured
}

// Bounds of a search.
const (
	maxAnswer   = 4 << 20
	maxTime     = 20 * time.Second
	maxResults  = 20
	maxQuestion = 400
)

// Error is why an engine did not answer. Hint is a sentence for whoever runs it.
type Error struct {
	Status int
	Hint   string
	Cause  error
}

// Error implements error.
func (e *Error) Error() string {
	s := fmt.Sprintf("the search engine answered %d", e.Status)
	if e.Status == 0 {
		s = "the search engine was not reached"
	}
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// client is what engines share.
func client(rt http.RoundTripper) *http.Client {
	if rt == nil {
		rt = &http.Transport{Proxy: nil, ForceAttemptHTTP2: true, TLSHandshakeTimeout: maxTime / 2, MaxIdleConns: 4, IdleConnTimeout: 30 * time.Second}
	}
	return &http.Client{Transport: rt, Timeout: maxTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func get(ctx context.Context, c *http.Client, address string, header map[string]string, into any, hint func(status int) string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return &Error{Hint: "its address is none"}
	}
	r.Header.Set("Accept", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	res, err := c.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address, which has the question
		}
		return &Error{Cause: err}
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	switch {
	case err != nil:
		return &Error{Cause: err}
	case res.StatusCode != http.StatusOK:
		return &Error{Status: res.StatusCode, Hint: hint(res.StatusCode)}
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &Error{Status: res.StatusCode, Hint: "that is no JSON", Cause: err}
	}
	return nil
}

func question(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > maxQuestion {
		s = string(r[:maxQuestion])
	}
	return s
}

// keep leaves at most n results that name pages of the web, each once.
func keep(list []Result, n int) []Result {
	var out []Result
	seen := map[string]bool{}
	for _, r := range list {
		u, err := url.Parse(r.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || seen[r.URL] {
			continue
		}
		seen[r.URL] = true
		if out = append(out, r); len(out) == min(max(n, 1), maxResults) {
			break
		}
	}
	return out
}

// SearXNG is an installation of that engine.
type SearXNG struct {
	base string
	http *http.Client
}

// NewSearXNG makes the client of an installation, which may lie in the service's own network:
// whoever runs the service named it. rt replaces the network; nil: the network.
func NewSearXNG(base string, rt http.RoundTripper) *SearXNG {
	return &SearXNG{strings.TrimSuffix(base, "/"), client(rt)}
}

// Search implements Searcher.
func (s *SearXNG) Search(ctx context.Context, q, lang string, n int) ([]Result, error) {
	v := url.Values{"q": {question(q)}, "format": {"json"}, "pageno": {"1"}}
	if lang != "" {
		v.Set("language", lang)
	}
	var answer struct {
		Results []struct{ Title, URL, Content string }
	}
	err := get(ctx, s.http, s.base+"/search?"+v.Encode(), nil, &answer, func(status int) string {
		if status == http.StatusForbidden {
			return "it gives no JSON; put json beside html into search.formats of its settings.yml"
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	list := make([]Result, len(answer.Results))
	for i, r := range answer.Results {
		list[i] = Result{r.Title, r.URL, r.Content}
	}
	return keep(list, n), nil
}

// Brave is the engine of that name.
type Brave struct {
	base, key string
	http      *http.Client
}

const braveURL = "https://api.search.brave.com"

// NewBrave makes a client with a key. base and rt replace the address and the network for
// tests; "" and nil: the real ones.
func NewBrave(key, base string, rt http.RoundTripper) *Brave {
	if base == "" {
		base = braveURL
	}
	return &Brave{base, key, client(rt)}
}

// Search implements Searcher.
func (b *Brave) Search(ctx context.Context, q, lang string, n int) ([]Result, error) {
	v := url.Values{"q": {question(q)}, "count": {strconv.Itoa(min(max(n, 1), maxResults))}}
	if lang == "en" || lang == "ru" { // it knows no Uzbek
		v.Set("search_lang", lang)
	}
	var answer struct {
		Web struct {
			Results []struct{ Title, URL, Description string }
		}
	}
	err := get(ctx, b.http, b.base+"/res/v1/web/search?"+v.Encode(), map[string]string{"X-Subscription-Token": b.key}, &answer, func(status int) string {
		if status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusUnprocessableEntity {
			return "look at brave-api-key"
		}
		return ""
	})
	if err != nil {
		return nil, err
	}
	list := make([]Result, len(answer.Web.Results))
	for i, r := range answer.Web.Results {
		list[i] = Result{r.Title, r.URL, r.Description}
	}
	return keep(list, n), nil
}
