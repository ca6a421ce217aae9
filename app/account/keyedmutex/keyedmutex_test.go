package keyedmutex

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestMutex: one name is locked once at a time, other names do not wait for it, a waiter
// stops with its context, and nothing is kept of names that nobody uses.
func TestMutex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m Mutex
		lock := func(name string) func() {
			unlock, err := m.Lock(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			return unlock
		}
		first, other := lock("a"), lock("b")
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() {
			_, err := m.Lock(ctx, "a")
			stopped <- err
		}()
		got := false
		go func() {
			lock("a")()
			got = true
		}()
		synctest.Wait()
		if got {
			t.Error("one name was locked twice")
		}
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("a waiter whose context ended: %v", err)
		}
		first()
		synctest.Wait()
		if !got {
			t.Error("a waiter did not get the mutex")
		}
		other()
		if len(m.locks) != 0 {
			t.Errorf("%d names are kept", len(m.locks))
		}
	})
}
