package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// whenSigningIn lets pass what a browser reports of the refusals that the story is about.
func whenSigningIn(problem string) bool {
	return whenNobody(problem) || strings.HasPrefix(problem, "422 /api/v1/accounts")
}

// acceptPolicy lets the organization connect accounts and launch campaigns.
func acceptPolicy(p *browsertest.Page) {
	version := browsertest.Eval[string](p, `fetch('/api/v1/public/config').then(r => r.json()).then(c => c.policy_version)`)
	post(p, "/organization/accept-policy", `{"policy_version":`+quote(version)+`}`)
}

// says waits until the page shows a text.
func says(p *browsertest.Page, text string) {
	p.Wait(`document.body.innerText.includes(` + quote(text) + `)`)
}

// field types into the field with that label; what was there is replaced.
func field(p *browsertest.Page, label, text string) {
	p.Wait(idle + ` && (() => { const l = [...document.querySelectorAll('label')].find(l => l.textContent.replace(' *', '') === ` + quote(label) + `);
		const i = l && document.getElementById(l.htmlFor); if (!i) return false; document.querySelectorAll('[data-e2e]').forEach(x => x.removeAttribute('data-e2e'));
		i.setAttribute('data-e2e', ''); i.focus(); i.select?.(); return true })()`)
	p.Type("[data-e2e]", text)
}

// TestConsoleAccount: somebody connects a simulated account by number, code and
// two-step password, over a reload, sends a test, and pauses it after a question.
func TestConsoleAccount(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1600, Height: 900, Allow: whenSigningIn})
	acceptPolicy(p)
	p.Goto(base + "/console/accounts")
	says(p, "No accounts yet")
	p.Shot("console-accounts-empty")
	press(p, "Connect an account")
	heading(p, "Connect an account")
	field(p, "Phone number", "12\n")
	says(p, "That is no phone number")
	p.Shot("console-signin-wrong-number")
	field(p, "Phone number", "+998900009001\n")
	says(p, "attempts left")
	p.Shot("console-signin-code")
	p.Accessible()
	field(p, "Code", "11111\n")
	says(p, "The code is wrong")
	says(p, "4 attempts left")
	p.Goto(base + "/console/accounts/new") // a reload goes on where it was
	says(p, "4 attempts left")
	field(p, "Code", "12345\n")
	says(p, "two-step verification")
	p.Shot("console-signin-password")
	field(p, "Two-step password", "demo\n")
	p.Wait("location.pathname.startsWith('/console/accounts/acc_')")
	says(p, "Pace and settings")
	p.Shot("console-account")
	p.Accessible()

	field(p, "Messages a day", "200")
	press(p, "Save")
	says(p, "of 200")
	press(p, "Send a test")
	says(p, "Up to 10 an hour")
	field(p, "To", "demo_user_7\n")
	says(p, "Delivered")
	p.Shot("console-account-test")
	p.Accessible()
	press(p, "Close")
	p.Wait("!document.querySelector('[role=dialog]')")
	press(p, "Pause")
	says(p, "It sends nothing until you resume it")
	says(p, "No running campaign uses this account.")
	p.Shot("console-account-pause")
	// It shows at once, on the page and in the list beside it, and is taken back when it is refused.
	refuse := holdBack(p, "/pause")
	press(p, "Pause")
	state := func(word string) {
		p.Wait("[document.querySelector('h1').parentElement, document.querySelector('[data-row]')].every(e => e?.textContent.includes('" + word + "'))")
	}
	state("Paused")
	p.Wait("!document.querySelector('[role=dialog]')")
	refuse()
	state("Active")
	press(p, "Pause")
	says(p, "No running campaign uses this account.")
	press(p, "Pause")
	says(p, "Resume it when it may send again")
	p.Shot("console-account-paused")
	p.Accessible()
	press(p, "Resume")
	says(p, "Active → Paused")
	p.Goto(base + "/console/accounts")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	p.Shot("console-accounts")
	p.Accessible()
	p.Clean()
}

// TestConsoleProxies: lines are pasted, those that cannot be read say why, one is
// opened and checked: the stage that failed is said in words. In the dark.
func TestConsoleProxies(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Dark: true, Allow: whenSigningIn})
	p.Goto(base + "/console/proxies")
	says(p, "Прокси пока нет")
	p.Shot("console-proxies-empty")
	press(p, "Добавить списком")
	p.Wait("document.querySelector('[role=dialog] textarea')")
	p.Type("[role=dialog] textarea", "proxy.invalid:1080:olga:secret\nhttp://u:p@proxy2.invalid:8080\nnonsense\n")
	says(p, "proxy2.invalid:8080")
	p.Shot("console-proxies-import")
	p.Accessible()
	press(p, "Добавить 3 прокси")
	says(p, "Добавлено: 2.")
	p.Shot("console-proxies-imported")
	press(p, "Закрыть")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('[data-row] [data-open]')].find(a => a.textContent.includes('proxy2')).click() || true")
	heading(p, "proxy2.invalid:8080")
	press(p, "Проверить")
	says(p, "Сам прокси не ответил.")
	p.Shot("console-proxy")
	p.Accessible()
	p.Clean()
}

// TestConsoleAccountPhone: the pages fit a telephone, in Uzbek.
func TestConsoleAccountPhone(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "uz", Width: 360, Height: 740, Touch: true, Allow: whenSigningIn})
	acceptPolicy(p)
	connect(p, "+998900000002")
	for _, path := range []string{"/accounts", "/accounts/new", "/proxies", "/jobs"} {
		p.Goto(base + "/console" + path)
		p.Wait("document.querySelector('h1') && !document.querySelector('[aria-busy=true]')")
		pageFits(p, t, "console-phone"+path)
	}
	p.Clean()
}

// connect signs a number of the simulator in and gives the id of its account.
func connect(p *browsertest.Page, phone string) string {
	return browsertest.Eval[string](p, `(async () => {
		const send = (path, body) => fetch('/api/v1' + path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)}).then(r => r.json());
		const begun = await send('/accounts', {phone: `+quote(phone)+`});
		return (await send('/accounts/login/' + begun.state.flow_id + '/code', {code: '12345'})).account.id;
	})()`)
}

// pageFits takes a picture and asks that nothing is wider than the window, no key shows
// and axe is content.
func pageFits(p *browsertest.Page, t *testing.T, name string) {
	t.Helper()
	p.Shot(name)
	p.Accessible()
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("%s is %d px wider than the window", name, wide)
	}
	if keys := browsertest.Eval[[]string](p, `[...document.body.innerText.matchAll(/\b[a-z]+(\.[a-zA-Z_]+)+\b/g)].map(m => m[0]).filter(k => !/example|invalid|uz\.|opt_out/.test(k))`); len(keys) > 0 {
		t.Errorf("%s shows keys: %q", name, keys)
	}
}

// holdBack keeps the next request to such a path from the server. refuse answers it as if
// the server did not take it.
func holdBack(p *browsertest.Page, path string) (refuse func()) {
	browsertest.Eval[bool](p, `(() => { const real = window.fetch; window.fetch = r => { if (!r.url?.endsWith(`+quote(path)+`)) return real(r); window.fetch = real; return new Promise(done => { window.refuse = () => done(new Response(JSON.stringify({error: {code: 'invalid_state', message: 'Not now.'}}), {status: 409, headers: {'Content-Type': 'application/json'}})) }) }; return true })()`)
	return func() {
		p.Wait("window.refuse")
		browsertest.Eval[bool](p, "window.refuse() || true")
	}
}
