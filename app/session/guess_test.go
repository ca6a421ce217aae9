package session_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
)

// from is a browser at an address.
func (h *harness) from(ip string) *browser { return &browser{h: h, ip: ip} }

// signupFrom is signup at an address.
func (h *harness) signupFrom(ip, email, organization string) {
	h.t.Helper()
	h.from(ip).do("POST /auth/signup", map[string]any{"email": email, "password": password, "organization_name": organization}).Want(201)
}

func (b *browser) tryPassword(email, password string) apitest.Answer {
	b.h.t.Helper()
	return b.do("POST /auth/login", map[string]any{"email": email, "password": password})
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
	h := newHarness(t)
	h.signupFrom("192.0.2.1", "a@example.com", "A")
	for _, email := range []string{"nobody@example.com", "a@example.com"} {
		n := 0
		stranger := func() *browser { n++; return h.from(fmt.Sprintf("198.51.100.%d", n)) }
		for range 5 {
			stranger().tryPassword(email, "wrong password").Refused(session.ErrCredentials)
		}
		last, refused := time.Duration(0), 0
		for range 12 {
			wait := waitOf(t, stranger().tryPassword("  "+email, "wrong password"))
			if wait < last || wait > 15*time.Minute {
				t.Errorf("%s: the wait is %v after %v", email, wait, last)
			}
			last, refused = wait, refused+1
			h.clock.Add(wait - time.Second)
			waitOf(t, stranger().tryPassword(email, password)) // the right one, too soon
			h.clock.Add(time.Second)
			stranger().tryPassword(email, "wrong password").Refused(session.ErrCredentials)
		}
		if last != 15*time.Minute {
			t.Errorf("%s: the longest wait is %v", email, last)
		}
	}
	again := newHarnessOn(t, h.db, h.clock)
	h.clock.Add(15*time.Minute - time.Second)
	waitOf(t, again.from("203.0.113.5").tryPassword("a@example.com", password))
	h.clock.Add(time.Second)
	again.from("203.0.113.5").tryPassword("a@example.com", password).Want(200)
	again.from("203.0.113.6").tryPassword("a@example.com", "wrong password").Refused(session.ErrCredentials) // it begins anew
}

// TestNobodyLocksAnOwnerOut: where somebody signed in before, a count of its own decides.
func TestNobodyLocksAnOwnerOut(t *testing.T) {
	h := newHarness(t)
	h.signupFrom("192.0.2.1", "a@example.com", "A")
	for i := range 10 {
		h.from(fmt.Sprintf("198.51.100.%d", i)).tryPassword("a@example.com", "wrong password")
	}
	waitOf(t, h.from("203.0.113.5").tryPassword("a@example.com", password)) // at a new address it waits
	h.from("192.0.2.1").tryPassword("a@example.com", password).Want(200)
	for range 5 {
		h.from("192.0.2.1").tryPassword("a@example.com", "wrong password").Refused(session.ErrCredentials)
	}
	waitOf(t, h.from("192.0.2.1").tryPassword("a@example.com", password)) // it has a bound, too
	if _, err := h.s.ResetPassword(t.Context(), "a@example.com", false); err != nil {
		t.Fatal(err)
	}
	h.from("203.0.113.5").tryPassword("a@example.com", "wrong password").Refused(session.ErrCredentials) // and no wait
}

// TestWrongPasswordsMakeAnAddressWait: whoever tries one password on many accounts; one
// right sign-in of their own does not help them.
func TestWrongPasswordsMakeAnAddressWait(t *testing.T) {
	h := newHarness(t)
	h.signupFrom("192.0.2.1", "own@example.com", "Own")
	h.signupFrom("192.0.2.2", "a@example.com", "A")
	for i := range 15 {
		h.from("198.51.100.1").tryPassword(fmt.Sprintf("p%d@example.com", i), password).Refused(session.ErrCredentials)
		if i == 7 {
			h.from("198.51.100.1").tryPassword("own@example.com", password).Want(200)
		}
	}
	wait := waitOf(t, h.from("198.51.100.1").tryPassword("a@example.com", password))
	h.from("198.51.100.1").tryPassword("own@example.com", password).Want(200) // whose network it is by now
	h.from("198.51.100.2").tryPassword("a@example.com", password).Want(200)   // another address
	h.clock.Add(wait)
	h.from("198.51.100.1").tryPassword("a@example.com", password).Want(200)
	if session.Guesses(t, h.db) == 0 {
		t.Fatal("nothing is remembered")
	}
	h.clock.Add(91 * 24 * time.Hour)
	if err := h.s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := session.Guesses(t, h.db); n != 0 {
		t.Errorf("%d counts stay for ever", n)
	}
}

// TestTheCurrentPasswordIsNotGuessed: not by who holds a session of somebody.
func TestTheCurrentPasswordIsNotGuessed(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	change := func(current string) apitest.Answer {
		return b.do("PATCH /me", map[string]any{"new_password": "another good one", "current_password": current})
	}
	for range 5 {
		change("wrong password").Refused(api.ErrInvalid)
	}
	wait := waitOf(t, change(password))
	b.do("PATCH /me", map[string]any{"name": "Olga"}).Want(200)
	h.clock.Add(wait)
	change(password).Want(200)
	change("wrong password").Refused(api.ErrInvalid) // it begins anew

	secret := b.enrol()
	for range 4 {
		b.do("POST /me/mfa/disable", map[string]any{"password": "wrong password"}).Refused(api.ErrInvalid)
	}
	waitOf(t, b.do("POST /me/mfa/disable", map[string]any{"password": "another good one"}))
	b.do("POST /me/mfa/disable", map[string]any{"code": b.code(secret)}).Want(200)
}

// TestWaitingSessionsEndNoVerifiedOne: who knows only the password of somebody with
// two-factor opens few sessions that wait, for a short time, and ends no other.
func TestWaitingSessionsEndNoVerifiedOne(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	secret := b.enrol()
	for range session.MaxSessions + 2 {
		h.browser().login("a@example.com").Want(200)
	}
	b.do("GET /me", nil).Want(200)
	if n := session.Sessions(t, h.db); n != 1+session.MaxWaiting {
		t.Errorf("%d sessions", n)
	}
	waiting := h.browser()
	waiting.login("a@example.com").Want(200)
	h.clock.Add(15 * time.Minute)
	waiting.do("POST /auth/mfa/verify", map[string]any{"code": b.code(secret)}).Refused(api.ErrUnauthenticated)
	b.do("GET /me", nil).Want(200)

	// Verified ones are bounded as before: the oldest goes.
	for range session.MaxSessions {
		w := h.browser()
		w.login("a@example.com").Want(200)
		h.clock.Add(30 * time.Second)
		w.do("POST /auth/mfa/verify", map[string]any{"code": b.code(secret)}).Want(200)
	}
	b.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	if n := session.Sessions(t, h.db); n > session.MaxSessions+session.MaxWaiting {
		t.Errorf("%d sessions", n)
	}
}

// TestElevation: with the code a session gets another token and its whole life; the token
// from before it is dead (contract 21.3, Elevation).
func TestElevation(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	before := &browser{h: h, cred: b.cred}
	secret := b.enrol()
	before.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	w := h.browser()
	w.login("a@example.com").Want(200)
	before = &browser{h: h, cred: w.cred}
	before.do("GET /me", nil).Want(200)
	w.do("POST /auth/mfa/verify", map[string]any{"code": "000000"}).Refused(session.ErrCredentials)
	before.do("GET /me", nil).Want(200)
	a := w.do("POST /auth/mfa/verify", map[string]any{"code": b.code(secret)}).Want(200)
	if a.Header.Get("Set-Cookie") == "" || w.cred.Cookie == before.cred.Cookie {
		t.Error("the token is the one from before the code")
	}
	before.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	h.clock.Add(24 * time.Hour) // longer than it may wait
	w.do("GET /me", nil).Want(200).String("organization.name")
}

// TestTheCookieIsBoundToItsHost: over https; under the plain name only a session works
// that was opened before.
func TestTheCookieIsBoundToItsHost(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	planted := &browser{h: h, cred: session.Credential{Cookie: b.cred.Cookie, PlainName: true}}
	planted.do("GET /me", nil).Refused(api.ErrUnauthenticated)
	b.do("GET /me", nil).Want(200)
	old := &browser{h: h, cred: session.Credential{Cookie: session.OpenFor(t, h.db, "a@example.com"), PlainName: true}}
	old.do("GET /me", nil).Want(200)
	if set := old.do("POST /auth/logout", nil).Want(204).Header.Values("Set-Cookie"); len(set) != 2 {
		t.Errorf("both cookies must end: %q", set)
	}
}
