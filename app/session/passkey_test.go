package session_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
	"svc/app/session/passkeytest"
	"svc/app/user"
	"svc/store"
)

const passkeyHost, passkeyOrigin = "svc.example", "https://svc.example"

// device is an authenticator for the service of these tests.
func device() *passkeytest.Authenticator { return passkeytest.New(passkeyHost, passkeyOrigin) }

// beginKey asks for a new passkey.
func (b *browser) beginKey() apitest.Answer {
	b.h.t.Helper()
	return b.do("POST /me/passkeys/begin", map[string]any{"password": password}).Want(200)
}

// addKey adds a passkey and gives its id.
func (b *browser) addKey(d *passkeytest.Authenticator, name string) string {
	b.h.t.Helper()
	a := b.beginKey()
	return b.finishKey(d, a, name).Want(201).String("id")
}

func (b *browser) finishKey(d *passkeytest.Authenticator, begun apitest.Answer, name string) apitest.Answer {
	b.h.t.Helper()
	return b.do("POST /me/passkeys", map[string]any{
		"challenge_id": begun.String("challenge_id"), "name": name,
		"credential": d.Make(begun.String("public_key.challenge"), begun.String("public_key.user.id")),
	})
}

// useKey signs in, or gives the second factor at path "/auth/passkey/mfa".
func (b *browser) useKey(d *passkeytest.Authenticator, path string) apitest.Answer {
	b.h.t.Helper()
	a := b.do("POST "+path+"/begin", nil).Want(200)
	return b.do("POST "+path+"/finish", answerOf(d, a))
}

func answerOf(d *passkeytest.Authenticator, begun apitest.Answer) map[string]any {
	return map[string]any{"challenge_id": begun.String("challenge_id"), "credential": d.Use(begun.String("public_key.challenge"))}
}

const signIn, second = "/auth/passkey", "/auth/passkey/mfa"

func TestSignInWithAPasskey(t *testing.T) {
	h := newHarness(t)
	b, d := h.signup("a@example.com", "A"), device()
	b.addKey(d, "  Telephone ")
	list := b.do("GET /me/passkeys", nil).Want(200)
	if list.String("data.0.name") != "Telephone" || list.At("data.0.last_used_at") != nil || list.At("total") != float64(1) {
		t.Error(list.Body)
	}
	other := h.browser()
	a := other.useKey(d, signIn).Want(200)
	if a.String("user.email") != "a@example.com" || a.At("mfa_verified") != true || a.String("organization.name") != "A" {
		t.Errorf("signed in: %s", a.Body)
	}
	other.do("GET /organization", nil).Want(200)
	if list = other.do("GET /me/passkeys", nil).Want(200); list.At("data.0.last_used_at") == nil {
		t.Error(list.Body)
	}

	// With two-factor, one that verified its person needs no code; one that was only
	// touched does.
	b.enrol()
	if a := h.browser().useKey(d, signIn).Want(200); a.At("mfa_verified") != true {
		t.Errorf("verified: %s", a.Body)
	}
	d.Touch = true
	touched := h.browser()
	if a := touched.useKey(d, signIn).Want(200); a.Body != `{"mfa_required":true,"passkey":true}` {
		t.Errorf("touched: %s", a.Body)
	}
	touched.do("GET /organization", nil).Refused(api.ErrMFARequired)

	// After a password it takes the place of a code, and gives a new token.
	waiting := h.browser()
	if a := waiting.login("a@example.com").Want(200); a.Body != `{"mfa_required":true,"passkey":true}` {
		t.Errorf("after the password: %s", a.Body)
	}
	before := waiting.cred.Cookie
	begun := waiting.do("POST "+second+"/begin", nil).Want(200)
	if begun.At("public_key.allowCredentials.1") != nil || begun.At("public_key.allowCredentials.0") == nil {
		t.Errorf("it asks for %s", begun.Body)
	}
	a = waiting.do("POST "+second+"/finish", answerOf(d, begun)).Want(200)
	if a.At("mfa_verified") != true || waiting.cred.Cookie == before {
		t.Errorf("second factor: %s", a.Body)
	}

	h.update(func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, "a@example.com")
		if err != nil {
			return err
		}
		_, err = h.users.Disable(tx, h.srv.Call(), u.ID, "stolen")
		return err
	})
	d.Touch = false
	h.browser().useKey(d, signIn).Refused(session.ErrUserDisabled)
}

// TestPasskeyAnswersThatAreRefused: a challenge is one person's, for one purpose, works
// once and not for long; what the authenticator signs has to fit this service.
func TestPasskeyAnswersThatAreRefused(t *testing.T) {
	h := newHarness(t)
	b, d := h.signup("a@example.com", "A"), device()
	x := h.signup("x@example.com", "X")
	begun := b.beginKey()
	x.finishKey(d, begun, "Stolen").Refused(api.ErrInvalid)
	for name, bad := range map[string]string{"": "name", strings.Repeat("я", 65): "name"} {
		if a := b.finishKey(d, begun, name).Refused(api.ErrInvalid); a.At("error.details."+bad) == nil {
			t.Error(a.Body)
		}
	}
	b.finishKey(passkeytest.New("other.example", "https://other.example"), begun, "Other host").Refused(api.ErrInvalid)
	b.finishKey(d, begun, "Once").Refused(api.ErrInvalid) // the wrong one used the challenge up
	begun = b.beginKey()
	h.clock.Add(6 * time.Minute)
	b.finishKey(d, begun, "Late").Refused(api.ErrInvalid)
	b.finishKey(d, b.do("POST "+signIn+"/begin", nil).Want(200), "For another purpose").Refused(api.ErrInvalid)
	b.addKey(d, "Good")
	if a := b.finishKey(d, b.beginKey(), "Twice").Refused(api.ErrConflict); !strings.Contains(a.Body, "already") {
		t.Error(a.Body)
	}

	use := func(what string, change func(begun apitest.Answer) map[string]any) {
		t.Helper()
		n := h.browser()
		begun := n.do("POST "+signIn+"/begin", nil).Want(200)
		n.do("POST "+signIn+"/finish", change(begun)).Refused(session.ErrCredentials)
		if n.cred.Cookie != "" {
			t.Errorf("%s: it got a session", what)
		}
		n.do("POST "+signIn+"/finish", answerOf(d, begun)).Refused(session.ErrCredentials) // used up
	}
	use("another challenge", func(a apitest.Answer) map[string]any {
		return map[string]any{"challenge_id": a.String("challenge_id"), "credential": d.Use("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")}
	})
	use("another device", func(a apitest.Answer) map[string]any { return answerOf(device(), a) })
	use("another page", func(a apitest.Answer) map[string]any {
		d.Origin = "https://svc.example.evil.example"
		defer func() { d.Origin = passkeyOrigin }()
		return answerOf(d, a)
	})
	use("a changed signature", func(a apitest.Answer) map[string]any {
		body := answerOf(d, a)
		var c map[string]any
		_ = json.Unmarshal(body["credential"].(json.RawMessage), &c)
		r := c["response"].(map[string]any)
		s := r["signature"].(string)
		r["signature"] = s[:20] + string(s[20]^1) + s[21:]
		body["credential"] = c
		return body
	})
	use("nothing", func(a apitest.Answer) map[string]any {
		return map[string]any{"challenge_id": a.String("challenge_id"), "credential": map[string]any{
			"id": "AAAA", "type": "public-key", "response": map[string]any{"clientDataJSON": "AAAA"},
		}}
	})
	n := h.browser()
	late := n.do("POST "+signIn+"/begin", nil).Want(200)
	h.clock.Add(6 * time.Minute)
	n.do("POST "+signIn+"/finish", answerOf(d, late)).Refused(session.ErrCredentials)
	h.browser().useKey(d, signIn).Want(200)
}

// TestPasskeyCounter: a device whose counter does not go on may be a copy: it is refused,
// and the audit log says so.
func TestPasskeyCounter(t *testing.T) {
	h := newHarness(t)
	b, d := h.signup("a@example.com", "A"), device()
	d.Counter = 7
	b.addKey(d, "Key")
	h.browser().useKey(d, signIn).Want(200)
	d.Counter--
	h.browser().useKey(d, signIn).Refused(session.ErrCredentials)
	if !h.audited(b, "passkey.refused") {
		t.Error("the audit log does not say so")
	}
	d.Counter += 5
	h.browser().useKey(d, signIn).Want(200)

	b.enrol()
	w := h.browser()
	w.login("a@example.com").Want(200)
	d.Counter = 1
	w.useKey(d, second).Refused(session.ErrCredentials)
	w.do("GET /organization", nil).Refused(api.ErrMFARequired)
}

// audited says whether the log of the organization of b has an action.
func (h *harness) audited(b *browser, action string) bool {
	h.t.Helper()
	return strings.Contains(b.do("GET /audit-logs?action="+action, nil).Want(200).Body, `"`+action+`"`)
}

// TestPasskeysAreManaged: adding and deleting wants the password or a code, the person
// hears of it, there are ten at most, and who has none of its own finds none.
func TestPasskeysAreManaged(t *testing.T) {
	h := newHarness(t)
	b, x := h.signup("a@example.com", "A"), h.signup("x@example.com", "X")
	b.do("POST /me/passkeys/begin", `{}`).Refused(api.ErrInvalid)
	b.do("POST /me/passkeys/begin", `{"password":"wrong horse battery"}`).Refused(api.ErrInvalid)
	b.do("POST /me/passkeys/begin", `{"code":"123456"}`).Refused(user.ErrMFAOff)
	h.clock.Add(time.Hour)
	first := device()
	id := b.addKey(first, "One")
	last := b.beginKey()
	for i := range session.MaxPasskeys - 1 {
		b.addKey(device(), "More "+strconv.Itoa(i))
	}
	b.do("POST /me/passkeys/begin", map[string]any{"password": password}).Refused(api.ErrConflict)
	b.finishKey(device(), last, "Eleven").Refused(api.ErrConflict)

	x.do("PATCH /me/passkeys/"+id, `{"name":"Mine"}`).Refused(api.ErrNotFound)
	x.do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": password}).Refused(api.ErrNotFound)
	if a := b.do("PATCH /me/passkeys/"+id, `{"name":" Laptop "}`).Want(200); a.String("name") != "Laptop" {
		t.Error(a.Body)
	}
	b.do("PATCH /me/passkeys/"+id, `{"name":" "}`).Refused(api.ErrInvalid)

	opened, own := h.browser(), h.browser()
	opened.useKey(first, signIn).Want(200)
	own.useKey(first, signIn).Want(200)
	b.do("POST /me/passkeys/"+id+"/delete", `{"password":"wrong horse battery"}`).Refused(api.ErrInvalid)
	own.do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": password}).Want(204)
	opened.do("GET /me", nil)
	if opened.refused == nil {
		t.Error("a session that the passkey opened goes on")
	}
	own.do("GET /organization", nil).Want(200)
	h.browser().useKey(first, signIn).Refused(session.ErrCredentials)
	told := 0
	for i := range 20 {
		at := "data." + strconv.Itoa(i)
		a := b.do("GET /notifications", nil).Want(200)
		if a.At(at+".kind") == "SECURITY_PASSKEYS_CHANGED" {
			told += int(a.At(at + ".count").(float64))
		}
	}
	if told != 11 {
		t.Errorf("the person heard %d times of 10 passkeys that came and one that went", told)
	}

	secret := b.enrol()
	b.do("POST /me/passkeys/begin", `{"code":"000000"}`).Refused(session.ErrCredentials)
	h.clock.Add(time.Minute)
	b.do("POST /me/passkeys/begin", map[string]any{"code": b.code(secret)}).Want(200)
	n := h.browser()
	if a := n.do("POST "+second+"/begin", nil); a.Status == 200 {
		t.Error("a second factor of nobody")
	}
}

// TestAPasskeyIsTwoFactors: an administrator of the platform who signed in with a passkey
// that verified its person needs no authenticator app.
func TestAPasskeyIsTwoFactors(t *testing.T) {
	h := newHarness(t)
	b, d := h.signup("a@example.com", "A"), device()
	id := b.addKey(d, "Key")
	verified := func(n *browser) bool {
		t.Helper()
		call := h.srv.Call()
		if err := h.s.Identify(call, n.cred); err != nil {
			t.Fatal(err)
		}
		return call.Caller.Verified
	}
	n := h.browser()
	n.useKey(d, signIn).Want(200)
	d.Touch = true
	touched := h.browser()
	touched.useKey(d, signIn).Want(200)
	if verified(b) || !verified(n) || verified(touched) {
		t.Errorf("verified: with a password %v, with a passkey %v, touched %v", verified(b), verified(n), verified(touched))
	}
	n.do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": password}).Want(204)
	if verified(n) {
		t.Error("it counts after the passkey went")
	}
}
