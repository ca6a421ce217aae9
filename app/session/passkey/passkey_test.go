package passkey_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/session"
	"svc/app/session/passkey"
	"svc/app/session/passkeytest"
	"svc/app/session/sessiontest"
	"svc/app/user"
	"svc/store"
)

const passkeyHost, passkeyOrigin = "svc.example", "https://svc.example"

// device is an authenticator for the service of these tests.
func device() *passkeytest.Authenticator { return passkeytest.New(passkeyHost, passkeyOrigin) }

// beginKey asks for a new passkey.
func beginKey(b *sessiontest.Browser) apitest.Answer {
	b.H.T.Helper()
	return b.Do("POST /me/passkeys/begin", map[string]any{"password": sessiontest.Password}).Want(200)
}

// addKey adds a passkey and gives its id.
func addKey(b *sessiontest.Browser, d *passkeytest.Authenticator, name string) string {
	b.H.T.Helper()
	a := beginKey(b)
	return finishKey(b, d, a, name).Want(201).String("id")
}

func finishKey(b *sessiontest.Browser, d *passkeytest.Authenticator, begun apitest.Answer, name string) apitest.Answer {
	b.H.T.Helper()
	return b.Do("POST /me/passkeys", map[string]any{
		"challenge_id": begun.String("challenge_id"), "name": name,
		"credential": d.Make(begun.String("public_key.challenge"), begun.String("public_key.user.id")),
	})
}

// useKey signs in, or gives the second factor at path "/auth/passkey/mfa".
func useKey(b *sessiontest.Browser, d *passkeytest.Authenticator, path string) apitest.Answer {
	b.H.T.Helper()
	a := b.Do("POST "+path+"/begin", nil).Want(200)
	return b.Do("POST "+path+"/finish", answerOf(d, a))
}

func answerOf(d *passkeytest.Authenticator, begun apitest.Answer) map[string]any {
	return map[string]any{"challenge_id": begun.String("challenge_id"), "credential": d.Use(begun.String("public_key.challenge"))}
}

const signIn, second = "/auth/passkey", "/auth/passkey/mfa"

func TestSignInWithAPasskey(t *testing.T) {
	h := sessiontest.New(t)
	b, d := h.Signup("a@example.com", "A"), device()
	addKey(b, d, "  Telephone ")
	list := b.Do("GET /me/passkeys", nil).Want(200)
	if list.String("data.0.name") != "Telephone" || list.At("data.0.last_used_at") != nil || list.At("total") != float64(1) {
		t.Error(list.Body)
	}
	other := h.Browser()
	a := useKey(other, d, signIn).Want(200)
	if a.String("user.email") != "a@example.com" || a.At("mfa_verified") != true || a.String("organization.name") != "A" {
		t.Errorf("signed in: %s", a.Body)
	}
	other.Do("GET /organization", nil).Want(200)
	if list = other.Do("GET /me/passkeys", nil).Want(200); list.At("data.0.last_used_at") == nil {
		t.Error(list.Body)
	}

	// With two-factor, one that verified its person needs no code; one that was only
	// touched does.
	b.Enrol()
	if a := useKey(h.Browser(), d, signIn).Want(200); a.At("mfa_verified") != true {
		t.Errorf("verified: %s", a.Body)
	}
	d.Touch = true
	touched := h.Browser()
	if a := useKey(touched, d, signIn).Want(200); a.Body != `{"mfa_required":true,"passkey":true}` {
		t.Errorf("touched: %s", a.Body)
	}
	touched.Do("GET /organization", nil).Refused(api.ErrMFARequired)

	// After a password it takes the place of a code, and gives a new token.
	waiting := h.Browser()
	if a := waiting.Login("a@example.com").Want(200); a.Body != `{"mfa_required":true,"passkey":true}` {
		t.Errorf("after the password: %s", a.Body)
	}
	before := waiting.Cred.Cookie
	begun := waiting.Do("POST "+second+"/begin", nil).Want(200)
	if begun.At("public_key.allowCredentials.1") != nil || begun.At("public_key.allowCredentials.0") == nil {
		t.Errorf("it asks for %s", begun.Body)
	}
	a = waiting.Do("POST "+second+"/finish", answerOf(d, begun)).Want(200)
	if a.At("mfa_verified") != true || waiting.Cred.Cookie == before {
		t.Errorf("second factor: %s", a.Body)
	}

	h.Update(func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, "a@example.com")
		if err != nil {
			return err
		}
		_, err = h.Users.Disable(tx, h.Srv.Call(), u.ID, "stolen")
		return err
	})
	d.Touch = false
	useKey(h.Browser(), d, signIn).Refused(session.ErrUserDisabled)
}

// TestPasskeyAnswersThatAreRefused: a challenge is one person's, for one purpose, works
// once and not for long; what the authenticator signs has to fit this service.
func TestPasskeyAnswersThatAreRefused(t *testing.T) {
	h := sessiontest.New(t)
	b, d := h.Signup("a@example.com", "A"), device()
	x := h.Signup("x@example.com", "X")
	begun := beginKey(b)
	finishKey(x, d, begun, "Stolen").Refused(api.ErrInvalid)
	for name, bad := range map[string]string{"": "name", strings.Repeat("я", 65): "name"} {
		if a := finishKey(b, d, begun, name).Refused(api.ErrInvalid); a.At("error.details."+bad) == nil {
			t.Error(a.Body)
		}
	}
	finishKey(b, passkeytest.New("other.example", "https://other.example"), begun, "Other host").Refused(api.ErrInvalid)
	finishKey(b, d, begun, "Once").Refused(api.ErrInvalid) // the wrong one used the challenge up
	begun = beginKey(b)
	h.Clock.Add(6 * time.Minute)
	finishKey(b, d, begun, "Late").Refused(api.ErrInvalid)
	finishKey(b, d, b.Do("POST "+signIn+"/begin", nil).Want(200), "For another purpose").Refused(api.ErrInvalid)
	addKey(b, d, "Good")
	if a := finishKey(b, d, beginKey(b), "Twice").Refused(api.ErrConflict); !strings.Contains(a.Body, "already") {
		t.Error(a.Body)
	}

	use := func(what string, change func(begun apitest.Answer) map[string]any) {
		t.Helper()
		n := h.Browser()
		begun := n.Do("POST "+signIn+"/begin", nil).Want(200)
		n.Do("POST "+signIn+"/finish", change(begun)).Refused(session.ErrCredentials)
		if n.Cred.Cookie != "" {
			t.Errorf("%s: it got a session", what)
		}
		n.Do("POST "+signIn+"/finish", answerOf(d, begun)).Refused(session.ErrCredentials) // used up
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
	n := h.Browser()
	late := n.Do("POST "+signIn+"/begin", nil).Want(200)
	h.Clock.Add(6 * time.Minute)
	n.Do("POST "+signIn+"/finish", answerOf(d, late)).Refused(session.ErrCredentials)
	useKey(h.Browser(), d, signIn).Want(200)
}

// TestPasskeyCounter: a device whose counter does not go on may be a copy: it is refused,
// and the audit log says so.
func TestPasskeyCounter(t *testing.T) {
	h := sessiontest.New(t)
	b, d := h.Signup("a@example.com", "A"), device()
	d.Counter = 7
	addKey(b, d, "Key")
	useKey(h.Browser(), d, signIn).Want(200)
	d.Counter--
	useKey(h.Browser(), d, signIn).Refused(session.ErrCredentials)
	if !audited(h, b, "passkey.refused") {
		t.Error("the audit log does not say so")
	}
	d.Counter += 5
	useKey(h.Browser(), d, signIn).Want(200)

	b.Enrol()
	w := h.Browser()
	w.Login("a@example.com").Want(200)
	d.Counter = 1
	useKey(w, d, second).Refused(session.ErrCredentials)
	w.Do("GET /organization", nil).Refused(api.ErrMFARequired)
}

// audited says whether the log of the organization of b has an action.
func audited(h *sessiontest.Harness, b *sessiontest.Browser, action string) bool {
	h.T.Helper()
	return strings.Contains(b.Do("GET /audit-logs?action="+action, nil).Want(200).Body, `"`+action+`"`)
}

// TestPasskeysAreManaged: adding and deleting wants the password or a code, the person
// hears of it, there are ten at most, and who has none of its own finds none.
func TestPasskeysAreManaged(t *testing.T) {
	h := sessiontest.New(t)
	b, x := h.Signup("a@example.com", "A"), h.Signup("x@example.com", "X")
	b.Do("POST /me/passkeys/begin", `{}`).Refused(api.ErrInvalid)
	b.Do("POST /me/passkeys/begin", `{"password":"wrong horse battery"}`).Refused(api.ErrInvalid)
	b.Do("POST /me/passkeys/begin", `{"code":"123456"}`).Refused(user.ErrMFAOff)
	h.Clock.Add(time.Hour)
	first := device()
	id := addKey(b, first, "One")
	last := beginKey(b)
	for i := range passkey.Max - 1 {
		addKey(b, device(), "More "+strconv.Itoa(i))
	}
	b.Do("POST /me/passkeys/begin", map[string]any{"password": sessiontest.Password}).Refused(api.ErrConflict)
	finishKey(b, device(), last, "Eleven").Refused(api.ErrConflict)

	x.Do("PATCH /me/passkeys/"+id, `{"name":"Mine"}`).Refused(api.ErrNotFound)
	x.Do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": sessiontest.Password}).Refused(api.ErrNotFound)
	if a := b.Do("PATCH /me/passkeys/"+id, `{"name":" Laptop "}`).Want(200); a.String("name") != "Laptop" {
		t.Error(a.Body)
	}
	b.Do("PATCH /me/passkeys/"+id, `{"name":" "}`).Refused(api.ErrInvalid)

	opened, own := h.Browser(), h.Browser()
	useKey(opened, first, signIn).Want(200)
	useKey(own, first, signIn).Want(200)
	b.Do("POST /me/passkeys/"+id+"/delete", `{"password":"wrong horse battery"}`).Refused(api.ErrInvalid)
	own.Do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": sessiontest.Password}).Want(204)
	opened.Do("GET /me", nil)
	if opened.Refused == nil {
		t.Error("a session that the passkey opened goes on")
	}
	own.Do("GET /organization", nil).Want(200)
	useKey(h.Browser(), first, signIn).Refused(session.ErrCredentials)
	told := 0
	for i := range 20 {
		at := "data." + strconv.Itoa(i)
		a := b.Do("GET /notifications", nil).Want(200)
		if a.At(at+".kind") == "SECURITY_PASSKEYS_CHANGED" {
			told += int(a.At(at + ".count").(float64))
		}
	}
	if told != 11 {
		t.Errorf("the person heard %d times of 10 passkeys that came and one that went", told)
	}

	secret := b.Enrol()
	b.Do("POST /me/passkeys/begin", `{"code":"000000"}`).Refused(session.ErrCredentials)
	h.Clock.Add(time.Minute)
	b.Do("POST /me/passkeys/begin", map[string]any{"code": b.Code(secret)}).Want(200)
	n := h.Browser()
	if a := n.Do("POST "+second+"/begin", nil); a.Status == 200 {
		t.Error("a second factor of nobody")
	}
}

// TestAPasskeyIsTwoFactors: an administrator of the platform who signed in with a passkey
// that verified its person needs no authenticator app.
func TestAPasskeyIsTwoFactors(t *testing.T) {
	h := sessiontest.New(t)
	b, d := h.Signup("a@example.com", "A"), device()
	id := addKey(b, d, "Key")
	verified := func(n *sessiontest.Browser) bool {
		t.Helper()
		call := h.Srv.Call()
		if err := h.S.Identify(call, n.Cred); err != nil {
			t.Fatal(err)
		}
		return call.Caller.Verified
	}
	n := h.Browser()
	useKey(n, d, signIn).Want(200)
	d.Touch = true
	touched := h.Browser()
	useKey(touched, d, signIn).Want(200)
	if verified(b) || !verified(n) || verified(touched) {
		t.Errorf("verified: with a password %v, with a passkey %v, touched %v", verified(b), verified(n), verified(touched))
	}
	n.Do("POST /me/passkeys/"+id+"/delete", map[string]any{"password": sessiontest.Password}).Want(204)
	if verified(n) {
		t.Error("it counts after the passkey went")
	}
}
