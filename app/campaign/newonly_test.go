package campaign

import (
	"strings"
	"testing"
	"time"

	"svc/app/campaign/record"
	"svc/store"
)

// TestCancellingARun: the series goes on with the next one, unless it was an administrator
// who cancelled.
func TestCancellingARun(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(2)
		first := h.started([]string{a}, map[string]any{"scheduled_at": "2000-01-01T10:00:00Z", "repeat": map[string]any{"frequency": "DAILY", "time": "10:00"}})
		h.Do("POST /campaigns/"+first+"/cancel", nil).Want(200)
		h.until("2000-01-02T09:59:00Z")
		if n := len(h.runsOf()); n != 1 {
			t.Fatalf("%d runs before it is time for the second", n)
		}
		h.until("2000-01-02T10:30:00Z")
		list := h.runsOf()
		if len(list) != 2 || list[1].Status != record.Completed || list[1].Series.RunNumber != 2 {
			t.Fatalf("%d runs, the last is %s", len(list), list[len(list)-1].Status)
		}
		third := ""
		h.update(func(tx *store.Tx) error {
			r, err := record.GetRun(tx, h.Org, list[1].Series.ID)
			if err != nil {
				return err
			}
			k, err := record.Get(tx, h.Org, r.Newest)
			if err != nil {
				return err
			}
			err = h.s.makeRun(tx, h.system(), &r, &k, time.Now().Add(time.Hour))
			third = r.Newest
			return err
		})
		h.update(func(tx *store.Tx) error { _, err := h.s.AdminCancel(tx, h.system(), h.Org, third, "spam"); return err })
		h.Do("POST /campaigns/"+third+"/stop-repeating", nil).Refused(ErrNotRepeating)
		h.person("another", nil)
		h.person("yet_another", nil)
		slow := h.started([]string{h.account(`{"daily_limit":1}`)}, map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00"}})
		h.jump("2000-01-05T12:00:00Z")
		if n := len(h.runsOf()); n != 4 {
			t.Errorf("%d runs after an administrator cancelled the third", n)
		}
		h.Do("POST /campaigns/"+slow+"/cancel", nil).Want(200)
		h.after(time.Hour)
		if n := len(h.runsOf()); n != 4 {
			t.Errorf("a run that was missed begins at once: %d runs", n)
		}
	})
}

// TestPreviewOfANewOnlyRun: whom an earlier run was for is not counted, and is told why;
// once the run has begun its own people are.
func TestPreviewOfANewOnlyRun(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":4}`)
		before := h.crowd(2)[0]
		one := h.started([]string{a}, map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00", "audience": "NEW_ONLY"}})
		h.after(time.Minute)
		h.is(one, record.Completed, "")
		newcomer := h.person("newcomer", nil)
		h.update(func(tx *store.Tx) error {
			k, err := record.Get(tx, h.Org, one)
			if err != nil {
				return err
			}
			r, err := record.GetRun(tx, h.Org, k.Series.ID)
			if err != nil {
				return err
			}
			return h.s.makeRun(tx, h.system(), &r, &k, time.Now().Add(time.Hour))
		})
		two := h.runsOf()[1].ID
		for _, status := range []record.Status{record.Scheduled, record.Completed} {
			h.is(two, status, "")
			if p := h.Do("GET /campaigns/"+two+"/audience-preview", nil).Want(200); p.Int("matched") != 1 || p.Int("sendable") != 1 {
				t.Errorf("%s: %s", status, p.Body)
			}
			if r := h.Do("POST /campaigns/"+two+"/validate", nil).Want(200); r.Int("audience.matched") != 1 {
				t.Errorf("%s: %s", status, r.Body)
			}
			if status == record.Scheduled {
				if r := h.Do("GET /recipients/"+before+"/reachability?campaign_id="+two, nil).Want(200); !strings.Contains(r.Body, "NOT_NEW") {
					t.Errorf("%s", r.Body)
				}
				if r := h.Do("GET /recipients/"+newcomer+"/reachability?campaign_id="+two, nil).Want(200); r.At("reachable") != true {
					t.Errorf("%s", r.Body)
				}
				h.after(2 * time.Hour)
			}
		}
	})
}
