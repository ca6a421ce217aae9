package send

import (
	"context"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/policy"
	"svc/app/send/figures"
	"svc/app/send/sendtest"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
)

func TestPace(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":10}`)
		b := w.campaign([]string{a}, w.people(1, 4), nil)
		w.run()
		w.after(15 * time.Second)
		if got := w.waits(b); got != policy.WaitPacing {
			t.Errorf("waits for %q between two messages", got)
		}
		w.after(time.Minute)
		want := []time.Duration{0, 10 * time.Second, 20 * time.Second, 30 * time.Second}
		if got := times(w.p.Took()); !slices.Equal(got, want) {
			t.Errorf("sent after %v, want %v", got, want)
		}
		if got := w.totals(b); got[Delivered] != 4 || len(got) != 1 {
			t.Errorf("totals %v", got)
		}
	})
}

// TestDailyLimit: bubbles begin at midnight UTC.
func TestDailyLimit(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":4,"daily_limit":3}`)
		b := w.campaign([]string{a}, w.people(1, 7), nil)
		w.run()
		w.after(20 * time.Hour)
		if got := w.waits(b); got != policy.WaitDailyLimit {
			t.Errorf("waits for %q at the limit", got)
		}
		w.after(50 * time.Hour)
		day := 24 * time.Hour
		want := []time.Duration{0, 4 * time.Second, 8 * time.Second, day, day + 4*time.Second, day + 8*time.Second, 2 * day}
		if got := times(w.p.Took()); !slices.Equal(got, want) {
			t.Errorf("sent after %v, want %v", got, want)
		}
	})
}

// TestRaisedLimit: a limit that is raised counts within minutes, not from the next
// day on.
func TestRaisedLimit(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"daily_limit":1}`)
		w.campaign([]string{a}, w.people(1, 2), nil)
		w.run()
		w.after(time.Hour)
		w.srv.Do("PATCH /accounts/"+a, `{"daily_limit":2}`).Want(200)
		w.after(lookAgain)
		if got := len(w.p.Took()); got != 2 {
			t.Errorf("%d messages, want 2", got)
		}
	})
}

// TestBounds: bounds of the platform that are lowered hold for accounts that were there
// before, and what waits for them goes on when they are raised, without a wait of lookAgain.
func TestBounds(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":4,"daily_limit":500}`)
		b := w.campaign([]string{a}, w.people(1, 8), nil)
		set := func(change map[string]any) {
			w.update(func(tx *store.Tx) error {
				_, err := setting.Put(tx, api.System(w.t.Context(), store.Platform, w.db.Now()), change)
				return err
			})
		}
		set(map[string]any{"max_daily_limit": 3, "default_daily_limit": 3, "min_interval_seconds_floor": 60, "default_min_interval_seconds": 60})
		w.run()
		w.after(10 * time.Minute)
		if got := w.waits(b); got != policy.WaitDailyLimit {
			t.Errorf("waits for %q at the lowered limit", got)
		}
		set(map[string]any{"max_daily_limit": 500})
		w.after(90 * time.Second)
		set(map[string]any{"min_interval_seconds_floor": 4})
		w.after(time.Hour)
		from := 10 * time.Minute
		want := []time.Duration{0, time.Minute, 2 * time.Minute, from, from + time.Minute, from + 90*time.Second, from + 94*time.Second, from + 98*time.Second}
		if got := times(w.p.Took()); !slices.Equal(got, want) {
			t.Errorf("sent after %v, want %v", got, want)
		}
	})
}

func TestSendingWindow(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":4,"daily_limit":500}`)
		// 2000-01-01 was a Saturday.
		b := w.campaign([]string{a}, w.people(1, 3), func(b *CampaignPolicy) {
			b.Window = new(policy.MakeWindow([]policy.Weekday{"SA", "MO"}, "05:30", "05:31", "Asia/Tashkent"))
		})
		more := w.people(4, 20)
		w.queue(b, []string{a}, more)
		w.run()
		w.after(10 * time.Minute)
		if got := w.waits(b); got != policy.WaitWindow {
			t.Errorf("waits for %q", got)
		}
		w.after(3 * 24 * time.Hour)
		got := times(w.p.Took())
		if len(got) != 23 || got[0] != 30*time.Minute || got[14] != 30*time.Minute+56*time.Second || got[15] != 2*24*time.Hour+30*time.Minute {
			t.Errorf("sent after %v", got)
		}
	})
}

// TestFlood: the account waits as long as the platform asks, to the second; the
// message keeps its number; other accounts go on.
func TestFlood(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a, other := w.account(`{"min_interval_seconds":4}`), w.account(`{"min_interval_seconds":4}`)
		people := w.people(1, 6)
		n := 0
		var ids []int64
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			if m.Account != "+998901200001" {
				return true, nil
			}
			if n++; n <= 2 {
				ids = append(ids, m.RandomIDs...)
				return false, fails(messenger.Flood, "FLOOD_WAIT", 77*time.Second)
			}
			ids = append(ids, m.RandomIDs...)
			return true, nil
		})
		b := w.campaign([]string{a, other}, people, nil)
		w.run()
		w.after(time.Minute)
		j := w.job(b, people[0])
		if j.Status != Waiting || j.Attempts != 0 || j.ErrorCode != "FLOOD_WAIT" || !j.RunAt.Equal(w.p.Begun.Add(77*time.Second)) {
			t.Errorf("meanwhile the job is %+v", j)
		}
		if got := w.srv.Do("GET /accounts/"+a, nil).String("status"); got != "ACTIVE" {
			t.Errorf("the account is %s", got)
		}
		if got := w.totals(b); got[Delivered] != 3 {
			t.Errorf("the other account has sent: %v", got)
		}
		if got := w.waits(b); got != policy.WaitCooldown {
			t.Errorf("waits for %q", got)
		}
		w.after(5 * time.Minute)
		var mine []time.Duration
		for _, m := range w.p.Took() {
			if m.Account == "+998901200001" {
				mine = append(mine, m.At.Round(time.Second))
			}
		}
		if want := []time.Duration{154 * time.Second, 158 * time.Second, 162 * time.Second}; !slices.Equal(mine, want) {
			t.Errorf("sent after %v, want %v", mine, want)
		}
		if ids[0] != ids[1] || ids[1] != ids[2] || ids[2] == ids[3] {
			t.Errorf("the numbers were %v: the first message has one in all its tries", ids)
		}
		w.view(func(tx *store.Tx) error {
			f, err := figures.Of(tx, w.srv.Org, b)
			if got := f.ByAccount[a]; err != nil || got.Cooldown != 154 || got.Delivered != 3 {
				t.Errorf("figures %+v, %v", f, err)
			}
			return nil
		})
	})
}

// TestLongFlood: a wait beyond the platform's setting pauses the account.
func TestLongFlood(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 2)
		first := true
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			if first {
				first = false
				return false, fails(messenger.Flood, "FLOOD_WAIT", time.Hour)
			}
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(2 * time.Hour)
		if got := w.srv.Do("GET /accounts/"+a, nil).String("status"); got != "PAUSED" {
			t.Errorf("the account is %s", got)
		}
		if got := w.totals(b); got[Waiting] != 2 {
			t.Errorf("totals %v", got)
		}
		w.srv.Do("POST /accounts/"+a+"/resume", "{}").Want(200)
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 2 {
			t.Errorf("after the resume: %v", got)
		}
	})
}

// TestLostAnswers: what the platform took and did not say is sent again with the same
// number, after 5, 15, 60 and 300 seconds, and is one message.
func TestLostAnswers(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":4}`)
		people := w.people(1, 2)
		var tries []time.Duration
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			tries = append(tries, m.At.Round(time.Second))
			if len(tries) < 5 {
				return len(tries) == 1, fails(messenger.Busy, "RPC_CALL_FAIL", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(30 * time.Second)
		if j := w.job(b, people[0]); j.Status != Waiting || j.Attempts != 3 || j.ErrorCode != "RPC_CALL_FAIL" {
			t.Errorf("meanwhile the job is %+v", j)
		}
		w.after(20 * time.Minute)
		if got, want := tries, []time.Duration{0, 5 * time.Second, 20 * time.Second, 80 * time.Second, 380 * time.Second, 384 * time.Second}; !slices.Equal(got, want) {
			t.Errorf("tries after %v, want %v", got, want)
		}
		if got := len(w.p.Took()); got != 2 {
			t.Errorf("the platform took %d messages, want 2", got)
		}
		j := w.job(b, people[0])
		if j.Status != Delivered || j.Attempts != 5 || j.PlatformMessageID != 0 || j.ErrorCode != "" {
			t.Errorf("in the end the job is %+v", j)
		}
		if got := w.outcomes(j.ID); !slices.Equal(got, []Status{Delivered}) {
			t.Errorf("the source was told %v", got)
		}
	})
}

// TestBusyForGood: five faults of the platform end a job.
func TestBusyForGood(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 2)
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			if m.To.Username == "person_1" {
				return false, fails(messenger.Busy, "INTERNAL_ERROR", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(time.Hour)
		if j := w.job(b, people[0]); j.Status != Failed || j.Attempts != 5 || j.ErrorCode != "INTERNAL_ERROR" || j.LastError == "" {
			t.Errorf("the job is %+v", j)
		}
		if got := w.totals(b); got[Delivered] != 1 || got[Failed] != 1 {
			t.Errorf("totals %v", got)
		}
	})
}

// TestDisconnected: five sends that reach nobody take the account out, not the
// message, which goes out when the account is back.
func TestDisconnected(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 2)
		down := true
		w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
			if down {
				return false, fails(messenger.Unreachable, "DIAL", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(7 * time.Minute)
		if got := w.srv.Do("GET /accounts/"+a, nil).String("status"); got != "DISCONNECTED" {
			t.Fatalf("the account is %s", got)
		}
		if j := w.job(b, people[0]); j.Status != Waiting || j.Attempts != 0 {
			t.Errorf("the job is %+v", j)
		}
		down = false
		w.srv.Do("POST /accounts/"+a+"/check", nil).Want(200)
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 2 {
			t.Errorf("when the account was back: %v", got)
		}
	})
}
