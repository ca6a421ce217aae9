package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"svc/store"
)

// patience is how long Eventually waits.
const patience = 20 * time.Second

// Run starts services and workers until the test ends or stop is called, which waits for
// all of them. Each has to end without an error.
func Run(t testing.TB, run ...func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, len(run))
	for _, f := range run {
		go func() { ended <- f(ctx) }()
	}
	stop = sync.OnceFunc(func() {
		cancel()
		for range run {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
	t.Cleanup(stop)
	return stop
}

// RunAndClose runs what was opened until the test ends or stop is called, and closes it then. run
// nil: it only stands open. Both have to end without an error.
func RunAndClose(t testing.TB, run func(context.Context) error, closing func() error) (stop func()) {
	ended := func() {}
	if run != nil {
		ended = Run(t, run)
	}
	stop = sync.OnceFunc(func() {
		ended()
		if err := closing(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// Eventually waits until something that happens beside the test is true.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("never happened: %s", what)
		}
	}
}

// Update changes a store, which has to succeed.
func Update(t testing.TB, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.Update(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

// View reads a store, which has to succeed.
func View(t testing.TB, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.View(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}
