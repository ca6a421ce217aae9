package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/masterkey"
	"svc/store/storetest"
)

// TestRotationIsHeardElsewhere: while and after one process rotates the keys, another one
// opens what the first sealed, and seals with the keys that stay.
func TestRotationIsHeardElsewhere(t *testing.T) {
	engine, dir := kv.NewMemory(), t.TempDir()
	key := filepath.Join(dir, "master.key")
	open := func() *store.DB {
		return storetest.OpenWith(t, "shared", store.Options{Tables: []store.AnyTable{accounts}, Engine: kvtest.Shared{Engine: engine}, KeyFile: key})
	}
	here, there := open(), open()
	org := here.NewID("org")
	put := func(db *store.DB) (id string) {
		id = db.NewID("acc")
		update(t, db, func(tx *store.Tx) error {
			a := account{ID: id}
			return errors.Join(phone.Set(tx, org, &a, []byte(number)), accounts.Put(tx, org, &a))
		})
		return id
	}
	opens := func(what string, db *store.DB, ids ...string) {
		t.Helper()
		view(t, db, func(tx *store.Tx) error {
			for _, id := range ids {
				a, err := accounts.Get(tx, org, id)
				if err != nil {
					return err
				}
				if secret, err := phone.Open(db, org, &a); err != nil || string(secret) != number {
					t.Errorf("%s: %q, %v", what, secret, err)
				}
			}
			return nil
		})
	}
	ids := []string{put(here), put(there)}
	for range 2 {
		err := here.RotateKeys(t.Context(), store.Rotation{
			Files: func(context.Context) error { // the secrets of tables are sealed anew by now
				ids = append(ids, put(there))
				opens("within the rotation, elsewhere", there, ids...)
				if state, err := there.KeyState(); err != nil || !state.Rotating {
					t.Errorf("elsewhere no rotation is known of: %+v, %v", state, err)
				}
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, put(there), put(here))
		opens("after the rotation, here", here, ids...)
		opens("after the rotation, elsewhere", there, ids...)
		a, err := here.KeyState()
		b, err2 := there.KeyState()
		if err := errors.Join(err, err2); err != nil || a != b || a.Rotating {
			t.Errorf("keys %+v and %+v, %v", a, b, err)
		}
		if _, err := masterkey.Retire(key, here.Now().AddDate(0, 0, len(ids))); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Close(t, there)
	storetest.Close(t, here)
	storetest.Close(t, open())
}
