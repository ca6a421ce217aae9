package account

import (
	"context"
	"sync"
)

// turns lets one at a time work on the thing of a name.
type turns struct {
	mu    sync.Mutex
	taken map[string]*turn
}

type turn struct {
	free  chan struct{}
	users int
}

func newTurns() *turns { return &turns{taken: map[string]*turn{}} }

// take waits for the turn at a name; give it back by calling done.
func (t *turns) take(ctx context.Context, name string) (done func(), err error) {
	t.mu.Lock()
	x := t.taken[name]
	if x == nil {
		x = &turn{free: make(chan struct{}, 1)}
		t.taken[name] = x
	}
	x.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		if x.users--; x.users == 0 {
			delete(t.taken, name)
		}
		t.mu.Unlock()
	}
	select {
	case x.free <- struct{}{}:
		return func() { <-x.free; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
