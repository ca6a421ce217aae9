package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// TestConsoleProfile: somebody changes name and password, turns two-factor on and off
// and ends a session that was opened elsewhere.
func TestConsoleProfile(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "422 /api/v1/me")
	}})
	// A sign-in without the cookie of this browser is one from elsewhere.
	browsertest.Eval[int](p, `fetch('/api/v1/auth/login', {method: 'POST', credentials: 'omit', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({email: 'olga@example.uz', password: 'correct horse 1'})}).then(r => r.status)`)
	p.Goto(base + "/console/profile")
	heading(p, "Profile")
	says(p, "Where you are signed in")
	p.Wait("document.querySelectorAll('main li').length === 2")
	says(p, "This one")
	p.Shot("console-profile")
	p.Accessible()
	field(p, "Name", "Olga Karimova")
	press(p, "Save")
	p.Wait(`document.querySelector('[aria-label="Olga Karimova: menu"]')`)

	press(p, "Change the address")
	says(p, "the new address is yours at once")
	field(p, "New address", "olga@example.uz")
	field(p, "Your current password", "wrong horse 1")
	press(p, "Change")
	says(p, "This is your address already")
	field(p, "New address", "olga2@example.uz")
	press(p, "Change")
	says(p, "This is not your password")
	p.Shot("console-email-wrong")
	p.Accessible()
	field(p, "Your current password", "correct horse 1")
	press(p, "Change")
	says(p, "You now sign in with olga2@example.uz.")
	p.Wait("document.querySelector('main input[readonly]').value === 'olga2@example.uz' && !document.querySelector('[role=dialog]')")

	press(p, "End all others")
	says(p, "End 1 session?")
	p.Shot("console-session-end")
	press(p, "End")
	p.Wait("document.querySelectorAll('main li').length === 1")

	field(p, "Current password", "wrong horse 1")
	field(p, "New password", "a better horse 2")
	field(p, "New password once more", "a better horse 3")
	press(p, "Change the password")
	says(p, "The two are not the same")
	field(p, "New password once more", "a better horse 2")
	press(p, "Change the password")
	says(p, "This is not your password")
	p.Shot("console-password-wrong")
	field(p, "Current password", "correct horse 1")
	press(p, "Change the password")
	says(p, "The password is changed.")

	press(p, "Turn on")
	p.Wait("document.querySelector('[role=dialog] code')")
	p.Shot("console-two-factor-on")
	code, err := totp.GenerateCode(browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p.Type("[role=dialog] input", code+"\n")
	says(p, "Two-factor is on.")
	p.Goto(base + "/console/profile")
	says(p, "Signing in asks for a code")
	press(p, "Turn two-factor off")
	p.Wait("document.querySelector('[role=dialog] [role=radiogroup]')")
	p.Shot("console-two-factor-off")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[value=password]').click() || true")
	p.Wait("document.querySelector('[role=dialog] input[type=password]')")
	p.Type("[role=dialog] input[type=password]", "a better horse 2")
	press(p, "Turn two-factor off") // of the question
	says(p, "Whoever learns your password")
	p.Clean()
}

// TestConsoleKeys: a key is made with few permissions, shown once, works, is replaced
// while the old one still works, and revoked.
func TestConsoleKeys(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "403 /api/v1/recipients")
	}})
	p.Goto(base + "/console/api-keys")
	says(p, "No keys yet")
	p.Shot("console-keys-empty")
	press(p, "New key")
	field(p, "Name", "CRM")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[type=radio][value=some]').click() || true")
	press(p, "Create the key")
	says(p, "Choose at least one")
	browsertest.Eval[bool](p, `document.querySelector('[aria-label="Recipients: read"]').click() || true`)
	p.Shot("console-key-new")
	p.Accessible()
	press(p, "Create the key")
	says(p, "shown only now")
	p.Shot("console-key-secret")
	key := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	if !strings.HasPrefix(key, "svck_") {
		t.Fatal("what is shown is no key")
	}
	with := func(method, path string) int {
		return browsertest.Eval[int](p, `fetch('/api/v1`+path+`', {method: '`+method+`', credentials: 'omit', headers: {Authorization: 'Bearer '+`+quote(key)+`, 'Content-Type': 'application/json'}, body: '`+method+`' === 'GET' ? undefined : '{}'}).then(r => r.status)`)
	}
	if got := with("GET", "/recipients"); got != 200 {
		t.Errorf("the key reads recipients: %d", got)
	}
	if got := with("POST", "/recipients"); got != 403 {
		t.Errorf("the key that may read writes: %d", got)
	}
	press(p, "I have kept it")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	says(p, "Recipients: read")
	press(p, "CRM: actions")
	press(p, "Replace")
	says(p, "works 24 hours more")
	press(p, "Replace") // of the question
	says(p, "shown only now")
	press(p, "I have kept it")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	says(p, "min left")
	if got := with("GET", "/recipients"); got != 200 {
		t.Errorf("the key that was replaced does not work on: %d", got)
	}
	p.Shot("console-keys")
	p.Accessible()
	browsertest.Eval[bool](p, `[...document.querySelectorAll('[aria-label="CRM: actions"]')].at(-1).click() || true`)
	press(p, "Revoke")
	says(p, "stop working at once")
	press(p, "Revoke") // of the question
	says(p, "is revoked")
	p.Wait("document.querySelectorAll('[data-row]')[1].textContent.includes('Revoked')")
	if got := with("GET", "/recipients"); got != 401 {
		t.Errorf("the key that was revoked: %d", got)
	}
	p.Clean()
}
