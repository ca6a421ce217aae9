package acceptance

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// cable is the way of one node to the database, over TCP. Cut, it passes nothing on and says
// so to nobody; whole again, it passes on what was sent meanwhile, as a network does.
type cable struct {
	addr, target string
	mu           sync.Mutex
	whole        *sync.Cond
	isCut        bool
	over         bool
	open         []net.Conn
	turns        atomic.Int64 // how often the database was asked after it had answered
}

func newCable(t *testing.T, target string) *cable {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{addr: ln.Addr().String(), target: target}
	c.whole = sync.NewCond(&c.mu)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			all.Go(func() { c.carry(conn) })
		}
	})
	t.Cleanup(func() {
		_ = ln.Close()
		c.mu.Lock()
		c.over = true
		for _, conn := range c.open {
			_ = conn.Close()
		}
		c.mu.Unlock()
		c.whole.Broadcast()
		all.Wait()
	})
	return c
}

func (c *cable) cut(cut bool) {
	c.mu.Lock()
	c.isCut = cut
	c.mu.Unlock()
	c.whole.Broadcast()
}

// passes waits until the cable is whole, and says whether anything passes ever again.
func (c *cable) passes() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.isCut && !c.over {
		c.whole.Wait()
	}
	return !c.over
}

func (c *cable) keep(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, conn)
	if c.over {
		_ = conn.Close()
	}
}

func (c *cable) carry(near net.Conn) {
	c.keep(near)
	defer func() { _ = near.Close() }()
	if !c.passes() {
		return
	}
	far, err := net.Dial("tcp", c.target)
	if err != nil {
		return
	}
	c.keep(far)
	defer func() { _ = far.Close() }()
	var answered atomic.Bool
	answered.Store(true)
	back := make(chan struct{})
	go func() {
		defer close(back)
		c.pass(near, far, func() { answered.Store(true) })
		_ = near.Close()
	}()
	c.pass(far, near, func() {
		if answered.Swap(false) {
			c.turns.Add(1)
		}
	})
	_ = far.Close()
	<-back
}

// pass passes on what comes from one side, and calls f before each piece.
func (c *cable) pass(to io.Writer, from io.Reader, f func()) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if !c.passes() {
				return
			}
			f()
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
