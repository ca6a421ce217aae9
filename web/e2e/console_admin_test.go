package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// enrolAdmin turns two-factor on by the page that asks an administrator for it.
func enrolAdmin(t *testing.T, p *browsertest.Page) {
	t.Helper()
	press(p, "Turn two-factor on")
	p.Wait("document.querySelector('[role=dialog] code')")
	secret := browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent")
	code, err := totp.GenerateCode(secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	p.Type("[role=dialog] input", code+"\n")
	p.Wait("document.querySelectorAll('[role=dialog] li code').length === 10") // recovery codes, shown once
	press(p, "I have kept it")
}

// adminAPI asks the API as the administrator in the browser and reads a field of the answer.
func adminAPI(t *testing.T, p *browsertest.Page, path, body, field string) string {
	t.Helper()
	var answer map[string]any
	if err := json.Unmarshal([]byte(post(p, path, body)), &answer); err != nil {
		t.Fatal(err)
	}
	value, ok := answer[field].(string)
	if !ok {
		t.Fatalf("POST %s: no %s in %v", path, field, answer)
	}
	return value
}

// giveReason types why into the question that is open.
func giveReason(p *browsertest.Page, text string) {
	p.Wait("document.querySelector('[role=dialog] textarea')")
	p.Type("[role=dialog] textarea", text)
}

// TestConsoleAdmin: whoever administers the platform is led to two-factor and back,
// makes an organization, suspends it with a reason, looks into it as support, which
// cannot be missed, and ends that.
func TestConsoleAdmin(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/admin/overview")
	p.Wait("document.body.textContent.includes('Turn two-factor on first')")
	p.Shot("admin-guard")
	p.Accessible()
	enrolAdmin(t, p)
	heading(p, "Platform overview")
	p.Wait("document.querySelector('figure svg')")

	press(p, "Organizations")
	press(p, "Create an organization")
	heading(p, "Create an organization")
	p.Type("form input", "Chorsu Savdo")
	p.Type("form input[type=email]", "anvar@example.uz")
	press(p, "Create")
	p.Wait("document.body.textContent.includes('Chorsu Savdo is there') && document.querySelector('main code')?.textContent.startsWith('http')")
	p.Shot("admin-organization-made")
	press(p, "Open the organization")
	heading(p, "Chorsu Savdo")

	press(p, "Change")
	press(p, "Suspend")
	giveReason(p, "Complaints about spam")
	p.Wait("document.querySelector('[role=dialog]').textContent.includes('None of its 0 recipients gets a message')")
	p.Shot("admin-suspend")
	p.Accessible()
	press(p, "Suspend")
	p.Wait("document.querySelector('main').textContent.includes('Reason: Complaints about spam')")
	p.Shot("admin-organization-suspended")
	press(p, "Change")
	press(p, "Reactivate")
	press(p, "Reactivate") // of the question: its reason is optional
	p.Wait("!document.querySelector('main').textContent.includes('Complaints about spam')")

	press(p, "Look as support")
	giveReason(p, "They asked about an import")
	p.Shot("admin-support-question")
	press(p, "Prepare")
	press(p, "Start")
	p.Wait("document.querySelector('[role=alert]')?.textContent.includes('“Chorsu Savdo”')")
	p.Shot("admin-support-banner")
	for _, words := range []string{"Add", "Platform overview"} {
		if browsertest.Eval[bool](p, `[...document.querySelectorAll('button, a')].some(e => e.textContent.trim() === `+quote(words)+`)`) {
			t.Errorf("support sees %q", words)
		}
	}
	press(p, "End the session")
	p.Wait("!document.querySelector('[role=alert]')?.textContent.includes('Chorsu') && document.querySelector('nav')")
	p.Goto(base + "/console/admin/support-sessions")
	p.Wait("document.querySelectorAll('[data-row]').length === 1 && document.querySelector('[data-row]').textContent.includes('Ended')")
	p.Clean()
}

// TestConsoleAdminPages looks at every page of the administration in the three
// languages, in both themes and on a telephone, with something on each.
func TestConsoleAdminPages(t *testing.T) {
	for i, o := range []browsertest.Options{{Lang: "en"}, {Lang: "ru", Dark: true}, {Lang: "uz"}, {Lang: "uz", Width: 360, Height: 740, Touch: true}} {
		t.Run(o.Lang, func(t *testing.T) {
			o.Allow = whenNobody
			p, base := signUp(t, o)
			secret := adminAPI(t, p, "/me/mfa/setup", "{}", "secret")
			code, err := totp.GenerateCode(secret, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			post(p, "/me/mfa/enable", `{"code":`+quote(code)+`}`)
			seed(p)
			org := adminAPI(t, p, "/admin/organizations", `{"name":"Chorsu Savdo","owner_email":"anvar@example.uz","plan":"STARTER","timezone":"Asia/Tashkent"}`, "id")
			post(p, "/admin/abuse-reports", `{"category":"SPAM","description":"Three people wrote that they never agreed to these messages.","organization_id":`+quote(org)+`,"recipient_ref":"@gulnora_k","source":"CUSTOMER"}`)
			session := adminAPI(t, p, "/admin/organizations/"+org+"/support-sessions", `{"reason":"They asked about an import"}`, "id")
			pages := map[string]string{
				"overview": "figure svg", "organizations": "[data-row]", "organizations/new": "form", "organizations/" + org: "[role=progressbar]", "users": "[data-row]",
				"accounts": "main", "proxies": "main", "campaigns": "main", "queues": "figure svg", "queues/maintenance": "[role=search], [data-row]", "workers": "tbody tr",
				"system": "dl", "abuse-reports": "[data-row]", "support-sessions": "[data-row]", "support-sessions/" + session: "main", "billing": "[data-row]",
				"audit-logs": "[data-row]", "settings": "fieldset",
			}
			p.Goto(base + "/console/recipients")
			p.Wait("document.querySelector('h1')")
			for path, seen := range pages {
				// Within the console, as a link goes: no page begins anew.
				before := browsertest.Eval[string](p, "document.querySelector('h1').textContent")
				browsertest.Eval[bool](p, "history.pushState(null, '', "+quote("/console/admin/"+path)+") || true")
				p.Wait(`document.querySelector('h1')?.textContent !== ` + quote(before) + ` && document.querySelector(` + quote(seen) + `) && !document.querySelector('[aria-busy=true], .mantine-Skeleton-root')`)
				p.Shot(fmt.Sprintf("admin-%d-%s", i, path))
				if keys := browsertest.Eval[[]string](p, `[...document.querySelector('main').innerText.matchAll(/\b[a-z]+(\.[a-zA-Z_]+)+\b/g)].map(m => m[0]).filter(k => !k.includes('example') && !k.includes('svcbak') && !k.includes('uz'))`); len(keys) > 0 {
					t.Errorf("%s shows keys: %q", path, keys)
				}
				if months := browsertest.Eval[[]string](p, `document.querySelector('main').innerText.match(/\bM(0\d|1[0-2])\b/g) ?? []`); len(months) > 0 {
					t.Errorf("%s shows months that the browser has no word for: %q", path, months)
				}
				if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
					t.Errorf("%s is %d px wider than the window", path, wide)
				}
			}
			p.Clean()
		})
	}
}

// TestConsoleAdminDecides: a report is recorded and ends with what was done, a queue is
// paused and goes on, and a setting that everybody feels is asked about first.
func TestConsoleAdminDecides(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || problem == "409 /api/v1/admin/queues/send/pause"
	}})
	p.Goto(base + "/console/admin/abuse-reports")
	enrolAdmin(t, p)
	heading(p, "Abuse reports")
	press(p, "Record a report")
	giveReason(p, "Messages at three in the night.")
	press(p, "Record")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	press(p, "Spam")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('three in the night')")
	p.Shot("admin-report")
	p.Accessible()

	p.Goto(base + "/console/admin/queues/maintenance")
	press(p, "Pause the queue")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('Nothing is checked or cleared up')")
	press(p, "Pause the queue")
	p.Wait("document.querySelector('main').textContent.includes('This queue is paused')")
	p.Goto(base + "/console/admin/overview")
	p.Wait("document.querySelector('main').textContent.includes('The queue “Housekeeping” is paused')")
	p.Goto(base + "/console/admin/queues/maintenance")
	press(p, "Resume the queue")
	press(p, "Resume the queue")
	p.Wait("!document.querySelector('main').textContent.includes('This queue is paused')")

	p.Goto(base + "/console/admin/settings")
	p.Wait("document.querySelector('fieldset input[type=checkbox]')")
	browsertest.Eval[bool](p, "document.querySelector('fieldset input[type=checkbox]').click() || true")
	press(p, "Save")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('can read and change nothing')")
	p.Shot("admin-settings-question")
	press(p, "Save")
	p.Wait("document.querySelector('[role=status]').textContent.includes('Maintenance')")
	p.Shot("admin-maintenance")
	p.Clean()
}

// TestConsoleAdminOwns: an administrator says how many organizations a person may own; what cannot
// be is named beside the field, and an empty field is what everybody may.
func TestConsoleAdminOwns(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Allow: whenNobody})
	secret := adminAPI(t, p, "/me/mfa/setup", "{}", "secret")
	post(p, "/me/mfa/enable", `{"code":`+quote(codeOf(t, secret))+`}`)
	p.Goto(base + "/console/admin/users")
	row := "document.querySelector('[data-row]')?.textContent"
	p.Wait(row + ".includes('1 из 3')")
	press(p, "Лимит")
	own := "[role=dialog] input"
	p.Wait("document.querySelector('" + own + "')?.value === '3'")
	retype := func(value string) {
		browsertest.Eval[bool](p, "document.querySelector('"+own+"').select() || true")
		if value == "" {
			p.Key("Backspace")
		} else {
			p.Type(own, value)
		}
		press(p, "Сохранить")
	}
	retype("101")
	says(p, "От 0 до 100")
	p.Shot("admin-owns")
	p.Accessible()
	retype("7")
	p.Wait(row + ".includes('1 из 7')")
	press(p, "Лимит")
	p.Wait("document.querySelector('" + own + "')?.value === '7'")
	retype("")
	p.Wait(row + ".includes('1 из 3')")
	p.Clean()
}

// TestConsoleAdminGivesBack: an administrator gives somebody a link for a new password, in
// Russian on a telephone; for oneself there are the commands of the server alone. The
// system page says which settings are surely not meant.
func TestConsoleAdminGivesBack(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Dark: true, Allow: whenNobody})
	twoFactorOn(t, p)
	invitation := adminAPI(t, p, "/admin/organizations", `{"name":"Chorsu Savdo","owner_email":"anvar@example.uz","plan":"STARTER","timezone":"Asia/Tashkent"}`, "invitation_url")
	_, token, _ := strings.Cut(invitation, "token=")
	asNobody := func(path, body string) int {
		return browsertest.Eval[int](p, `fetch('/api/v1`+path+`', {method: 'POST', credentials: 'omit', headers: {'Content-Type': 'application/json'}, body: `+quote(body)+`}).then(r => r.status)`)
	}
	if got := asNobody("/invitations/accept", `{"token":"`+token+`","name":"Anvar","password":"correct horse 2"}`); got != 200 {
		t.Fatalf("the owner cannot accept: %d", got)
	}
	p.Goto(base + "/console/admin/users")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('button')].find(b => b.textContent === 'Потерян доступ').click() || true") // the newest is first
	says(p, "Anvar не может войти")
	p.Shot("admin-lost")
	p.Accessible()
	press(p, "Создать ссылку")
	p.Wait("document.querySelector('[role=dialog] code')?.textContent.includes('token=')")
	p.Shot("admin-lost-link")
	p.Accessible()
	_, token, _ = strings.Cut(browsertest.Eval[string](p, "document.querySelector('[role=dialog] code').textContent"), "token=")
	if got := asNobody("/auth/password-reset/confirm", `{"token":"`+token+`","password":"new horse 22"}`); got != 200 && got != 204 {
		t.Errorf("the link of the page changes no password: %d", got)
	}
	press(p, "Скопировано")
	press(p, "Потерян доступ")
	says(p, "svc admin reset-password olga@example.uz --two-factor")
	says(p, "создать нельзя")
	p.Shot("admin-lost-own")
	p.Accessible()
	press(p, "Понятно")
	p.Goto(base + "/console/admin/system")
	p.Wait("document.querySelector('[data-warnings]')?.textContent.includes('Нет индекса карты')")
	p.Shot("admin-system-warnings")
	p.Accessible()
	p.Clean()
}
