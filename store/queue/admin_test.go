package queue_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestArchivedTogether: jobs that were given up before a time are made ready or
// removed in steps; one whose place was taken stays.
func TestArchivedTogether(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: queue.Tables(), Now: clock.Now})
	update := func(f func(*store.Tx) error) {
		t.Helper()
		if err := db.Update(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	started := func(q queue.Name) (yes bool) {
		update(func(tx *store.Tx) (err error) { yes, err = queue.Started(tx, q); return err })
		return yes
	}
	archive := func(n int, o ...queue.Option) {
		t.Helper()
		update(func(tx *store.Tx) error {
			for range n {
				if _, err := queue.Add(tx, call{}, time.Time{}, o...); err != nil {
					return err
				}
			}
			return nil
		})
		drain(t, db, n)
	}
	if started(queue.Webhooks) {
		t.Error("it has started without a job")
	}
	archive(1, queue.Once("x"))
	archive(6)
	before := clock.Now().Add(time.Millisecond)
	clock.Add(time.Minute)
	archive(2)
	update(func(tx *store.Tx) error { _, err := queue.Add(tx, call{}, time.Time{}, queue.Once("x")); return err })

	var steps []int
	for next, more := store.Cursor(nil), true; more; more = next != nil {
		var n int
		var behind store.Cursor
		update(func(tx *store.Tx) (err error) {
			n, behind, err = queue.RetryArchived(tx, queue.Webhooks, before, next, 3)
			return err
		})
		steps, next = append(steps, n), behind
	}
	if !slices.Equal(steps, []int{2, 3, 1}) {
		t.Errorf("in steps of %v", steps)
	}
	count := func(s queue.State) (n int) {
		update(func(tx *store.Tx) error {
			stats, err := queue.StatsOf(tx, queue.Webhooks)
			n = stats.Counts[s]
			return err
		})
		return n
	}
	if a, p := count(queue.Archived), count(queue.Pending); a != 3 || p != 7 {
		t.Errorf("%d are archived and %d pending, want 3 and 7", a, p)
	}
	var dropped []int
	for n := 1; n > 0; {
		update(func(tx *store.Tx) (err error) {
			n, err = queue.DropArchived(tx, queue.Webhooks, clock.Now().Add(time.Millisecond), 2)
			return err
		})
		dropped = append(dropped, n)
	}
	if !slices.Equal(dropped, []int{2, 1, 0}) || count(queue.Archived) != 0 || count(queue.Pending) != 7 {
		t.Errorf("dropped in steps of %v", dropped)
	}
	if !started(queue.Webhooks) || started(queue.Media) {
		t.Error("what has started is wrong")
	}
}

// drain runs what waits until n jobs more are archived.
func drain(t *testing.T, db *store.DB, n int) {
	t.Helper()
	w := queue.New(db, queue.Options{})
	ran := make(chan struct{}, n)
	queue.Register(w, func(context.Context, queue.Job, call) error {
		busy, capacity := w.Load(queue.Webhooks)
		if busy < 1 || busy > capacity || capacity != 8 {
			t.Errorf("%d of %d are busy", busy, capacity)
		}
		ran <- struct{}{}
		return queue.Drop(errors.New("no"))
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	for range n {
		<-ran
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if busy, _ := w.Load(queue.Webhooks); busy != 0 {
		t.Errorf("%d are busy after the end", busy)
	}
}
