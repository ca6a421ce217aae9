package wire

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/ai"
)

// TestPrivateAddresses: what stands in the service's own network is not called, by its address
// or by a name, unless that is meant; nor is it by a redirect (review H 34).
func TestPrivateAddresses(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/", http.StatusTemporaryRedirect)
		}
	}))
	defer s.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		_, err := Do(t.Context(), NewHTTP(false), Call{Method: http.MethodPost, URL: "http://" + host + ":" + port, Header: []string{"Authorization", "Bearer sk-secret"}})
		var e *ai.Error
		if !errors.As(err, &e) || e.Fault != ai.Unavailable || e.Reached || !strings.Contains(e.Detail, "private") || asked.Load() != 0 {
			t.Errorf("%s: %v, %d requests", host, err, asked.Load())
		}
	}
	for path, status := range map[string]int{"/": 200, "/away": 307} {
		asked.Store(0)
		if a, err := Do(t.Context(), NewHTTP(true), Call{Method: http.MethodGet, URL: s.URL + path}); err != nil || a.Status != status || asked.Load() != 1 {
			t.Errorf("%s: %+v %v, %d requests", path, a, err, asked.Load())
		}
	}
}

// TestRetryAfter: how long a provider asks to wait, in each way of saying it; never more than an
// hour, and nothing where it makes no sense.
func TestRetryAfter(t *testing.T) {
	begun := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	in := func(d time.Duration) string { return begun.Add(d).Format(http.TimeFormat) }
	for _, x := range []struct {
		header []string
		want   time.Duration
	}{
		{[]string{"Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", " 0.5 "}, 500 * time.Millisecond},
		{[]string{"Retry-After-Ms", "1500", "Retry-After", "7"}, 1500 * time.Millisecond},
		{[]string{"Retry-After-Ms", "soon", "Retry-After", "7"}, 7 * time.Second},
		{[]string{"Retry-After", in(20 * time.Second), "Date", in(0)}, 20 * time.Second}, // by its own clock
		{[]string{"Retry-After", in(-20 * time.Second), "Date", in(0)}, 0},
		{[]string{"Retry-After", "86400"}, time.Hour},
		{[]string{"Retry-After", "1e300"}, time.Hour},
		{[]string{"Retry-After", "Inf"}, time.Hour},
		{[]string{"Retry-After", "NaN"}, 0},
		{[]string{"Retry-After", "-3"}, 0},
		{[]string{"Retry-After", "later"}, 0},
		{nil, 0},
	} {
		h := http.Header{}
		for i := 0; i < len(x.header); i += 2 {
			h.Set(x.header[i], x.header[i+1])
		}
		if got := retryAfter(h); got != x.want {
			t.Errorf("%q: %s, want %s", x.header, got, x.want)
		}
	}
}

// TestAnswersAreBounded: more than MaxAnswer is read of no answer, whether or not it says how
// long it is.
func TestAnswersAreBounded(t *testing.T) {
	const piece = 64 << 10
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 2 * MaxAnswer / piece {
			if _, err := w.Write(make([]byte, piece)); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	a, err := Do(context.Background(), NewHTTP(true), Call{Method: http.MethodGet, URL: s.URL})
	if ai.FaultOf(err) != ai.BadOutput || len(a.Body) > 0 {
		t.Errorf("%d bytes, %v", len(a.Body), err)
	}
}

// FuzzReadError: whatever an error body says, reading it ends, and what is judged is a fault.
func FuzzReadError(f *testing.F) {
	for _, body := range []string{
		`{"error":{"code":"insufficient_quota","message":"x","type":"y","param":"z"}}`, `{"error":"text"}`, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}`,
		`{"detail":"text"}`, `{"message":"context length exceeded"}`, `{"error":null}`, `{"error":[]}`, `[]`, ``, `<html>`, `{"error":{"message":{"a":1}}}`,
	} {
		f.Add(400, []byte(body))
		f.Add(500, []byte(body))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		a := Answer{Status: status, Body: body}
		e := a.Fail(ReadError(body))
		if e.Fault.Sentence() == "" || len(e.Error()) > 400 || strings.ContainsAny(e.Error(), "\n<>") {
			t.Errorf("%v", e)
		}
	})
}
