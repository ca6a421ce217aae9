package kvtest

import (
	"context"
	"sync"
	"sync/atomic"

	"svc/store/kv"
)

// Gate is an engine as one process has it that may stop: what a test of several nodes
// puts before each of them.
type Gate struct {
	kv.Engine
	mu   sync.Mutex
	open chan struct{} // closed while the gate is open
	err  error         // of every transaction; nil: none
}

// NewGate makes an open gate.
func NewGate(e kv.Engine) *Gate {
	g := &Gate{Engine: e, open: make(chan struct{})}
	close(g.open)
	return g
}

// Pause keeps every transaction waiting until Open, as in a process that is stopped.
func (g *Gate) Pause() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.open:
		g.open = make(chan struct{})
	default:
	}
}

// Open lets transactions through again, also after Kill and Fail.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.err = nil
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

// Kill refuses every transaction from now on, those that wait too, as if the process had
// been killed: it leaves behind what it wrote.
func (g *Gate) Kill() { g.Fail(kv.ErrClosed) }

// Fail answers every transaction with an error until Open, those that wait too.
func (g *Gate) Fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.err = err
	select {
	case <-g.open:
	default:
		close(g.open)
	}
}

func (g *Gate) pass(ctx context.Context) error {
	g.mu.Lock()
	open := g.open
	g.mu.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
		return ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// View implements kv.Engine.
func (g *Gate) View(ctx context.Context, fn func(kv.Tx) error) error {
	if err := g.pass(ctx); err != nil {
		return err
	}
	return g.Engine.View(ctx, fn)
}

// Update implements kv.Engine.
func (g *Gate) Update(ctx context.Context, fn func(kv.Tx) error) error {
	if err := g.pass(ctx); err != nil {
		return err
	}
	return g.Engine.Update(ctx, fn)
}

// Counted counts the transactions of an engine.
type Counted struct {
	kv.Engine
	n, views atomic.Int64
}

// Updates is how many there were.
func (c *Counted) Updates() int { return int(c.n.Load()) }

// Views is how many transactions only read.
func (c *Counted) Views() int { return int(c.views.Load()) }

// View implements kv.Engine.
func (c *Counted) View(ctx context.Context, fn func(kv.Tx) error) error {
	c.views.Add(1)
	return c.Engine.View(ctx, fn)
}

// Update implements kv.Engine.
func (c *Counted) Update(ctx context.Context, fn func(kv.Tx) error) error {
	c.n.Add(1)
	return c.Engine.Update(ctx, fn)
}

// Kept is an engine that stays open when its store is closed, so that another may open
// it: what a restart finds.
type Kept struct{ kv.Engine }

// Close implements kv.Engine: it does nothing.
func (Kept) Close() error { return nil }
