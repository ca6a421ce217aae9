package session_test

import (
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/store"
)

func TestOrganizationsOfAPerson(t *testing.T) {
	h := sessiontest.New(t)
	b, stranger := h.Signup("a@example.com", "A"), h.Signup("s@example.com", "S")
	first := b.Do("GET /me", nil).String("organization.id")
	a := b.Do("POST /me/organizations", `{"name":"Second","timezone":"Europe/Berlin"}`).Want(201)
	if a.String("organization.name") != "Second" || a.String("role") != "OWNER" || a.At("organizations.1") == nil {
		t.Fatal(a.Body)
	}
	b.Do("POST /me/organizations", `{"name":"","timezone":"UTC"}`).Refused(api.ErrInvalid)
	b.Do("POST /me/organizations", `{"name":"x","timezone":"UTC/x"}`).Refused(api.ErrInvalid)
	if a := b.Do("POST /me/switch-organization", map[string]any{"organization_id": first}).Want(200); a.String("organization.id") != first {
		t.Error(a.Body)
	}
	theirs := stranger.Do("GET /me", nil).String("organization.id")
	b.Do("POST /me/switch-organization", map[string]any{"organization_id": theirs}).Refused(api.ErrNotFound)
	b.Do("POST /me/switch-organization", map[string]any{"organization_id": "org_nothing"}).Refused(api.ErrNotFound)
	again := h.Browser()
	if a := again.Login("a@example.com").Want(200); a.String("organization.id") != first {
		t.Errorf("a new session begins in %s", a.String("organization.name"))
	}
	// One who was removed is in no organization, and an open stream of his ends; of one
	// who has another role by now it goes on with what that may see.
	n := b.Join("n@example.com", "ADMIN")
	c := h.Srv.Call()
	if err := h.S.Identify(c, n.Cred); err != nil || c.Org != first || c.Revoked() || !c.Can(perm.WebhooksManage) {
		t.Fatal(err, c.Org)
	}
	id := b.Do("GET /members?role=ADMIN", nil).Want(200).String("data.0.id")
	n.Do("POST /me/organizations", `{"name":"Own","timezone":"UTC"}`).Want(201) // and looks at it
	b.Do("PATCH /members/"+id, `{"role":"ANALYST"}`).Want(200)
	if c.Revoked() || c.Can(perm.WebhooksManage) || !c.Can(perm.AnalyticsRead) {
		t.Errorf("an open stream of one who became an analyst may %v", c.Caller.Perms.Names())
	}
	n.Do("POST /me/switch-organization", map[string]any{"organization_id": first}).Want(200)
	if c.Revoked() || c.Can(perm.WebhooksManage) {
		t.Errorf("an open stream of one who became an analyst may %v", c.Caller.Perms.Names())
	}
	b.Do("DELETE /members/"+id, nil).Want(204)
	if !c.Revoked() {
		t.Error("the stream of one who was removed goes on")
	}
	if a := n.Do("GET /me", nil).Want(200); a.At("organization") != nil || a.At("role") != nil || len(a.At("permissions").([]any)) != 0 {
		t.Error(a.Body)
	}
	n.Do("GET /organization", nil).Refused(api.ErrNoOrganization)
}

func TestSupport(t *testing.T) {
	h := sessiontest.New(t)
	b, admin := h.Signup("a@example.com", "A"), h.Signup("admin@example.com", "Platform")
	admin.Do("POST /me/support/end", nil).Refused(session.ErrNotInSupport)
	theirs := b.Do("GET /me", nil).String("organization.id")
	c := h.Srv.Call()
	if err := h.S.Identify(c, admin.Cred); err != nil {
		t.Fatal(err)
	}
	h.Update(func(tx *store.Tx) error {
		return session.EnterSupport(tx, c.Caller.Session, session.Support{ID: "ssn_1", Org: theirs, ExpiresAt: h.DB.Now().Add(time.Hour)})
	})
	if a := admin.Do("GET /organization", nil).Want(200); a.String("id") != theirs {
		t.Error(a.Body)
	}
	admin.Do("PATCH /organization", `{"name":"x"}`).Refused(api.ErrSupportReadOnly)
	admin.Do("POST /me/support/end", nil).Want(204)
	if a := admin.Do("GET /organization", nil).Want(200); a.String("name") != "Platform" {
		t.Error(a.Body)
	}
	h.Update(func(tx *store.Tx) error {
		return session.EnterSupport(tx, c.Caller.Session, session.Support{ID: "ssn_2", Org: theirs, ExpiresAt: h.DB.Now().Add(time.Minute)})
	})
	h.Clock.Add(time.Minute)
	if a := admin.Do("GET /organization", nil).Want(200); a.String("name") != "Platform" {
		t.Error("a support session outlives its end: " + a.Body)
	}
}

func TestSuspension(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "k"})
	id := b.Do("GET /me", nil).String("organization.id")
	token := b.Invite("n@example.com", "ANALYST")
	h.Update(func(tx *store.Tx) error {
		_, err := h.Orgs.Suspend(tx, api.System(t.Context(), "", h.DB.Now()), id, "spam")
		return err
	})
	for _, who := range []*sessiontest.Browser{b, k} {
		if a := who.Do("GET /organization", nil).Want(200); a.String("status") != "SUSPENDED" || a.String("suspended_reason") != "spam" {
			t.Error(a.Body)
		}
		who.Do("PATCH /organization", `{"name":"x"}`).Refused(api.ErrSuspended)
	}
	b.Do("POST /api-keys", `{"name":"x"}`).Refused(api.ErrSuspended)
	b.Do("POST /me/organizations", `{"name":"Another"}`).Refused(api.ErrSuspended) // it would go on elsewhere
	h.Browser().Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Refused(api.ErrSuspended)
	h.Update(func(tx *store.Tx) error {
		c := api.System(t.Context(), "", h.DB.Now())
		if _, err := h.Orgs.Suspend(tx, c, id, "again"); err != error(api.ErrState) {
			t.Errorf("suspending twice: %v", err)
		}
		_, err := h.Orgs.Reactivate(tx, c, id)
		return err
	})
	b.Do("PATCH /organization", `{"name":"x"}`).Want(200)
	b.Do("POST /me/organizations", `{"name":"Another"}`).Want(201)
	h.Update(func(tx *store.Tx) error {
		_, err := h.Orgs.Suspend(tx, api.System(t.Context(), "", h.DB.Now()), id, "spam")
		return err
	})
	b.Do("POST /me/organizations", `{"name":"Third"}`).Want(201) // one of them is active
}
