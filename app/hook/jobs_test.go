package hook

import (
	"context"
	"slices"
	"testing"
	"time"

	"svc/app/event"
	"svc/store"
)

// TestRetryOfADelivery: one that waits comes now; one that ended begins anew.
func TestRetryOfADelivery(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.answers(failing)
		w.run()
		w.settle()
		ev := w.emit(event.CampaignPaused, 1)[0]
		w.take()
		again := func() Delivery {
			d := w.delivery(id, 0)
			out := Delivery{}
			w.srv.Do("POST /webhooks/"+id+"/deliveries/"+d.ID+"/retry", nil).Want(202).Into(&out)
			return out
		}
		if d := again(); d.Status != Retrying || d.Attempts != 1 {
			t.Errorf("while it waits: %+v", d)
		}
		if got := w.take(); len(got) != 1 || got[0].header["X-Svc-Attempt"] != "2" {
			t.Errorf("sent at once: %+v", got)
		}
		for range 8 {
			again()
			w.take()
		}
		d := w.delivery(id, 0)
		if d.Status != Failed || d.Attempts != 10 {
			t.Fatalf("after ten: %+v", d)
		}
		if d := again(); d.Status != Pending || d.Attempts != 0 || d.FinishedAt != nil || len(d.AttemptLog) != 10 {
			t.Errorf("begun anew: %+v", d)
		}
		if got := w.take(); len(got) != 1 || got[0].header["X-Svc-Attempt"] != "1" {
			t.Errorf("sent: %+v", got)
		}
		if c := w.counts(ev); c != (event.Deliveries{Pending: 1}) {
			t.Errorf("counts %+v", c)
		}
		w.answers(nil)
		again()
		w.take()
		again() // it was received, and is sent once more
		if got := w.take(); len(got) != 1 {
			t.Errorf("sent again: %+v", got)
		}
		d = w.delivery(id, 0)
		if c := w.counts(ev); c != (event.Deliveries{Succeeded: 1}) || d.Status != Succeeded || len(d.AttemptLog) != 13 {
			t.Errorf("counts %+v, delivery %+v", c, d)
		}
		if n := w.srv.Do("GET /webhooks/"+id+"/deliveries", nil).Int("total"); n != 1 {
			t.Errorf("%d deliveries of one event", n)
		}
	})
}

// TestRecover: what was missed while it was disabled and what failed comes, what was
// received does not come again.
func TestRecover(t *testing.T) {
	for name, onlyFailed := range map[string]bool{"all": false, "only what failed": true} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				id := w.hook("https://example.com/", "campaign.*")
				w.run()
				w.settle()
				early := w.emit(event.CampaignPaused, 2) // before the time that is asked for
				w.take()
				w.after(time.Hour)
				since := w.db.Now()
				w.emit(event.CampaignPaused, 3) // received
				w.take()
				w.answers(failing)
				failed := w.emit(event.CampaignPaused, 2)
				w.after(40 * time.Hour) // one at a time
				w.take()
				if d := w.delivery(id, 0); d.Status != Failed {
					t.Fatalf("delivery %+v", d)
				}
				cancelled := w.emit(event.CampaignPaused, 1)
				w.take()
				w.srv.Do("PATCH /webhooks/"+id, `{"status":"DISABLED"}`).Want(200)
				w.settle()
				missed := w.emit(event.CampaignPaused, 250)
				w.emit(event.MessageFailed, 5) // not its own
				if d := w.delivery(id, 0); d.Status != Cancelled || d.EventID != cancelled[0] {
					t.Fatalf("delivery %+v", d)
				}
				w.answers(nil)
				w.srv.Do("PATCH /webhooks/"+id, `{"status":"ACTIVE"}`).Want(200)
				if got := w.take(); len(got) != 0 {
					t.Fatalf("%d sent before a recovery was asked for", len(got))
				}
				w.srv.Do("POST /webhooks/"+id+"/recover", map[string]any{"since": since, "only_failed": onlyFailed}).Want(202)
				want := slices.Concat(failed, cancelled, missed)
				if onlyFailed {
					want = failed
				}
				got := events(w.take())
				if !slices.Equal(slices.Sorted(slices.Values(got)), want) {
					t.Errorf("sent %d, want %d", len(got), len(want))
				}
				if slices.Contains(got, early[0]) {
					t.Error("from before the time")
				}
				w.srv.Do("POST /webhooks/"+id+"/recover", map[string]any{"since": since, "only_failed": onlyFailed}).Want(202)
				if got := w.take(); len(got) != 0 {
					t.Errorf("a second recovery sent %d", len(got))
				}
				if c := w.counts(failed[0]); c != (event.Deliveries{Succeeded: 1}) {
					t.Errorf("counts %+v", c)
				}
			})
		})
	}
}

// TestRecoverBeforeTheFollower: an event that both would deliver is delivered once.
func TestRecoverBeforeTheFollower(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		ids := w.emit(event.CampaignPaused, 5)
		w.update(func(tx *store.Tx) error {
			a := recovery{Org: w.srv.Org, Webhook: id, UpTo: ids[3]}
			_, done, err := w.s.recoverSome(tx, a)
			if !done {
				t.Error("it is not done")
			}
			if n, err := deliveries.Count(tx, w.srv.Org); n != 4 || err != nil {
				t.Errorf("%d deliveries, want those up to the newest event when it was asked for (%v)", n, err)
			}
			return err
		})
		w.run()
		if got := events(w.take()); !slices.Equal(slices.Sorted(slices.Values(got)), ids) {
			t.Errorf("sent %v, want %v", got, ids)
		}
		if c := w.counts(ids[0]); c != (event.Deliveries{Succeeded: 1}) {
			t.Errorf("counts %+v", c)
		}
	})
}

// TestCancelledWhileItIsSent: what comes of the attempt changes nothing any more.
func TestCancelledWhileItIsSent(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		release := make(chan struct{})
		w.answers(func(context.Context, sent) Answer {
			<-release
			return Answer{Status: 200}
		})
		w.run()
		ids := w.emit(event.CampaignPaused, 1)
		w.take()
		w.srv.Do("PATCH /webhooks/"+id, `{"status":"DISABLED"}`).Want(200)
		w.settle()
		close(release)
		w.settle()
		if d := w.delivery(id, 0); d.Status != Cancelled || d.Attempts != 0 {
			t.Errorf("delivery %+v", d)
		}
		if c := w.counts(ids[0]); c != (event.Deliveries{}) {
			t.Errorf("counts %+v", c)
		}
	})
}

// TestEnabledBeforeAllWasCancelled: what is left is sent.
func TestEnabledBeforeAllWasCancelled(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.answers(failing)
		w.run()
		w.emit(event.CampaignPaused, 3)
		w.take()
		w.stop()
		w.srv.Do("PATCH /webhooks/"+id, `{"status":"DISABLED"}`).Want(200)
		w.srv.Do("PATCH /webhooks/"+id, `{"status":"ACTIVE"}`).Want(200)
		w.answers(nil)
		w.stop = func() {}
		w.restart()
		w.after(15 * time.Second)
		if got := w.take(); len(got) != 3 {
			t.Errorf("%d sent, want 3", len(got))
		}
	})
}

// TestRemoved: the deliveries go, and nothing is pending any more.
func TestRemoved(t *testing.T) {
	bubble(t, func(w *world) {
		id, other := w.hook("https://one.example.com/"), w.hook("https://two.example.com/")
		w.answers(failing)
		w.run()
		ids := w.emit(event.CampaignPaused, 10)
		w.take()
		w.srv.Do("DELETE /webhooks/"+id, nil).Want(204)
		w.after(5 * time.Second)
		w.update(func(tx *store.Tx) error {
			n, err := deliveries.Count(tx, w.srv.Org)
			if n != 10 {
				t.Errorf("%d deliveries are left, want those of the other endpoint", n)
			}
			return err
		})
		if c := w.counts(ids[0]); c != (event.Deliveries{Pending: 1}) {
			t.Errorf("counts %+v", c)
		}
		w.take()
		w.after(firstProbe)
		got := w.take()
		for _, s := range got {
			if s.URL == "https://one.example.com/" {
				t.Error("sent to an endpoint that was removed")
			}
		}
		if len(got) != 1 || w.shown(other).FailureStreak < probeAfter {
			t.Errorf("%d attempts to the other one", len(got))
		}
	})
}

func TestPurge(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.run()
		w.settle()
		w.emit(event.CampaignPaused, 3)
		w.take()
		w.after(Keep + time.Second)
		kept := w.emit(event.CampaignPaused, 2)
		w.take()
		var counts []int
		for range 3 {
			w.update(func(tx *store.Tx) error {
				n, err := Purge(tx, w.srv.Org, 2)
				counts = append(counts[:len(counts):len(counts)], n)
				return err
			})
		}
		if !slices.Equal(counts, []int{2, 1, 0}) {
			t.Errorf("removed %v", counts)
		}
		if d := w.delivery(id, 1); d.EventID != kept[0] {
			t.Errorf("left %+v", d)
		}
	})
}

// TestFanOutIsBounded: an event of many endpoints goes out in several transactions,
// to each of them once.
func TestFanOutIsBounded(t *testing.T) {
	bubble(t, func(w *world) {
		want := map[string]int{}
		for range madeAtATime/2 + 10 {
			want[w.hook("https://example.com/", "campaign.paused")] = 3
		}
		w.emit(event.CampaignPaused, 3)
		f := w.follower()
		if err := f.begin(context.Background()); err != nil {
			t.Fatal(err)
		}
		steps := 0
		for more := true; more; steps++ {
			var err error
			if more, err = f.step(context.Background()); err != nil {
				t.Fatal(err)
			}
			// As another process would: from what is on the disk.
			if err := f.begin(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if steps != 2 {
			t.Errorf("%d steps, want 2", steps)
		}
		got := map[string]int{}
		w.update(func(tx *store.Tx) error {
			list, _, err := deliveries.Walk(tx, w.srv.Org, nil, 2000)
			for _, d := range list {
				got[d.WebhookID]++
			}
			return err
		})
		for id, n := range want {
			if got[id] != n {
				t.Fatalf("%s has %d deliveries, want %d", id, got[id], n)
			}
		}
	})
}

// TestEventsThatNobodyReceives write nothing, and are not delivered to an endpoint
// that comes later.
func TestEventsThatNobodyReceives(t *testing.T) {
	bubble(t, func(w *world) {
		w.emit(event.CampaignPaused, 3)
		f := w.follower()
		place := func() (p eventCursor) {
			if _, err := f.step(context.Background()); err != nil {
				t.Fatal(err)
			}
			w.update(func(tx *store.Tx) (err error) {
				p, err = eventCursors.Get(tx, store.Platform, eventCursorID)
				return store.IgnoreNotFound(err)
			})
			return p
		}
		if p := place(); p.Event != "" {
			t.Errorf("a place was saved: %+v", p)
		}
		id := w.hook("https://example.com/")
		f = &follower{s: w.s, lease: f.lease} // another process passes them again
		if p := place(); p.Event != "" {
			t.Errorf("a place was saved: %+v", p)
		}
		ids := w.emit(event.CampaignPaused, 1)
		if p := place(); p.Event != ids[0] {
			t.Errorf("place %+v, want %s", p, ids[0])
		}
		if n := w.srv.Do("GET /webhooks/"+id+"/deliveries", nil).Int("total"); n != 1 {
			t.Errorf("%d deliveries", n)
		}
		f.unsaved = unsavedEvents - 1
		w.srv.Do("PATCH /webhooks/"+id, `{"events":["message.failed"]}`).Want(200)
		ids = w.emit(event.CampaignPaused, 1)
		if p := place(); p.Event != ids[0] {
			t.Errorf("after %d events the place is not saved: %+v", unsavedEvents, p)
		}
	})
}
