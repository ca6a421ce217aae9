package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleChannel: a newcomer connects the demonstration's page without any application, makes
// a rule, tries it, a customer comments and gets a private reply, writes, and is answered.
func TestConsoleChannel(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	acceptPolicy(p)
	p.Goto(base + "/console/channels/setup")
	heading(p, "Setting up the networks")
	press(p, "Send a test webhook")
	says(p, "The signed test webhook arrived")
	p.Shot("console-channels-setup")
	p.Accessible()

	p.Goto(base + "/console/channels")
	says(p, "No accounts yet")
	p.Shot("console-channels-empty")
	press(p, "Connect Facebook")
	p.Wait("location.pathname.startsWith('/_sim/page/')")
	says(p, "Demo Shop")
	p.Shot("console-channels-consent")
	press(p, "Allow")
	p.Wait("location.pathname === '/console/channels'")
	says(p, "is connected")
	says(p, "Demo Shop")
	p.Shot("console-channels")
	p.Accessible()

	p.Goto(base + "/console/channels/automations")
	says(p, "No rules yet")
	press(p, "New rule")
	field(p, "Name of the rule", "Price")
	field(p, "Keywords", "narx")
	field(p, "Private message", "The price is 100")
	press(p, "Save")
	says(p, "Saved.")
	field(p, "Comment", "NARX?\n")
	says(p, "This comment would be answered")
	p.Shot("console-channels-automations")
	p.Accessible()

	// A customer comments in the simulated world, and writes once they were answered.
	world := func(do, text string) {
		browsertest.Eval[int](p, `fetch('/_sim/phone/demo_shop', {method: 'POST', headers: {'Content-Type': 'application/x-www-form-urlencoded'},
			body: new URLSearchParams({person: 'malika', do: `+quote(do)+`, text: `+quote(text)+`})}).then(r => r.status)`)
	}
	world("comments", "narx?")
	p.Goto(base + "/console/channels")
	p.Click("[data-row] [data-open]")
	p.Wait(`document.body.innerText.includes('Sent')`)
	p.Shot("console-channel")
	p.Accessible()
	world("says", "Olaman, manzil qayerda?")
	p.Goto(base + "/console/inbox")
	p.Wait(`document.body.innerText.includes('manzil qayerda')`)
	p.Shot("console-channels-inbox")
}
