// Package mtp is the wire of the simulator: the server's side of the platform's
// protocol, from the first byte of a connection to decoded requests and back.
//
// It promises that requests of one client run beside each other (a slow one holds up no
// ping), that answers and pushes of a session leave in the order in which they were
// given, and that a client that sends garbage, stops in the middle of a handshake or
// never reads costs bounded memory and its own connection only. It refuses to know what
// a request means: a Handler answers it.
//
// The frames are our own, because the library's reader believes the length that a
// stranger announces; cipher, key exchange and types are the library's.
package mtp

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/crypto"
	"github.com/gotd/td/exchange"
	"github.com/gotd/td/proto"
)

// Handler answers what arrives. Its methods are called from many goroutines.
type Handler interface {
	// Key finds an authorization key by its id.
	Key(id [8]byte) (crypto.AuthKey, bool)
	// SaveKey keeps a key that was just agreed on.
	SaveKey(k crypto.AuthKey) error
	// Call answers one request. A *tgerr.Error is told to the client, ErrDrop closes
	// its connection, ErrSilent leaves it without an answer.
	Call(ctx context.Context, c *Call) (bin.Encoder, error)
	// Gone says that nothing can be pushed to a session any more.
	Gone(s *Session)
}

var (
	// ErrDrop makes a Handler close the connection that asked.
	ErrDrop = errors.New("the connection is dropped on purpose")
	// ErrSilent makes a Handler acknowledge a request and never answer it.
	ErrSilent = errors.New("the request stays unanswered on purpose")
)

// Limits of a server. Zero values are the defaults in parentheses.
type Limits struct {
	Conns     int           // connections at once (16,384)
	Strangers int           // connections that have shown no key yet (512)
	Handshake time.Duration // for a stranger to show a key (60 s)
	Idle      time.Duration // without a byte from a client (5 min)
	Write     time.Duration // for a client to take what is written to it (20 s)
	InFlight  int           // requests of one connection at once (128)
	Queue     int           // bytes waiting to be written to one client (4 MiB)
}

func (l Limits) withDefaults() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	setTime := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Conns, 16384)
	set(&l.Strangers, 512)
	set(&l.InFlight, 128)
	set(&l.Queue, 4<<20)
	setTime(&l.Handshake, time.Minute)
	setTime(&l.Idle, 5*time.Minute)
	setTime(&l.Write, 20*time.Second)
	return l
}

// Options of a server.
type Options struct {
	Key     exchange.PrivateKey
	DC      int
	Handler Handler
	Limits  Limits
	Log     *slog.Logger
}

// Server speaks the protocol on connections that it is given.
type Server struct {
	o      Options
	cipher crypto.Cipher
	ids    *proto.MessageIDGen
	wg     sync.WaitGroup

	mu        sync.Mutex
	conns     map[*conn]struct{}
	strangers int
	closed    bool
}

// New makes a server; Serve starts it.
func New(o Options) *Server {
	o.Limits = o.Limits.withDefaults()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{
		o: o, cipher: crypto.NewServerCipher(rand.Reader),
		ids: proto.NewMessageIDGen(time.Now), conns: map[*conn]struct{}{},
	}
}

// Serve takes connections until ctx ends, then closes them and waits for what runs.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer func() {
		cancel()
		stop()
		_ = ln.Close()
		s.closeAll()
		s.wg.Wait()
	}()
	for {
		nc, err := ln.Accept()
		switch {
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if nc != nil {
				_ = nc.Close()
			}
			return nil
		case err != nil:
			// Out of files, most likely: wait for some to be closed.
			s.o.Log.Warn("the simulator could not take a connection", "error", err)
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		default:
			s.start(ctx, nc)
		}
	}
}

// start serves one connection, unless there are too many.
func (s *Server) start(ctx context.Context, nc net.Conn) {
	c := &conn{srv: s, nc: nc, stranger: true, slots: make(chan struct{}, s.o.Limits.InFlight)}
	s.mu.Lock()
	full := s.closed || len(s.conns) >= s.o.Limits.Conns || s.strangers >= s.o.Limits.Strangers
	if !full {
		s.conns[c] = struct{}{}
		s.strangers++
	}
	s.mu.Unlock()
	if full {
		_ = nc.Close()
		return
	}
	s.wg.Go(func() {
		defer s.forget(c)
		if err := c.serve(ctx); err != nil {
			s.o.Log.Debug("a connection to the simulator ended", "error", err)
		}
	})
}

func (s *Server) forget(c *conn) {
	c.close()
	s.mu.Lock()
	delete(s.conns, c)
	if c.stranger {
		s.strangers--
	}
	s.mu.Unlock()
	for _, ses := range c.sessions {
		s.o.Handler.Gone(ses)
	}
}

// known says that a connection has shown a key.
func (s *Server) known(c *conn) {
	if !c.stranger {
		return
	}
	s.mu.Lock()
	c.stranger = false
	s.strangers--
	s.mu.Unlock()
}

func (s *Server) closeAll() {
	s.mu.Lock()
	s.closed = true
	all := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		c.close()
	}
}

// Conns is how many connections are open.
func (s *Server) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}
