// Package keyedmutex has a mutex for each name, for what only one goroutine of this
// process may do with one thing at a time.
//
// It promises that names which nobody locks or waits for cost nothing, and that a
// waiter stops with its context. It refuses to lock beyond this process: store/coord
// does that.
package keyedmutex

import (
	"context"
	"sync"
)

// Mutex is a mutex for each name. The zero value is ready to use.
type Mutex struct {
	mu    sync.Mutex
	locks map[string]*lock
}

type lock struct {
	held  chan struct{} // holds one element while it is locked
	users int           // who has it and who waits for it
}

// Lock waits for the mutex of a name, or for the end of ctx, whose error it answers.
// Call unlock once when done.
func (m *Mutex) Lock(ctx context.Context, name string) (unlock func(), err error) {
	m.mu.Lock()
	l := m.locks[name]
	if l == nil {
		if m.locks == nil {
			m.locks = map[string]*lock{}
		}
		l = &lock{held: make(chan struct{}, 1)}
		m.locks[name] = l
	}
	l.users++
	m.mu.Unlock()
	leave := func() {
		m.mu.Lock()
		if l.users--; l.users == 0 {
			delete(m.locks, name)
		}
		m.mu.Unlock()
	}
	select {
	case l.held <- struct{}{}:
		return func() { <-l.held; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}
