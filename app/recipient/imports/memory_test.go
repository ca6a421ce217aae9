package imports

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestMemoryGate: a large upload has the memory to itself, the others wait in the order
// in which they came, and not for ever; small ones share it.
func TestMemoryGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newMemoryGate()
		large := 10 << 20
		release, err := g.wait(t.Context(), large)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan int, 3)
		for n := range 3 {
			go func() {
				done, err := g.wait(t.Context(), large)
				if err != nil {
					t.Error(err)
					return
				}
				got <- n
				done()
			}()
			synctest.Wait()
		}
		if len(got) != 0 {
			t.Error("a second large one did not wait")
		}
		release()
		for n := range 3 {
			if first := <-got; first != n {
				t.Errorf("%d came before %d", first, n)
			}
		}
		var small []func()
		for range 20 {
			done, err := g.wait(t.Context(), 1000)
			if err != nil {
				t.Fatal(err)
			}
			small = append(small, done)
		}
		begin := time.Now()
		if _, err := g.wait(t.Context(), large); !errors.Is(err, errNoMemory) || time.Since(begin) != importMemoryWait {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if _, err := g.wait(ctx, large); !errors.Is(err, context.Canceled) {
			t.Errorf("who left: %v", err)
		}
		for _, done := range small {
			done()
		}
	})
}
