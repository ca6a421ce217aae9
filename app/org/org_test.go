package org_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/storetest"
)

// harness is one organization with somebody who calls.
type harness struct {
	*apitest.Server
	t     testing.TB
	db    *store.DB
	clock *storetest.Clock
	bus   *signal.Bus
	orgs  *org.Service
	owner string // the person's id
	as    perm.Role
}

func newHarness(t testing.TB, o org.Options) *harness {
	h := &harness{t: t, clock: storetest.NewClock(), bus: &signal.Bus{}, as: perm.Owner}
	h.db = storetest.OpenWith(t, "", store.Options{Now: h.clock.Now, Tables: slices.Concat(audit.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables())})
	h.orgs = org.New(h.db, h.bus, o)
	h.Server = apitest.New(t, h.db, h.orgs)
	h.As = func(c *api.Call) {
		c.Caller.Role, c.Caller.Perms = h.as, h.as.Permissions()
		if h.owner != "" {
			c.Caller.ID = h.owner
		}
	}
	h.owner = h.person("owner@example.com")
	h.Org = h.organization("Bozor")
	return h
}

func (h *harness) update(f func(tx *store.Tx, c *api.Call) error) {
	h.t.Helper()
	c := h.Call()
	if err := h.db.Update(h.t.Context(), func(tx *store.Tx) error { return f(tx, c) }); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) person(email string) (id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx, c *api.Call) error {
		u, err := user.Add(tx, c, user.Fields{Email: email})
		id = u.ID
		return err
	})
	return id
}

func (h *harness) organization(name string) (id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx, c *api.Call) error {
		o, err := org.Create(tx, c, org.Fields{Name: name, Timezone: "Asia/Tashkent", Owner: h.owner})
		id = o.ID
		return err
	})
	return id
}

// member adds a person to the organization and gives the membership's id.
func (h *harness) member(email string, role perm.Role) (id string) {
	h.t.Helper()
	person := h.person(email)
	h.update(func(tx *store.Tx, c *api.Call) error {
		token := org.NewToken()
		if _, err := org.Invite(tx, c, h.Org, email, role, token); err != nil {
			return err
		}
		i, err := org.OpenInvitation(tx, token)
		if err != nil {
			return err
		}
		u, err := user.Get(tx, person)
		if err != nil {
			return err
		}
		if err := org.Join(tx, c, i, &u); err != nil {
			return err
		}
		m, err := org.MemberOf(tx, h.Org, person)
		id = m.ID
		return err
	})
	return id
}

// override sets limits of the organization.
func (h *harness) override(change map[string]any) {
	h.t.Helper()
	h.update(func(tx *store.Tx, c *api.Call) error {
		_, err := org.SetOverrides(tx, c, h.Org, change)
		return err
	})
}

func TestGet(t *testing.T) {
	h := newHarness(t, org.Options{})
	a := h.Do("GET /organization", nil).Want(200)
	for path, want := range map[string]any{
		"id": h.Org, "name": "Bozor", "slug": "bozor", "status": "ACTIVE", "suspended_reason": nil, "plan": "PRO", "timezone": "Asia/Tashkent",
		"default_language": "en", "aup_version": nil, "policy_version": "1", "policy_accepted_at": nil, "policy_accepted_by": nil, "ai_enabled": true,
		"conversation_intelligence_enabled": true, "retention.messages_days": nil, "retention.events_days": 90.0, "retention.executions_days": 90.0,
		"opt_out_page.title": nil, "opt_out_page.text": nil, "opt_out_page.language": "en", "stop_keywords.en.0": "stop", "stop_keywords.ru.0": "стоп",
		"stop_keywords.uz.0": "stop", "created_at": h.db.Now().Format(time.RFC3339),
	} {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	var fields map[string]any
	a.Into(&fields)
	if _, there := fields["suspended_reason"]; !there {
		t.Error("a field that is null is left out")
	}
}

func TestUpdate(t *testing.T) {
	h := newHarness(t, org.Options{})
	for _, tt := range []struct {
		body, path string
		want       any
	}{
		{`{}`, "name", "Bozor"},
		{`{"name":" Yangi  "}`, "name", "Yangi"},
		{`{"timezone":"Europe/Berlin"}`, "timezone", "Europe/Berlin"},
		{`{"default_language":"uz"}`, "default_language", "uz"},
		{`{"retention":{"messages_days":30}}`, "retention.messages_days", 30.0},
		{`{"retention":{"events_days":7,"executions_days":5}}`, "retention.messages_days", 30.0},
		{`{}`, "retention.events_days", 7.0},
		{`{}`, "retention.executions_days", 5.0},
		{`{"retention":{"messages_days":null,"events_days":null}}`, "retention.messages_days", nil},
		{`{}`, "retention.events_days", 90.0},
		{`{"opt_out_page":{"title":" Hi ","language":"ru"}}`, "opt_out_page.title", "Hi"},
		{`{"opt_out_page":{"text":"Bye"}}`, "opt_out_page.title", "Hi"},
		{`{"opt_out_page":{"title":null}}`, "opt_out_page.title", nil},
		{`{}`, "opt_out_page.text", "Bye"},
		{`{}`, "opt_out_page.language", "ru"},
		{`{"stop_keywords":{"uz":["  to‘xta  endi ","BAS","bas"],"en":[]}}`, "stop_keywords.uz.0", "to‘xta endi"},
		{`{}`, "stop_keywords.uz.1", "BAS"},
		{`{}`, "stop_keywords.uz.2", nil},
		{`{}`, "stop_keywords.en.0", nil},
		{`{}`, "stop_keywords.ru.0", "стоп"},
		{`{"stop_keywords":null}`, "stop_keywords.en.0", "stop"},
		{`{"plan":"FREE","slug":"x"}`, "plan", "PRO"},
	} {
		if a := h.Do("PATCH /organization", tt.body).Want(200); a.At(tt.path) != tt.want {
			t.Errorf("%s: %s is %v, want %v", tt.body, tt.path, a.At(tt.path), tt.want)
		}
	}
	if a := h.Do("PATCH /organization", `{"plan":"FREE"}`); a.Header.Get("X-Svc-Ignored-Fields") != "plan" {
		t.Errorf("what cannot be changed is not named: %v", a.Header)
	}
	for body, field := range map[string]string{
		`{"name":""}`: "name", `{"name":"` + strings.Repeat("я", 121) + `"}`: "name", `{"name":null}`: "name",
		`{"timezone":"Mars/Base"}`: "timezone", `{"default_language":"de"}`: "default_language",
		`{"retention":{"messages_days":0}}`: "retention.messages_days", `{"retention":{"executions_days":3651}}`: "retention.executions_days",
		`{"opt_out_page":{"title":"` + strings.Repeat("я", 121) + `"}}`: "opt_out_page.title", `{"opt_out_page":{"language":"de"}}`: "opt_out_page.language",
		`{"stop_keywords":{"uz":[" "]}}`: "stop_keywords.uz", `{"stop_keywords":{"ru":["` + strings.Repeat("я", 51) + `"]}}`: "stop_keywords.ru",
		`{"stop_keywords":{"en":[` + strings.TrimSuffix(words(51), ",") + `]}}`: "stop_keywords.en",
	} {
		a := h.Do("PATCH /organization", body).Refused(api.ErrInvalid)
		if details, _ := a.At("error.details").(map[string]any); details[field] == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	if a := h.Do("PATCH /organization", `{"retention":{"events_days":91}}`).Refused(api.ErrPlanLimit); !strings.Contains(a.Body, "event_retention_days") {
		t.Error(a.Body)
	}
	h.as = perm.Manager
	h.Do("PATCH /organization", `{"name":"x"}`).Refused(api.ErrForbidden)
}

func words(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"` + strings.Repeat("x", i+1)[:min(i+1, 50)] + string(rune('a'+i%26)) + `",`)
	}
	return strings.ReplaceAll(b.String(), strings.Repeat("x", 50), "y")
}

func TestAcceptPolicy(t *testing.T) {
	h := newHarness(t, org.Options{})
	h.Do("POST /organization/accept-policy", `{}`).Refused(api.ErrInvalid)
	h.Do("POST /organization/accept-policy", `{"policy_version":"0"}`).Refused(api.ErrState)
	accepted := func() (ok bool) {
		h.update(func(tx *store.Tx, _ *api.Call) (err error) { ok, err = org.PolicyAccepted(tx, h.Org); return err })
		return ok
	}
	if accepted() {
		t.Error("accepted before it was")
	}
	a := h.Do("POST /organization/accept-policy", `{"policy_version":"1"}`).Want(200)
	if a.String("aup_version") != "1" || a.String("policy_accepted_by") != h.owner || a.String("policy_accepted_at") != h.db.Now().Format(time.RFC3339) || !accepted() {
		t.Error(a.Body)
	}
	h.update(func(tx *store.Tx, c *api.Call) error {
		_, err := setting.Put(tx, c, map[string]any{"aup_version": "2"})
		return err
	})
	if accepted() {
		t.Error("an older policy counts")
	}
	h.Do("POST /organization/accept-policy", `{"policy_version":"1"}`).Refused(api.ErrState)
	h.as = perm.Analyst
	h.Do("POST /organization/accept-policy", `{"policy_version":"2"}`).Refused(api.ErrForbidden)
}

func TestSlug(t *testing.T) {
	h := newHarness(t, org.Options{})
	slugOf := func(name string) (slug string) {
		id := h.organization(name)
		h.update(func(tx *store.Tx, _ *api.Call) error {
			o, err := org.Get(tx, id)
			slug = o.Slug
			return err
		})
		return slug
	}
	for _, tt := range [][2]string{
		{"Bozor", "bozor-2"}, {"bozor!", "bozor-3"}, {"Café Ünal & Co.", "cafe-unal-co"}, {"O‘zbekiston", "ozbekiston"}, {"Ромашка", "organization"},
		{"Лютик", "organization-2"}, {strings.Repeat("ab ", 40), strings.TrimSuffix(strings.Repeat("ab-", 14)[:40], "-")},
	} {
		if got := slugOf(tt[0]); got != tt[1] {
			t.Errorf("%q is %q, want %q", tt[0], got, tt[1])
		}
	}
	for range 20 {
		slugOf("Same")
	}
	if got := slugOf("Same"); len(got) != len("same-")+10 {
		t.Errorf("the 21st of a name is %q", got)
	}
}

func TestSuspendTellsOthers(t *testing.T) {
	h := newHarness(t, org.Options{})
	var told []string
	signal.On(h.bus, func(_ *store.Tx, _ *api.Call, s org.WasSuspended) error {
		told = append(told, "suspended "+s.ID)
		return nil
	})
	signal.On(h.bus, func(_ *store.Tx, _ *api.Call, s org.WasReactivated) error {
		told = append(told, "reactivated "+s.ID)
		return nil
	})
	h.update(func(tx *store.Tx, c *api.Call) error {
		if _, err := h.orgs.Reactivate(tx, c, h.Org); err != error(api.ErrState) {
			t.Errorf("reactivating an active one: %v", err)
		}
		if _, err := h.orgs.Suspend(tx, c, h.Org, "spam"); err != nil {
			return err
		}
		_, err := h.orgs.Reactivate(tx, c, h.Org)
		return err
	})
	if want := []string{"suspended " + h.Org, "reactivated " + h.Org}; !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
}

// log are the actions in the audit log of the organization, the oldest first.
func (h *harness) log() string {
	h.t.Helper()
	if _, err := audit.Verify(h.t.Context(), h.db, h.Org); err != nil {
		h.t.Error(err)
	}
	page, err := audit.New(h.db).Page(h.Call(), h.Org, audit.Filter{}, api.PageIn{Limit: 500}, false)
	if err != nil {
		h.t.Fatal(err)
	}
	var actions []string
	for _, e := range page.Data {
		actions = append(actions, e.Action)
		if e.Actor.ID == nil || *e.Actor.ID != h.owner {
			h.t.Errorf("%s was done by %v", e.Action, e.Actor)
		}
	}
	return strings.Join(actions, " ")
}
