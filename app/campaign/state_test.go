package campaign

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/org"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
)

var updateGolden = flag.Bool("update", false, "rewrite the golden files")

// TestStates draws states and events: a changed life is a changed line.
func TestStates(t *testing.T) {
	var b strings.Builder
	for _, from := range record.Statuses() {
		for _, on := range Events() {
			to, ok := transitions.Next(from, on)
			if !ok {
				to = "-"
			}
			fmt.Fprintf(&b, "%-10s %-26s %s\n", from, on, to)
		}
	}
	file := filepath.Join("testdata", "campaign.golden")
	if *updateGolden {
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != b.String() {
		t.Errorf("the life of a campaign changed (%v); read it, then run with -update:\n%s", err, b.String())
	}
}

// TestApplyRefuses: every event that a status does not know is invalid_state, and
// changes nothing.
func TestApplyRefuses(t *testing.T) {
	bubble(t, func(h *harness) {
		id := h.draft([]string{h.account("")}, nil)
		for _, from := range record.Statuses() {
			for _, on := range Events() {
				if _, ok := transitions.Next(from, on); ok {
					continue
				}
				err := h.db.Update(h.t.Context(), func(tx *store.Tx) error {
					k, err := record.Get(tx, h.Org, id)
					if err != nil {
						return err
					}
					k.Status = from
					return h.s.apply(tx, h.system(), h.Org, &k, transition{event: on})
				})
				if api.From(err).Code != "invalid_state" || api.From(err).Kind != api.Conflict {
					t.Errorf("%s, %s: %v", from, on, err)
				}
			}
		}
		h.is(id, record.Draft, "")
	})
}

// in makes a campaign of each status, with two accounts.
func (h *harness) in(status record.Status, accounts ...string) string {
	h.t.Helper()
	later := map[string]any{"scheduled_at": time.Now().Add(48 * time.Hour)}
	id := ""
	switch status {
	case record.Draft:
		return h.draft(accounts, nil)
	case record.Scheduled:
		id = h.started(accounts, later)
	case record.Running:
		id = h.started(accounts, nil)
	case record.Paused:
		id = h.in(record.Running, accounts...)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
	case record.Cancelled:
		id = h.in(record.Running, accounts...)
		h.Do("POST /campaigns/"+id+"/cancel", nil).Want(200)
	case record.Completed, record.Failed:
		id = h.in(record.Running, accounts...)
		h.update(func(tx *store.Tx) error {
			k, err := record.Get(tx, h.Org, id)
			if err != nil {
				return err
			}
			on := EventCompleted
			if status == record.Failed {
				on = EventUnbuildable
			}
			return h.s.apply(tx, h.system(), h.Org, &k, transition{event: on})
		})
	}
	if got := h.campaign(id).String("status"); got != string(status) {
		h.t.Fatalf("made %s, want %s", got, status)
	}
	return id
}

// TestOperations asks every operation in every status (contract 4.2).
func TestOperations(t *testing.T) {
	const ok = ""
	table := map[string]map[record.Status]string{
		"POST start": {
			record.Scheduled: "campaign_not_draft", record.Running: "campaign_not_draft", record.Paused: "campaign_not_draft", record.Completed: "campaign_not_draft",
			record.Cancelled: "campaign_not_draft", record.Failed: "campaign_not_draft", record.Draft: ok,
		},
		"POST pause":  {record.Draft: "invalid_state", record.Scheduled: ok, record.Running: ok, record.Paused: ok, record.Completed: "invalid_state", record.Cancelled: "invalid_state", record.Failed: "invalid_state"},
		"POST resume": {record.Draft: "invalid_state", record.Scheduled: "invalid_state", record.Running: ok, record.Paused: ok, record.Completed: "invalid_state", record.Cancelled: "invalid_state", record.Failed: "invalid_state"},
		"POST cancel": {record.Draft: "invalid_state", record.Scheduled: ok, record.Running: ok, record.Paused: ok, record.Completed: "invalid_state", record.Cancelled: "invalid_state", record.Failed: "invalid_state"},
		"POST stop-repeating": {
			record.Draft: "not_repeating", record.Scheduled: "not_repeating", record.Running: "not_repeating", record.Paused: "not_repeating", record.Completed: "not_repeating",
			record.Cancelled: "not_repeating", record.Failed: "not_repeating",
		},
		"DELETE": {
			record.Draft: ok, record.Scheduled: "campaign_not_draft", record.Running: "campaign_not_draft", record.Paused: "campaign_not_draft", record.Completed: "campaign_not_draft",
			record.Cancelled: "campaign_not_draft", record.Failed: "campaign_not_draft",
		},
		"POST rehearse": {record.Draft: ok, record.Scheduled: ok, record.Running: "invalid_state", record.Paused: "invalid_state", record.Completed: "invalid_state", record.Cancelled: "invalid_state", record.Failed: "invalid_state"},
	}
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(2)
		for route, row := range table {
			for _, status := range record.Statuses() {
				method, op, _ := strings.Cut(route, " ")
				id := h.in(status, a)
				path := method + " /campaigns/" + id
				if op != "" {
					path += "/" + op
				}
				answer := h.Do(path, nil)
				code := ""
				if answer.Status >= 300 {
					code = answer.String("error.code")
				}
				if want := row[status]; code != want || want == ok && answer.Status >= 300 {
					t.Errorf("%s while %s: %d %s, want %q", route, status, answer.Status, answer.Body, want)
				}
				if row[status] != ok {
					if got := h.campaign(id).String("status"); got != string(status) {
						t.Errorf("%s while %s left it %s", route, status, got)
					}
				}
			}
		}
	})
}

// TestLockedFields changes every field in every status (contract 4.4).
func TestLockedFields(t *testing.T) {
	bubble(t, func(h *harness) {
		a, b := h.account(""), h.account("")
		h.crowd(2)
		soon := time.Now().Add(72 * time.Hour).UTC()
		bodies := map[string]any{
			"name": map[string]any{"name": "Other"}, "description": map[string]any{"description": "why"}, "scheduled_at": map[string]any{"scheduled_at": soon},
			"end_at": map[string]any{"end_at": soon.Add(time.Hour)}, "timezone": map[string]any{"timezone": "Asia/Tashkent"},
			"sending_window": map[string]any{"sending_window": map[string]any{"weekdays": []string{"MO"}, "start": "09:00", "end": "10:00"}},
			"repeat":         map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00"}},
			"account_ids":    map[string]any{"account_ids": []string{a, b}}, "message.text": map[string]any{"message": map[string]any{"text": hello + "!"}},
			"message.link_preview": map[string]any{"message": map[string]any{"link_preview": true}},
			"audience.tags":        map[string]any{"audience": map[string]any{"tags": []string{"other"}}}, "min_days_between_messages": map[string]any{"min_days_between_messages": 3},
		}
		for _, status := range record.Statuses() {
			for field, body := range bodies {
				id := h.in(status, a)
				answer := h.Do("PATCH /campaigns/"+id, body)
				switch {
				case status.Ended():
					answer.Want(409).Refused(ErrLocked)
				case status == record.Draft || contains(changeable[status], field):
					answer.Want(200)
				default:
					answer.Want(409).Refused(ErrFieldLocked)
					if !strings.Contains(answer.String("error.message"), field) {
						t.Errorf("%s while %s: the message does not name it: %s", field, status, answer.Body)
					}
				}
			}
			if status.Ended() {
				continue
			}
			same := h.campaign(h.in(status, a))
			h.Do("PATCH /campaigns/"+same.String("id"), map[string]any{"name": same.String("name"), "audience": same.At("audience"), "timezone": "UTC"}).Want(200)
		}
	})
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestAccountsInTrouble: what an account's trouble does to the campaigns that use it
// (contract 4.2 and 20.3).
func TestAccountsInTrouble(t *testing.T) {
	bubble(t, func(h *harness) {
		h.crowd(2)
		for _, tt := range []struct {
			name   string
			do     func(a string)
			both   bool // the campaign has a second account, which is well
			status record.Status
			reason record.PauseReason
		}{
			{"session ended", func(a string) { h.trouble(a, messenger.SessionEnded, "AUTH_KEY_UNREGISTERED") }, true, record.Paused, record.AccountAuthRequired},
			{"restricted", func(a string) { h.trouble(a, messenger.Restricted, "PEER_FLOOD") }, true, record.Paused, record.AccountRestricted},
			{"not reached", func(a string) {
				for range 5 {
					h.trouble(a, messenger.Unreachable, "TIMEOUT")
				}
			}, true, record.Paused, record.AccountDisconnected},
			{"proxy fails", func(a string) { h.trouble(a, messenger.RouteFailed, "PROXY") }, true, record.Paused, record.AccountError},
			{"paused by hand, another sends", func(a string) { h.Do("POST /accounts/"+a+"/pause", nil).Want(200) }, true, record.Running, ""},
			{"paused by hand, the only one", func(a string) { h.Do("POST /accounts/"+a+"/pause", nil).Want(200) }, false, record.Paused, record.AccountPaused},
			{"a long wait, another sends", func(a string) {
				h.update(func(tx *store.Tx) error {
					_, err := h.accounts.Flooded(tx, h.system(), h.Org, a, time.Hour)
					return err
				})
			}, true, record.Paused, record.AccountPaused},
			{"a short wait", func(a string) {
				h.update(func(tx *store.Tx) error {
					_, err := h.accounts.Flooded(tx, h.system(), h.Org, a, time.Minute)
					return err
				})
			}, false, record.Running, ""},
		} {
			accounts := []string{h.account("")}
			if tt.both {
				accounts = append(accounts, h.account(""))
			}
			id := h.in(record.Running, accounts...)
			scheduled := h.in(record.Scheduled, accounts...)
			tt.do(accounts[0])
			a := h.campaign(id)
			if a.String("status") != string(tt.status) || a.String("pause_reason") != string(tt.reason) {
				t.Errorf("%s: %s (%s), want %s (%s)", tt.name, a.String("status"), a.String("pause_reason"), tt.status, tt.reason)
			}
			h.is(scheduled, record.Scheduled, "") // its checks are asked at its time
			if tt.status == record.Paused {
				if tt.both {
					h.Do("POST /campaigns/"+id+"/resume", nil).Want(200) // the other still sends
				} else {
					h.Do("POST /campaigns/"+id+"/resume", nil).Refused(ErrNoAccounts)
				}
			}
			h.Do("POST /campaigns/"+id+"/cancel", nil)
			h.Do("POST /campaigns/"+scheduled+"/cancel", nil).Want(200)
		}
	})
}

// TestWhatKeepsFromResuming (contract 4.2).
func TestWhatKeepsFromResuming(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		h.crowd(2)
		id := h.started([]string{a}, map[string]any{"end_at": time.Now().Add(time.Hour)})
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.after(2 * time.Hour)
		h.Do("POST /campaigns/"+id+"/resume", nil).Refused(ErrEnded)
		h.Do("PATCH /campaigns/"+id, map[string]any{"end_at": time.Now().Add(time.Hour)}).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.update(func(tx *store.Tx) error {
			_, err := h.s.AdminPause(tx, h.system(), h.Org, id, "complaints")
			return err
		})
		h.is(id, record.Paused, record.ByAdmin)
		h.Do("POST /campaigns/"+id+"/resume", nil).Refused(ErrPausedByAdmin)
		if shown, err := h.s.AdminResume(h.Call(), h.Org, id, "talked to them", nil); err != nil || shown.Status != record.Running {
			t.Errorf("an administrator resumes: %v", err)
		}
		if _, err := h.s.AdminResume(h.Call(), h.Org, id, "again", nil); api.From(err).Code != "not_paused_by_admin" {
			t.Errorf("resumed twice: %v", err)
		}
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.update(func(tx *store.Tx) error {
			_, err := setting.Put(tx, h.system(), map[string]any{"aup_version": "2"})
			return err
		})
		h.Do("POST /campaigns/"+id+"/resume", nil).Refused(org.ErrPolicyNotAccepted)
	})
}

// TestOrganizationSuspended pauses what runs; coming back changes nothing.
func TestOrganizationSuspended(t *testing.T) {
	bubble(t, func(h *harness) {
		h.crowd(2)
		id := h.in(record.Running, h.account(""))
		h.update(func(tx *store.Tx) error { _, err := h.orgs.Suspend(tx, h.system(), h.Org, "spam"); return err })
		h.is(id, record.Paused, record.OrgSuspended)
		h.update(func(tx *store.Tx) error { _, err := h.orgs.Reactivate(tx, h.system(), h.Org); return err })
		h.is(id, record.Paused, record.OrgSuspended)
	})
}

// TestTroubleKnowsEveryStatus: an account that comes back resumes no campaign.
func TestTroubleKnowsEveryStatus(t *testing.T) {
	for _, from := range account.Statuses() {
		if why, _ := trouble(account.Changed{From: from, To: account.Active, Event: account.Answered}); why != "" {
			t.Errorf("from %s to ACTIVE: %s", from, why)
		}
	}
	if why, always := trouble(account.Changed{From: account.Active, To: account.Paused, Event: account.TurnedOff}); why != record.AccountPaused || always {
		t.Errorf("disabled by an administrator: %s, %v", why, always)
	}
}
