package campaign

import (
	"testing"
	"time"

	"svc/app/campaign/check"
	"svc/app/campaign/results"
	"svc/app/recipient"
	"svc/store"
)

// met makes a person whom only one account knows, by id.
func (h *harness) met(name string, messengerID int, account string) string {
	h.t.Helper()
	id := h.person(name, map[string]any{"username": nil, "messenger_id": messengerID})
	h.update(func(tx *store.Tx) error {
		return recipient.RecordContact(tx, h.Org, id, recipient.Contact{At: time.Now(), Received: true, Account: account})
	})
	return id
}

// TestEstimateOfAnotherDay: a campaign that begins tomorrow has tomorrow's limit, whatever
// was sent today.
func TestEstimateOfAnotherDay(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"daily_limit":5,"min_interval_seconds":4}`)
		h.crowd(5)
		h.started([]string{a}, nil)
		h.after(time.Hour) // today's five are sent
		start := time.Now().Truncate(24 * time.Hour).Add(33 * time.Hour)
		id := h.draft([]string{a}, map[string]any{"scheduled_at": start, "end_at": start.Add(8 * time.Hour)})
		if r := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200); r.At("ok") != true || r.At("estimated_hours") != 0.01 {
			t.Errorf("%s", r.Body)
		}
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
	})
}

// TestEstimateFollowsTheBinding: who is known to one account only is written to by that
// one, so that another does not make it faster.
func TestEstimateFollowsTheBinding(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		edit := `{"min_interval_seconds":60,"daily_limit":500}`
		a, b := h.account(edit), h.account(edit)
		for i := range 31 {
			h.met("known", 5000+i, a)
		}
		for _, text := range []string{hello, "The same for all {{opt_out_url}}"} {
			id := h.draft([]string{a, b}, map[string]any{"message": map[string]any{"text": text}})
			if r := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200); r.At("estimated_hours") != 0.5 {
				t.Errorf("%s: %v hours, want 0.5", text, r.At("estimated_hours"))
			}
		}
		h.crowd(31) // the other account has room for these
		id := h.draft([]string{a, b}, nil)
		if r := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200); r.At("estimated_hours") != 0.5 {
			t.Errorf("with others: %v hours, want 0.5", r.At("estimated_hours"))
		}
		short := h.draft([]string{a, b}, map[string]any{"end_at": time.Now().Add(20 * time.Minute)})
		if got := h.verdicts(short); got["capacity"] != check.Fail {
			t.Errorf("an end before the estimate: %s", got["capacity"])
		}
	})
}

// TestEstimateOfTheRest: of a campaign that is under way the report estimates what is left.
func TestEstimateOfTheRest(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":60,"daily_limit":500}`)
		h.crowd(61)
		id := h.started([]string{a}, nil)
		h.after(50*time.Minute + 30*time.Second)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.person("later", nil) // is not in the frozen audience
		h.totals(id, results.Totals{Total: 61, Completed: 51, Pending: 10})
		r := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200)
		if r.At("estimated_hours") != 0.16 || r.Int("audience.matched") != 61 { // nine minutes and a half
			t.Errorf("%s", r.Body)
		}
	})
}

// TestSendableWithoutTheIncomplete: both reports say the same.
func TestSendableWithoutTheIncomplete(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(3)
		h.person("nameless", map[string]any{"first_name": nil})
		id := h.draft([]string{a}, nil)
		report := h.Do("POST /campaigns/"+id+"/validate", nil).Want(200)
		preview := h.Do("GET /campaigns/"+id+"/audience-preview", nil).Want(200)
		if report.Int("audience.sendable") != 3 || report.Int("audience.missing_variables") != 1 || preview.Int("sendable") != 3 {
			t.Errorf("report %v, preview %v", report.At("audience"), preview.At("sendable"))
		}
	})
}
