package hook

import (
	"context"
	"fmt"
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

// TestDelivered: one event, what is sent, and what is known of it afterwards.
func TestDelivered(t *testing.T) {
	bubble(t, func(w *world) {
		a := w.srv.Do("POST /webhooks", map[string]any{"url": "https://example.com/a?k=1", "events": []string{"campaign.*"}}).Want(201)
		id, secret := a.String("id"), a.String("signing_secret")
		w.hook("https://example.com/b", "message.failed")
		w.run()
		w.settle()
		ev := w.emit(event.CampaignPaused, 1)[0]
		got := w.take()
		if len(got) != 1 || got[0].URL != "https://example.com/a?k=1" {
			t.Fatalf("sent %+v", got)
		}
		r, d := got[0], w.delivery(id, 0)
		view := w.db.View(context.Background(), func(tx *store.Tx) error {
			e, err := event.Get(tx, w.srv.Org, ev)
			if string(r.Body) != string(e.Envelope()) {
				t.Errorf("body %s, want %s", r.Body, e.Envelope())
			}
			return err
		})
		if view != nil {
			t.Fatal(view)
		}
		if err := verify(r.header["X-Svc-Signature"], secret, r.Body, time.Now()); err != nil {
			t.Error(err)
		}
		if err := verifyStandard(ev, r.header["webhook-timestamp"], r.header["webhook-signature"], secret, r.Body, time.Now()); err != nil {
			t.Error(err)
		}
		if r.header["X-Svc-Attempt"] != "1" || r.header["X-Svc-Delivery"] != d.ID || r.header["X-Svc-Event-Id"] != ev || r.header["X-Svc-Event"] != "campaign.paused" {
			t.Errorf("headers %v", r.header)
		}
		if d.Status != Succeeded || d.Attempts != 1 || d.MaxAttempts != 10 || d.NextAttemptAt != nil || *d.ResponseStatus != 200 ||
			*d.ResponseBody != "ok" || d.Error != nil || d.FinishedAt == nil || len(d.AttemptLog) != 1 || d.EventType != "campaign.paused" || d.WebhookID != id {
			t.Errorf("delivery %+v", d)
		}
		if c := w.counts(ev); c != (event.Deliveries{Succeeded: 1}) {
			t.Errorf("counts %+v", c)
		}
		if h := w.shown(id); h.FailureStreak != 0 || h.LastSuccessAt == nil || h.LastDeliveryAt == nil {
			t.Errorf("webhook %+v", h)
		}
	})
}

// TestTenAttempts: the waits, the numbers, and the end.
func TestTenAttempts(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/")
		w.answers(failing)
		w.run()
		ev := w.emit(event.CampaignPaused, 1)[0]
		last := w.take()
		for n := 1; n < 10; n++ {
			d := w.delivery(id, 0)
			if d.Status != Retrying || d.Attempts != n || d.FinishedAt != nil || *d.Error != BadStatus || *d.ResponseBody != "broken" {
				t.Fatalf("after %d: %+v", n, d)
			}
			if c := w.counts(ev); c != (event.Deliveries{Pending: 1}) {
				t.Fatalf("counts after %d: %+v", n, c)
			}
			mean, wait := float64(waits[n-1]), time.Until(*d.NextAttemptAt)
			if float64(wait) < 0.799*mean || float64(wait) > 1.201*mean {
				t.Errorf("attempt %d comes after %s", n+1, wait)
			}
			w.after(wait - time.Millisecond)
			if got := w.take(); len(got) != 0 {
				t.Fatalf("attempt %d came too early, after %s", n+1, got[0].at-last[0].at)
			}
			w.after(2 * time.Millisecond)
			got := w.take()
			if len(got) != 1 || got[0].header["X-Svc-Attempt"] != fmt.Sprint(n+1) {
				t.Fatalf("attempt %d: %+v", n+1, got)
			}
			if got[0].header["webhook-timestamp"] == last[0].header["webhook-timestamp"] {
				t.Error("the time of an attempt is not its own")
			}
			last = got
		}
		d := w.delivery(id, 0)
		if d.Status != Failed || d.Attempts != 10 || d.NextAttemptAt != nil || d.FinishedAt == nil || len(d.AttemptLog) != 10 {
			t.Errorf("at the end %+v", d)
		}
		if c := w.counts(ev); c != (event.Deliveries{Failed: 1}) {
			t.Errorf("counts at the end: %+v", c)
		}
		w.after(24 * time.Hour)
		if got := w.take(); len(got) != 0 {
			t.Errorf("%d attempts after the last", len(got))
		}
		if h := w.shown(id); h.FailureStreak != 10 || h.Status != Active || h.LastSuccessAt != nil || h.LastDeliveryAt == nil {
			t.Errorf("webhook %+v", h)
		}
	})
}

// TestFailures: each kind is on the delivery and in its log.
func TestFailures(t *testing.T) {
	for _, kind := range []Failure{Timeout, DNS, TLS, Connect, BlockedAddress, Redirect, BadStatus} {
		bubble(t, func(w *world) {
			id := w.hook("https://example.com/")
			w.answers(func(ctx context.Context, s sent) Answer {
				if kind == Timeout {
					return hanging(ctx, s)
				}
				return Answer{Failure: kind}
			})
			w.run()
			w.emit(event.CampaignPaused, 1)
			w.after(answerWithin)
			d := w.delivery(id, 0)
			if d.Error == nil || *d.Error != kind || *d.AttemptLog[0].Error != kind || d.ResponseStatus != nil || d.ResponseBody != nil {
				t.Errorf("%s: %+v", kind, d)
			}
			if kind == Timeout && *d.DurationMS != answerWithin.Milliseconds() {
				t.Errorf("it took %d ms, want 10 s", *d.DurationMS)
			}
		})
	}
}

// TestRetryAfter of a failed answer puts the next attempt off.
func TestRetryAfter(t *testing.T) {
	bubble(t, func(w *world) {
		w.hook("https://example.com/")
		w.answers(func(context.Context, sent) Answer {
			return Answer{Status: 503, Failure: BadStatus, RetryAfter: 20 * time.Minute}
		})
		w.run()
		w.emit(event.CampaignPaused, 1)
		w.after(20*time.Minute - time.Second)
		if got := w.take(); len(got) != 1 {
			t.Errorf("%d attempts in 20 minutes", len(got))
		}
		w.after(2 * time.Second)
		if got := w.take(); len(got) != 1 {
			t.Errorf("%d attempts after 20 minutes", len(got))
		}
	})
}

// TestOrder: attempts begin in the order of events, five at a time; a retry holds
// nothing back.
func TestOrder(t *testing.T) {
	bubble(t, func(w *world) {
		w.hook("https://example.com/")
		release := make(chan struct{})
		w.answers(func(_ context.Context, s sent) Answer {
			<-release
			if s.header["X-Svc-Attempt"] == "1" && strings.Contains(string(s.Body), `"n":3}`) {
				return Answer{Failure: Connect}
			}
			return Answer{Status: 204}
		})
		w.run()
		ids := w.emit(event.CampaignPaused, 300)
		got := w.take()
		if len(got) != perEndpoint {
			t.Fatalf("%d at a time, want %d", len(got), perEndpoint)
		}
		release <- struct{}{}
		if more := w.take(); len(more) != 1 {
			t.Fatalf("%d began after one ended", len(more))
		} else {
			got = append(got, more...)
		}
		close(release)
		got = append(got, w.take()...)
		began := events(got)
		if !slices.Equal(began[:min(len(began), 300)], ids) {
			t.Fatalf("began %v, want %v", began, ids)
		}
		if len(began) != 300 {
			t.Fatalf("%d attempts, want 300 before the retry", len(began))
		}
		w.after(13 * time.Second)
		if again := events(w.take()); !slices.Equal(again, ids[3:4]) {
			t.Errorf("tried again: %v", again)
		}
	})
}

// TestSlowEndpoints delay no other, also twenty of them.
func TestSlowEndpoints(t *testing.T) {
	bubble(t, func(w *world) {
		for i := range 20 {
			w.hook(fmt.Sprintf("https://slow%d.example.com/", i))
		}
		w.answers(func(ctx context.Context, s sent) Answer {
			if strings.Contains(s.URL, "slow") {
				return hanging(ctx, s)
			}
			return Answer{Status: 200}
		})
		w.run()
		w.emit(event.CampaignPaused, 20)
		slow := w.take()
		if len(slow) > inAll || len(slow) < 60 {
			t.Errorf("%d attempts to slow endpoints at a time", len(slow))
		}
		w.hook("https://fast.example.com/", "campaign.resumed")
		ids := w.emit(event.CampaignResumed, 50)
		fast := slices.DeleteFunc(w.take(), func(s sent) bool { return strings.Contains(s.URL, "slow") })
		if !slices.Equal(slices.Sorted(slices.Values(events(fast))), ids) {
			t.Errorf("%d of 50 reached the fast endpoint while others hang", len(fast))
		}
	})
}

// TestAtMost100 attempts are under way, however many endpoints hang.
func TestAtMost100(t *testing.T) {
	bubble(t, func(w *world) {
		for i := range inAll + 20 {
			w.hook(fmt.Sprintf("https://slow%d.example.com/", i))
		}
		w.answers(hanging)
		w.run()
		w.emit(event.CampaignPaused, 2)
		if n := len(w.take()); n != inAll {
			t.Errorf("%d attempts at a time, want %d", n, inAll)
		}
		w.after(answerWithin)
		if n := len(w.take()); n != inAll {
			t.Errorf("%d attempts when the first were over, want %d", n, inAll)
		}
	})
}

// TestRetriesAndNewEventsTakeTurns: many retries that are due hold later events back
// no more than those hold back the retries.
func TestRetriesAndNewEventsTakeTurns(t *testing.T) {
	bubble(t, func(w *world) {
		w.hook("https://example.com/")
		w.answers(failing)
		w.run()
		w.emit(event.CampaignPaused, 20)
		w.take()
		w.answers(func(context.Context, sent) Answer {
			<-time.After(9 * time.Second)
			return Answer{Status: 200}
		})
		w.after(45 * time.Second) // a probe succeeded; all retries are due, and five under way
		w.take()
		w.emit(event.CampaignResumed, 20)
		w.after(9 * time.Second)
		began := map[bool]int{}
		for _, s := range w.take() {
			began[s.header["X-Svc-Attempt"] == "1"]++
		}
		if began[true] < 2 || began[false] < 2 {
			t.Errorf("%d first attempts and %d retries began", began[true], began[false])
		}
	})
}

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
