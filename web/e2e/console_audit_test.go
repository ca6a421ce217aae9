package e2e

import (
	"fmt"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleAudit: what somebody changed is in the log with the values before and
// after, and the browser finds the chain intact.
func TestConsoleAudit(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	browsertest.Eval[int](p, `fetch('/api/v1/organization', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({name: 'Bazar <& Co>', stop_keywords: {uz: ['yoʻq']}})}).then(r => r.status)`)
	for i := range 12 {
		post(p, "/lists", fmt.Sprintf(`{"name":"List %d"}`, i))
	}
	p.Goto(base + "/console/audit-log")
	heading(p, "Audit log")
	p.Wait("document.querySelectorAll('[data-row]').length > 12")
	press(p, "Check the chain")
	says(p, "The chain is intact")
	p.Shot("console-audit")
	p.Accessible()
	p.Goto(base + "/console/audit-log?action=organization.*")
	p.Wait("document.querySelectorAll('[data-row]').length < 5 && document.querySelector('[data-row]')")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('[data-open]')].find(a => a.textContent === 'Organization: changed').click() || true")
	p.Wait("document.querySelector('[role=dialog] table')?.textContent.includes('Bazar <& Co>')")
	p.Shot("console-audit-entry")
	p.Accessible()
	p.Clean()
}

// TestConsoleNotifications: an import that ends rings the bell; opening the bell and
// reading quiets it.
func TestConsoleNotifications(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/notifications")
	says(p, "Nothing to know")
	status := browsertest.Eval[int](p, `(() => { const f = new FormData(); f.append('file', new File(['username,consent_status\ngulnora_k,OPTED_IN\n'], 'people.csv', {type: 'text/csv'})); return fetch('/api/v1/recipients/import', {method: 'POST', body: f}).then(r => r.status) })()`)
	if status != 201 {
		t.Fatalf("the import: %d", status)
	}
	p.Wait(`document.querySelector('[aria-label="Notifications: 1 unread"]')`) // by itself
	p.Wait("document.querySelectorAll('[data-notice=IMPORT_FINISHED]').length === 1")
	press(p, "Notifications: 1 unread")
	p.Wait("document.querySelectorAll('[data-notice=IMPORT_FINISHED]').length === 2")
	p.Shot("console-bell")
	p.Accessible()
	press(p, "Mark all as read")
	p.Wait("!document.querySelector('[aria-label$=\"unread\"]')")
	p.Wait("!document.querySelector('[data-unread]')")
	p.Clean()
}

// TestConsoleOffice shows the pages of organization and developers in each language,
// both themes and on a telephone.
func TestConsoleOffice(t *testing.T) {
	inEachLanguage(t, func(t *testing.T, p *browsertest.Page, base, lang string) {
		post(p, "/webhooks", `{"url":"https://crm.example.uz/hooks/svc","description":"CRM","events":["campaign.*","recipient.opted_out"]}`)
		post(p, "/api-keys", `{"name":"CRM","expires_in_days":30,"scopes":["recipients:read","recipients:manage","campaigns:read"]}`)
		post(p, "/invitations", `{"email":"anvar@example.uz","role":"ANALYST"}`)
		post(p, "/recipients", `{"username":"gulnora_k","consent_status":"OPTED_OUT"}`)
		for _, path := range []string{
			"profile", "api-keys", "settings", "settings/usage", "settings/policy", "settings/support", "members", "members/invitations", "members/roles",
			"webhooks", "webhooks/new", "webhooks/verify", "events", "events/live", "events/types", "reference", "audit-log", "notifications",
		} {
			p.Goto(base + "/console/" + path)
			p.Wait("document.querySelector('main h1') && !document.querySelector('main .mantine-Skeleton-root, main .mantine-Loader-root')")
			lookAt(t, p, "office-"+lang+"-"+strings.ReplaceAll(path, "/", "-"))
		}
	})
}
