package campaign

import (
	"strings"
	"testing"
	"time"

	"svc/app/campaign/check"
	"svc/app/campaign/record"
)

// said is what a check says of a campaign.
func (h *harness) said(id, key string) string {
	h.t.Helper()
	var r check.Report
	h.Do("POST /campaigns/"+id+"/validate", nil).Want(200).Into(&r)
	for _, c := range r.Checks {
		if c.Key == key {
			return c.Message
		}
	}
	return ""
}

// TestSameTextByWhenItWasSent: who got the text in the last 7 days counts, not who was in
// a campaign that began then.
func TestSameTextByWhenItWasSent(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"daily_limit":2,"min_interval_seconds":4}`)
		h.crowd(4)
		id := h.started([]string{a}, nil)
		h.after(time.Minute) // two are sent, and two on the first day of the service after a stop
		h.jump("2000-01-09T00:00:00Z")
		h.after(time.Minute)
		h.is(id, record.Completed, "")
		twin := h.draft([]string{a}, nil)
		if got := h.said(twin, "duplicate_send"); got != "2 people were sent the same text in the last 7 days." {
			t.Error(got)
		}
		h.Do("PATCH /campaigns/"+twin, `{"message":{"text":"Another {{opt_out_url}}"}}`).Want(200)
		if got := h.said(twin, "duplicate_send"); !strings.HasPrefix(got, "Nobody") {
			t.Error(got)
		}
	})
}

// TestSameTextAfterAChange: everybody counts for the text that they got.
func TestSameTextAfterAChange(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"min_interval_seconds":60}`)
		h.crowd(5)
		id := h.started([]string{a}, nil)
		h.after(70 * time.Second) // two are sent
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		const changed = "Changed {{opt_out_url}}"
		h.Do("PATCH /campaigns/"+id, map[string]any{"message": map[string]any{"text": changed}}).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.is(id, record.Completed, "")
		for text, want := range map[string]string{hello: "2 people", changed: "3 people"} {
			twin := h.draft([]string{a}, map[string]any{"message": map[string]any{"text": text}})
			if got := h.said(twin, "duplicate_send"); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %s", text, got)
			}
		}
	})
}
