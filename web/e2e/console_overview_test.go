package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleHome: a newcomer finds the first steps, which are ticked off as things
// come to exist, on a screen that follows the server.
func TestConsoleHome(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Height: 1100, Allow: whenSigningIn})
	heading(p, "Home")
	p.Wait("document.body.textContent.includes('0 of 4 done')")
	p.Shot("console-home-new")
	p.Accessible()
	seed(p)
	post(p, "/templates", `{"name":"Spring","text":"Hello {{opt_out_url}}","format":"PLAIN"}`)
	p.Goto(base + "/console/?period=7")
	p.Wait("document.body.textContent.includes('2 of 4 done')")
	p.Wait("document.body.textContent.includes('No messages in this period')")
	p.Wait("document.querySelector('[aria-label=Period] input:checked')?.value === '7'")
	p.Shot("console-home")
	press(p, "Connect")
	heading(p, "Connect an account")
	p.Clean()
}

// TestConsoleHomeNarrow is home on a telephone in the dark, in each language.
func TestConsoleHomeNarrow(t *testing.T) {
	titles := map[string]string{"uz": "Bosh sahifa", "ru": "Главная"}
	for lang, title := range titles {
		t.Run(lang, func(t *testing.T) {
			p, _ := signUp(t, browsertest.Options{Lang: lang, Width: 360, Height: 740, Touch: true, Dark: lang == "ru", Allow: whenNobody})
			heading(p, title)
			p.Wait("document.querySelectorAll('section').length > 2")
			p.Shot("console-home-" + lang)
			p.Accessible()
			narrow(t, p)
			p.Clean()
		})
	}
}

// TestConsoleHomeLive: a campaign on the simulator moves on home without a reload, its
// messages are drawn, and the first steps are gone.
func TestConsoleHomeLive(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 1500, Allow: whenNobody})
	acceptPolicy(p)
	account := connect(p, "+998900000001")
	audience(p, 3)
	p.Goto(base + "/console/")
	p.Wait("document.body.textContent.includes('2 of 4 done')")
	p.Wait("document.body.textContent.includes('No messages in this period')")
	launch(p, account)
	p.Wait("[...document.querySelectorAll('section a')].some(a => a.textContent === 'Salom')")
	p.Wait("document.querySelector('section[aria-label=Messages] .recharts-bar-rectangle path')")
	p.Wait("!document.body.textContent.includes('First steps')")
	p.Wait("document.querySelector('table[aria-label=\"In detail\"] tbody tr')")
	p.Shot("console-home-live")
	p.Accessible()
	p.Clean()
}
