package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleNewcomer: the first steps of the home page lead to where each is done. The
// policy is asked for once, and what it held up goes on by itself; a file whose headings
// nobody foresaw is understood by what stands in it.
func TestConsoleNewcomer(t *testing.T) {
	p, _ := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || problem == "403 /api/v1/accounts" || problem == "422 /api/v1/recipients/import"
	}})
	press(p, "Connect")
	heading(p, "Connect an account")
	p.Type("main input", "+998 90 000 00 01\n")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('Acceptable-use policy')")
	p.Shot("console-newcomer-policy")
	press(p, "Accept version 1")
	says(p, "The messenger sent a code to +998 90")
	field(p, "Code", "12345\n")
	heading(p, "Account 0001")
	p.Shot("console-newcomer-connected")

	press(p, "Home")
	press(p, "Import")
	heading(p, "Import people")
	giveFile(p, "people.csv", "Ism;Telegram;Shahar\nAziz;@demo_user_1;Toshkent\nLola;https://t.me/demo_user_10;Buxoro\n")
	says(p, "“Telegram” looks like usernames and was taken for them.")
	says(p, "As they were understood.")
	p.Shot("console-newcomer-columns")
	p.Accessible()
	press(p, "Continue")
	p.Wait("document.querySelector('[role=radiogroup]')?.textContent.includes('Opted in')")

	press(p, "Home")
	press(p, "Start")
	heading(p, "New campaign")
	p.Clean()
}
