package campaign

import (
	"strings"
	"testing"
	"time"

	"svc/app/campaign/record"
	"svc/app/notify"
	"svc/store"
)

// notices are the notifications of a kind.
func (h *harness) notices(kind notify.Kind) (bodies []string) {
	h.t.Helper()
	var page struct {
		Data []struct {
			Kind notify.Kind
			Body string
		}
	}
	h.Do("GET /notifications", nil).Want(200).Into(&page)
	for _, n := range page.Data {
		if n.Kind == kind {
			bodies = append(bodies, n.Body)
		}
	}
	return bodies
}

// TestReasonOfAnAdministrator: the organization reads why its campaign was paused or
// cancelled, until somebody goes on (contract 17).
func TestReasonOfAnAdministrator(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":60}`)
		h.crowd(5)
		id := h.started([]string{a}, nil)
		why := func(want any) {
			t.Helper()
			if got := h.campaign(id).At("admin_reason"); got != want {
				t.Errorf("the reason is %v, want %v", got, want)
			}
		}
		h.update(func(tx *store.Tx) error {
			_, err := h.s.AdminPause(tx, h.system(), h.Org, id, "People complain.")
			return err
		})
		why("People complain.")
		if got := h.notices("CAMPAIGN_PAUSED"); len(got) != 1 || !strings.Contains(got[0], "gave this reason: People complain.") || strings.Contains(got[0], "..") {
			t.Errorf("%q", got)
		}
		if _, err := h.s.AdminResume(h.system(), h.Org, id, "all is well", nil); err != nil {
			t.Error(err)
		}
		why(nil)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		why(nil)
		h.update(func(tx *store.Tx) error {
			_, err := h.s.AdminPause(tx, h.system(), h.Org, id, "wait for us")
			return err
		})
		why("wait for us")
		h.update(func(tx *store.Tx) error {
			_, err := h.s.AdminCancel(tx, h.system(), h.Org, id, "it is spam")
			return err
		})
		h.is(id, record.Cancelled, "")
		why("it is spam")
		if got := h.notices("CAMPAIGN_CANCELLED"); len(got) != 1 || !strings.Contains(got[0], "it is spam") {
			t.Errorf("%q", got)
		}
		own := h.started([]string{a}, nil)
		h.Do("POST /campaigns/"+own+"/cancel", nil).Want(200)
		if got := h.notices("CAMPAIGN_CANCELLED"); len(got) != 1 {
			t.Errorf("who cancels knows: %q", got)
		}
	})
}

// TestWaitsForAPausedAccount: when all that is left is bound to an account that somebody
// paused, the campaign says that nobody works on it.
func TestWaitsForAPausedAccount(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a, b := h.account(`{"min_interval_seconds":4}`), h.account(`{"min_interval_seconds":60}`)
		h.crowd(6)
		id := h.started([]string{a, b}, nil)
		h.after(2 * time.Second)
		h.Do("POST /accounts/"+b+"/pause", nil).Want(200)
		h.after(time.Hour)
		k := h.campaign(id)
		if k.String("status") != "RUNNING" || k.String("waiting_reason") != "WORKER" || k.At("estimated_finish_at") != nil || k.Int("totals.pending") == 0 {
			t.Errorf("%s", k.Body)
		}
		h.Do("POST /accounts/"+b+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.is(id, record.Completed, "")
	})
}
