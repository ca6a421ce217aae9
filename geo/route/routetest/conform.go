package routetest

import (
	"context"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"svc/geo/route"
)

// Places of the two countries.
var (
	Andorra = route.Point{Lon: 1.5218, Lat: 42.5063}
	Massana = route.Point{Lon: 1.5332, Lat: 42.5562} // 8 km north of Andorra la Vella
	Between = route.Point{Lon: 1.5130, Lat: 42.5450} // on the way
	North   = route.Point{Lon: 1.51624, Lat: 42.60940}
	East    = route.Point{Lon: 1.59533, Lat: 42.55321} // three ways lead here from North
	Monaco  = route.Point{Lon: 7.4246, Lat: 43.7384}
	Condam  = route.Point{Lon: 7.4156, Lat: 43.7308} // in Monaco
)

// Conform is what every engine must do with the roads of Andorra and Monaco,
// which no road connects. It runs against the real engine and against what it
// once answered.
func Conform(t *testing.T, e route.Engine) {
	for _, c := range []struct {
		name string
		test func(*testing.T, route.Engine)
	}{
		{"every mode", everyMode}, {"languages", languages}, {"through a point", through}, {"alternatives", alternatives},
		{"heading", heading}, {"wishes", wishes}, {"matrix", matrix}, {"isochrone", isochrone}, {"refusals", refusals},
		{"trip", trip}, {"match", match}, {"heights", heights},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, e) })
	}
}

func ask(t *testing.T, e route.Engine, r route.Request) *route.Answer {
	t.Helper()
	a, err := e.Route(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if a.Engine != route.EngineName || a.Language != r.Language || len(a.Routes) == 0 {
		t.Fatalf("engine %q, language %q, %d routes", a.Engine, a.Language, len(a.Routes))
	}
	for i := range a.Routes {
		sound(t, &a.Routes[i], i)
	}
	return a
}

// sound checks what holds for every route.
func sound(t *testing.T, r *route.Route, i int) {
	t.Helper()
	if r.ID != "route-"+string(rune('0'+i)) || r.Recommended != (i == 0) || len(r.Legs) == 0 {
		t.Errorf("route %d: id %q, recommended %v, %d legs", i, r.ID, r.Recommended, len(r.Legs))
	}
	at, metres := 0, 0.0
	for l, leg := range r.Legs {
		metres += leg.Distance
		for s, step := range leg.Steps {
			if step.GeometryStart != at || step.GeometryEnd < at || step.GeometryEnd >= len(r.Geometry) {
				t.Errorf("route %d, leg %d, step %d: from %d to %d, want it to begin at %d of %d", i, l, s, step.GeometryStart, step.GeometryEnd, at, len(r.Geometry))
			}
			at = step.GeometryEnd
		}
		if n := len(leg.Steps); n == 0 || leg.Steps[0].Type != "depart" || leg.Steps[n-1].Type != "arrive" {
			t.Errorf("route %d, leg %d: does not depart and arrive", i, l)
		}
	}
	if at != len(r.Geometry)-1 {
		t.Errorf("route %d: the steps end at point %d of %d", i, at, len(r.Geometry))
	}
	if math.Abs(metres-r.Distance) > 2 || r.Duration <= 0 {
		t.Errorf("route %d: %v m, its legs %v m, %v s", i, r.Distance, metres, r.Duration)
	}
	if drawn := length(r.Geometry); math.Abs(drawn-r.Distance) > 0.02*r.Distance+10 {
		t.Errorf("route %d: the line is %.0f m long, the route %.0f m", i, drawn, r.Distance)
	}
	for _, c := range r.Geometry {
		lon, lat := float64(c.Lon)/1e6, float64(c.Lat)/1e6
		if lon < r.BBox[0] || lat < r.BBox[1] || lon > r.BBox[2] || lat > r.BBox[3] {
			t.Fatalf("route %d: %v,%v is outside the box %v", i, lon, lat, r.BBox)
		}
	}
}

func metresBetween(a, b route.Coord) float64 {
	const perMicro = 6371008.8 * math.Pi / 180 / 1e6
	x := float64(b.Lon-a.Lon) * math.Cos(float64(a.Lat)/1e6*math.Pi/180)
	return math.Hypot(x, float64(b.Lat-a.Lat)) * perMicro
}

func length(g route.Geometry) (sum float64) {
	for i := 1; i < len(g); i++ {
		sum += metresBetween(g[i-1], g[i])
	}
	return sum
}

func everyMode(t *testing.T, e route.Engine) {
	durations := map[route.Mode]float64{}
	for _, mode := range []route.Mode{route.Car, route.Taxi, route.Truck, route.Motorcycle, route.Bus, route.Foot, route.Bike} {
		a := ask(t, e, route.Request{Points: []route.Point{Andorra, Massana}, Mode: mode, Language: "uz"})
		r := a.Routes[0]
		if r.Mode != mode || r.Distance < 5_000 || r.Distance > 15_000 || len(a.Routes) != 1 {
			t.Errorf("%s: reported as %s, %v m, %d routes", mode, r.Mode, r.Distance, len(a.Routes))
		}
		durations[mode] = r.Duration
	}
	if durations[route.Foot] < 4*durations[route.Car] || durations[route.Bike] < durations[route.Car] || durations[route.Bike] > durations[route.Foot] {
		t.Errorf("seconds: %v", durations)
	}
	if r := ask(t, e, route.Request{Points: []route.Point{Andorra, Massana}, Mode: "rocket", Language: "uz"}).Routes[0]; r.Mode != route.Car {
		t.Errorf("an unknown mode is reported as %q", r.Mode)
	}
}

var latinSentence = regexp.MustCompile(`^[A-Z0-9][^.]*$`)

func languages(t *testing.T, e route.Engine) {
	texts := map[string][]route.Step{}
	for _, language := range []string{"uz", "ru", "en", "uz-Cyrl", "xx"} {
		a := ask(t, e, route.Request{Points: []route.Point{Andorra, Massana}, Mode: route.Car, Language: language})
		texts[language] = a.Routes[0].Legs[0].Steps
		if a.Routes[0].Summary == "" {
			t.Errorf("%s: no summary", language)
		}
		for _, s := range texts[language] {
			if s.Instruction == "" || s.Verbal == "" {
				t.Errorf("%s: %s says %q and speaks %q", language, s.Type, s.Instruction, s.Verbal)
			}
		}
	}
	for i, s := range texts["uz"] {
		if s.Verbal != s.Instruction || !latinSentence.MatchString(s.Instruction) {
			t.Errorf("uz: says %q and speaks %q", s.Instruction, s.Verbal)
		}
		if !strings.ContainsFunc(texts["ru"][i].Instruction, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			t.Errorf("ru: says %q", texts["ru"][i].Instruction)
		}
		if en := texts["en"][i].Instruction; texts["xx"][i].Instruction != en || texts["uz-Cyrl"][i].Instruction != en || !strings.HasSuffix(en, ".") {
			t.Errorf("en says %q, xx %q, uz-Cyrl %q", en, texts["xx"][i].Instruction, texts["uz-Cyrl"][i].Instruction)
		}
	}
	if n := slices.IndexFunc(texts["uz"], func(s route.Step) bool { return s.RoundaboutExit > 0 }); n < 0 ||
		!strings.HasPrefix(texts["uz"][n].Instruction, "Aylanma yoʻlga kiring va ") {
		t.Errorf("no roundabout with its exit: %d", n)
	}
}

// through: a point between is passed without a stop.
func through(t *testing.T, e route.Engine) {
	r := ask(t, e, route.Request{Points: []route.Point{Andorra, Between, Massana}, Mode: route.Car, Language: "en"}).Routes[0]
	if len(r.Legs) != 1 {
		t.Errorf("%d legs, want one: nobody stops on the way", len(r.Legs))
	}
	nearest := math.Inf(1)
	want := route.Coord{Lon: int32(Between.Lon * 1e6), Lat: int32(Between.Lat * 1e6)}
	for _, c := range r.Geometry {
		nearest = min(nearest, metresBetween(want, c))
	}
	if nearest > 150 {
		t.Errorf("passes the point at %.0f m", nearest)
	}
}

func alternatives(t *testing.T, e route.Engine) {
	r := route.Request{Points: []route.Point{North, East}, Mode: route.Car, Language: "uz", Alternatives: 3}
	a := ask(t, e, r)
	if len(a.Routes) < 2 || len(a.Routes) > 4 {
		t.Errorf("%d routes", len(a.Routes))
	}
	for i := 1; i < len(a.Routes); i++ {
		if slices.Equal(a.Routes[i].Geometry, a.Routes[0].Geometry) {
			t.Errorf("route %d is the first", i)
		}
	}
	r.Alternatives = 0
	if a = ask(t, e, r); len(a.Routes) != 1 {
		t.Errorf("%d routes without alternatives", len(a.Routes))
	}
}

// heading: who faces the other way begins the other way.
func heading(t *testing.T, e route.Engine) {
	var begins [2]route.Coord
	for i, degrees := range []float64{72, 252} {
		r := ask(t, e, route.Request{Points: []route.Point{Andorra, Massana}, Mode: route.Car, Language: "uz", Heading: &degrees}).Routes[0]
		begins[i] = r.Geometry[1]
	}
	if begins[0] == begins[1] {
		t.Error("the heading changes nothing")
	}
}

func wishes(t *testing.T, e route.Engine) {
	r := route.Request{Points: []route.Point{North, East}, Mode: route.Car, Language: "uz"}
	plain := ask(t, e, r).Routes[0]
	r.Preferences = route.Preferences{AvoidTolls: true, AvoidHighways: true, Shortest: true}
	short := ask(t, e, r).Routes[0]
	if short.Distance > plain.Distance {
		t.Errorf("the shortest way has %v m, the fastest %v m", short.Distance, plain.Distance)
	}
	r.Mode = route.Foot
	walk := ask(t, e, r).Routes[0]
	r.Preferences = route.Preferences{}
	if again := ask(t, e, r).Routes[0]; again.Distance != walk.Distance {
		t.Errorf("on foot the wishes change %v m to %v m", again.Distance, walk.Distance)
	}
}

func matrix(t *testing.T, e route.Engine) {
	m, err := e.Matrix(context.Background(), route.MatrixRequest{
		Sources: []route.Point{Andorra, Monaco}, Targets: []route.Point{Massana, Condam, Andorra}, Mode: route.Car,
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.Mode != route.Car || m.Sources != 2 || m.Targets != 3 || len(m.Cells) != 6 || len(m.Rows) != 2 || m.Engine != route.EngineName {
		t.Fatalf("matrix %+v", m)
	}
	reachable := []bool{true, false, true, false, true, false}
	for i, c := range m.Cells {
		if c.Source != i/3 || c.Target != i%3 || m.Rows[i/3][i%3] != c {
			t.Errorf("cell %d is %+v, in its row %+v", i, c, m.Rows[i/3][i%3])
		}
		if (c.Distance != nil) != reachable[i] || (c.Duration != nil) != reachable[i] {
			t.Errorf("cell %d: distance %v, duration %v, want a path: %v", i, c.Distance, c.Duration, reachable[i])
		}
	}
	if c := m.Cells[0]; *c.Distance < 5_000 || *c.Distance > 15_000 || *c.Duration < 300 || *c.Duration > 1_800 {
		t.Errorf("%v m in %v s", *c.Distance, *c.Duration)
	}
	if c := m.Cells[2]; *c.Distance != 0 || *c.Duration != 0 {
		t.Errorf("to itself: %v m in %v s", *c.Distance, *c.Duration)
	}
}

func isochrone(t *testing.T, e route.Engine) {
	generalize := 100.0
	tests := []struct {
		name   string
		r      route.IsochroneRequest
		label  string
		values []float64
		shape  string
	}{
		{"minutes", route.IsochroneRequest{Minutes: []float64{3, 6}, Polygons: true, Generalize: &generalize}, "contour_minutes", []float64{3, 6}, `"Polygon"`},
		{"metres", route.IsochroneRequest{Metres: []float64{500, 1500}, Polygons: true, Generalize: &generalize}, "contour_metres", []float64{500, 1500}, `"Polygon"`},
		{"outlines", route.IsochroneRequest{Minutes: []float64{2}, Generalize: &generalize}, "contour_minutes", []float64{2}, `"LineString"`},
		{"six", route.IsochroneRequest{Minutes: []float64{1, 2, 3, 4, 5, 6}, Polygons: true, Generalize: &generalize}, "contour_minutes", []float64{1, 2, 3, 4, 5, 6}, `"Polygon"`},
		{"by bike", route.IsochroneRequest{Minutes: []float64{5}, Mode: route.Bike, Polygons: true, Generalize: &generalize}, "contour_minutes", []float64{5}, `"Polygon"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.r.Point = Andorra
			got, err := e.Isochrone(context.Background(), tt.r)
			if err != nil {
				t.Fatal(err)
			}
			var values []float64
			for _, f := range got.Features {
				var v float64
				if err := json.Unmarshal(f.Properties[tt.label], &v); err != nil {
					t.Errorf("%s: %v in %v", tt.label, err, f.Properties)
				}
				values = append(values, v)
				if f.Properties["fill"] == nil || f.Properties["contour"] == nil || f.Properties["metric"] == nil {
					t.Errorf("properties %v", f.Properties)
				}
				if len(f.Properties["contour_minutes"]) > 0 == (len(f.Properties["contour_metres"]) > 0) {
					t.Errorf("labels of both kinds or of none: %v", f.Properties)
				}
				if !strings.Contains(string(f.Geometry), tt.shape) {
					t.Errorf("want a %s: %.80s", tt.shape, f.Geometry)
				}
			}
			slices.Sort(values)
			if !slices.Equal(values, tt.values) || got.Type != "FeatureCollection" || got.Mode != route.ParseMode(string(tt.r.Mode)) {
				t.Errorf("%s %s: %v, want %v", got.Type, got.Mode, values, tt.values)
			}
		})
	}
}

func refusals(t *testing.T, e route.Engine) {
	ctx := context.Background()
	by := func(points ...route.Point) error {
		_, err := e.Route(ctx, route.Request{Points: points, Mode: route.Car, Language: "uz"})
		return err
	}
	contours := func(r route.IsochroneRequest) error {
		r.Point = Andorra
		_, err := e.Isochrone(ctx, r)
		return err
	}
	_, far := e.Matrix(ctx, route.MatrixRequest{Sources: []route.Point{Andorra}, Targets: []route.Point{Monaco}, Mode: route.Foot})
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"no road between", by(Andorra, Monaco), "routing: No path could be found for input"},
		{"no road near", by(route.Point{Lon: 0.5, Lat: 0.5}, Andorra), "routing: No suitable edges near location"},
		{"51 points", by(slices.Repeat([]route.Point{Andorra, Massana, Between}, 17)...), "routing: Exceeded max locations: 50"},
		{"too far on foot", far, "matrix: Path distance exceeds the max distance limit: 200000 meters"},
		{"too long", contours(route.IsochroneRequest{Minutes: []float64{121}}), "isochrone: Exceeded max time: 120"},
		{"too wide", contours(route.IsochroneRequest{Metres: []float64{200_001}}), "isochrone: Exceeded max distance: 200"},
		{"no minutes", contours(route.IsochroneRequest{Minutes: []float64{5, 0}}), "contour minutes must be positive"},
		{"less than no metres", contours(route.IsochroneRequest{Metres: []float64{-1}}), "contour metres must be positive"},
		{"too small to be an area", contours(route.IsochroneRequest{Minutes: []float64{1e-6}, Polygons: true}), "no reachable area found"},
	}
	for _, tt := range tests {
		if tt.err == nil || tt.err.Error() != tt.want {
			t.Errorf("%s: %v, want %q", tt.name, tt.err, tt.want)
		}
	}
}
