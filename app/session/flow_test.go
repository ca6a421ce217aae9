package session_test

import (
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/storetest"
)

// TestPayload holds every field of the session payload (contract 31).
func TestPayload(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("Olga@example.com", "Bozor")
	a := b.Do("GET /me", nil).Want(200)
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
	h.Set(map[string]any{"ai_enabled": false})
	if got := b.Do("GET /me", nil).Want(200).At("permissions.19"); got != nil {
		t.Errorf("with AI off there is a permission %v", got)
	}
}

func TestCookie(t *testing.T) {
	h := sessiontest.New(t)
	h.Signup("a@example.com", "A")
	set := h.Browser().Login("a@example.com").Header.Get("Set-Cookie")
	value, rest, _ := strings.Cut(set, ";")
	if !strings.HasPrefix(value, "__Host-svc_session=") || len(value) != len("__Host-svc_session=")+43 {
		t.Errorf("the cookie is %q", value)
	}
	if want := " Path=/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure"; rest != want {
		t.Errorf("the cookie says %q, want %q", rest, want)
	}
	h.S = session.New(h.DB, &signal.Bus{}, h.Users, session.Options{})
	h.Srv = apitest.New(t, h.DB, h.S)
	if set := h.Browser().Login("a@example.com").Header.Get("Set-Cookie"); !strings.HasSuffix(set, "SameSite=Lax") {
		t.Errorf("without https: %s", set)
	}
}

// TestSecretsAreNotStored looks for the secrets in everything that is stored.
func TestSecretsAreNotStored(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "k"})
	invitation := b.Invite("b@example.com", "ADMIN")
	secret := b.Do("POST /me/mfa/setup", nil).Want(200).String("secret")
	dump := h.T.TempDir() + "/copy.db"
	if err := h.DB.Backup(t.Context(), dump); err != nil {
		t.Fatal(err)
	}
	data := sessiontest.ReadFile(t, dump)
	for name, s := range map[string]string{"cookie": b.Cred.Cookie, "key": k.Cred.Bearer[len("svck_123456789012_"):], "invitation": invitation, "two-factor": secret, "password": sessiontest.Password} {
		if strings.Contains(data, s) {
			t.Errorf("the %s stands in the database", name)
		}
	}
	if !strings.Contains(data, "a@example.com") {
		t.Error("the search finds nothing at all")
	}
}

func TestSignup(t *testing.T) {
	h := sessiontest.New(t)
	h.Signup("a@example.com", "A")
	good := func(change map[string]any) map[string]any {
		body := map[string]any{"name": nil, "email": "new@example.com", "password": sessiontest.Password, "organization_name": "N", "timezone": "UTC"}
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
		a := h.Browser().Do("POST /auth/signup", good(tt.change)).Refused(api.ErrInvalid)
		if a.String("error.details."+tt.field) == "" {
			t.Errorf("%v: no word on %s: %s", tt.change, tt.field, a.Body)
		}
	}
	h.Browser().Do("POST /auth/signup", good(map[string]any{"email": "A@EXAMPLE.com"})).Refused(api.ErrConflict)
	h.Browser().Do("POST /auth/signup", "not json").Refused(api.ErrInvalidJSON)
	ten := good(map[string]any{"password": "паролпарол", "name": "  "}) // 10 characters
	if a := h.Browser().Do("POST /auth/signup", ten).Want(201); a.At("user.name") != nil {
		t.Errorf("an empty name is %v", a.At("user.name"))
	}
	h.Set(map[string]any{"signups_open": false})
	h.Browser().Do("POST /auth/signup", good(map[string]any{"email": "z@example.com"})).Refused(session.ErrSignupsClosed)
	h.Browser().Do("POST /auth/signup", good(map[string]any{"email": "z@example.com", "setup_token": "wrong"})).Refused(session.ErrSignupsClosed)
}

func TestLogin(t *testing.T) {
	h := sessiontest.New(t)
	h.Signup("a@example.com", "A")
	b := h.Browser()
	b.Do("POST /auth/login", map[string]any{"email": "a@example.com", "password": "wrong password"}).Refused(session.ErrCredentials)
	b.Do("POST /auth/login", map[string]any{"email": "nobody@example.com", "password": sessiontest.Password}).Refused(session.ErrCredentials)
	a := b.Login(" A@Example.COM ").Want(200)
	if a.String("kind") != "user" || a.At("mfa_required") != nil || a.String("user.last_login_at") != h.DB.Now().Format(time.RFC3339Nano) {
		t.Errorf("login answered %s", a.Body)
	}
	first := b.Cred
	b.Login("a@example.com").Want(200)
	if b.Cred == first {
		t.Fatal("the same cookie again")
	}
	if err := h.S.Identify(h.Srv.Call(), first); err != error(session.ErrCredentials) {
		t.Errorf("the session that the browser had before lives on: %v", err)
	}
	out := b.Cred
	b.Do("POST /auth/logout", nil).Want(204)
	if b.Cred.Cookie != "" {
		t.Error("logout leaves the cookie")
	}
	b.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.Cred = out
	b.Do("GET /me", nil)
	if b.Refused != error(session.ErrCredentials) {
		t.Errorf("after logout: %v", b.Refused)
	}
}

func TestSessionEnds(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	h.Clock.Add(14*24*time.Hour - time.Second)
	b.Do("GET /me", nil).Want(200)
	h.Clock.Add(time.Second)
	b.Do("GET /me", nil)
	if b.Refused != error(session.ErrCredentials) {
		t.Errorf("after 14 days: %v", b.Refused)
	}
	h.Set(map[string]any{"session_ttl_hours": 1})
	b.Login("a@example.com").Want(200)
	h.Clock.Add(time.Hour)
	b.Do("GET /me", nil)
	if b.Refused != error(session.ErrCredentials) {
		t.Errorf("after the hour of the setting: %v", b.Refused)
	}
}

func TestDisabling(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	alive := h.Srv.Call()
	if err := h.S.Identify(alive, b.Cred); err != nil || !alive.Alive() {
		t.Fatal(err)
	}
	var u user.User
	disable := func(f func(tx *store.Tx, c *api.Call, id string) error) {
		h.Update(func(tx *store.Tx) (err error) {
			if u, err = user.ByEmail(tx, "a@example.com"); err != nil {
				return err
			}
			return f(tx, api.System(t.Context(), "", h.DB.Now()), u.ID)
		})
	}
	disable(func(tx *store.Tx, c *api.Call, id string) error {
		_, err := h.Users.Disable(tx, c, id, "left")
		return err
	})
	if !alive.Revoked() {
		t.Error("an open stream would go on")
	}
	b.Do("GET /me", nil)
	if b.Refused != error(session.ErrCredentials) {
		t.Errorf("his session: %v", b.Refused)
	}
	b.Login("a@example.com").Refused(session.ErrUserDisabled)
	b.Do("POST /auth/login", map[string]any{"email": "a@example.com", "password": "wrong password"}).Refused(session.ErrCredentials)
	disable(func(tx *store.Tx, c *api.Call, id string) error { _, err := h.Users.Enable(tx, c, id); return err })
	b.Login("a@example.com").Want(200)
	// A session that nobody ended, because nobody told this package, is refused too.
	silent := user.New(nil, "svc")
	disable(func(tx *store.Tx, c *api.Call, id string) error {
		_, err := silent.Disable(tx, c, id, "left")
		return err
	})
	b.Do("GET /me", nil)
	if b.Refused != error(session.ErrUserDisabled) {
		t.Errorf("the session of a disabled person: %v", b.Refused)
	}
}

func TestMe(t *testing.T) {
	h := sessiontest.New(t)
	b, other := h.Signup("a@example.com", "A"), h.Browser()
	other.Login("a@example.com").Want(200)
	if a := b.Do("PATCH /me", `{"name":"  Olga B "}`).Want(200); a.String("user.name") != "Olga B" {
		t.Error(a.Body)
	}
	if a := b.Do("PATCH /me", `{}`).Want(200); a.String("user.name") != "Olga B" {
		t.Error(a.Body)
	}
	if a := b.Do("PATCH /me", `{"name":null}`).Want(200); a.At("user.name") != nil {
		t.Error(a.Body)
	}
	for body, field := range map[string]string{
		`{"new_password":"new password 1"}`:                                     "current_password",
		`{"new_password":"new password 1","current_password":"wrong password"}`: "current_password",
		`{"new_password":"short","current_password":"correct horse battery"}`:   "new_password",
		`{"name":"` + strings.Repeat("x", 121) + `"}`:                           "name",
	} {
		if a := b.Do("PATCH /me", body).Refused(api.ErrInvalid); a.String("error.details."+field) == "" {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	b.Do("PATCH /me", `{"new_password":"new password 1","current_password":"correct horse battery"}`).Want(200)
	b.Do("GET /me", nil).Want(200)
	other.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	other.Login("a@example.com").Refused(session.ErrCredentials)
	other.Do("POST /auth/login", `{"email":"a@example.com","password":"new password 1"}`).Want(200)
}

func TestOwnSessions(t *testing.T) {
	h := sessiontest.New(t)
	b, other, stranger := h.Signup("a@example.com", "A"), h.Browser(), h.Signup("s@example.com", "S")
	h.Clock.Add(time.Minute)
	other.Login("a@example.com").Want(200)
	a := b.Do("GET /me/sessions", nil).Want(200)
	if a.Int("total") != 2 || a.At("data.0.current") != false || a.At("data.1.current") != true || a.String("data.0.ip") != "192.0.2.1" || a.String("data.0.user_agent") != "test" {
		t.Fatal(a.Body)
	}
	if p := b.Do("GET /me/sessions?limit=1&offset=1", nil).Want(200); p.Int("total") != 2 || p.String("data.0.id") != a.String("data.1.id") {
		t.Error(p.Body)
	}
	id := a.String("data.0.id")
	stranger.Do("DELETE /me/sessions/"+id, nil).Refused(api.ErrNotFound)
	b.Do("DELETE /me/sessions/"+id, nil).Want(204)
	b.Do("DELETE /me/sessions/"+id, nil).Refused(api.ErrNotFound)
	other.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.Do("DELETE /me/sessions/"+a.String("data.1.id"), nil).Want(204)
	if b.Cred.Cookie != "" {
		t.Error("ending its own session leaves the cookie")
	}
	// One more than the most ends the oldest.
	b.Login("a@example.com").Want(200)
	for range session.MaxSessions {
		h.Clock.Add(time.Second)
		session.OpenFor(t, h.DB, "a@example.com")
	}
	b.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	other.Login("a@example.com").Want(200)
	if n := other.Do("GET /me/sessions?limit=500", nil).Want(200).Int("total"); n != session.MaxSessions {
		t.Errorf("%d sessions", n)
	}
}

// TestClosuresRunTwice visits what changes the store on an engine that runs every
// closure twice.
func TestClosuresRunTwice(t *testing.T) {
	h := sessiontest.On(t, storetest.Twice(t, sessiontest.Tables()...), nil)
	b := h.Signup("a@example.com", "A")
	b.Do("POST /me/organizations", `{"name":"B"}`).Want(201)
	b.Join("n@example.com", "ADMIN")
	id, k := b.Key(map[string]any{"name": "k"})
	k.Do("GET /me", nil).Want(200)
	k.Cred.Bearer = b.Do("POST /api-keys/"+id+"/rotate", nil).Want(201).String("key")
	k.Do("GET /me", nil).Want(200)
	b.Do("POST /me/mfa/setup", nil).Want(200)
	b.Do("POST /me/mfa/enable", `{"code":"000000"}`)
	b.Do("PATCH /me", `{"name":"Z"}`).Want(200)
	b.Login("a@example.com").Want(200)
	if n := b.Do("GET /members", nil).Want(200).Int("total"); n != 2 {
		t.Errorf("%d members", n)
	}
}
