package e2e

import (
	"testing"

	"svc/geo/route/routetest"
	"svc/web/e2e/browsertest"
)

// TestLooksOfTheMap: all ten styles are offered, five in light and in dark, and what
// stands on the map is dark on every dark one.
func TestLooksOfTheMap(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	p := browsertest.Open(t, browsertest.Options{Small: true})
	p.Goto(browsertest.Sample(t) + "/" + wilmington)
	p.Wait(ready)
	p.Wait("document.querySelectorAll('.searchbar .round').length === 1") // directions are not offered without a routing engine
	p.Click(".searchbar .round")
	p.Wait("document.querySelectorAll('.settings [name=look]').length === 5")
	for _, theme := range []string{"dark", "light"} {
		p.Click(".settings label:has([value=" + theme + "][name=theme])")
		for _, look := range []string{"natural", "muted", "gray", "toner", "light"} {
			p.Click(".settings label:has([value=" + look + "][name=look])")
			name := map[bool]string{true: look + "-dark", false: look}[theme == "dark"]
			if name == "light-dark" {
				name = "dark"
			}
			p.Wait("performance.getEntriesByType('resource').some(e => e.name.includes('/styles/" + name + ".json'))")
			p.Wait("document.querySelector('.maplibregl-map').dataset.theme === '" + theme + "'")
			p.WaitDrawn(drawn)
			p.Shot("look-" + name)
		}
	}
	p.Clean()
}

// TestDirectionsToTheOpenPlace: the button in the search field leads to the place that is
// open.
func TestDirectionsToTheOpenPlace(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Serve(t, "--map", browsertest.Map(t, "andorra-valhalla.osm.pbf"), "--routing-url", routetest.Start(t).URL)
	p := browsertest.Open(t, browsertest.Options{})
	p.Goto(base + "/#map=14/42.5449/1.5148")
	p.Wait(ready + " && document.querySelectorAll('.searchbar .round').length === 2")
	p.Type(".searchbar input", "la massana")
	p.Wait("document.querySelector('[role=option]')?.textContent.includes('La Massana')")
	p.Shot("suggestions")
	p.Type(".searchbar input", "\n")
	p.Wait("document.querySelector('.place h2')?.textContent.includes('La Massana')")
	p.Click(".searchbar .round:last-child")
	p.Wait("[...document.querySelectorAll('.directions input')].some(i => i.value.includes('La Massana'))")
	p.Shot("directions-to-open-place")
	p.Clean()
}

// TestTheMapIsDrawnUnderSuggestions: a list of suggestions that scrolls took a rectangle
// of the map below it away.
func TestTheMapIsDrawnUnderSuggestions(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	p := browsertest.Open(t, browsertest.Options{})
	p.Goto(browsertest.Sample(t) + "/" + wilmington)
	p.Wait(ready)
	p.Type(".searchbar input", "wilmingtun")
	p.Wait("document.querySelector('[role=option]')?.textContent.includes('Wilmington')")
	browsertest.Eval[bool](p, "(document.querySelector('.svc-search-list').style.maxHeight = '300px', true)") // so that it scrolls
	p.WaitDrawn(drawn)
	p.Shot("suggestions-over-the-map")
	ground := func(r, g, b uint8) bool { return r == 221 && g == 228 && b == 233 || r == 220 && g == 227 && b == 235 } // behind the canvas
	if n := p.Count(ground); n > 5000 {
		t.Errorf("%d pixels of the map are not drawn", n)
	}
	p.Clean()
}
