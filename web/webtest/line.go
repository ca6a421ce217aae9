package webtest

import (
	"context"
	"io"
	"net"
	"sync"
)

// telephone is the line to the simulator: it can be cut, and mended, while the world
// behind it lives on.
type telephone struct {
	ln net.Listener
	to string

	mu   sync.Mutex
	down bool
	open map[net.Conn]struct{}
	wg   sync.WaitGroup
}

// newTelephone listens; nobody is connected before connect.
func newTelephone() (*telephone, error) {
	ln, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	return &telephone{ln: ln, open: map[net.Conn]struct{}{}}, err
}

// connect says where the line leads to.
func (p *telephone) connect(to string) {
	p.to = to
	p.wg.Go(p.accept)
}

func (p *telephone) accept() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.wg.Go(func() { p.carry(c) })
	}
}

// carry connects two ends; while the line is cut it hangs up.
func (p *telephone) carry(near net.Conn) {
	defer func() { _ = near.Close() }()
	far, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.to)
	if err != nil {
		return
	}
	defer func() { _ = far.Close() }()
	if !p.keep(near, far) {
		return
	}
	var both sync.WaitGroup
	for _, pair := range [2][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
			_ = pair[1].Close()
		})
	}
	both.Wait()
	p.mu.Lock()
	delete(p.open, near)
	delete(p.open, far)
	p.mu.Unlock()
}

func (p *telephone) keep(ends ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return false
	}
	for _, c := range ends {
		p.open[c] = struct{}{}
	}
	return true
}

// cut ends what is connected and hangs up on whoever calls, until it is mended.
func (p *telephone) cut(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
	for c := range p.open {
		if down {
			_ = c.Close()
		}
	}
}

// close ends it for good.
func (p *telephone) close() {
	_ = p.ln.Close()
	p.cut(true)
	p.wg.Wait()
}
