package session_test

import (
	"errors"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

func TestAcceptAsANewPerson(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	token := b.invite("New@example.com", "OPERATOR")
	look := h.browser().do("GET /invitations/lookup?token="+token, nil).Want(200)
	if look.String("organization.name") != "A" || look.String("email") != "New@example.com" || look.String("role") != "OPERATOR" || look.At("existing_user") != false ||
		look.String("expires_at") != h.db.Now().Add(7*24*time.Hour).Format(time.RFC3339) {
		t.Error(look.Body)
	}
	n := h.browser()
	if a := n.do("POST /invitations/accept", map[string]any{"token": token}).Refused(api.ErrInvalid); a.String("error.details.password") == "" {
		t.Error(a.Body)
	}
	a := n.do("POST /invitations/accept", map[string]any{"token": token, "name": "New", "password": password}).Want(200)
	if a.String("user.email") != "New@example.com" || a.String("user.name") != "New" || a.String("role") != "OPERATOR" || a.String("organization.name") != "A" || n.cred.Cookie == "" {
		t.Error(a.Body)
	}
	n.do("GET /organization", nil).Want(200)
	n.do("POST /invitations", `{"email":"x@example.com","role":"ANALYST"}`).Refused(api.ErrForbidden)
	for _, again := range []string{"GET /invitations/lookup?token=" + token} {
		h.browser().do(again, nil).Refused(org.ErrInvitationUsed)
	}
	h.browser().do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Refused(org.ErrInvitationUsed)
}

func TestAcceptAsAnExistingPerson(t *testing.T) {
	h := newHarness(t)
	b, n, third := h.signup("a@example.com", "A"), h.signup("n@example.com", "N"), h.signup("t@example.com", "T")
	token := b.invite("N@Example.com", "ADMIN")
	if a := h.browser().do("GET /invitations/lookup?token="+token, nil).Want(200); a.At("existing_user") != true {
		t.Error(a.Body)
	}
	accept := func(w *browser) {
		w.do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Refused(org.ErrSignInRequired)
	}
	accept(h.browser())
	accept(third)
	_, key := n.key(map[string]any{"name": "k"})
	accept(key)
	secret := n.enrol()
	waiting := h.browser()
	waiting.login("n@example.com").Want(200)
	waiting.do("POST /invitations/accept", map[string]any{"token": token}).Refused(api.ErrMFARequired)
	waiting.do("POST /auth/mfa/verify", map[string]any{"code": n.code(secret)}).Want(200)
	a := waiting.do("POST /invitations/accept", map[string]any{"token": token}).Want(200)
	if a.String("organization.name") != "A" || a.String("role") != "ADMIN" || a.At("organizations.1") == nil {
		t.Error(a.Body)
	}
	b.do("POST /invitations", `{"email":"n@example.com","role":"ADMIN"}`).Refused(org.ErrAlreadyMember)
}

func TestInvitationsThatCannotBeUsed(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	both := func(token string, want *api.Error) {
		t.Helper()
		h.browser().do("GET /invitations/lookup?token="+token, nil).Refused(want)
		h.browser().do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Refused(want)
	}
	both("nothing", org.ErrInvalidInvitation)
	revoked := b.invite("r@example.com", "ADMIN")
	b.do("DELETE /invitations/"+b.do("GET /invitations", nil).String("data.0.id"), nil).Want(204)
	both(revoked, org.ErrInvitationRevoked)
	late := b.invite("l@example.com", "ADMIN")
	h.clock.Add(7*24*time.Hour - time.Second)
	h.browser().do("GET /invitations/lookup?token="+late, nil).Want(200)
	h.clock.Add(time.Second)
	both(late, org.ErrInvitationExpired)
	h.browser().do("GET /invitations/lookup", nil).Refused(api.ErrInvalid)
}

// TestPlaces: an invitation takes a place of the plan, and so does a member.
func TestPlaces(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	in := b.do("GET /me", nil).String("organization.id")
	limit := func(n int) {
		h.update(func(tx *store.Tx) error {
			_, err := org.SetOverrides(tx, api.System(t.Context(), "", h.db.Now()), in, map[string]any{"members": float64(n)})
			return err
		})
	}
	limit(2)
	token := b.invite("one@example.com", "ADMIN")
	b.do("POST /invitations", `{"email":"two@example.com","role":"ADMIN"}`).Refused(api.ErrPlanLimit)
	limit(1)
	h.browser().do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Refused(api.ErrPlanLimit)
	limit(2)
	h.browser().do("POST /invitations/accept", map[string]any{"token": token, "password": password}).Want(200)
	b.do("POST /invitations", `{"email":"two@example.com","role":"ADMIN"}`).Refused(api.ErrPlanLimit)
	limit(3)
	b.invite("two@example.com", "ADMIN")
	h.clock.Add(7 * 24 * time.Hour) // one that expired gives its place back
	b.invite("three@example.com", "ADMIN")
}

func TestFirstPerson(t *testing.T) {
	h := newHarness(t)
	h.set(map[string]any{"signups_open": false})
	old, err := h.s.SetupLink(t.Context())
	if err != nil || old[:len("https://svc.example/console/signup?setup_token=")] != "https://svc.example/console/signup?setup_token=" {
		t.Fatal(old, err)
	}
	link, _ := h.s.SetupLink(t.Context())
	token := func(link string) string { return link[len(link)-43:] }
	signup := func(email, token string) (*browser, map[string]any) {
		return h.browser(), map[string]any{"email": email, "password": password, "organization_name": "P", "setup_token": token}
	}
	b, body := signup("first@example.com", token(old))
	b.do("POST /auth/signup", body).Refused(session.ErrSignupsClosed)
	b, body = signup("first@example.com", token(link))
	if a := b.do("POST /auth/signup", body).Want(201); a.At("user.is_platform_admin") != true {
		t.Error(a.Body)
	}
	b, body = signup("second@example.com", token(link))
	b.do("POST /auth/signup", body).Refused(session.ErrSignupsClosed)
	if link, err := h.s.SetupLink(t.Context()); link != "" || err != nil {
		t.Errorf("with an administrator there is a link: %s, %v", link, err)
	}
}

func TestCommands(t *testing.T) {
	h := newHarness(t)
	made, err := h.s.CreateAdministrator(t.Context(), "root@example.com")
	if err != nil || len(made) < 26 {
		t.Fatal(made, err)
	}
	b := h.browser()
	if a := b.do("POST /auth/login", map[string]any{"email": "root@example.com", "password": made}).Want(200); a.At("user.is_platform_admin") != true || a.At("organization") != nil {
		t.Error(a.Body)
	}
	b.do("GET /organization", nil).Refused(api.ErrNoOrganization)
	b.do("POST /me/organizations", `{"name":"First"}`).Want(201)
	n := h.signup("n@example.com", "N")
	if made, err := h.s.CreateAdministrator(t.Context(), "N@example.com"); made != "" || err != nil {
		t.Errorf("promoting gave %q, %v", made, err)
	}
	if a := n.do("GET /me", nil); a.At("user.is_platform_admin") != true {
		t.Error(a.Body)
	}
	if _, err := h.s.CreateAdministrator(t.Context(), "nobody"); err == nil {
		t.Error("an address that is none")
	}
	secret := n.enrol()
	fresh, err := h.s.ResetPassword(t.Context(), "n@example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	n.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	n.login("n@example.com").Refused(session.ErrCredentials)
	if a := n.do("POST /auth/login", map[string]any{"email": "n@example.com", "password": fresh}).Want(200); a.At("mfa_required") != true {
		t.Error(a.Body)
	}
	n.do("POST /auth/mfa/verify", map[string]any{"code": n.code(secret)}).Want(200)
	fresh, _ = h.s.ResetPassword(t.Context(), "n@example.com", true)
	if a := n.do("POST /auth/login", map[string]any{"email": "n@example.com", "password": fresh}).Want(200); a.At("mfa_required") != nil {
		t.Error(a.Body)
	}
	if _, err := h.s.ResetPassword(t.Context(), "nobody@example.com", true); err == nil {
		t.Error("an address that nobody has")
	}
}

// TestTwoAcceptAtOnce: of two requests that both found the invitation open, one
// joins; the other finds a member.
func TestTwoAcceptAtOnce(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	h.signup("n@example.com", "N")
	token := b.invite("n@example.com", "ADMIN")
	h.update(func(tx *store.Tx) error {
		open, err := org.OpenInvitation(tx, token)
		if err != nil {
			return err
		}
		u, err := user.ByEmail(tx, "n@example.com")
		if err != nil {
			return err
		}
		c := api.System(t.Context(), open.Org, h.db.Now())
		if err := org.Join(tx, c, open, &u); err != nil {
			return err
		}
		if err := org.Join(tx, c, open, &u); !errors.Is(err, org.ErrAlreadyMember) {
			t.Errorf("joined twice: %v", err)
		}
		return nil
	})
}
