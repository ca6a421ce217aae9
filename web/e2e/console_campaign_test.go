package e2e

import (
	"fmt"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// whenRehearsing lets pass that a campaign was not rehearsed yet.
func whenRehearsing(problem string) bool {
	return whenSigningIn(problem) || strings.HasPrefix(problem, "404 /api/v1/campaigns/") && strings.HasSuffix(problem, "/rehearsal")
}

// audience adds people of the simulator who opted in, with a tag, and one nobody knows.
func audience(p *browsertest.Page, n int) {
	records := ""
	for i := 1; i <= n; i++ {
		records += fmt.Sprintf(`{"username":"demo_user_%d","first_name":"Person %d"},`, i, i)
	}
	post(p, "/recipients/import", `{"default_consent":"OPTED_IN","tags":["demo"],"records":[`+records+`{"username":"nobody_has_this_name","first_name":"Nobody"}]}`)
}

// saved waits until what was changed is saved: the page says so.
func saved(p *browsertest.Page) {
	p.Wait("[...document.querySelectorAll('[role=status]')].some(e => e.textContent === 'Saved')")
}

// idIn is the id that the address names.
func idIn(p *browsertest.Page) string {
	return browsertest.Eval[string](p, `location.pathname.split('/').find(x => x.startsWith('cmp_'))`)
}

// TestConsoleCampaign: a newcomer writes a message, chooses people, account and time,
// mends what the checks find, rehearses, launches with a double click, watches it end,
// and learns why one person did not get it.
func TestConsoleCampaign(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenRehearsing})
	acceptPolicy(p)
	account := connect(p, "+998900000001")
	browsertest.Eval[bool](p, `fetch('/api/v1/accounts/`+account+`', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: '{"min_interval_seconds":4}'}).then(r => r.ok)`)
	audience(p, 1)
	p.Goto(base + "/console/campaigns")
	says(p, "No campaigns yet")
	p.Shot("console-campaigns-empty")
	press(p, "New campaign")
	heading(p, "New campaign")
	field(p, "Name of the campaign", "Spring news\n")
	heading(p, "Edit the campaign")
	id := idIn(p)

	field(p, "Text", "Hello, {{first_name}}!")
	says(p, "Hello, {{first_name}}!")
	saved(p)
	p.Shot("console-campaign-message")
	p.Accessible()
	press(p, "Next")
	field(p, "Tags", "demo\n")
	says(p, "2 of 2 people get the message")
	p.Shot("console-campaign-audience")
	p.Accessible()
	press(p, "Next")
	p.Wait("document.querySelector('td input[type=checkbox]')?.checked") // it is the only one
	says(p, "People: 2.")
	p.Shot("console-campaign-accounts")
	p.Accessible()
	press(p, "Next")
	says(p, "Sending hours")
	p.Shot("console-campaign-schedule")
	p.Accessible()

	press(p, "Check and launch")
	p.Wait("document.querySelector('[data-check=opt_out_link][data-verdict=FAIL]')") // the link is missing
	p.Shot("console-campaign-checks-failed")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[data-check=opt_out_link] a').click() || true")
	says(p, "Every message needs the opt-out link.")
	press(p, "Opt-out link")
	p.Wait("document.querySelector('textarea').value.includes('{{opt_out_url}}')")
	saved(p)
	p.Goto(base + "/console/campaigns/" + id + "/rehearsal")
	says(p, "Not rehearsed yet")
	press(p, "Rehearse")
	says(p, "would end")
	p.Wait("document.querySelector('.recharts-surface')")
	p.Shot("console-campaign-rehearsal")
	p.Accessible()
	press(p, "Check and launch")
	p.Wait("document.querySelector('[data-check]')")
	browsertest.Eval[bool](p, "document.querySelector('main input[type=checkbox]')?.click() || true")
	p.Shot("console-campaign-checks")
	p.Accessible()
	press(p, "Launch")
	says(p, "2 people get this message")
	p.Wait("document.querySelector('[role=dialog] [data-simulator]')?.textContent.includes('nobody receives anything')")
	p.Shot("console-campaign-launch")
	p.Accessible()
	// Twice at once: it launches once.
	browsertest.Eval[bool](p, "(() => { const b = document.querySelector('[role=dialog] button[type=submit], [role=alertdialog] button[type=submit]'); for (const twice of [1, 2]) b.click(twice); return true })()")
	heading(p, "Spring news")
	says(p, "Delivery rate")
	p.Shot("console-campaign-running")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Completed')")
	p.Shot("console-campaign-completed")
	p.Accessible()

	browsertest.Eval[bool](p, "history.back() || true") // the checks are over: it leads to what was before them
	heading(p, "Rehearsal")
	p.Goto(base + "/console/campaigns/" + id + "/checks")
	says(p, "this campaign was launched")
	press(p, "To the campaign")
	heading(p, "Spring news")
	press(p, "People")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	p.Shot("console-campaign-people")
	p.Accessible()
	press(p, "Figures")
	press(p, "Nobody has this username, or none is known, and the account has not met the person.")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	press(p, "Why?")
	says(p, "Why Nobody did not get it")
	says(p, "Nobody has this username")
	p.Shot("console-campaign-why")
	p.Accessible()
	p.Goto(base + "/console/jobs")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	p.Shot("console-jobs")
	p.Accessible()
	if n := browsertest.Eval[int](p, `fetch('/api/v1/events?type=campaign.started').then(r => r.json()).then(x => x.data.filter(e => e.type === 'campaign.started').length)`); n != 1 {
		t.Errorf("the campaign was launched %d times", n)
	}
	p.Clean()
}

// TestConsoleCampaignStops: a campaign that runs is paused, resumed and cancelled; each
// question says how many people it touches. In the dark and in Russian.
func TestConsoleCampaignStops(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Dark: true, Allow: whenSigningIn})
	acceptPolicy(p)
	account := connect(p, "+998900000003")
	audience(p, 40)
	id := launch(p, account)
	p.Goto(base + "/console/campaigns/" + id)
	heading(p, "Salom")
	press(p, "Пауза")
	p.Wait(`document.querySelector('[role=dialog], [role=alertdialog]')?.textContent.includes('человек')`)
	p.Shot("console-campaign-pause")
	p.Accessible()
	press(p, "Пауза")
	says(p, "На паузе: ничего не уходит")
	p.Shot("console-campaign-paused")
	p.Accessible()
	press(p, "Возобновить")
	p.Wait("!document.body.innerText.includes('На паузе: ничего не уходит')")
	press(p, "Ещё")
	press(p, "Отменить кампанию")
	p.Wait("document.querySelector('[role=dialog] input, [role=alertdialog] input')")
	p.Shot("console-campaign-cancel")
	p.Type("[role=dialog] input, [role=alertdialog] input", "отменить\n")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Отменена')")
	press(p, "Ещё")
	press(p, "Скопировать")
	p.Wait("document.querySelector('input[type=radio]')")
	p.Shot("console-campaign-duplicate")
	p.Accessible()
	p.Clean()
}

// TestConsoleCampaignPhone: the pages fit a telephone, in Uzbek.
func TestConsoleCampaignPhone(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "uz", Width: 360, Height: 740, Touch: true, Allow: whenRehearsing})
	acceptPolicy(p)
	account := connect(p, "+998900000004")
	audience(p, 5)
	id := launch(p, account)
	draft := create(p, account)
	for name, path := range map[string]string{
		"campaigns": "/campaigns", "campaign": "/campaigns/" + id, "people": "/campaigns/" + id + "?tab=people", "about": "/campaigns/" + id + "?tab=about",
		"message": "/campaigns/" + draft + "/edit", "audience": "/campaigns/" + draft + "/edit?step=audience", "from": "/campaigns/" + draft + "/edit?step=accounts",
		"schedule": "/campaigns/" + draft + "/edit?step=schedule", "checks": "/campaigns/" + draft + "/checks",
	} {
		p.Goto(base + "/console" + path)
		p.Wait("document.querySelector('h1') && !document.querySelector('[aria-busy=true]')")
		pageFits(p, t, "console-phone-"+name)
	}
	p.Clean()
}

// create makes a draft for the people with the tag, and gives its id.
func create(p *browsertest.Page, account string) string {
	return browsertest.Eval[string](p, `fetch('/api/v1/campaigns', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({name: 'Salom', account_ids: [`+quote(account)+`],
		audience: {tags: ['demo']}, message: {text: 'Salom, {{first_name}}! {{opt_out_url}}'}})}).then(r => r.json()).then(c => c.id)`)
}

// launch starts such a campaign.
func launch(p *browsertest.Page, account string) string {
	id := create(p, account)
	post(p, "/campaigns/"+id+"/start", "{}")
	return id
}
