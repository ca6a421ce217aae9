package coord_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
	"svc/store/storetest"
)

// TestShared: what is counted and locked holds on two nodes together.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dbs := storetest.Nodes(t, kv.NewMemory(), store.Options{Tables: coord.Tables()}, store.Options{Tables: coord.Tables()})
		a, b := coord.Of(dbs[0]), coord.Of(dbs[1])
		ctx := t.Context()

		unlock, err := a.Lock(ctx, "login/x")
		if err != nil {
			t.Fatal(err)
		}
		locked := make(chan error, 1)
		go func() {
			other, err := b.Lock(ctx, "login/x")
			if err == nil {
				other()
			}
			locked <- err
		}()
		synctest.Wait()
		select {
		case <-locked:
			t.Error("two nodes have one lock")
		default:
		}
		unlock()
		if err := <-locked; err != nil {
			t.Error(err)
		}

		take := func(db *store.DB) (left float64, ok bool) {
			storetest.Update(t, db, func(tx *store.Tx) (err error) {
				left, ok, err = coord.Take(tx, "rate", 60, 3)
				return err
			})
			return left, ok
		}
		for i, want := range []float64{2, 1, 0} {
			if left, ok := take(dbs[i%2]); !ok || left != want {
				t.Errorf("%v are left, %t, want %v", left, ok, want)
			}
		}
		if _, ok := take(dbs[1]); ok {
			t.Error("a fourth was given")
		}
		<-time.After(time.Second)
		if _, ok := take(dbs[0]); !ok {
			t.Error("none is given after a second")
		}
		<-time.After(time.Minute)
		storetest.Update(t, dbs[0], func(tx *store.Tx) error {
			n, err := coord.ForgetFull(tx, 10)
			if n != 1 {
				t.Errorf("%d full buckets were forgotten", n)
			}
			return err
		})

		s, err := a.Enter(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		o, err := b.Enter(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		first, err := s.TryAcquireOne(ctx, "stream/x/", 2)
		if err != nil {
			t.Fatal(err)
		}
		second, err := o.TryAcquireOne(ctx, "stream/x/", 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.TryAcquireOne(ctx, "stream/x/", 2); !errors.Is(err, coord.ErrHeld) {
			t.Errorf("a third stream: %v", err)
		}
		storetest.View(t, dbs[0], func(tx *store.Tx) error {
			of, err := coord.Holders(tx, "stream/x/")
			if len(of) != 2 || of[s.ID()] != 1 || of[o.ID()] != 1 {
				t.Errorf("held by %v", of)
			}
			return err
		})
		// Who lets go of a lease may store what was done before, until another has it.
		if err := first.Release(ctx); err != nil {
			t.Fatal(err)
		}
		fence := func() (err error) {
			storetest.View(t, dbs[0], func(tx *store.Tx) error {
				err = first.Fence(tx)
				return nil
			})
			return err
		}
		if err := fence(); err != nil {
			t.Errorf("nobody has the lease: %v", err)
		}
		again, err := o.TryAcquireOne(ctx, "stream/x/", 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := fence(); !errors.Is(err, coord.ErrLost) {
			t.Errorf("another has the lease: %v", err)
		}
		if err := errors.Join(second.Release(ctx), again.Release(ctx)); err != nil {
			t.Error(err)
		}
		s.Leave()
		o.Leave()
	})
}
