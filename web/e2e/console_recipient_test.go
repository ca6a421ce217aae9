package e2e

import (
	"encoding/json"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleRecipient: nobody yet, one is added, found and opened, and opts out after
// a question that says what will happen.
func TestConsoleRecipient(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool { return whenNobody(problem) || problem == "422 /api/v1/recipients" }})
	p.Goto(base + "/console/recipients")
	heading(p, "Recipients")
	p.Wait("document.body.textContent.includes('Nobody yet')")
	press(p, "Add")
	heading(p, "New recipient")
	press(p, "Add")
	p.Wait("document.querySelector('form input[aria-invalid=true]')") // neither username nor number
	p.Shot("console-form-wrong")
	p.Type("form input", "https://t.me/rayhona_k")
	browsertest.Eval[bool](p, "document.querySelectorAll('form button[type=submit]')[0].click() || true")
	heading(p, "@rayhona_k")

	seed(p)
	p.Goto(base + "/console/recipients")
	p.Wait("document.querySelectorAll('[data-row]').length === 13")
	p.Key("/")
	p.Wait("document.activeElement?.type === 'search'")
	// The driver sends the letter whatever the page did with the key; a keyboard does not.
	browsertest.Eval[bool](p, "document.activeElement.select() || true")
	p.Type("input[type=search]", "rayhona_k")
	p.Wait("document.querySelectorAll('[data-row]').length === 1 && location.search === '?q=rayhona_k'")
	browsertest.Eval[bool](p, "document.activeElement.blur() || true")
	p.Key("j")
	p.Wait("document.activeElement?.textContent.includes('@rayhona_k')")
	p.Key("\r")
	heading(p, "@rayhona_k")
	p.Shot("console-person-before")
	press(p, "Opt out")
	p.Wait("document.querySelector('[role=alertdialog], [role=dialog]')?.textContent.includes('1 person (@rayhona_k)')")
	p.Shot("console-opt-out")
	p.Accessible()
	press(p, "Opt out")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Opted out')")
	p.Wait("document.querySelector('ol').textContent.includes('Opted out')")
	p.Shot("console-person-after")
	p.Accessible()
	p.Clean()
}

// TestConsoleBulk: some of a list are tagged; the question names how many.
func TestConsoleBulk(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	seed(p)
	p.Goto(base + "/console/recipients?consent_status=OPTED_IN")
	p.Wait("document.querySelectorAll('[data-row]').length === 3")
	browsertest.Eval[bool](p, "document.querySelector('thead input[type=checkbox]').click() || true")
	p.Wait("document.querySelector('[role=region]')?.textContent.includes('3 selected')")
	p.Shot("console-bulk")
	p.Accessible()
	press(p, "Add tags")
	p.Wait("document.body.textContent.includes('The tags are added to 3 people.')")
	p.Type("[role=alertdialog] input, [role=dialog] input", "april,") // the protocol would send Enter past the field, which takes it
	p.Shot("console-bulk-question")
	press(p, "Add tags") // of the question, which is above the bar
	p.Wait("[...document.querySelectorAll('[data-row]')].every(r => r.textContent.includes('april'))")
	p.Clean()
}

// TestConsolePermissions: an analyst reads and finds no button that would be refused.
func TestConsolePermissions(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	seed(p)
	var invited struct{ URL string }
	if err := json.Unmarshal([]byte(post(p, "/invitations", `{"email":"anvar@example.uz","role":"ANALYST"}`)), &invited); err != nil || invited.URL == "" {
		t.Fatalf("no invitation: %v", err)
	}
	post(p, "/auth/logout", "")
	address := invited.URL
	if address[0] == '/' {
		address = base + address
	}
	p.Goto(address)
	p.Wait("document.querySelector('form input[name=email]')?.value === 'anvar@example.uz'")
	p.Shot("console-invitation")
	p.Accessible()
	p.Type("input[name=name]", "Anvar")
	p.Type("input[name=password]", "correct horse 2")
	p.Click("form button")
	heading(p, "Home")
	p.Goto(base + "/console/recipients")
	heading(p, "Recipients")
	p.Wait("document.querySelectorAll('[data-row]').length === 12")
	for _, words := range []string{"Add", "Import", "Edit", "Opt out"} {
		if browsertest.Eval[bool](p, `[...document.querySelectorAll('button, a')].some(e => e.textContent.trim() === `+quote(words)+`)`) {
			t.Errorf("an analyst sees %q", words)
		}
	}
	if browsertest.Eval[bool](p, "document.querySelector('input[type=checkbox]') !== null") {
		t.Error("an analyst can select for actions that would be refused")
	}
	p.Goto(base + "/console/recipients/new")
	heading(p, "Not allowed")
	p.Shot("console-not-allowed")
	p.Clean()
}
