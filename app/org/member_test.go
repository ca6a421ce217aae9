package org_test

import (
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/store"
)

// TestWhoChangesWhom is the matrix of the team: every role by every role.
func TestWhoChangesWhom(t *testing.T) {
	people := []perm.Role{perm.Owner, perm.Admin, perm.Manager, perm.Operator, perm.Analyst}
	h := newHarness(t, org.Options{})
	n := 0
	email := func() string { n++; return strings.Repeat("x", n) + "@example.com" }
	h.override(map[string]any{"members": nil})
	for _, actor := range people {
		for _, from := range people {
			for _, to := range people {
				h.as = perm.Owner
				id := h.member(email(), from)
				h.as = actor
				want := 200
				if actor != perm.Owner && (actor != perm.Admin || from == perm.Owner || to == perm.Owner) {
					want = 403
				}
				if a := h.Do("PATCH /members/"+id, map[string]any{"role": to}); a.Status != want {
					t.Errorf("%s makes of %s %s: %d, want %d", actor, from, to, a.Status, want)
				}
			}
			h.as = perm.Owner
			id := h.member(email(), from)
			h.as = actor
			want := 204
			if actor != perm.Owner && (actor != perm.Admin || from == perm.Owner) {
				want = 403
			}
			if a := h.Do("DELETE /members/"+id, nil); a.Status != want {
				t.Errorf("%s removes %s: %d, want %d", actor, from, a.Status, want)
			}
			invite := 201
			if want == 403 {
				invite = 403
			}
			h.as = actor
			if a := h.Do("POST /invitations", map[string]any{"email": email(), "role": from}); a.Status != invite {
				t.Errorf("%s invites %s: %d, want %d", actor, from, a.Status, invite)
			}
			h.as = perm.Owner
			open := h.Do("POST /invitations", map[string]any{"email": email(), "role": from}).Want(201).String("id")
			h.as = actor
			if a := h.Do("DELETE /invitations/"+open, nil); a.Status != want {
				t.Errorf("%s withdraws an invitation of %s: %d, want %d", actor, from, a.Status, want)
			}
		}
	}
}

func TestLastOwner(t *testing.T) {
	h := newHarness(t, org.Options{})
	first := h.Do("GET /members", nil).Want(200).String("data.0.id")
	h.Do("PATCH /members/"+first, `{"role":"ADMIN"}`).Refused(org.ErrLastOwner)
	h.Do("DELETE /members/"+first, nil).Refused(org.ErrLastOwner)
	h.Do("PATCH /members/"+first, `{"role":"OWNER"}`).Want(200)
	second := h.member("b@example.com", perm.Owner)
	h.Do("PATCH /members/"+first, `{"role":"ADMIN"}`).Want(200)
	h.Do("DELETE /members/"+second, nil).Refused(org.ErrLastOwner)
	h.as = perm.Admin
	h.Do("DELETE /members/"+second, nil).Refused(api.ErrForbidden) // before the last owner is counted
}

func TestMembers(t *testing.T) {
	h := newHarness(t, org.Options{})
	h.clock.Add(time.Hour)
	id := h.member("b@example.com", perm.Operator)
	a := h.Do("GET /members", nil).Want(200)
	if a.Int("total") != 2 || a.String("data.0.id") != id || a.String("data.0.user.email") != "b@example.com" || a.String("data.0.role") != "OPERATOR" ||
		a.At("data.0.user.mfa_enabled") != false || a.String("data.0.user.status") != "ACTIVE" || a.At("data.0.user.last_login_at") != nil || a.At("data.0.user.name") != nil {
		t.Error(a.Body)
	}
	if a := h.Do("GET /members?sort=created_at&limit=1", nil).Want(200); a.Int("total") != 2 || a.String("data.0.role") != "OWNER" || a.At("data.1") != nil {
		t.Error(a.Body)
	}
	if a := h.Do("GET /members?role=OPERATOR", nil).Want(200); a.Int("total") != 1 {
		t.Error(a.Body)
	}
	for _, bad := range []string{`{}`, `{"role":"API_CLIENT"}`, `{"role":"KING"}`, `{"role":null}`} {
		h.Do("PATCH /members/"+id, bad).Refused(api.ErrInvalid)
	}
	h.Do("GET /members?role=API_CLIENT", nil).Refused(api.ErrInvalid)
	mine := h.Org
	h.Org = h.organization("Another")
	h.Do("PATCH /members/"+id, `{"role":"ADMIN"}`).Refused(api.ErrNotFound)
	h.Do("DELETE /members/"+id, nil).Refused(api.ErrNotFound)
	h.Do("DELETE /members/nonsense", nil).Refused(api.ErrNotFound)
	h.Org = mine
	h.Do("DELETE /members/"+id, nil).Want(204)
	h.Do("DELETE /members/"+id, nil).Refused(api.ErrNotFound)
	h.update(func(tx *store.Tx, _ *api.Call) error {
		list, err := org.Memberships(tx, h.owner)
		if len(list) != 2 {
			t.Errorf("the owner is in %d organizations", len(list))
		}
		return err
	})
}

func TestInvitations(t *testing.T) {
	h := newHarness(t, org.Options{})
	for _, bad := range []string{
		`{}`, `{"email":"b@example.com"}`, `{"email":"b@example.com","role":"API_CLIENT"}`, `{"email":"nobody","role":"ADMIN"}`, `{"email":"B <b@example.com>","role":"ADMIN"}`,
	} {
		h.Do("POST /invitations", bad).Refused(api.ErrInvalid)
	}
	a := h.Do("POST /invitations", `{"email":" B@example.com ","role":"ADMIN"}`).Want(201)
	url := a.String("url")
	if a.String("email") != "B@example.com" || a.String("role") != "ADMIN" || a.String("status") != "PENDING" || a.String("invited_by") != h.owner ||
		a.At("accepted_at") != nil || a.String("expires_at") != h.db.Now().Add(168*time.Hour).Format(time.RFC3339) ||
		!strings.HasPrefix(url, "https://svc.example/public/invitation?token=") || len(url) != len("https://svc.example/public/invitation?token=")+43 {
		t.Error(a.Body)
	}
	h.Do("POST /invitations", `{"email":"b@EXAMPLE.com","role":"ANALYST"}`).Refused(api.ErrConflict)
	h.Do("POST /invitations", `{"email":"owner@example.com","role":"ANALYST"}`).Refused(org.ErrAlreadyMember)
	list := h.Do("GET /invitations", nil).Want(200)
	if list.Int("total") != 1 || strings.Contains(list.Body, "url") || strings.Contains(list.Body, "token") {
		t.Error(list.Body)
	}
	id := a.String("id")
	h.clock.Add(168 * time.Hour)
	if a := h.Do("GET /invitations", nil); a.String("data.0.status") != "EXPIRED" {
		t.Error(a.Body)
	}
	again := h.Do("POST /invitations", `{"email":"b@example.com","role":"ANALYST"}`).Want(201).String("id")
	h.Do("DELETE /invitations/"+id, nil).Want(204)
	h.Do("DELETE /invitations/"+again, nil).Want(204)
	h.Do("DELETE /invitations/"+again, nil).Want(204)
	h.Do("POST /invitations", `{"email":"b@example.com","role":"ANALYST"}`).Want(201)
	h.Do("DELETE /invitations/"+h.db.NewID("inv"), nil).Refused(api.ErrNotFound)
	if a := h.Do("GET /invitations?sort=created_at&limit=1&offset=1", nil).Want(200); a.Int("total") != 3 || a.String("data.0.status") != "REVOKED" {
		t.Error(a.Body)
	}
	h.member("m@example.com", perm.Analyst)
	accepted := h.Do("GET /invitations?limit=1", nil)
	if accepted.String("data.0.status") != "ACCEPTED" || accepted.String("data.0.accepted_at") == "" {
		t.Error(accepted.Body)
	}
	h.Do("DELETE /invitations/"+accepted.String("data.0.id"), nil).Refused(org.ErrInvitationAccepted)
	other := h.organization("Another")
	h.Org = other
	h.Do("DELETE /invitations/"+again, nil).Refused(api.ErrNotFound)
	if a := h.Do("GET /invitations", nil).Want(200); a.Int("total") != 0 {
		t.Error(a.Body)
	}
}

func TestTooManyOrganizations(t *testing.T) {
	h := newHarness(t, org.Options{})
	for range org.MaxMemberships - 1 {
		h.organization("Same")
	}
	err := h.db.Update(t.Context(), func(tx *store.Tx) error {
		_, err := org.Create(tx, h.Call(), org.Fields{Name: "One more", Owner: h.owner})
		return err
	})
	if e := api.From(err); e.Code != "conflict" {
		t.Error(err)
	}
}

// TestAudit: every change of the team and of the organization stands in the log,
// and the chain holds.
func TestAudit(t *testing.T) {
	h := newHarness(t, org.Options{})
	id := h.member("b@example.com", perm.Operator)
	h.Do("PATCH /members/"+id, `{"role":"ADMIN"}`).Want(200)
	h.Do("PATCH /members/"+id, `{"role":"ADMIN"}`).Want(200) // changes nothing
	h.Do("DELETE /members/"+id, nil).Want(204)
	h.Do("PATCH /organization", `{"name":"New","retention":{"messages_days":5}}`).Want(200)
	h.Do("PATCH /organization", `{"name":"New"}`).Want(200) // changes nothing
	open := h.Do("POST /invitations", `{"email":"c@example.com","role":"ADMIN"}`).Want(201).String("id")
	h.Do("DELETE /invitations/"+open, nil).Want(204)
	h.Do("POST /organization/accept-policy", `{"policy_version":"1"}`).Want(200)
	want := "organization.created invitation.created member.joined member.role_changed member.removed organization.updated invitation.created invitation.revoked organization.policy_accepted"
	if got := h.log(); got != want {
		t.Errorf("the log has\n%s, want\n%s", got, want)
	}
}
