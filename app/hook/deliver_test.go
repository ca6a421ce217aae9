package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/event"
	"svc/store"
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
		if len(slow) > AtATime || len(slow) < 60 {
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
		for i := range AtATime + 20 {
			w.hook(fmt.Sprintf("https://slow%d.example.com/", i))
		}
		w.answers(hanging)
		w.run()
		w.emit(event.CampaignPaused, 2)
		if n := len(w.take()); n != AtATime {
			t.Errorf("%d attempts at a time, want %d", n, AtATime)
		}
		w.after(answerWithin)
		if n := len(w.take()); n != AtATime {
			t.Errorf("%d attempts when the first were over, want %d", n, AtATime)
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
