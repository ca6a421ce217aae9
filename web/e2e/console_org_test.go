package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"svc/app/api/perm"
	"svc/web/e2e/browsertest"
)

// TestConsoleTeam: somebody is invited with a link, and joins; the role is changed, the
// only owner stays, and the matrix on the page is that of the server.
func TestConsoleTeam(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "409 /api/v1/invitations")
	}})
	p.Goto(base + "/console/members")
	heading(p, "Members")
	press(p, "Invite")
	p.Wait("document.querySelector('[role=dialog] input[type=email]')")
	p.Type("[role=dialog] input[type=email]", "anvar@example.uz")
	p.Shot("console-invite")
	p.Accessible()
	press(p, "Create the link")
	says(p, "shown only now")
	p.Shot("console-invite-link")
	link := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	press(p, "I have copied it")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	says(p, "Open")
	press(p, "Invite")
	p.Type("[role=dialog] input[type=email]", "anvar@example.uz")
	press(p, "Create the link")
	says(p, "withdraw it first")

	_, token, _ := strings.Cut(link, "token=")
	joined := browsertest.Eval[int](p, `fetch('/api/v1/invitations/accept', {method: 'POST', credentials: 'omit', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({token: `+quote(token)+`, name: 'Anvar', password: 'correct horse 2'})}).then(r => r.status)`)
	if joined != 200 {
		t.Fatalf("the link of the page does not let in: %d", joined)
	}
	p.Goto(base + "/console/members")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	p.Shot("console-members")
	press(p, "Anvar: actions")
	press(p, "Change the role")
	p.Wait("document.querySelector('[role=dialog] input[value=ANALYST]')")
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[value=ANALYST]').click() || true")
	p.Shot("console-role")
	press(p, "Change the role") // of the question
	p.Wait("[...document.querySelectorAll('[data-row]')].some(r => r.textContent.includes('Anvar') && r.textContent.includes('Analyst'))")
	press(p, "Anvar: actions")
	press(p, "New password by link")
	says(p, "two-factor stays")
	p.Shot("console-member-reset")
	press(p, "Create the link")
	says(p, "It works once, until")
	p.Shot("console-member-reset-link")
	p.Accessible()
	reset := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	_, token, _ = strings.Cut(reset, "token=")
	changed := browsertest.Eval[int](p, `fetch('/api/v1/auth/password-reset/confirm', {method: 'POST', credentials: 'omit', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({token: `+quote(token)+`, password: 'new horse 22'})}).then(r => r.status)`)
	if changed != 200 && changed != 204 {
		t.Errorf("the link of the page changes no password: %d", changed)
	}
	press(p, "I have copied it")
	press(p, "Olga: actions")
	p.Wait("document.querySelector('[role=menuitem]')")
	if browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=menuitem]')].some(e => e.textContent === 'New password by link')") {
		t.Error("somebody can make a link for their own password")
	}
	press(p, "Leave")
	says(p, "This is the only owner")
	p.Goto(base + "/console/members/roles")
	heading(p, "Roles")
	p.Wait("document.querySelectorAll('[data-role]').length > 100")
	matrixIsTheServers(t, p)
	p.Clean()
}

// matrixIsTheServers compares the page of roles, cell by cell, with the permissions of
// the server; those of parts that the console has not are not on it.
func matrixIsTheServers(t *testing.T, p *browsertest.Page) {
	t.Helper()
	var cells map[string]map[string]bool
	drawn := browsertest.Eval[string](p, `JSON.stringify(Object.fromEntries([...document.querySelectorAll('[data-permission]')].map(r => [r.dataset.permission, Object.fromEntries([...r.querySelectorAll('[data-role]')].map(c => [c.dataset.role, c.dataset.has === 'true']))])))`)
	if err := json.Unmarshal([]byte(drawn), &cells); err != nil {
		t.Fatal(err)
	}
	for want := range perm.Owner.Permissions().All() {
		row, shown := cells[want.String()]
		if shown == want.AI() {
			t.Errorf("%s is on the page: %v", want, shown)
		}
		for role, has := range row {
			if perm.Role(role).Permissions().Has(want) != has {
				t.Errorf("the page says that %s has %s: %v", role, want, has)
			}
		}
	}
}

// TestConsoleOrganization: settings are changed and say what was saved; the policy is
// accepted; plan and usage are drawn.
func TestConsoleOrganization(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/settings")
	heading(p, "Organization")
	field(p, "Name", "Bazar va Co")
	field(p, "Text of messages, days", "90")
	p.Shot("console-settings")
	p.Accessible()
	press(p, "Save")
	says(p, "Saved.")
	p.Wait("document.querySelector('header').textContent.includes('Bazar va Co')")
	if got := browsertest.Eval[int](p, "fetch('/api/v1/organization').then(r => r.json()).then(o => o.retention.messages_days)"); got != 90 {
		t.Errorf("texts are kept for %d days, want 90", got)
	}
	p.Goto(base + "/console/settings")
	says(p, "may send at any time of day")
	hours := "[...document.querySelectorAll('fieldset')].find(f => f.querySelector('legend')?.textContent === 'Sending hours')"
	browsertest.Eval[bool](p, hours+".querySelector('input[role=switch]').click() || true")
	p.Wait(hours + ".querySelectorAll('input[type=time]').length === 2")
	browsertest.Eval[bool](p, hours+".querySelector('input[value=SU]').click() || true")
	p.Shot("console-settings-hours")
	p.Accessible()
	press(p, "Save")
	says(p, "Saved.")
	p.Wait("fetch('/api/v1/organization').then(r => r.json()).then(o => o.default_sending_window?.start === '09:00' && o.default_sending_window.weekdays.join() === 'MO,TU,WE,TH,FR,SA')")
	browsertest.Eval[bool](p, hours+".querySelector('input[role=switch]').click() || true")
	says(p, "may send at any time of day")
	press(p, "Save")
	p.Wait("fetch('/api/v1/organization').then(r => r.json()).then(o => o.default_sending_window === null)")
	press(p, "Acceptable use")
	says(p, "not accepted yet")
	p.Shot("console-policy")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('main button')].find(b => b.textContent.startsWith('Accept version')).click() || true")
	says(p, "was accepted on")
	press(p, "Plan and usage")
	says(p, "of 250,000")
	p.Wait("document.querySelector('.recharts-surface')")
	p.Shot("console-usage")
	p.Accessible()
	p.Clean()
}
