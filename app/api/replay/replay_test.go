package replay

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"svc/app/api"
	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

type note struct {
	ID string `json:"id"`
}

var notes = store.NewTable("note", "", func(n *note) string { return n.ID }).Global()

// TestDied is the life of a request whose process dies before its answer is kept, and
// of one whose answer cannot be kept.
func TestDied(t *testing.T) {
	db := storetest.Open(t, append(Tables(), notes)...)
	c := api.System(t.Context(), "", db.Now())
	update := func(f func(*store.Tx) error) {
		t.Helper()
		if err := db.Update(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(r Request, want error) {
		t.Helper()
		if before, err := Begin(c, db, r); before != nil || !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %+v, %v; want %v", r.Key, before, err, want)
		}
	}
	work := func(r Request, err error) {
		t.Helper()
		got := db.Update(Following(t.Context(), r), func(tx *store.Tx) error {
			return errors.Join(notes.Put(tx, store.Platform, &note{ID: r.Key}), err)
		})
		if !errors.Is(got, err) {
			t.Fatal(got)
		}
	}
	untouched, undone, carried := Request{Key: "untouched"}, Request{Key: "undone"}, Request{Key: "carried out"}
	for _, r := range []Request{untouched, undone, carried} {
		begin(r, nil)
		begin(r, errRunning)
	}
	work(undone, api.ErrState)
	work(carried, nil)
	work(carried, nil)
	begin(carried, errRunning)
	update(func(tx *store.Tx) error { // the process that comes after the death
		if n, err := Recover(tx, 10); n != 3 || err != nil {
			t.Errorf("recovered %d: %v", n, err)
		}
		return nil
	})
	for range 2 {
		begin(carried, errLost)
	}
	begin(Request{Key: carried.Key, Fingerprint: "other"}, api.ErrIdempotency)
	begin(untouched, nil)
	begin(undone, nil)

	// A failure of ours gives the key back when nothing was changed before it.
	work(undone, nil)
	if err := errors.Join(Lose(c, db, untouched), Lose(c, db, undone)); err != nil {
		t.Fatal(err)
	}
	begin(untouched, nil)
	begin(undone, errLost)

	// What ended well is not touched by a start.
	if err := End(c, db, untouched, Answer{Status: 201}); err != nil {
		t.Fatal(err)
	}
	update(func(tx *store.Tx) error {
		if n, err := Recover(tx, 10); n != 0 || err != nil {
			t.Errorf("recovered %d: %v", n, err)
		}
		return nil
	})
	if before, err := Begin(c, db, untouched); err != nil || before == nil || before.Status != 201 {
		t.Errorf("%+v, %v", before, err)
	}
}

// TestOneOrganizationKeepsSoMuch: its oldest answers go first, those of others stay, and
// what is forgotten is not counted any more (contract 21.3, Kept answers).
func TestOneOrganizationKeepsSoMuch(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now, Engine: kv.NewMemory()})
	keep := func(r Request, bytes int) {
		t.Helper()
		clock.Add(time.Second)
		c := api.System(t.Context(), "", db.Now())
		if before, err := Begin(c, db, r); before != nil || err != nil {
			t.Fatalf("%s: %v, %v", r.Key, before, err)
		}
		if err := End(c, db, r, Answer{Status: 201, Body: make([]byte, bytes)}); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(r Request) bool {
		t.Helper()
		before, err := Begin(api.System(t.Context(), "", db.Now()), db, r)
		if err != nil {
			t.Fatalf("%s: %v", r.Key, err)
		}
		return before != nil
	}
	bytesOf := func(owner string) (n int64) {
		t.Helper()
		if err := db.View(t.Context(), func(tx *store.Tx) error {
			o, err := owners.Get(tx, store.Platform, owner)
			n = o.Bytes
			return store.IgnoreNotFound(err)
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	other := Request{Owner: "org_b", Key: "other"}
	keep(other, 100)
	const each = 6 << 20 // 8 MiB as they are written: base64
	name := func(i int) Request { return Request{Owner: "org_a", Key: fmt.Sprint(i)} }
	for i := range 10 {
		keep(name(i), each)
	}
	if n := bytesOf("org_a"); n > MaxOwned || n < MaxOwned*3/4 {
		t.Errorf("%d bytes are kept, at most %d may be", n, MaxOwned)
	}
	if kept(name(0)) || !kept(name(9)) || !kept(name(5)) || !kept(other) {
		t.Error("the oldest do not go first, or those of somebody else go")
	}
	clock.Add(Keep + time.Second)
	if err := db.Update(t.Context(), func(tx *store.Tx) error { _, err := Purge(tx, 100); return err }); err != nil {
		t.Fatal(err)
	}
	if a, b := bytesOf("org_a"), bytesOf("org_b"); a != 0 || b != 0 {
		t.Errorf("%d and %d bytes are counted of what was forgotten", a, b)
	}
}
