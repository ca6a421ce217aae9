package mapapi

import (
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/geo/route"
)

func TestPointLists(t *testing.T) {
	tests := []struct {
		query string
		want  []route.Point
	}{
		{"points=1,2|3,4", []route.Point{{Lon: 1, Lat: 2}, {Lon: 3, Lat: 4}}},
		{"points=1,2;3,4&key=k", []route.Point{{Lon: 1, Lat: 2}, {Lon: 3, Lat: 4}}},
		{"points=1,2%3B3,4%7C5,6", []route.Point{{Lon: 1, Lat: 2}, {Lon: 3, Lat: 4}, {Lon: 5, Lat: 6}}},
		{"points=+1+,-2e0+|", []route.Point{{Lon: 1, Lat: -2}}},
		{"points=180,90|-180,-90|180.1,0|0,-90.1|NaN,0|0,Inf|1|1,2,3|,|x,y", []route.Point{{Lon: 180, Lat: 90}, {Lon: -180, Lat: -90}}},
		{"points=", nil},
		{"point=1,2", nil},
		{"points=1,2&points=3,4", []route.Point{{Lon: 1, Lat: 2}}},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", "/api/route?"+tt.query, nil)
		if got := routingParams(r).points("points"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.query, got, tt.want)
		}
	}
}

func TestCompass(t *testing.T) {
	for in, want := range map[float64]float64{0: 0, 360: 0, 359.5: 359.5, -90: 270, 730: 10, -360: 0} {
		if got := *compass(&in); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v is %v, want %v", in, got, want)
		}
	}
	if compass(nil) != nil {
		t.Error("no heading is a heading")
	}
}

// TestNullIsNoNumber: encoding/json would read 0 for it.
func TestNullIsNoNumber(t *testing.T) {
	ask := func(body string) *http.Request {
		return httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	}
	in, ok := readRoute(httptest.NewRecorder(), ask(`{"points":[[1.52,42.5],[null,2],[3,null],null,[],[4,5,null]]}`))
	if want := []route.Point{{Lon: 1.52, Lat: 42.5}, {Lon: 4, Lat: 5}}; !ok || !slices.Equal(in.Points, want) {
		t.Errorf("route: %v %v, want %v", ok, in.Points, want)
	}
	m, ok := readMatrix(httptest.NewRecorder(), ask(`{"sources":[[null,2]],"targets":[[1,2],[null,null]]}`))
	if !ok || len(m.Sources) != 0 || len(m.Targets) != 1 {
		t.Errorf("matrix: %v %+v", ok, m)
	}
	i, ok := readIsochrone(httptest.NewRecorder(), ask(`{"point":[69,null],"minutes":[null,5],"metres":[null]}`))
	if !ok || i.Point != (route.Point{}) || !slices.Equal(i.Minutes, []float64{5}) || len(i.Metres) != 0 {
		t.Errorf("isochrone: %v %+v", ok, i)
	}
	w := httptest.NewRecorder()
	(&api{}).route(w, ask(`{"points":[[1.52,42.5],[null,2]]}`))
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "at least two points required") {
		t.Errorf("one point and half of another: %d %s", w.Code, w.Body)
	}
}

// TestBodiesAreBounded: a body of more than 256 kB is not read.
func TestBodiesAreBounded(t *testing.T) {
	long := `{"points":[[1,2],[3,4]],"more":"` + strings.Repeat("x", maxRoutingBody) + `"}`
	r := httptest.NewRequest(http.MethodPost, "/api/route", strings.NewReader(long))
	if _, ok := readRoute(httptest.NewRecorder(), r); ok {
		t.Error("it was read")
	}
	r = httptest.NewRequest(http.MethodPost, "/api/route", strings.NewReader(long[:maxRoutingBody/2]+`"}`))
	if in, ok := readRoute(httptest.NewRecorder(), r); !ok || len(in.Points) != 2 {
		t.Errorf("half of it: %v, %v", in, ok)
	}
}

// FuzzRoutingRequests: whatever is asked, what goes on to the engine is on
// Earth and finite, and the checks hold.
func FuzzRoutingRequests(f *testing.F) {
	for _, s := range []string{
		"points=1,2|3,4&mode=foot&alternatives=9", "point=1,2&minutes=1;2|3,x&denoise=2", "sources=1,2&targets=NaN,1|2,3", "%zz&points=%ff;",
		`{"points":[[1,2],[3,4]],"heading":1e308,"alternatives":-5}`, `{"point":[1e999,2],"minutes":[1]}`, `{"sources":[[],[1],null,[1,2,3]]}`, "null",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			ask := func() *http.Request {
				r := httptest.NewRequest(method, "/api/route", strings.NewReader(s))
				r.URL = &url.URL{Path: "/api/route", RawQuery: s}
				return r
			}
			var points []route.Point
			if in, ok := readRoute(httptest.NewRecorder(), ask()); ok {
				points = append(points, in.Points...)
				if in.Alternatives < 0 || in.Alternatives > maxAlternatives || in.Mode == "" || in.Language == "" ||
					in.Heading != nil && !(*in.Heading >= 0 && *in.Heading <= 360) {
					t.Errorf("%+v", in)
				}
			}
			if in, ok := readMatrix(httptest.NewRecorder(), ask()); ok {
				points = append(append(points, in.Sources...), in.Targets...)
			}
			if in, ok := readIsochrone(httptest.NewRecorder(), ask()); ok {
				points = append(points, in.Point)
				if in.Denoise != nil && !(*in.Denoise >= 0 && *in.Denoise <= 1) || in.Generalize != nil && !(*in.Generalize >= 0) {
					t.Errorf("%+v", in)
				}
				_ = contoursWrong(in)
			}
			for _, p := range points {
				if !onEarth(p) || math.IsNaN(p.Lon) || math.IsNaN(p.Lat) {
					t.Errorf("%v", p)
				}
			}
		}
	})
}
