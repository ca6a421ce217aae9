package e2e

import (
	"math"
	"testing"

	"svc/web/e2e/browsertest"
)

// tip is where on the screen the pin points.
const tip = `(() => { const b = document.querySelector('.svc-drop').getBoundingClientRect(); return [(b.left + b.right) / 2, b.bottom]; })()`

// near reports whether a point of the screen is where it should be, give or take
// a few pixels.
func near(got []float64, x, y float64) bool {
	return len(got) == 2 && math.Abs(got[0]-x) < 4 && math.Abs(got[1]-y) < 4
}

// TestWhatIsPressedStaysUnderThePointer: opening the panel does not move the map
// away, and closing it does not either.
func TestWhatIsPressedStaysUnderThePointer(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	p := browsertest.Open(t, browsertest.Options{Motion: true})
	p.Goto(base + "/" + wilmington)
	p.Wait(ready)
	p.WaitDrawn(drawn)
	p.ClickAt(800, 400, true)
	p.Wait("document.querySelector('.place .facts')")
	p.WaitDrawn(drawn)
	if got := browsertest.Eval[[]float64](p, tip); !near(got, 800, 400) {
		t.Errorf("the pin points to %v, not to what was pressed", got)
	}
	// What lies under the panel comes out.
	p.ClickAt(300, 780, true)
	p.WaitDrawn(drawn)
	p.Wait("(() => { const [x, y] = " + tip + "; return x > 400 && y < 780; })()")
	p.Clean()
}

// TestSearchFliesToThePlace: with motion, as most people have it, the flight is
// not cut short by the panel that opens, and ends beside it.
func TestSearchFliesToThePlace(t *testing.T) {
	t.Parallel()
	browsertest.Built(t)
	base := browsertest.Sample(t)
	for _, tt := range []struct {
		name    string
		options browsertest.Options
		x, y    [2]float64 // where the pin may be
	}{
		{"desktop", browsertest.Options{Motion: true}, [2]float64{700, 980}, [2]float64{350, 510}},
		{"phone", browsertest.Options{Motion: true, Width: 360, Height: 740, Touch: true}, [2]float64{120, 240}, [2]float64{90, 350}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := browsertest.Open(t, tt.options)
			p.Goto(base + "/" + wilmington)
			p.Wait(ready)
			p.Type(".searchbar input", "dover city\n")
			p.Wait("document.querySelector('.place .facts')")
			p.Wait("/map=1[0-3]/.test(location.hash) && !location.hash.includes('/39.7')") // a city is seen as a whole
			p.WaitDrawn(drawn)
			p.Shot("flown-" + tt.name)
			got := browsertest.Eval[[]float64](p, tip)
			if got[0] < tt.x[0] || got[0] > tt.x[1] || got[1] < tt.y[0] || got[1] > tt.y[1] {
				t.Errorf("the place is at %v on the screen, want %v, %v", got, tt.x, tt.y)
			}
			p.Clean()
		})
	}
}
