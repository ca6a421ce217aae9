package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// TestConsolePasskeys: somebody adds a passkey, renames it, signs in with it instead of
// the password, uses it in place of a two-factor code, makes new recovery codes, and
// deletes it. The browser's own device answers.
func TestConsolePasskeys(t *testing.T) {
	t.Parallel()
	consoleBuilt(t)
	base, link := browsertest.ServeSaying(t)
	base = strings.Replace(base, "127.0.0.1", "localhost", 1) // passkeys want a name
	_, token, _ := strings.Cut(link, "setup_token=")
	p := browsertest.Open(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "422 /api/v1/me/passkeys")
	}})
	p.Passkeys()
	p.Goto(base + "/console/")
	p.Wait("document.querySelector('input[type=password]')")
	post(p, "/auth/signup", `{"email":"olga@example.uz","password":"correct horse 1","name":"Olga","organization_name":"Bazar","timezone":"UTC","setup_token":`+quote(token)+`}`)
	p.Goto(base + "/console/profile")
	heading(p, "Profile")
	press(p, "Add a passkey")
	p.Wait("document.querySelector('[role=dialog] input[type=password]')")
	p.Shot("console-passkey-add")
	p.Accessible()
	const name = "[role=dialog] input:not([type=password])"
	browsertest.Eval[bool](p, "document.querySelector("+quote(name)+").select() || true")
	p.Type(name, "Laptop")
	p.Type("[role=dialog] input[type=password]", "wrong horse 1")
	press(p, "Continue")
	says(p, "This is not your password")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[type=password]').select() || true")
	p.Type("[role=dialog] input[type=password]", "correct horse 1")
	press(p, "Continue")
	says(p, "The passkey “Laptop” is added.")
	says(p, "not used yet")
	press(p, "Rename: Laptop")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input').select() || true")
	p.Type("[role=dialog] input", "My laptop")
	press(p, "Save")
	p.Wait(`document.querySelector('[aria-label="Rename: My laptop"]')`)
	p.Shot("console-passkeys")
	p.Accessible()

	signOut := func() {
		post(p, "/auth/logout", "")
		p.Goto(base + "/console/profile")
		p.Wait("document.querySelector('input[type=password]')")
	}
	signOut()
	press(p, "Sign in with a passkey")
	heading(p, "Profile")
	says(p, "last used")

	press(p, "Turn on")
	p.Wait("document.querySelector('[role=dialog] code')")
	secret := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p.Type("[role=dialog] input", code+"\n")
	press(p, "I have kept it")
	says(p, "10 recovery codes are left.")
	press(p, "New recovery codes")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[value=password]').click() || true")
	p.Wait("document.querySelector('[role=dialog] input[type=password]')")
	p.Type("[role=dialog] input[type=password]", "correct horse 1")
	press(p, "New recovery codes") // of the question
	p.Wait("document.querySelectorAll('[role=dialog] code').length === 10")
	press(p, "I have kept it")

	signOut()
	p.Type("input[type=email]", "olga@example.uz")
	p.Type("input[type=password]", "correct horse 1\n")
	press(p, "Use a passkey instead")
	heading(p, "Profile")

	press(p, "Delete: My laptop")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[value=password]').click() || true")
	p.Wait("document.querySelector('[role=dialog] input[type=password]')")
	p.Type("[role=dialog] input[type=password]", "correct horse 1")
	press(p, "Delete") // of the question
	says(p, "The passkey “My laptop” is deleted.")
	p.Clean()
}
