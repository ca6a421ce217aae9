package campaign

import (
	"testing"
	"time"

	"svc/app/account"
	"svc/app/campaign/schedule"
	"svc/app/policy"
)

var (
	checkNow = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	allDays  = []policy.Weekday{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}
)

// good are facts about which no check has anything to say.
func good() *facts {
	return &facts{
		now: checkNow, policy: true, limits: []limitFact{{"active_campaigns", 1, 25, false}, {"recipients", 10, 0, true}},
		hasText: true, hasOptOut: true, longest: 100, room: 4096,
		audience: audienceFact{matched: 10, sendable: 10},
		accounts: []accountFact{{name: "one", status: account.Active, sends: true, proxy: &proxyFact{checkedAt: checkNow}}},
		start:    checkNow, zone: time.UTC, left: 10, finish: checkNow.Add(time.Hour), finishes: true, runsLeft: true,
	}
}

func TestAllChecksPass(t *testing.T) {
	r := good().report()
	if !r.OK || len(r.Checks) != 25 || r.EstimatedHours == nil || *r.EstimatedHours != 1 {
		t.Errorf("%+v", r)
	}
	for _, c := range r.Checks {
		if c.Status != Pass || c.Message == "" || c.Label == "" {
			t.Errorf("%+v", c)
		}
	}
}

// TestChecks: every row of contract 5. The check under test is the only one
// that is not looked for elsewhere.
func TestChecks(t *testing.T) {
	at := func(d time.Duration) *time.Time { u := checkNow.Add(d); return &u }
	acc := func(name string, s account.Status) accountFact {
		return accountFact{name: name, status: s, sends: s == account.Active}
	}
	daily := &schedule.Rule{Frequency: schedule.Daily, Interval: 1, Time: 10 * 60, Zone: time.UTC}
	for _, tt := range []struct {
		key  string
		want Verdict
		edit func(*facts)
	}{
		{"quiet_hours", Warn, func(f *facts) { f.quiet = checkNow.Add(12 * time.Hour) }},
		{"template_variables", Warn, func(f *facts) { f.unused = []string{"frist_name"} }},
		{"organization_active", Fail, func(f *facts) { f.suspended = true }},
		{"policy_accepted", Fail, func(f *facts) { f.policy = false }},
		{"plan_limits", Fail, func(f *facts) { f.limits[0].used = 26 }},
		{"plan_limits", Warn, func(f *facts) { f.limits[0].used = 23 }},
		{"plan_limits", Pass, func(f *facts) { f.limits[0].used, f.limits[0].limit = 9, 10 }},
		{"plan_limits", Fail, func(f *facts) { f.limits[1] = limitFact{"recipients", 501, 500, false} }},
		{"message_content", Fail, func(f *facts) { f.hasText = false }},
		{"message_content", Pass, func(f *facts) { f.hasText, f.hasFiles = false, true }},
		{"message_content", Fail, func(f *facts) { f.textError = "a star is not closed" }},
		{"message_length", Fail, func(f *facts) { f.longest = 4097 }},
		{"message_length", Warn, func(f *facts) { f.longest = 3687 }},
		{"message_length", Pass, func(f *facts) { f.longest = 3686 }},
		{"message_length", Fail, func(f *facts) { f.longest, f.room = 1025, 1024 }},
		{"template_variables", Fail, func(f *facts) { f.unknown = []string{"ctiy"} }},
		{"template_variables", Warn, func(f *facts) { f.missing, f.missingNames = 1, []string{"city"} }},
		{"opt_out_link", Fail, func(f *facts) { f.hasOptOut = false }},
		{"attachments_ready", Fail, func(f *facts) { f.badFiles = []string{"a.jpg"} }},
		{"audience_not_empty", Fail, func(f *facts) { f.audience = audienceFact{} }},
		{"audience_not_empty", Warn, func(f *facts) { f.audience = audienceFact{matched: 1, sendable: 1} }},
		{"audience_sendable", Fail, func(f *facts) { f.audience.sendable = 0 }},
		{"audience_sendable", Fail, func(f *facts) { f.missing = 10 }},
		{"audience_sendable", Warn, func(f *facts) { f.audience.sendable = 4 }},
		{"audience_sendable", Pass, func(f *facts) { f.audience.sendable = 5 }},
		{"consent_basis", Warn, func(f *facts) { f.audience.unknownConsent = 1 }},
		{"duplicate_send", Warn, func(f *facts) { f.repeated = 3 }},
		{"accounts_selected", Fail, func(f *facts) { f.accounts = nil }},
		{"accounts_authorized", Fail, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.AuthRequired)) }},
		{"accounts_healthy", Fail, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.Restricted)) }},
		{"accounts_healthy", Fail, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.Disconnected)) }},
		{"accounts_healthy", Fail, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.Failed)) }},
		{"accounts_healthy", Warn, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.Paused)) }},
		{"accounts_healthy", Pass, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.AuthRequired)) }},
		{"accounts_active", Fail, func(f *facts) { f.accounts[0] = acc("one", account.Paused) }},
		{"accounts_active", Pass, func(f *facts) { f.accounts = append(f.accounts, acc("two", account.Paused)) }},
		{"accounts_cooldown", Warn, func(f *facts) { f.accounts[0].cooldown = checkNow.Add(time.Second) }},
		{"accounts_cooldown", Pass, func(f *facts) { f.accounts[0].cooldown = checkNow }},
		{"accounts_in_use", Warn, func(f *facts) { f.accounts[0].shared = []string{"Winter"} }},
		{"proxies_reachable", Fail, func(f *facts) { f.accounts[0].proxy.broken = true }},
		{"proxies_reachable", Warn, func(f *facts) {
			f.accounts[0].proxy.broken = true
			f.accounts = append(f.accounts, acc("two", account.Active))
		}},
		{"proxies_reachable", Fail, func(f *facts) {
			f.accounts[0].proxy.broken = true
			f.accounts = append(f.accounts, acc("two", account.Paused))
		}},
		{"proxies_reachable", Warn, func(f *facts) { f.accounts[0].proxy.checkedAt = checkNow.Add(-25 * time.Hour) }},
		{"proxies_reachable", Pass, func(f *facts) { f.accounts[0].proxy = nil }},
		{"reachability", Warn, func(f *facts) { f.audience.unreached = 1 }},
		{"schedule", Fail, func(f *facts) { f.end = at(0) }},
		{"schedule", Fail, func(f *facts) { f.start = checkNow.AddDate(0, 12, 1) }},
		{"schedule", Warn, func(f *facts) { f.scheduled = at(-time.Hour) }},
		{"schedule", Pass, func(f *facts) { f.scheduled, f.end = at(time.Hour), at(2*time.Hour) }},
		{"sending_window", Fail, func(f *facts) { f.window = &policy.Window{Weekdays: allDays, From: 60, To: 60, Zone: time.UTC} }},
		{"sending_window", Fail, func(f *facts) { f.window = &policy.Window{From: 60, To: 120, Zone: time.UTC} }},
		{"sending_window", Fail, func(f *facts) {
			f.window, f.end = &policy.Window{Weekdays: []policy.Weekday{"SU"}, From: 60, To: 120, Zone: time.UTC}, at(24*time.Hour)
		}},
		{"sending_window", Pass, func(f *facts) {
			f.window = &policy.Window{Weekdays: []policy.Weekday{"SU"}, From: 60, To: 120, Zone: time.UTC}
		}},
		{"repeat_rule", Fail, func(f *facts) {
			r := *daily
			r.Until = checkNow
			f.repeat, f.first = &r, checkNow
		}},
		{"repeat_rule", Fail, func(f *facts) { f.repeat, f.first, f.runsLeft = daily, checkNow, false }},
		{"repeat_rule", Pass, func(f *facts) { f.repeat, f.first, f.runsLeft, f.laterRun = daily, checkNow, false, true }},
		{"repeat_rule", Warn, func(f *facts) { f.repeat, f.first, f.finish = daily, checkNow, checkNow.Add(48*time.Hour) }},
		{"repeat_rule", Pass, func(f *facts) { f.repeat, f.first, f.finish = daily, checkNow, checkNow.Add(time.Minute) }},
		{"capacity", Fail, func(f *facts) { f.finishes = false }},
		{"capacity", Fail, func(f *facts) { f.end, f.finish = at(time.Hour), checkNow.Add(2*time.Hour) }},
		{"capacity", Warn, func(f *facts) { f.finish = checkNow.AddDate(0, 0, 8) }},
		{"capacity", Pass, func(f *facts) { f.finish = checkNow.AddDate(0, 0, 7) }},
	} {
		f := good()
		tt.edit(f)
		r := f.report()
		found := false
		for _, c := range r.Checks {
			if c.Key != tt.key {
				continue
			}
			if found = true; c.Status != tt.want || c.Message == "" {
				t.Errorf("%s: %s (%s), want %s", tt.key, c.Status, c.Message, tt.want)
			}
		}
		if !found {
			t.Errorf("there is no check %s", tt.key)
		}
		if tt.want == Fail && r.OK {
			t.Errorf("%s fails, and the report is ok", tt.key)
		}
	}
}

// TestReportOfACampaign: the facts are gathered as they are.
func TestReportOfACampaign(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		empty := h.Do("POST /campaigns", `{"name":"Empty"}`).Want(201).String("id")
		verdicts := h.verdicts
		got := verdicts(empty)
		for _, key := range []string{"message_content", "opt_out_link", "audience_not_empty", "audience_sendable", "accounts_selected", "accounts_active"} {
			if got[key] != Fail {
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
		if got["template_variables"] != Fail || got["reachability"] != Warn || got["audience_sendable"] != Fail {
			t.Errorf("variables: %v", got)
		}
		h.Do("PATCH /campaigns/"+id, `{"message":{"text":"{{city}} {{opt_out_url}}"}}`).Want(200)
		if got = verdicts(id); got["template_variables"] != Warn || got["audience_sendable"] != Warn {
			t.Errorf("somebody has the value: %v", got)
		}
		h.Do("PATCH /campaigns/"+id, `{"message":{"text":"For all {{opt_out_url}}"}}`).Want(200)
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
		twin := h.draft([]string{a}, map[string]any{"message": map[string]any{"text": "For all {{opt_out_url}}"}})
		if got = verdicts(twin); got["accounts_in_use"] != Warn || got["duplicate_send"] != Pass {
			t.Errorf("beside a campaign that has not sent: %v", got)
		}
		h.run()
		h.after(time.Hour)
		if got = verdicts(twin); got["duplicate_send"] != Warn || got["accounts_in_use"] != Pass {
			t.Errorf("after the same text was sent: %v", got)
		}
		h.end()
		<-time.After(8 * 24 * time.Hour)
		if got = verdicts(twin); got["duplicate_send"] != Pass {
			t.Errorf("a week later: %v", got)
		}
	})
}

// verdicts are what the checks of a campaign come to.
func (h *harness) verdicts(id string) map[string]Verdict {
	h.t.Helper()
	var r Report
	h.Do("POST /campaigns/"+id+"/validate", nil).Want(200).Into(&r)
	out := map[string]Verdict{}
	for _, c := range r.Checks {
		out[c.Key] = c.Status
	}
	return out
}
