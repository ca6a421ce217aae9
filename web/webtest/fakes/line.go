package fakes

import (
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"

	"github.com/gotd/td/tg"
)

// Telephone is the line to the simulator: it can be cut, and mended, while the world
// behind it lives on.
type Telephone struct {
	ln net.Listener
	to string

	mu   sync.Mutex
	down bool
	open map[net.Conn]struct{}
	wg   sync.WaitGroup
}

// NewTelephone listens; nobody is connected before Connect.
func NewTelephone() (*Telephone, error) {
	ln, err := new(net.ListenConfig).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	return &Telephone{ln: ln, open: map[net.Conn]struct{}{}}, err
}

// Connect says where the line leads to.
func (p *Telephone) Connect(to string) {
	p.to = to
	p.wg.Go(p.accept)
}

func (p *Telephone) accept() {
	for {
		c, err := p.ln.Accept()
		if err != nil {
			return
		}
		p.wg.Go(func() { p.carry(c) })
	}
}

// carry connects two ends; while the line is cut it hangs up.
func (p *Telephone) carry(near net.Conn) {
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

func (p *Telephone) keep(ends ...net.Conn) bool {
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

// Cut ends what is connected and hangs up on whoever calls, until it is mended.
func (p *Telephone) Cut(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
	for c := range p.open {
		if down {
			_ = c.Close()
		}
	}
}

// Close ends it for good.
func (p *Telephone) Close() {
	_ = p.ln.Close()
	p.Cut(true)
	p.wg.Wait()
}

// Addr is where the end of the line is that a client dials.
func (p *Telephone) Addr() net.Addr { return p.ln.Addr() }

// Option lets clients find a data centre at the other end of the line.
func (p *Telephone) Option(o *tg.DCOption) error {
	host, port, err := net.SplitHostPort(p.ln.Addr().String())
	if err != nil {
		return err
	}
	if o.Port, err = strconv.Atoi(port); err != nil {
		return fmt.Errorf("the line to the simulator: %w", err)
	}
	o.IPAddress = host
	return nil
}
