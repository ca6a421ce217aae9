package route

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// leg is an engine's leg along a line, with one manoeuvre for each pair of
// numbers of points.
func leg(g Geometry, manoeuvres string) string {
	shape, _ := json.Marshal(encodePolyline(g))
	return fmt.Sprintf(`{"maneuvers":[%s],"summary":{"length":1.5,"time":60.25},"shape":%s}`, manoeuvres, shape)
}

func trip(legs ...string) string {
	return `{"trip":{"legs":[` + strings.Join(legs, ",") + `],"summary":{"length":3,"time":120.5,"has_toll":true,"has_highway":true,"has_ferry":true}}}`
}

func TestLegsAreJoined(t *testing.T) {
	one := leg(Geometry{{0, 0}, {10, 0}, {20, 5}}, `{"type":1,"begin_shape_index":0,"end_shape_index":2,"length":0.0005,"time":1.5,"street_names":["A"]},{"type":4,"begin_shape_index":2,"end_shape_index":2}`)
	two := leg(Geometry{{20, 5}, {-30, 40}}, `{"type":1,"begin_shape_index":0,"end_shape_index":1},{"type":4,"begin_shape_index":1,"end_shape_index":1}`)
	apart := leg(Geometry{{21, 5}, {30, 6}}, `{"type":1,"begin_shape_index":0,"end_shape_index":1}`)
	tests := []struct {
		name     string
		legs     []string
		geometry Geometry
		steps    [][2]int
	}{
		{"one", []string{one}, Geometry{{0, 0}, {10, 0}, {20, 5}}, [][2]int{{0, 2}, {2, 2}}},
		{"the joint is written once", []string{one, two}, Geometry{{0, 0}, {10, 0}, {20, 5}, {-30, 40}}, [][2]int{{0, 2}, {2, 2}, {2, 3}, {3, 3}}},
		{"three", []string{one, two, one}, Geometry{{0, 0}, {10, 0}, {20, 5}, {-30, 40}, {0, 0}, {10, 0}, {20, 5}}, [][2]int{{0, 2}, {2, 2}, {2, 3}, {3, 3}, {4, 6}, {6, 6}}},
		{"no joint", []string{one, apart}, Geometry{{0, 0}, {10, 0}, {20, 5}, {21, 5}, {30, 6}}, [][2]int{{0, 2}, {2, 2}, {3, 4}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := readRoute([]byte(trip(tt.legs...)), Request{Mode: Bus})
			if err != nil {
				t.Fatal(err)
			}
			r := a.Routes[0]
			var steps [][2]int
			for _, l := range r.Legs {
				for _, s := range l.Steps {
					steps = append(steps, [2]int{s.GeometryStart, s.GeometryEnd})
				}
			}
			if !slices.Equal(r.Geometry, tt.geometry) || !slices.Equal(steps, tt.steps) || len(r.Legs) != len(tt.legs) {
				t.Errorf("%v, steps %v", r.Geometry, steps)
			}
			if r.Distance != 3000 || r.Duration != 120.5 || r.Legs[0].Distance != 1500 || r.Legs[0].Steps[0].Distance != 0.5 || r.Mode != Bus || !r.HasToll || !r.HasHighway || !r.HasFerry {
				t.Errorf("%+v", r)
			}
		})
	}
	a, err := readRoute([]byte(trip(one, two)), Request{})
	if err != nil || a.Routes[0].BBox != [4]float64{-0.00003, 0, 0.00002, 0.00004} {
		t.Errorf("box %v, %v", a.Routes[0].BBox, err)
	}
}

// TestAnswersWithBlanks: a proxy may write JSON anew.
func TestAnswersWithBlanks(t *testing.T) {
	var v any
	if err := json.Unmarshal([]byte(trip(leg(Geometry{{1, 2}, {3, 4}}, `{"type":1,"end_shape_index":1}`))), &v); err != nil {
		t.Fatal(err)
	}
	spaced, _ := json.MarshalIndent(v, "", "  ")
	a, err := readRoute(spaced, Request{})
	if err != nil || len(a.Routes[0].Geometry) != 2 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestStepsSayWhatTheEngineSays(t *testing.T) {
	m := `{"type":20,"instruction":"Take exit 7.","verbal_pre_transition_instruction":"Take exit seven.","street_names":["A1"],"begin_shape_index":0,"end_shape_index":1,
		"toll":true,"highway":true,"ferry":true,"sign":{"exit_number_elements":[{"text":"7"}],"exit_branch_elements":[{"text":"A 373"},{"text":""}],"exit_toward_elements":[{"text":"Qoʻqon"},{"text":"Andijon"}]}},
		{"type":26,"roundabout_exit_count":2,"begin_shape_index":1,"end_shape_index":1,"sign":{"exit_number_elements":[{"text":""}]}},
		{"type":27,"begin_shape_index":1,"end_shape_index":1,"street_names":["B"],"begin_street_names":["Navoiy koʻchasi","B"]},
		{"type":44,"instruction":"Level 2.","begin_shape_index":1,"end_shape_index":1}`
	body := []byte(trip(leg(Geometry{{1, 2}, {3, 4}}, m)))
	for language, want := range map[string][]Step{
		"en": {
			{Type: "exit", Modifier: "right", Instruction: "Take exit 7.", Verbal: "Take exit seven.", StreetNames: []string{"A1"}, GeometryEnd: 1, Toll: true, Highway: true, Ferry: true,
				Sign: &Sign{ExitNumber: []string{"7"}, Branch: []string{"A 373"}, Toward: []string{"Qoʻqon", "Andijon"}}},
			{Type: "roundabout", GeometryStart: 1, GeometryEnd: 1, RoundaboutExit: 2},
			{Type: "roundabout_exit", GeometryStart: 1, GeometryEnd: 1, StreetNames: []string{"B"}},
			{Instruction: "Level 2.", GeometryStart: 1, GeometryEnd: 1},
		},
		"uz": {
			{Type: "exit", Modifier: "right", Instruction: "7-chiqishdan oʻngga chiqing, Qoʻqon tomon", Verbal: "7-chiqishdan oʻngga chiqing, Qoʻqon tomon", StreetNames: []string{"A1"}, GeometryEnd: 1, Toll: true, Highway: true, Ferry: true,
				Sign: &Sign{ExitNumber: []string{"7"}, Branch: []string{"A 373"}, Toward: []string{"Qoʻqon", "Andijon"}}},
			{Type: "roundabout", Instruction: "Aylanma yoʻlga kiring va 2-chiqishdan chiqing, Navoiy koʻchasi tomon", Verbal: "Aylanma yoʻlga kiring va 2-chiqishdan chiqing, Navoiy koʻchasi tomon", GeometryStart: 1, GeometryEnd: 1, RoundaboutExit: 2},
			{Type: "roundabout_exit", Instruction: "Aylanma yoʻldan Navoiy koʻchasi tomon chiqing", Verbal: "Aylanma yoʻldan Navoiy koʻchasi tomon chiqing", GeometryStart: 1, GeometryEnd: 1, StreetNames: []string{"B"}},
			{Instruction: "Davom eting", Verbal: "Davom eting", GeometryStart: 1, GeometryEnd: 1},
		},
	} {
		a, err := readRoute(body, Request{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		got, _ := json.MarshalIndent(a.Routes[0].Legs[0].Steps, "", " ")
		wanted, _ := json.MarshalIndent(want, "", " ")
		if string(got) != string(wanted) {
			t.Errorf("%s:\n%s\nwant\n%s", language, got, wanted)
		}
	}
}

// TestNamesGoBeforeNumbers: the engine gives the number of a road first.
func TestNamesGoBeforeNumbers(t *testing.T) {
	for _, c := range []struct {
		begin, names, want string
	}{
		{"", "1|Triq il-Kbira", "Triq il-Kbira"},
		{"1|Triq Notabile", "1", "Triq Notabile"},
		{"1", "1|Navoiy koʻchasi", "Navoiy koʻchasi"},
		{"", "1|17", "1"},
		{"", " | 8 ", "8"},
		{"", "M39|Katta yoʻl", "M39"},
		{"", "7|8-mart koʻchasi", "8-mart koʻchasi"},
		{"", "", ""},
	} {
		split := func(s string) []string {
			if s == "" {
				return nil
			}
			return strings.Split(s, "|")
		}
		m := engineManoeuvre{BeginNames: split(c.begin), Names: split(c.names)}
		if got := m.street(); got != c.want {
			t.Errorf("%q, then %q: %q, want %q", c.begin, c.names, got, c.want)
		}
	}
	legs := []Leg{{Steps: []Step{{StreetNames: []string{"1", "Triq il-Kbira"}, Distance: 5}, {StreetNames: []string{"7"}, Distance: 9}, {StreetNames: []string{"Triq il-Kbira"}, Distance: 6}}}}
	if got := summary(legs); got != "Triq il-Kbira · 7" {
		t.Errorf("summary %q", got)
	}
	m := `{"type":10,"street_names":["1","Amir Temur koʻchasi"],"end_shape_index":1}`
	a, err := readRoute([]byte(trip(leg(Geometry{{1, 2}, {3, 4}}, m))), Request{Language: uzbek})
	if err != nil || a.Routes[0].Legs[0].Steps[0].Instruction != "Amir Temur koʻchasi tomon oʻngga buriling" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestWarnings are passed on as one line each.
func TestWarnings(t *testing.T) {
	body := strings.Replace(trip(leg(Geometry{{1, 2}, {3, 4}}, "")), `"legs"`, `"warnings":[{"code":101,"text":"hov costing\nis deprecated"},{"text":""}],"legs"`, 1)
	a, err := readRoute([]byte(body), Request{})
	if err != nil || !slices.Equal(a.Warnings, []string{"hov costing is deprecated"}) || a.Routes[0].Legs[0].Steps == nil {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestContradictions: numbers that cannot be are not passed on.
func TestContradictions(t *testing.T) {
	good := leg(Geometry{{1, 2}, {3, 4}}, `{"begin_shape_index":0,"end_shape_index":1}`)
	tests := map[string]string{
		"begins before the line":   strings.Replace(trip(good), `"begin_shape_index":0`, `"begin_shape_index":-1`, 1),
		"ends after the line":      strings.Replace(trip(good), `"end_shape_index":1`, `"end_shape_index":2`, 1),
		"ends before it begins":    strings.Replace(trip(good), `"begin_shape_index":0,"end_shape_index":1`, `"begin_shape_index":1,"end_shape_index":0`, 1),
		"longer than the universe": strings.Replace(trip(good), `"length":3`, `"length":1e300`, 1),
		"shorter than nothing":     strings.Replace(trip(good), `"length":1.5`, `"length":-1.5`, 1),
		"a line of nothing":        trip(leg(Geometry{}, "")),
		"half a line":              strings.Replace(trip(good), encodePolyline(Geometry{{1, 2}, {3, 4}}), "???", 1),
		"a line with an escape":    strings.Replace(trip(good), `"shape":"`, `"shape":"\u003f`, 1),
		"a line that never ends":   strings.TrimRight(trip(good), `}"],`) + `"shape":"abc`,
	}
	if _, err := readRoute([]byte(trip(good)), Request{}); err != nil {
		t.Fatal(err)
	}
	for name, body := range tests {
		if a, err := readRoute([]byte(body), Request{}); err == nil || !strings.Contains(err.Error(), "could not be read") {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestSummary(t *testing.T) {
	step := func(metres float64, names ...string) Step { return Step{Distance: metres, StreetNames: names} }
	tests := []struct {
		name string
		legs []Leg
		want string
	}{
		{"no names", []Leg{{Steps: []Step{step(5), step(7, "")}}}, ""},
		{"one", []Leg{{Steps: []Step{step(5), step(7, "A", "B")}}}, "A"},
		{"the two longest", []Leg{{Steps: []Step{step(5, "A"), step(3, "B"), step(4, "C")}}}, "A · C"},
		{"added up, over legs", []Leg{{Steps: []Step{step(5, "A"), step(3, "B")}}, {Steps: []Step{step(3, "B"), step(4, "C")}}}, "B · A"},
		{"equal: the earlier", []Leg{{Steps: []Step{step(1, "A"), step(1, "B"), step(1, "C")}}}, "A · B"},
	}
	for _, tt := range tests {
		if got := summary(tt.legs); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMatrixRefusesOtherShapes(t *testing.T) {
	r := MatrixRequest{Sources: make([]Point, 2), Targets: make([]Point, 1)}
	for body, ok := range map[string]bool{
		`{"sources_to_targets":{"distances":[[1.5],[null]],"durations":[[7],[null]]}}`: true,
		`{"sources_to_targets":{"distances":[[1.5],[null]],"durations":[[7],[8]]}}`:    true, // half a path is none
		`{"sources_to_targets":{"distances":[[1.5]],"durations":[[7],[8]]}}`:           false,
		`{"sources_to_targets":{"distances":[[1.5],[2]],"durations":[[7],[8,9]]}}`:     false,
		`{"sources_to_targets":{"distances":[[1.5],[2]],"durations":[[7],[-8]]}}`:      false,
		`{"sources_to_targets":{"distances":[[1e300],[2]],"durations":[[7],[8]]}}`:     false,
		`{"sources_to_targets":[]}`: false,
		`{}`:                        false,
	} {
		m, err := readMatrix([]byte(body), r)
		if (err == nil) != ok {
			t.Errorf("%s: %+v, %v", body, m, err)
			continue
		}
		if ok && (*m.Cells[0].Distance != 1500 || *m.Cells[0].Duration != 7 || m.Cells[1].Distance != nil || m.Cells[1].Duration != nil) {
			t.Errorf("%s: %+v", body, m.Cells)
		}
	}
}

func TestIsochroneLabels(t *testing.T) {
	body := func(properties, geometry string) []byte {
		return []byte(`{"type":"FeatureCollection","features":[{"properties":` + properties + `,"geometry":` + geometry + `}]}`)
	}
	const square = `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`
	tests := []struct{ name, properties, geometry, want string }{
		{"time", `{"contour":10.0,"metric":"time","fill":"#f00"}`, square, `{"contour":10.0,"contour_minutes":10,"fill":"#f00","metric":"time"}`},
		{"distance", `{"contour":0.57,"metric":"distance"}`, square, `{"contour":0.57,"contour_metres":570,"metric":"distance"}`},
		{"a metric of the future", `{"contour":1,"metric":"joy"}`, square, `{"contour":1,"metric":"joy"}`},
		{"no metric", `{"contour":1}`, square, `{"contour":1}`},
		{"no properties", `null`, square, `{}`},
		{"odd types", `{"contour":"x","metric":"time"}`, square, `{"contour":"x","metric":"time"}`},
		{"too large to multiply", `{"contour":1e308,"metric":"distance"}`, square, `{"contour":1e308,"metric":"distance"}`},
		{"no coordinates", `{}`, `{"type":"Polygon","coordinates":[]}`, "no reachable area found"},
		{"empty rings", `{}`, `{"type":"MultiPolygon","coordinates":[[[]]]}`, "no reachable area found"},
		{"no geometry", `{}`, `null`, "could not be read"},
		{"a point", `{}`, `{"type":"Point","coordinates":[1,2]}`, "could not be read"},
		{"text as coordinates", `{}`, `{"type":"Polygon","coordinates":[["1"]]}`, "could not be read"},
		{"coordinates missing", `{}`, `{"type":"Polygon"}`, "could not be read"},
	}
	for _, tt := range tests {
		got, err := readIsochrone(body(tt.properties, tt.geometry), IsochroneRequest{})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			continue
		}
		if text, _ := json.Marshal(got.Features[0].Properties); string(text) != tt.want || string(got.Features[0].Geometry) != tt.geometry {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
	}
}

// FuzzAnswers: whatever an engine sends, the answer can be written and its
// steps point into its line.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(trip(leg(Geometry{{1, 2}, {3, 4}}, `{"type":26,"begin_shape_index":0,"end_shape_index":1}`))))
	f.Add([]byte(small))
	f.Add([]byte(`{"sources_to_targets":{"distances":[[1.5]],"durations":[[7]]}}`))
	f.Add([]byte(`{"type":"FeatureCollection","features":[{"properties":{"contour":1,"metric":"time"},"geometry":{"type":"Polygon","coordinates":[[[0,0]]]}}]}`))
	f.Add([]byte(`{"trip":{"legs":[{"shape":"0"},{"shape": "0"}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if a, err := readRoute(body, Request{Language: uzbek, Alternatives: 3}); err == nil {
			text, err := a.AppendJSON(nil)
			if err != nil || !json.Valid(text) || len(a.Routes) == 0 || len(a.Routes) > 4 {
				t.Errorf("%v: %s", err, text)
			}
			for _, r := range a.Routes {
				for _, l := range r.Legs {
					for _, s := range l.Steps {
						if s.GeometryStart < 0 || s.GeometryEnd < s.GeometryStart || s.GeometryEnd >= len(r.Geometry) {
							t.Errorf("a step from %d to %d of %d", s.GeometryStart, s.GeometryEnd, len(r.Geometry))
						}
					}
				}
			}
		}
		if m, err := readMatrix(body, MatrixRequest{Sources: make([]Point, 1), Targets: make([]Point, 1)}); err == nil {
			if _, err := json.Marshal(m); err != nil {
				t.Error(err)
			}
		}
		if i, err := readIsochrone(body, IsochroneRequest{}); err == nil {
			if _, err := json.Marshal(i); err != nil || len(i.Features) == 0 {
				t.Error(err)
			}
		}
	})
}
