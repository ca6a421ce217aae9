package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
	"svc/web/e2e/browsertest"
)

// platformOf is a simulator that the story directs, and the flags of a server that uses it.
func platformOf(tb testing.TB) (scenes *world.World, flags []string) {
	tb.Helper()
	sim := simtest.Start(tb, simulator.Options{Demo: true})
	key := filepath.Join(tb.TempDir(), "public.pem")
	if err := os.WriteFile(key, sim.PublicPEM(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return sim.World(), []string{"--simulator", sim.Addr().String(), "--simulator-key", key, "--private-proxies"}
}

// must fails the test when a scene cannot be set.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// badge waits until the state beside the title is that.
func badge(p *browsertest.Page, state string) {
	p.Wait(`document.querySelector('main h1')?.parentElement.textContent.includes(` + quote(state) + `)`)
}

// testMessage sends one from the account whose page is open.
func testMessage(p *browsertest.Page, to string) {
	press(p, "Send a test")
	says(p, "Up to 10 an hour")
	field(p, "To", to+"\n")
	p.Wait(`[...document.querySelectorAll('[role=dialog] [role=status], [role=dialog] li, [role=dialog]')].some(e => /Waits for its turn|On its way|Is tried again|Delivered|Not delivered/.test(e.textContent))`)
}

// closeDialog closes the dialog that is open.
func closeDialog(p *browsertest.Page) {
	press(p, "Close")
	p.Wait("!document.querySelector('[role=dialog]')")
}

// TestConsoleAccountStates: an account has a bad day. Told to wait, it counts down and
// goes on by itself; restricted, it sends again only after somebody confirmed what that
// risks; signed out at the messenger, it signs in again from its page, with its own
// number only; disabled by an administrator, it says so and why.
func TestConsoleAccountStates(t *testing.T) {
	const number = "+998900000001"
	scenes, flags := platformOf(t)
	p, base := signUp(t, browsertest.Options{Lang: "en", Height: 1000, Allow: func(problem string) bool {
		return whenSigningIn(problem) || strings.HasPrefix(problem, "409 /api/v1/accounts")
	}}, flags...)
	twoFactorOn(t, p)
	acceptPolicy(p)
	id := connect(p, number)
	p.Goto(base + "/console/accounts/" + id)
	badge(p, "Active")

	must(t, scenes.Flood(number, 15*time.Second, 0))
	testMessage(p, "demo_user_7")
	closeDialog(p)
	badge(p, "Waiting")
	says(p, "The messenger asked this account to wait.")
	says(p, "Nothing needs to be done: it goes on by itself.")
	first := browsertest.Eval[string](p, "document.querySelector('main [role=timer]').textContent")
	p.Shot("console-account-flooded")
	p.Accessible()
	p.Wait("document.querySelector('main [role=timer]').textContent < " + quote(first))
	badge(p, "Active")

	must(t, scenes.Restrict(number, "PEER_FLOOD"))
	testMessage(p, "demo_user_9")
	closeDialog(p)
	badge(p, "Restricted")
	says(p, "writes to too many strangers")
	p.Shot("console-account-restricted")
	p.Accessible()
	press(p, "Let it send again")
	says(p, "the number may be banned for good")
	press(p, "Let it send again") // of the question
	says(p, "Confirm this first.")
	p.Shot("console-account-acknowledge")
	p.Accessible()
	must(t, scenes.Lift(number))
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] input[type=checkbox], [role=alertdialog] input[type=checkbox]').click() || true")
	press(p, "Let it send again")
	badge(p, "Active")

	must(t, scenes.Revoke(number))
	press(p, "More")
	press(p, "Check now")
	badge(p, "Must sign in")
	p.Shot("console-account-signed-out")
	p.Accessible()
	press(p, "Sign in again")
	heading(p, "Sign in again")
	field(p, "Phone number", "+998900000002\n")
	says(p, "That is not the number")
	p.Shot("console-account-other-number")
	field(p, "Phone number", number+"\n")
	says(p, "attempts left")
	field(p, "Code", record.DefaultCode+"\n")
	p.Wait("location.pathname === " + quote("/console/accounts/"+id))
	badge(p, "Active")

	post(p, "/admin/accounts/"+id+"/disable", `{"reason":"Complaints about spam"}`)
	badge(p, "Disabled by the administrator")
	says(p, "The reason given: Complaints about spam")
	for _, words := range browsertest.Eval[[]string](p, pressable) {
		if words == "Resume" || words == "Send a test" {
			t.Errorf("an account that an administrator disabled offers %q", words)
		}
	}
	p.Shot("console-account-disabled")
	p.Accessible()
	post(p, "/admin/accounts/"+id+"/enable", `{}`)
	p.Goto(base + "/console/accounts/" + id) // nobody is told of that
	badge(p, "Paused")
	press(p, "Resume")
	badge(p, "Active")
	p.Clean()
}

// TestConsoleDeadProxy: the proxy of an account dies. The pages of both say so and what
// to do; when the address of the proxy is corrected and the account checked, it is back.
func TestConsoleDeadProxy(t *testing.T) {
	_, flags := platformOf(t)
	p, base := signUp(t, browsertest.Options{Lang: "en", Height: 1000, Allow: whenSigningIn}, flags...)
	acceptPolicy(p)
	connect(p, "+998900000001")
	works, dies := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{}), messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{})
	way := dies.Route()
	proxy := adminAPI(t, p, "/proxies", fmt.Sprintf(`{"type":"SOCKS5","host":%q,"port":%d,"name":"Office"}`, way.Host, way.Port), "id")
	p.Goto(base + "/console/proxies/" + proxy)
	heading(p, "Office")
	choose(p, "Used by", "Account 0001")
	press(p, "Assign")
	p.Wait(`[...document.querySelectorAll('main a')].some(a => a.textContent.includes('Account 0001'))`)

	dies.Close()
	press(p, "Check")
	says(p, "The proxy itself did not answer.")
	p.Shot("console-proxy-dead")
	press(p, "Account 0001")
	badge(p, "Proxy fails")
	says(p, "The messenger cannot be reached through the proxy of this account.")
	says(p, "Check it now, or fix its proxy.")
	p.Shot("console-account-proxy-dead")
	p.Accessible()
	press(p, "Office")
	press(p, "Change")
	field(p, "Port", strconv.Itoa(works.Route().Port))
	press(p, "Save and check")
	badge(p, "Works")
	press(p, "Account 0001")
	badge(p, "Active") // by itself: it comes back with its proxy
	says(p, "Proxy fails → Active")
	p.Clean()
}

// choose takes an option of the select with that label.
func choose(p *browsertest.Page, label, option string) {
	p.Wait(`(() => { const l = [...document.querySelectorAll('label')].find(l => l.textContent.replace(' *', '') === ` + quote(label) + `); const i = l && document.getElementById(l.htmlFor); i?.click(); return i })()`)
	find := `[...document.querySelectorAll('[role=option]')].find(e => e.getClientRects().length > 0 && e.textContent.includes(` + quote(option) + `))`
	p.Wait(find)
	browsertest.Eval[bool](p, find+`.click() || true`)
}
