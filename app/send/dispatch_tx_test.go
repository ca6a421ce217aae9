package send

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/policy"
	"svc/store"
	"svc/store/queue"
)

// TestTurns: the campaigns of an account take turns; replies go first, and wait
// neither for the pace nor for the daily limit, only for the platform.
func TestTurns(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":60,"daily_limit":5}`)
		people := w.people(1, 9)
		for i := range 3 {
			w.campaign([]string{a}, people[3*i:3*i+3], nil)
		}
		w.words = func(j *Job) (Draft, error) { return Draft{Text: string(j.Kind)}, nil }
		reply := func() {
			w.update(func(tx *store.Tx) error {
				return Queue(tx, w.srv.Org, []*Job{{Kind: Reply, AccountID: a, RecipientID: people[8]}})
			})
		}
		reply()
		w.run()
		w.after(130 * time.Second)
		reply()
		w.after(23 * time.Hour)
		reply()
		w.after(time.Second)
		log := w.p.Took()
		var got []string
		for _, m := range log {
			got = append(got, fmt.Sprintf("%v %s %s", m.At.Round(time.Second), m.Text, m.To.Username))
		}
		want := []string{
			"0s REPLY person_9", "1m0s CAMPAIGN person_1", "2m0s CAMPAIGN person_4", "2m10s REPLY person_9",
			"3m10s CAMPAIGN person_7", "23h2m10s REPLY person_9",
		}
		// Replies count in sent_today, so that five are reached with the third campaign.
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	})
}

func TestPausedBatch(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":10}`)
		people := w.people(1, 5)
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(15 * time.Second)
		w.put(CampaignPolicy{ID: b, Accounts: []string{a}})
		w.after(time.Hour)
		if got := w.totals(b); got[Delivered] != 2 {
			t.Errorf("while it is paused: %v", got)
		}
		if got := w.waits(b); got != "" {
			t.Errorf("a paused campaign waits for %q", got)
		}
		end := w.db.Now().Add(5 * time.Second)
		w.put(CampaignPolicy{ID: b, Accounts: []string{a}, Running: true, EndAt: &end})
		w.after(time.Hour)
		if got := w.totals(b); got[Delivered] != 3 {
			t.Errorf("until its end: %v", got)
		}
		w.put(CampaignPolicy{ID: b, Accounts: []string{a}, Running: true})
		w.after(time.Hour)
		if got := w.totals(b); got[Delivered] != 5 {
			t.Errorf("when it went on: %v", got)
		}
	})
}

func TestPausedQueue(t *testing.T) {
	bubble(t, Options{NoPacing: true}, func(w *harness) {
		a := w.account("")
		pause := func(on bool) {
			w.update(func(tx *store.Tx) error { return queue.Pause(tx, queue.Send, on) })
		}
		pause(true)
		b := w.campaign([]string{a}, w.people(1, 3), nil)
		w.run()
		w.after(time.Minute)
		if got := w.totals(b); got[Waiting] != 3 {
			t.Errorf("while the queue is paused: %v", got)
		}
		if got := w.waits(b); got != policy.WaitWorker {
			t.Errorf("waits for %q", got)
		}
		pause(false)
		w.after(time.Millisecond)
		if got := w.totals(b); got[Delivered] != 3 {
			t.Errorf("when it went on: %v", got)
		}
	})
}

func TestSuspendedOrganization(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		b := w.campaign([]string{a}, w.people(1, 2), nil)
		c := func() *api.Call { return api.System(context.Background(), w.srv.Org, w.db.Now()) }
		w.update(func(tx *store.Tx) error {
			_, err := w.orgs.Suspend(tx, c(), w.srv.Org, "spam")
			return err
		})
		w.run()
		w.after(time.Hour)
		if got := w.totals(b); got[Waiting] != 2 {
			t.Errorf("while it is suspended: %v", got)
		}
		w.update(func(tx *store.Tx) error {
			_, err := w.orgs.Reactivate(tx, c(), w.srv.Org)
			return err
		})
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 2 {
			t.Errorf("afterwards: %v", got)
		}
	})
}

// TestPausedAccount: messages of an account that is not ACTIVE wait for it.
func TestPausedAccount(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		w.srv.Do("POST /accounts/"+a+"/pause", nil).Want(200)
		b := w.campaign([]string{a}, w.people(1, 2), nil)
		w.run()
		w.after(time.Hour)
		if got := w.totals(b); got[Waiting] != 2 {
			t.Errorf("while it is paused: %v", got)
		}
		w.srv.Do("POST /accounts/"+a+"/resume", "{}").Want(200)
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 2 {
			t.Errorf("afterwards: %v", got)
		}
	})
}
