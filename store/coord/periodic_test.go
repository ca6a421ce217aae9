package coord_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/store/coord"
)

// TestPeriodic: something happens once on all nodes together at each time; missed times
// are made up for once, a failure or a panic waits for the next, and the death of the
// node that does it gives it to another.
func TestPeriodic(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		begin := time.Now()
		var mu sync.Mutex
		var ran []string
		node := func(ctx context.Context) func() {
			ctx, cancel := context.WithCancel(ctx)
			ended := make(chan error, 1)
			go func() {
				ended <- coord.Of(h.dbs[0]).Periodic(ctx, "sweep", time.Hour, func(ctx context.Context, l coord.Lease) error {
					mu.Lock()
					defer mu.Unlock()
					ran = append(ran, fmt.Sprint(int(time.Since(begin).Minutes())))
					switch len(ran) {
					case 2:
						return errors.New("no")
					case 3:
						panic("oh")
					}
					return h.dbs[0].Update(ctx, l.Check)
				})
			}()
			return func() {
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
		}
		stopA, stopB := node(h.t.Context()), node(h.t.Context())
		after(3*time.Hour + time.Minute)
		stopA()
		after(time.Hour)
		stopB()
		after(5*time.Hour + 29*time.Minute)
		stop := node(h.t.Context())
		after(time.Minute)
		stop()
		if want := []string{"0", "60", "120", "180", "240", "570"}; !slices.Equal(ran, want) {
			t.Errorf("ran after %v minutes, want %v", ran, want)
		}
	})
}

// TestPeriodicTakenOver: the node that does it dies while it does; another begins it
// again.
func TestPeriodicTakenOver(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		var mu sync.Mutex
		var ran []int
		ctx, cancel := context.WithCancel(h.t.Context())
		var all sync.WaitGroup
		for i := range h.dbs {
			all.Go(func() {
				_ = coord.Of(h.dbs[i]).Periodic(ctx, "sweep", 24*time.Hour, func(ctx context.Context, _ coord.Lease) error {
					mu.Lock()
					ran = append(ran, i)
					first := len(ran) == 1
					mu.Unlock()
					if first {
						h.gates[i].Kill()
						<-ctx.Done()
					}
					return nil
				})
			})
			synctest.Wait()
		}
		after(time.Minute)
		if !slices.Equal(ran, []int{0, 1}) {
			t.Errorf("ran on %v", ran)
		}
		cancel()
		all.Wait()
	})
}
