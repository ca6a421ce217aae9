package session_test

import (
	"errors"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/user"
	"svc/store"
)

func TestAcceptAsANewPerson(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	token := b.Invite("New@example.com", "OPERATOR")
	look := h.Browser().Do("GET /invitations/lookup?token="+token, nil).Want(200)
	if look.String("organization.name") != "A" || look.String("email") != "New@example.com" || look.String("role") != "OPERATOR" || look.At("existing_user") != false ||
		look.String("expires_at") != h.DB.Now().Add(7*24*time.Hour).Format(time.RFC3339) {
		t.Error(look.Body)
	}
	n := h.Browser()
	if a := n.Do("POST /invitations/accept", map[string]any{"token": token}).Refused(api.ErrInvalid); a.String("error.details.password") == "" {
		t.Error(a.Body)
	}
	a := n.Do("POST /invitations/accept", map[string]any{"token": token, "name": "New", "password": sessiontest.Password}).Want(200)
	if a.String("user.email") != "New@example.com" || a.String("user.name") != "New" || a.String("role") != "OPERATOR" || a.String("organization.name") != "A" || n.Cred.Cookie == "" {
		t.Error(a.Body)
	}
	n.Do("GET /organization", nil).Want(200)
	n.Do("POST /invitations", `{"email":"x@example.com","role":"ANALYST"}`).Refused(api.ErrForbidden)
	for _, again := range []string{"GET /invitations/lookup?token=" + token} {
		h.Browser().Do(again, nil).Refused(org.ErrInvitationUsed)
	}
	h.Browser().Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Refused(org.ErrInvitationUsed)
}

func TestAcceptAsAnExistingPerson(t *testing.T) {
	h := sessiontest.New(t)
	b, n, third := h.Signup("a@example.com", "A"), h.Signup("n@example.com", "N"), h.Signup("t@example.com", "T")
	token := b.Invite("N@Example.com", "ADMIN")
	if a := h.Browser().Do("GET /invitations/lookup?token="+token, nil).Want(200); a.At("existing_user") != true {
		t.Error(a.Body)
	}
	accept := func(w *sessiontest.Browser) {
		w.Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Refused(org.ErrSignInRequired)
	}
	accept(h.Browser())
	accept(third)
	_, key := n.Key(map[string]any{"name": "k"})
	accept(key)
	secret := n.Enrol()
	waiting := h.Browser()
	waiting.Login("n@example.com").Want(200)
	waiting.Do("POST /invitations/accept", map[string]any{"token": token}).Refused(api.ErrMFARequired)
	waiting.Do("POST /auth/mfa/verify", map[string]any{"code": n.Code(secret)}).Want(200)
	a := waiting.Do("POST /invitations/accept", map[string]any{"token": token}).Want(200)
	if a.String("organization.name") != "A" || a.String("role") != "ADMIN" || a.At("organizations.1") == nil {
		t.Error(a.Body)
	}
	b.Do("POST /invitations", `{"email":"n@example.com","role":"ADMIN"}`).Refused(org.ErrAlreadyMember)
}

func TestInvitationsThatCannotBeUsed(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	both := func(token string, want *api.Error) {
		t.Helper()
		h.Browser().Do("GET /invitations/lookup?token="+token, nil).Refused(want)
		h.Browser().Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Refused(want)
	}
	both("nothing", org.ErrInvalidInvitation)
	revoked := b.Invite("r@example.com", "ADMIN")
	b.Do("DELETE /invitations/"+b.Do("GET /invitations", nil).String("data.0.id"), nil).Want(204)
	both(revoked, org.ErrInvitationRevoked)
	late := b.Invite("l@example.com", "ADMIN")
	h.Clock.Add(7*24*time.Hour - time.Second)
	h.Browser().Do("GET /invitations/lookup?token="+late, nil).Want(200)
	h.Clock.Add(time.Second)
	both(late, org.ErrInvitationExpired)
	h.Browser().Do("GET /invitations/lookup", nil).Refused(api.ErrInvalid)
}

// TestPlaces: an invitation takes a place of the plan, and so does a member.
func TestPlaces(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	in := b.Do("GET /me", nil).String("organization.id")
	limit := func(n int) {
		h.Update(func(tx *store.Tx) error {
			_, err := org.SetOverrides(tx, api.System(t.Context(), "", h.DB.Now()), in, map[string]any{"members": float64(n)})
			return err
		})
	}
	limit(2)
	token := b.Invite("one@example.com", "ADMIN")
	b.Do("POST /invitations", `{"email":"two@example.com","role":"ADMIN"}`).Refused(api.ErrPlanLimit)
	limit(1)
	h.Browser().Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Refused(api.ErrPlanLimit)
	limit(2)
	h.Browser().Do("POST /invitations/accept", map[string]any{"token": token, "password": sessiontest.Password}).Want(200)
	b.Do("POST /invitations", `{"email":"two@example.com","role":"ADMIN"}`).Refused(api.ErrPlanLimit)
	limit(3)
	b.Invite("two@example.com", "ADMIN")
	h.Clock.Add(7 * 24 * time.Hour) // one that expired gives its place back
	b.Invite("three@example.com", "ADMIN")
}

func TestFirstPerson(t *testing.T) {
	h := sessiontest.New(t)
	h.Set(map[string]any{"signups_open": false})
	old, err := h.S.SetupLink(t.Context())
	if err != nil || old[:len("https://svc.example/console/signup?setup_token=")] != "https://svc.example/console/signup?setup_token=" {
		t.Fatal(old, err)
	}
	link, _ := h.S.SetupLink(t.Context())
	token := func(link string) string { return link[len(link)-43:] }
	signup := func(email, token string) (*sessiontest.Browser, map[string]any) {
		return h.Browser(), map[string]any{"email": email, "password": sessiontest.Password, "organization_name": "P", "setup_token": token}
	}
	b, body := signup("first@example.com", token(old))
	b.Do("POST /auth/signup", body).Refused(session.ErrSignupsClosed)
	b, body = signup("first@example.com", token(link))
	if a := b.Do("POST /auth/signup", body).Want(201); a.At("user.is_platform_admin") != true {
		t.Error(a.Body)
	}
	b, body = signup("second@example.com", token(link))
	b.Do("POST /auth/signup", body).Refused(session.ErrSignupsClosed)
	if link, err := h.S.SetupLink(t.Context()); link != "" || err != nil {
		t.Errorf("with an administrator there is a link: %s, %v", link, err)
	}
}

func TestCommands(t *testing.T) {
	h := sessiontest.New(t)
	made, err := h.S.CreateAdministrator(t.Context(), "root@example.com")
	if err != nil || len(made) < 26 {
		t.Fatal(made, err)
	}
	b := h.Browser()
	if a := b.Do("POST /auth/login", map[string]any{"email": "root@example.com", "password": made}).Want(200); a.At("user.is_platform_admin") != true || a.At("organization") != nil {
		t.Error(a.Body)
	}
	b.Do("GET /organization", nil).Refused(api.ErrNoOrganization)
	b.Do("POST /me/organizations", `{"name":"First"}`).Want(201)
	n := h.Signup("n@example.com", "N")
	if made, err := h.S.CreateAdministrator(t.Context(), "N@example.com"); made != "" || err != nil {
		t.Errorf("promoting gave %q, %v", made, err)
	}
	if a := n.Do("GET /me", nil); a.At("user.is_platform_admin") != true {
		t.Error(a.Body)
	}
	if _, err := h.S.CreateAdministrator(t.Context(), "nobody"); err == nil {
		t.Error("an address that is none")
	}
	secret := n.Enrol()
	fresh, err := h.S.ResetPassword(t.Context(), "n@example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	n.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	n.Login("n@example.com").Refused(session.ErrCredentials)
	if a := n.Do("POST /auth/login", map[string]any{"email": "n@example.com", "password": fresh}).Want(200); a.At("mfa_required") != true {
		t.Error(a.Body)
	}
	n.Do("POST /auth/mfa/verify", map[string]any{"code": n.Code(secret)}).Want(200)
	fresh, _ = h.S.ResetPassword(t.Context(), "n@example.com", true)
	if a := n.Do("POST /auth/login", map[string]any{"email": "n@example.com", "password": fresh}).Want(200); a.At("mfa_required") != nil {
		t.Error(a.Body)
	}
	if _, err := h.S.ResetPassword(t.Context(), "nobody@example.com", true); err == nil {
		t.Error("an address that nobody has")
	}
}

// TestTwoAcceptAtOnce: of two requests that both found the invitation open, one
// joins; the other finds a member.
func TestTwoAcceptAtOnce(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	h.Signup("n@example.com", "N")
	token := b.Invite("n@example.com", "ADMIN")
	h.Update(func(tx *store.Tx) error {
		open, err := org.OpenInvitation(tx, token)
		if err != nil {
			return err
		}
		u, err := user.ByEmail(tx, "n@example.com")
		if err != nil {
			return err
		}
		c := api.System(t.Context(), open.Org, h.DB.Now())
		if err := org.Join(tx, c, open, &u); err != nil {
			return err
		}
		if err := org.Join(tx, c, open, &u); !errors.Is(err, org.ErrAlreadyMember) {
			t.Errorf("joined twice: %v", err)
		}
		return nil
	})
}
