package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/web/e2e/browsertest"
)

// offersFile is a list of prices as a shop has it: an offer that is there, a new one, a price
// that can be read in two ways, and an offer twice.
const offersFile = "Nomi;Narxi;Mavjudligi;Ombor\nRED ROSE;15 000 so'm;bor;3\nTulip;9 000;buyurtma;\nPeony;189.000;;\ntulip;8000;;\n"

// offerIs waits until the table has an offer of that name with that price in its cell.
func offerIs(p *browsertest.Page, name, price string) {
	p.Wait(`document.querySelector('[data-offer=` + quote(name) + `] input[inputmode]')?.value === ` + quote(price))
}

// tab opens a part of a business.
func tab(p *browsertest.Page, name string) {
	find := `[...document.querySelectorAll('[role=tab]')].find(e => e.textContent === ` + quote(name) + `)`
	p.Wait(find)
	browsertest.Eval[bool](p, find+`.click() || true`)
	p.Wait(find + `.ariaSelected === 'true'`)
}

// tick clicks the switch or the box with that name.
func tick(p *browsertest.Page, name string) {
	find := `[...document.querySelectorAll('main input[type=checkbox]')].find(i => i.ariaLabel === ` + quote(name) + ` || [...document.querySelectorAll('label[for="' + i.id + '"]')].some(l => l.innerText.startsWith(` + quote(name) + `)))`
	p.Wait(idle + " && " + find)
	browsertest.Eval[bool](p, find+`.click() || true`)
}

// TestConsoleBusiness: an empty organization makes a business in the first of four steps,
// adds an offer, changes its price in the table, imports a list of which two rows are left
// out, lets the seller send prices by itself, and gives it an account.
func TestConsoleBusiness(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	acceptPolicy(p)
	connect(p, "+998900000001")
	p.Goto(base + "/console/ai/businesses")
	says(p, "No business yet")
	p.Shot("business-empty")
	press(p, "Getting started")
	heading(p, "Getting started")
	says(p, "What you sell, and in which languages you answer.")
	press(p, "Add a business")
	press(p, "Add a business")
	says(p, "Enter the name")
	field(p, "Name", "Gul")
	press(p, "Add a business")
	says(p, "“Gul” is there")
	p.Shot("business-start")
	p.Accessible()

	press(p, "Add an offer")
	heading(p, "Gul")
	says(p, "No offers yet")
	press(p, "Add an offer")
	press(p, "Add an offer")
	says(p, "Enter the name")
	field(p, "Offer", "Red rose")
	field(p, "Price", "12000")
	press(p, "Add an offer")
	offerIs(p, "Red rose", "12 000")
	cell := "[data-offer='Red rose'] input[inputmode]"
	browsertest.Eval[bool](p, "document.querySelector("+quote(cell)+").focus() || document.querySelector("+quote(cell)+").select() || true")
	p.Type(cell, "13500")
	p.Key(kb.Enter)
	p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1) + '/offers').then(r => r.json()).then(x => x.data[0].price === 13500)")

	press(p, "Import a table")
	giveFile(p, "prices.csv", offersFile)
	says(p, "To add: 1, to update: 1, unchanged: 0, left out: 2")
	says(p, "These columns are left out: Ombor")
	says(p, "can be read as thousands and as decimals")
	says(p, "the offer stands in an earlier row")
	p.Shot("business-import")
	p.Accessible()
	press(p, "Save 2 offers")
	offerIs(p, "RED ROSE", "15 000")
	offerIs(p, "Tulip", "9 000")
	p.Shot("business-offers")
	p.Accessible()

	tab(p, "Seller")
	p.Wait("document.querySelector('[data-scenario=PRICING]')?.dataset.outcome === 'DRAFT'")
	browsertest.Eval[bool](p, "document.querySelector('[role=slider]').focus() || true")
	p.Key(kb.ArrowRight)
	says(p, "3. Sends what is approved")
	p.Wait("document.querySelector('[data-scenario=PRICING]').dataset.outcome === 'DRAFT'")
	tick(p, "Approved: Prices")
	p.Wait("document.querySelector('[data-scenario=PRICING]').dataset.outcome === 'SEND' && document.querySelector('[data-scenario=FAQ]').dataset.outcome === 'DRAFT'")
	tick(p, "The seller is on")
	p.Shot("business-seller")
	p.Accessible()
	press(p, "Save")
	says(p, "Saved")
	p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1) + '/seller-settings').then(r => r.json()).then(x => x.active && x.autonomy_level === 3 && x.approved_scenarios.join() === 'PRICING')")

	tab(p, "Accounts")
	p.Wait("document.querySelector('[data-account]')")
	browsertest.Eval[bool](p, "document.querySelector('[data-account] input').click() || true")
	p.Wait("document.querySelectorAll('[data-account] input')[1].checked")
	press(p, "Save")
	p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1) + '/accounts').then(r => r.json()).then(x => x.accounts.length === 1 && x.accounts[0].ai_enabled)")
	p.Goto(base + "/console/ai/businesses/start")
	says(p, "The seller is on and an account is chosen")
	p.Clean()
}

// TestConsoleBusinessFunnel: stages are moved, taken out and added on the board, and replaced
// all at once behind a question that says where conversations go; hours with a break and a
// holiday are told in words; a manner of speaking is heard before it is saved.
func TestConsoleBusinessFunnel(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	post(p, "/ai/businesses", `{"name":"Gul","languages":["en","ru"],"default_language":"en"}`)
	p.Goto(base + "/console/ai/businesses")
	firstRow(p)
	heading(p, "Gul")
	says(p, "the business is always open")
	browsertest.Eval[bool](p, "document.querySelector('[data-day=mon] input[type=checkbox]').click() || true")
	says(p, "Mon 09:00–18:00; Tue–Sun closed")
	press(p, "Add a date")
	p.Wait("document.querySelector('[data-exception]')?.textContent.includes('closed')")
	p.Shot("business-about")
	p.Accessible()
	press(p, "Save")
	says(p, "Saved")
	p.Wait("fetch('/api/v1/ai/businesses/' + location.pathname.split('/').at(-1)).then(r => r.json()).then(x => x.business_hours.mon.length === 1 && x.business_hours.exceptions.length === 1)")

	p.Goto(base + browsertest.Eval[string](p, "location.pathname") + "?tab=funnel")
	p.Wait("document.querySelectorAll('[data-stage]').length === 9")
	press(p, "Move “Engaged” earlier")
	p.Wait("[...document.querySelectorAll('[data-stage]')].map(e => e.dataset.stage).slice(0, 2).join() === 'ENGAGED,NEW'")
	press(p, "Take “Discovery” out")
	press(p, "Add a stage")
	field(p, "Name", "Measured")
	press(p, "Keep on the board")
	p.Shot("business-funnel")
	p.Accessible()
	press(p, "Replace the stages")
	says(p, "New: “Measured”")
	says(p, "“Discovery” goes; its conversations move to “Engaged”")
	says(p, "The order changes")
	p.Shot("business-funnel-asked")
	press(p, "Replace the stages")
	says(p, "The stages were replaced")
	p.Wait("[...document.querySelectorAll('[data-stage]')].map(e => e.dataset.stage).join() === 'ENGAGED,NEW,QUALIFICATION,INTERESTED,OFFER_PRESENTED,OBJECTION,READY_TO_CONVERT,CONVERTED,MEASURED'")

	p.Goto(base + "/console/ai/businesses/profiles")
	press(p, "Add a manner")
	p.Wait("document.querySelector('[data-sample]')?.textContent.startsWith('Hello. 12,000 UZS each.')")
	choose(p, "Tone", "friendly")
	choose(p, "Length of sentences", "long")
	p.Wait("document.querySelector('[data-sample]').textContent.startsWith('Hi there!') && document.querySelector('[data-sample]').textContent.includes('photo')")
	field(p, "Name", "Ours")
	p.Shot("business-manner")
	p.Accessible()
	press(p, "Add a manner")
	p.Wait("[...document.querySelectorAll('[data-row]')].some(r => r.textContent.includes('Ours'))")
	p.Clean()
}

// TestConsoleBusinessKnowledge: a text is read in the background, its chunks show as the
// seller reads them, the search finds one with its score, and one that was taken out is
// published again.
func TestConsoleBusinessKnowledge(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	post(p, "/ai/businesses", `{"name":"Gul"}`)
	p.Goto(base + "/console/ai/businesses")
	firstRow(p)
	heading(p, "Gul")
	p.Goto(base + browsertest.Eval[string](p, "location.pathname") + "?tab=knowledge")
	says(p, "No knowledge yet")
	press(p, "Add knowledge")
	press(p, "Add knowledge")
	says(p, "Fill this in")
	field(p, "Name", "Delivery")
	field(p, "Text", "Delivery in Tashkent costs 30 000 soum and takes two hours.")
	press(p, "Add knowledge")
	p.Wait("document.querySelector('[data-source=Delivery]')?.textContent.includes('ready')")
	press(p, "As it was read")
	p.Wait("document.querySelector('[data-source=Delivery] [role=listitem]')?.textContent.includes('two hours')")
	field(p, "Search as the seller does", "how much is delivery")
	press(p, "Search")
	p.Wait("document.querySelector('[data-found=Delivery]')?.textContent.includes('score')")
	p.Shot("business-knowledge")
	p.Accessible()
	p.Wait("fetch('/api/v1/ai/knowledge/sources').then(r => r.json()).then(x => fetch('/api/v1/ai/knowledge/sources/' + x.data[0].id, {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: '{\"status\":\"DISABLED\"}'})).then(r => r.ok)")
	p.Goto(base + browsertest.Eval[string](p, "location.pathname") + "?tab=knowledge")
	press(p, "Publish")
	p.Wait("document.querySelector('[data-source=Delivery]')?.textContent.includes('ready')")
	p.Clean()
}

// TestConsoleBusinessLooks: every part of a business, in Russian, in both themes and on a
// telephone.
func TestConsoleBusinessLooks(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "ru", Width: 1280, Height: 1000, Allow: whenNobody})
	acceptPolicy(p)
	connect(p, "+998900000001")
	id := browsertest.Eval[string](p, `fetch('/api/v1/ai/businesses', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"name":"Гул","business_hours":{"mon":[{"open":"09:00","close":"13:00"},{"open":"14:00","close":"18:00"}],"exceptions":[{"date":"2026-12-31","hours":[]}]}}'}).then(r => r.json()).then(x => x.id)`)
	post(p, "/ai/businesses/"+id+"/offers", `{"name":"101 роза в коробке с лентой","price":1250000,"currency":"UZS"}`)
	post(p, "/ai/businesses/"+id+"/identities", `{"name":"Основная","persona_name":"Лола","role":"помощник по продажам"}`)
	for _, page := range []string{
		"/ai/businesses", "/ai/businesses/start", "/ai/businesses/" + id, "/ai/businesses/" + id + "?tab=offers", "/ai/businesses/" + id + "?tab=seller",
		"/ai/businesses/" + id + "?tab=accounts", "/ai/businesses/" + id + "?tab=funnel", "/ai/businesses/" + id + "?tab=identities", "/ai/businesses/" + id + "?tab=knowledge", "/ai/businesses/profiles",
		"/ai/businesses/languages",
	} {
		name := "looks" + page
		if at := len("/ai/businesses/" + id); len(page) >= at && page[:at] == "/ai/businesses/"+id {
			name = "looks-business" + page[at:]
		}
		p.Goto(base + "/console" + page)
		p.Wait(still)
		pageFits(p, t, name)
		dark(p, true)
		p.Shot(name + "-dark")
		accessibleAt(t, page+" in the dark", p.FindingsOfColours())
		p.Resize(360, 740)
		narrowAt(t, p, page)
		p.Shot(name + "-narrow")
		p.Resize(1280, 1000)
		dark(p, false)
	}
	p.Clean()
}
