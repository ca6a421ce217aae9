package e2e

import (
	"strings"
	"testing"

	"svc/geo/route/routetest"
	"svc/web/e2e/browsertest"
)

// TestConsoleMap: a place is found with a spelling mistake and seen on the map, a press
// on the map says what is there, and a style is there to copy.
func TestConsoleMap(t *testing.T) {
	for _, o := range []browsertest.Options{{Lang: "en"}, {Lang: "ru", Dark: true}, {Lang: "uz", Width: 360, Height: 740, Touch: true}} {
		t.Run(o.Lang, func(t *testing.T) {
			o.Allow = whenNobody
			p, base := signUp(t, o, "--map", browsertest.Map(t, ""))
			p.Goto(base + "/console/map/search")
			p.Wait("document.querySelector('[data-map=ready] canvas')")
			p.Type("main input[type=search]", "Wilmingtun")
			p.Wait("document.querySelector('[role=option]')?.textContent.includes('Wilmington')")
			p.Shot("map-suggestions-" + o.Lang)
			p.Accessible()
			browsertest.Eval[bool](p, "document.querySelector('[role=option]').click() || true")
			p.Wait("[...document.querySelectorAll('h2')].some(h => /Wilmington|Уилмингтон/.test(h.textContent)) && document.querySelector('.maplibregl-marker')")
			p.Shot("map-place-" + o.Lang)
			p.Accessible()
			spot := browsertest.Eval[[]float64](p, "(r => [r.left + r.width / 2, r.top + r.height / 3])((document.querySelector('[data-map] canvas').scrollIntoView({block: 'center'}), document.querySelector('[data-map] canvas').getBoundingClientRect()))")
			p.ClickAt(spot[0], spot[1], false)
			p.Wait("document.querySelector('section code')?.textContent.includes(', -7') && !document.querySelector('main table')")
			p.Shot("map-point-" + o.Lang)

			p.Goto(base + "/console/map/styles")
			p.Wait("document.querySelector('main code')?.textContent.includes('/styles/light.json') && document.querySelector('[data-map=ready] canvas')")
			p.Shot("map-styles-" + o.Lang)
			p.Accessible()
			p.Goto(base + "/console/map/keys")
			p.Wait("document.querySelector('main form')")
			p.Shot("map-keys-" + o.Lang)
			p.Accessible()
			if wide := browsertest.Eval[int](p, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
				t.Errorf("keys is %d px wider than the window", wide)
			}
			p.Clean()
		})
	}
}

// TestConsoleMapKey: a server that wants a key is given one, which draws the map and
// shows what it used; a wrong one says so.
func TestConsoleMapKey(t *testing.T) {
	keys, key := browsertest.Key(t)
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool { return whenNobody(problem) || strings.HasPrefix(problem, "401 /") }},
		"--map", browsertest.Map(t, ""), "--keys", keys, "--require-key", "--usage", t.TempDir()+"/usage.db")
	p.Goto(base + "/console/map/search")
	p.Wait("document.querySelector('main form input[type=password]')")
	p.Type("main form input", "0123456789abcdef0123456789abcdef\n")
	p.Wait("document.querySelector('main form')?.textContent.includes('does not know the key')")
	p.Shot("map-key-wrong")
	p.Accessible()
	browsertest.Eval[bool](p, "document.querySelector('main form input').select() || true")
	p.Type("main form input", key+"\n")
	p.Wait("document.querySelector('[data-map=ready] canvas')")
	press(p, "Map keys and usage")
	heading(p, "Map keys and usage")
	p.Wait("document.querySelector('figure svg') && document.querySelector('main').textContent.includes('No monthly quota')")
	p.Shot("map-usage")
	p.Accessible()
	if browsertest.Eval[bool](p, "document.body.innerHTML.includes("+quote(key)+") || JSON.stringify({...localStorage}).includes("+quote(key)+")") {
		t.Error("the key is shown, or outlives the tab")
	}
	press(p, "Forget this key")
	p.Wait("document.querySelector('main form input[type=password]')")
	p.Clean()
}

// TestConsoleNoMap: without a map the page says which command builds one.
func TestConsoleNoMap(t *testing.T) {
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: whenNobody})
	p.Goto(base + "/console/map/search")
	p.Wait("document.querySelector('main')?.textContent.includes('svc map build')")
	p.Shot("map-none")
	p.Accessible()
	p.Clean()
}

// TestConsoleWay: somebody asks the map for the way from one town to another, sees it
// drawn and reads it; an engine that is gone is said in words.
func TestConsoleWay(t *testing.T) {
	engine := routetest.Start(t)
	p, base := signUp(t, browsertest.Options{Lang: "en", Allow: func(problem string) bool { return whenNobody(problem) || problem == "502 /api/route" }},
		"--map", browsertest.Map(t, "andorra-valhalla.osm.pbf"), "--routing-url", engine.URL)
	p.Goto(base + "/console/map/search")
	p.Wait("document.querySelector('[data-map=ready] canvas')")
	find := func(field, text, name string) {
		p.Type("main input[type=search][aria-label="+quote(field)+"]", text)
		option := `[...document.querySelectorAll('[role=option]')].find(o => o.getClientRects().length > 0 && o.textContent.startsWith(` + quote(name) + `))`
		p.Wait(option)
		browsertest.Eval[bool](p, option+".click() || true")
	}
	find("A place, a street, an address", "la massana", "La Massana")
	p.Wait("document.querySelector('section[aria-label=\"The way there\"]')")
	find("From", "andorra la vella", "Andorra la Vella")
	p.WaitDrawn(20)
	before := p.Count(wayBlue)
	press(p, "Find the way")
	p.Wait("/^\\d+([.,]\\d)? km · \\d+ minutes?$/m.test(document.querySelector('section[aria-label=\"The way there\"]').innerText)")
	p.Wait("document.querySelectorAll('section[aria-label=\"The way there\"] ol li').length > 2")
	p.WaitDrawn(20)
	p.Shot("map-way")
	if drawn := p.Count(wayBlue) - before; drawn < 400 {
		t.Errorf("the way is %d pixels large on the map", drawn)
	}
	p.Accessible()
	engine.Stop()
	browsertest.Eval[bool](p, "document.querySelector('section[aria-label=\"The way there\"] input[value=foot]').click() || true")
	press(p, "Find the way")
	says(p, "The routing engine does not answer")
	p.Clean()
}

// wayBlue is the colour of a way on a light map.
func wayBlue(r, g, b uint8) bool { return r < 110 && g > 80 && g < 160 && b > 200 }
