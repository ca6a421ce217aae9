package session_test

import (
	"net/url"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/user"
)

func TestTwoFactor(t *testing.T) {
	h := sessiontest.New(t)
	b, other := h.Signup("a@example.com", "A"), h.Browser()
	other.Login("a@example.com").Want(200)
	b.Do("POST /me/mfa/enable", `{"code":"123456"}`).Refused(user.ErrMFASetup)
	b.Do("POST /me/mfa/disable", `{"code":"123456"}`).Refused(user.ErrMFAOff)
	b.Do("POST /auth/mfa/verify", `{"code":"123456"}`).Refused(user.ErrMFAOff)
	for _, code := range []string{`"12345"`, `"1234567"`, `"12345a"`, `123456`} {
		b.Do("POST /me/mfa/enable", `{"code":`+code+`}`).Refused(api.ErrInvalid)
	}
	setup := b.Do("POST /me/mfa/setup", nil).Want(200)
	secret := setup.String("secret")
	u, err := url.Parse(setup.String("otpauth_url"))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Path != "/svc:a@example.com" || u.Query().Get("secret") != secret || u.Query().Get("issuer") != "svc" {
		t.Fatalf("otpauth address: %v", u)
	}
	b.Do("POST /me/mfa/enable", `{"code":"000000"}`).Refused(session.ErrCredentials)
	stream := h.Srv.Call()
	if err := h.S.Identify(stream, other.Cred); err != nil || stream.Revoked() {
		t.Fatal(err)
	}
	a := b.Do("POST /me/mfa/enable", map[string]any{"code": b.Code(secret)}).Want(200)
	if a.At("user.mfa_enabled") != true || a.At("mfa_verified") != true {
		t.Fatal(a.Body)
	}
	b.Do("POST /me/mfa/setup", nil).Refused(user.ErrMFAEnabled)
	b.Do("POST /me/mfa/enable", `{"code":"123456"}`).Refused(user.ErrMFAEnabled)
	if !stream.Revoked() {
		t.Error("an open stream of a session that waits for a code goes on")
	}
	// Sessions from before wait for a code, and so does a new one.
	for _, w := range []*sessiontest.Browser{other, h.Browser()} {
		if w != other {
			if a := w.Login("a@example.com").Want(200); a.Body != `{"mfa_required":true}` {
				t.Fatalf("login answered %s", a.Body)
			}
		}
		a := w.Do("GET /me", nil).Want(200)
		if a.String("user.email") != "a@example.com" || a.At("organization") != nil || a.At("organizations.0") != nil || a.At("permissions.0") != nil || a.At("mfa_verified") != false {
			t.Errorf("before the code it is told %s", a.Body)
		}
		for _, route := range []string{"GET /me/sessions", "PATCH /me", "GET /organization", "GET /api-keys", "POST /me/mfa/setup", "POST /me/mfa/disable", "POST /me/organizations"} {
			w.Do(route, nil).Refused(api.ErrMFARequired)
		}
	}
	h.Clock.Add(30 * time.Second)
	a = other.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Want(200)
	if a.At("mfa_verified") != true || a.String("organization.name") != "A" {
		t.Error(a.Body)
	}
	other.Do("GET /organization", nil).Want(200)
}

// TestCodeWorksOnce is the rule of drift and reuse, code by code.
func TestCodeWorksOnce(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	secret := b.Enrol()
	h.Clock.Add(10 * time.Minute)
	at := func(steps int) string {
		h.Clock.Add(time.Duration(steps) * 30 * time.Second)
		defer h.Clock.Add(time.Duration(-steps) * 30 * time.Second)
		return b.Code(secret)
	}
	try := func(name, code string, good bool) {
		t.Helper()
		a := b.Do("POST /auth/mfa/verify", map[string]any{"code": code})
		if good {
			a.Want(200)
		} else if a.Refused(session.ErrCredentials); t.Failed() {
			t.Fatal(name)
		}
	}
	try("two steps old", at(-2), false)
	try("two steps early", at(2), false)
	try("one step old", at(-1), true)
	try("one step old again", at(-1), false)
	try("now", at(0), true)
	try("now again", at(0), false)
	try("one step early", at(1), true)
	try("now, behind an early one", at(0), false)
	h.Clock.Add(30 * time.Second)
	try("the early one again when its time has come", at(0), false)
	h.Clock.Add(30 * time.Second)
	try("the next", at(0), true)
}

func TestWrongCodesMustWait(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	secret := b.Enrol()
	wrong := func() string { // no code of these steps
		for _, c := range []string{"000000", "111111", "222222", "333333"} {
			if c != b.Code(secret) {
				return c
			}
		}
		return ""
	}
	for range 5 {
		b.Do("POST /auth/mfa/verify", map[string]any{"code": wrong()}).Refused(session.ErrCredentials)
	}
	a := b.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Refused(api.ErrRateLimited)
	if a.Header.Get("Retry-After") != "30" {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	b.Do("POST /me/mfa/disable", map[string]any{"code": b.Code(secret)}).Refused(api.ErrRateLimited)
	h.Clock.Add(30 * time.Second)
	b.Do("POST /auth/mfa/verify", map[string]any{"code": wrong()}).Refused(session.ErrCredentials)
	h.Clock.Add(59 * time.Second)
	b.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Refused(api.ErrRateLimited)
	h.Clock.Add(time.Second)
	b.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Want(200)
	b.Do("POST /auth/mfa/verify", map[string]any{"code": wrong()}).Refused(session.ErrCredentials) // counted anew
}

func TestTurningTwoFactorOff(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	secret := b.Enrol()
	if a := b.Do("POST /me/mfa/disable", `{}`).Refused(api.ErrInvalid); a.String("error.details.password") == "" {
		t.Error(a.Body)
	}
	b.Do("POST /me/mfa/disable", `{"password":"wrong password"}`).Refused(api.ErrInvalid)
	b.Do("POST /me/mfa/disable", `{"code":"00000"}`).Refused(session.ErrCredentials)
	if a := b.Do("POST /me/mfa/disable", map[string]any{"code": b.Code(secret)}).Want(200); a.At("user.mfa_enabled") != false || a.At("mfa_verified") != false {
		t.Error(a.Body)
	}
	h.Browser().Login("a@example.com").Want(200)
	h.Clock.Add(time.Minute)
	second := b.Enrol()
	if second == secret {
		t.Error("the old secret again")
	}
	b.Do("POST /me/mfa/disable", map[string]any{"password": sessiontest.Password}).Want(200)
	// A secret that was turned on anew makes sessions of the old one wait.
	other := h.Browser()
	other.Login("a@example.com").Want(200)
	third := b.Enrol()
	other.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(third)}).Want(200)
	b.Do("POST /me/mfa/disable", map[string]any{"password": sessiontest.Password}).Want(200)
	h.Clock.Add(time.Minute)
	b.Enrol()
	other.Do("GET /organization", nil).Refused(api.ErrMFARequired)
}

// TestVerified: an administrator is one only with two-factor on and given.
func TestVerified(t *testing.T) {
	h := sessiontest.New(t)
	if _, err := h.S.CreateAdministrator(t.Context(), "admin@example.com"); err != nil {
		t.Fatal(err)
	}
	b := h.Browser()
	b.Cred.Cookie = session.OpenFor(t, h.DB, "admin@example.com")
	c := h.Srv.Call()
	who := func() api.Caller {
		if err := h.S.Identify(c, b.Cred); err != nil {
			t.Fatal(err)
		}
		return c.Caller
	}
	if w := who(); !w.Administrator || w.Verified || w.MFAPending {
		t.Errorf("without two-factor: %+v", w)
	}
	secret := b.Enrol()
	if w := who(); !w.Verified {
		t.Errorf("with it: %+v", w)
	}
	b.Cred.Cookie = session.OpenFor(t, h.DB, "admin@example.com")
	if w := who(); w.Verified || !w.MFAPending {
		t.Errorf("in a session without a code: %+v", w)
	}
	b.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Want(200)
	if w := who(); !w.Verified || w.MFAPending {
		t.Errorf("with the code: %+v", w)
	}
}
