package kv

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// maxBatch is how many closures share one commit at most: enough to make the
// fsync cheap, few enough that the first of them does not wait long.
const maxBatch = 512

// States of a request: it waits until the committer takes it or its caller, whose
// context ended, leaves.
const (
	waiting int32 = iota
	taken
	left
)

// request is one Update on its way.
type request struct {
	ctx   context.Context
	fn    func(Tx) error
	state atomic.Int32
	done  chan outcome
	tell  []Message
}

// group commits without a timer: what queued during the last fsync is the next
// commit (storage 2).
type group struct {
	mu     sync.Mutex
	queue  []*request
	closed bool
	wake   chan struct{}
	ended  chan struct{}
}

func newGroup(commit func(next func() *request)) *group {
	g := &group{wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go g.run(commit)
	return g
}

// update queues a closure and waits for its commit.
func (g *group) update(ctx context.Context, fn func(Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{ctx: ctx, fn: fn, done: make(chan outcome, 1)}
	if !g.push(r) {
		return ErrClosed
	}
	select {
	case o := <-r.done:
		return o.deliver()
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, left) {
			return ctx.Err()
		}
		return (<-r.done).deliver()
	}
}

// deliver makes an outcome happen in the goroutine that asked for the update.
func (o outcome) deliver() error {
	if o.panicked != nil {
		panic(o.panicked)
	}
	if o.exited {
		runtime.Goexit()
	}
	return o.err
}

func (g *group) push(r *request) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.queue = append(g.queue, r)
	g.signal()
	return true
}

func (g *group) signal() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// next takes the first request whose caller still waits; nil when none does.
func (g *group) next() *request {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.queue) > 0 {
		r := g.queue[0]
		g.queue[0] = nil
		g.queue = g.queue[1:]
		if r.state.CompareAndSwap(waiting, taken) {
			return r
		}
	}
	return nil
}

func (g *group) run(commit func(next func() *request)) {
	defer close(g.ended)
	for range g.wake {
		for !g.idle() {
			commit(g.next)
		}
		if g.finished() {
			return
		}
	}
}

func (g *group) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.queue) == 0
}

func (g *group) finished() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed && len(g.queue) == 0
}

// close takes no more requests and waits for those that were taken.
func (g *group) close() {
	g.mu.Lock()
	g.closed = true
	g.signal()
	g.mu.Unlock()
	<-g.ended
}
