package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// accept lets the person of the link come in, instead of who is signed in.
func accept(t *testing.T, p *browsertest.Page, link, name string) {
	t.Helper()
	_, token, _ := strings.Cut(link, "token=")
	post(p, "/auth/logout", "")
	post(p, "/invitations/accept", `{"token":`+quote(token)+`,"name":`+quote(name)+`,"password":"correct horse 2"}`)
}

// signInWithCode does so by the pages: password, then the code of the authenticator,
// a wrong one first.
func signInWithCode(t *testing.T, w town, shot string) {
	t.Helper()
	p := w.p
	post(p, "/auth/logout", "")
	p.Goto(w.base + "/console/")
	p.Wait("document.querySelector('input[autocomplete=username]')")
	p.Type("input[autocomplete=username]", "olga@example.uz")
	p.Type("input[autocomplete=current-password]", "correct horse 1\n")
	says(p, "Type the 6 digits")
	p.Wait("document.querySelectorAll('main input').length >= 6")
	p.Shot(shot)
	p.Accessible()
	// A code counts once, and that of now was used to turn two-factor on.
	code, err := totp.GenerateCode(w.secret, time.Now().Add(30*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Map(func(r rune) rune { return '0' + (r-'0'+1)%10 }, code)
	p.Type("main input", wrong)
	says(p, "is wrong")
	p.Type("main input", code)
	p.Wait("document.querySelector('nav')")
}

// nothing is what support may press.
var nothing = regexp.MustCompile(`^$`)

// lookAsSupport begins a look of support at an organization.
func lookAsSupport(p *browsertest.Page, base, organization string) {
	p.Goto(base + "/console/admin/organizations")
	press(p, organization)
	press(p, "Look as support")
	giveReason(p, "They asked about an import")
	press(p, "Prepare")
	press(p, "Start")
}

// TestConsoleSupport: somebody of the platform signs in with two-factor and looks into
// an organization. On every page the banner names whose data it is, nothing can be
// pressed that changes anything, nothing is asked that is refused; ending it leads back
// to the own organization, and the other one sees who looked, when and why.
func TestConsoleSupport(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenRehearsing})
	w := town{p: p, base: base, secret: twoFactorOn(t, p), ids: map[string]string{}}
	link := adminAPI(t, p, "/admin/organizations", `{"name":"Chorsu Savdo","owner_email":"chorsu@example.uz","plan":"PRO","timezone":"Asia/Tashkent"}`, "invitation_url")
	accept(t, p, link, "Anvar")
	w.furnish(t, "+998900000002")
	signInWithCode(t, w, "console-signin-two-factor")
	p.Problems()

	lookAsSupport(p, base, "Chorsu Savdo")
	const banner = "document.querySelector('[role=alert]')?.textContent.includes('“Chorsu Savdo”')"
	p.Wait(banner + " && " + still)
	w.ids["/settings/support/"] = browsertest.Eval[string](p, `fetch('/api/v1/organization/support-sessions').then(r => r.json()).then(x => x.data[0].id)`)
	for _, r := range routes(t) {
		if strings.HasPrefix(r.pattern, "/admin/") && r.pattern != "/admin/overview" {
			continue
		}
		open(p, w.address(t, r.pattern))
		if !browsertest.Eval[bool](p, banner) {
			t.Errorf("no banner on %s", r.pattern)
		}
		changesNothing(t, p, "support", r.pattern, nothing)
	}
	p.Clean()
	p.Shot("console-support")
	p.Accessible()
	press(p, "End the session")
	p.Wait("!" + banner + " && document.querySelector('header')?.textContent.includes('Bazar') && " + still)
	p.Clean()

	post(p, "/auth/logout", "")
	signIn(w, "chorsu@example.uz", "correct horse 2")
	open(p, "/settings/support")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	says(p, "They asked about an import")
	says(p, "Olga")
	p.Shot("console-support-seen")
	p.Clean()
}

// TestConsoleSupportOwn: the first person both administers the platform and owns the
// organization. Looking at it as support is said all the same, changes nothing and ends.
func TestConsoleSupportOwn(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	twoFactorOn(t, p)
	lookAsSupport(p, base, "Bazar")
	const banner = "document.querySelector('[role=alert]')?.textContent.includes('“Bazar”')"
	p.Wait(banner + " && " + still)
	p.Shot("console-support-own")
	for _, page := range []string{"/recipients", "/settings"} {
		open(p, page)
		changesNothing(t, p, "support", page, nothing)
	}
	press(p, "End the session")
	p.Wait("!" + banner + " && " + still)
	open(p, "/recipients")
	press(p, "Area: Work")
	p.Wait(`[...document.querySelectorAll('[role=menuitem]')].some(e => e.textContent === "Platform")`)
	p.Clean()
}
