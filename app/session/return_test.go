package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/mail"
	"svc/app/mail/mailtest"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
)

// withMail lets the installation send mail.
func withMail(h *sessiontest.Harness) *sessiontest.Harness {
	h.Update(func(tx *store.Tx) error { return mail.Configure(tx, true, "https://svc.example") })
	return h
}

// letters runs jobs until none is ready, and gives the mails that were sent.
func letters(h *sessiontest.Harness) []mail.Letter {
	h.T.Helper()
	ctx, cancel := context.WithCancel(h.T.Context())
	b, ended, w := &mailtest.Letterbox{}, make(chan struct{}), queue.New(h.DB, queue.Options{})
	h.S.Work(w)
	mail.Work(w, h.DB, b)
	go func() { defer close(ended); _ = w.Run(ctx) }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		busy := 0
		err := h.DB.View(h.T.Context(), func(tx *store.Tx) error {
			busy = 0
			for _, s := range []queue.State{queue.Pending, queue.Active, queue.Retry} {
				_, n, err := queue.List(tx, queue.Maintenance, s, 0, 1)
				if err != nil {
					return err
				}
				busy += n
			}
			return nil
		})
		if err != nil {
			h.T.Fatal(err)
		}
		if busy == 0 {
			break
		}
	}
	cancel()
	<-ended
	return b.Take()
}

// tokenIn is the token of the link in a text.
func tokenIn(text string) string {
	_, rest, _ := strings.Cut(text, "token=")
	token, _, _ := strings.Cut(rest, "\n")
	return token
}

func subjects(list []mail.Letter) string {
	var out []string
	for _, l := range list {
		out = append(out, l.To+" "+l.Subject)
	}
	return strings.Join(out, "; ")
}

const newPassword = "a new horse battery"

func loginWith(b *sessiontest.Browser, email, password string) int {
	return b.Do("POST /auth/login", map[string]any{"email": email, "password": password}).Status
}

func TestAPasswordIsResetByMail(t *testing.T) {
	h := withMail(sessiontest.New(t))
	olga := h.Signup("olga@example.uz", "Acme")
	h.Signup("eve@example.uz", "Evil")
	ask := func(email string) string {
		return h.Browser().Do("POST /auth/password-reset", map[string]any{"email": email, "language": "en"}).Want(202).Body
	}
	if a, b := ask("Olga@example.uz"), ask("nobody@example.uz"); a != b {
		t.Errorf("an address that nobody has is answered %s, not %s", b, a)
	}
	ask("olga@example.uz") // within five minutes: no second mail
	sent := letters(h)
	if got := subjects(sent); got != "olga@example.uz A new password" {
		t.Fatalf("sent %s", got)
	}
	token := tokenIn(sent[0].Text)
	if !strings.Contains(sent[0].Text, "https://svc.example/public/password-reset?token=") {
		t.Errorf("the link: %s", sent[0].Text)
	}
	if got := h.Browser().Do("GET /auth/password-reset/lookup?token="+token, nil).Want(200).String("email"); got != "olga@example.uz" {
		t.Errorf("lookup of %s", got)
	}
	confirm := func(token, password string, status int) {
		t.Helper()
		h.Browser().Do("POST /auth/password-reset/confirm", map[string]any{"token": token, "password": password}).Want(status)
	}
	confirm(token, "short", 422)
	confirm(token[1:]+"x", newPassword, 410)
	confirm(token, newPassword, 204)
	confirm(token, newPassword, 410) // once
	olga.Do("GET /me", nil).Want(401)
	if loginWith(olga, "olga@example.uz", sessiontest.Password) != 401 || loginWith(olga, "olga@example.uz", newPassword) != 200 {
		t.Error("the old password works, or the new one does not")
	}
	if got := subjects(letters(h)); got != "olga@example.uz Parolingiz almashtirildi" {
		t.Errorf("told by %s", got)
	}
	h.Clock.Add(6 * time.Minute)
	ask("olga@example.uz")
	token = tokenIn(letters(h)[0].Text)
	h.Clock.Add(time.Hour)
	confirm(token, newPassword, 410) // too old
}

func TestAResetKeepsTwoFactor(t *testing.T) {
	h := withMail(sessiontest.New(t))
	olga := h.Signup("olga@example.uz", "Acme")
	olga.Enrol()
	h.Browser().Do("POST /auth/password-reset", map[string]any{"email": "olga@example.uz"}).Want(202)
	token := tokenIn(letters(h)[0].Text)
	h.Browser().Do("POST /auth/password-reset/confirm", map[string]any{"token": token, "password": newPassword}).Want(204)
	if a := olga.Do("POST /auth/login", map[string]any{"email": "olga@example.uz", "password": newPassword}).Want(200); a.At("mfa_required") != true {
		t.Errorf("no code is asked for: %s", a.Body)
	}
}

// TestNobodyGetsIntoAnotherOrganization: whoever manages members makes a link for those
// of the own organization alone, and it dies when they join another.
func TestNobodyGetsIntoAnotherOrganization(t *testing.T) {
	h := sessiontest.New(t)
	owner := h.Signup("owner@example.uz", "Acme")
	admin, pavel, boss := owner.Join("admin@example.uz", "ADMIN"), owner.Join("pavel@example.uz", "MANAGER"), owner.Join("boss@example.uz", "MANAGER")
	other := h.Signup("other@example.uz", "Other")
	if _, err := h.S.CreateAdministrator(t.Context(), "boss@example.uz"); err != nil {
		t.Fatal(err)
	}
	_ = boss
	members := map[string]string{}
	for _, row := range owner.Do("GET /members?limit=50", nil).Want(200).At("data").([]any) {
		m := row.(map[string]any)
		members[m["user"].(map[string]any)["email"].(string)] = m["id"].(string)
	}
	link := func(b *sessiontest.Browser, email string, status int) string {
		t.Helper()
		return tokenIn(b.Do("POST /members/"+members[email]+"/password-reset", nil).Want(status).Body)
	}
	link(admin, "owner@example.uz", 403)
	link(owner, "owner@example.uz", 403) // the own
	link(owner, "boss@example.uz", 403)  // administers the platform
	link(pavel, "admin@example.uz", 403) // may not manage members
	other.Do("POST /members/"+members["pavel@example.uz"]+"/password-reset", nil).Want(404)
	token, _, _ := strings.Cut(link(admin, "pavel@example.uz", 201), `"`)
	h.Browser().Do("GET /auth/password-reset/lookup?token="+token, nil).Want(200)
	pavel.Do("POST /invitations/accept", map[string]any{"token": other.Invite("pavel@example.uz", "OWNER")}).Want(200)
	h.Browser().Do("POST /auth/password-reset/confirm", map[string]any{"token": token, "password": newPassword}).Want(410)
	link(owner, "pavel@example.uz", 403)
	// The administrator of the platform may.
	var made session.ResetLink
	h.Update(func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, "pavel@example.uz")
		if err != nil {
			return err
		}
		c := api.System(t.Context(), store.Platform, h.DB.Now())
		c.Base = "https://svc.example"
		made, err = session.MakeResetLink(tx, c, u.ID, org.NewToken())
		return err
	})
	h.Browser().Do("POST /auth/password-reset/confirm", map[string]any{"token": tokenIn(made.URL), "password": newPassword}).Want(204)
	if loginWith(pavel, "pavel@example.uz", newPassword) != 200 {
		t.Error("the new password does not work")
	}
}

func TestRecoveryCodes(t *testing.T) {
	h := withMail(sessiontest.New(t))
	olga := h.Signup("olga@example.uz", "Acme")
	secret := olga.Do("POST /me/mfa/setup", nil).Want(200).String("secret")
	olga.Do("POST /me/mfa/recovery-codes", map[string]any{"password": sessiontest.Password}).Want(400)
	var enabled struct {
		RecoveryCodes []string `json:"recovery_codes"`
	}
	olga.Do("POST /me/mfa/enable", map[string]any{"code": olga.Code(secret)}).Want(200).Into(&enabled)
	codes := slices.Clone(enabled.RecoveryCodes)
	if len(codes) != user.RecoveryCodes || olga.Do("GET /me", nil).Want(200).Int("user.recovery_codes_left") != user.RecoveryCodes {
		t.Fatalf("codes %d", len(codes))
	}
	verify := func(code string, status int) {
		t.Helper()
		b := h.Browser()
		b.Login("olga@example.uz").Want(200)
		b.Do("POST /auth/mfa/verify", map[string]any{"code": code}).Want(status)
	}
	verify(codes[0], 200)
	verify(codes[0], 401) // once
	verify(strings.ToUpper(strings.ReplaceAll(codes[1], "-", "")), 200)
	verify("aaaaa-aaaaa", 401)
	verify("aaaaaaa", 422)
	if got := olga.Do("GET /me", nil).Want(200).Int("user.recovery_codes_left"); got != 8 {
		t.Errorf("%d left", got)
	}
	if got := subjects(letters(h)); strings.Count(got, "Zaxira kodi ishlatildi") != 2 || strings.Contains(got, "oz qoldi") {
		t.Errorf("told by %s", got)
	}
	for _, code := range codes[2:7] {
		verify(code, 200)
	}
	if got := subjects(letters(h)); !strings.Contains(got, "Zaxira kodlari oz qoldi") {
		t.Errorf("with three left, told by %s", got)
	}
	// New ones replace the old: with the password, or with a code.
	olga.Do("POST /me/mfa/recovery-codes", map[string]any{}).Want(422)
	olga.Do("POST /me/mfa/recovery-codes", map[string]any{"code": "bbbbb-bbbbb"}).Want(401)
	olga.Do("POST /me/mfa/recovery-codes", map[string]any{"password": sessiontest.Password}).Want(200).Into(&enabled)
	verify(codes[8], 401)
	verify(enabled.RecoveryCodes[0], 200)
	// Guessing has the bounds of other codes.
	for range 5 {
		verify("ccccc-ccccc", 401)
	}
	verify(enabled.RecoveryCodes[1], 429)
	h.Clock.Add(time.Minute)
	// A code turns two-factor off too, and the codes are gone with it.
	olga.Do("POST /me/mfa/disable", map[string]any{"code": enabled.RecoveryCodes[2]}).Want(200)
	if got := olga.Do("GET /me", nil).Want(200).Int("user.recovery_codes_left"); got != 0 {
		t.Errorf("%d left without two-factor", got)
	}
}

func TestTheAddressChanges(t *testing.T) {
	change := func(b *sessiontest.Browser, email, password string, status int) string {
		t.Helper()
		return b.Do("POST /me/email", map[string]any{"email": email, "current_password": password}).Want(status).Body
	}
	t.Run("at once without mail", func(t *testing.T) {
		h := sessiontest.New(t)
		olga := h.Signup("olga@example.uz", "Acme")
		h.Signup("eve@example.uz", "Evil")
		change(olga, "new@example.uz", "wrong password", 422)
		change(olga, "olga@example.uz", sessiontest.Password, 422)
		change(olga, "EVE@example.uz", sessiontest.Password, 409)
		change(olga, "no address", sessiontest.Password, 422)
		if got := change(olga, "new@example.uz", sessiontest.Password, 200); !strings.Contains(got, `"confirmation_sent":false`) {
			t.Errorf("answered %s", got)
		}
		if got := olga.Do("GET /me", nil).Want(200).String("user.email"); got != "new@example.uz" {
			t.Errorf("now %s", got)
		}
		if loginWith(h.Browser(), "olga@example.uz", sessiontest.Password) != 401 || loginWith(h.Browser(), "new@example.uz", sessiontest.Password) != 200 {
			t.Error("signing in follows the old address")
		}
	})
	t.Run("with a link that the new address gets", func(t *testing.T) {
		h := withMail(sessiontest.New(t))
		olga := h.Signup("olga@example.uz", "Acme")
		if got := change(olga, "new@example.uz", sessiontest.Password, 200); !strings.Contains(got, `"confirmation_sent":true`) || !strings.Contains(got, "olga@") {
			t.Errorf("answered %s", got)
		}
		sent := letters(h)
		// The new address and the old one get a mail each, in either order.
		linkTo := func(address string, sent []mail.Letter) (token string) {
			t.Helper()
			for _, l := range sent {
				if l.To == address {
					token = tokenIn(l.Text)
				} else if strings.Contains(l.Text, "token=") {
					t.Error("the old address got the link")
				}
			}
			return token
		}
		token := linkTo("new@example.uz", sent)
		if len(sent) != 2 || token == "" {
			t.Fatalf("sent %s", subjects(sent))
		}
		confirm := func(status int) {
			t.Helper()
			h.Browser().Do("POST /auth/email/confirm", map[string]any{"token": token}).Want(status)
		}
		h.Browser().Do("POST /auth/password-reset/confirm", map[string]any{"token": token, "password": newPassword}).Want(410)
		confirm(204)
		confirm(410)
		if got := olga.Do("GET /me", nil).Want(200).String("user.email"); got != "new@example.uz" {
			t.Errorf("now %s", got)
		}
		if got := subjects(letters(h)); strings.Count(got, "manzilingiz oʻzgartirildi") != 2 {
			t.Errorf("told by %s", got)
		}
		// Somebody takes the address before the link is opened.
		change(olga, "third@example.uz", sessiontest.Password, 200)
		token = linkTo("third@example.uz", letters(h))
		if token == "" {
			t.Fatal("no token")
		}
		h.Signup("third@example.uz", "Third")
		confirm(409)
		for range 3 {
			change(olga, "fourth@example.uz", sessiontest.Password, 200)
		}
		change(olga, "fourth@example.uz", sessiontest.Password, 429)
	})
}
