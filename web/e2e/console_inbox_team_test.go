package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/app/api/perm"
	"svc/messenger/simulator/world"
	"svc/web/e2e/browsertest"
)

// firstConversation is the id of the newest conversation, once there is one.
const firstConversation = `(async () => { for (;;) { const x = await fetch('/api/v1/ai/conversations').then(r => r.json()); if (x.data?.[0]) return x.data[0].id; await new Promise(go => setTimeout(go, 50)); } })()`

// twoPeople opens the inbox of the owner and of a manager, each in a browser of their own.
func twoPeople(t *testing.T) (p, q *browsertest.Page, base string, scenes *world.World) {
	t.Helper()
	p, base, scenes = inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenAway})
	join(t, town{p: p, base: base}, perm.Manager)
	q = browsertest.Open(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	q.Goto(base + "/console/")
	signIn(town{p: q, base: base}, "manager@example.uz", "correct horse 2")
	return p, q, base, scenes
}

// TestConsoleInboxColleagues: who writes an answer is named to the others who look at the
// conversation; a note that calls a colleague is there at once, calls, and leads back to the
// conversation; the customer sees nothing of it.
func TestConsoleInboxColleagues(t *testing.T) {
	p, q, base, scenes := twoPeople(t)
	script(t, scenes, "now "+customer+` says "Bugun ochiqmisiz?" to `+inboxNumber)
	id := browsertest.Eval[string](p, firstConversation)
	for _, page := range []*browsertest.Page{p, q} {
		page.Goto(base + "/console/inbox/" + id)
		page.Wait(bubble("ochiqmisiz") + " && document.getElementById('reply-text')")
	}
	q.Type("#reply-text", "Ha, soat")
	p.Wait(`[...document.querySelectorAll('[role=status]')].some(e => e.textContent === 'MANAGER is writing…')`)
	p.Shot("inbox-colleague-writes")

	const note = `textarea[aria-label="Write a note; @ calls a colleague"]`
	q.Type(note, "Narxini aytib yuboring @Ol")
	q.Wait(`document.querySelector('[aria-label=Colleagues] button')`)
	q.Shot("inbox-note-calls")
	q.Accessible()
	q.Key(kb.Enter)
	q.Wait("document.querySelector(" + quote(note) + ").value.includes('@Olga')")
	press(q, "Add")
	const notes = `document.querySelector('section[aria-label=Notes]').textContent`
	for _, page := range []*browsertest.Page{p, q} {
		page.Wait(notes + ".includes('Narxini aytib yuboring @Olga')")
	}
	if browsertest.Eval[bool](p, bubble("Narxini")+" !== undefined") {
		t.Error("a note stands among the messages")
	}
	p.Goto(base + "/console/")
	p.Wait(`document.querySelector('header button[aria-label="Notifications: 1 unread"]')`)
	browsertest.Eval[bool](p, `document.querySelector('header button[aria-label="Notifications: 1 unread"]').click() || true`)
	p.Wait(`[...document.querySelectorAll('[role=dialog] a')].some(a => a.textContent.includes('You were mentioned'))`)
	p.Shot("inbox-mentioned")
	browsertest.Eval[bool](p, `[...document.querySelectorAll('[role=dialog] a')].find(a => a.textContent.includes('You were mentioned')).click() || true`)
	p.Wait("location.pathname === '/console/inbox/" + id + "' && document.querySelector('section[aria-label=Notes]') && " + notes + ".includes('@Olga')")
	p.Clean()
	q.Clean()
}

// TestConsoleInboxViews: what is filtered is saved as a view with a name, which counts and is
// there after a reload; the keys walk through the list and the conversation; a tone is heard
// when it is switched on, on whatever page, and not before.
func TestConsoleInboxViews(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	p.Before(`window.tones = 0; window.AudioContext = class { constructor() { window.tones++; this.currentTime = 0; this.destination = {}; }
		createGain() { return {connect() {}, gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}}; }
		createOscillator() { return {connect() {}, start() {}, stop() {}, frequency: {}}; } close() { return Promise.resolve(); } }`)
	script(t, scenes, "now "+customer+` says "Birinchi" to `+inboxNumber)
	browsertest.Eval[string](p, firstConversation)
	script(t, scenes, `now @demo_user_7 says "Ikkinchi" to `+inboxNumber)
	p.Goto(base + "/console/inbox?assigned_user_id=none")
	p.Wait(listRows + ".length === 2")
	if n := browsertest.Eval[int](p, "tones"); n != 0 {
		t.Errorf("%d tones, and nobody switched them on", n)
	}
	press(p, "Save the view")
	p.Type("[role=dialog] input", "Of nobody")
	press(p, "Save")
	const own = `[...document.querySelectorAll('[aria-label=Views] button')].find(b => b.textContent.startsWith('Of nobody'))`
	p.Wait("!document.querySelector('[role=dialog]') && " + own + "?.textContent === 'Of nobody2' && " + own + ".getAttribute('aria-pressed') === 'true'")
	p.Shot("inbox-view")
	p.Accessible()
	p.Goto(base + "/console/inbox")
	p.Wait(own)
	browsertest.Eval[bool](p, own+".click() || true")
	p.Wait("location.search.includes('assigned_user_id=none') && " + listRows + ".length === 2")

	p.Key("j")
	p.Key(kb.Enter)
	p.Wait(bubble("Ikkinchi") + " && document.getElementById('reply-text')")
	p.Key("j")
	p.Key(kb.Enter)
	p.Wait(bubble("Birinchi"))
	p.Key("r")
	p.Wait("document.activeElement.id === 'reply-text'")
	browsertest.Eval[bool](p, "(document.activeElement.blur(), true)")
	p.Key("a")
	p.Wait("[...document.querySelectorAll('[role=menuitem]')].some(e => e.textContent === 'To me')")
	press(p, "To me")
	p.Wait("document.querySelector('main header')?.textContent.includes('Assigned to')")
	browsertest.Eval[bool](p, "(document.activeElement.blur(), true)")
	p.Key("e")
	p.Wait(`document.querySelector('[aria-label="It is done"]')`)

	p.Goto(base + "/console/inbox")
	p.Wait(`document.querySelector('[aria-label="Sound for new messages"]')`)
	browsertest.Eval[bool](p, `document.querySelector('[aria-label="Sound for new messages"]').click() || true`)
	p.Wait(`tones === 1 && document.querySelector('[aria-label="Sound for new messages"]').getAttribute('aria-pressed') === 'true'`)
	p.Goto(base + "/console/templates")
	p.Wait(still + " && document.querySelector('nav a[href$=inbox]')")
	script(t, scenes, `now @demo_user_8 says "Uchinchi" to `+inboxNumber)
	p.Wait("tones === 1") // of this page: it was loaded again
	p.Clean()
}
