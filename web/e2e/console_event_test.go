package e2e

import (
	"fmt"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleEvents: what happens appears in the live log, which can be paused; the
// history finds it by type, and its ids lead to their pages.
func TestConsoleEvents(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/events/live")
	heading(p, "Live")
	says(p, "Waiting for events")
	p.Wait("document.querySelector('h1').parentElement.textContent.includes('Connected')")
	optOut := func(i int) {
		post(p, "/recipients", fmt.Sprintf(`{"username":"user_%02d","first_name":"Gulnora","consent_status":"OPTED_OUT"}`, i))
	}
	optOut(1)
	p.Wait("document.querySelectorAll('[data-event=\"recipient.opted_out\"]').length === 1")
	press(p, "Pause")
	optOut(2)
	p.Wait("[...document.querySelectorAll('button')].some(b => b.textContent === 'Go on1')")
	if n := browsertest.Eval[int](p, "document.querySelectorAll('[data-event]').length"); n != 1 {
		t.Errorf("%d events are shown while it is paused, want 1", n)
	}
	p.Shot("console-events-live")
	p.Accessible()
	browsertest.Eval[bool](p, "[...document.querySelectorAll('button')].find(b => b.textContent.startsWith('Go on')).click() || true")
	p.Wait("document.querySelectorAll('[data-event]').length === 2")

	press(p, "History")
	heading(p, "Event log")
	p.Wait("document.querySelectorAll('[data-row]').length === 2")
	says(p, "Gulnora")
	p.Shot("console-events")
	p.Accessible()
	optOut(3)
	p.Wait("document.querySelectorAll('[data-row]').length === 3") // by itself
	p.Goto(base + "/console/events?type=campaign.*")
	says(p, "Nothing found")
	p.Goto(base + "/console/events?type=recipient.*")
	p.Wait("document.querySelectorAll('[data-row]').length === 3")
	browsertest.Eval[bool](p, "document.querySelector('[data-open]').click() || true")
	p.Wait("document.querySelector('[role=dialog] pre a')")
	p.Shot("console-event")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('[role=dialog] pre a').click() || true")
	p.Wait("location.pathname.startsWith('/console/recipients/rcp_')")
	p.Clean()
}

// TestConsoleReference: an operation is found by words, and the request that it offers
// works with a key.
func TestConsoleReference(t *testing.T) {
	const shared = "[...document.querySelectorAll('[data-operation] button')].find(b => b.textContent.includes('that every operation can answer'))"
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/reference")
	heading(p, "API reference")
	p.Wait("document.querySelector('[data-operation]')")
	p.Shot("console-reference")
	p.Accessible()
	p.Type("input[type=search]", "webhooks create")
	p.Wait("document.querySelector('[data-operation=\"webhooks.create\"]')")
	browsertest.Eval[bool](p, "document.querySelector('[data-operation=\"webhooks.create\"] button').click() || true")
	p.Wait("document.querySelector('[data-curl]')")
	p.Wait(shared)
	if browsertest.Eval[bool](p, "document.body.innerText.includes('rate_limited')") {
		t.Error("the errors of every operation are not folded away")
	}
	browsertest.Eval[bool](p, shared+".click() || true")
	says(p, "rate_limited")
	p.Shot("console-reference-operation")
	p.Accessible()
	curl := browsertest.Eval[string](p, "document.querySelector('[data-curl]').textContent")
	for _, want := range []string{"curl -X POST '" + base + "/api/v1/webhooks'", "Bearer svck_YOUR_KEY", `"url":"https://example.com/hook"`} {
		if !strings.Contains(curl, want) {
			t.Errorf("the request to copy lacks %s:\n%s", want, curl)
		}
	}
	p.Clean()
}
