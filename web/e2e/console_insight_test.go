package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleInsight: a case is written; a customer complains, the conversation is analysed and
// corrected beside the inbox; the board counts it, leads to it, and is written about, each number
// leading to its metric; past conversations say their price first.
func TestConsoleInsight(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1480, Height: 1000, Allow: whenNobody})
	acceptPolicy(p)
	p.Goto(base + "/console/ai/insights/cases")
	says(p, "No business yet")
	p.Shot("insight-cases-empty")
	p.Accessible()
	account := connect(p, "+998900000001")
	business := browsertest.Eval[string](p, `fetch('/api/v1/ai/businesses', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"name":"Gul"}'}).then(r => r.json()).then(b => b.id)`)
	put(p, "/ai/businesses/"+business+"/accounts", `{"accounts":[{"account_id":"`+account+`","ai_enabled":false}]}`)
	conversation := browsertest.Eval[string](p, `fetch('/api/v1/ai/conversations/simulate', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: `+
		quote(`{"account_id":"`+account+`","customer":{"name":"Nodira"},"text":"Kuryer ikki soat kechikdi, yetkazib berish juda sekin. Pulimni qaytaring!"}`)+`}).then(r => r.json()).then(a => a.conversation_id)`)

	p.Goto(base + "/console/ai/insights/cases")
	says(p, "Dissatisfaction")
	press(p, "Add a case: Dissatisfaction")
	field(p, "Name in English", "Slow delivery")
	field(p, "Name in Uzbek", "Yetkazib berish sekin")
	press(p, "Save")
	p.Wait("document.querySelector('[data-case=slow_delivery]')")
	press(p, "Add a case: Dissatisfaction")
	field(p, "Name in English", "Broken goods")
	press(p, "Save")
	p.Wait("document.querySelector('[data-case=broken_goods]')")
	p.Shot("insight-cases")
	p.Accessible()

	p.Goto(base + "/console/inbox/" + conversation)
	says(p, "Not analyzed yet.")
	press(p, "Analyze")
	p.Wait("document.querySelector('[data-analysis=yes] [data-dimension=DISSATISFACTION]')?.textContent.includes('Slow delivery')")
	press(p, "Correct")
	p.Wait("(() => { const i = document.querySelector('[data-dimension=DISSATISFACTION] input'); i?.click(); return i })()")
	option := `[...document.querySelectorAll('[role=option]')].find(e => e.offsetParent !== null && e.textContent === 'Broken goods')`
	p.Wait(option)
	browsertest.Eval[bool](p, option+`.click() || true`)
	says(p, "chosen by Olga")
	p.Shot("insight-conversation")
	p.Accessible()

	p.Goto(base + "/console/ai/insights?board=HAPPINESS")
	p.Wait("document.querySelector('[data-metric=complaint]')?.textContent.includes('100%')")
	p.Wait("document.querySelector('[data-case=\"Broken goods\"]')")
	browsertest.Eval[bool](p, "document.querySelector('[data-case=\"Broken goods\"]').click() || true")
	p.Wait("document.querySelector('[data-conversation=Nodira]')")
	press(p, "Write a report")
	p.Wait("document.querySelector('[data-narrative=READY] [data-of=satisfaction]')")
	browsertest.Eval[bool](p, "document.querySelector('[data-of=satisfaction]').click() || true")
	p.Wait("document.querySelector('[data-metric=satisfaction]').getAttribute('aria-pressed') === 'true'")
	p.Shot("insight-board")
	p.Accessible()

	p.Goto(base + "/console/ai/insights/past")
	press(p, "Show the price")
	p.Wait("document.querySelector('[data-price]')?.textContent.includes('1 conversation')")
	press(p, "Start")
	p.Wait("document.querySelector('[data-run=DONE]')")
	says(p, "1 of 1 done")
	p.Shot("insight-past")
	p.Accessible()
	p.Clean()
}
