package campaign

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/storetest"
)

// TestStartIsRefused by policy and plan before the checks are asked.
func TestStartIsRefused(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		id := h.draft([]string{a}, map[string]any{"audience": map[string]any{}}) // its checks fail
		h.Do("POST /campaigns/"+id+"/start", nil).Want(422).Refused(ErrInvalid)
		h.update(func(tx *store.Tx) error {
			_, err := setting.Put(tx, h.system(), map[string]any{"aup_version": "2"})
			return err
		})
		h.Do("POST /campaigns/"+id+"/start", nil).Refused(org.ErrPolicyNotAccepted)
		h.Do("POST /organization/accept-policy", `{"policy_version":"2"}`).Want(200)
		h.update(func(tx *store.Tx) error {
			_, err := org.SetOverrides(tx, h.system(), h.Org, map[string]any{string(org.LimitActiveCampaigns): 0.0})
			return err
		})
		h.Do("POST /campaigns/"+id+"/start", nil).Refused(api.ErrPlanLimit)
		h.is(id, record.Draft, "")
	})
}

// TestStartLater: the time in the request counts, and a refused start leaves no trace
// of it.
func TestStartLater(t *testing.T) {
	bubble(t, func(h *harness) {
		a := h.account("")
		id := h.draft([]string{a}, nil)
		at := time.Now().Add(5 * time.Hour).UTC().Format(time.RFC3339)
		h.Do("POST /campaigns/"+id+"/start", map[string]any{"scheduled_at": at}).Want(422)
		if k := h.campaign(id); k.At("scheduled_at") != nil {
			t.Errorf("a refused start: %v", k.At("scheduled_at"))
		}
		h.crowd(2)
		k := h.Do("POST /campaigns/"+id+"/start", map[string]any{"scheduled_at": at}).Want(200)
		if k.String("status") != string(record.Scheduled) || k.String("scheduled_at") != at || k.At("audience_snapshot_at") != nil {
			t.Errorf("scheduled: %s", k.Body)
		}
	})
}

// TestEveryOutcome: floods, unreachable people, refusals, a restriction in the middle;
// the sum of outcomes is the audience, and each has one event.
func TestEveryOutcome(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		accounts := []string{h.account(""), h.account("")}
		h.crowd(60)
		tries, floods, restricted := 0, 0, false
		h.out.says(func(session string, m messenger.Message) error {
			tries++
			n := 0
			_, _ = fmt.Sscanf(strings.TrimPrefix(m.To.Username, "person_"), "%d", &n)
			switch {
			case tries >= 30 && !restricted:
				restricted = true
				return refuses(messenger.Restricted, "PEER_FLOOD", 0)
			case tries%7 == 0 && floods < 5:
				floods++
				return refuses(messenger.Flood, "FLOOD_WAIT", 40*time.Second)
			case n%10 == 3:
				return refuses(messenger.PeerUnreachable, "PEER_BLOCKED", 0)
			case n%10 == 7:
				return refuses(messenger.Refused, "CHAT_WRITE_FORBIDDEN", 0)
			}
			return nil
		})
		id := h.started(accounts, nil)
		h.after(2 * time.Hour)
		h.is(id, record.Paused, record.AccountRestricted)
		if h.campaign(id).Int("totals.pending") == 0 {
			t.Error("nobody is left")
		}
		for _, a := range accounts {
			if h.Do("GET /accounts/"+a, nil).Want(200).String("status") == "RESTRICTED" {
				h.Do("POST /accounts/"+a+"/resume", `{"acknowledge_restriction":true}`).Want(200)
			}
		}
		h.is(id, record.Paused, record.AccountRestricted) // a person decides
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(3 * time.Hour)
		h.is(id, record.Completed, "")
		h.totals(id, results.Totals{Total: 60, Completed: 48, Failed: 12})
		if n := h.out.count(); n != 48 {
			t.Errorf("the platform took %d", n)
		}
		for kind, want := range map[event.Type]int{event.MessageDelivered: 48, event.MessageFailed: 12, event.MessageSkipped: 0, event.CampaignPaused: 1, event.CampaignResumed: 1} {
			if n := h.events(kind); n != want {
				t.Errorf("%d %s, want %d", n, kind, want)
			}
		}
		stats := h.Do("GET /campaigns/"+id+"/statistics", nil).Want(200)
		cooldown := stats.Int("by_account.0.cooldown_seconds") + stats.Int("by_account.1.cooldown_seconds")
		if stats.Int("by_error.0.count") != 6 || stats.Int("by_error.1.count") != 6 || cooldown != floods*40 {
			t.Errorf("statistics: %s", stats.Body)
		}
		codes := h.Do("GET /campaigns/"+id+"/recipients?status=UNREACHABLE&error_code=PEER_BLOCKED", nil).Want(200)
		if codes.Int("total") != 6 {
			t.Errorf("unreachable: %s", codes.Body)
		}
	})
}

// keep gives a draft its audience as a set of people, as a copy has it; many is how
// many it says that they are.
func (h *harness) keep(id string, people []string, many int) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		kept, _, err := audience.Audience{Picked: people}.Freeze(tx, h.Org, nil)
		if err != nil {
			return err
		}
		k, err := record.Get(tx, h.Org, id)
		if err != nil {
			return err
		}
		if err := k.Pick(tx, h.Org, record.Picks{ID: id, Kept: kept}, many); err != nil {
			return err
		}
		return record.Put(tx, h.Org, &k)
	})
}

// TestAudienceKeptAsASet: a copy for more people than an audience names.
func TestAudienceKeptAsASet(t *testing.T) {
	bubble(t, func(h *harness) {
		people := h.crowd(5)
		id := h.draft([]string{h.account("")}, map[string]any{"audience": map[string]any{}})
		h.keep(id, people[:3], 3)
		k := h.campaign(id)
		if k.Int("audience.recipient_count") != 3 || k.String("audience.recipient_ids.2") != people[2] {
			t.Errorf("shown as %s", k.Body)
		}
		h.Do("PATCH /campaigns/"+id, `{"audience":{"tags":["nobody_has_it"]}}`).Want(200)
		if n := h.Do("GET /campaigns/"+id+"/audience-preview", nil).Want(200).Int("matched"); n != 3 {
			t.Errorf("with another tag, %d people are meant", n)
		}
		copied := h.Do("POST /campaigns/"+id+"/duplicate", nil).Want(201).String("id")
		h.Do("POST /campaigns/"+copied+"/start", nil).Want(200)
		if !h.planPage(copied) {
			t.Error("not planned at once")
		}
		h.totals(copied, results.Totals{Total: 3, Pending: 3})
		h.Do("PATCH /campaigns/"+id, map[string]any{"audience": map[string]any{"recipient_ids": []string{people[4]}}}).Want(200)
		if n := h.Do("GET /campaigns/"+id+"/audience-preview", nil).Want(200).Int("matched"); n != 1 {
			t.Errorf("with another person, %d are meant", n)
		}
	})
}

// TestAudienceOfMoreThanCanBeNamed: who sends back what was read does not cut the others
// off, and nobody does unasked.
func TestAudienceOfMoreThanCanBeNamed(t *testing.T) {
	bubble(t, func(h *harness) {
		people := h.crowd(5)
		id := h.draft([]string{h.account("")}, map[string]any{"audience": map[string]any{}})
		h.keep(id, people[:3], audience.MaxPicked+1) // as if they were too many to name
		for _, tt := range []struct {
			send          []string
			status, meant int
		}{{people[:3], 200, 3}, {people[:2], 422, 3}, {people[3:], 422, 3}, {[]string{}, 200, 0}, {people[3:], 200, 2}} {
			h.Do("PATCH /campaigns/"+id, map[string]any{"name": "Edited", "audience": map[string]any{"recipient_ids": tt.send, "tags": []string{}}}).Want(tt.status)
			if n := h.Do("GET /campaigns/"+id+"/audience-preview", nil).Want(200).Int("matched"); n != tt.meant {
				t.Errorf("with %d of them, %d are meant", len(tt.send), n)
			}
		}
	})
}

// TestWhatIsRefused: bad input names its field.
func TestWhatIsRefused(t *testing.T) {
	bubble(t, func(h *harness) {
		for field, body := range map[string]string{
			"name":                       `{"name":"  "}`,
			"account_ids":                `{"name":"x","account_ids":["acc_00000000000000000000000000"]}`,
			"audience.list_ids":          `{"name":"x","audience":{"list_ids":["lst_00000000000000000000000000"]}}`,
			"audience.recipient_ids":     `{"name":"x","audience":{"recipient_ids":["rcp_00000000000000000000000000"]}}`,
			"message.template_id":        `{"name":"x","message":{"template_id":"tpl_00000000000000000000000000"}}`,
			"message.attachment_ids":     `{"name":"x","message":{"text":"x","attachment_ids":["att_00000000000000000000000000"]}}`,
			"timezone":                   `{"name":"x","timezone":"Mars/Olympus"}`,
			"sending_window.start":       `{"name":"x","sending_window":{"weekdays":["MO"],"start":"9","end":"10:00"}}`,
			"sending_window.weekdays[0]": `{"name":"x","sending_window":{"weekdays":["XX"],"start":"09:00","end":"10:00"}}`,
			"repeat.time":                `{"name":"x","repeat":{"frequency":"DAILY","time":"25:00"}}`,
			"repeat.weekdays":            `{"name":"x","repeat":{"frequency":"DAILY","time":"10:00","weekdays":["MO"]}}`,
			"repeat.interval":            `{"name":"x","repeat":{"frequency":"DAILY","time":"10:00","interval":13}}`,
			"min_days_between_messages":  `{"name":"x","min_days_between_messages":91}`,
		} {
			a := h.Do("POST /campaigns", body).Want(422)
			if a.At("error.details") == nil || !strings.Contains(a.Body, `"`+field+`"`) {
				t.Errorf("%s: %s", field, a.Body)
			}
		}
		long := h.Do("POST /campaigns", map[string]any{"name": "x", "message": map[string]any{"text": strings.Repeat("ў", 4097)}}).Want(422)
		if !strings.Contains(long.Body, "4096") {
			t.Errorf("a long text: %s", long.Body)
		}
		monthly := h.Do("POST /campaigns", `{"name":"x","repeat":{"frequency":"MONTHLY","time":"10:00","day_of_month":"LAST"}}`).Want(201)
		if monthly.String("repeat.day_of_month") != "LAST" || monthly.Int("repeat.interval") != 1 || monthly.String("repeat.audience") != "ALL" {
			t.Errorf("monthly: %s", monthly.Body)
		}
		h.Do("POST /campaigns", `{"name":"x","repeat":{"frequency":"MONTHLY","time":"10:00","day_of_month":32}}`).Want(422)
		other := h.newOrg(org.Pro)
		mine := h.Org
		h.Org = other
		for _, route := range []string{
			"GET /campaigns/%s", "PATCH /campaigns/%s", "DELETE /campaigns/%s", "POST /campaigns/%s/start", "POST /campaigns/%s/pause", "POST /campaigns/%s/validate",
			"GET /campaigns/%s/statistics", "GET /campaigns/%s/recipients", "GET /campaigns/%s/rehearsal", "POST /campaigns/%s/duplicate", "GET /campaigns/%s/audience-preview",
		} {
			body := any(nil)
			if strings.HasPrefix(route, "PATCH") {
				body = `{}`
			}
			h.Do(fmt.Sprintf(route, monthly.String("id")), body).Want(404)
		}
		h.Org = mine
	})
}

// TestClosuresRunTwice: an engine that runs every closure twice finds no difference.
func TestClosuresRunTwice(t *testing.T) {
	h := newHarness(t, storetest.Twice(t, allTables()...), send.Options{})
	a := h.account("")
	h.crowd(3)
	id := h.draft([]string{a}, map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00", "audience": "NEW_ONLY"}})
	h.Do("PATCH /campaigns/"+id, `{"name":"Other","message":{"text":"Hi {{first_name}} {{opt_out_url}}"}}`).Want(200)
	h.Do("POST /campaigns/"+id+"/validate", nil).Want(200)
	h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
	if !h.planPage(id) {
		t.Error("not planned at once")
	}
	h.totals(id, results.Totals{Total: 3, Pending: 3})
	h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
	h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
	h.Do("POST /campaigns/"+id+"/duplicate", `{"only":"UNSENT"}`).Want(201)
	h.Do("POST /campaigns/"+id+"/cancel", nil).Want(200)
	for kind, want := range map[event.Type]int{event.CampaignStarted: 1, event.CampaignPaused: 1, event.CampaignResumed: 1, event.CampaignCancelled: 1} {
		if n := h.events(kind); n != want {
			t.Errorf("%d %s, want %d", n, kind, want)
		}
	}
}
