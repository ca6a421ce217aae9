package campaign

import (
	"strings"
	"testing"
	"time"

	"svc/app/campaign/rehearsal"
	"svc/app/campaign/rehearse"
	"svc/messenger"
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
			var r rehearsal.ShownRehearsal
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
		h.Do("POST /campaigns/"+id+"/rehearse", nil).Refused(rehearsal.ErrRehearsing)
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

// TestRehearsalExpectsTheFailuresOfBefore: what failed of an account in its last 30 days is expected to
// fail again, of an account without enough of them the usual (contract 20.12).
func TestRehearsalExpectsTheFailuresOfBefore(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		tried, fresh := h.account(""), h.account("")
		h.crowd(60)
		h.out.says(func(_ string, m messenger.Message) error {
			if strings.HasSuffix(m.To.Username, "0") || strings.HasSuffix(m.To.Username, "5") {
				return refuses(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
			}
			return nil
		})
		h.started([]string{tried}, nil)
		h.after(time.Hour)
		h.view(func(tx *store.Tx) error {
			failing, err := rehearsal.Failures(tx, h.Org, h.db.Now())
			if err != nil {
				return err
			}
			if of, other := failing(tried), failing(fresh); of != 0.2 || other != 0.2 {
				t.Errorf("of the account that tried %v are expected to fail, of the other of the organization %v", of, other)
			}
			failing, err = rehearsal.Failures(tx, h.Org, h.db.Now().Add(rehearsal.FailuresSince+time.Hour))
			if of := failing(tried); of != rehearse.UsualFailing {
				t.Errorf("a month later %v", of)
			}
			return err
		})
	})
}
