package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// safeBuffer is a log that goroutines may share.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// running is a server on a free port with its log.
type running struct {
	url  string
	log  *safeBuffer
	stop context.CancelFunc
	done chan error
}

func start(t *testing.T, c Config) *running {
	t.Helper()
	r := &running{log: &safeBuffer{}, done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	r.stop = cancel
	addr := make(chan net.Addr, 1)
	c.Listen, c.Log, c.Metrics = "127.0.0.1:0", NewLogger(r.log), NewMetrics("test")
	c.Listening = func(a net.Addr) { addr <- a }
	go func() { r.done <- New(c).Run(ctx) }()
	select {
	case a := <-addr:
		r.url = "http://" + a.String()
	case err := <-r.done:
		t.Fatalf("the server did not start: %v", err)
	}
	t.Cleanup(cancel)
	return r
}

func get(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	resp, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// TestStop is the whole life of a stop: a request is in progress, /health says
// stopping, the request is answered, the background work ends after it.
func TestStop(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	var order []string
	note := func(what string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, what)
	}
	r := start(t, Config{
		Map: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-release
			note("answered")
			_, _ = io.WriteString(w, "whole")
		}),
		Background: []Background{{"usage", func(ctx context.Context) error {
			<-ctx.Done()
			note("flushed")
			return ctx.Err()
		}}},
	})
	answer := make(chan string, 1)
	go func() {
		resp, err := http.Get(r.url + "/api/slow")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		answer <- string(body)
	}()
	<-entered
	if code, body := get(t, http.DefaultClient, r.url+"/health"); code != 200 || body != `{"status":"ok"}`+"\n" {
		t.Errorf("before: %d %q", code, body)
	}
	r.stop()
	// The stop is under way when a new request says so; until then it may be ok.
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for code := 0; code != http.StatusServiceUnavailable; {
		var body string
		code, body = get(t, fresh, r.url+"/health")
		if code == http.StatusServiceUnavailable && body != `{"status":"stopping"}`+"\n" {
			t.Errorf("stopping: %q", body)
		}
	}
	close(release)
	if got := <-answer; got != "whole" {
		t.Errorf("the request in progress got %q", got)
	}
	if err := <-r.done; err != nil {
		t.Errorf("Run: %v", err)
	}
	if got := strings.Join(order, ","); got != "answered,flushed" {
		t.Errorf("order %s", got)
	}
	if _, err := http.Get(r.url + "/health"); err == nil {
		t.Error("still listening after the stop")
	}
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
}

// TestAStopEndsWhatGoesOnForLong: an answer without an end is told of the stop, and the
// stop waits for nothing else.
func TestAStopEndsWhatGoesOnForLong(t *testing.T) {
	stopping, entered := make(chan struct{}), make(chan struct{})
	r := start(t, Config{
		Stopping: func() { close(stopping) },
		Map: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-stopping
			_, _ = io.WriteString(w, "come back")
		}),
	})
	answer := make(chan string, 1)
	go func() {
		_, body := get(t, newClient(), r.url+"/api/stream")
		answer <- body
	}()
	<-entered
	r.stop()
	if got := <-answer; got != "come back" {
		t.Errorf("the stream got %q", got)
	}
	if err := <-r.done; err != nil {
		t.Errorf("Run: %v", err)
	}
}

// TestARequestThatHangsLeavesTimeForTheCounts: the background work ends in order although
// a request never does.
func TestARequestThatHangsLeavesTimeForTheCounts(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	entered, addr := make(chan struct{}), make(chan net.Addr, 1)
	flushed := false
	s := New(Config{
		Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Metrics: NewMetrics("test"),
		Listening: func(a net.Addr) { addr <- a },
		Background: []Background{{"usage", func(ctx context.Context) error {
			<-ctx.Done()
			<-time.After(50 * time.Millisecond)
			flushed = true
			return nil
		}}},
		Map: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-forever }),
	})
	s.drainTimeout, s.stopTimeout = 100*time.Millisecond, 3*time.Second
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	url := "http://" + (<-addr).String() + "/api/hang"
	go func() { _, _ = http.Get(url) }()
	<-entered
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "before every request was answered") || strings.Contains(err.Error(), "background") {
		t.Errorf("got %v", err)
	}
	if !flushed {
		t.Error("the counts were not written")
	}
}

func TestBackgroundFailureStopsTheServer(t *testing.T) {
	broken := errors.New("disk on fire")
	r := start(t, Config{Background: []Background{
		{"fine", func(ctx context.Context) error { <-ctx.Done(); return nil }},
		{"map", func(context.Context) error { return broken }},
	}})
	err := <-r.done
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "map: disk on fire") {
		t.Errorf("got %v", err)
	}
}

func TestABackgroundPanicStopsTheServerInOrder(t *testing.T) {
	ended := false
	r := start(t, Config{Background: []Background{
		{"usage", func(ctx context.Context) error { <-ctx.Done(); ended = true; return nil }},
		{"map", func(context.Context) error { panic("torn page") }},
	}})
	if err := <-r.done; err == nil || !strings.Contains(err.Error(), "map: it failed inside: torn page") || !ended {
		t.Errorf("got %v, the other work ended: %v", err, ended)
	}
	if !strings.Contains(r.log.String(), `"stack":"`) {
		t.Errorf("no stack in the log: %s", r.log)
	}
}

func TestBackgroundMayEndEarly(t *testing.T) {
	r := start(t, Config{Background: []Background{{"short", func(context.Context) error { return nil }}}})
	if code, _ := get(t, http.DefaultClient, r.url+"/health"); code != 200 {
		t.Errorf("health %d", code)
	}
	r.stop()
	if err := <-r.done; err != nil {
		t.Error(err)
	}
}

func TestListenErrorsSayWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		name, listen, metrics string
		want                  []string
	}{
		{"port taken", taken.Addr().String(), "", []string{"another program uses this address", "--listen"}},
		{"metrics port taken", "127.0.0.1:0", taken.Addr().String(), []string{"another program uses this address", "--metrics"}},
		{"foreign address", "192.0.2.1:0", "", []string{"does not have that address", "--listen"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := New(Config{
				Listen: tt.listen, MetricsListen: tt.metrics,
				Log: slog.New(slog.DiscardHandler), Metrics: NewMetrics("test"),
			}).Run(t.Context())
			if err == nil {
				t.Fatal("it listens")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

func TestOversizedHeadersAreRefused(t *testing.T) {
	r := start(t, Config{})
	req, err := http.NewRequest(http.MethodGet, r.url+"/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Big", strings.Repeat("x", 2*maxHeaderBytes))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return // hung up while the client was still sending: refused as well
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func TestMetricsAreServedOnTheirOwnAddress(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metricsAddr := ln.Addr().String()
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	r := start(t, Config{MetricsListen: metricsAddr, Map: http.NotFoundHandler()})
	get(t, http.DefaultClient, r.url+"/api/search?q=x&key=topsecret")
	code, body := get(t, http.DefaultClient, "http://"+metricsAddr+"/metrics")
	if code != 200 || strings.Contains(body, "topsecret") {
		t.Errorf("metrics: %d", code)
	}
	if want := `svc_request_seconds_count{product="search",status="4xx"} 1`; !strings.Contains(body, want) {
		t.Errorf("no %s in\n%s", want, body)
	}
	for url, want := range map[string]int{r.url + "/metrics": 404, "http://" + metricsAddr + "/": 404} {
		if code, _ := get(t, http.DefaultClient, url); code != want {
			t.Errorf("%s: %d, want %d", url, code, want)
		}
	}
	r.stop()
	if err := <-r.done; err != nil {
		t.Error(err)
	}
}

func TestDrainCountsOnlyWhatBeganBeforeTheStop(t *testing.T) {
	d := newDrain()
	first := d.enter()
	idle := d.stop()
	late := d.enter()
	select {
	case <-idle:
		t.Fatal("idle with a request in progress")
	default:
	}
	first()
	<-idle // the late one is not waited for
	late()
	if n := d.running(); n != 0 {
		t.Errorf("%d running", n)
	}
}

// TestAStopIsBounded: neither a request nor background work that never ends
// keeps the process alive.
func TestAStopIsBounded(t *testing.T) {
	forever := make(chan struct{})
	defer close(forever)
	tests := []struct {
		name, want string
		background func(ctx context.Context) error
		request    bool
	}{
		{"request", "before every request was answered", func(ctx context.Context) error { <-ctx.Done(); return nil }, true},
		{"background work", "before the background work ended", func(context.Context) error { <-forever; return nil }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			entered, addr := make(chan struct{}), make(chan net.Addr, 1)
			s := New(Config{
				Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Metrics: NewMetrics("test"),
				Listening:  func(a net.Addr) { addr <- a },
				Background: []Background{{"work", tt.background}},
				Map:        http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(entered); <-forever }),
			})
			s.drainTimeout, s.stopTimeout = 10*time.Millisecond, 100*time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- s.Run(ctx) }()
			url := "http://" + (<-addr).String() + "/api/hang"
			if tt.request {
				go func() { _, _ = http.Get(url) }()
				<-entered
			}
			cancel()
			if err := <-done; err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
