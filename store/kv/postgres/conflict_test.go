package postgres_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/store/kv"
	"svc/store/kv/postgres/pgtest"
)

// TestOneInConflict: an update that another node is always in the way of does not keep the
// others that wait with it: each runs a few times, not as often as that one.
func TestOneInConflict(t *testing.T) {
	address := pgtest.Address(t)
	a, b := open(t, address), open(t, address)
	const others, most = 40, 15
	stop := make(chan struct{})
	var hot, all sync.WaitGroup
	hot.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := b.Update(t.Context(), func(tx kv.Tx) error { return increase(tx, "hot") }); err != nil {
				t.Error(err)
			}
		}
	})
	var held atomic.Int64
	hot.Go(func() {
		err := a.Update(t.Context(), func(tx kv.Tx) error {
			held.Add(1)
			if err := increase(tx, "hot"); err != nil {
				return err
			}
			select { // the other node writes meanwhile
			case <-time.After(20 * time.Millisecond):
			case <-stop:
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	var ran [others]atomic.Int64
	for i := range others {
		all.Go(func() {
			err := a.Update(t.Context(), func(tx kv.Tx) error {
				ran[i].Add(1)
				return tx.Put(fmt.Appendf(nil, "other %d", i), []byte("x"))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	close(stop)
	hot.Wait()
	for i := range ran {
		if n := ran[i].Load(); n > most {
			t.Errorf("update %d ran %d times beside one that ran %d times", i, n, held.Load())
		}
	}
}
