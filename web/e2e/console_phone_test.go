package e2e

import (
	"slices"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsolePhone: on a telephone the filters of a list are behind one button that says
// how many are set, the first rows are in sight, and a bar leads to the pages and, behind
// its last button, to all areas. What a finger meets there is 44 px high.
func TestConsolePhone(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Width: 360, Height: 740, Touch: true, Allow: whenNobody})
	seed(p)
	p.Goto(base + "/console/recipients?consent_status=OPTED_IN")
	p.Wait("document.querySelectorAll('[data-row]').length === 3 && " + still)
	p.Shot("console-phone-list")
	if top := browsertest.Eval[int](p, "Math.round(document.querySelector('[data-row]').getBoundingClientRect().top)"); top > 555-90 {
		t.Errorf("the first row begins at %d px: it began at 555 when the filters were stacked above it", top)
	}
	press(p, "Filters (1)")
	p.Wait("document.querySelector('[role=dialog] input')")
	p.Accessible()
	p.Shot("console-phone-filters")
	press(p, "Clear filters")
	press(p, "Show the list")
	p.Wait("!document.querySelector('[role=dialog]') && document.querySelectorAll('[data-row]').length === 12")
	press(p, "More")
	p.Wait("[...document.querySelectorAll('nav[aria-label=Pages] a')].some(a => a.getBoundingClientRect().left >= 0)")
	press(p, "Area: Work")
	p.Wait("[...document.querySelectorAll('[role=menuitem]')].some(e => e.textContent === 'Organization')")
	p.Shot("console-phone-areas")
	press(p, "Organization")
	heading(p, "Organization")
	p.Accessible()
	if low := browsertest.Eval[[]string](p, `[...document.querySelectorAll('nav[aria-label="Main pages"] > *, nav[aria-label="Parts of this page"] > *')].filter(e => e.getBoundingClientRect().height < 44).map(e => e.textContent)`); len(low) > 0 {
		t.Errorf("lower than 44 px: %q", low)
	}
	p.Shot("console-phone-organization")
	p.Goto(base + "/console/ai/businesses/start")
	p.Wait("document.querySelector('nav [aria-current=page]') && " + still)
	tabs := browsertest.Eval[[]string](p, "[...document.querySelectorAll('main nav [aria-current=page]')].map(e => { const b = e.getBoundingClientRect(); return e.textContent + (b.left >= 0 && b.right <= innerWidth ? '' : ' out of sight'); })")
	if !slices.Equal(tabs, []string{"Getting started"}) {
		t.Errorf("the tabs of the page are %q", tabs)
	}
	p.Shot("console-phone-tabs")
	p.Clean()
}
