package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"svc/store"
	"svc/store/kv"
)

// TestCheckFindsEveryKindOfDamage deletes, changes and adds every key of a store in
// turn: none may go unnoticed.
func TestCheckFindsEveryKindOfDamage(t *testing.T) {
	e := kv.NewMemory()
	db, err := store.Open(t.Context(), "", store.Options{Tables: tables(), Engine: e, KeyFile: t.TempDir() + "/key"})
	if err != nil {
		t.Fatal(err)
	}
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		for i := range 3 {
			p := person{ID: db.NewID("rcp"), Name: "n", Handle: fmt.Sprint("h", i), Token: fmt.Sprint("t", i), Tags: []string{"a", fmt.Sprint(i)}, Consent: "IN"}
			if err := people.Put(tx, org, &p); err != nil {
				return err
			}
			if err := notes.Put(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	if err := db.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	var pairs []kv.Pair
	if err := store.Raw(db, func(tx kv.Tx) error {
		pairs = nil
		for p, err := range tx.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			pairs = append(pairs, kv.Pair{Key: bytes.Clone(p.Key), Value: bytes.Clone(p.Value)})
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(pairs) < 50 {
		t.Fatalf("only %d keys", len(pairs))
	}
	damage := func(what string, p kv.Pair, do func(tx kv.Tx) error) {
		t.Helper()
		undo := func(tx kv.Tx) error {
			for _, k := range [][]byte{append(bytes.Clone(p.Key), 1), append(bytes.Clone(p.Key), 0xFF)} {
				if err := tx.Delete(k); err != nil {
					return err
				}
			}
			return tx.Put(p.Key, p.Value)
		}
		if err := store.Raw(db, do); err != nil {
			t.Fatal(err)
		}
		if err := db.Check(t.Context()); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s %q goes unnoticed: %v", what, p.Key, err)
		}
		if err := store.Raw(db, undo); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range pairs {
		if bytes.HasPrefix(p.Key, make([]byte, 4)) {
			continue // what the file says about itself is read at the start
		}
		damage("without", p, func(tx kv.Tx) error { return tx.Delete(p.Key) })
		damage("changed", p, func(tx kv.Tx) error { return tx.Put(p.Key, append([]byte{0x7F}, p.Value...)) })
		damage("one more than", p, func(tx kv.Tx) error { return tx.Put(append(bytes.Clone(p.Key), 1), p.Value) })
		damage("one more than", p, func(tx kv.Tx) error { return tx.Put(append(bytes.Clone(p.Key), 0xFF), nil) })
	}
	damage("a stranger beside", pairs[0], func(tx kv.Tx) error { return tx.Put(append(bytes.Clone(pairs[0].Key), 1), nil) })
	if err := db.Check(t.Context()); err != nil {
		t.Errorf("after everything was put back: %v", err)
	}
}
