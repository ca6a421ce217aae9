package e2e

import (
	"testing"

	"svc/messenger/simulator/world"
	"svc/web/e2e/browsertest"
)

// shop opens the console of an organization whose seller answers by itself with the demo
// model: it sells two things, and knows how they are delivered.
func shop(t *testing.T, o browsertest.Options) (p *browsertest.Page, base, business string, scenes *world.World) {
	t.Helper()
	p, base, scenes = inbox(t, o)
	business = adminAPI(t, p, "/ai/businesses", `{"name":"Gul","languages":["uz","ru","en"]}`, "id")
	post(p, "/ai/businesses/"+business+"/offers", `{"name":"101 ta atirgul","price":1400000,"currency":"UZS","delivery":"2 soat ichida"}`)
	post(p, "/ai/businesses/"+business+"/offers", `{"name":"Lola guldastasi","price":250000,"currency":"UZS"}`)
	post(p, "/ai/knowledge/sources", `{"business_id":`+quote(business)+`,"type":"TEXT","title":"Yetkazib berish","text":"Toshkent boʻylab yetkazib berish 30 000 soʻm, atirgul va lola ikki soatda yetkaziladi."}`)
	sells(p, business, 4)
	put(p, "/ai/businesses/"+business+"/accounts", `{"accounts":[{"account_id":"`+browsertest.Eval[string](p, `fetch('/api/v1/accounts').then(r => r.json()).then(x => x.data[0].id)`)+`"}]}`)
	p.Wait(`fetch('/api/v1/ai/knowledge/sources').then(r => r.json()).then(x => x.data[0].status === 'READY')`)
	return p, base, business, scenes
}

// sells switches the seller of a business on, at a level, so that it answers at once.
func sells(p *browsertest.Page, business string, level int) {
	put(p, "/ai/businesses/"+business+"/seller-settings", `{"active":true,"autonomy_level":`+string(rune('0'+level))+`,"debounce_seconds":0,"reply_delay_seconds":{"min":0,"max":0}}`)
}

// put replaces something by the API.
func put(p *browsertest.Page, path, body string) {
	p.Wait(`fetch('/api/v1` + path + `', {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: ` + quote(body) + `}).then(r => r.ok)`)
}

// TestConsoleSeller: an organization without a business is told what to do first; a customer
// asks for a price and is answered by itself; the lead is on the board while it is looked at,
// leads to its conversation, and stands in the list; the figures count the answer.
func TestConsoleSeller(t *testing.T) {
	p, base, _, scenes := shop(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	p.Goto(base + "/console/ai/businesses/results")
	says(p, "No conversations in this time")
	p.Shot("seller-results-empty")
	p.Accessible()
	press(p, "Leads")
	heading(p, "Leads")
	says(p, "No leads yet")
	p.Shot("seller-leads-empty")
	p.Accessible()

	script(t, scenes, `now @demo_user_5 says "101 ta atirgul narxi qancha?" to `+inboxNumber)
	p.Wait(`document.querySelector('[data-stage=NEW] [data-lead]')?.textContent.includes('1,400,000 UZS')`)
	p.Wait(`document.querySelector('[data-stage=NEW] [data-open-leads="1"]')`)
	p.Shot("seller-board")
	p.Accessible()
	browsertest.Eval[bool](p, `[...document.querySelectorAll('label')].find(l => l.textContent === 'List').click() || true`)
	p.Wait("document.querySelectorAll('[data-row]').length === 1 && location.search.includes('view=list')")
	p.Shot("seller-list")
	p.Accessible()
	firstRow(p)
	p.Wait(bubble("101 ta atirgul narxi") + " && location.pathname.startsWith('/console/inbox/cnv_')")
	p.Wait(`document.querySelector('[data-author=AI]')?.textContent.includes('1 400 000')`)
	press(p, "Why this reply?")
	p.Wait(`document.querySelector('[role=dialog] [data-field=intent][data-trusted]')?.textContent.includes('a price')`)
	p.Wait(`document.querySelector('[role=dialog] [data-try="1"][data-passed]') && document.querySelector('[role=dialog] [data-used-offer]')?.textContent.includes('101 ta atirgul · 1,400,000 UZS')`)
	p.Wait(`document.querySelector('[role=dialog] [data-chunk]')?.textContent.includes('ikki soatda')`)
	p.Shot("seller-why")
	p.Accessible()
	press(p, "Open the execution")
	p.Wait("location.pathname.startsWith('/console/ai/executions/exe_') && document.querySelector('main [data-field=sales_stage]')?.textContent.includes('Yangi')")
	p.Shot("seller-execution")
	p.Accessible()

	p.Goto(base + "/console/ai/businesses/results")
	heading(p, "Results of the seller")
	p.Wait(`document.querySelector('[data-figure=Conversations]')?.textContent.includes('1') && document.querySelector('[data-figure="Share written by AI"]').textContent.includes('100%')`)
	p.Wait(`document.querySelector('[data-sum=""]')?.textContent.includes('Default prompt') && document.querySelector('figure svg')`)
	p.Resize(1280, 2300) // all of it
	p.Shot("seller-results")
	p.Accessible()
	p.Clean()
}

// performing makes the page hear of weeks of work that a story has not the time for: two
// versions of the prompt, two people, and how often they did what the next level would do.
const performing = `(() => {
	const own = window.fetch, day = new Date().toISOString();
	const answer = {from: day, to: day,
		by_prompt_version: [{prompt_version: null, turns: 412, sent: 301, blocked: 12, handoff: 38, approval_rate: 0.83, average_rating: 4.2, cost_usd: 1.73},
			{prompt_version: 'prm_01arz3ndektsv4rrffq69g5fav/2', turns: 9, sent: 9, blocked: 0, handoff: 0, approval_rate: null, average_rating: null, cost_usd: 0.002}],
		by_user: [{user: {id: 'usr_01arz3ndektsv4rrffq69g5fav', name: 'Malika'}, replies: 57, median_response_seconds: 340, handoffs_resolved: 21},
			{user: null, replies: 3, median_response_seconds: null, handoffs_resolved: 0}],
		shadow: {turns: 160, compared: 74, agreement: 0.85, by_scenario: [
			{scenario: 'PRICING', turns: 90, compared: 61, agreement: 0.885, interval_95: [0.782, 0.943], enough: true},
			{scenario: 'DELIVERY', turns: 50, compared: 13, agreement: 0.692, interval_95: [0.424, 0.873], enough: false},
			{scenario: 'BOOKING', turns: 20, compared: 0, agreement: null, interval_95: null, enough: false}]}};
	window.fetch = (asked, how) => String(asked.url ?? asked).includes('/ai/performance') ? Promise.resolve(new Response(JSON.stringify(answer), {headers: {'Content-Type': 'application/json'}})) : own(asked, how);
})()`

// TestConsoleSellerLooks: the pages of the seller's leads and figures in Russian, in both
// themes and on a telephone, where the list of leads comes first.
func TestConsoleSellerLooks(t *testing.T) {
	p, base, business, scenes := shop(t, browsertest.Options{Lang: "ru", Width: 1280, Height: 1000, Allow: whenNobody})
	script(t, scenes, `now @demo_user_5 says "101 ta atirgul narxi qancha?" to `+inboxNumber, `now @demo_user_6 says "Lola guldastasi narxi qancha?" to `+inboxNumber)
	p.Wait(`fetch('/api/v1/ai/leads').then(r => r.json()).then(x => x.total === 2)`)
	p.Wait(`fetch('/api/v1/ai/analytics').then(r => r.json()).then(x => x.messages.out_ai === 2)`)
	sells(p, business, 2)
	script(t, scenes, `now @demo_user_7 says "Yetkazib berish qancha turadi?" to `+inboxNumber, `now @demo_user_8 says "Odam bilan gaplashmoqchiman, operator chaqiring" to `+inboxNumber)
	p.Wait(`fetch('/api/v1/ai/conversations').then(r => r.json()).then(x => x.data.some(c => c.pending_draft_id) && x.data.some(c => c.open_handoff_id))`)
	script(t, scenes, `now @demo_user_5 says "Telefonim +998 90 123-45-67, Chilonzor 5-mavze 12-uy" to `+inboxNumber)
	p.Wait(`fetch('/api/v1/ai/conversations?q=demo_user_7').then(r => r.json()).then(x => x.data[0].pending_draft_id)`)
	of := func(customer string) string {
		return "/inbox/" + browsertest.Eval[string](p, `fetch('/api/v1/ai/conversations?q=`+customer+`').then(r => r.json()).then(x => x.data[0].id)`)
	}
	draft, remembers := of("demo_user_7"), of("demo_user_5")
	p.Wait(`fetch('/api/v1/ai/memory').then(r => r.json()).then(x => x.total > 0)`)
	p.Before(performing)
	for _, page := range []string{"/ai/businesses/leads", "/ai/businesses/leads?view=list", "/ai/businesses/results", draft, remembers} {
		p.Goto(base + "/console" + page)
		p.Wait(still)
		switch page {
		case "/ai/businesses/results":
			p.Wait("document.querySelectorAll('[data-agreement]').length === 3 && document.querySelectorAll('[data-agreement] [data-few]').length === 2")
			p.Resize(1280, 2300)
		case draft:
			press(p, "Почему так?")
			p.Wait("document.querySelector('[role=dialog] [data-field]')")
			page = "/inbox-why"
		case remembers:
			press(p, "Клиент")
			p.Wait("document.querySelector('[role=dialog] [data-fact=PHONE]')")
			page = "/inbox-remembers"
		}
		pageFits(p, t, "looks-seller"+page)
		dark(p, true)
		p.Shot("looks-seller" + page + "-dark")
		accessibleAt(t, page+" in the dark", p.FindingsOfColours())
		p.Resize(360, 740)
		narrowAt(t, p, page)
		p.Shot("looks-seller" + page + "-narrow")
		p.Resize(1280, 1000)
		dark(p, false)
	}
	press(p, "Забыть: +998 90 123-45-67")
	says(p, "Забыть это?")
	press(p, "Забыть")
	p.Wait("!document.querySelector('[data-fact=PHONE]')")
	p.Goto(base + "/console/ai/businesses/leads")
	p.Resize(360, 740)
	p.Wait("document.querySelectorAll('[data-row]').length >= 2 && !document.querySelector('[data-stage]')")
	p.Clean()
}

// TestConsoleSellerFiles: two files are dropped on the knowledge of a business: one is read
// and found, of the other its page says why it is not; an empty one is not sent at all.
func TestConsoleSellerFiles(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "uz", Width: 1280, Height: 1000, Allow: whenNobody})
	business := adminAPI(t, p, "/ai/businesses", `{"name":"Gul"}`, "id")
	p.Goto(base + "/console/ai/businesses/" + business + "?tab=knowledge")
	p.Wait("document.querySelector('[data-drop]')")
	p.Shot("seller-files-empty")
	p.Accessible()
	browsertest.Eval[bool](p, `(() => {
		const d = new DataTransfer(), add = (text, name) => d.items.add(new File([text], name));
		add('# Yetkazish\nToshkent boʻylab yetkazib berish 30 000 soʻm turadi va ikki soat davom etadi.', 'yetkazish.md');
		add(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 1, 2, 3]), 'narxlar.pdf');
		add('', 'bosh.txt');
		return document.querySelector('[data-drop]').dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})) || true })()`)
	p.Wait("document.querySelector('[data-sending=\"bosh.txt\"]')?.textContent.includes('Fayl boʻsh')")
	p.Wait("document.querySelector('[data-source=yetkazish]')?.textContent.includes('tayyor')")
	p.Wait("document.querySelector('[data-source=narxlar]')?.textContent.includes('Fayl buzilgan')")
	p.Wait("document.querySelectorAll('[data-sending]').length === 1")
	press(p, "Olib tashlash: bosh.txt")
	p.Wait("!document.querySelector('[data-sending]')")
	field(p, "Sotuvchidek qidirish", "yetkazib berish qancha turadi")
	press(p, "Qidirish")
	p.Wait("document.querySelector('[data-found]')?.textContent.includes('ikki soat')")
	p.Shot("seller-files")
	p.Accessible()
	dark(p, true)
	p.Shot("seller-files-dark")
	p.Resize(360, 740)
	narrowAt(t, p, "the knowledge")
	p.Shot("seller-files-narrow")
	p.Clean()
}

// TestConsoleSellerGaps: a question that neither the knowledge nor an offer answers stands on
// the knowledge of its business; an answer is written from there and takes it off.
func TestConsoleSellerGaps(t *testing.T) {
	p, base, business, scenes := shop(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	p.Goto(base + "/console/ai/businesses/" + business + "?tab=knowledge")
	p.Wait("document.querySelector('[data-drop]')")
	script(t, scenes, `now @demo_user_5 says "Sovgʻa sertifikati bormi?" to `+inboxNumber)
	p.Wait(`document.querySelector('[data-gap="1"]')?.textContent.includes('Sovgʻa sertifikati')`)
	p.Shot("seller-gaps")
	p.Accessible()
	press(p, "Add an answer")
	p.Wait(`[...document.querySelectorAll('[role=dialog] input')].some(i => i.value.startsWith('Sovgʻa sertifikati'))`)
	field(p, "Answer", "Ha, 200 000 soʻmdan boshlab.")
	browsertest.Eval[bool](p, `document.querySelector('[role=dialog] button[type=submit]').click() || true`)
	p.Wait(`!document.querySelector('[data-gap]') && [...document.querySelectorAll('[data-source]')].some(s => s.textContent.includes('Sovgʻa') && s.textContent.includes('ready'))`)
	p.Clean()
}
