package channel

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
)

// TestBodiesAreForgotten: the body of a webhook lives for seven days, one that could not be
// read for thirty; that it came is known for eight. One that waits is left.
func TestBodiesAreForgotten(t *testing.T) {
	const day = 24 * time.Hour
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now})
	came := db.Now()
	for id, status := range map[string]DeliveryStatus{"waits": Waiting, "taken": Taken, "broken": Broken} {
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			d := delivery{ID: id, Status: status, At: came, Due: came}
			if err := body.Set(tx, store.Platform, &d, []byte("{}")); err != nil {
				return err
			}
			return deliveries.Put(tx, store.Platform, &d)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []struct {
		after  time.Duration
		bodies string
		known  int
	}{
		{7*day - time.Second, "broken taken waits", 3},
		{7*day + time.Second, "broken waits", 3},
		{8*day + time.Second, "broken waits", 2},
		{30*day + time.Second, "waits", 1},
	} {
		clock.Add(came.Add(at.after).Sub(db.Now()))
		var bodies string
		known := 0
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			for n := 1; n > 0; {
				var err error
				if n, err = forgetDeliveries(tx, 1); err != nil {
					return err
				}
			}
			for _, id := range []string{"broken", "taken", "waits"} {
				d, err := deliveries.Get(tx, store.Platform, id)
				if store.IsNotFound(err) {
					continue
				}
				if err != nil {
					return err
				}
				if known++; !d.Body.IsZero() {
					if bodies != "" {
						bodies += " "
					}
					bodies += id
				}
			}
			return nil
		})
		if err != nil || bodies != at.bodies || known != at.known {
			t.Errorf("after %v: bodies of %q, %d known, %v; want %q, %d", at.after, bodies, known, err, at.bodies, at.known)
		}
	}
}
