// Package group makes one commit of the updates that wait: what queued during the last
// commit is the next one (storage 2).
//
// It promises: an update is taken once, or never when its context ends before; its caller
// hears how its own closure ended, a panic in its own goroutine included. It refuses to
// know what a transaction is: that is T.
package group

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"svc/store/kv/message"
)

// Max is how many closures share one commit at most: enough to make the flush of the disk
// cheap, few enough that the first of them does not wait long.
const Max = 512

// ErrClosed is the answer of an engine that was closed.
var ErrClosed = errors.New("the store is closed")

// Panic is what a panic of an Update closure becomes in the goroutine that called
// Update: the value, and the stack of the goroutine it ran in.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string {
	return fmt.Sprintf("panic in a transaction: %v\n%s", p.Value, p.Stack)
}

// Unwrap gives the error that was panicked with, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Outcome is how one closure ended.
type Outcome struct {
	Err      error
	Panicked *Panic
	Exited   bool // runtime.Goexit: a test that ended itself inside
}

// OK says that the closure did what it was to do.
func (o Outcome) OK() bool { return o.Err == nil && o.Panicked == nil && !o.Exited }

// Deliver makes an outcome happen in the goroutine that asked for the update.
func (o Outcome) Deliver() error {
	if o.Panicked != nil {
		panic(o.Panicked)
	}
	if o.Exited {
		runtime.Goexit()
	}
	return o.Err
}

// Call runs a closure and catches what it throws. onExit is called, instead of a
// return, when the closure ended its goroutine.
func Call[T any](fn func(T) error, tx T, onExit func()) (o Outcome) {
	returned := false
	defer func() {
		if r := recover(); r != nil {
			o = Outcome{Panicked: &Panic{Value: r, Stack: debug.Stack()}}
		} else if !returned {
			onExit()
		}
	}()
	err := fn(tx)
	returned = true
	return Outcome{Err: err}
}

// States of a request: it waits until the committer takes it or its caller, whose
// context ended, leaves.
const (
	waiting int32 = iota
	taken
	left
)

// Request is one Update on its way.
type Request[T any] struct {
	Ctx context.Context
	Fn  func(T) error
	// Messages are the messages of the closure; the committer keeps them here.
	Messages []message.Message
	state    atomic.Int32
	done     chan Outcome
}

// Answer tells the caller how the closure ended, once.
func (r *Request[T]) Answer(o Outcome) { r.done <- o }

// Group commits without a timer.
type Group[T any] struct {
	mu     sync.Mutex
	queue  []*Request[T]
	closed bool
	wake   chan struct{}
	ended  chan struct{}
}

// New starts a goroutine that calls commit while somebody waits. commit takes requests by
// next, which answers nil when nobody waits any more, and answers each.
func New[T any](commit func(next func() *Request[T])) *Group[T] {
	g := &Group[T]{wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go g.run(commit)
	return g
}

// Update queues a closure and waits for its commit.
func (g *Group[T]) Update(ctx context.Context, fn func(T) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &Request[T]{Ctx: ctx, Fn: fn, done: make(chan Outcome, 1)}
	if !g.push(r) {
		return ErrClosed
	}
	select {
	case o := <-r.done:
		return o.Deliver()
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, left) {
			return ctx.Err()
		}
		return (<-r.done).Deliver()
	}
}

func (g *Group[T]) push(r *Request[T]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.queue = append(g.queue, r)
	g.signal()
	return true
}

func (g *Group[T]) signal() {
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// next takes the first request whose caller still waits; nil when none does.
func (g *Group[T]) next() *Request[T] {
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

func (g *Group[T]) run(commit func(next func() *Request[T])) {
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

func (g *Group[T]) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.queue) == 0
}

func (g *Group[T]) finished() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed && len(g.queue) == 0
}

// Close takes no more requests and waits for those that were taken.
func (g *Group[T]) Close() {
	g.mu.Lock()
	g.closed = true
	g.signal()
	g.mu.Unlock()
	<-g.ended
}
