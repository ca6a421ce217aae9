package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

// listRows are the rows of the list that stays mounted.
const listRows = "[...document.querySelectorAll('[data-pane=list] [data-row]')]"

// TestConsoleBeside: where there is room a list stands beside what was opened from it, and
// filters and rows go on working there; where there is room for one, the list comes back
// as it was left: its filters, and the place to which it was scrolled.
func TestConsoleBeside(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 1280, Height: 500, Allow: whenNobody})
	seed(p)
	p.Resize(1600, 900)
	p.Goto(base + "/console/recipients?sort=first_name")
	p.Wait(still + " && " + listRows + ".length === 12")
	openRow := func(n string) string {
		name := browsertest.Eval[string](p, listRows+"["+n+"].querySelector('[data-open]').firstChild.textContent")
		browsertest.Eval[bool](p, listRows+"["+n+"].querySelector('[data-open]').click() || true")
		p.Wait("document.querySelector('main h1')?.textContent === " + quote(name) + " && " + still)
		return name
	}
	openRow("2")
	p.Wait("document.querySelector('[data-beside]') && document.querySelector('[data-current]')?.getBoundingClientRect().width > 300")
	p.Accessible()
	p.Shot("beside-recipients")
	p.Type("[data-pane=list] input[type=search]", "an")
	p.Wait(listRows + ".length < 12 && location.pathname.startsWith('/console/recipients/rcp_') && location.search === ''")
	found := browsertest.Eval[int](p, listRows+".length")
	if found < 1 {
		t.Fatal("nobody is found in the list beside the page")
	}
	second := openRow("0")
	if now := browsertest.Eval[int](p, listRows+".length"); now != found {
		t.Errorf("the list shows %d people after another was opened, and showed %d", now, found)
	}
	if title := browsertest.Eval[string](p, "document.title"); title != second+" · svc" {
		t.Errorf("the window is about %q", title)
	}
	press(p, "Recipients")
	p.Wait("document.querySelector('main h1')?.textContent === 'Recipients' && !document.querySelector('[data-beside]') && location.search.includes('q=an')")

	p.Resize(1280, 500)
	p.Goto(base + "/console/recipients?tag=vip")
	p.Wait(still + " && " + listRows + ".length > 5")
	browsertest.Eval[bool](p, "(scrollTo(0, 150), true)")
	p.Wait("scrollY === 150")
	openRow("4")
	p.Wait("document.querySelector('[data-pane=list]').offsetParent === null && scrollY === 0")
	browsertest.Eval[bool](p, "[...document.querySelectorAll('nav[aria-label] a')].find(a => a.textContent === 'Recipients' && a.closest('main')).click() || true")
	p.Wait("document.querySelector('main h1')?.textContent === 'Recipients' && location.search.includes('vip') && scrollY === 150")
	openRow("3")
	browsertest.Eval[bool](p, "(history.back(), true)")
	p.Wait("document.querySelector('main h1')?.textContent === 'Recipients' && location.search.includes('vip') && scrollY === 150")
	p.Clean()
}

// TestConsoleBesideEveryList: the other lists that stay, at the width of a large screen and, in
// Russian, of a telephone.
func TestConsoleBesideEveryList(t *testing.T) {
	w := newTown(t, browsertest.Options{Lang: "ru", Allow: whenRehearsing})
	p := w.p
	for _, pattern := range []string{"/campaigns/$id", "/templates/$id", "/accounts/$id", "/webhooks/$id", "/recipients/lists/$id"} {
		p.Resize(1600, 900)
		p.Goto(w.base + "/console" + w.address(t, pattern))
		p.Wait(still + " && document.querySelector('[data-current]') && document.querySelectorAll('main h1').length === 1")
		accessibleAt(t, pattern, p.Findings())
		p.Shot("beside" + pattern)
		if torn := browsertest.Eval[[]string](p, tornCards); len(torn) > 0 {
			t.Errorf("%s beside its list has cards that are too narrow: %q", pattern, torn)
		}
		p.Resize(360, 740)
		p.Wait("document.querySelector('[data-pane=list]').offsetParent === null")
		narrowAt(t, p, pattern)
	}
	p.Clean()
}
