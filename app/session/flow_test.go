package session_test

import (
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/storetest"
)

// TestPayload holds every field of the session payload (contract 31).
func TestPayload(t *testing.T) {
	h := newHarness(t)
	b := h.signup("Olga@example.com", "Bozor")
	a := b.do("GET /me", nil).Want(200)
	for path, want := range map[string]any{
		"kind": "user", "user.email": "Olga@example.com", "user.name": "Olga", "user.is_platform_admin": false, "user.status": "ACTIVE",
		"user.mfa_enabled": false, "organization.name": "Bozor", "organization.slug": "bozor", "organization.status": "ACTIVE",
		"organization.plan": "PRO", "organization.aup_version": nil, "role": "OWNER", "organizations.0.role": "OWNER",
		"organizations.0.organization.name": "Bozor", "organizations.0.organization.plan": "PRO", "mfa_verified": false, "policy_version": "1",
		"permissions.0": "org:read", "permissions.21": "ai:operate", "permissions.22": nil,
	} {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for _, path := range []string{"user.id", "user.last_login_at", "user.created_at", "user.updated_at", "organization.id", "organizations.0.organization.id"} {
		if a.String(path) == "" {
			t.Errorf("%s is missing: %s", path, a.Body)
		}
	}
	h.set(map[string]any{"ai_enabled": false})
	if got := b.do("GET /me", nil).Want(200).At("permissions.19"); got != nil {
		t.Errorf("with AI off there is a permission %v", got)
	}
}

func TestCookie(t *testing.T) {
	h := newHarness(t)
	h.signup("a@example.com", "A")
	set := h.browser().login("a@example.com").Header.Get("Set-Cookie")
	value, rest, _ := strings.Cut(set, ";")
	if !strings.HasPrefix(value, "__Host-svc_session=") || len(value) != len("__Host-svc_session=")+43 {
		t.Errorf("the cookie is %q", value)
	}
	if want := " Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure"; rest != want {
		t.Errorf("the cookie says %q, want %q", rest, want)
	}
	h.s = session.New(h.db, &signal.Bus{}, h.users, session.Options{})
	h.srv = apitest.New(t, h.db, h.s)
	if set := h.browser().login("a@example.com").Header.Get("Set-Cookie"); !strings.HasSuffix(set, "SameSite=Lax") {
		t.Errorf("without https: %s", set)
	}
}

// TestSecretsAreNotStored looks for the secrets in everything that is stored.
func TestSecretsAreNotStored(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	_, k := b.key(map[string]any{"name": "k"})
	invitation := b.invite("b@example.com", "ADMIN")
	secret := b.do("POST /me/mfa/setup", nil).Want(200).String("secret")
	dump := h.t.TempDir() + "/copy.db"
	if err := h.db.Backup(t.Context(), dump); err != nil {
		t.Fatal(err)
	}
	data := readFile(t, dump)
	for name, s := range map[string]string{"cookie": b.cred.Cookie, "key": k.cred.Bearer[len("svck_123456789012_"):], "invitation": invitation, "two-factor": secret, "password": password} {
		if strings.Contains(data, s) {
			t.Errorf("the %s stands in the database", name)
		}
	}
	if !strings.Contains(data, "a@example.com") {
		t.Error("the search finds nothing at all")
	}
}

func TestSignup(t *testing.T) {
	h := newHarness(t)
	h.signup("a@example.com", "A")
	good := func(change map[string]any) map[string]any {
		body := map[string]any{"name": nil, "email": "new@example.com", "password": password, "organization_name": "N", "timezone": "UTC"}
		for k, v := range change {
			body[k] = v
		}
		return body
	}
	for _, tt := range []struct {
		change map[string]any
		field  string
	}{
		{map[string]any{"email": "nobody"}, "email"},
		{map[string]any{"email": "Olga <o@example.com>"}, "email"},
		{map[string]any{"email": strings.Repeat("a", 250) + "@b.co"}, "email"},
		{map[string]any{"password": "123456789"}, "password"},
		{map[string]any{"password": strings.Repeat("a", 257)}, "password"},
		{map[string]any{"organization_name": " "}, "organization_name"},
		{map[string]any{"organization_name": strings.Repeat("я", 121)}, "organization_name"},
		{map[string]any{"timezone": "Mars/Olympus"}, "timezone"},
		{map[string]any{"timezone": "Local"}, "timezone"},
		{map[string]any{"setup_token": "wrong"}, "setup_token"},
		{map[string]any{"name": strings.Repeat("я", 121)}, "name"},
	} {
		a := h.browser().do("POST /auth/signup", good(tt.change)).Refused(api.ErrInvalid)
		if a.String("error.details."+tt.field) == "" {
			t.Errorf("%v: no word on %s: %s", tt.change, tt.field, a.Body)
		}
	}
	h.browser().do("POST /auth/signup", good(map[string]any{"email": "A@EXAMPLE.com"})).Refused(api.ErrConflict)
	h.browser().do("POST /auth/signup", "not json").Refused(api.ErrInvalidJSON)
	ten := good(map[string]any{"password": "паролпарол", "name": "  "}) // 10 characters
	if a := h.browser().do("POST /auth/signup", ten).Want(201); a.At("user.name") != nil {
		t.Errorf("an empty name is %v", a.At("user.name"))
	}
	h.set(map[string]any{"signups_open": false})
	h.browser().do("POST /auth/signup", good(map[string]any{"email": "z@example.com"})).Refused(session.ErrSignupsClosed)
	h.browser().do("POST /auth/signup", good(map[string]any{"email": "z@example.com", "setup_token": "wrong"})).Refused(session.ErrSignupsClosed)
}

func TestLogin(t *testing.T) {
	h := newHarness(t)
	h.signup("a@example.com", "A")
	b := h.browser()
	b.do("POST /auth/login", map[string]any{"email": "a@example.com", "password": "wrong password"}).Refused(session.ErrCredentials)
	b.do("POST /auth/login", map[string]any{"email": "nobody@example.com", "password": password}).Refused(session.ErrCredentials)
	a := b.login(" A@Example.COM ").Want(200)
	if a.String("kind") != "user" || a.At("mfa_required") != nil || a.String("user.last_login_at") != h.db.Now().Format(time.RFC3339Nano) {
		t.Errorf("login answered %s", a.Body)
	}
	first := b.cred
	b.login("a@example.com").Want(200)
	if b.cred == first {
		t.Fatal("the same cookie again")
	}
	if err := h.s.Identify(h.srv.Call(), first); err != error(session.ErrCredentials) {
		t.Errorf("the session that the browser had before lives on: %v", err)
	}
	out := b.cred
	b.do("POST /auth/logout", nil).Want(204)
	if b.cred.Cookie != "" {
		t.Error("logout leaves the cookie")
	}
	b.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.cred = out
	b.do("GET /me", nil)
	if b.refused != error(session.ErrCredentials) {
		t.Errorf("after logout: %v", b.refused)
	}
}

func TestSessionEnds(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	h.clock.Add(14*24*time.Hour - time.Second)
	b.do("GET /me", nil).Want(200)
	h.clock.Add(time.Second)
	b.do("GET /me", nil)
	if b.refused != error(session.ErrCredentials) {
		t.Errorf("after 14 days: %v", b.refused)
	}
	h.set(map[string]any{"session_ttl_hours": 1})
	b.login("a@example.com").Want(200)
	h.clock.Add(time.Hour)
	b.do("GET /me", nil)
	if b.refused != error(session.ErrCredentials) {
		t.Errorf("after the hour of the setting: %v", b.refused)
	}
}

func TestDisabling(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	alive := h.srv.Call()
	if err := h.s.Identify(alive, b.cred); err != nil || !alive.Alive() {
		t.Fatal(err)
	}
	var u user.User
	disable := func(f func(tx *store.Tx, c *api.Call, id string) error) {
		h.update(func(tx *store.Tx) (err error) {
			if u, err = user.ByEmail(tx, "a@example.com"); err != nil {
				return err
			}
			return f(tx, api.System(t.Context(), "", h.db.Now()), u.ID)
		})
	}
	disable(func(tx *store.Tx, c *api.Call, id string) error {
		_, err := h.users.Disable(tx, c, id, "left")
		return err
	})
	if !alive.Revoked() {
		t.Error("an open stream would go on")
	}
	b.do("GET /me", nil)
	if b.refused != error(session.ErrCredentials) {
		t.Errorf("his session: %v", b.refused)
	}
	b.login("a@example.com").Refused(session.ErrUserDisabled)
	b.do("POST /auth/login", map[string]any{"email": "a@example.com", "password": "wrong password"}).Refused(session.ErrCredentials)
	disable(func(tx *store.Tx, c *api.Call, id string) error { _, err := h.users.Enable(tx, c, id); return err })
	b.login("a@example.com").Want(200)
	// A session that nobody ended, because nobody told this package, is refused too.
	silent := user.New(nil, "svc")
	disable(func(tx *store.Tx, c *api.Call, id string) error {
		_, err := silent.Disable(tx, c, id, "left")
		return err
	})
	b.do("GET /me", nil)
	if b.refused != error(session.ErrUserDisabled) {
		t.Errorf("the session of a disabled person: %v", b.refused)
	}
}

func TestMe(t *testing.T) {
	h := newHarness(t)
	b, other := h.signup("a@example.com", "A"), h.browser()
	other.login("a@example.com").Want(200)
	if a := b.do("PATCH /me", `{"name":"  Olga B "}`).Want(200); a.String("user.name") != "Olga B" {
		t.Error(a.Body)
	}
	if a := b.do("PATCH /me", `{}`).Want(200); a.String("user.name") != "Olga B" {
		t.Error(a.Body)
	}
	if a := b.do("PATCH /me", `{"name":null}`).Want(200); a.At("user.name") != nil {
		t.Error(a.Body)
	}
	for body, field := range map[string]string{
		`{"new_password":"new password 1"}`:                                     "current_password",
		`{"new_password":"new password 1","current_password":"wrong password"}`: "current_password",
		`{"new_password":"short","current_password":"correct horse battery"}`:   "new_password",
		`{"name":"` + strings.Repeat("x", 121) + `"}`:                           "name",
	} {
		if a := b.do("PATCH /me", body).Refused(api.ErrInvalid); a.String("error.details."+field) == "" {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	b.do("PATCH /me", `{"new_password":"new password 1","current_password":"correct horse battery"}`).Want(200)
	b.do("GET /me", nil).Want(200)
	other.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	other.login("a@example.com").Refused(session.ErrCredentials)
	other.do("POST /auth/login", `{"email":"a@example.com","password":"new password 1"}`).Want(200)
}

func TestOwnSessions(t *testing.T) {
	h := newHarness(t)
	b, other, stranger := h.signup("a@example.com", "A"), h.browser(), h.signup("s@example.com", "S")
	h.clock.Add(time.Minute)
	other.login("a@example.com").Want(200)
	a := b.do("GET /me/sessions", nil).Want(200)
	if a.Int("total") != 2 || a.At("data.0.current") != false || a.At("data.1.current") != true || a.String("data.0.ip") != "192.0.2.1" || a.String("data.0.user_agent") != "test" {
		t.Fatal(a.Body)
	}
	if p := b.do("GET /me/sessions?limit=1&offset=1", nil).Want(200); p.Int("total") != 2 || p.String("data.0.id") != a.String("data.1.id") {
		t.Error(p.Body)
	}
	id := a.String("data.0.id")
	stranger.do("DELETE /me/sessions/"+id, nil).Refused(api.ErrNotFound)
	b.do("DELETE /me/sessions/"+id, nil).Want(204)
	b.do("DELETE /me/sessions/"+id, nil).Refused(api.ErrNotFound)
	other.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.do("DELETE /me/sessions/"+a.String("data.1.id"), nil).Want(204)
	if b.cred.Cookie != "" {
		t.Error("ending its own session leaves the cookie")
	}
	// One more than the most ends the oldest.
	b.login("a@example.com").Want(200)
	for range session.MaxSessions {
		h.clock.Add(time.Second)
		session.OpenFor(t, h.db, "a@example.com")
	}
	b.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	other.login("a@example.com").Want(200)
	if n := other.do("GET /me/sessions?limit=500", nil).Want(200).Int("total"); n != session.MaxSessions {
		t.Errorf("%d sessions", n)
	}
}

// TestClosuresRunTwice visits what changes the store on an engine that runs every
// closure twice.
func TestClosuresRunTwice(t *testing.T) {
	h := newHarnessOn(t, storetest.Twice(t, tables()...), nil)
	b := h.signup("a@example.com", "A")
	b.do("POST /me/organizations", `{"name":"B"}`).Want(201)
	b.join("n@example.com", "ADMIN")
	id, k := b.key(map[string]any{"name": "k"})
	k.do("GET /me", nil).Want(200)
	k.cred.Bearer = b.do("POST /api-keys/"+id+"/rotate", nil).Want(201).String("key")
	k.do("GET /me", nil).Want(200)
	b.do("POST /me/mfa/setup", nil).Want(200)
	b.do("POST /me/mfa/enable", `{"code":"000000"}`)
	b.do("PATCH /me", `{"name":"Z"}`).Want(200)
	b.login("a@example.com").Want(200)
	if n := b.do("GET /members", nil).Want(200).Int("total"); n != 2 {
		t.Errorf("%d members", n)
	}
}
