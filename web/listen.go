package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
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

// limited is a listener with at most so many connections open.
type limited struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	close  sync.Once
}

func limit(ln net.Listener, n int) net.Listener {
	return &limited{Listener: ln, places: make(chan struct{}, n), closed: make(chan struct{})}
}

func (l *limited) Accept() (net.Conn, error) {
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
	return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

func (l *limited) Close() error {
	l.close.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// placed is a connection that gives its place back when it closes.
type placed struct {
	net.Conn
	leave func()
}

func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
