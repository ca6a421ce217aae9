package admin_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
)

func TestOrganizations(t *testing.T) {
	h := newHarness(t)
	a := h.boss.do("GET /admin/organizations/"+h.acme, nil).Want(200)
	if a.String("name") != "Acme" || a.String("owner.email") != "olga@example.com" || a.String("owner.user_id") == "" || a.Int("members_count") != 1 ||
		a.Int("usage.used.members") != 1 || a.Int("recipients_count") != 0 || a.String("last_activity_at") == "" || a.String("plan") != "PRO" {
		t.Error(a.Body)
	}
	for query, want := range map[string][]string{
		"":                         {"Platform", "Acme"},
		"?sort=created_at":         {"Acme", "Platform"},
		"?q=ACM":                   {"Acme"},
		"?status=SUSPENDED":        nil,
		"?plan=PRO&limit=1":        {"Platform"},
		"?plan=FREE":               nil,
		"?limit=1&offset=1":        {"Acme"},
		"?q=pl&status=ACTIVE":      {"Platform"},
		"?sort=-created_at&q=zzzz": nil,
	} {
		var page api.Page[org.ShownOrganization]
		h.boss.do("GET /admin/organizations"+query, nil).Want(200).Into(&page)
		var names []string
		for _, o := range page.Data {
			names = append(names, o.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q: %q, want %q", query, names, want)
		}
		if !strings.Contains(query, "limit") && page.Total != len(want) {
			t.Errorf("%q: %d in all", query, page.Total)
		}
	}
	h.boss.do("GET /admin/organizations?q=a", nil).Refused(api.ErrInvalid)
	h.boss.do("GET /admin/organizations/org_01arz3ndektsv4rrffq69g5fav", nil).Refused(api.ErrNotFound)
	h.boss.do("GET /admin/organizations/nonsense", nil).Refused(api.ErrNotFound)
}

// TestCreateOrganization: the answer has the link once, which makes its person the
// OWNER.
func TestCreateOrganization(t *testing.T) {
	h := newHarness(t)
	body := map[string]any{"name": "Bozor", "owner_email": "aziz@example.com", "plan": "STARTER", "timezone": "Asia/Tashkent"}
	made := h.boss.do("POST /admin/organizations", body).Want(201)
	id, link := made.String("id"), made.String("invitation_url")
	if made.String("plan") != "STARTER" || made.String("timezone") != "Asia/Tashkent" || made.String("owner.email") != "aziz@example.com" ||
		made.At("owner.user_id") != nil || made.Int("members_count") != 0 || !strings.HasPrefix(link, "https://svc.example/public/invitation?token=") {
		t.Error(made.Body)
	}
	if again := h.boss.do("GET /admin/organizations/"+id, nil); strings.Contains(again.Body, "invitation_url") {
		t.Error("the link is shown again")
	}
	h.wantLogged(id, "PLATFORM_ADMIN organization.created")
	_, token, _ := strings.Cut(link, "token=")
	aziz := &browser{h: h}
	aziz.do("POST /invitations/accept", map[string]any{"token": token, "name": "Aziz", "password": password}).Want(200)
	if me := aziz.do("GET /me", nil); me.String("organization.id") != id || me.String("role") != "OWNER" {
		t.Error(me.Body)
	}
	if a := h.boss.do("GET /admin/organizations/"+id, nil); a.String("owner.user_id") == "" || a.Int("members_count") != 1 {
		t.Error(a.Body)
	}
	if a := h.boss.do("POST /admin/organizations", map[string]any{"name": "By default", "owner_email": "aziz@example.com"}).Want(201); a.String("plan") != "PRO" || a.String("timezone") != "UTC" {
		t.Error(a.Body)
	}
	for field, wrong := range map[string]map[string]any{
		"name":        {"name": " ", "owner_email": "a@example.com"},
		"owner_email": {"name": "A", "owner_email": "nobody"},
		"timezone":    {"name": "A", "owner_email": "a@example.com", "timezone": "Mars"},
		"plan":        {"name": "A", "owner_email": "a@example.com", "plan": "GOLD"},
	} {
		if a := h.boss.do("POST /admin/organizations", wrong).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", field, a.Body)
		}
	}
}

func TestUpdateOrganization(t *testing.T) {
	h := newHarness(t)
	path := "PATCH /admin/organizations/" + h.acme
	a := h.boss.do(path, map[string]any{"name": "Acme Trade", "plan": "FREE", "ai_enabled": false, "conversation_intelligence_enabled": false}).Want(200)
	if a.String("name") != "Acme Trade" || a.String("plan") != "FREE" || a.At("ai_enabled") != false || a.At("conversation_intelligence_enabled") != false {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN organization.updated")
	if may := h.olga.do("GET /me", nil); strings.Contains(may.Body, "ai:manage") {
		t.Error("AI is off and still permitted")
	}
	before := len(h.logged(h.acme))
	h.boss.do(path, map[string]any{"plan": "FREE"}).Want(200)
	if now := len(h.logged(h.acme)); now != before {
		t.Errorf("nothing changed, and the log has %d entries more", now-before)
	}
	for _, wrong := range []map[string]any{{"name": ""}, {"plan": "GOLD"}, {"plan": nil}, {"ai_enabled": "yes"}} {
		h.boss.do(path, wrong).Refused(api.ErrInvalid)
	}
	h.boss.do("PATCH /admin/organizations/org_01arz3ndektsv4rrffq69g5fav", map[string]any{"plan": "FREE"}).Refused(api.ErrNotFound)
}

func TestSuspension(t *testing.T) {
	h := newHarness(t)
	var told []string
	signal.On(h.bus, func(_ *store.Tx, c *api.Call, w org.WasSuspended) error { told = append(told, w.ID+c.Org); return nil })
	path := "POST /admin/organizations/" + h.acme
	for _, wrong := range []any{map[string]any{}, map[string]any{"reason": "  "}, map[string]any{"reason": strings.Repeat("x", 501)}} {
		h.boss.do(path+"/suspend", wrong).Refused(api.ErrInvalid)
	}
	a := h.boss.do(path+"/suspend", map[string]any{"reason": "Complaints"}).Want(200)
	if a.String("status") != "SUSPENDED" || a.String("suspended_reason") != "Complaints" || !slices.Equal(told, []string{h.acme + h.acme}) {
		t.Error(a.Body, told)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN organization.suspended: Complaints")
	if got := h.olga.do("GET /organization", nil).Want(200).String("suspended_reason"); got != "Complaints" {
		t.Errorf("the organization reads %q", got)
	}
	h.olga.do("PATCH /organization", map[string]any{"name": "X"}).Refused(api.ErrSuspended)
	h.boss.do(path+"/suspend", map[string]any{"reason": "Again"}).Refused(api.ErrState)
	if n := h.boss.do("GET /admin/organizations?status=SUSPENDED", nil).Int("total"); n != 1 {
		t.Errorf("%d are suspended", n)
	}
	a = h.boss.do(path+"/reactivate", map[string]any{}).Want(200)
	if a.String("status") != "ACTIVE" || a.At("suspended_reason") != nil {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN organization.reactivated")
	h.boss.do(path+"/reactivate", nil).Refused(api.ErrState)
	h.boss.do("POST /admin/organizations/org_01arz3ndektsv4rrffq69g5fav/suspend", map[string]any{"reason": "x"}).Refused(api.ErrNotFound)
}

func TestLimits(t *testing.T) {
	h := newHarness(t)
	path := " /admin/organizations/" + h.acme + "/limits"
	a := h.boss.do("GET"+path, nil).Want(200)
	if a.String("plan") != "PRO" || a.Int("limits.members") != 25 || a.Int("effective.members") != 25 || a.At("effective.api_access") != true {
		t.Error(a.Body)
	}
	a = h.boss.do("PUT"+path, map[string]any{"overrides": map[string]any{"members": 1, "recipients": nil, "api_access": false}}).Want(200)
	if a.Int("overrides.members") != 1 || a.At("effective.recipients") != nil || a.At("effective.api_access") != false || a.Int("limits.members") != 25 {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN organization.limits_changed")
	h.olga.do("POST /invitations", map[string]any{"email": "a@example.com", "role": "ANALYST"}).Refused(api.ErrPlanLimit)
	a = h.boss.do("PUT"+path, map[string]any{"overrides": map[string]any{"members": "default"}}).Want(200)
	if a.At("overrides.members") != nil || a.Int("effective.members") != 25 || a.At("overrides.api_access") != false {
		t.Error(a.Body)
	}
	for _, wrong := range []map[string]any{{"gold": 1}, {"members": -1}, {"members": true}, {"api_access": 1}, {"members": "many"}, {"members": 1.5}} {
		h.boss.do("PUT"+path, map[string]any{"overrides": wrong}).Refused(api.ErrInvalid)
	}
	h.boss.do("PUT"+path, map[string]any{}).Refused(api.ErrInvalid)
	h.boss.do("GET /admin/organizations/org_01arz3ndektsv4rrffq69g5fav/limits", nil).Refused(api.ErrNotFound)
	h.boss.do("PUT /admin/organizations/org_01arz3ndektsv4rrffq69g5fav/limits", map[string]any{"overrides": map[string]any{}}).Refused(api.ErrNotFound)
}

func TestUsers(t *testing.T) {
	h := newHarness(t)
	for query, want := range map[string][]string{
		"":                                  {"boss@example.com", "olga@example.com"},
		"?sort=created_at":                  {"olga@example.com", "boss@example.com"},
		"?q=OLGA@":                          {"olga@example.com"},
		"?q=ivan":                           {"boss@example.com", "olga@example.com"}, // all are called Olga Ivanova
		"?q=@example.com&limit=1":           {"boss@example.com"},
		"?q=example":                        nil,
		"?status=DISABLED":                  nil,
		"?status=ACTIVE&offset=1":           {"olga@example.com"},
		"?q=olga%20iv&sort=created_at":      {"olga@example.com", "boss@example.com"},
		"?q=nobody&status=ACTIVE&limit=500": nil,
	} {
		var page api.Page[user.ShownUser]
		h.boss.do("GET /admin/users"+query, nil).Want(200).Into(&page)
		var got []string
		for _, u := range page.Data {
			got = append(got, u.Email)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	row := h.boss.do("GET /admin/users?q=olga@", nil)
	if row.String("data.0.organizations.0.name") != "Acme" || row.String("data.0.organizations.0.role") != "OWNER" ||
		row.At("data.0.is_platform_admin") != false || row.At("data.0.mfa_enabled") != false || strings.Contains(row.Body, "argon2") {
		t.Error(row.Body)
	}

	olga := row.String("data.0.id")
	h.boss.do("POST /admin/users/"+olga+"/disable", map[string]any{"reason": ""}).Refused(api.ErrInvalid)
	a := h.boss.do("POST /admin/users/"+olga+"/disable", map[string]any{"reason": "Left the company"}).Want(200)
	if a.String("status") != "DISABLED" || a.String("disabled_reason") != "Left the company" {
		t.Error(a.Body)
	}
	h.olga.do("GET /me", nil).Want(401) // the session ended
	(&browser{h: h}).do("POST /auth/login", map[string]any{"email": "olga@example.com", "password": password}).Refused(user.ErrDisabled)
	h.boss.do("POST /admin/users/"+olga+"/disable", map[string]any{"reason": "Twice"}).Want(200)
	a = h.boss.do("POST /admin/users/"+olga+"/enable", nil).Want(200)
	if a.String("status") != "ACTIVE" || a.At("disabled_reason") != nil {
		t.Error(a.Body)
	}
	(&browser{h: h}).do("POST /auth/login", map[string]any{"email": "olga@example.com", "password": password}).Want(200)
	log := h.logged("")
	for _, line := range []string{"PLATFORM_ADMIN user.disabled: Left the company", "PLATFORM_ADMIN user.enabled"} {
		if !slices.Contains(log, line) {
			t.Errorf("the log lacks %q: %q", line, log)
		}
	}
	h.boss.do("POST /admin/users/usr_01arz3ndektsv4rrffq69g5fav/enable", nil).Refused(api.ErrNotFound)
	h.boss.do("POST /admin/users/usr_01arz3ndektsv4rrffq69g5fav/disable", map[string]any{"reason": "x"}).Refused(api.ErrNotFound)
}

// TestLastAdministrator: nobody disables himself, and of two who disable each other
// one stays.
func TestLastAdministrator(t *testing.T) {
	h := newHarness(t)
	reason := map[string]any{"reason": "x"}
	h.boss.do("POST /admin/users/"+h.bossN+"/disable", reason).Refused(api.ErrConflict)
	second := h.administrator("second@example.com")
	secondN := second.do("GET /me", nil).String("user.id")
	h.boss.do("POST /admin/users/"+secondN+"/disable", reason).Want(200)

	// The request of the other had been let in before he was disabled.
	h.srv.As = func(c *api.Call) {
		c.Caller = api.Caller{Kind: api.Person, ID: secondN, Name: "Second", Administrator: true, Verified: true}
	}
	h.srv.Do("POST /admin/users/"+h.bossN+"/disable", reason).Refused(api.ErrConflict)
	h.boss.do("GET /admin/users", nil).Want(200)
}

// TestSupport: a look is asked for, begun by its link once, seen by the organization,
// and ended by another administrator.
func TestSupport(t *testing.T) {
	h := newHarness(t)
	open := "POST /admin/organizations/" + h.acme + "/support-sessions"
	for _, wrong := range []map[string]any{{}, {"reason": " "}, {"reason": "x", "minutes": 241}, {"reason": "x", "minutes": 0}} {
		h.boss.do(open, wrong).Refused(api.ErrInvalid)
	}
	h.boss.do("POST /admin/organizations/org_01arz3ndektsv4rrffq69g5fav/support-sessions", map[string]any{"reason": "x"}).Refused(api.ErrNotFound)
	made := h.boss.do(open, map[string]any{"reason": "They asked about an import"}).Want(201)
	id := made.String("id")
	enter := func(made string) string { return "GET " + strings.TrimPrefix(made, "https://svc.example/api/v1") }
	link := enter(made.String("enter_url"))
	if made.String("status") != "PENDING" || made.String("organization.name") != "Acme" || made.String("admin.id") != h.bossN {
		t.Error(made.Body)
	}
	second := h.administrator("second@example.com")
	second.do(link, nil).Refused(api.ErrNotFound) // it is another's
	h.boss.do("GET /support/enter?token=x", nil).Refused(api.ErrNotFound)
	h.boss.do("GET /support/enter", nil).Refused(api.ErrInvalid)
	if to := h.boss.do(link, nil).Want(302).Header.Get("Location"); to != "https://svc.example/console/" {
		t.Errorf("the link leads to %q", to)
	}
	if me := h.boss.do("GET /organization", nil).Want(200); me.String("id") != h.acme {
		t.Error(me.Body)
	}
	h.boss.do("PATCH /organization", map[string]any{"name": "X"}).Refused(api.ErrSupportReadOnly)
	h.boss.do("GET /admin/overview", nil).Refused(api.ErrSupportSession)
	if n := h.olga.do("GET /notifications", nil).String("data.0.kind"); n != "SUPPORT_SESSION_STARTED" {
		t.Errorf("the organization was told %q", n)
	}

	row := second.do("GET /admin/support-sessions", nil).Want(200)
	if row.Int("total") != 1 || row.String("data.0.id") != id || row.String("data.0.status") != "ACTIVE" || row.String("data.0.expires_at") != "2026-03-01T13:01:00Z" {
		t.Error(row.Body)
	}
	if n := second.do("GET /admin/overview", nil).Want(200).Int("support_sessions"); n != 1 {
		t.Errorf("%d support sessions are active", n)
	}
	second.do("GET /admin/support-sessions/"+id+"/accesses", nil).Want(200)
	if a := second.do("POST /admin/support-sessions/"+id+"/end", nil).Want(200); a.String("status") != "ENDED" {
		t.Error(a.Body)
	}
	if me := h.boss.do("GET /me", nil).Want(200); me.String("organization.id") == h.acme {
		t.Error("he is still inside")
	}
	h.boss.do("GET /admin/overview", nil).Want(200)
	h.wantLogged(h.acme, "PLATFORM_ADMIN support_session.opened: They asked about an import")
	h.wantLogged(h.acme, "PLATFORM_ADMIN support_session.ended")
	h.boss.do("POST /admin/support-sessions/"+id+"/end", nil).Refused(api.ErrState)
	h.boss.do("POST /admin/support-sessions/ssn_01arz3ndektsv4rrffq69g5fav/end", nil).Refused(api.ErrNotFound)
	h.boss.do("GET /admin/support-sessions/ssn_01arz3ndektsv4rrffq69g5fav/accesses", nil).Refused(api.ErrNotFound)
	h.boss.do(link, nil).Refused(api.ErrNotFound) // it works once

	// A link that nobody used can be taken back, and it grows too old by itself.
	made = h.boss.do(open, map[string]any{"reason": "Again", "minutes": 5}).Want(201)
	h.boss.do("POST /admin/support-sessions/"+made.String("id")+"/end", nil).Want(200)
	h.boss.do(enter(made.String("enter_url")), nil).Refused(api.ErrNotFound)
	made = h.boss.do(open, map[string]any{"reason": "Again", "minutes": 5}).Want(201)
	h.clock.Add(5 * time.Minute)
	h.boss.do(enter(made.String("enter_url")), nil).Refused(api.ErrNotFound)
	if got := h.boss.do("GET /admin/support-sessions?limit=1&offset=1", nil); got.Int("total") != 3 || got.String("data.0.status") != "ENDED" {
		t.Error(got.Body)
	}
}
