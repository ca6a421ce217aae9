package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleEngine: the demo model is there beside the simulator; its test says how
// long it took and what it can do; what it wrote is an execution with its steps; a
// budget that is used up refuses, and the pages say so.
func TestConsoleEngine(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: func(s string) bool {
		return whenNobody(s) || s == "409 /api/v1/ai/compose"
	}})
	p.Goto(base + "/console/ai/executions")
	says(p, "The AI has not run yet")
	press(p, "Providers")
	heading(p, "Providers")
	firstRow(p)
	says(p, "This is the demo model")
	press(p, "Test")
	says(p, "It works:")
	p.Wait(`document.querySelector('table[aria-label="Capabilities found"]')?.textContent.includes('demo')`)
	p.Shot("engine-provider-tested")
	p.Accessible()

	compose := `fetch('/api/v1/ai/compose', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"task":"WRITE","brief":"20% off until Friday","language":"en"}'}).then(r => r.status)`
	if status := browsertest.Eval[int](p, compose); status != 200 {
		t.Fatalf("the demo model wrote nothing: %d", status)
	}
	p.Goto(base + "/console/ai/executions")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	says(p, "Demo")
	firstRow(p)
	p.Wait("document.querySelector('[data-step=GENERATE]')?.textContent.includes('20% off until Friday')")
	p.Shot("engine-execution")
	p.Accessible()

	p.Goto(base + "/console/ai/budgets")
	says(p, "No budget is set")
	press(p, "Add a budget")
	press(p, "Save")
	says(p, "Enter the limit")
	field(p, "Limit", "25")
	press(p, "Save")
	p.Wait("document.querySelector('[data-budget]')?.textContent.includes('$25.00')")
	p.Shot("engine-budgets")
	p.Accessible()
	p.Goto(base + "/console/ai/budgets")
	press(p, "Remove")
	says(p, "This budget stops the AI no more")
	press(p, "Remove")
	says(p, "No budget is set")
	p.Clean()
}

// TestConsoleEngineCompose: the composer of a template asks the AI for a text, which keeps
// its variables and says that the demo model wrote it; it is put in, or replaces what
// stands there. Where the budget has no room, the refusal leads to the budgets.
func TestConsoleEngineCompose(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(s string) bool {
		return whenNobody(s) || s == "409 /api/v1/ai/compose"
	}})
	p.Goto(base + "/console/templates/new")
	press(p, "Write with AI")
	press(p, "Write")
	says(p, "Say what to write about")
	field(p, "What about", "{{first_name}}, 20% off until Friday")
	press(p, "Write")
	p.Wait("document.querySelector('[data-answer]')?.textContent.includes('{{first_name}}') && document.querySelector('[data-answer]').textContent.includes('Demo')")
	says(p, "No language model wrote this")
	p.Shot("engine-compose")
	p.Accessible()
	press(p, "Insert")
	p.Wait("document.querySelector('#template-text').value.includes('{{first_name}}, 20% off until Friday')")

	post(p, "/ai/providers", `{"kind":"OPENAI","name":"OpenAI","api_key":"sk-of-a-story-x9Qa"}`)
	setBudget(p, "0.000001")
	press(p, "Write with AI")
	press(p, "Write")
	says(p, "Nothing was written")
	says(p, "The AI budget has no room for this")
	p.Shot("engine-compose-refused")
	p.Accessible()
	p.Wait(`document.querySelector('[role=dialog] a[href="/console/ai/budgets"]')`)
	p.Clean()
}

// firstRow opens the page of the first row of the list.
func firstRow(p *browsertest.Page) {
	p.Wait("document.querySelector('[data-row] a')")
	browsertest.Eval[bool](p, "document.querySelector('[data-row] a').click() || true")
}

// TestConsoleEngineProvider: a provider of the organization's own is added with its key,
// which is never shown again, changed, turned off and deleted.
func TestConsoleEngineProvider(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/ai/providers")
	press(p, "Add a provider")
	field(p, "Name", "Main")
	press(p, "Add a provider")
	says(p, "Enter the key")
	field(p, "API key", "sk-of-a-story-x9Qa")
	p.Shot("engine-provider-form")
	p.Accessible()
	press(p, "Add a provider")
	heading(p, "Main")
	says(p, "…x9Qa")
	if strings.Contains(browsertest.Eval[string](p, "document.documentElement.outerHTML"), "sk-of-a-story") {
		t.Error("the page has the key")
	}
	press(p, "Edit")
	says(p, "The present one ends in …x9Qa")
	field(p, "Name", "Main model")
	press(p, "Save")
	heading(p, "Main model")
	press(p, "More")
	press(p, "Turn off")
	says(p, "It is asked no more")
	press(p, "Turn off")
	says(p, "Disabled")
	press(p, "More")
	press(p, "Delete")
	says(p, "The provider and its key are deleted")
	p.Shot("engine-provider-delete")
	p.Accessible()
	press(p, "Delete")
	heading(p, "Providers")
	p.Wait("!document.body.innerText.includes('Main model\\n')")
	p.Clean()
}

// TestConsoleEngineLooks shows the pages of the AI engine in each language, both themes
// and on a telephone.
func TestConsoleEngineLooks(t *testing.T) {
	inEachLanguage(t, func(t *testing.T, p *browsertest.Page, base, lang string) {
		execution := composed(p)
		setBudget(p, "25")
		prompt := adminAPI(t, p, "/ai/prompts", `{"agent":"SELLER","name":"House style","body":"You sell for {{company}}. Be brief and kind."}`, "id")
		post(p, "/ai/prompts/"+prompt+"/versions/1/activate", "{}")
		post(p, "/ai/prompts/"+prompt+"/versions", `{"body":"You sell for {{company}}. Be brief and warm, never pushy.","notes":"Friendlier"}`)
		named := strings.NewReplacer(execution, "one", prompt, "one", "/", "-")
		for _, path := range []string{"ai/providers", "ai/executions", "ai/executions/" + execution, "ai/budgets", "ai/agents", "ai/agents/SELLER", "ai/prompts", "ai/prompts/" + prompt} {
			p.Goto(base + "/console/" + path)
			p.Wait(still)
			lookAt(t, p, "engine-"+lang+"-"+named.Replace(path))
		}
	})
}
