package campaign

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
)

// TestRehearsalWithoutAnAccount: whom nobody can write to is not reached, and it does not
// finish.
func TestRehearsalWithoutAnAccount(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a, b := h.account(""), h.account("")
		h.crowd(10)
		h.met("friend", 4242, b)
		h.Do("POST /accounts/"+b+"/pause", nil).Want(200)
		for _, tt := range []struct {
			name             string
			accounts         []string
			delivered, whole int // by the accounts together; whole counts those who are not reached too
		}{
			{"one of two is paused", []string{a, b}, 10, 11},
			{"the only one is paused", []string{b}, 0, 11},
			{"there is none", []string{}, 0, 0},
		} {
			id := h.draft(tt.accounts, nil)
			h.Do("POST /campaigns/"+id+"/rehearse", nil).Want(202)
			h.after(time.Second)
			var r ShownRehearsal
			h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(200).Into(&r)
			delivered, whole := 0, 0
			for _, d := range r.ByAccount {
				delivered, whole = delivered+d.Delivered, whole+d.Delivered+d.Unsent
			}
			if delivered != tt.delivered || whole != tt.whole || r.FinishesAt != nil || r.DurationHours != nil {
				t.Errorf("%s: %+v", tt.name, r.Report)
			}
		}
	})
}

// TestRehearsalThatWasDropped by an administrator, who clears a queue: another takes its
// place.
func TestRehearsalThatWasDropped(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(2)
		id := h.draft([]string{a}, nil)
		h.Do("POST /campaigns/"+id+"/rehearse", nil).Want(202)
		h.Do("POST /campaigns/"+id+"/rehearse", nil).Refused(errRehearsing)
		h.update(func(tx *store.Tx) error {
			list, _, err := queue.List(tx, queue.Analysis, queue.Pending, 0, 10)
			for _, j := range list {
				if err == nil {
					err = queue.Discard(tx, j.ID)
				}
			}
			return err
		})
		if r := h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(200); r.String("status") != "FAILED" || r.At("error") == nil {
			t.Errorf("dropped: %s", r.Body)
		}
		h.Do("POST /campaigns/"+id+"/rehearse", nil).Want(202)
		if r := h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(200); r.String("status") != "QUEUED" {
			t.Errorf("asked again: %s", r.Body)
		}
		h.run()
		h.after(time.Second)
		if r := h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(200); r.String("status") != "DONE" {
			t.Errorf("%s", r.Body)
		}
	})
}
