package store_test

import (
	"context"
	"testing"
	"time"

	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

// clocked is an engine on a machine with a clock.
type clocked struct {
	kv.Engine
	now func() time.Time
}

// Clock implements kv.Clocked.
func (c clocked) Clock(context.Context) (time.Time, error) { return c.now(), nil }

// TestClockIsShared: the clock of the engine's machine is that of every node, however theirs
// are set and whatever happens to them.
func TestClockIsShared(t *testing.T) {
	shared := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	own := shared.Add(5 * time.Minute)
	e := clocked{kv.NewMemory(), func() time.Time { return shared }}
	db := storetest.OpenWith(t, "", store.Options{Engine: e, Now: func() time.Time { return own }})
	expect := func(what string, want time.Time) {
		t.Helper()
		if got := db.Now(); !got.Equal(want) {
			t.Errorf("%s: it is %v, want %v", what, got, want)
		}
	}
	follow := func() {
		t.Helper()
		if err := db.FollowClock(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	expect("opened", shared)
	own, shared = own.Add(time.Minute), shared.Add(time.Minute)
	expect("a minute later", shared)
	own = own.Add(-time.Hour)
	follow()
	expect("set back by an hour", shared)
	own = own.Add(900 * time.Millisecond)
	follow()
	expect("drift of less than a second", shared.Add(900*time.Millisecond))
}
