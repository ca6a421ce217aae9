package session_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
	"svc/app/session/sessiontest"
)

// from is a browser at an address.
func from(h *sessiontest.Harness, ip string) *sessiontest.Browser {
	return &sessiontest.Browser{H: h, IP: ip}
}

// signupFrom is signup at an address.
func signupFrom(h *sessiontest.Harness, ip, email, organization string) {
	h.T.Helper()
	from(h, ip).Do("POST /auth/signup", map[string]any{"email": email, "password": sessiontest.Password, "organization_name": organization}).Want(201)
}

func tryPassword(b *sessiontest.Browser, email, password string) apitest.Answer {
	b.H.T.Helper()
	return b.Do("POST /auth/login", map[string]any{"email": email, "password": password})
}

// waitOf is the Retry-After of a refusal, at least a second.
func waitOf(t *testing.T, a apitest.Answer) time.Duration {
	t.Helper()
	a.Refused(api.ErrRateLimited)
	seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if err != nil || seconds < 1 {
		t.Fatalf("Retry-After is %q", a.Header.Get("Retry-After"))
	}
	return time.Duration(seconds) * time.Second
}

// TestWrongPasswordsMakeAnAccountWait: from however many addresses, for an account that
// nobody has too, longer each time up to a bound, and over a restart. After the wait the
// right password works (contract 21.3, Guessing).
func TestWrongPasswordsMakeAnAccountWait(t *testing.T) {
	h := sessiontest.New(t)
	signupFrom(h, "192.0.2.1", "a@example.com", "A")
	for _, email := range []string{"nobody@example.com", "a@example.com"} {
		n := 0
		stranger := func() *sessiontest.Browser { n++; return from(h, fmt.Sprintf("198.51.100.%d", n)) }
		for range 5 {
			tryPassword(stranger(), email, "wrong password").Refused(session.ErrCredentials)
		}
		last, refused := time.Duration(0), 0
		for range 12 {
			wait := waitOf(t, tryPassword(stranger(), "  "+email, "wrong password"))
			if wait < last || wait > 15*time.Minute {
				t.Errorf("%s: the wait is %v after %v", email, wait, last)
			}
			last, refused = wait, refused+1
			h.Clock.Add(wait - time.Second)
			waitOf(t, tryPassword(stranger(), email, sessiontest.Password)) // the right one, too soon
			h.Clock.Add(time.Second)
			tryPassword(stranger(), email, "wrong password").Refused(session.ErrCredentials)
		}
		if last != 15*time.Minute {
			t.Errorf("%s: the longest wait is %v", email, last)
		}
	}
	again := sessiontest.On(t, h.DB, h.Clock)
	h.Clock.Add(15*time.Minute - time.Second)
	waitOf(t, tryPassword(from(again, "203.0.113.5"), "a@example.com", sessiontest.Password))
	h.Clock.Add(time.Second)
	tryPassword(from(again, "203.0.113.5"), "a@example.com", sessiontest.Password).Want(200)
	tryPassword(from(again, "203.0.113.6"), "a@example.com", "wrong password").Refused(session.ErrCredentials) // it begins anew
}

// TestNobodyLocksAnOwnerOut: where somebody signed in before, a count of its own decides.
func TestNobodyLocksAnOwnerOut(t *testing.T) {
	h := sessiontest.New(t)
	signupFrom(h, "192.0.2.1", "a@example.com", "A")
	for i := range 10 {
		tryPassword(from(h, fmt.Sprintf("198.51.100.%d", i)), "a@example.com", "wrong password")
	}
	waitOf(t, tryPassword(from(h, "203.0.113.5"), "a@example.com", sessiontest.Password)) // at a new address it waits
	tryPassword(from(h, "192.0.2.1"), "a@example.com", sessiontest.Password).Want(200)
	for range 5 {
		tryPassword(from(h, "192.0.2.1"), "a@example.com", "wrong password").Refused(session.ErrCredentials)
	}
	waitOf(t, tryPassword(from(h, "192.0.2.1"), "a@example.com", sessiontest.Password)) // it has a bound, too
	if _, err := h.S.ResetPassword(t.Context(), "a@example.com", false); err != nil {
		t.Fatal(err)
	}
	tryPassword(from(h, "203.0.113.5"), "a@example.com", "wrong password").Refused(session.ErrCredentials) // and no wait
}

// TestWrongPasswordsMakeAnAddressWait: whoever tries one password on many accounts; one
// right sign-in of their own does not help them.
func TestWrongPasswordsMakeAnAddressWait(t *testing.T) {
	h := sessiontest.New(t)
	signupFrom(h, "192.0.2.1", "own@example.com", "Own")
	signupFrom(h, "192.0.2.2", "a@example.com", "A")
	for i := range 15 {
		tryPassword(from(h, "198.51.100.1"), fmt.Sprintf("p%d@example.com", i), sessiontest.Password).Refused(session.ErrCredentials)
		if i == 7 {
			tryPassword(from(h, "198.51.100.1"), "own@example.com", sessiontest.Password).Want(200)
		}
	}
	wait := waitOf(t, tryPassword(from(h, "198.51.100.1"), "a@example.com", sessiontest.Password))
	tryPassword(from(h, "198.51.100.1"), "own@example.com", sessiontest.Password).Want(200) // whose network it is by now
	tryPassword(from(h, "198.51.100.2"), "a@example.com", sessiontest.Password).Want(200)   // another address
	h.Clock.Add(wait)
	tryPassword(from(h, "198.51.100.1"), "a@example.com", sessiontest.Password).Want(200)
	if session.Guesses(t, h.DB) == 0 {
		t.Fatal("nothing is remembered")
	}
	h.Clock.Add(91 * 24 * time.Hour)
	if err := h.S.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := session.Guesses(t, h.DB); n != 0 {
		t.Errorf("%d counts stay for ever", n)
	}
}

// TestTheCurrentPasswordIsNotGuessed: not by who holds a session of somebody.
func TestTheCurrentPasswordIsNotGuessed(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	change := func(current string) apitest.Answer {
		return b.Do("PATCH /me", map[string]any{"new_password": "another good one", "current_password": current})
	}
	for range 5 {
		change("wrong password").Refused(api.ErrInvalid)
	}
	wait := waitOf(t, change(sessiontest.Password))
	b.Do("PATCH /me", map[string]any{"name": "Olga"}).Want(200)
	h.Clock.Add(wait)
	change(sessiontest.Password).Want(200)
	change("wrong password").Refused(api.ErrInvalid) // it begins anew

	secret := b.Enrol()
	for range 4 {
		b.Do("POST /me/mfa/disable", map[string]any{"password": "wrong password"}).Refused(api.ErrInvalid)
	}
	waitOf(t, b.Do("POST /me/mfa/disable", map[string]any{"password": "another good one"}))
	b.Do("POST /me/mfa/disable", map[string]any{"code": b.Code(secret)}).Want(200)
}

// TestWaitingSessionsEndNoVerifiedOne: who knows only the password of somebody with
// two-factor opens few sessions that wait, for a short time, and ends no other.
func TestWaitingSessionsEndNoVerifiedOne(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	secret := b.Enrol()
	for range session.MaxSessions + 2 {
		h.Browser().Login("a@example.com").Want(200)
	}
	b.Do("GET /me", nil).Want(200)
	if n := session.Sessions(t, h.DB); n != 1+session.MaxWaiting {
		t.Errorf("%d sessions", n)
	}
	waiting := h.Browser()
	waiting.Login("a@example.com").Want(200)
	h.Clock.Add(15 * time.Minute)
	waiting.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Refused(api.ErrUnauthenticated)
	b.Do("GET /me", nil).Want(200)

	// Verified ones are bounded as before: the oldest goes.
	for range session.MaxSessions {
		w := h.Browser()
		w.Login("a@example.com").Want(200)
		h.Clock.Add(30 * time.Second)
		w.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Want(200)
	}
	b.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	if n := session.Sessions(t, h.DB); n > session.MaxSessions+session.MaxWaiting {
		t.Errorf("%d sessions", n)
	}
}

// TestElevation: with the code a session gets another token and its whole life; the token
// from before it is dead (contract 21.3, Elevation).
func TestElevation(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	before := &sessiontest.Browser{H: h, Cred: b.Cred}
	secret := b.Enrol()
	before.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	w := h.Browser()
	w.Login("a@example.com").Want(200)
	before = &sessiontest.Browser{H: h, Cred: w.Cred}
	before.Do("GET /me", nil).Want(200)
	w.Do("POST /auth/mfa/verify", map[string]any{"code": "000000"}).Refused(session.ErrCredentials)
	before.Do("GET /me", nil).Want(200)
	a := w.Do("POST /auth/mfa/verify", map[string]any{"code": b.Code(secret)}).Want(200)
	if a.Header.Get("Set-Cookie") == "" || w.Cred.Cookie == before.Cred.Cookie {
		t.Error("the token is the one from before the code")
	}
	before.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	h.Clock.Add(24 * time.Hour) // longer than it may wait
	w.Do("GET /me", nil).Want(200).String("organization.name")
}

// TestTheCookieIsBoundToItsHost: over https; under the plain name only a session works
// that was opened before.
func TestTheCookieIsBoundToItsHost(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	planted := &sessiontest.Browser{H: h, Cred: session.Credential{Cookie: b.Cred.Cookie, PlainName: true}}
	planted.Do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.Do("GET /me", nil).Want(200)
	old := &sessiontest.Browser{H: h, Cred: session.Credential{Cookie: session.OpenFor(t, h.DB, "a@example.com"), PlainName: true}}
	old.Do("GET /me", nil).Want(200)
	if set := old.Do("POST /auth/logout", nil).Want(204).Header.Values("Set-Cookie"); len(set) != 2 {
		t.Errorf("both cookies must end: %q", set)
	}
}
