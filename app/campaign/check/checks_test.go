package check

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
func good() *Facts {
	return &Facts{
		Now: checkNow, Policy: true, Limits: []Limit{{"active_campaigns", 1, 25, false}, {"recipients", 10, 0, true}},
		HasText: true, HasOptOut: true, Longest: 100, Room: 4096,
		Audience: Audience{Matched: 10, Sendable: 10},
		Accounts: []Account{{Name: "one", Status: account.Active, Sends: true, Proxy: &Proxy{CheckedAt: checkNow}}},
		Start:    checkNow, Zone: time.UTC, Left: 10, FinishAt: checkNow.Add(time.Hour), Finishes: true, RunsLeft: true,
	}
}

func TestAllChecksPass(t *testing.T) {
	r := good().Report()
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
	acc := func(name string, s account.Status) Account {
		return Account{Name: name, Status: s, Sends: s == account.Active}
	}
	daily := &schedule.Rule{Frequency: schedule.Daily, Interval: 1, Time: 10 * 60, Zone: time.UTC}
	for _, tt := range []struct {
		key  string
		want Verdict
		edit func(*Facts)
	}{
		{"quiet_hours", Warn, func(f *Facts) { f.Quiet = checkNow.Add(12 * time.Hour) }},
		{"template_variables", Warn, func(f *Facts) { f.Unused = []string{"frist_name"} }},
		{"organization_active", Fail, func(f *Facts) { f.Suspended = true }},
		{"policy_accepted", Fail, func(f *Facts) { f.Policy = false }},
		{"plan_limits", Fail, func(f *Facts) { f.Limits[0].Used = 26 }},
		{"plan_limits", Warn, func(f *Facts) { f.Limits[0].Used = 23 }},
		{"plan_limits", Pass, func(f *Facts) { f.Limits[0].Used, f.Limits[0].Max = 9, 10 }},
		{"plan_limits", Fail, func(f *Facts) { f.Limits[1] = Limit{"recipients", 501, 500, false} }},
		{"message_content", Fail, func(f *Facts) { f.HasText = false }},
		{"message_content", Pass, func(f *Facts) { f.HasText, f.HasFiles = false, true }},
		{"message_content", Fail, func(f *Facts) { f.TextError = "a star is not closed" }},
		{"message_length", Fail, func(f *Facts) { f.Longest = 4097 }},
		{"message_length", Warn, func(f *Facts) { f.Longest = 3687 }},
		{"message_length", Pass, func(f *Facts) { f.Longest = 3686 }},
		{"message_length", Fail, func(f *Facts) { f.Longest, f.Room = 1025, 1024 }},
		{"template_variables", Fail, func(f *Facts) { f.Unknown = []string{"ctiy"} }},
		{"template_variables", Warn, func(f *Facts) { f.Missing, f.MissingNames = 1, []string{"city"} }},
		{"opt_out_link", Fail, func(f *Facts) { f.HasOptOut = false }},
		{"attachments_ready", Fail, func(f *Facts) { f.BadFiles = []string{"a.jpg"} }},
		{"audience_not_empty", Fail, func(f *Facts) { f.Audience = Audience{} }},
		{"audience_not_empty", Warn, func(f *Facts) { f.Audience = Audience{Matched: 1, Sendable: 1} }},
		{"audience_sendable", Fail, func(f *Facts) { f.Audience.Sendable = 0 }},
		{"audience_sendable", Fail, func(f *Facts) { f.Missing = 10 }},
		{"audience_sendable", Warn, func(f *Facts) { f.Audience.Sendable = 4 }},
		{"audience_sendable", Pass, func(f *Facts) { f.Audience.Sendable = 5 }},
		{"consent_basis", Warn, func(f *Facts) { f.Audience.UnknownConsent = 1 }},
		{"duplicate_send", Warn, func(f *Facts) { f.Repeated = 3 }},
		{"accounts_selected", Fail, func(f *Facts) { f.Accounts = nil }},
		{"accounts_authorized", Fail, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.AuthRequired)) }},
		{"accounts_healthy", Fail, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.Restricted)) }},
		{"accounts_healthy", Fail, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.Disconnected)) }},
		{"accounts_healthy", Fail, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.Failed)) }},
		{"accounts_healthy", Warn, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.Paused)) }},
		{"accounts_healthy", Pass, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.AuthRequired)) }},
		{"accounts_active", Fail, func(f *Facts) { f.Accounts[0] = acc("one", account.Paused) }},
		{"accounts_active", Pass, func(f *Facts) { f.Accounts = append(f.Accounts, acc("two", account.Paused)) }},
		{"accounts_cooldown", Warn, func(f *Facts) { f.Accounts[0].Cooldown = checkNow.Add(time.Second) }},
		{"accounts_cooldown", Pass, func(f *Facts) { f.Accounts[0].Cooldown = checkNow }},
		{"accounts_in_use", Warn, func(f *Facts) { f.Accounts[0].Shared = []string{"Winter"} }},
		{"proxies_reachable", Fail, func(f *Facts) { f.Accounts[0].Proxy.Broken = true }},
		{"proxies_reachable", Warn, func(f *Facts) {
			f.Accounts[0].Proxy.Broken = true
			f.Accounts = append(f.Accounts, acc("two", account.Active))
		}},
		{"proxies_reachable", Fail, func(f *Facts) {
			f.Accounts[0].Proxy.Broken = true
			f.Accounts = append(f.Accounts, acc("two", account.Paused))
		}},
		{"proxies_reachable", Warn, func(f *Facts) { f.Accounts[0].Proxy.CheckedAt = checkNow.Add(-25 * time.Hour) }},
		{"proxies_reachable", Pass, func(f *Facts) { f.Accounts[0].Proxy = nil }},
		{"reachability", Warn, func(f *Facts) { f.Audience.Unreached = 1 }},
		{"schedule", Fail, func(f *Facts) { f.End = at(0) }},
		{"schedule", Fail, func(f *Facts) { f.Start = checkNow.AddDate(0, 12, 1) }},
		{"schedule", Warn, func(f *Facts) { f.Scheduled = at(-time.Hour) }},
		{"schedule", Pass, func(f *Facts) { f.Scheduled, f.End = at(time.Hour), at(2*time.Hour) }},
		{"sending_window", Fail, func(f *Facts) { f.Window = &policy.Window{Weekdays: allDays, From: 60, To: 60, Zone: time.UTC} }},
		{"sending_window", Fail, func(f *Facts) { f.Window = &policy.Window{From: 60, To: 120, Zone: time.UTC} }},
		{"sending_window", Fail, func(f *Facts) {
			f.Window, f.End = &policy.Window{Weekdays: []policy.Weekday{"SU"}, From: 60, To: 120, Zone: time.UTC}, at(24*time.Hour)
		}},
		{"sending_window", Pass, func(f *Facts) {
			f.Window = &policy.Window{Weekdays: []policy.Weekday{"SU"}, From: 60, To: 120, Zone: time.UTC}
		}},
		{"repeat_rule", Fail, func(f *Facts) {
			r := *daily
			r.Until = checkNow
			f.Repeat, f.First = &r, checkNow
		}},
		{"repeat_rule", Fail, func(f *Facts) { f.Repeat, f.First, f.RunsLeft = daily, checkNow, false }},
		{"repeat_rule", Pass, func(f *Facts) { f.Repeat, f.First, f.RunsLeft, f.LaterRun = daily, checkNow, false, true }},
		{"repeat_rule", Warn, func(f *Facts) { f.Repeat, f.First, f.FinishAt = daily, checkNow, checkNow.Add(48*time.Hour) }},
		{"repeat_rule", Pass, func(f *Facts) { f.Repeat, f.First, f.FinishAt = daily, checkNow, checkNow.Add(time.Minute) }},
		{"capacity", Fail, func(f *Facts) { f.Finishes = false }},
		{"capacity", Fail, func(f *Facts) { f.End, f.FinishAt = at(time.Hour), checkNow.Add(2*time.Hour) }},
		{"capacity", Warn, func(f *Facts) { f.FinishAt = checkNow.AddDate(0, 0, 8) }},
		{"capacity", Pass, func(f *Facts) { f.FinishAt = checkNow.AddDate(0, 0, 7) }},
	} {
		f := good()
		tt.edit(f)
		r := f.Report()
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
