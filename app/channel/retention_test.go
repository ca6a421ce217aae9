package channel

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
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

// TestForgottenPerson: what webhooks said of an account is forgotten, however much it is: a thousand
// at once, the others by a job that comes again while one waits to be read.
func TestForgottenPerson(t *testing.T) {
	db := storetest.OpenWith(t, "", store.Options{Tables: append(Tables(), queue.Tables()...)})
	put := func(tx *store.Tx, id string, status DeliveryStatus, accounts ...string) error {
		d := delivery{ID: id, N: id, Status: status, At: db.Now(), Due: db.Now(), Accounts: accounts}
		return errors.Join(body.Set(tx, store.Platform, &d, []byte("{}")), deliveries.Put(tx, store.Platform, &d))
	}
	storetest.Update(t, db, func(tx *store.Tx) (err error) {
		for n := range bodiesAtOnce + 500 {
			err = errors.Join(err, put(tx, fmt.Sprintf("d%05d", n), Taken, "17"))
		}
		return errors.Join(err, put(tx, "other", Taken, "18"), put(tx, "waits", Waiting))
	})
	left := func() (bodies, jobs int) {
		storetest.View(t, db, func(tx *store.Tx) error {
			list, _, err := ofAccount.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Text("17")), Limit: 10_000})
			if err != nil {
				return err
			}
			others, _, err := ofAccount.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Text("18")), Limit: 10})
			if len(others) != 1 {
				t.Error("what another account was told is forgotten too")
			}
			waiting, _, failed := queue.List(tx, queue.Maintenance, queue.Scheduled, 0, 10)
			bodies, jobs = len(list), len(waiting)
			return errors.Join(err, failed)
		})
		return bodies, jobs
	}
	for _, want := range [][2]int{{500, 1}, {0, 1}} {
		storetest.Update(t, db, func(tx *store.Tx) error { return forgetBodies(tx, "17") })
		if bodies, jobs := left(); bodies != want[0] || jobs != want[1] {
			t.Errorf("%d bodies are left, %d jobs wait; want %v", bodies, jobs, want)
		}
	}
	storetest.Update(t, db, func(tx *store.Tx) error { // it is read: it spoke of them
		list, _, err := queue.List(tx, queue.Maintenance, queue.Scheduled, 0, 10)
		return errors.Join(err, queue.Discard(tx, list[0].ID), put(tx, "waits", Taken, "17"), forgetBodies(tx, "17"))
	})
	if bodies, jobs := left(); bodies != 0 || jobs != 0 {
		t.Errorf("%d bodies are left, %d jobs wait in the end", bodies, jobs)
	}
}

// TestForgottenInChunks: a cleanup takes no more rows than it is asked to, else whoever repeats it
// until it takes fewer stops before the end.
func TestForgottenInChunks(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now})
	storetest.Update(t, db, func(tx *store.Tx) (err error) {
		for n := range 6 {
			d := delivery{ID: fmt.Sprint(n), Status: Taken, At: db.Now(), Due: db.Now()}
			if n < 3 {
				err = errors.Join(err, body.Set(tx, store.Platform, &d, []byte("{}")))
			}
			err = errors.Join(err, deliveries.Put(tx, store.Platform, &d))
		}
		return err
	})
	clock.Add(knownLife + time.Hour)
	var took []int
	for n := 2; n == 2; {
		storetest.Update(t, db, func(tx *store.Tx) (err error) {
			n, err = forgetDeliveries(tx, 2)
			return err
		})
		took = append(took, n)
	}
	storetest.View(t, db, func(tx *store.Tx) error {
		n, err := deliveries.Count(tx, store.Platform)
		if n != 0 {
			t.Errorf("%d are left after %v", n, took)
		}
		return err
	})
}
