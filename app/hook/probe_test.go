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
)

// notices are the kinds of the notifications of an organization, newest first.
func (w *world) notices() (kinds []string) {
	w.t.Helper()
	s := apitest.New(w.t, w.db, notify.New(w.db))
	s.Org = w.srv.Org
	var page struct {
		Data []struct{ Kind string }
	}
	s.Do("GET /notifications", nil).Want(200).Into(&page)
	for _, n := range page.Data {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

// TestProbing: after three failures in a row an endpoint has one attempt at a time, at
// first after 30 s, then after twice as long each time, up to 30 minutes. Everything else
// waits behind it, also what happens meanwhile. With the 25th failure it is disabled,
// after hours; people are told of the third and of the 25th.
func TestProbing(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/", "campaign.*")
		w.answers(failing)
		w.run()
		for range 3 {
			if h := w.shown(id); h.Probing != nil {
				t.Errorf("probed after %d failures", h.FailureStreak)
			}
			w.emit(event.CampaignPaused, 1)
			w.take()
		}
		entered := time.Now()
		if h := w.shown(id); h.Status != Active || h.FailureStreak != 3 || h.Probing == nil || !h.Probing.NextAttemptAt.Equal(w.db.Now().Add(firstProbe)) {
			t.Fatalf("after three failures: %+v", h)
		}
		if kinds := w.notices(); !slices.Equal(kinds, []string{"WEBHOOK_FAILING"}) {
			t.Errorf("people were told %v", kinds)
		}
		w.emit(event.CampaignPaused, 60)
		if got := w.take(); len(got) != 0 {
			t.Fatalf("%d attempts behind the one that failed", len(got))
		}
		wait := firstProbe
		for n := 4; n <= 25; n++ {
			w.after(wait - time.Millisecond)
			if got := w.take(); len(got) != 0 {
				t.Fatalf("attempt %d came before %s", n, wait)
			}
			w.after(time.Millisecond)
			if got := w.take(); len(got) != 1 {
				t.Fatalf("%d attempts after %s, want 1", len(got), wait)
			}
			wait = min(2*wait, longestProbe)
		}
		if h := w.shown(id); h.Status != Disabled || h.Probing != nil || h.FailureStreak != 25 {
			t.Errorf("after 25: %+v", h)
		}
		if took := time.Since(entered); took < 8*time.Hour || took > 9*time.Hour {
			t.Errorf("it took %s to be disabled", took)
		}
		if kinds := w.notices(); !slices.Equal(kinds, []string{"WEBHOOK_DISABLED", "WEBHOOK_FAILING"}) {
			t.Errorf("people were told %v", kinds)
		}
	})
}

// TestProbeSucceeds: everything that waited goes out, five at a time, in its order; what
// failed before is tried at its own time.
func TestProbeSucceeds(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/", "campaign.*")
		w.answers(failing)
		w.run()
		failed := w.emit(event.CampaignPaused, 3)
		w.take()
		waiting := w.emit(event.CampaignResumed, 40)
		w.answers(nil)
		w.after(firstProbe)
		got := events(w.take())
		if h := w.shown(id); h.FailureStreak != 0 || h.Probing != nil {
			t.Errorf("after a success: %+v", h)
		}
		fresh := slices.DeleteFunc(slices.Clone(got), func(e string) bool { return slices.Contains(failed, e) })
		if !slices.Equal(fresh, waiting) || len(got) != 43 {
			t.Errorf("%d sent, %d of them new", len(got), len(fresh))
		}
	})
}

// TestOneRefusesAlways: a delivery that a receiver never takes keeps no other from it for
// longer than a probe.
func TestOneRefusesAlways(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/", "campaign.*")
		w.answers(func(ctx context.Context, s sent) Answer {
			if strings.Contains(string(s.Body), "campaign.paused") {
				return failing(ctx, s)
			}
			return Answer{Status: 200}
		})
		w.run()
		w.emit(event.CampaignPaused, 1)
		w.after(time.Minute) // its third attempt was the third failure
		if h := w.shown(id); h.Probing == nil {
			t.Fatalf("%+v", h)
		}
		w.take()
		ids := w.emit(event.CampaignResumed, 10)
		w.after(firstProbe)
		if got := events(w.take()); !slices.Equal(got, ids) {
			t.Errorf("%d of 10 sent", len(got))
		}
	})
}

// TestPersonEndsTheWait: a retry, a new address and a recovery are tried at once, although
// the next probe is far away.
func TestPersonEndsTheWait(t *testing.T) {
	for what, ask := range map[string]func(w *world, hook string){
		"a retry": func(w *world, hook string) {
			w.srv.Do("POST /webhooks/"+hook+"/deliveries/"+w.delivery(hook, 0).ID+"/retry", nil).Want(202)
		},
		"a new address": func(w *world, hook string) {
			w.srv.Do("PATCH /webhooks/"+hook, `{"url":"https://other.example.com/"}`).Want(200)
		},
		"a recovery": func(w *world, hook string) {
			w.srv.Do("POST /webhooks/"+hook+"/recover", `{}`).Want(202)
		},
	} {
		bubble(t, func(w *world) {
			id := w.hook("https://example.com/", "campaign.*")
			w.answers(failing)
			w.run()
			w.emit(event.CampaignPaused, 20)
			w.after(2 * time.Hour)
			w.take()
			w.answers(nil)
			if h := w.shown(id); h.Probing == nil || h.Probing.NextAttemptAt.Before(w.db.Now()) {
				t.Fatalf("%+v", h)
			}
			ask(w, id)
			if got := w.take(); len(got) == 0 {
				t.Errorf("%s waits for the next probe", what)
			}
			if h := w.shown(id); h.Probing != nil {
				t.Errorf("%s: %+v", what, h)
			}
		})
	}
}

// TestRetryAll: one request enables an endpoint that was given up and sends everything
// that it missed: what failed, what was cancelled, what happened meanwhile, what waits.
func TestRetryAll(t *testing.T) {
	bubble(t, func(w *world) {
		id := w.hook("https://example.com/", "campaign.*")
		w.answers(failing)
		w.run()
		before := w.emit(event.CampaignPaused, 60)
		w.after(12 * time.Hour)
		w.take()
		if h := w.shown(id); h.Status != Disabled {
			t.Fatalf("%+v", h)
		}
		meanwhile := w.emit(event.CampaignResumed, 7)
		w.answers(nil)
		w.srv.Do("POST /webhooks/"+id+"/recover", `{}`).Refused(ErrDisabled)
		w.srv.Do("POST /webhooks/"+id+"/recover", `{"enable":true}`).Want(202)
		got := slices.Sorted(slices.Values(events(w.take())))
		if want := slices.Concat(before, meanwhile); !slices.Equal(got, want) {
			t.Errorf("%d sent, want %d", len(got), len(want))
		}
		if h := w.shown(id); h.Status != Active || h.FailureStreak != 0 {
			t.Errorf("%+v", h)
		}
	})
}

// TestProbeAndClock: a probe that was noted before the clock was set back is due.
func TestProbeAndClock(t *testing.T) {
	now := time.Now()
	p := &Probing{NextAt: now.Add(time.Minute)}
	if at := p.wait(now); !at.Equal(p.NextAt) {
		t.Errorf("it does not wait: %s", at)
	}
	if at := p.wait(now.Add(-24 * time.Hour)); !at.IsZero() {
		t.Errorf("it waits until %s after the clock was set back", at)
	}
}
