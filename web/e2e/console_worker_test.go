package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// notifications are the notifications of the console: title, text, tag and where each leads.
const notifications = `navigator.serviceWorker.ready.then(r => r.getNotifications())
	.then(l => l.map(n => [n.title, n.body, n.tag, n.data.to].join(' | ')).sort())`

// TestConsoleInstalled: the inbox can be installed. Without a connection to the server it is not
// an error of the browser but a page that says so in three languages, and which becomes the page
// that was asked for once it is loaded again.
func TestConsoleInstalled(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 390, Height: 800, Touch: true, Allow: whenAway})
	line := browsertest.NewLine(t, base)
	p.Goto(line.URL + "/console/inbox")
	p.Wait("navigator.serviceWorker.controller !== null")
	p.Installable()
	line.Become(browsertest.Cut)
	p.Goto(line.URL + "/console/inbox")
	p.Wait("document.querySelector('h1')?.textContent === 'Aloqa yoʻq'")
	if got := browsertest.Eval[[]string](p, "[...document.querySelectorAll('p')].map(e => e.lang)"); strings.Join(got, " ") != " ru en" {
		t.Errorf("it speaks %q beside Uzbek", got)
	}
	for _, words := range []string{"Qurilma tarmoqqa ulanmagan", "Нет связи", "No connection"} {
		says(p, words)
	}
	p.Shot("console-no-connection")
	p.Accessible()
	line.Become(browsertest.Up)
	p.Click("p[lang=en] a")
	p.Wait("document.querySelector('nav') && location.pathname === '/console/inbox'")
	p.Clean()
}

// TestConsolePushed: what a push service delivers is shown in the language of the device, without
// a word of the customer, one notification of a conversation at a time; what nobody can read is
// a new message of somebody.
func TestConsolePushed(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.AllowNotifications(base)
	p.Goto(base + "/console/inbox")
	p.Wait("navigator.serviceWorker.controller !== null")
	const one, other = "cnv_00000000000000000000000001", "cnv_00000000000000000000000002"
	push := func(language, topic, conversation string, want ...string) {
		t.Helper()
		p.Pushed(base, `{"language":"`+language+`","topic":"`+topic+`","conversation_id":"`+conversation+`"}`,
			notifications+".then(l => l.join() === "+quote(strings.Join(want, ","))+")")
	}
	first := "Разговору нужен человек | Нажмите, чтобы открыть разговор. | HANDOFFS " + one + " | /console/inbox/" + one
	push("ru", "HANDOFFS", one, first)
	push("ru", "HANDOFFS", one, first) // in the place of the first
	second := "Mijoz javob kutmoqda | Suhbatni ochish uchun bosing. | WAITING " + other + " | /console/inbox/" + other
	push("uz", "WAITING", other, second, first)
	third := "A new message | Open the conversation to read it. | MESSAGES  | /console/inbox"
	push("en", "MESSAGES", "../../evil", third, second, first)
	p.Pushed(base, "not JSON", notifications+".then(l => l.some(x => x.startsWith('Yangi xabar | Suhbatni ochish uchun bosing. | ') && x.endsWith('| /console/inbox')))")
	p.Clean()
}

// pushManager stands for the push service of the browser, which needs the internet: it makes the
// keys of a subscription, and forgets it.
const pushManager = `(() => {
	const text = b => btoa(String.fromCharCode(...new Uint8Array(b))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
	let made = null
	PushManager.prototype.getSubscription = async () => made
	PushManager.prototype.subscribe = async o => {
		window.subscribedWith = o
		const pair = await crypto.subtle.generateKey({name: 'ECDH', namedCurve: 'P-256'}, true, ['deriveBits'])
		const keys = {p256dh: text(await crypto.subtle.exportKey('raw', pair.publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16)))}
		return made = {endpoint: 'https://push.example.com/of-this-browser', toJSON: () => ({keys}), unsubscribe: async () => { made = null; return true }}
	}
	return true
})()`

// TestConsoleDevices: a person lets this browser show what the inbox wants, chooses what, changes
// the choice, and turns it off again.
func TestConsoleDevices(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.AllowNotifications(base)
	p.Goto(base + "/console/profile")
	says(p, "Notifications on this device")
	browsertest.Eval[bool](p, pushManager)
	const devices = `fetch('/api/v1/me/push-subscriptions').then(r => r.json()).then(a => a.data.map(d => d.topics.toSorted().join(' ') + (d.current ? ' here' : '')).join())`
	press(p, "Turn on notifications")
	p.Wait(devices + ".then(x => x === 'HANDOFFS MENTIONS MESSAGES here')")
	key := browsertest.Eval[string](p, `fetch('/api/v1/me/push-subscriptions').then(r => r.json()).then(a => a.public_key)`)
	if !browsertest.Eval[bool](p, "subscribedWith.userVisibleOnly && subscribedWith.applicationServerKey === "+quote(key)) {
		t.Error("it subscribed with another key")
	}
	// A key that is at work takes no press.
	const ready = "[...document.querySelectorAll('button')].some(b => b.textContent === 'Turn off' && !b.dataset.loading)"
	p.Wait(ready)
	p.Shot("console-devices")
	p.Accessible()
	p.Click("input[value=MENTIONS]")
	press(p, "Save")
	p.Wait(devices + ".then(x => x === 'HANDOFFS MESSAGES here')")
	p.Wait(ready)
	press(p, "Turn off")
	p.Wait(devices + ".then(x => x === '')")
	says(p, "Turn on notifications")
	if browsertest.Eval[bool](p, "navigator.serviceWorker.ready.then(r => r.pushManager.getSubscription()).then(Boolean)") {
		t.Error("the browser is subscribed still")
	}
	p.Clean()
}
