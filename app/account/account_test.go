package account

import (
	"strings"
	"testing"
	"time"

	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/messenger"
	"svc/store"
)

// TestPauseAndResume are the rows of contract 36.2 that people cause.
func TestPauseAndResume(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	h.Do("POST /accounts/"+id+"/resume", nil).Refused(api.ErrState)
	if a := h.Do("POST /accounts/"+id+"/pause", nil).Want(200); a.String("status") != "PAUSED" || a.At("status_reason") == nil {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /accounts/"+id+"/pause", nil).Refused(api.ErrState)
	if a := h.Do("POST /accounts/"+id+"/resume", `{}`).Want(200); a.String("status") != "ACTIVE" {
		t.Errorf("%s", a.Body)
	}
	h.trouble(id, &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"})
	if a := h.Do("GET /accounts/"+id, nil).Want(200); a.String("status") != "RESTRICTED" || a.String("last_error") != "PEER_FLOOD" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /accounts/"+id+"/resume", nil).Refused(ErrRestriction)
	h.Do("POST /accounts/"+id+"/resume", `{"acknowledge_restriction":false}`).Refused(ErrRestriction)
	h.As = func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Key, ID: "key_1", Role: perm.APIClient, Perms: perm.APIClient.Permissions(), APIAccess: true}
	}
	h.Do("POST /accounts/"+id+"/resume", `{"acknowledge_restriction":true}`).Refused(api.ErrPersonRequired)
	h.As = nil
	if a := h.Do("POST /accounts/"+id+"/resume", `{"acknowledge_restriction":true}`).Want(200); a.String("status") != "ACTIVE" || a.At("last_error") != nil {
		t.Errorf("%s", a.Body)
	}
	h.As = func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Key, ID: "key_1", Role: perm.APIClient, Perms: perm.APIClient.Permissions(), APIAccess: true}
	}
	h.Do("POST /accounts/"+id+"/pause", nil).Want(200) // a key may pause and resume otherwise
	h.Do("POST /accounts/"+id+"/resume", nil).Want(200)
	h.As = nil
	h.trouble(id, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_UNREACHABLE"})
	h.Do("POST /accounts/"+id+"/resume", nil).Refused(api.ErrState)
	h.Do("POST /accounts/"+id+"/pause", nil).Refused(api.ErrState)
}

// TestFlood: obeyed exactly; longer than max_flood_wait_seconds pauses the account
// (contract 47).
func TestFlood(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	flood := func(wait time.Duration) (paused bool) {
		h.update(func(tx *store.Tx) (err error) {
			paused, err = h.s.Flooded(tx, h.sc(), h.Org, id, wait)
			return err
		})
		return paused
	}
	if flood(37 * time.Second) {
		t.Error("a short wait pauses")
	}
	a := h.Do("GET /accounts/"+id, nil).Want(200)
	if a.String("status") != "ACTIVE" || a.String("cooldown_until") != h.db.Now().Add(37*time.Second).Format(time.RFC3339) {
		t.Errorf("%s", a.Body)
	}
	h.view(func(tx *store.Tx) error {
		got, err := TotalsOf(tx, h.Org)
		if got != (Totals{Total: 1, Active: 1, CoolingDown: 1}) {
			t.Errorf("totals %+v", got)
		}
		return err
	})
	flood(5 * time.Second) // a shorter one does not shorten it
	if p := h.pace(id); !p.CooldownUntil.Equal(h.db.Now().Add(37 * time.Second)) {
		t.Errorf("cooldown until %s", p.CooldownUntil)
	}
	h.clock.Add(37 * time.Second)
	if a := h.Do("GET /accounts/"+id, nil).Want(200); a.At("cooldown_until") != nil {
		t.Errorf("%s", a.Body)
	}
	if flood(900 * time.Second) {
		t.Error("the longest wait that is allowed pauses")
	}
	if !flood(901 * time.Second) {
		t.Error("a long wait does not pause")
	}
	if a := h.get(id); a.Status != Paused {
		t.Errorf("status %s", a.Status)
	}
	got := h.events(id)
	want := []event.Type{event.AccountConnected, event.AccountCooldown, event.AccountCooldown, event.AccountCooldown, event.AccountPaused}
	if len(got) != len(want) || got[4] != want[4] || got[3] != want[3] {
		t.Errorf("events %v", got)
	}
	flood(30 * time.Second) // whoever is paused stays so
	if a := h.get(id); a.Status != Paused {
		t.Errorf("status %s", a.Status)
	}
}

// TestPace: sends are counted by UTC day, and summed up by the hour.
func TestPace(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	h.clock.Add(time.Date(2026, 5, 1, 22, 59, 0, 0, time.UTC).Sub(h.clock.Now()))
	send := func() {
		h.update(func(tx *store.Tx) error { return Sent(tx, h.Org, id, h.db.Now()) })
	}
	send()
	send()
	a := h.Do("GET /accounts/"+id, nil).Want(200)
	if a.Int("sent_today") != 2 || a.Int("remaining_today") != 148 || a.String("last_sent_at") != "2026-05-01T22:59:00Z" || a.At("last_seen_at") != a.At("last_sent_at") {
		t.Errorf("%s", a.Body)
	}
	h.clock.Add(time.Minute)
	send()
	summaries := func() (out []string) {
		var page struct {
			Data []ShownActivity `json:"data"`
		}
		h.Do("GET /accounts/"+id+"/activity", nil).Want(200).Into(&page)
		for _, e := range page.Data {
			if e.Kind == SentSummary {
				out = append(out, e.At.Format("15:04 ")+e.Message)
			}
		}
		return out
	}
	if got := strings.Join(summaries(), "; "); got != "23:00 2 messages were sent in the hour before." {
		t.Errorf("summaries %s", got)
	}
	if err := h.s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(summaries()); got != 1 {
		t.Errorf("the hour under way was summed up: %d", got)
	}
	h.clock.Add(time.Hour)
	if a := h.Do("GET /accounts/"+id, nil).Want(200); a.Int("sent_today") != 0 || a.Int("remaining_today") != 150 {
		t.Errorf("after midnight: %s", a.Body)
	}
	if err := h.s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(summaries(), "; "); got != "00:00 1 message was sent in the hour before.; 23:00 2 messages were sent in the hour before." {
		t.Errorf("summaries %s", got)
	}
	h.clock.Add(activityKept + time.Second)
	if err := h.s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := h.Do("GET /accounts/"+id+"/activity", nil).Want(200); a.Int("total") != 0 {
		t.Errorf("old activity is kept: %s", a.Body)
	}
	h.update(func(tx *store.Tx) error { return Sent(tx, h.Org, h.db.NewID("acc"), h.db.Now()) })
}

func TestUpdate(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	a := h.Do("PATCH /accounts/"+id, `{"label":"Shop","daily_limit":500,"min_interval_seconds":4,"inbound_enabled":true}`).Want(200)
	if a.String("label") != "Shop" || a.Int("daily_limit") != 500 || a.Int("min_interval_seconds") != 4 || a.At("inbound_enabled") != true {
		t.Errorf("%s", a.Body)
	}
	for body, field := range map[string]string{
		`{"daily_limit":501}`: "daily_limit", `{"daily_limit":0}`: "daily_limit", `{"min_interval_seconds":3}`: "min_interval_seconds",
		`{"min_interval_seconds":86401}`: "min_interval_seconds", `{"proxy_id":"prx_none"}`: "proxy_id", `{"label":""}`: "label", `{"daily_limit":null}`: "daily_limit",
		`{"inbound_enabled":"yes"}`: "inbound_enabled",
	} {
		if a := h.Do("PATCH /accounts/"+id, body).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	if a := h.Do("GET /accounts/"+id+"/activity", nil).Want(200); a.Int("total") != 2 || a.String("data.0.kind") != "LIMITS_CHANGED" {
		t.Errorf("%s", a.Body)
	}
	if a := h.Do("PATCH /accounts/"+id, `{"label":null}`).Want(200); a.At("label") != nil {
		t.Errorf("%s", a.Body)
	}
	list := h.Do("GET /accounts?status=ACTIVE", nil).Want(200)
	if list.Int("total") != 1 || h.Do("GET /accounts?status=PAUSED", nil).Want(200).Int("total") != 0 {
		t.Errorf("%s", list.Body)
	}
	h.Do("GET /accounts?status=TIRED", nil).Refused(api.ErrInvalid)
	mine := h.Org
	h.Org = h.db.NewID("org")
	for _, route := range []string{"GET /accounts/" + id, "DELETE /accounts/" + id, "POST /accounts/" + id + "/pause", "POST /accounts/" + id + "/resume",
		"POST /accounts/" + id + "/check", "GET /accounts/" + id + "/activity"} {
		h.Do(route, nil).Refused(api.ErrNotFound)
	}
	h.Do("PATCH /accounts/"+id, `{}`).Refused(api.ErrNotFound)
	h.Org = mine
}

// TestDelete: refused while a running campaign uses it; the session ends at the
// platform, and nothing of the account stays.
func TestDelete(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, true)
	h.run()
	h.eventually("the account is connected", func() bool { return h.Do("GET /accounts/"+id, nil).String("connection") == "ONLINE" })
	if _, err := h.w.Say("@demo_user_1", number, "hello"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the message is stored", func() bool { return len(signals[connection.Received](h)) == 1 })
	h.running = 2
	if a := h.Do("GET /accounts/"+id, nil); a.Int("running_campaigns") != 2 {
		t.Errorf("%s", a.Body)
	}
	h.Do("DELETE /accounts/"+id, nil).Refused(ErrInUse)
	h.running = 0
	h.Do("DELETE /accounts/"+id, nil).Want(204)
	h.Do("GET /accounts/"+id, nil).Refused(api.ErrNotFound)
	h.Do("DELETE /accounts/"+id, nil).Refused(api.ErrNotFound)
	if got := signals[Deleted](h); len(got) != 1 || got[0] != (Deleted{h.Org, id}) {
		t.Errorf("signals %+v", got)
	}
	h.eventually("the session ended and everything is gone", func() bool {
		left := 0
		h.view(func(tx *store.Tx) error {
			left = 0
			for _, count := range []func(*store.Tx, string) (int, error){
				accounts.Count, paces.Count, activities.Count,
			} {
				n, err := count(tx, h.Org)
				if err != nil {
					return err
				}
				left += n
			}
			return nil
		})
		return left == 0 && len(h.w.Devices(number)) == 0
	})
	h.account(number, false) // the number is free again
}

// TestAdministrators disable and enable accounts (contract 20.6).
func TestAdministrators(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	turn := func(f func(*store.Tx, *api.Call, string, string, string) (Shown, error)) (out Shown, err error) {
		err = h.db.Update(t.Context(), func(tx *store.Tx) (err error) {
			out, err = f(tx, h.sc(), h.Org, id, "abuse")
			return err
		})
		return out, err
	}
	if _, err := turn(h.s.Enable); err != ErrNotDisabled {
		t.Errorf("enabled what is enabled: %v", err)
	}
	if a, err := turn(h.s.Disable); err != nil || a.Status != Paused || !a.DisabledByAdmin || *a.DisabledReason != "abuse" {
		t.Errorf("disabled: %+v, %v", a, err)
	}
	if _, err := turn(h.s.Disable); err != api.ErrState {
		t.Errorf("disabled twice: %v", err)
	}
	h.Do("POST /accounts/"+id+"/resume", nil).Refused(ErrDisabled)
	if a := h.Do("POST /accounts/"+id+"/check", nil).Want(200); a.At("ok") != false || a.String("status") != "PAUSED" {
		t.Errorf("%s", a.Body)
	}
	if a, err := turn(h.s.Enable); err != nil || a.Status != Paused || a.DisabledByAdmin || a.DisabledReason != nil {
		t.Errorf("enabled: %+v, %v", a, err)
	}
	h.Do("POST /accounts/"+id+"/resume", nil).Want(200)
	// A disabled account that was not ACTIVE keeps its status, and no check brings it back.
	h.trouble(id, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_UNREACHABLE"})
	if a, err := turn(h.s.Disable); err != nil || a.Status != Failed {
		t.Errorf("disabled: %+v, %v", a, err)
	}
	h.clock.Add(time.Hour)
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := h.get(id); a.Status != Failed {
		t.Errorf("a disabled account came back: %s", a.Status)
	}
	h.view(func(tx *store.Tx) error {
		page, err := h.s.PageAcross(tx, "", "", api.PageIn{Limit: 10})
		if page.Total != 1 || page.Data[0].Org != h.Org || page.Data[0].Record.ID != id {
			t.Errorf("across %+v", page)
		}
		if page, _ := h.s.PageAcross(tx, "", Active, api.PageIn{Limit: 10}); page.Total != 0 || len(page.Data) != 0 {
			t.Errorf("active across %+v", page)
		}
		if ownerOrgID, err := Find(tx, id); err != nil || ownerOrgID != h.Org {
			t.Errorf("found %s, %v", ownerOrgID, err)
		}
		by, _ := ByStatus(tx)
		if by[Failed] != 1 || by[Active] != 0 || len(by) != 6 {
			t.Errorf("by status %v", by)
		}
		return err
	})
}
