package route

import (
	"context"
	"sync"
	"time"
)

// flights joins identical calls. Unlike singleflight it ends a call when nobody
// waits for it any more: an engine works minutes on what no one will read.
type flights struct {
	mu sync.Mutex
	by map[string]*flight
}

type flight struct {
	waiting int
	done    chan struct{} // closed when the fields below are set
	cancel  context.CancelFunc
	value   any
	err     error
}

// do answers with the result of f for the key, which everybody who asks for
// the same key meanwhile shares and nobody may change. f has its own time limit;
// its context ends when the last caller has left. When ctx ends first the error
// is its cause.
func (g *flights) do(ctx context.Context, key string, budget time.Duration, f func(context.Context) (any, error)) (any, error) {
	g.mu.Lock()
	call, running := g.by[key]
	if !running {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), budget)
		call = &flight{done: make(chan struct{}), cancel: cancel}
		if g.by == nil {
			g.by = map[string]*flight{}
		}
		g.by[key] = call
		go g.run(own, key, call, f)
	}
	call.waiting++
	g.mu.Unlock()
	select {
	case <-call.done:
		return call.value, call.err
	case <-ctx.Done():
		g.leave(key, call)
		return nil, context.Cause(ctx)
	}
}

func (g *flights) run(ctx context.Context, key string, call *flight, f func(context.Context) (any, error)) {
	defer call.cancel()
	call.value, call.err = f(ctx)
	g.mu.Lock()
	g.forget(key, call)
	g.mu.Unlock()
	close(call.done)
}

// leave counts one caller out. The last one ends the call and makes room for a
// new one: who asks now must not get an answer that was broken off.
func (g *flights) leave(key string, call *flight) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if call.waiting--; call.waiting == 0 {
		g.forget(key, call)
		call.cancel()
	}
}

func (g *flights) forget(key string, call *flight) {
	if g.by[key] == call {
		delete(g.by, key)
	}
}
