package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// consoleBuilt ends the test, saying why, when the console is a placeholder.
func consoleBuilt(t *testing.T) {
	t.Helper()
	browsertest.Console(t)
}

// quote is a text as JavaScript has it.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // texts always are
	}
	return string(b)
}

// post asks the API as the person in the browser and gives the answer.
func post(p *browsertest.Page, path, body string) string {
	return browsertest.Eval[string](p, `fetch('/api/v1`+path+`', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: `+quote(body)+`}).then(r => r.text())`)
}

// heading waits for the title of a page.
func heading(p *browsertest.Page, text string) {
	p.Wait(`document.querySelector('h1')?.textContent === ` + quote(text))
}

// idle is true when no button of the page is at work: one that is takes no click, and a form that
// is being saved is filled again from what was saved.
const idle = "!document.querySelector('button[data-loading]')"

// press clicks the last button or link with that text, once it takes a click.
func press(p *browsertest.Page, text string) {
	find := `[...document.querySelectorAll('button, a, [role=menuitem]')].filter(e => e.offsetParent !== null && (e.textContent.trim() === ` + quote(text) + ` || e.getAttribute('aria-label') === ` + quote(text) + `)).at(-1)`
	p.Wait("(b => b && !b.disabled && !b.dataset.loading)(" + find + ")")
	browsertest.Eval[bool](p, find+`.click() || true`)
}

// whenNobody lets pass what a browser reports of somebody who is not signed in.
func whenNobody(problem string) bool { return strings.HasPrefix(problem, "401 /api/v1/") }

// TestConsoleSignIn: the link of the first person leads into the console; signing out
// and in again goes by password, and a wrong one says so.
func TestConsoleSignIn(t *testing.T) {
	consoleBuilt(t)
	_, link := browsertest.ServeSaying(t)
	p := browsertest.Open(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(link)
	p.Wait("document.querySelector('form')")
	p.Shot("console-signup")
	p.Accessible()
	p.Type("input[name=name]", "Olga")
	p.Type("input[name=email]", "olga@example.uz")
	p.Type("input[name=password]", "correct horse 1")
	p.Type("input[name=organization_name]", "Bazar")
	p.Click("form button")
	heading(p, "Home")
	p.Clean()

	press(p, "Olga: menu")
	p.Wait("document.querySelector('[role=menu]')")
	p.Shot("console-user-menu")
	press(p, "Sign out")
	p.Wait("document.querySelector('input[type=password]')")
	p.Shot("console-signin")
	p.Accessible()
	p.Type("input[autocomplete=username]", "olga@example.uz")
	p.Type("input[autocomplete=current-password]", "wrong horse 1\n")
	p.Wait("document.body.textContent.includes('is wrong')")
	browsertest.Eval[bool](p, "document.querySelector('input[autocomplete=current-password]').select() || true")
	p.Type("input[autocomplete=current-password]", "correct horse 1\n")
	heading(p, "Home")
	p.Clean()
}

// TestConsoleKeepsWhatWasTyped: the session ends in the middle of a form; signing in
// over the page sends what was typed, once.
func TestConsoleKeepsWhatWasTyped(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/recipients/new")
	heading(p, "New recipient")
	p.Type("form input", "gulnora")
	post(p, "/auth/logout", "")
	press(p, "Add")
	p.Wait("document.querySelector('[role=dialog] input[autocomplete=current-password]')")
	p.Shot("console-session-ended")
	p.Type("[role=dialog] input[autocomplete=current-password]", "correct horse 1\n")
	heading(p, "@gulnora")
	if got := browsertest.Eval[int](p, "fetch('/api/v1/recipients').then(r => r.json()).then(x => x.total)"); got != 1 {
		t.Errorf("%d recipients, want 1", got)
	}
	p.Clean()
}

// TestConsoleFollowsTheServer: what somebody else changes is on the screen without
// a reload, and a lost network is said once.
func TestConsoleFollowsTheServer(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(post(p, "/recipients", `{"username":"gulnora","first_name":"Gulnora","consent_status":"OPTED_IN"}`)), &made); err != nil || made.ID == "" {
		t.Fatal("no recipient")
	}
	p.Goto(base + "/console/recipients/" + made.ID)
	heading(p, "Gulnora")
	p.Wait("document.body.textContent.includes('Would a message arrive')")
	// The stream is a request that does not end; the change below must come through it.
	p.Wait("performance.getEntriesByType('resource').some(r => r.name.includes('/recipients/'))")
	browsertest.Eval[bool](p, "new Promise(done => setTimeout(() => done(true), 500))")
	post(p, "/recipients/"+made.ID+"/opt-out", "")
	p.Wait("[...document.querySelectorAll('h1')].some(h => h.parentElement.textContent.includes('Opted out'))")
	p.Clean()
}

// TestConsoleLanguages renders the pages in each language, both themes and on a
// telephone.
func TestConsoleLanguages(t *testing.T) {
	titles := map[string]string{"uz": "Qabul qiluvchilar", "ru": "Получатели", "en": "Recipients"}
	inEachLanguage(t, func(t *testing.T, p *browsertest.Page, base, lang string) {
		see := func(name string) { inspect(t, p, "console-"+name+"-"+lang) }
		p.Goto(base + "/console/recipients")
		heading(p, titles[lang])
		see("empty")
		seed(p)
		p.Goto(base + "/console/recipients")
		p.Wait("document.querySelectorAll('[data-row]').length === 12")
		see("list")
		browsertest.Eval[bool](p, "document.querySelector('[data-row] [data-open]').click() || true")
		p.Wait("document.querySelector('time') && document.querySelector('ol')")
		see("person")
		p.Goto(base + "/console/recipients/new")
		p.Wait("document.querySelector('form fieldset')")
		see("form")
		p.Goto(base + "/console/recipients?q=nobody")
		p.Wait("document.querySelector('[role=search]')")
		see("nothing")
		p.Goto(base + "/console/no-such-page")
		p.Wait("document.querySelector('h1')")
		see("not-found")
	})
}

// seed adds a dozen people with different consent.
func seed(p *browsertest.Page) {
	for i, name := range []string{"Gulnora", "Anvar", "Dilshod", "Malika", "Bobur", "Nigora", "Jasur", "Zarina", "Otabek", "Shahnoza", "Rustam", "Kamola"} {
		consent := []string{"OPTED_IN", "UNKNOWN", "EXISTING_RELATIONSHIP", "OPTED_OUT"}[i%4]
		post(p, "/recipients", fmt.Sprintf(`{"first_name":%q,"last_name":"Karimova","username":"user_%02d","consent_status":%q,"tags":["vip","toshkent"],"language":"uz","attributes":{"city":"Toshkent","orders":%d}}`, name, i, consent, i))
	}
}
