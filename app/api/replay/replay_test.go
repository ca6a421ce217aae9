package replay

import (
	"errors"
	"testing"

	"svc/app/api"
	"svc/store"
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
