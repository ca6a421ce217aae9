package campaign

import (
	"context"
	"errors"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/org"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// TestTroubleBehindTheChecks: an account that is restricted between the checks and the
// transaction that begins lets nobody begin.
func TestTroubleBehindTheChecks(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a, b := h.account(""), h.account("")
		h.crowd(4)
		draft := h.draft([]string{a, b}, nil)
		due := h.started([]string{a, b}, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
		var reports [2]*check.Report
		for i, id := range []string{draft, due} {
			var err error
			if reports[i], _, err = h.s.checks.Report(context.Background(), h.Org, id, nil); err != nil || !reports[i].OK {
				t.Fatal(reports[i], err)
			}
		}
		h.trouble(a, messenger.Restricted, "PEER_FLOOD")
		h.update(func(tx *store.Tx) error {
			k, err := record.Get(tx, h.Org, draft)
			if err != nil {
				return err
			}
			k.Validation = reports[0]
			if _, err := h.s.launch(tx, h.system(), &k, nil); !errors.Is(err, api.ErrState) {
				t.Errorf("launched: %v", err)
			}
			if k, err = record.Get(tx, h.Org, due); err != nil {
				return err
			}
			again, err := h.s.startDue(context.Background(), tx, queue.Job{}, starting{h.Org, due, *k.ScheduledAt}, &k, reports[1], nil)
			if !again {
				t.Error("the time came, and the checks are not asked again")
			}
			return err
		})
		h.is(draft, record.Draft, "")
		h.after(2 * time.Hour)
		h.is(due, record.Failed, "")
		if n := h.out.count(); n != 0 {
			t.Errorf("%d messages were sent", n)
		}
	})
}

// TestWithoutAnAccount: a launched campaign keeps one. The last can be deleted while it is
// paused; another goes on where the planning stood.
func TestWithoutAnAccount(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(4)
		id := h.started([]string{a}, nil) // nobody is planned: nothing runs yet
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		if got := h.Do("PATCH /campaigns/"+id, `{"account_ids":[]}`).Want(422); got.At("error.details") == nil {
			t.Errorf("%s", got.Body)
		}
		h.Do("DELETE /accounts/"+a, nil).Want(204)
		h.run()
		h.after(100 * time.Hour)
		h.Do("PATCH /campaigns/"+id, `{"name":"Renamed"}`).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Refused(ErrNoAccounts)
		b := h.account("")
		h.Do("PATCH /campaigns/"+id, `{"account_ids":["`+b+`"]}`).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.is(id, record.Completed, "")
		h.totals(id, results.Totals{Total: 4, Completed: 4})
		h.Do("PATCH /campaigns/"+h.draft([]string{b}, nil), `{"account_ids":[]}`).Want(200)
	})
}

// TestResumeOfASuspended: neither its people nor an administrator sends for an
// organization that is suspended.
func TestResumeOfASuspended(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":60}`)
		h.crowd(5)
		id := h.started([]string{a}, nil)
		h.update(func(tx *store.Tx) error { _, err := h.s.AdminPause(tx, h.system(), h.Org, id, "look"); return err })
		h.update(func(tx *store.Tx) error { _, err := h.orgs.Suspend(tx, h.system(), h.Org, "spam"); return err })
		if _, err := h.s.AdminResume(h.system(), h.Org, id, "go", nil); !errors.Is(err, api.ErrSuspended) {
			t.Errorf("resumed: %v", err)
		}
		h.is(id, record.Paused, record.ByAdmin)
		h.update(func(tx *store.Tx) error { _, err := h.orgs.Reactivate(tx, h.system(), h.Org); return err })
		if _, err := h.s.AdminResume(h.system(), h.Org, id, "go", nil); err != nil {
			t.Error(err)
		}
	})
}

// TestRecipientsAboveThePlan: the plan answers before the checks.
func TestRecipientsAboveThePlan(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(5)
		id := h.draft([]string{a}, nil)
		limit := func(n float64) {
			h.update(func(tx *store.Tx) error {
				_, err := org.SetOverrides(tx, h.system(), h.Org, map[string]any{"recipients": n})
				return err
			})
		}
		limit(4)
		h.Do("POST /campaigns/"+id+"/start", nil).Refused(api.ErrPlanLimit)
		limit(5)
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
	})
}
