package send

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/store"
)

// TestRestricted: the account stops, its messages wait for it, and nobody else sends
// them.
func TestRestricted(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a, other := w.account(`{"min_interval_seconds":4}`), w.account(`{"min_interval_seconds":4}`)
		people := w.people(1, 8)
		bad := true
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			if bad && m.Account == "+998901200001" && m.To.Username == "person_3" {
				return false, fails(messenger.Restricted, "PEER_FLOOD", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a, other}, people, nil)
		w.run()
		w.after(10 * time.Hour)
		if got := w.srv.Do("GET /accounts/"+a, nil).String("status"); got != "RESTRICTED" {
			t.Fatalf("the account is %s", got)
		}
		if got := w.totals(b); got[Delivered] != 5 || got[Waiting] != 3 {
			t.Errorf("totals %v", got)
		}
		for i, m := range w.p.Took() {
			if n := 0; m.Account == "+998901200002" {
				if _, err := fmt.Sscanf(m.To.Username, "person_%d", &n); err != nil || n%2 != 0 {
					t.Errorf("message %d to %s moved to another account", i, m.To.Username)
				}
			}
		}
		bad = false
		w.srv.Do("POST /accounts/"+a+"/resume", `{"acknowledge_restriction":true}`).Want(200)
		w.after(time.Minute)
		if got := w.totals(b); got[Delivered] != 8 {
			t.Errorf("after the restriction: %v", got)
		}
	})
}

// TestRefusals: people who cannot be reached, and messages that nobody takes, end
// their jobs and hold nobody up but for the pace.
func TestRefusals(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account(`{"min_interval_seconds":5,"daily_limit":3}`)
		people := w.people(1, 4)
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			switch m.To.Username {
			case "person_1":
				return false, fails(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
			case "person_2":
				return false, fails(messenger.ContentRefused, "MEDIA_INVALID", 0)
			case "person_3":
				return false, fails(messenger.Refused, "CHAT_FORBIDDEN", 0)
			}
			return true, nil
		})
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(time.Minute)
		if got := times(w.p.Took()); !slices.Equal(got, []time.Duration{15 * time.Second}) {
			t.Errorf("sent after %v: refusals are paced too", got)
		}
		for i, want := range []struct {
			status Status
			code   string
		}{{Unreachable, "PEER_BLOCKED"}, {Failed, "MEDIA_INVALID"}, {Failed, "CHAT_FORBIDDEN"}, {Delivered, ""}} {
			j := w.job(b, people[i])
			if j.Status != want.status || j.ErrorCode != want.code || j.Attempts != 1 || (j.LastError == "") != (want.code == "") {
				t.Errorf("person %d: %+v", i+1, j)
			}
			if got := w.outcomes(j.ID); !slices.Equal(got, []Status{want.status}) {
				t.Errorf("person %d: the source was told %v", i+1, got)
			}
		}
		if got := w.srv.Do("GET /accounts/"+a, nil).At("sent_today"); got != 1.0 {
			t.Errorf("sent_today is %v: a refusal is not sent", got)
		}
	})
}

// TestObjections: consent, suppression and the rules of the campaign are asked again
// when a message is claimed.
func TestObjections(t *testing.T) {
	bubble(t, Options{NoPacing: true}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 6)
		b := w.campaign([]string{a}, people, func(b *CampaignPolicy) { b.MinDays = 3 })
		change := func(i int, edit func(tx *store.Tx, c *api.Call, r *recipient.Recipient) error) {
			w.update(func(tx *store.Tx) error {
				r, err := recipient.Get(tx, w.srv.Org, people[i])
				if err != nil {
					return err
				}
				return edit(tx, api.System(context.Background(), w.srv.Org, w.db.Now()), &r)
			})
		}
		// Without a bus, as if its signal had been missed.
		change(0, func(tx *store.Tx, c *api.Call, r *recipient.Recipient) error {
			_, err := recipient.OptOut(tx, c, nil, field.Who{Username: r.Username}, field.ByLink)
			return err
		})
		w.srv.Do("PATCH /recipients/"+people[1], `{"consent_status":"UNKNOWN"}`).Want(200)
		change(2, func(tx *store.Tx, _ *api.Call, r *recipient.Recipient) error {
			return recipient.RecordContact(tx, w.srv.Org, r.ID, recipient.Contact{At: w.db.Now().Add(-71 * time.Hour), Sent: true, Account: a, CampaignID: "cmp"})
		})
		change(3, func(tx *store.Tx, _ *api.Call, r *recipient.Recipient) error {
			return recipient.RecordContact(tx, w.srv.Org, r.ID, recipient.Contact{At: w.db.Now().Add(-72 * time.Hour), Sent: true, Account: a, CampaignID: "cmp"})
		})
		w.srv.Do("DELETE /recipients/"+people[4], nil).Want(204)
		w.run()
		w.after(time.Second)
		want := []struct {
			status Status
			reason string
		}{{Skipped, OptedOut}, {Skipped, UnknownConsent}, {Skipped, RecentlyMessaged}, {Delivered, ""}, {Skipped, RecipientDeleted}, {Delivered, ""}}
		for i, x := range want {
			j := w.job(b, people[i])
			if j.Status != x.status || j.SkipReason != x.reason {
				t.Errorf("person %d: %s %s, want %v", i+1, j.Status, j.SkipReason, x)
			}
			if got := w.outcomes(j.ID); !slices.Equal(got, []Status{x.status}) {
				t.Errorf("person %d: the source was told %v", i+1, got)
			}
		}
		if got := len(w.p.Took()); got != 2 {
			t.Errorf("%d messages, want 2", got)
		}
	})
}

// TestSkipsAreBounded: a campaign of people who cannot be written to is passed over
// in transactions of a size that a store takes.
func TestSkipsAreBounded(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a := w.account("")
		people := w.people(1, 2*maxSkips+10)
		w.words = func(*Job) (Draft, error) { return Draft{}, &Skip{MissingVariables} }
		b := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(time.Second)
		if got := w.totals(b); got[Skipped] != len(people) {
			t.Errorf("totals %v", got)
		}
	})
}

// TestOptOutWhileSending: the message under way ends; when its outcome is not known,
// no try begins after the opt-out.
func TestOptOutWhileSending(t *testing.T) {
	for _, known := range []bool{true, false} {
		bubble(t, Options{}, func(w *harness) {
			a := w.account("")
			people := w.people(1, 1)
			release := make(chan struct{})
			w.p.Accept(func(context.Context, sendtest.Accepted) (bool, error) {
				<-release
				if known {
					return true, nil
				}
				return true, fails(messenger.Unreachable, "LOST", 0)
			})
			b := w.campaign([]string{a}, people, nil)
			w.run()
			w.after(time.Second)
			w.srv.Do("POST /recipients/"+people[0]+"/opt-out", nil).Want(200)
			if j := w.job(b, people[0]); j.Status != Waiting {
				t.Errorf("while it is on its way the job is %+v", j)
			}
			w.srv.Do("DELETE /recipients/"+people[0], nil).Refused(recipient.ErrBusy)
			close(release)
			w.after(time.Hour)
			j := w.job(b, people[0])
			want := []Status{Skipped}
			if known {
				want = []Status{Delivered}
			}
			if j.Status != want[0] || !known && j.SkipReason != OptedOut {
				t.Errorf("known %v: in the end the job is %+v", known, j)
			}
			if got := w.outcomes(j.ID); !slices.Equal(got, want) {
				t.Errorf("known %v: the source was told %v", known, got)
			}
			if w.p.Tries != 1 {
				t.Errorf("known %v: %d tries", known, w.p.Tries)
			}
			w.srv.Do("DELETE /recipients/"+people[0], nil).Want(204)
		})
	}
}
