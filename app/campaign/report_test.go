package campaign

import (
	"testing"
	"time"

	"svc/app/campaign/check"
)

// TestReportOfACampaign: the facts are gathered as they are.
func TestReportOfACampaign(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		empty := h.Do("POST /campaigns", `{"name":"Empty"}`).Want(201).String("id")
		verdicts := h.verdicts
		got := verdicts(empty)
		for _, key := range []string{"message_content", "opt_out_link", "audience_not_empty", "audience_sendable", "accounts_selected", "accounts_active"} {
			if got[key] != check.Fail {
				t.Errorf("an empty draft: %s is %s", key, got[key])
			}
		}
		answer := h.Do("POST /campaigns/"+empty+"/start", nil).Want(422).Refused(ErrInvalid)
		if answer.At("validation.ok") != false || h.campaign(empty).At("validation.ok") != false {
			t.Errorf("the refusal carries no report: %s", answer.Body)
		}
		h.crowd(3)
		h.person("by_id_only", map[string]any{"username": nil, "messenger_id": 77, "attributes": map[string]any{"city": "Samarqand"}})
		id := h.draft([]string{a}, map[string]any{"message": map[string]any{"text": "{{city}} {{nothing}} {{opt_out_url}}"}})
		got = verdicts(id)
		if got["template_variables"] != check.Fail || got["reachability"] != check.Warn || got["audience_sendable"] != check.Fail {
			t.Errorf("variables: %v", got)
		}
		h.Do("PATCH /campaigns/"+id, `{"message":{"text":"{{city}} {{opt_out_url}}"}}`).Want(200)
		if got = verdicts(id); got["template_variables"] != check.Warn || got["audience_sendable"] != check.Warn {
			t.Errorf("somebody has the value: %v", got)
		}
		h.Do("PATCH /campaigns/"+id, `{"message":{"text":"For all {{opt_out_url}}"}}`).Want(200)
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
		twin := h.draft([]string{a}, map[string]any{"message": map[string]any{"text": "For all {{opt_out_url}}"}})
		if got = verdicts(twin); got["accounts_in_use"] != check.Warn || got["duplicate_send"] != check.Pass {
			t.Errorf("beside a campaign that has not sent: %v", got)
		}
		h.run()
		h.after(time.Hour)
		if got = verdicts(twin); got["duplicate_send"] != check.Warn || got["accounts_in_use"] != check.Pass {
			t.Errorf("after the same text was sent: %v", got)
		}
		h.end()
		<-time.After(8 * 24 * time.Hour)
		if got = verdicts(twin); got["duplicate_send"] != check.Pass {
			t.Errorf("a week later: %v", got)
		}
	})
}

// verdicts are what the checks of a campaign come to.
func (h *harness) verdicts(id string) map[string]check.Verdict {
	h.t.Helper()
	var r check.Report
	h.Do("POST /campaigns/"+id+"/validate", nil).Want(200).Into(&r)
	out := map[string]check.Verdict{}
	for _, c := range r.Checks {
		out[c.Key] = c.Status
	}
	return out
}
