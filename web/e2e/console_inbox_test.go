package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/app/api/perm"
	"svc/messenger/simulator/world"
	"svc/web/e2e/browsertest"
)

// inboxNumber is the account that customers write to, and customer one of them.
const (
	inboxNumber = "+998900000001"
	customer    = "@demo_user_5"
)

// inbox opens the console of an organization whose account takes what customers write.
func inbox(t *testing.T, o browsertest.Options) (p *browsertest.Page, base string, scenes *world.World) {
	t.Helper()
	scenes, flags := platformOf(t)
	p, base = signUp(t, o, flags...)
	acceptPolicy(p)
	takesMessages(p, connect(p, inboxNumber))
	return p, base, scenes
}

// takesMessages has an account take what customers write.
func takesMessages(p *browsertest.Page, account string) {
	browsertest.Eval[bool](p, `fetch('/api/v1/accounts/`+account+`', {method: 'PATCH', headers: {'Content-Type': 'application/json'}, body: '{"inbound_enabled":true}'}).then(r => r.ok)`)
}

// script directs the people of the simulator.
func script(t *testing.T, scenes *world.World, lines ...string) {
	t.Helper()
	must(t, scenes.Script(strings.Join(lines, "\n")))
}

// bubble is the message on screen that has a text.
func bubble(text string) string {
	return `[...document.querySelectorAll('[data-message]')].find(e => e.textContent.includes(` + quote(text) + `))`
}

// write types an answer and sends it with the keys.
func write(p *browsertest.Page, text string) {
	p.Type("#reply-text", text)
	p.Wait("document.querySelector('[data-send]') && !document.querySelector('[data-send]').disabled")
	browsertest.Eval[bool](p, "(document.getElementById('reply-text').focus(), true)")
	p.Control(kb.Enter)
}

// TestConsoleInbox: a customer writes and is there at once, unread; opened, it is read; the
// answer stands in the conversation before the server has answered, is sent and read; what
// the customer edits changes on screen; taken over and done, it leaves the list of those
// who wait.
func TestConsoleInbox(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	p.Goto(base + "/console/inbox")
	p.Wait(still + ` && document.querySelector('main').textContent.includes('No conversations yet')`)
	p.Shot("inbox-empty")
	p.Accessible()

	script(t, scenes, "now "+customer+` says "Salom, narxi qancha?" to `+inboxNumber)
	p.Wait(listRows + ".length === 1 && document.title.startsWith('(1) ')")
	p.Wait("document.querySelector('nav a[href$=inbox]').textContent.includes('1')")
	p.Shot("inbox-unread")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait(bubble("narxi qancha") + " && location.pathname.startsWith('/console/inbox/cnv_')")
	p.Wait("!document.title.startsWith('(') && !document.querySelector('nav a[href$=inbox]').textContent.includes('1')")
	p.Wait("document.querySelector('[data-ground=REPLY_WINDOW]')")

	write(p, "Assalomu alaykum, 50 000 soʻm")
	p.Wait(bubble("50 000") + " && document.getElementById('reply-text').value === ''")
	p.Wait(bubble("50 000") + "?.querySelector('[data-state=SENT], [data-state=READ]')")
	script(t, scenes, "now "+customer+" reads "+inboxNumber, "now "+customer+` says "Rahmat" to `+inboxNumber, "now "+customer+" reacts 👍 at "+inboxNumber)
	p.Wait(bubble("50 000") + "?.querySelector('[data-state=READ]') && " + bubble("Rahmat"))
	p.Wait(bubble("50 000") + "?.textContent.includes('👍')")
	script(t, scenes, "now "+customer+` edits "Katta rahmat" at `+inboxNumber)
	p.Wait(bubble("Katta rahmat") + "?.textContent.includes('edited')")
	script(t, scenes, "now "+customer+" sends photo of 60000 to "+inboxNumber+" saying mana", "now "+customer+" sends voice to "+inboxNumber)
	p.Wait(`document.querySelector('[data-message] img')?.naturalWidth > 0 && document.querySelector('[data-voice]')`)
	p.Shot("inbox-conversation")
	p.Accessible()
	dark(p, true)
	p.Shot("inbox-conversation-dark")
	accessibleAt(t, "a conversation in the dark", p.FindingsOfColours())
	dark(p, false)

	press(p, "Done")
	p.Wait("document.querySelector('[aria-label=\"It is done\"]')")
	press(p, "Waiting")
	p.Wait(listRows + ".length === 0 || document.querySelector('[data-pane=list]').textContent.includes('Nothing')")
	p.Clean()
}

// TestConsoleInboxFiles: an album is opened as large as the window and its pages are turned;
// a document is saved and no page of a stranger is shown; a file of the answer is dropped on
// the page and sent; what was typed survives another conversation and a reload; a message is
// quoted; a template is an answer.
func TestConsoleInboxFiles(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	post(p, "/templates", `{"name":"Narxlar","text":"Salom {{first_name}}, hammasi 50 000","format":"PLAIN"}`)
	script(t, scenes, "now "+customer+" sends album 3 to "+inboxNumber+" saying rasmlar", "now "+customer+" sends document to "+inboxNumber+" named page.html",
		"now "+customer+` sends place 41.31 69.24 to `+inboxNumber+` titled Chorsu`, "now "+customer+` sends contact +998901112244 "Vali Karimov" to `+inboxNumber,
		`now @demo_user_7 says "Boshqa odam" to `+inboxNumber)
	p.Goto(base + "/console/inbox?q=demo_user_5")
	p.Wait(listRows + ".length === 1")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait("document.querySelectorAll('[data-message] img').length === 3 && " + bubble("Vali Karimov") + " && " + bubble("Chorsu"))
	browsertest.Eval[bool](p, "document.querySelector('[data-message] img').closest('button').click() || true")
	p.Wait("document.querySelector('[role=dialog] img')?.naturalWidth > 0 && document.querySelector('[role=dialog]').textContent.includes('1 / 3')")
	p.Key(kb.ArrowRight)
	p.Wait("document.querySelector('[role=dialog]').textContent.includes('2 / 3')")
	p.Shot("inbox-viewer")
	p.Accessible()
	p.Key(kb.Escape)
	p.Wait("!document.querySelector('[role=dialog]')")
	p.Wait(`[...document.querySelectorAll('[data-message] a[download]')].some(a => a.textContent.includes('page.html')) && !document.querySelector('main iframe')`)

	p.Type("#reply-text", "Salom va ")
	p.Goto(base + "/console/inbox?q=demo_user_7")
	p.Wait(listRows + ".length === 1")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait(bubble("Boshqa odam") + " && document.getElementById('reply-text')?.value === ''")
	browsertest.Eval[bool](p, "(history.back(), true)")
	p.Goto(base + "/console/inbox?q=demo_user_5")
	p.Wait(listRows + ".length === 1")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait("document.getElementById('reply-text')?.value === 'Salom va '")

	browsertest.Eval[bool](p, `(() => { const d = new DataTransfer(); d.items.add(new File(['Narxlar: 50000'], 'narxlar.txt', {type: 'text/plain'})); document.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); return true; })()`)
	p.Wait(`document.querySelector('[aria-label="Remove: narxlar.txt"]') && !document.querySelector('[data-send]').disabled`)
	browsertest.Eval[bool](p, bubble("rasmlar")+`.querySelector('[aria-label="Reply with a quote"]').click() || true`)
	p.Wait(`document.querySelector('[aria-label="Remove the quote"]')`)
	p.Shot("inbox-writing")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[data-send]').click() || true")
	p.Wait(bubble("narxlar.txt") + "?.querySelector('[data-state=SENT], [data-state=READ]') && " + bubble("narxlar.txt") + ".textContent.includes('rasmlar')")

	p.Type("#reply-text", "/nar")
	p.Wait(`document.querySelector('[aria-label="Ready answers"] button')`)
	p.Shot("inbox-ready-answers")
	press(p, "Narxlar Salom {{first_name}}, hammasi 50 000")
	p.Wait("document.getElementById('reply-text').value === 'Salom Nodira, hammasi 50 000'")
	p.Clean()
}

// TestConsoleInboxPhone: in Russian on a telephone there is one pane at a time, and a
// person who is opted out meanwhile is not answered, in words.
func TestConsoleInboxPhone(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "ru", Width: 360, Height: 740, Touch: true, Allow: whenNobody})
	script(t, scenes, "now "+customer+` says "Здравствуйте, сколько стоит доставка до Ташкента и когда она будет?" to `+inboxNumber)
	p.Goto(base + "/console/inbox")
	p.Wait(listRows + ".length === 1 && " + still)
	narrowAt(t, p, "the inbox")
	inspect(t, p, "inbox-phone-list")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait(bubble("доставка") + " && document.querySelector('[data-pane=list]').offsetParent === null")
	narrowAt(t, p, "a conversation")
	inspect(t, p, "inbox-phone-conversation")
	dark(p, true)
	inspect(t, p, "inbox-phone-conversation-dark")
	dark(p, false)
	press(p, "Клиент")
	p.Wait("document.querySelector('[role=dialog]')")
	inspect(t, p, "inbox-phone-person")
	press(p, "Закрыть")
	p.Wait("!document.querySelector('[role=dialog]')")
	script(t, scenes, "now "+customer+` says "Стоп" to `+inboxNumber)
	p.Wait(`document.querySelector('main').textContent.includes('Клиент попросил остановиться') && !document.getElementById('reply-text')`)
	inspect(t, p, "inbox-phone-stopped")
	press(p, "Назад к диалогам")
	p.Wait("location.pathname === '/console/inbox' && " + listRows + ".length === 1")
	p.Clean()
}

// TestConsoleInboxTwo: two people have one conversation open: what one answers, takes over
// and ends the other sees at once, and both answers stand in one order; a reply that does
// not reach the server says so, and sent again it is there once.
func TestConsoleInboxTwo(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenAway})
	join(t, town{p: p, base: base}, perm.Manager)
	script(t, scenes, "now "+customer+` says "Kim bor?" to `+inboxNumber)
	id := browsertest.Eval[string](p, `(async () => { for (;;) { const x = await fetch('/api/v1/ai/conversations').then(r => r.json()); if (x.data?.[0]) return x.data[0].id; await new Promise(go => setTimeout(go, 50)); } })()`)
	q := browsertest.Open(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	q.Goto(base + "/console/")
	signIn(town{p: q, base: base}, "manager@example.uz", "correct horse 2")
	for _, page := range []*browsertest.Page{p, q} {
		page.Goto(base + "/console/inbox/" + id)
		page.Wait(bubble("Kim bor?") + " && document.getElementById('reply-text')")
	}
	write(p, "Men shu yerdaman")
	q.Wait(bubble("Men shu yerdaman") + "?.textContent.includes('Olga')")
	write(q, "Men ham")
	p.Wait(bubble("Men ham") + "?.textContent.includes('MANAGER')")
	order := `[...document.querySelectorAll('[data-message]')].map(e => e.dataset.message).length + ' ' + [...document.querySelectorAll('[data-message]')].map(e => /Men shu|Men ham|Kim/.exec(e.textContent)[0]).join()`
	if a, b := browsertest.Eval[string](p, order), browsertest.Eval[string](q, order); a != b || a != "3 Kim,Men shu,Men ham" {
		t.Errorf("one sees %q, the other %q", a, b)
	}
	press(q, "Assign")
	press(q, "To me")
	p.Wait("document.querySelector('main header')?.textContent.includes('Assigned to MANAGER')")

	browsertest.Eval[bool](p, `(() => { const real = fetch; window.fetch = (r, ...more) => (r.url ?? '').endsWith('/reply') ? Promise.reject(new TypeError('no network')) : real(r, ...more); window.back = () => { window.fetch = real; return true }; return true })()`)
	write(p, "Tarmoqsiz")
	p.Wait(bubble("Tarmoqsiz") + "?.querySelector('[data-state=FAILED]')")
	p.Shot("inbox-not-sent")
	browsertest.Eval[bool](p, "back()")
	press(p, "Send again")
	p.Wait(bubble("Tarmoqsiz") + "?.querySelector('[data-state=SENT], [data-state=READ]')")
	q.Wait(bubble("Tarmoqsiz"))
	if n := browsertest.Eval[int](q, "[...document.querySelectorAll('[data-message]')].filter(e => e.textContent.includes('Tarmoqsiz')).length"); n != 1 {
		t.Errorf("the answer that was sent again is there %d times", n)
	}
	p.Clean()
	q.Clean()
}
