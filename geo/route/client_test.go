package route

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var here = Request{Points: []Point{{69.24, 41.31}, {69.29, 41.35}}, Mode: Car, Language: "en"}

// small is the engine's answer to a route of two points.
const small = `{"trip":{"legs":[{"maneuvers":[{"type":1,"instruction":"Go.","begin_shape_index":0,"end_shape_index":1},{"type":4,"instruction":"Stop.","begin_shape_index":1,"end_shape_index":1}],"summary":{},"shape":"????"}],"summary":{}}}`

func TestJoinsIdenticalRequests(t *testing.T) {
	var calls atomic.Int64
	release := make(chan struct{})
	s := engine(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		calls.Add(1)
		<-release
		_, _ = io.WriteString(w, small)
	})
	c := &Client{BaseURL: s.URL, Places: 100}
	var group sync.WaitGroup
	ask := func(language string) {
		group.Go(func() {
			r := here
			r.Language = language
			a, err := c.Route(context.Background(), r)
			if err != nil || a.Language != language {
				t.Errorf("%s: %+v, %v", language, a, err)
			}
		})
	}
	ask("en")
	waitFor(t, func() bool { return calls.Load() == 1 })
	for range 9 {
		ask("en")
		ask("de") // English text as well: the same call
	}
	waitFor(t, func() bool { return c.waiting() == 19 })
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Route(gone, here); err == nil {
		t.Error("a caller that left got an answer")
	}
	close(release)
	group.Wait()
	if calls.Load() != 1 {
		t.Errorf("%d calls, want one", calls.Load())
	}
	if _, err := c.Route(t.Context(), here); err != nil || calls.Load() != 2 {
		t.Errorf("afterwards: %v, %d calls: answers are joined, not kept", err, calls.Load())
	}
}

// waiting counts the callers of all calls.
func (c *Client) waiting() (n int) {
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	for _, f := range c.flights.by {
		n += f.waiting
	}
	return n
}

// waitFor polls; the test's own time limit bounds it.
func waitFor(t *testing.T, f func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("the test ended")
		}
	}
}

// TestLastCallerEndsTheCall: an engine must not work for nobody.
func TestLastCallerEndsTheCall(t *testing.T) {
	started, ended := make(chan struct{}), make(chan struct{})
	s := engine(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(started)
		<-r.Context().Done()
		close(ended)
	})
	c := &Client{BaseURL: s.URL}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.Route(ctx, here)
		done <- err
	}()
	<-started
	cancel()
	if err := <-done; err == nil || err.Error() != "routing engine unavailable: the request was given up" {
		t.Errorf("%v", err)
	}
	<-ended
	waitFor(t, func() bool { return c.waiting() == 0 && len(c.enter()) == 0 })
}

// TestFlights plays the joining by itself, on a clock of its own.
func TestFlights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g flights
		var runs atomic.Int64
		slow := func(ctx context.Context) (any, error) {
			runs.Add(1)
			select {
			case <-time.After(time.Second):
				return runs.Load(), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		first, leave := context.WithCancel(t.Context())
		results := make(chan error, 2)
		go func() { _, err := g.do(first, "k", time.Minute, slow); results <- err }()
		go func() { _, err := g.do(t.Context(), "k", time.Minute, slow); results <- err }()
		synctest.Wait()
		leave()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("who left got %v", err)
		}
		if err := <-results; err != nil || runs.Load() != 1 {
			t.Errorf("who stayed got %v after %d runs", err, runs.Load())
		}
		// The budget ends a call that somebody still waits for.
		begin := time.Now()
		if _, err := g.do(t.Context(), "k", 300*time.Millisecond, slow); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		// A call that was broken off is not joined by the next caller.
		gone, cancel := context.WithCancel(t.Context())
		stuck := func(ctx context.Context) (any, error) {
			<-ctx.Done()
			<-time.After(time.Second) // takes its time to end
			return nil, ctx.Err()
		}
		go func() { _, err := g.do(gone, "k", time.Minute, stuck); results <- err }()
		synctest.Wait()
		cancel()
		<-results
		if v, err := g.do(t.Context(), "k", time.Minute, slow); err != nil || v == nil {
			t.Errorf("after a broken call: %v, %v", v, err)
		}
		<-time.After(time.Minute)
		if len(g.by) != 0 {
			t.Errorf("%d calls are remembered", len(g.by))
		}
	})
}

// TestPlacesAreBounded: no more calls than places, and who finds none within the
// budget is told.
func TestPlacesAreBounded(t *testing.T) {
	var now, most atomic.Int64
	release := make(chan struct{})
	s := engine(t, func(w http.ResponseWriter, _ *http.Request) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		<-release
		now.Add(-1)
		_, _ = io.WriteString(w, small)
	})
	c := &Client{BaseURL: s.URL, Places: 3}
	ask := func(c *Client, i int) error {
		r := here
		r.Points = append([]Point{{float64(i), 1}}, r.Points...)
		_, err := c.Route(context.Background(), r)
		return err
	}
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			if err := ask(c, i); err != nil {
				t.Error(err)
			}
		})
	}
	waitFor(t, func() bool { return c.waiting() == 12 && now.Load() == 3 })
	close(release)
	group.Wait()
	if most.Load() != 3 {
		t.Errorf("%d calls at once, want 3", most.Load())
	}
	full := &Client{BaseURL: s.URL, Places: 1, Budget: 50 * time.Millisecond}
	full.enter() <- struct{}{}
	if err := ask(full, 0); err == nil || err.Error() != "routing engine unavailable: 1 requests are being worked on and none ended within 50ms" {
		t.Errorf("without a place: %v", err)
	}
	if n := cap((&Client{}).enter()); n < placesPerCore {
		t.Errorf("%d places", n)
	}
}

// TestNoAnswer: every way of not answering is one sentence without an address.
func TestNoAnswer(t *testing.T) {
	secret := "user:secret"
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	big := strings.Repeat("x", 1<<20)
	answers := map[string]func(http.ResponseWriter, *http.Request){
		"status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) },
		"code": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(500)
			_, _ = io.WriteString(w, `{"error":"a\n b\u0000","error_code":7}`)
		},
		"long": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			_, _ = fmt.Fprintf(w, `{"error":"%s"}`, strings.Repeat("ў", 1000))
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
		},
		"hangup": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"huge": func(w http.ResponseWriter, _ *http.Request) {
			for range 33 {
				_, _ = io.WriteString(w, big)
			}
		},
		"rubbish":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") },
		"no trip":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") },
		"null":     func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "null") },
		"an array": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "[]") },
	}
	s := engine(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		answers[strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/route"), "_", " ")](w, r)
	})
	url := func(name string) string {
		return strings.Replace(s.URL, "http://", "http://"+secret+"@", 1) + "/" + strings.ReplaceAll(name, " ", "_") + "/"
	}
	const unread = "routing engine unavailable: its answer could not be read; is it a Valhalla of version 3.8 or later?"
	tests := []struct {
		name, url, want string
		ok              bool // as observed: the engine is well
	}{
		{"status", url("status"), "routing: HTTP 418", true},
		{"code", url("code"), "routing: a b", true},
		{"long", url("long"), "routing: " + strings.Repeat("ў", maxMessage/2), true},
		{"redirect", url("redirect"), "routing: HTTP 308", true},
		{"hangup", url("hangup"), "routing engine unavailable: the connection broke off", false},
		{"huge", url("huge"), "routing engine unavailable: its answer is larger than 32 MB", false},
		{"rubbish", url("rubbish"), unread, false},
		{"an array", url("an array"), unread, false},
		{"no trip", url("no trip"), "no route found", true},
		{"null", url("null"), "no route found", true},
		{"nobody there", closed.URL, "routing engine unavailable: nobody listens at its address", false},
		{"silent", "http://" + silent.Addr().String(), "routing engine unavailable: no answer within 2s", false},
		{"no address", "http://[::1", "routing engine unavailable: its address is not a web address", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var seen []string
			c := &Client{BaseURL: tt.url, Budget: 20 * time.Second, Observe: func(call string, ok bool, _ time.Duration) {
				seen = append(seen, fmt.Sprint(call, " ", ok))
			}}
			if tt.name == "silent" {
				c.Budget = 2 * time.Second
			}
			_, err := c.Route(t.Context(), here)
			var own *Error
			if !errors.As(err, &own) || err.Error() != tt.want || own.Unavailable != strings.HasPrefix(tt.want, "routing engine") {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if len(seen) != 1 || seen[0] != fmt.Sprint("route ", tt.ok) {
				t.Errorf("observed %v, want route %v", seen, tt.ok)
			}
		})
	}
}

// TestRestartedEngine: connections that died while nobody used them cost no
// error.
func TestRestartedEngine(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, small)
	})
	first := httptest.NewServer(answer)
	address := first.Listener.Addr().String()
	c := &Client{BaseURL: first.URL}
	if _, err := c.Route(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	first.Close()
	ln, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	second := &httptest.Server{Listener: ln, Config: &http.Server{Handler: answer}}
	second.Start()
	defer second.Close()
	if _, err := c.Route(t.Context(), here); err != nil {
		t.Errorf("after a restart: %v", err)
	}
}
