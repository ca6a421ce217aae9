package e2e

import (
	"testing"

	"svc/geo/route/routetest"
	"svc/web/e2e/browsertest"
)

type look struct {
	name    string
	options browsertest.Options
}

// looks are the browsers in which every state of the page is looked at.
var looks = []look{
	{"desktop-en", browsertest.Options{Lang: "en"}},
	{"dark-ru", browsertest.Options{Lang: "ru", Dark: true}},
	{"phone-uz", browsertest.Options{Lang: "uz", Width: 360, Height: 740, Touch: true}},
}

// state is one thing that the page can show.
type state struct {
	name, hash, then, until string // address, what is pressed there, what shows that it is there
}

// fits says that nothing sticks out of the window at the sides.
const fits = "document.documentElement.scrollWidth <= innerWidth && [...document.querySelectorAll('.panel, .panel .content, dialog')].every((e) => e.scrollWidth <= e.clientWidth)"

// uncovered says that all marks of a kind are on the screen and that neither the
// panel nor the search field lies on them.
func uncovered(mark string) string {
	return `[...document.querySelectorAll('` + mark + `')].every((e) => {
		const b = e.getBoundingClientRect();
		return b.top > 0 && b.bottom < innerHeight && b.left > 0 && b.right < innerWidth && ['.panel', '.searchbar'].every((s) => {
			const r = document.querySelector(s).getBoundingClientRect();
			return b.left > r.right || b.right < r.left || b.top > r.bottom || b.bottom < r.top;
		});
	})`
}

// inEveryLook opens every state in every look and holds that nothing failed,
// that axe has nothing to say and that nothing sticks out. With SVC_TEST_SHOTS
// it leaves the pictures, which are there to be looked at.
func inEveryLook(t *testing.T, base string, looks []look, states []state) {
	for _, look := range looks {
		t.Run(look.name, func(t *testing.T) {
			options := look.options
			options.Allow = func(problem string) bool {
				return problem == "503 /api/matrix" // the page asks so whether there is an engine
			}
			p := browsertest.Open(t, options)
			for _, s := range states {
				p.Goto("about:blank") // an address that differs after the # is no new page
				p.Goto(base + "/#" + s.hash)
				p.Wait(ready)
				p.WaitDrawn(drawn)
				if s.then != "" {
					p.Click(s.then)
				}
				if s.until != "" {
					p.Wait(s.until)
					p.WaitDrawn(drawn)
				}
				p.Shot(s.name + "-" + look.name)
				if !browsertest.Eval[bool](p, fits) {
					t.Errorf("%s: something sticks out at the side", s.name)
				}
				p.Accessible()
				p.Clean()
				if t.Failed() {
					t.Fatalf("in the state %q", s.name)
				}
			}
		})
	}
}

// places are what is looked at: states of a page over some map.
var places = []struct {
	name   string
	open   func(t *testing.T) (base string)
	looks  []look
	states []state
}{
	{"delaware", func(t *testing.T) string { return browsertest.Sample(t) }, looks, []state{
		{"map", delaware, "", ""},
		{"point", delaware + "&at=39.7447,-75.5484", "", "document.querySelector('.place .facts')"},
		{"nearby", delaware, ".chip", "document.querySelector('.panel .result') && document.querySelector('.svc-pin') && " + uncovered(".svc-pin")},
		{"settings", delaware, ".searchbar .round", "document.querySelector('.settings')"},
		{"directions-none", delaware + "&from=39.74,-75.54", "", "document.querySelector('.directions .failure') && !document.querySelector('.directions .fields') && document.querySelectorAll('.searchbar .round').length === 1"},
		{"api", "api", "", "document.querySelector('.api')"},
	}},
	// Directions and reach with the real engine.
	{"engine", func(t *testing.T) string {
		return browsertest.Serve(t, "--map", browsertest.Map(t, "andorra-valhalla.osm.pbf"), "--routing-url", routetest.Start(t).URL)
	}, looks, []state{
		{"directions", "from=42.6094,1.51624&to=42.55321,1.59533", "", "document.querySelectorAll('.route').length > 1 && document.querySelectorAll('.step').length > 2 && " + uncovered(".svc-end")},
		{"reach", "map=13/42.5063/1.5218&at=42.5063,1.5218", ".actions .action:nth-child(3)", "document.querySelectorAll('.legend li').length === 3 && " + uncovered(".svc-drop")},
	}},
	// A dense old town by the sea, a city in the mountains, and a country from afar.
	{"malta", over("malta.osm.pbf"), looks[:1], []state{
		{"valletta", "map=15/35.8978/14.5125", "", ""},
		{"malta", "", "", ""},
		{"place", "map=17/35.8970/14.5110&place=n/4344230293", "", "document.querySelector('.place .week .today') && document.querySelector('.week .day i').getBoundingClientRect().width > 8"}, // a bakery with opening hours
	}},
	{"andorra", over("andorra-valhalla.osm.pbf"), looks[1:2], []state{{"andorra", "map=14/42.5063/1.5218", "", ""}}},
	{"uzbekistan", over("uz-places.osm.pbf"), looks, []state{
		{"tashkent", "map=6/41.31/69.24", "", ""},
		{"world", "map=1/41.31/69.24", "", ""},
	}},
}

// delaware is the place of most states.
const delaware = "map=15/39.7447/-75.5484"

// over serves the map of an extract.
func over(extract string) func(t *testing.T) string {
	return func(t *testing.T) string { return browsertest.Serve(t, "--map", browsertest.Map(t, extract)) }
}

func TestEveryState(t *testing.T) {
	for _, at := range places {
		t.Run(at.name, func(t *testing.T) {
			t.Parallel()
			browsertest.Built(t)
			inEveryLook(t, at.open(t), at.looks, at.states)
		})
	}
}
