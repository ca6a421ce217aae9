package backfill

import (
	"slices"
	"testing"
	"time"

	"svc/app/event"
	"svc/store"
	"svc/store/storetest"
)

// TestProgress: a run at work tells how far it is every five seconds at most, and at its end at
// once; what it did counts in any case (contract 15.7).
func TestProgress(t *testing.T) {
	db := storetest.Open(t, slices.Concat(Tables(), event.Tables())...)
	const org = "org_01arz3ndektsv4rrffq69g5fav"
	r := record{ID: db.NewID("bkf"), Source: ByRequest, Status: Running, Total: 60, StartedAt: db.Now()}
	step := func(since time.Duration, next store.Cursor) (events int) {
		t.Helper()
		storetest.Update(t, db, func(tx *store.Tx) error {
			r.EmittedAt = db.Now().Add(-since)
			if err := r.advance(tx, org, &result{processed: 20, analysed: 18, skipped: 2}, next, nil); err != nil {
				return err
			}
			list, err := event.After(tx, org, "", 100)
			events = len(list)
			return err
		})
		return events
	}
	if n := step(emitEvery-time.Second, store.Cursor("a")); n != 0 {
		t.Errorf("%d events before five seconds", n)
	}
	if n := step(emitEvery, store.Cursor("b")); n != 1 {
		t.Errorf("%d events behind five seconds", n)
	}
	if n := step(0, nil); n != 2 || r.Status != Done {
		t.Errorf("%d events, %s at the end", n, r.Status)
	}
	if r.Processed != 60 || r.Analysed != 54 || r.Skipped != 6 {
		t.Errorf("%+v", r)
	}
}
