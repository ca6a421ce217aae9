package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleInboxAgain: an answer that the network refused is sent again by a key, with its file
// and what it quotes.
func TestConsoleInboxAgain(t *testing.T) {
	p, base, scenes := inbox(t, browsertest.Options{Lang: "en", Width: 1440, Height: 900, Allow: whenNobody})
	script(t, scenes, "now "+customer+` says "Narxlar bormi?" to `+inboxNumber, "at 1 sends fail MESSAGE_TOO_LONG")
	p.Goto(base + "/console/inbox")
	p.Wait(listRows + ".length === 1")
	browsertest.Eval[bool](p, listRows+"[0].querySelector('[data-open]').click() || true")
	p.Wait(bubble("Narxlar bormi?"))
	browsertest.Eval[bool](p, bubble("Narxlar bormi?")+`.querySelector('[aria-label="Reply with a quote"]').click() || true`)
	p.Wait(`document.querySelector('[aria-label="Remove the quote"]')`)
	browsertest.Eval[bool](p, `(() => { const d = new DataTransfer(); d.items.add(new File(['Atirgul: 50000'], 'atirgul.txt', {type: 'text/plain'})); document.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true, cancelable: true})); return true; })()`)
	p.Wait(`document.querySelector('[aria-label="Remove: atirgul.txt"]') && !document.querySelector('[data-send]').disabled`)
	p.Type("#reply-text", "Mana roʻyxat")
	browsertest.Eval[bool](p, "document.querySelector('[data-send]').click() || true")
	p.Wait(bubble("Mana roʻyxat") + "?.querySelector('[data-state=FAILED]')")
	p.Shot("inbox-refused")
	p.Accessible()
	browsertest.Eval[bool](p, `[...`+bubble("Mana roʻyxat")+`.querySelectorAll('button')].find(b => b.textContent === 'Send again').click() || true`)
	const sent = `[...document.querySelectorAll('[data-message]')].find(e => e.querySelector('[data-state=SENT], [data-state=READ]'))`
	p.Wait(sent)
	for _, words := range []string{"Mana roʻyxat", "atirgul.txt", "Narxlar bormi?"} {
		p.Wait(sent + ".textContent.includes(" + quote(words) + ")")
	}
	p.Clean()
}
