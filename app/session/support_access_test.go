package session_test

import (
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/store"
)

func TestOrganizationsOfAPerson(t *testing.T) {
	h := newHarness(t)
	b, stranger := h.signup("a@example.com", "A"), h.signup("s@example.com", "S")
	first := b.do("GET /me", nil).String("organization.id")
	a := b.do("POST /me/organizations", `{"name":"Second","timezone":"Europe/Berlin"}`).Want(201)
	if a.String("organization.name") != "Second" || a.String("role") != "OWNER" || a.At("organizations.1") == nil {
		t.Fatal(a.Body)
	}
	b.do("POST /me/organizations", `{"name":"","timezone":"UTC"}`).Refused(api.ErrInvalid)
	b.do("POST /me/organizations", `{"name":"x","timezone":"UTC/x"}`).Refused(api.ErrInvalid)
	if a := b.do("POST /me/switch-organization", map[string]any{"organization_id": first}).Want(200); a.String("organization.id") != first {
		t.Error(a.Body)
	}
	theirs := stranger.do("GET /me", nil).String("organization.id")
	b.do("POST /me/switch-organization", map[string]any{"organization_id": theirs}).Refused(api.ErrNotFound)
	b.do("POST /me/switch-organization", map[string]any{"organization_id": "org_nothing"}).Refused(api.ErrNotFound)
	again := h.browser()
	if a := again.login("a@example.com").Want(200); a.String("organization.id") != first {
		t.Errorf("a new session begins in %s", a.String("organization.name"))
	}
	// One who was removed is in no organization, and an open stream of his ends; of one
	// who has another role by now it goes on with what that may see.
	n := b.join("n@example.com", "ADMIN")
	c := h.srv.Call()
	if err := h.s.Identify(c, n.cred); err != nil || c.Org != first || c.Revoked() || !c.Can(perm.WebhooksManage) {
		t.Fatal(err, c.Org)
	}
	id := b.do("GET /members?role=ADMIN", nil).Want(200).String("data.0.id")
	n.do("POST /me/organizations", `{"name":"Own","timezone":"UTC"}`).Want(201) // and looks at it
	b.do("PATCH /members/"+id, `{"role":"ANALYST"}`).Want(200)
	if c.Revoked() || c.Can(perm.WebhooksManage) || !c.Can(perm.AnalyticsRead) {
		t.Errorf("an open stream of one who became an analyst may %v", c.Caller.Perms.Names())
	}
	n.do("POST /me/switch-organization", map[string]any{"organization_id": first}).Want(200)
	if c.Revoked() || c.Can(perm.WebhooksManage) {
		t.Errorf("an open stream of one who became an analyst may %v", c.Caller.Perms.Names())
	}
	b.do("DELETE /members/"+id, nil).Want(204)
	if !c.Revoked() {
		t.Error("the stream of one who was removed goes on")
	}
	if a := n.do("GET /me", nil).Want(200); a.At("organization") != nil || a.At("role") != nil || len(a.At("permissions").([]any)) != 0 {
		t.Error(a.Body)
	}
	n.do("GET /organization", nil).Refused(api.ErrNoOrganization)
}

func TestSupport(t *testing.T) {
	h := newHarness(t)
	b, admin := h.signup("a@example.com", "A"), h.signup("admin@example.com", "Platform")
	admin.do("POST /me/support/end", nil).Refused(session.ErrNotInSupport)
	theirs := b.do("GET /me", nil).String("organization.id")
	c := h.srv.Call()
	if err := h.s.Identify(c, admin.cred); err != nil {
		t.Fatal(err)
	}
	h.update(func(tx *store.Tx) error {
		return session.EnterSupport(tx, c.Caller.Session, session.Support{ID: "ssn_1", Org: theirs, ExpiresAt: h.db.Now().Add(time.Hour)})
	})
	if a := admin.do("GET /organization", nil).Want(200); a.String("id") != theirs {
		t.Error(a.Body)
	}
	admin.do("PATCH /organization", `{"name":"x"}`).Refused(api.ErrSupportReadOnly)
	admin.do("POST /me/support/end", nil).Want(204)
	if a := admin.do("GET /organization", nil).Want(200); a.String("name") != "Platform" {
		t.Error(a.Body)
	}
	h.update(func(tx *store.Tx) error {
		return session.EnterSupport(tx, c.Caller.Session, session.Support{ID: "ssn_2", Org: theirs, ExpiresAt: h.db.Now().Add(time.Minute)})
	})
	h.clock.Add(time.Minute)
	if a := admin.do("GET /organization", nil).Want(200); a.String("name") != "Platform" {
		t.Error("a support session outlives its end: " + a.Body)
	}
}

func TestSuspension(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	_, k := b.key(map[string]any{"name": "k"})
	id := b.do("GET /me", nil).String("organization.id")
	token := b.invite("n@example.com", "ANALYST")
	h.update(func(tx *store.Tx) error {
		_, err := h.orgs.Suspend(tx, api.System(t.Context(), "", h.db.Now()), id, "spam")
		return err
	})
	for _, who := range []*browser{b, k} {
		if a := who.do("GET /organization", nil).Want(200); a.String("status") != "SUSPENDED" || a.String("suspended_reason") != "spam" {
			t.Error(a.Body)
		}
		who.do("PATCH /organization", `{"name":"x"}`).Refused(api.ErrSuspended)
	}
	b.do("POST /api-keys", `{"name":"x"}`).Refused(api.ErrSuspended)
	b.do("POST /me/organizations", `{"name":"Another"}`).Refused(api.ErrSuspended) // it would go on elsewhere
	h.browser().do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Refused(api.ErrSuspended)
	h.update(func(tx *store.Tx) error {
		c := api.System(t.Context(), "", h.db.Now())
		if _, err := h.orgs.Suspend(tx, c, id, "again"); err != error(api.ErrState) {
			t.Errorf("suspending twice: %v", err)
		}
		_, err := h.orgs.Reactivate(tx, c, id)
		return err
	})
	b.do("PATCH /organization", `{"name":"x"}`).Want(200)
	b.do("POST /me/organizations", `{"name":"Another"}`).Want(201)
	h.update(func(tx *store.Tx) error {
		_, err := h.orgs.Suspend(tx, api.System(t.Context(), "", h.db.Now()), id, "spam")
		return err
	})
	b.do("POST /me/organizations", `{"name":"Third"}`).Want(201) // one of them is active
}
