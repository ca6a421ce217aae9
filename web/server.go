// Package web is everything HTTP around the services: it mounts them, gives
// every request an id, a log line, figures and a safety net, and starts and
// stops the listeners.
//
// It promises that every answer carries X-Request-Id, that a panic or a page
// fault of a memory-mapped file costs one request and not the process, that a
// stop finishes the requests in progress and the background work within 25
// seconds, and that no API key and no query string reaches a log line or a
// metric. It refuses slow, oversized and endless requests, and it decides
// nothing about maps or keys: that is web/mapapi and web/gate.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Bounds of every connection. The write bound is above the longest handler (matrix, 60 s: map contract 53)
// and below what a stuck client may hold.
const (
	headerTimeout  = 10 * time.Second
	readTimeout    = 30 * time.Second
	writeTimeout   = 90 * time.Second
	idleTimeout    = 120 * time.Second
	maxHeaderBytes = 32 << 10

	// StopTimeout bounds a stop: finishing requests, then background work.
	StopTimeout = 25 * time.Second
	// drainTimeout is the part of it in which the listener stays open so that
	// a load balancer can read the 503 of /health.
	drainTimeout = 12 * time.Second
	// workShare is the part of a stop, one in workShare, that requests leave to the
	// background work whatever they do: it writes down what was counted.
	workShare = 3
)

// Config is what a Server is made of.
type Config struct {
	// Listen is the address of the service, host:port.
	Listen string
	// MetricsListen is the address of GET /metrics; empty: not served.
	MetricsListen string
	// Map answers /api/* except /api/v1/*, /photon/* and /nominatim/*, Tiles /tiles/* and /terrain/*, Style
	// /fonts/*, /sprites/* and /styles/*, Page /, /app/* and /v1/*, Messaging
	// /api/v1/*; nil: 404.
	Map, Tiles, Style, Page, Messaging http.Handler
	// Welcome has the pages that one-time links lead to; nil: 404.
	Welcome interface {
		http.Handler
		Owns(path string) bool
	}
	// Simulated answers /_sim/*: the pages of simulated networks; nil: 404.
	Simulated http.Handler
	// Console answers /console and what is below it, except for Welcome; nil: 404.
	Console http.Handler
	// Gate wraps everything that is served: keys, CORS, counting; nil: nothing.
	Gate func(http.Handler) http.Handler
	// Metrics collects the figures; required.
	Metrics *Metrics
	// Log gets the access lines and the failures; required.
	Log *slog.Logger
	// Clock tells the time; nil: time.Now.
	Clock func() time.Time
	// Background runs beside the listeners, from start until the requests have
	// drained.
	Background []Background
	// Listening is called once with the real address of the service; may be nil.
	Listening func(addr net.Addr)
	// Stopping is called once when a stop begins: answers that go on for long, such as
	// event streams, end then; may be nil.
	Stopping func()
	// Trusted says whose X-Forwarded-Proto and X-Forwarded-Host are believed; nil: nobody's.
	Trusted func(netip.Addr) bool
	// Connections bounds those of one address to Listen.
	Connections PerAddress
}

// Background is work beside the requests. Run ends soon after ctx does; an
// error before that stops the server.
type Background struct {
	Name string
	Run  func(ctx context.Context) error
}

// Server serves one process. Make it with New, start it with Run.
type Server struct {
	c     Config
	drain *drain
	// The bounds of a stop, and of the body behind a refusal; tests shorten them.
	stopTimeout, drainTimeout, lingerTimeout time.Duration
	lingering                                chan struct{} // a place each
}

// New makes a server; it starts nothing.
func New(c Config) *Server {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return &Server{
		c: c, drain: newDrain(), stopTimeout: StopTimeout, drainTimeout: drainTimeout,
		lingerTimeout: lingerTimeout, lingering: make(chan struct{}, maxLingering),
	}
}

// Run listens and serves until ctx ends, then stops gracefully: /health answers
// 503 while the requests in progress finish, then the background work ends,
// all within StopTimeout. It returns nil after a complete stop, and an error
// when it cannot listen, when background work fails, or when something was
// still running at the end.
func (s *Server) Run(ctx context.Context) error {
	listeners, err := s.listen(ctx)
	if err != nil {
		return err
	}
	// Background work must outlive ctx: it ends after the requests have.
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	group, failed := errgroup.WithContext(work)
	for _, b := range s.c.Background {
		group.Go(func() error { return runBackground(work, s.c.Log, b) })
	}
	for _, l := range listeners {
		group.Go(l.serve)
	}
	if s.c.Listening != nil {
		s.c.Listening(listeners[0].Addr())
	}
	select {
	case <-ctx.Done():
		s.c.Log.Info("stopping", "why", context.Cause(ctx).Error())
	case <-failed.Done():
		// The group holds the reason; Wait returns it below.
	}
	return s.stop(ctx, listeners, stopWork, group)
}

// runBackground runs b. A panic of it, or a page fault of a mapped file, stops
// the server in order: the requests are answered and the counts are written.
func runBackground(ctx context.Context, log *slog.Logger, b Background) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			log.Error("background work failed", "name", b.Name, "panic", clip(panicText(p), 500), "stack", string(debug.Stack()))
			err = fmt.Errorf("%s: it failed inside: %s", b.Name, panicText(p))
		}
	}()
	err = b.Run(ctx)
	if err == nil || (ctx.Err() != nil && errors.Is(err, ctx.Err())) {
		return nil
	}
	return fmt.Errorf("%s: %w", b.Name, err)
}

// stop is the second half of Run. The service's listener closes last but one
// and the metrics' last, so that both can still be read while draining.
func (s *Server) stop(ctx context.Context, listeners []*listener, stopWork func(), group *errgroup.Group) error {
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.stopTimeout)
	defer cancel()
	listeners[0].SetKeepAlivesEnabled(false)
	idle := s.drain.stop()
	if s.c.Stopping != nil {
		s.c.Stopping()
	}
	select {
	case <-idle:
	case <-time.After(s.drainTimeout):
		s.c.Log.Warn("requests are still in progress; no longer accepting new ones", "requests", s.drain.running())
	}
	unfinished := s.shutDown(limit, listeners[0])
	stopWork()
	for _, l := range listeners[1:] {
		_ = l.Close()
	}
	ended := make(chan error, 1)
	go func() { ended <- group.Wait() }()
	select {
	case err := <-ended:
		s.c.Log.Info("stopped")
		return errors.Join(err, unfinished)
	case <-limit.Done():
		return errors.Join(unfinished, errors.New("stopped before the background work ended: the time for a stop is over"))
	}
}

// shutDown closes a listener and waits for its requests, but leaves the background work
// its share of the time.
func (s *Server) shutDown(limit context.Context, l *listener) error {
	until, cancel := context.WithTimeout(limit, s.stopTimeout-s.drainTimeout-s.stopTimeout/workShare)
	defer cancel()
	_ = l.Listener.Close() // Shutdown closes it again; nobody new connects from here on
	l.Listener.closeSilent()
	if err := l.Shutdown(until); err != nil {
		_ = l.Close()
		return errors.New("stopped before every request was answered: the time for a stop is over")
	}
	return nil
}

// listener is one bound address and its server.
type listener struct {
	*http.Server
	Listener *limited
}

func (l *listener) serve() error {
	if err := l.Serve(l.Listener); !errors.Is(err, http.ErrServerClosed) && !l.Listener.isClosed() {
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	}
	return nil
}

// Addr is the address that was really bound, for example after port 0.
func (l *listener) Addr() net.Addr { return l.Listener.Addr() }

// Close closes the server with its connections.
func (l *listener) Close() error { return l.Server.Close() }

// listen binds every address before anything is served, so that a taken port
// is an error at once.
func (s *Server) listen(ctx context.Context) ([]*listener, error) {
	handlers := []struct {
		addr, flag string
		handler    http.Handler
		each       PerAddress
	}{
		{s.c.Listen, "--listen", s.Handler(), s.c.Connections},
		{s.c.MetricsListen, "--metrics", s.metricsHandler(), PerAddress{}},
	}
	var out []*listener
	for _, h := range handlers {
		if h.addr == "" {
			continue
		}
		ln, err := bind(ctx, h.addr, h.flag)
		if err != nil {
			for _, l := range out {
				_ = l.Listener.Close()
			}
			return nil, err
		}
		out = append(out, &listener{s.httpServer(h.handler), limit(ln, maxConnections, h.each)})
	}
	return out, nil
}

func (s *Server) httpServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.c.Log.Handler(), slog.LevelWarn),
	}
}

// accepting is false from the first moment of a stop.
func (s *Server) accepting() bool { return !s.drain.stopping.Load() }

// drain knows which requests began before the stop, so that a stop under
// steady traffic ends when those are answered.
type drain struct {
	stopping atomic.Bool
	active   atomic.Int64
	idle     chan struct{}
	closed   atomic.Bool
}

func newDrain() *drain { return &drain{idle: make(chan struct{})} }

// enter counts a request and returns what undoes it. Requests that come after
// the stop are not counted.
func (d *drain) enter() (leave func()) {
	d.active.Add(1)
	if d.stopping.Load() {
		d.leave()
		return func() {}
	}
	return d.leave
}

func (d *drain) leave() {
	if d.active.Add(-1) == 0 && d.stopping.Load() {
		d.finish()
	}
}

func (d *drain) finish() {
	if d.closed.CompareAndSwap(false, true) {
		close(d.idle)
	}
}

// stop begins the stop; the channel closes when no counted request is left.
func (d *drain) stop() <-chan struct{} {
	d.stopping.Store(true)
	if d.active.Load() == 0 {
		d.finish()
	}
	return d.idle
}

func (d *drain) running() int64 { return d.active.Load() }
