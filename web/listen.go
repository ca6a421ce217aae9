package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"svc/app/api"
)

// maxConnections bounds the open connections of an address. One costs 20 kB while
// it is quiet and about 100 kB when it is made to cost as much as it can, so that
// all of them together leave a host of 4 GB most of its memory; further ones wait
// in the system's queue.
const maxConnections = 8192

// bind listens on addr and, when it cannot, says what to do about it. flag is
// the name of the setting that chose the address.
func bind(ctx context.Context, addr, flag string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		return ln, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("cannot listen on %s: another program uses this address; stop it or choose another address with %s", addr, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("cannot listen on %s: not permitted; ports below 1024 need privileges, choose another with %s", addr, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("cannot listen on %s: this machine does not have that address; choose another with %s", addr, flag)
	}
	return nil, fmt.Errorf("cannot listen on %s (%s): %w", addr, flag, err)
}

// PerAddress bounds how many connections one client address may have open
// (contract 21.3, Descriptors).
type PerAddress struct {
	// Most is how many; 0: no bound.
	Most int
	// Exempt says whose connections do not count: a proxy carries those of many
	// people. nil: everybody's count.
	Exempt func(netip.Addr) bool
	// Log hears of refused connections, once a minute. nil: nobody does.
	Log *slog.Logger
}

// limited is a listener with at most so many connections open, of everybody together
// and of each address.
type limited struct {
	net.Listener
	each   PerAddress
	places chan struct{}
	closed chan struct{}
	close  sync.Once

	mu      sync.Mutex
	open    map[string]int       // by api.Network
	silent  map[*placed]struct{} // nothing was read from them yet
	refused int                  // since the last log line
	logged  time.Time
}

func limit(ln net.Listener, n int, each PerAddress) *limited {
	return &limited{
		Listener: ln, each: each, places: make(chan struct{}, n), closed: make(chan struct{}),
		open: map[string]int{}, silent: map[*placed]struct{}{},
	}
}

// Accept waits for a connection that has a place. One of an address that has too many
// is closed at once, so that it takes no place of others.
func (l *limited) Accept() (net.Conn, error) {
	for {
		select {
		case l.places <- struct{}{}:
		case <-l.closed:
			return nil, net.ErrClosed
		}
		conn, err := l.Listener.Accept()
		if err != nil {
			<-l.places
			return nil, err
		}
		if p, ok := l.admit(conn); ok {
			return p, nil
		}
		<-l.places
		_ = conn.Close() // it was never served
	}
}

// admit counts a connection, unless its address has too many.
func (l *limited) admit(conn net.Conn) (*placed, bool) {
	from, counts := l.counted(conn)
	l.mu.Lock()
	defer l.mu.Unlock()
	if counts && l.open[from] >= l.each.Most {
		l.tooMany(from)
		return nil, false
	}
	if counts {
		l.open[from]++
	}
	p := &placed{Conn: conn, heard: func(p *placed) { l.forgetSilent(p) }}
	p.leave = sync.OnceFunc(func() {
		l.mu.Lock()
		if counts {
			if l.open[from]--; l.open[from] == 0 {
				delete(l.open, from)
			}
		}
		delete(l.silent, p)
		l.mu.Unlock()
		<-l.places
	})
	l.silent[p] = struct{}{}
	return p, true
}

// counted is what a connection counts for, see api.Network. counts is false when it
// counts for nothing.
func (l *limited) counted(conn net.Conn) (from string, counts bool) {
	remote := conn.RemoteAddr()
	if l.each.Most <= 0 || remote == nil {
		return from, false
	}
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return from, false
	}
	who := at.Addr().Unmap().WithZone("")
	if l.each.Exempt != nil && l.each.Exempt(who) {
		return from, false
	}
	return api.Network(who.String()), true
}

// tooMany logs refused connections, the first at once and then once a minute.
func (l *limited) tooMany(from string) {
	l.refused++
	now := time.Now()
	if l.each.Log == nil || now.Sub(l.logged) < time.Minute {
		return
	}
	l.each.Log.Warn("connections were refused: their address has too many open; if it is a reverse proxy, name it in --trusted-proxies",
		"address", from, "most", l.each.Most, "refused", l.refused)
	l.refused, l.logged = 0, now
}

func (l *limited) forgetSilent(p *placed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.silent, p)
}

// closeSilent closes the connections on which no request ever began: browsers open some
// in advance. A stop would wait five seconds for each.
func (l *limited) closeSilent() {
	l.mu.Lock()
	var silent []*placed
	for p := range l.silent {
		silent = append(silent, p)
	}
	l.mu.Unlock()
	for _, p := range silent {
		_ = p.Close() // nobody waits for an answer on it
	}
}

// Close ends Accept. A listener that is closed already stays so without an error: a stop
// closes it before [http.Server.Shutdown] does.
func (l *limited) Close() error {
	var err error
	l.close.Do(func() {
		close(l.closed)
		err = l.Listener.Close()
	})
	return err
}

func (l *limited) isClosed() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

// placed is a connection that gives its place back when it closes.
type placed struct {
	net.Conn
	leave func()
	heard func(*placed)
	began atomic.Bool // something was read
}

// Read implements net.Conn.
func (p *placed) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if n > 0 && !p.began.Load() && p.began.CompareAndSwap(false, true) {
		p.heard(p)
	}
	return n, err
}

// Close implements net.Conn.
func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
