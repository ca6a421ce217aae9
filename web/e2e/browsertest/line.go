package browsertest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// LineState is what becomes of the requests of a browser on their way to a server.
type LineState int

// The states of a line.
const (
	Up      LineState = iota // they arrive
	Cut                      // connections end, and no new one gets an answer
	Gateway                  // what stands in front of the server says 502: it restarts
)

// Line is the way between a browser and a server, as a network or a reverse proxy
// is: it can fail while both ends are well.
type Line struct {
	// URL is the server as the browser sees it.
	URL string

	tb     testing.TB
	server *httptest.Server
	mu     sync.Mutex
	state  LineState
	late   bool
	asked  []string
}

// NewLine lays a line to the server at base. It ends with the test.
func NewLine(tb testing.TB, base string) *Line {
	tb.Helper()
	target, err := url.Parse(base)
	if err != nil {
		tb.Fatal(err)
	}
	l := &Line{tb: tb}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1, // events are not held back
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // the origin of the page stays its own
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	l.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch l.take(r) {
		case Cut:
			panic(http.ErrAbortHandler)
		case Gateway:
			w.WriteHeader(http.StatusBadGateway)
		default:
			proxy.ServeHTTP(w, r)
		}
	}))
	l.URL = l.server.URL
	tb.Cleanup(func() {
		l.server.CloseClientConnections()
		l.server.Close()
	})
	return l
}

// Become changes the state. What is open ends, unless the line is up.
func (l *Line) Become(s LineState) {
	l.mu.Lock()
	l.state = s
	l.mu.Unlock()
	if s != Up {
		l.server.CloseClientConnections()
	}
}

// ComeLate lets the browser ask for events from a place that the server forgot long
// ago, as a computer does that slept for months.
func (l *Line) ComeLate() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = true
}

// Resumed gives the places from which the browser asked for events, in order; "" is
// from now on.
func (l *Line) Resumed() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.asked...)
}

// WaitResumed waits until the browser has asked for events so many times.
func (l *Line) WaitResumed(times int) {
	l.tb.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(patience)
	for len(l.Resumed()) < times {
		select {
		case <-tick.C:
		case <-end:
			l.tb.Fatalf("the browser asked for events from %q, want it %d times", l.Resumed(), times)
		}
	}
}

// longAgo is the id of an event before all others.
const longAgo = "evt_00000000000000000000000000"

// take gives the state in which a request is met, and notes where events go on.
func (l *Line) take(r *http.Request) LineState {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == Up && r.URL.Path == "/api/v1/events/stream" {
		query := r.URL.Query()
		last := r.Header.Get("Last-Event-ID")
		if last == "" {
			last = query.Get("last_event_id")
		}
		l.asked = append(l.asked, last)
		if last != "" && l.late {
			l.late = false
			r.Header.Set("Last-Event-ID", longAgo)
		}
	}
	return l.state
}
