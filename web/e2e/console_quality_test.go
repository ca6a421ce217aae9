package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// until asks the API until an answer is as it should be.
func until(t *testing.T, p *browsertest.Page, path, holds string) {
	t.Helper()
	if !browsertest.Eval[bool](p, `(async () => { for (let i = 0; i < 200; i++) {
		if ((x => `+holds+`)(await (await fetch('/api/v1`+path+`')).json())) return true;
		await new Promise(r => setTimeout(r, 100)); } return false })()`) {
		t.Fatalf("never at %s: %s", path, holds)
	}
}

// TestConsoleQuality: a wrong reply of the AI becomes feedback, feedback an item of a dataset
// without the customer's number, an evaluation of a new version fails on it, the gate stops
// the activation, and the way back to the former version works.
func TestConsoleQuality(t *testing.T) {
	refused := func(problem string) bool {
		return whenNobody(problem) || strings.HasPrefix(problem, "409 /api/v1/ai/prompts/") // the gate
	}
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: refused})
	acceptPolicy(p)
	connect(p, "+998900000001")
	idOf := func(path, body string) string {
		return browsertest.Eval[string](p, `(async () => JSON.parse(`+quote(post(p, path, body))+`).id)()`)
	}
	business := idOf("/ai/businesses", `{"name":"Gul","languages":["uz","ru","en"]}`)
	post(p, "/ai/businesses/"+business+"/offers", `{"name":"101 ta atirgul","price":1400000,"currency":"UZS"}`)
	browsertest.Eval[bool](p, `(async () => { const put = (path, body) => fetch('/api/v1' + path, {method: 'PUT', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
		const account = (await (await fetch('/api/v1/accounts')).json()).data[0].id;
		await put('/ai/businesses/`+business+`/seller-settings', {active: true, autonomy_level: 4, reply_delay_seconds: {min: 0, max: 0}, debounce_seconds: 1});
		await put('/ai/businesses/`+business+`/accounts', {accounts: [{account_id: account}]});
		await fetch('/api/v1/ai/conversations/simulate', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({account_id: account, customer: {username: 'demo_user_5', name: 'Anvar'}, text: 'Men +998 90 123 45 67, 101 ta atirgul narxi qancha?'})});
		return true })()`)
	until(t, p, "/ai/conversations", "x.data[0]?.last_message?.author === 'AI'")
	conversation := browsertest.Eval[string](p, `fetch('/api/v1/ai/conversations').then(r => r.json()).then(x => x.data[0].id)`)

	// In the conversation: this was wrong.
	p.Goto(base + "/console/inbox/" + conversation)
	says(p, "1 400 000")
	press(p, "Give feedback")
	says(p, "How was this answer?")
	browsertest.Eval[bool](p, `[...document.querySelectorAll('input[type=checkbox]')].find(i => document.querySelector('label[for="' + i.id + '"]')?.textContent.includes('Wrong fact')).click() || true`)
	field(p, "The wrong part", "1 400 000")
	p.Shot("quality-feedback-dialog")
	p.Accessible()
	press(p, "Send feedback")
	says(p, "it is in the review queue")

	// One key press makes an item of it.
	post(p, "/ai/eval-datasets", `{"name":"Mistakes","agent":"SELLER","business_id":"`+business+`"}`)
	p.Goto(base + "/console/ai/quality")
	heading(p, "Feedback")
	says(p, "Review requested")
	p.Shot("quality-feedback")
	p.Accessible()
	browsertest.Eval[bool](p, `document.querySelector('[data-row] a').click() || true`)
	says(p, "The AI wrote")
	p.Wait(`[...document.querySelectorAll('input')].some(i => i.value === 'Mistakes')`)
	press(p, "Accept and add to the dataset")
	says(p, "An item of")
	p.Shot("quality-review")
	p.Accessible()
	press(p, "Open")
	heading(p, "Mistakes")
	says(p, "Men [PHONE], 101 ta atirgul narxi qancha?")
	says(p, "must pass")
	p.Shot("quality-dataset")
	p.Accessible()

	// The gate, and a version that makes the same mistake.
	prompt := idOf("/ai/prompts", `{"agent":"SELLER","name":"House style","body":"Sell."}`)
	browsertest.Eval[bool](p, `fetch('/api/v1/ai/prompts/`+prompt+`/versions/1/activate', {method: 'POST'}).then(r => r.ok)`)
	post(p, "/ai/prompts/"+prompt+"/versions", `{"body":"Sell more."}`)
	p.Goto(base + "/console/ai/agents/SELLER")
	says(p, "Quality gate")
	choose(p, "Dataset", "Mistakes")
	p.Shot("quality-gate")
	press(p, "Save")
	until(t, p, "/ai/agents/SELLER/config", "x.quality_gate?.min_pass_rate === 0.9")
	p.Goto(base + "/console/ai/quality/datasets")
	p.Wait(`document.querySelector('[data-row] a')`)
	browsertest.Eval[bool](p, `document.querySelector('[data-row] a').click() || true`)
	heading(p, "Mistakes")
	press(p, "Evaluate")
	choose(p, "Version of the prompt", "House style · version 2")
	p.Shot("quality-evaluation-dialog")
	p.Accessible()
	press(p, "Prepare")
	press(p, "Run")
	says(p, "It costs at most")
	press(p, "Run")
	says(p, "Completed")
	says(p, "Failed")
	p.Wait(`document.querySelector('[data-grader=CONTAINS]')`)
	p.Shot("quality-evaluation")
	p.Accessible()

	// It is stopped; without the gate it is activated, with it the former one comes back.
	p.Goto(base + "/console/ai/prompts/" + prompt)
	activate := func(version string) {
		p.Wait(`document.querySelector('[data-version="` + version + `"] button')`)
		browsertest.Eval[bool](p, `document.querySelector('[data-version="`+version+`"] button').click() || true`)
		press(p, "Activate")
		press(p, "Activate")
	}
	activate("2")
	says(p, "The quality gate does not let it pass")
	p.Shot("quality-stopped")
	p.Accessible()
	press(p, "See its evaluations")
	heading(p, "Evaluations")
	p.Shot("quality-evaluations")
	gate := func(body string) {
		browsertest.Eval[bool](p, `fetch('/api/v1/ai/agents/SELLER/config', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: `+quote(body)+`}).then(r => r.ok)`)
	}
	gate(`{"quality_gate":null}`)
	p.Goto(base + "/console/ai/prompts/" + prompt)
	activate("2")
	p.Wait(`document.querySelector('[data-version="2"]').textContent.includes('In use')`)
	dataset := browsertest.Eval[string](p, `fetch('/api/v1/ai/eval-datasets').then(r => r.json()).then(x => x.data[0].id)`)
	gate(`{"quality_gate":{"dataset_id":"` + dataset + `","min_pass_rate":1}}`)
	activate("1")
	p.Wait(`document.querySelector('[data-version="1"]').textContent.includes('In use')`)
	p.Clean()
}

// TestConsoleExperiment: an experiment is prepared, begins with its second variant, says
// honestly that it is too early, draws the intervals, and ends with a winner.
func TestConsoleExperiment(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	post(p, "/ai/businesses", `{"name":"Gul"}`)
	post(p, "/ai/prompts", `{"agent":"SELLER","name":"House style","body":"Sell."}`)
	p.Goto(base + "/console/ai/quality/experiments")
	says(p, "No experiments yet")
	press(p, "Prepare an experiment")
	field(p, "Name", "Short or long")
	press(p, "Prepare an experiment")
	heading(p, "Short or long")
	says(p, "it runs from the second one on")
	press(p, "Add a variant")
	field(p, "Name", "Now")
	press(p, "Add a variant")
	p.Wait(`document.querySelector('[data-variant=Now]')`)
	press(p, "Add a variant")
	field(p, "Name", "Short")
	choose(p, "Version of the prompt", "House style · version 1")
	says(p, "With this variant the experiment begins")
	press(p, "Add a variant")
	p.Wait(`document.querySelector('[data-variant=Short]')`)
	says(p, "It is too early to say")
	says(p, "100 counted conversations")
	p.Shot("quality-experiment")
	p.Accessible()
	browsertest.Eval[bool](p, `document.querySelector('[data-variant=Short] button').click() || true`)
	says(p, "“Short” wins?")
	press(p, "Choose as the winner")
	says(p, "Winner")
	p.Goto(base + "/console/ai/quality/experiments")
	says(p, "Completed")
	p.Shot("quality-experiments")
	p.Accessible()
	p.Clean()
}
