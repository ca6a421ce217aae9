package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleTemplates: a template is written with formatting and a variable, seen as
// one person gets it, carries a picture, is saved, found and deleted.
func TestConsoleTemplates(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Height: 1100, Allow: whenNobody})
	seed(p)
	p.Goto(base + "/console/templates")
	heading(p, "Templates")
	p.Wait("document.body.textContent.includes('No templates yet')")
	press(p, "New template")
	heading(p, "New template")
	p.Type("input[maxlength='120']", "Spring")
	p.Type("#template-text", "Hello {{first_name}}, **news** from {{city}} and {{sity}}")
	p.Wait("document.body.textContent.includes('No recipient has this')")
	p.Wait("[...document.querySelectorAll('strong')].some(e => e.textContent === 'news')")
	p.Wait("document.body.textContent.includes('There is no way to opt out')")
	p.Type("input[placeholder='Nobody in particular']", "user_00")
	p.Wait("[...document.querySelectorAll('[role=option]')].some(e => e.textContent.includes('@user_00') && e.offsetParent)")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('[role=option]')].find(e => e.textContent.includes('@user_00')).click() || true")
	p.Wait("document.body.textContent.includes('Hello Gulnora, news from Toshkent')")
	browsertest.Eval[bool](p, `(() => {
		const canvas = document.createElement('canvas'); canvas.width = 320; canvas.height = 200;
		const ink = canvas.getContext('2d'); ink.fillStyle = '#1d6b57'; ink.fillRect(0, 0, 320, 200);
		return new Promise(done => canvas.toBlob(b => {
			const files = new DataTransfer(); files.items.add(new File([b], 'spring.png', {type: 'image/png'}));
			const input = document.querySelector('input[type=file]'); input.files = files.files;
			input.dispatchEvent(new Event('change', {bubbles: true})); done(true);
		}));
	})()`)
	p.Wait("document.body.textContent.includes('spring.png') && document.body.textContent.includes('320 × 200')")
	p.Wait("document.querySelector('img[alt=\"spring.png\"]')?.naturalWidth > 0")
	p.Shot("console-template-editor")
	p.Accessible()
	press(p, "Save the template")
	heading(p, "Templates")
	p.Wait("document.querySelectorAll('[data-row]').length === 1")
	p.Shot("console-templates")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[data-row] [data-open]').click() || true")
	heading(p, "Spring")
	p.Wait("document.body.textContent.includes('spring.png')")
	press(p, "Delete")
	p.Wait("document.querySelector('[role=dialog]')?.textContent.includes('cannot be brought back')")
	press(p, "Delete")
	p.Wait("document.body.textContent.includes('No templates yet')")
	p.Clean()
}

// TestConsoleTemplateWrong: formatting that no messenger takes is said beside the text
// while it is typed, on a telephone in the dark.
func TestConsoleTemplateWrong(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 360, Height: 740, Touch: true, Dark: true, Allow: func(s string) bool {
		return whenNobody(s) || s == "422 /api/v1/messages/preview"
	}})
	p.Goto(base + "/console/templates/new")
	heading(p, "New template")
	p.Type("#template-text", "Hello **news")
	p.Wait("document.querySelector('#template-text').getAttribute('aria-invalid') === 'true'")
	p.Shot("console-template-wrong")
	p.Accessible()
	narrow(t, p)
	p.Type("#template-text", "**")
	p.Wait("document.querySelector('#template-text').getAttribute('aria-invalid') !== 'true'")
	p.Clean()
}

// TestConsoleTemplateUnsaved: what was typed is not lost by leaving. The page asks, and
// the browser does; an ended session gives the cursor back; a saved template is left
// without a word.
func TestConsoleTemplateUnsaved(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/templates/new")
	heading(p, "New template")
	guarded := func(want bool) {
		t.Helper()
		if got := browsertest.Eval[bool](p, "!window.dispatchEvent(new Event('beforeunload', {cancelable: true}))"); got != want {
			t.Errorf("the browser asks before the tab is closed: %t, want %t", got, want)
		}
	}
	guarded(false)
	p.Type("#template-text", "Hello you")
	post(p, "/auth/logout", "") // the preview or the stream of events finds the session gone
	p.Wait("document.querySelector('[role=dialog] input[autocomplete=current-password]')")
	guarded(false)
	p.Type("[role=dialog] input[autocomplete=current-password]", "correct horse 1\n")
	p.Wait("!document.querySelector('[role=dialog]') && document.activeElement?.id === 'template-text'")
	p.Key("!")
	const kept = "document.querySelector('#template-text')?.value === 'Hello you!'"
	p.Wait(kept)
	guarded(true)

	press(p, "Recipients")
	says(p, "Leave without saving?")
	p.Shot("console-template-unsaved")
	p.Accessible()
	press(p, "Stay")
	p.Wait("!document.querySelector('[role=dialog]') && " + kept)
	field(p, "Name", "Spring")
	press(p, "Save the template")
	heading(p, "Templates")
	guarded(false)
	press(p, "Spring")
	heading(p, "Spring")
	guarded(false)
	p.Type("#template-text", " Bye!  ")
	press(p, "Save")
	says(p, "Saved.")
	guarded(false)
	p.Type("#template-text", "!")
	browsertest.Eval[bool](p, "history.back() || true")
	says(p, "Leave without saving?")
	press(p, "Leave")
	heading(p, "Templates")
	p.Clean()
}

// narrow fails the test when the page is wider than the window.
func narrow(t *testing.T, p *browsertest.Page) {
	t.Helper()
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("the page is %d px wider than the window", wide)
	}
}
