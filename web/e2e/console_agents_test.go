package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/web/e2e/browsertest"
)

// chainIs waits until the models of the chain stand in that order.
func chainIs(p *browsertest.Page, models string) {
	p.Wait(`[...document.querySelectorAll('[data-entry]')].map(e => e.dataset.entry).join(' ') === ` + quote(models))
}

// dragTo drags an entry of a chain over another, as a mouse does.
func dragTo(p *browsertest.Page, model, over string) {
	browsertest.Eval[bool](p, `(async () => {
		const at = m => document.querySelector('[data-entry="' + m + '"]'), data = new DataTransfer(), soon = () => new Promise(r => setTimeout(r, 50));
		const fire = (e, type) => e.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
		const from = at(`+quote(model)+`);
		fire(from, 'dragstart'); await soon(); fire(at(`+quote(over)+`), 'dragover'); await soon(); fire(from, 'drop'); fire(from, 'dragend'); return true })()`)
}

// TestConsoleEngineAgents: the chain of an agent is moved by dragging and with the arrow
// keys, a model is added and another taken out; what is left unsaved is asked about, what is
// saved is there after a reload, and the default comes back.
func TestConsoleEngineAgents(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	post(p, "/ai/providers", `{"kind":"OPENAI","name":"OpenAI","api_key":"sk-of-a-story-x9Qa"}`)
	post(p, "/ai/providers", `{"kind":"ANTHROPIC","name":"Claude","api_key":"sk-of-a-story-y8Rb"}`)
	p.Goto(base + "/console/ai/agents")
	heading(p, "Agents")
	p.Wait("document.querySelectorAll('[data-row]').length === 12")
	p.Shot("engine-agents")
	p.Accessible()
	p.Goto(base + "/console/ai/agents/SELLER")
	heading(p, "Seller")
	chainIs(p, "gpt-6-sol claude-sonnet-5-5")
	dragTo(p, "gpt-6-sol", "claude-sonnet-5-5")
	chainIs(p, "claude-sonnet-5-5 gpt-6-sol")
	says(p, "claude-sonnet-5-5 · Claude")
	browsertest.Eval[bool](p, "document.querySelector('[data-handle]').focus() || true")
	p.Key(kb.ArrowDown)
	chainIs(p, "gpt-6-sol claude-sonnet-5-5")
	p.Wait("[...document.querySelectorAll('[role=status]')].some(e => e.textContent.includes('is now number 2 of 2')) && document.activeElement === document.querySelectorAll('[data-handle]')[1]")
	p.Key(kb.Home)
	chainIs(p, "claude-sonnet-5-5 gpt-6-sol")
	p.Wait("[...document.querySelectorAll('[role=status]')].some(e => e.textContent.includes('is now number 1 of 2')) && document.activeElement === document.querySelectorAll('[data-handle]')[0]")
	choose(p, "Provider", "OpenAI")
	choose(p, "Model", "GPT-6 Luna")
	press(p, "Add the model")
	chainIs(p, "claude-sonnet-5-5 gpt-6-sol gpt-6-luna")
	press(p, "Take gpt-6-sol · OpenAI out")
	chainIs(p, "claude-sonnet-5-5 gpt-6-luna")
	p.Shot("engine-agent")
	p.Accessible()
	press(p, "Save")
	says(p, "your own")
	p.Goto(base + "/console/ai/agents/SELLER")
	chainIs(p, "claude-sonnet-5-5 gpt-6-luna")
	press(p, "Return to the default")
	says(p, "Its prompts stay")
	press(p, "Return to the default")
	chainIs(p, "gpt-6-sol claude-sonnet-5-5")
	p.Clean()
}

// TestConsoleEnginePrompts: a prompt is written, a second version shows what changed beside
// the one in use, is activated, and the former comes back.
func TestConsoleEnginePrompts(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 900, Allow: whenNobody})
	p.Goto(base + "/console/ai/prompts")
	says(p, "No prompts of your own")
	press(p, "Write a prompt")
	press(p, "Write a prompt")
	says(p, "Write the text")
	field(p, "Name", "House style")
	field(p, "Text", "You sell for {{company}}. Be brief and kind.")
	press(p, "Write a prompt")
	heading(p, "House style")
	p.Wait("document.querySelector('[data-version=\"1\"]')?.textContent.includes('Draft') && document.querySelector('[data-diff=same]')")
	press(p, "Activate")
	says(p, "From now on the agent uses this text")
	press(p, "Activate")
	p.Wait("document.querySelector('[data-version=\"1\"]').textContent.includes('In use')")
	press(p, "Write a new version")
	press(p, "Write a new version")
	says(p, "Change the text")
	field(p, "Text", "You sell for {{company}}. Be brief and warm.")
	field(p, "What changed and why", "Friendlier")
	press(p, "Write a new version")
	p.Wait("document.querySelector('[data-diff=changed] del')?.textContent === 'kind.' && document.querySelector('[data-diff=changed] ins').textContent === 'warm.'")
	p.Shot("engine-prompt-diff")
	p.Accessible()
	press(p, "Activate")
	press(p, "Activate")
	p.Wait("document.querySelector('[data-version=\"2\"]').textContent.includes('In use') && document.querySelector('[data-version=\"1\"]').textContent.includes('Archived')")
	browsertest.Eval[bool](p, "document.querySelector('[data-version=\"1\"] button').click() || true")
	press(p, "Activate")
	says(p, "The agent returns to this text")
	press(p, "Activate")
	p.Wait("document.querySelector('[data-version=\"1\"]').textContent.includes('In use')")
	p.Goto(base + "/console/ai/prompts")
	p.Wait("document.querySelector('[data-row]')?.textContent.includes('Version 1')")
	p.Clean()
}

// TestConsoleAdminAI: the administrator sees what the AI of all organizations cost and
// which providers fail, changes a price for everybody and takes a model out of chains.
func TestConsoleAdminAI(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 900, Allow: whenNobody})
	twoFactorOn(t, p)
	composed(p)
	p.Goto(base + "/console/admin/ai")
	heading(p, "AI of the platform")
	p.Wait("document.querySelector('[data-use=DEMO]')?.textContent.includes('1 run')")
	says(p, "Bazar")
	says(p, "None fails")
	p.Shot("admin-ai")
	p.Accessible()
	p.Goto(base + "/console/admin/ai/models")
	press(p, "Edit: GPT-6 Luna")
	field(p, "Input, a million tokens", "0.25")
	p.Shot("admin-ai-model")
	p.Accessible()
	press(p, "Save")
	p.Wait("[...document.querySelectorAll('[data-row]')].some(r => r.textContent.includes('gpt-6-luna') && r.textContent.includes('$0.25'))")
	p.Shot("admin-ai-models")
	p.Accessible()
	press(p, "Add a model")
	press(p, "Save")
	says(p, "Enter the name of the model")
	says(p, "Enter the price, 0 if it costs nothing")
	p.Clean()
}
