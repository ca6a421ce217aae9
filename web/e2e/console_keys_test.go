package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/web/e2e/browsertest"
)

// TestConsoleSwitch: somebody who belongs to two organizations changes over. Nothing of
// the first one is seen in the second, not for a moment; the second follows its own
// events; back in the first everything is there.
func TestConsoleSwitch(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	seed(p)
	post(p, "/me/organizations", `{"name":"Chorsu Savdo","timezone":"Asia/Tashkent"}`)
	p.Goto(base + "/console/")
	p.Wait(still)
	change := func(from, to string) {
		press(p, "Organization: "+from+". Switch")
		p.Wait("document.querySelector('[role=menu]')")
		browsertest.Eval[bool](p, `[...document.querySelectorAll('[role=menuitem]')].find(e => e.textContent.includes(`+quote(to)+`)).click() || true`)
		p.Wait(`document.querySelector('[aria-label=` + quote("Organization: "+to+". Switch") + `]')`)
	}
	if browsertest.Eval[bool](p, `document.querySelector('header').textContent.includes('Chorsu')`) {
		change("Chorsu Savdo", "Bazar")
	}
	open(p, "/recipients")
	p.Wait("document.querySelectorAll('[data-row]').length === 12")
	change("Bazar", "Chorsu Savdo")
	browsertest.Eval[bool](p, `(() => { window.leaked = document.body.innerText.includes('Karimova');
		new MutationObserver(() => { window.leaked ||= document.body.innerText.includes('Karimova'); }).observe(document.body, {subtree: true, childList: true, characterData: true}); return true })()`)
	heading(p, "Home")
	p.Shot("console-switched")
	press(p, "Recipients")
	says(p, "Nobody yet")
	if browsertest.Eval[bool](p, "window.leaked") {
		t.Error("people of the first organization were on the screen of the second")
	}
	// Its own events: a list that stands open shows who is imported.
	post(p, "/recipients/import", `{"default_consent":"OPTED_IN","records":[{"username":"chorsu_one"}]}`)
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	change("Chorsu Savdo", "Bazar")
	press(p, "Recipients")
	p.Wait("document.querySelectorAll('[data-row]').length === 12")
	p.Clean()
}

// TestConsoleKeyboard: without a mouse the palette leads to a page and a campaign by
// name, and to a person by username; / searches, j and k walk along a list, Escape closes.
func TestConsoleKeyboard(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	seed(p)
	post(p, "/campaigns", `{"name":"Navroʻz sale","message":{"text":"Salom {{opt_out_url}}"}}`)
	p.Goto(base + "/console/")
	heading(p, "Home")
	const field = "[role=dialog] input"
	palette := func(text, found, title string) {
		p.Control("k")
		p.Wait("document.activeElement?.matches(" + quote(field) + ")")
		p.Type(field, text)
		p.Wait(`document.querySelector('[role=dialog]')?.textContent.includes(` + quote(found) + `)`)
		p.Shot("console-palette-" + text)
		p.Key(kb.ArrowDown)
		p.Wait(`[...document.querySelectorAll('[role=dialog] [data-selected], [role=dialog] [aria-selected=true]')].some(e => e.textContent.includes(` + quote(found) + `))`)
		p.Key("\r")
		heading(p, title)
		p.Wait("!document.querySelector('[role=dialog]')")
	}
	palette("audit", "Audit log", "Audit log")
	palette("user_03", "Malika Karimova", "Malika Karimova")
	palette("Navro", "Navroʻz sale", "Navroʻz sale")
	p.Control("k")
	p.Wait("document.activeElement?.matches(" + quote(field) + ")")
	p.Accessible()
	p.Key(kb.Escape)
	p.Wait("!document.querySelector('[role=dialog]')")

	p.Goto(base + "/console/recipients")
	p.Wait("document.querySelectorAll('[data-row]').length === 12")
	row := func(n string) {
		p.Wait("document.querySelectorAll('[data-row]')[" + n + "].contains(document.activeElement)")
	}
	p.Key("j")
	row("0")
	p.Key("j")
	row("1")
	p.Key("k")
	row("0")
	p.Key("x")
	says(p, "1 selected")
	p.Key("/")
	p.Wait("document.activeElement?.type === 'search'")
	p.Key(kb.Escape)
	p.Wait("document.activeElement?.type !== 'search'")
	const add = "[...document.querySelectorAll('button')].find(b => b.textContent.trim() === 'Add tags')"
	browsertest.Eval[bool](p, add+".focus() || true")
	p.Key("\r")
	p.Wait("document.querySelector('[role=dialog], [role=alertdialog]')?.contains(document.activeElement)")
	p.Key(kb.Escape) // closes what the field offers
	p.Key(kb.Escape)
	p.Wait("!document.querySelector('[role=dialog], [role=alertdialog]')")
	p.Wait("document.activeElement === " + add)

	// The same under a Russian layout, whose letters are others.
	cyrillic := func(key, code, more string) {
		browsertest.Eval[bool](p, `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: `+quote(key)+`, code: `+quote(code)+`, bubbles: true`+more+`})) || true`)
	}
	cyrillic("о", "KeyJ", "")
	row("0")
	cyrillic(".", "Slash", "")
	p.Wait("document.activeElement?.type === 'search'")
	cyrillic("л", "KeyK", ", ctrlKey: true")
	p.Wait("document.activeElement?.matches(" + quote(field) + ")")
	p.Clean()
}
