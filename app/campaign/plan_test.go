package campaign

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/app/recipient"
	"svc/app/send"
	"svc/messenger"
	"svc/store"
)

// planPage plans the next people of a campaign, as the job does.
func (h *harness) planPage(id string) (done bool) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		done, err = h.s.planSome(tx, h.system(), planning{Org: h.Org, Campaign: id})
		return err
	})
	return done
}

// TestPlanningGoesOn: a process that dies between two pages loses nobody and doubles
// nobody; what came after the launch is not in the audience.
func TestPlanningGoesOn(t *testing.T) {
	bubble(t, func(h *harness) {
		accounts := []string{h.account(""), h.account(`{"daily_limit":50}`)}
		n := plannedAtATime + 150
		h.crowd(n)
		id := h.started(accounts, nil)
		h.totals(id, results.Totals{Total: n, Pending: n})
		if h.planPage(id) {
			t.Fatal("planned in one page")
		}
		h.totals(id, results.Totals{Total: n, Pending: n})
		h.person("too_late", nil)
		h.build() // another process
		errDies := errors.New("dies before the commit")
		err := h.db.Update(h.t.Context(), func(tx *store.Tx) error {
			if _, err := h.s.planSome(tx, h.system(), planning{Org: h.Org, Campaign: id}); err != nil {
				return err
			}
			return errDies
		})
		if !errors.Is(err, errDies) {
			t.Fatal(err)
		}
		if !h.planPage(id) {
			t.Error("there is more to plan")
		}
		if !h.planPage(id) {
			t.Error("what is planned is planned again")
		}
		h.totals(id, results.Totals{Total: n, Pending: n})
		h.view(func(tx *store.Tx) error {
			var load [2]int
			for i, a := range accounts {
				c, err := send.CountsOfAccount(tx, h.Org, id, a)
				if err != nil {
					return err
				}
				load[i] = c[send.Waiting]
			}
			// The second sends a third of the first: 50 a day beside 150.
			if load[0]+load[1] != n || load[0] < 2*load[1] || load[0] > 4*load[1] {
				t.Errorf("%d and %d people were given to the accounts", load[0], load[1])
			}
			return nil
		})
	})
}

// TestPlanningWhilePaused goes on, and ends with a cancelled campaign.
func TestPlanningWhilePausedAndCancelled(t *testing.T) {
	bubble(t, func(h *harness) {
		n := plannedAtATime + 10
		h.crowd(n)
		id := h.started([]string{h.account("")}, nil)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		if h.planPage(id) {
			t.Error("a paused campaign is not planned on")
		}
		h.Do("POST /campaigns/"+id+"/cancel", nil).Want(200)
		if !h.planPage(id) {
			t.Error("a cancelled campaign is planned on")
		}
		h.totals(id, results.Totals{Total: n, Cancelled: n})
		unsent := h.Do("POST /campaigns/"+id+"/duplicate", `{"only":"UNSENT"}`).Want(201)
		if unsent.Int("audience.recipient_count") != n {
			t.Errorf("a copy for the unsent is for %d", unsent.Int("audience.recipient_count"))
		}
	})
}

// TestWhoIsSkipped: every reason that is known when planning, in one campaign.
func TestWhoIsSkipped(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		good := h.person("good_one", nil)
		out := h.person("opted_out", nil)
		h.Do("PATCH /recipients/"+out, `{"consent_status":"OPTED_OUT"}`).Want(200)
		want := map[string]string{
			good: "", out: send.OptedOut, h.person("unknown_one", map[string]any{"consent_status": "UNKNOWN"}): send.UnknownConsent,
			h.person("nameless", map[string]any{"first_name": ""}): send.MissingVariables,
		}
		lately := h.person("lately", nil)
		want[lately] = send.RecentlyMessaged
		h.update(func(tx *store.Tx) error {
			return recipient.RecordContact(tx, h.Org, lately, recipient.Contact{At: time.Now().Add(-time.Hour), Sent: true, CampaignID: "cmp_before"})
		})
		answered := h.person("answered", nil) // in a conversation, which no campaign is
		want[answered] = ""
		h.update(func(tx *store.Tx) error {
			return recipient.RecordContact(tx, h.Org, answered, recipient.Contact{At: time.Now().Add(-time.Hour), Sent: true, ConversationID: "cnv_1"})
		})
		id := h.started([]string{a}, map[string]any{"min_days_between_messages": 1})
		if !h.planPage(id) {
			t.Error("not planned at once")
		}
		h.view(func(tx *store.Tx) error {
			for who, reason := range want {
				j, err := send.Of(tx, h.Org, id, who)
				if err != nil || j.SkipReason != reason || (j.Status == send.Skipped) != (reason != "") {
					t.Errorf("%s: %s %q, want %q (%v)", who, j.Status, j.SkipReason, reason, err)
				}
			}
			return nil
		})
		// The same reasons answer who asks why not.
		for who, reason := range want {
			r := h.Do("GET /recipients/"+who+"/reachability?campaign_id="+id, nil).Want(200)
			codes := map[string]bool{}
			for i := 0; r.At(fmt.Sprintf("reasons.%d", i)) != nil; i++ {
				codes[r.String(fmt.Sprintf("reasons.%d.code", i))] = true
			}
			if r.At("reachable") != (reason == "") || reason != "" && !codes[reason] {
				t.Errorf("%s: %s, want %q", who, r.Body, reason)
			}
		}
	})
}

// TestReachability before a campaign begins: every reason of its own.
func TestReachability(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		id := h.draft([]string{a}, map[string]any{"message": map[string]any{"text": "{{city}} {{opt_out_url}}"}})
		outsider := h.person("outsider", map[string]any{"tags": []string{"other"}, "attributes": map[string]any{"city": "Buxoro"}})
		lacking := h.person("lacking", nil)
		fine := h.person("fine_one", map[string]any{"attributes": map[string]any{"city": "Buxoro"}})
		code := func(who string) string {
			return h.Do("GET /recipients/"+who+"/reachability?campaign_id="+id, nil).Want(200).String("reasons.0.code")
		}
		for who, want := range map[string]string{outsider: "NOT_IN_AUDIENCE", lacking: "MISSING_VARIABLES", fine: ""} {
			if got := code(who); got != want {
				t.Errorf("%s: %q, want %q", who, got, want)
			}
		}
		if r := h.Do("GET /recipients/"+fine+"/reachability?campaign_id="+id, nil).Want(200); r.String("account_id") != a {
			t.Errorf("from which account: %s", r.Body)
		}
		h.Do("POST /accounts/"+a+"/pause", nil).Want(200)
		if got := code(fine); got != "NO_ACCOUNT" {
			t.Errorf("no account sends: %q", got)
		}
		h.Do("GET /recipients/"+fine+"/reachability?campaign_id=cmp_00000000000000000000000000", nil).Want(404)
		h.Do("POST /accounts/"+a+"/resume", nil).Want(200)
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
		h.planPage(id)
		h.Do("POST /campaigns/"+id+"/cancel", nil).Want(200)
		if got := code(fine); got != "CAMPAIGN_ENDED" {
			t.Errorf("cancelled: %q", got)
		}
	})
}

// TestContentErrors: 20 refusals of the content in a row pause the campaign; one that
// arrives between them begins the count anew.
func TestContentErrors(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":4}`)
		h.crowd(50)
		tries := 0
		h.out.says(func(string, messenger.Message) error {
			if tries++; tries == 10 {
				return nil
			}
			return refuses(messenger.ContentRefused, "MEDIA_INVALID", 0)
		})
		id := h.started([]string{a}, nil)
		h.after(time.Hour)
		h.is(id, record.Paused, record.ContentErrors)
		h.totals(id, results.Totals{Total: 50, Pending: 20, Completed: 1, Failed: 29})
		h.out.says(nil)
		h.Do("PATCH /campaigns/"+id, `{"message":{"text":"Other words {{opt_out_url}}"}}`).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.is(id, record.Completed, "")
		h.totals(id, results.Totals{Total: 50, Completed: 21, Failed: 29})
		for _, m := range h.out.taken[1:] {
			if m.Text[:11] != "Other words" {
				t.Errorf("an old text was sent: %q", m.Text)
			}
		}
		failed := h.Do("POST /campaigns/"+id+"/duplicate", `{"only":"FAILED","name":"Again"}`).Want(201)
		if failed.Int("audience.recipient_count") != 29 || failed.String("name") != "Again" || failed.String("status") != string(record.Draft) {
			t.Errorf("a copy for those who failed: %s", failed.Body)
		}
		if all := h.Do("POST /campaigns/"+id+"/duplicate", nil).Want(201); all.String("audience.tags.0") != "all" || all.String("name") != "Spring (copy)" {
			t.Errorf("a copy: %s", all.Body)
		}
	})
}

// TestUnbuildable: an audience that cannot be put together fails the campaign, when
// nobody has got a message.
func TestUnbuildable(t *testing.T) {
	bubble(t, func(h *harness) {
		h.crowd(2)
		id := h.started([]string{h.account("")}, nil)
		if err := h.s.giveUp(h.t.Context(), planning{Org: h.Org, Campaign: id}); err != nil {
			t.Fatal(err)
		}
		h.is(id, record.Failed, "")
	})
}

// TestAccountTakenOff cancels what was bound to it; the rest goes on.
func TestAccountTakenOff(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a, b := h.account(""), h.account("")
		h.crowd(40)
		id := h.started([]string{a, b}, nil)
		h.after(10 * time.Second)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.Do("PATCH /campaigns/"+id, map[string]any{"account_ids": []string{b}}).Want(200)
		h.after(time.Minute)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(time.Hour)
		var got struct{ Totals results.Totals }
		h.campaign(id).Into(&got)
		if got.Totals.Cancelled == 0 || got.Totals.Completed+got.Totals.Cancelled != 40 || got.Totals.Completed != h.out.count() {
			t.Errorf("totals %+v, %d messages", got.Totals, h.out.count())
		}
		h.is(id, record.Completed, "")
		h.Do("DELETE /accounts/"+b, nil).Want(204)
	})
}

// TestStaleStart: what changes while the checks look is not launched.
func TestStaleStart(t *testing.T) {
	bubble(t, func(h *harness) {
		h.crowd(2)
		id := h.started([]string{h.account("")}, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
		h.view(func(tx *store.Tx) error {
			k, err := record.Get(tx, h.Org, id)
			if err != nil || !(starting{At: *k.ScheduledAt}).still(&k) || (starting{At: k.ScheduledAt.Add(1)}).still(&k) {
				t.Errorf("which time it waits for: %v", err)
			}
			return nil
		})
		h.Do("PATCH /campaigns/"+id, map[string]any{"scheduled_at": time.Now().Add(3 * time.Hour)}).Want(200)
		h.run()
		h.after(2 * time.Hour)
		h.is(id, record.Scheduled, "")
		h.after(2 * time.Hour)
		h.is(id, record.Completed, "")
	})
}

// TestManySkipped: a page of people of whom most are skipped is planned in parts, since
// each of them is an event too.
func TestManySkipped(t *testing.T) {
	bubble(t, func(h *harness) {
		const fine, unknown = 20, 520
		h.crowd(fine)
		for i := range unknown {
			h.person(fmt.Sprintf("unknown_%04d", i), map[string]any{"consent_status": "UNKNOWN"})
		}
		id := h.started([]string{h.account("")}, nil)
		if h.planPage(id) {
			t.Error("all of it was planned in one transaction")
		}
		if !h.planPage(id) {
			t.Error("there is more to plan")
		}
		h.totals(id, results.Totals{Total: fine + unknown, Pending: fine, Skipped: unknown})
		if n := h.events(event.MessageSkipped); n != unknown {
			t.Errorf("%d events of %d people who were skipped", n, unknown)
		}
	})
}
