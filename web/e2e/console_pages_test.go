package e2e

import (
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestConsoleEveryPage: whoever administers the platform and owns an organization walks
// through every page that the console has. Each opens with something on it; axe finds
// nothing in either theme; it shows no key of a text and fits a telephone, although
// Russian has the longest words.
func TestConsoleEveryPage(t *testing.T) {
	w := newTown(t, browsertest.Options{Lang: "ru", Allow: whenRehearsing})
	p := w.p
	post(p, "/campaigns/"+w.ids["/campaigns/"]+"/rehearse", "{}")
	post(p, "/proxies/"+w.ids["/proxies/"]+"/check", "{}")
	p.Goto(w.base + "/console/profile")
	p.Wait(still)
	for _, r := range routes(t) {
		name := "every" + strings.NewReplacer("/", "-", "$", "").Replace(r.pattern)
		open(p, w.address(t, r.pattern))
		if title := browsertest.Eval[string](p, "document.querySelector('main h1').textContent"); title == "Нет доступа" || title == "Такой страницы нет" {
			t.Errorf("%s does not open: %s", r.pattern, title)
		}
		p.Shot(name + "-light")
		accessibleAt(t, r.pattern+" in the light", p.Findings())
		dark(p, true)
		p.Shot(name + "-dark")
		if odd := browsertest.Eval[[]string](p, otherCards); len(odd) > 0 {
			t.Errorf("%s in the dark has cards of other colours: %q", r.pattern, odd)
		}
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

// otherCards are the colours of cards that are none of a card in the theme.
const otherCards = `(() => {
	const card = document.createElement('div');
	card.style.background = 'var(--mantine-color-body)';
	document.body.append(card);
	const want = getComputedStyle(card).backgroundColor;
	card.remove();
	return [...document.querySelectorAll('main .mantine-Fieldset-root')].map(e => getComputedStyle(e).backgroundColor).filter(c => c !== want);
})()`

// tornCards are the beginnings of cards that do not scroll and whose content stands out
// of them.
const tornCards = `[...document.querySelectorAll('main .mantine-Paper-root')].filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'visible').map(e => e.scrollWidth - e.clientWidth + ' px: ' + e.textContent.slice(0, 60))`

// settledWidth is by how much the page is wider than the window, once charts have found
// their new size.
const settledWidth = `new Promise(done => {
	const until = Date.now() + 10000;
	(function look() {
		const wide = document.documentElement.scrollWidth - innerWidth;
		if (wide <= 0 || Date.now() > until) done(wide);
		else setTimeout(look, 50);
	})();
})`

// narrowAt fails the test when the page is wider than the window, or what a card holds
// wider than the card, naming the page.
func narrowAt(t *testing.T, p *browsertest.Page, page string) {
	t.Helper()
	p.Wait("innerWidth === 360 && document.querySelector('main').getBoundingClientRect().left === 0")
	if wide := browsertest.Eval[int](p, settledWidth); wide > 0 {
		t.Errorf("%s is %d px wider than a telephone", page, wide)
	}
	if torn := browsertest.Eval[[]string](p, tornCards); len(torn) > 0 {
		t.Errorf("%s on a telephone has cards that are too narrow: %q", page, torn)
	}
}
