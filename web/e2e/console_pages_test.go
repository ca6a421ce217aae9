package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleEveryPage: whoever administers the platform and owns an organization walks
// through every page that the console has. Each opens with something on it; axe finds
// nothing in either theme; it shows no key of a text and fits a telephone.
func TestConsoleEveryPage(t *testing.T) {
	w := newTown(t, browsertest.Options{Lang: "en", Allow: whenRehearsing})
	p := w.p
	p.Goto(w.base + "/console/profile")
	p.Wait(still)
	for _, r := range routes(t) {
		name := "every" + strings.NewReplacer("/", "-", "$", "").Replace(r.pattern)
		open(p, w.address(t, r.pattern))
		if title := browsertest.Eval[string](p, "document.querySelector('main h1').textContent"); title == "Not allowed" || title == "There is no such page" {
			t.Errorf("%s does not open: %s", r.pattern, title)
		}
		p.Shot(name + "-light")
		accessibleAt(t, r.pattern+" in the light", p.Findings())
		dark(p, true)
		p.Shot(name + "-dark")
		accessibleAt(t, r.pattern+" in the dark", p.FindingsOfColours())
		p.Resize(360, 740)
		narrowAt(t, p, r.pattern)
		p.Shot(name + "-narrow")
		p.Resize(1280, 800)
		dark(p, false)
		if keys := browsertest.Eval[[]string](p, keysOnScreen); len(keys) > 0 {
			t.Errorf("%s shows keys: %q", r.pattern, keys)
		}
		for _, problem := range p.Problems() {
			t.Errorf("on %s, in the browser: %s", r.pattern, problem)
		}
	}
}

// accessibleAt fails the test when axe found something, naming the page.
func accessibleAt(t *testing.T, where string, findings []string) {
	t.Helper()
	for _, f := range findings {
		t.Errorf("%s: axe: %s", where, f)
	}
}

// dark sets the theme of the system, which the console follows.
func dark(p *browsertest.Page, on bool) {
	p.Dark(on)
	want := map[bool]string{true: "dark", false: "light"}[on]
	p.Wait("document.documentElement.dataset.mantineColorScheme === " + quote(want))
}

// narrowAt fails the test when the page is wider than the window, naming the page.
func narrowAt(t *testing.T, p *browsertest.Page, page string) {
	t.Helper()
	p.Wait("innerWidth === 360 && getComputedStyle(document.querySelector('.mantine-AppShell-main')).paddingLeft === '0px'")
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("%s is %d px wider than a telephone", page, wide)
	}
}
