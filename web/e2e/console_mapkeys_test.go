package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/web/e2e/browsertest"
)

// TestConsoleMapKeys: who runs the platform makes a key of the map, sees it once,
// restricts it, sees what it used by day and product, and revokes it; keys of the key file
// stand beside it, read-only.
func TestConsoleMapKeys(t *testing.T) {
	keys, _ := browsertest.Key(t)
	for _, lang := range []string{"uz", "ru"} {
		t.Run(lang, func(t *testing.T) {
			p, _ := mapKeysPage(t, lang, keys)
			p.Clean()
		})
	}
	t.Run("en", func(t *testing.T) {
		p, base := mapKeysPage(t, "en", keys)
		press(p, "New key")
		p.Wait("document.querySelector('[role=dialog] form')")
		p.Type("[role=dialog] form input[maxlength='200']", "My site")
		p.Shot("map-keys-new")
		p.Accessible()
		press(p, "Create")
		p.Wait("/^[0-9a-f]{32}$/.test([...document.querySelectorAll('[role=dialog] code')].map(c => c.textContent.trim()).find(x => x.length === 32) ?? '')")
		key := browsertest.Eval[string](p, "[...document.querySelectorAll('[role=dialog] code')].map(c => c.textContent.trim()).find(x => x.length === 32)")
		p.Shot("map-keys-shown-once")
		p.Accessible()
		browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=dialog] button')].at(-1).click() || true")
		p.Wait("!document.querySelector('[role=dialog]')")
		for range 3 {
			if got := browsertest.Eval[int](p, "fetch('/api/search?q=wilmington&key="+key+"').then(r => r.status)"); got != 200 {
				t.Errorf("the new key is answered with %d", got)
			}
		}
		p.Goto(base + "/console/admin/map-keys")
		p.Wait("document.querySelector('main table').textContent.includes('3 requests')")
		if browsertest.Eval[bool](p, "document.body.innerHTML.includes("+quote(key)+")") {
			t.Error("the key is shown again")
		}
		menu := func(item string) {
			browsertest.Eval[bool](p, "document.querySelector('button[aria-label=\"More about My site\"]').click() || true")
			p.Wait("[...document.querySelectorAll('[role=menuitem]')].some(m => m.textContent === " + quote(item) + ")")
			browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=menuitem]')].find(m => m.textContent === "+quote(item)+").click() || true")
		}
		menu("Usage")
		p.Wait("document.querySelector('[role=dialog] figure svg') && document.querySelector('[role=dialog] table').textContent.includes('Search')")
		p.Shot("map-keys-usage")
		p.Accessible()
		p.Key("\x1b")
		p.Wait("!document.querySelector('[role=dialog]')")
		menu("Revoke")
		p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('cannot be undone')")
		p.Shot("map-keys-revoke")
		browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=dialog] button')].find(b => b.textContent === 'Revoke').click() || true")
		p.Wait("[...document.querySelectorAll('main tbody tr')].some(r => r.textContent.includes('My site') && r.textContent.includes('Revoked'))")
		if got := browsertest.Eval[int](p, "fetch('/api/search?q=wilmington&key="+key+"').then(r => r.status)"); got != 403 {
			t.Errorf("the revoked key is answered with %d", got)
		}
		p.Clean()
	})
}

// mapKeysPage is the page of an administrator with two-factor, with one key of the file.
func mapKeysPage(t *testing.T, lang, keys string) (p *browsertest.Page, base string) {
	t.Helper()
	p, base = signUp(t, browsertest.Options{Lang: lang, Allow: func(problem string) bool { return whenNobody(problem) || strings.HasPrefix(problem, "403 /api/search") }},
		"--map", browsertest.Map(t, ""), "--keys", keys, "--require-key", "--usage", t.TempDir()+"/usage.db")
	code, err := totp.GenerateCode(adminAPI(t, p, "/me/mfa/setup", `{}`, "secret"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	post(p, "/me/mfa/enable", `{"code":`+quote(code)+`}`)
	p.Goto(base + "/console/admin/map-keys")
	p.Wait("document.querySelector('main table tbody tr')")
	p.Shot("map-keys-admin-" + lang)
	p.Accessible()
	return p, base
}
