package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

// TestNodesHear: stores over one engine hear what any of them published, in the order of
// the commits and by the time Update returns; what a failed transaction published is
// heard by nobody, and equal messages once.
func TestNodesHear(t *testing.T) {
	o := store.Options{Tables: tables()}
	dbs := storetest.Nodes(t, nil, o, o)
	var heard []string
	for i, db := range dbs {
		stop := db.Subscribe("keys", func(payload string, lost bool) { heard = append(heard, fmt.Sprint(i, payload, lost)) })
		defer stop()
	}
	wake, stopListening := dbs[1].Listen("keys")
	other, stopOther := dbs[1].Listen("locks")
	defer stopOther()
	publish := func(db *store.DB, fail error, payloads ...string) {
		t.Helper()
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			for _, p := range payloads {
				tx.Publish("keys", p)
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Error(err)
		}
	}
	publish(dbs[0], nil, "a", "b", "a")
	if want := []string{"0afalse", "0bfalse", "1afalse", "1bfalse"}; !slices.Equal(slices.Sorted(slices.Values(heard)), want) {
		t.Errorf("heard %v, want %v", heard, want)
	}
	heard = nil
	publish(dbs[1], errors.New("no"), "c")
	if heard != nil {
		t.Errorf("of a transaction that failed: %v", heard)
	}
	select {
	case <-wake:
	default:
		t.Error("the other node was not woken")
	}
	stopListening()
	var many []string
	for i := range kv.MaxMessages + 1 {
		many = append(many, fmt.Sprint(i))
	}
	publish(dbs[0], nil, many...)
	if want := []string{"0true", "1true"}; !slices.Equal(slices.Sorted(slices.Values(heard)), want) {
		t.Errorf("too many: %v, want %v", heard, want)
	}
	select {
	case <-wake:
		t.Error("woken after stop")
	case <-other: // nobody knows whether something was told there
	}
	err := dbs[0].Update(t.Context(), func(tx *store.Tx) error { tx.Publish("keys", strings.Repeat("x", 999)); return nil })
	if err == nil || !strings.Contains(err.Error(), "tell an id") {
		t.Errorf("a long message: %v", err)
	}
	err = dbs[0].View(t.Context(), func(tx *store.Tx) error { tx.Notify("keys"); return nil })
	if err != nil {
		t.Errorf("in a view: %v", err)
	}
}

// TestOnce: what a package keeps of a store is made once.
func TestOnce(t *testing.T) {
	type key struct{}
	o := store.Options{Tables: tables()}
	dbs := storetest.Nodes(t, nil, o, o)
	of := func(db *store.DB) any { return db.Once(key{}, func() any { return new(int) }) }
	if of(dbs[0]) != of(dbs[0]) || of(dbs[0]) == of(dbs[1]) {
		t.Error("not one for each store")
	}
	if dbs[0].Exclusive() || !storetest.Open(t, tables()...).Exclusive() {
		t.Error("a store in a file is not alone, or a shared one is")
	}
}
