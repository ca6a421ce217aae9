package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// upgrading is a database in memory of the older program, which processes of the newer one
// open, each through a gate of its own.
type upgrading struct {
	t      *testing.T
	engine kv.Engine
	table  v2Table
	key    string

	mu    sync.Mutex
	asked int // how often a process was told that it upgrades
	steps int // how often the migration was asked for a step
	// step is called in each step, outside the lock.
	step func()
}

func newUpgrading(t *testing.T, n int) *upgrading {
	u := &upgrading{t: t, engine: kvtest.Kept{Engine: kv.NewMemory()}, table: v2(), key: filepath.Join(t.TempDir(), "master.key"), step: func() {}}
	table, _ := v1()
	db, err := store.Open(t.Context(), "older", store.Options{Tables: []store.AnyTable{table}, Engine: u.engine, KeyFile: u.key})
	if err != nil {
		t.Fatal(err)
	}
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		for i := range n {
			p := personV1{ID: db.NewID("rcp"), Name: string(rune('a' + i)), City: "c"}
			if err := table.Insert(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Close(t, db)
	return u
}

// open is a process of the newer program that starts.
func (u *upgrading) open(ctx context.Context, g *kvtest.Gate) (*store.DB, error) {
	m := rename(u.table.Table)
	work := m.Step
	m.Step = func(tx *store.Tx, after []byte) ([]byte, error) {
		u.mu.Lock()
		u.steps++
		step := u.step
		u.mu.Unlock()
		step()
		return work(tx, after)
	}
	return store.Open(ctx, "newer", store.Options{
		Tables: []store.AnyTable{u.table.Table}, Migrations: []store.Migration{m}, Engine: kvtest.Shared{Engine: g}, KeyFile: u.key,
		BeforeUpgrade: func(context.Context, *store.DB) error {
			u.mu.Lock()
			defer u.mu.Unlock()
			u.asked++
			return nil
		},
	})
}

// TestOneOfTwoUpgrades: of two processes that start at a time one upgrades the database,
// and the other waits until it has.
func TestOneOfTwoUpgrades(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUpgrading(t, 20)
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				db, err := u.open(t.Context(), kvtest.NewGate(u.engine))
				if err != nil {
					t.Error(err)
					return
				}
				if m, err := db.Migrations(t.Context()); m != 1 || err != nil {
					t.Errorf("open after %d migrations, %v", m, err)
				}
				storetest.Close(t, db)
			})
		}
		all.Wait()
		if u.asked != 1 || u.steps != 1 {
			t.Errorf("%d upgrades of %d steps, want one of one", u.asked, u.steps)
		}
	})
}

// TestUpgradeTakenOver: others wait for a process that stops in the middle of an upgrade, for
// 20 seconds; then another one upgrades. What the first one writes when it comes back is
// refused, and it opens what the other one has made.
func TestUpgradeTakenOver(t *testing.T) {
	for _, comesBack := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			u := newUpgrading(t, 20)
			first := kvtest.NewGate(u.engine)
			u.step = func() { // it stops after this transaction
				u.step = func() {}
				first.Pause()
			}
			ended := make(chan error, 1)
			go func() {
				db, err := u.open(t.Context(), first)
				if err == nil {
					storetest.Close(t, db)
				}
				ended <- err
			}()
			synctest.Wait()
			begun := time.Now()
			second, err := u.open(t.Context(), kvtest.NewGate(u.engine))
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(begun); waited < 20*time.Second || waited > 21*time.Second {
				t.Errorf("taken over after %s", waited)
			}
			if comesBack {
				first.Open()
			} else {
				first.Kill()
			}
			if err := <-ended; comesBack != (err == nil) || !comesBack && !errors.Is(err, kv.ErrClosed) {
				t.Errorf("the first one, back %t: %v", comesBack, err)
			}
			if m, err := second.Migrations(t.Context()); m != 1 || err != nil {
				t.Errorf("%d migrations, %v", m, err)
			}
			storetest.Close(t, second)
		})
	}
}

// TestWaitingToUpgradeEnds: whoever waits for another process stops when it is told to.
func TestWaitingToUpgradeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newUpgrading(t, 1)
		first := kvtest.NewGate(u.engine)
		u.step = func() {
			u.step = func() {}
			first.Pause()
		}
		ended := make(chan error, 1)
		go func() {
			_, err := u.open(t.Context(), first)
			ended <- err
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := u.open(ctx, kvtest.NewGate(u.engine)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		first.Kill()
		<-ended
	})
}

// TestTwoMakeADatabase: of two processes that find nothing one makes the keys, and both have
// them.
func TestTwoMakeADatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine, key := kvtest.Kept{Engine: kv.NewMemory()}, filepath.Join(t.TempDir(), "master.key")
		hashes := make(chan string, 2)
		for range 2 {
			go func() {
				db, err := store.Open(t.Context(), "new", store.Options{Engine: kvtest.Shared{Engine: engine}, KeyFile: key})
				if err != nil {
					t.Error(err)
					hashes <- ""
					return
				}
				h, err := db.Hash("test", "secret")
				if err != nil {
					t.Error(err)
				}
				hashes <- h
				storetest.Close(t, db)
			}()
		}
		if a, b := <-hashes, <-hashes; a != b || a == "" {
			t.Errorf("one hashes with other keys than the other")
		}
	})
}
