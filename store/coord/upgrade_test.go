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
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// TestUpgradeWaitsForNodes: a newer program does not change a store that nodes of the older
// one work on. It waits until one has left and another is silent; and one that opened the
// store before the upgrade does not join afterwards.
func TestUpgradeWaitsForNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		gate := kvtest.NewGate(engine)
		defer gate.Open()
		older := store.Options{Tables: coord.Tables()}
		dbs := storetest.Nodes(t, engine, older, store.Options{Tables: coord.Tables(), Engine: gate}, older)
		leaves, err := coord.Of(dbs[0]).Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := coord.Of(dbs[1]).Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		var changed time.Time
		newer := store.Options{
			Engine: kvtest.Shared{Engine: engine}, Tables: coord.Tables(),
			BeforeUpgrade: func(ctx context.Context, db *store.DB) error { return coord.Outlast(ctx, db, coord.Options{}) },
			Migrations: []store.Migration{{Name: "of a newer version", Step: func(*store.Tx, []byte) ([]byte, error) {
				changed = time.Now()
				return nil, nil
			}}},
		}
		opened := make(chan error, 1)
		go func() {
			db, err := store.Open(t.Context(), "newer", newer)
			if err == nil {
				err = db.Close()
			}
			opened <- err
		}()
		after(time.Hour)
		if !changed.IsZero() {
			t.Fatal("it was changed while two nodes worked on it")
		}
		leaves.Leave()
		after(time.Hour)
		if !changed.IsZero() {
			t.Fatal("it was changed while one node worked on it")
		}
		joined := make(chan error, 1)
		go func() {
			_, err := coord.Of(dbs[2]).Enter(t.Context())
			joined <- err
		}()
		after(time.Second)
		silent := time.Now()
		gate.Pause()
		select {
		case err := <-opened:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(time.Hour):
			t.Fatal("it still waits, an hour after the last node fell silent")
		}
		if took := changed.Sub(silent); took < 7*time.Second || took > 30*time.Second {
			t.Errorf("changed %v after the last node fell silent", took)
		}
		if err := <-joined; !errors.Is(err, store.ErrNewer) {
			t.Errorf("a node of the older program joined: %v", err)
		}
	})
}
