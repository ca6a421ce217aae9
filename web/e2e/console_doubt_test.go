package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleDoubtfulStop: what may ask to stop goes to a person, who reads it on the handoff.
// "No, go on" gives the conversation back to the seller; "They asked to stop" opts the customer
// out behind a question. The list says why a person is needed and who has it.
func TestConsoleDoubtfulStop(t *testing.T) {
	p, base, _, scenes := shop(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1000, Allow: whenNobody})
	script(t, scenes, `now @demo_user_5 says "хватит уже" to `+inboxNumber)
	until(t, p, "/ai/conversations", "x.data[0]?.open_handoff_trigger === 'POLICY_UNCERTAINTY'")
	p.Goto(base + "/console/inbox?handoff=true")
	p.Wait(`document.querySelector('[data-row] [data-trigger=POLICY_UNCERTAINTY]')?.textContent.includes('The rules are unclear · Nobody has it yet')`)
	p.Shot("doubt-list")
	p.Accessible()
	firstRow(p)
	p.Wait(`document.querySelector('[role=region] blockquote')?.textContent === 'хватит уже'`)
	says(p, "The customer may want no more messages.")
	p.Shot("doubt")
	p.Accessible()
	dark(p, true)
	p.Shot("doubt-dark")
	accessibleAt(t, "a doubtful stop in the dark", p.FindingsOfColours())
	p.Resize(360, 740)
	narrowAt(t, p, "a doubtful stop")
	p.Shot("doubt-narrow")
	p.Resize(1280, 1000)
	dark(p, false)
	press(p, "No, go on")
	says(p, "The AI goes on with the conversation.")
	p.Wait("!document.querySelector('[role=region] blockquote')")
	until(t, p, "/ai/conversations", "x.data[0].ai_state === 'ACTIVE' && x.data[0].open_handoff_id === null")

	script(t, scenes, `now @demo_user_5 says "хватит уже, правда" to `+inboxNumber)
	p.Wait(`document.querySelector('[role=region] blockquote')?.textContent.includes('правда')`)
	press(p, "They asked to stop")
	says(p, "neither campaigns nor answers are sent")
	p.Shot("doubt-asked")
	press(p, "They asked to stop")
	says(p, "is opted out.")
	until(t, p, "/ai/conversations", "x.data[0].ai_state === 'STOPPED'")
	p.Wait("!document.querySelector('[role=region] blockquote')")
	says(p, "A person confirmed that the customer wants no more messages.")
	p.Shot("doubt-stopped")
	p.Accessible()
	p.Clean()
}
