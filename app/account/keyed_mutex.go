package account

import (
	"context"
	"sync"
)

// keyedMutex is a mutex for each name.
type keyedMutex struct {
	mu    sync.Mutex
	taken map[string]*keyedLock
}

type keyedLock struct {
	free  chan struct{}
	users int
}

func newKeyedMutex() *keyedMutex { return &keyedMutex{taken: map[string]*keyedLock{}} }

// lock waits for the mutex of a name, or for the end of ctx. done unlocks it.
func (t *keyedMutex) lock(ctx context.Context, name string) (done func(), err error) {
	t.mu.Lock()
	x := t.taken[name]
	if x == nil {
		x = &keyedLock{free: make(chan struct{}, 1)}
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
