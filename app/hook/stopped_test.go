package hook

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/notify"
	"svc/store"
	"svc/store/queue"
)

// TestDisabled after 25 failures in a row, with all that follows.
func TestDisabled(t *testing.T) {
	bubble(t, func(w *world) {
		other := w.hook("https://other.example.com/", "webhook.disabled")
		id := w.hook("https://dead.example.com/path/secret")
		w.answers(func(_ context.Context, s sent) Answer {
			if strings.Contains(s.URL, "other") {
				return Answer{Status: 200}
			}
			return Answer{Failure: Connect}
		})
		w.srv.Do("PATCH /webhooks/"+id, `{"description":"x"}`).Want(200)
		w.run()
		missed := w.emit(event.CampaignPaused, 45)
		w.after(12 * time.Hour)
		got := w.take()
		h := w.shown(id)
		if h.Status != Disabled || h.FailureStreak != 25 || h.DisabledAt == nil || *h.DisabledReason != "FAILURES" {
			t.Fatalf("after 25 in a row: %+v", h)
		}
		var told []sent
		for _, s := range got {
			if s.header["X-Svc-Event"] == "webhook.disabled" {
				told = append(told, s)
			}
		}
		if len(told) != 1 || !strings.Contains(told[0].URL, "other") || !strings.Contains(string(told[0].Body), `{"failure_streak":25,"webhook_id":"`+id+`"}`) {
			t.Errorf("told: %+v", told)
		}
		if d := w.delivery(other, 0); d.Status != Succeeded {
			t.Errorf("the other endpoint: %+v", d)
		}
		notices := apitest.New(t, w.db, notify.New(w.db))
		notices.Org = w.srv.Org
		a := notices.Do("GET /notifications", nil).Want(200)
		if a.String("data.0.kind") != "WEBHOOK_DISABLED" || a.String("data.0.resource.id") != id || strings.Contains(a.Body, "secret") {
			t.Errorf("notification %s", a.Body)
		}
		// Nothing waits, nothing is queued, nothing is sent.
		w.emit(event.CampaignResumed, 3)
		w.after(24 * time.Hour)
		if got := w.take(); len(got) != 0 {
			t.Errorf("%d attempts to a disabled endpoint", len(got))
		}
		statuses := map[DeliveryStatus]int{}
		for i := range missed {
			statuses[w.delivery(id, i).Status]++
		}
		if statuses[Cancelled] != len(missed) {
			t.Errorf("deliveries %v", statuses)
		}
		if c := w.counts(missed[0]); c != (event.Deliveries{}) {
			t.Errorf("counts of a cancelled delivery: %+v", c)
		}
		w.srv.Do("POST /webhooks/"+id+"/test", nil).Refused(ErrDisabled)
		w.srv.Do("POST /webhooks/"+id+"/deliveries/"+w.delivery(id, 0).ID+"/retry", nil).Refused(ErrDisabled)
		w.srv.Do("POST /webhooks/"+id+"/recover", map[string]any{"since": w.begun}).Refused(ErrDisabled)
		// Enabled, it receives what comes from now on.
		w.answers(nil)
		if a := w.srv.Do("PATCH /webhooks/"+id, `{"status":"ACTIVE"}`).Want(200); a.String("status") != "ACTIVE" || a.Int("failure_streak") != 0 || a.At("disabled_at") != nil {
			t.Errorf("enabled: %s", a.Body)
		}
		ids := w.emit(event.CampaignStarted, 1)
		if got := events(w.take()); !slices.Equal(got, ids) {
			t.Errorf("sent %v, want %v", got, ids)
		}
	})
}

// TestRestart: what waits is sent by the next process, what was sent is not sent
// again, and an attempt that is cut off does not count.
func TestRestart(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.run()
		w.settle()
		done := w.emit(event.CampaignPaused, 3)
		w.take()
		w.answers(hanging)
		cut := w.emit(event.CampaignPaused, 8)
		w.take()
		stopped := time.Now()
		w.stop()
		if took := time.Since(stopped); took > grace+time.Second {
			t.Errorf("it took %s to stop", took)
		}
		if d := w.delivery(id, 0); d.Attempts != 0 || d.Status != Pending {
			t.Errorf("an attempt that was cut off: %+v", d)
		}
		asleep := w.emit(event.CampaignPaused, 2)
		w.answers(nil)
		w.stop = func() {}
		w.restart()
		got := events(w.take())
		if want := slices.Concat(cut, asleep); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("sent %v, want %v and not %v", got, want, done)
		}
		for i := range 13 {
			if d := w.delivery(id, i); d.Status != Succeeded || d.Attempts != 1 {
				t.Errorf("delivery %+v", d)
			}
		}
	})
}

// TestPaused: an administrator holds the queue; nothing is lost.
func TestPaused(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		pause := func(on bool) {
			w.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Webhooks, on) })
		}
		pause(true)
		w.run()
		ids := w.emit(event.CampaignPaused, 2)
		w.after(time.Minute)
		if got := w.take(); len(got) != 0 {
			t.Errorf("%d attempts of a paused queue", len(got))
		}
		if d := w.delivery(id, 0); d.Status != Pending {
			t.Errorf("delivery %+v", d)
		}
		pause(false)
		w.settle()
		if got := events(w.take()); !slices.Equal(slices.Sorted(slices.Values(got)), ids) {
			t.Errorf("sent %v, want %v", got, ids)
		}
	})
}

// TestSenderPanics: an attempt that blows up is a failed one.
func TestSenderPanics(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.answers(func(context.Context, sent) Answer { panic("boom") })
		w.run()
		w.emit(event.CampaignPaused, 1)
		w.take()
		if d := w.delivery(id, 0); d.Status != Retrying || *d.Error != Connect {
			t.Errorf("delivery %+v", d)
		}
	})
}

// TestEventGone: what is no longer kept cannot be sent.
func TestEventGone(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.answers(failing)
		w.run()
		w.emit(event.CampaignPaused, 1)
		w.take()
		w.update(func(tx *store.Tx) error {
			_, err := event.Purge(tx, w.srv.Org, w.db.Now().Add(time.Second), 10)
			return err
		})
		w.after(time.Minute)
		if got := w.take(); len(got) != 0 {
			t.Errorf("%d attempts", len(got))
		}
		d := w.delivery(id, 0)
		if d.Status != Cancelled || d.Attempts != 1 {
			t.Errorf("delivery %+v", d)
		}
		w.srv.Do("POST /webhooks/"+id+"/deliveries/"+d.ID+"/retry", nil).Refused(errEventGone)
	})
}
