// Package e2e holds the tests that look at the product as a person does: the
// real program, a real browser.
package e2e

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"svc/web/e2e/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// wilmington is a town of the sample map, close enough for streets and icons.
const wilmington = "#map=15/39.7447/-75.5484"

// drawn is how many colours a drawn map has at least; without tiles it has few.
const drawn = 60

const ready = "document.querySelector('.chip') && document.querySelector('canvas.maplibregl-canvas')"

func TestMapOpensInEveryLanguageAndTheme(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	for _, tt := range []struct {
		name, lang, title, field string
		options                  browsertest.Options
	}{
		{"desktop", "en", "Map", "Search the map", browsertest.Options{}},
		{"dark", "ru", "Карта", "Поиск на карте", browsertest.Options{Dark: true}},
		{"phone", "uz", "Xarita", "Xaritadan qidirish", browsertest.Options{Width: 360, Height: 740, Touch: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Lang = tt.lang
			p := browsertest.Open(t, tt.options)
			p.Goto(base + "/" + wilmington)
			p.Wait(ready)
			p.WaitDrawn(drawn)
			p.Shot("map-" + tt.name)
			got := browsertest.Eval[[]string](p, `[document.documentElement.lang, document.title,
				document.querySelector('.searchbar input').placeholder, document.documentElement.dataset.theme,
				String(document.documentElement.scrollWidth <= innerWidth)]`)
			theme := "light"
			if tt.options.Dark {
				theme = "dark"
			}
			if want := []string{tt.lang, tt.title, tt.field, theme, "true"}; strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("the page says %q, want %q", got, want)
			}
			p.Clean()
			p.Accessible()
		})
	}
}

func TestSearchOpensAPlaceThatCanBeShared(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{})
	p.Goto(base + "/" + wilmington)
	p.Wait(ready)
	// The protocol types a character even when the page took the key, so the event is made in the page.
	if browsertest.Eval[bool](p, "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true, cancelable: true}))") {
		t.Error("the stroke was left to the browser, which would write it into the field")
	}
	p.Wait("document.activeElement === document.querySelector('.searchbar input')")
	p.Type(".searchbar input", "wilmingtun") // misspelt on purpose
	p.Wait("document.querySelector('[role=option]')")
	p.Shot("suggestions")
	p.Accessible()
	p.Type(".searchbar input", "\n")
	p.Wait("document.querySelector('.place .facts')")
	p.Shot("place")
	p.Accessible()
	heading := browsertest.Eval[string](p, "document.querySelector('.place h2').textContent")
	if !strings.Contains(heading, "Wilmington") {
		t.Errorf("the place is %q", heading)
	}
	p.Wait("/place=[nwr]\\/\\d+/.test(location.hash)")
	p.Wait("document.querySelector('.panel').contains(document.activeElement)")
	shared := browsertest.Eval[string](p, "location.href")
	p.Key(kb.Escape)
	p.Wait("document.querySelector('.panel').hidden && !location.hash.includes('place=')")
	p.Clean()

	other := browsertest.Open(t, browsertest.Options{Lang: "ru"})
	other.Goto(shared)
	other.Wait("document.querySelector('.place .facts')")
	if got := browsertest.Eval[string](other, "document.querySelector('.place h2').textContent"); got == "" {
		t.Error("the shared link shows no place")
	}
	other.Clean()
}

func TestPointOfTheMapHasAnAddress(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{})
	p.Goto(base + "/" + wilmington)
	p.Wait(ready)
	p.WaitDrawn(drawn)
	p.ClickAt(800, 400, true)
	p.Wait("document.querySelector('.place .facts')")
	p.Wait("location.hash.includes('at=')")
	p.Shot("point")
	p.Accessible()
	p.Clean()
}

func TestNearbyShowsPins(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{})
	p.Goto(base + "/" + wilmington)
	p.Wait(ready)
	p.Click(".chip")
	p.Wait("document.querySelector('.panel .result') && document.querySelector('.svc-pin')")
	p.Shot("nearby")
	p.Click(".panel .result")
	p.Wait("document.querySelector('.place .facts') && !document.querySelector('.svc-pin')")
	p.Clean()
}

func TestLanguageAndThemeAreRemembered(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{Lang: "en"})
	p.Goto(base + "/" + wilmington)
	p.Wait(ready)
	p.Click(".searchbar .round")
	p.Wait("document.querySelector('.settings')")
	p.Click(".settings label:has([value=ru])")
	p.Click(".settings label:has([value=dark])")
	const changed = "document.documentElement.lang === 'ru' && document.documentElement.dataset.theme === 'dark' && document.title === 'Карта'"
	p.Wait(changed)
	p.Shot("settings")
	p.Accessible()
	p.Goto(base + "/")
	p.Wait(ready)
	p.Wait(changed)
	p.Clean()
}

func TestDirectionsWithoutEngineSayHowToAddOne(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{Allow: func(problem string) bool {
		return problem == "503 /api/matrix" || problem == "503 /api/route" // so the page learns that there is no engine
	}})
	p.Goto(base + "/#from=39.74,-75.54&to=39.75,-75.55")
	p.Wait("document.querySelector('.directions .failure a')")
	p.Click(".directions .failure a")
	p.Wait("document.querySelector('#section-routing')")
	p.Shot("no-engine")
	p.Accessible()
	p.Clean()
}

// TestEngineThatIsDown: an engine that does not answer is not a missing one.
func TestEngineThatIsDown(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Serve(t, "--map", browsertest.Map(t, ""), "--routing-url", "http://127.0.0.1:1")
	p := browsertest.Open(t, browsertest.Options{Allow: func(problem string) bool {
		return problem == "502 /api/route" || problem == "400 /api/matrix"
	}})
	p.Goto(base + "/#from=39.74,-75.54&to=39.75,-75.55")
	p.Wait("document.querySelector('.directions .failure button')")
	if got := browsertest.Eval[string](p, "document.querySelector('.directions .failure').textContent"); !strings.Contains(got, "does not answer") {
		t.Errorf("the page says %q", got)
	}
	p.Accessible()
	p.Clean()
}

func TestWithoutMapThePageSaysWhatToRun(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Serve(t)
	p := browsertest.Open(t, browsertest.Options{Allow: func(problem string) bool {
		return problem == "404 /tiles/tiles.json" // there are none, which is the point
	}})
	p.Goto(base + "/")
	p.Wait("document.querySelector('.lack pre')?.textContent.includes('svc map build')")
	p.Shot("no-map")
	p.Accessible()
	p.Clean()
}
