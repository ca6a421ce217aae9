package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// signUp opens the console as the first person of a new server, which may have more
// options, such as a map. The story goes on beside others: nothing is shared.
func signUp(t *testing.T, o browsertest.Options, args ...string) (p *browsertest.Page, base string) {
	t.Helper()
	t.Parallel()
	consoleBuilt(t)
	base, link := browsertest.ServeSaying(t, args...)
	_, token, _ := strings.Cut(link, "setup_token=")
	p = browsertest.Open(t, o)
	p.Goto(base + "/console/")
	p.Wait("document.querySelector('input[type=password]')")
	post(p, "/auth/signup", `{"email":"olga@example.uz","password":"correct horse 1","name":"Olga","organization_name":"Bazar","timezone":"Asia/Tashkent","setup_token":`+quote(token)+`}`)
	sendAtAnyHour(p)
	p.Problems() // that nobody was signed in
	p.Goto(base + "/console/")
	p.Wait("document.querySelector('nav')")
	return p, base
}

// sendAtAnyHour takes the default sending hours from the organization: these tests run on
// the clock of the machine, where it may be night.
func sendAtAnyHour(p *browsertest.Page) {
	browsertest.Eval[bool](p, `fetch('/api/v1/organization', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: '{"default_sending_window":null}'}).then(r => r.ok)`)
}

// inEachLanguage tells a story of a new person in Uzbek on a telephone, in Russian in
// the dark, and in English.
func inEachLanguage(t *testing.T, run func(t *testing.T, p *browsertest.Page, base, lang string)) {
	for _, o := range []browsertest.Options{{Lang: "uz", Width: 360, Height: 740, Touch: true}, {Lang: "ru", Dark: true}, {Lang: "en"}} {
		t.Run(o.Lang, func(t *testing.T) {
			o.Allow = whenNobody
			p, base := signUp(t, o)
			run(t, p, base, o.Lang)
			p.Clean()
		})
	}
}

// inspect looks at the page, and asks axe.
func inspect(t *testing.T, p *browsertest.Page, name string) {
	t.Helper()
	lookAt(t, p, name)
	p.Accessible()
}

// lookAt takes a picture of the page and holds it against what holds for all: every
// word is translated, nothing is wider than the window. What axe says of pages with
// something on them, in both themes, TestConsoleEveryPage asks once.
func lookAt(t *testing.T, p *browsertest.Page, name string) {
	t.Helper()
	p.Shot(name)
	if keys := browsertest.Eval[[]string](p, keysOnScreen); len(keys) > 0 {
		t.Errorf("%s shows keys: %q", name, keys)
	}
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("%s is %d px wider than the window", name, wide)
	}
}

// keysOnScreen are words that have no translation: they show as their keys, which have
// dots. What programs read has dots too; it is in code.
const keysOnScreen = `(() => {
	const copy = document.querySelector('main').cloneNode(true);
	copy.querySelectorAll('code, pre, input, textarea, style').forEach(e => e.remove());
	return [...copy.innerHTML.replace(/<[^>]*>/g, " ").matchAll(/\b(bulk|nav|errors|signin|reach|history|person|consent|import|keys|profile|password|two|sessions|settings|another|usage|policy|support|members|invitations|roles|permission|column|health|form|verify|deliveries|live|types|reference|chain|filter|empty|kind|verb|thing)\.[a-zA-Z_.]+/g)].map(m => m[0]);
})()`
