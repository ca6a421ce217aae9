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
	w := newTown(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool {
		return whenNobody(problem) || strings.HasSuffix(problem, "/rehearsal")
	}})
	p := w.p
	p.Goto(w.base + "/console/profile")
	p.Wait(still)
	for _, r := range routes(t) {
		name := "every" + strings.NewReplacer("/", "-", "$", "").Replace(r.pattern)
		open(p, w.address(t, r.pattern))
		if title := browsertest.Eval[string](p, "document.querySelector('main h1').textContent"); title == "Not allowed" || title == "There is no such page" {
			t.Errorf("%s does not open: %s", r.pattern, title)
		}
		inspect(t, p, name+"-light")
		dark(p, true)
		p.Shot(name + "-dark")
		p.Accessible()
		p.Resize(360, 740)
		p.Shot(name + "-narrow")
		narrowAt(t, p, r.pattern)
		p.Resize(1280, 800)
		dark(p, false)
		if t.Failed() && len(p.Problems()) > 0 {
			t.Errorf("on %s", r.pattern)
		}
	}
	p.Clean()
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
	p.Wait("innerWidth === 360")
	if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		t.Errorf("%s is %d px wider than a telephone", page, wide)
	}
}
