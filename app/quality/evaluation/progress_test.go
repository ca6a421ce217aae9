package evaluation

import (
	"slices"
	"testing"
	"time"

	"svc/app/event"
	"svc/store"
	"svc/store/storetest"
)

// TestProgress: an evaluation tells how far it is every five seconds at most (contract 13.32).
func TestProgress(t *testing.T) {
	db := storetest.Open(t, slices.Concat(Tables(), event.Tables())...)
	const org = "org_01arz3ndektsv4rrffq69g5fav"
	b := batch{org: org}
	e := Evaluation{ID: db.NewID("evl"), Status: Running, Total: 3}
	after := func(since time.Duration) (events int) {
		t.Helper()
		b.emittedAt.Store(time.Now().Add(-since).UnixNano())
		storetest.Update(t, db, func(tx *store.Tx) error {
			for range 2 { // two items that are done at one moment
				if err := b.emitProgress(tx, &e); err != nil {
					return err
				}
			}
			list, err := event.After(tx, org, "", 100)
			events = len(list)
			return err
		})
		return events
	}
	if n := after(emitEvery - time.Second); n != 0 {
		t.Errorf("%d events before five seconds", n)
	}
	if n := after(emitEvery); n != 1 {
		t.Errorf("%d events behind five seconds", n)
	}
}
