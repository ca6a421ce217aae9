package sync

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

const ofOrg = "org_00000000000000000000000001"

// TestGivenUp: a sync whose job was given up, because every try of it failed, is among the jobs that
// administrators see, with its organization and its account. Whoever asks for the sync starts it
// again, and so do the rounds, where nobody does.
func TestGivenUp(t *testing.T) {
	db := storetest.Open(t, append(queue.Tables(), Tables()...)...)
	w := queue.New(db, queue.Options{})
	var ran atomic.Int32
	queue.Register(w, func(context.Context, queue.Job, syncing) error {
		if ran.Add(1) < 3 {
			return queue.Drop(errors.New("every try failed"))
		}
		return nil
	})
	storetest.Update(t, db, func(tx *store.Tx) error {
		return errors.Join(table.Insert(tx, ofOrg, &Record{ID: "cha_1", Status: Running, DueAt: db.Now()}), ask(tx, ofOrg, "cha_1"))
	})
	storetest.Run(t, w.Run)
	givenUp := func(want int) {
		t.Helper()
		storetest.Eventually(t, "the job is not given up", func() bool {
			var list []queue.Job
			storetest.View(t, db, func(tx *store.Tx) (err error) {
				list, _, err = queue.List(tx, queue.Social, queue.Archived, 0, 10)
				return err
			})
			return len(list) == want && list[0].Org == ofOrg && list[0].Resource == "cha_1" && list[0].LastError != ""
		})
	}
	givenUp(1)
	storetest.Update(t, db, func(tx *store.Tx) error {
		r, err := Want(tx, ofOrg, "cha_1")
		if r.Status != Running {
			t.Errorf("asked for, it is %s", r.Status)
		}
		return err
	})
	givenUp(2)
	s := New(db, Options{})
	storetest.Update(t, db, func(tx *store.Tx) error {
		r, err := Get(tx, ofOrg, "cha_1")
		return errors.Join(err, s.remind(tx, ofOrg, &r))
	})
	storetest.Eventually(t, "the rounds do not start it again", func() bool { return ran.Load() == 3 })
	storetest.View(t, db, func(tx *store.Tx) error {
		r, err := Get(tx, ofOrg, "cha_1")
		if want := db.Now().Add(lookAgain); r.DueAt.After(want) || r.DueAt.Before(want.Add(-lookAgain/2)) {
			t.Errorf("it is looked after at %v, want an hour from now", r.DueAt)
		}
		return err
	})
}
