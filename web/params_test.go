package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"svc/web/webtest"
	"svc/web/webtest/town"
)

// fuzzed are the endpoints with the text that a caller puts behind them: "…"
// stands for it.
var fuzzed = []string{
	"/api/search", "/api/autocomplete", "/api/reverse", "/api/lookup", "/api/nearby", "/api/categories", "/api/districts",
	"/api/photo", "/api/status", "/api/usage", "/health", "/api/route", "/api/matrix", "/api/isochrone", "/api/trip", "/api/match", "/api/elevation",
	"/photon/api", "/photon/reverse", "/nominatim/search", "/nominatim/reverse", "/nominatim/lookup", "/k/…/nominatim/search",
	"/api/place/…", "/api/place/mapsrc/…", "/api/geometry/…", "/api/photo/img/….jpg", "/api/…", "/…",
}

// caps are the most results of an endpoint that has a most.
var caps = map[string]int{"/api/search": 50, "/api/autocomplete": 12}

// FuzzParams sends any path and any query string to every endpoint: none ends
// in a server error but those of map contract 55.2, none takes a second, and
// every JSON answer is whole.
func FuzzParams(f *testing.F) {
	s := webtest.Start(f, webtest.Options{
		Map: town.NewMaps(f).Path(f, town.Town), Photos: true, Usage: true, Keys: `[{"key":"k","name":"fuzz","rate_limit":1000000}]`,
	})
	for _, seed := range []struct{ tail, query string }{
		{"0", "q=bahor&lang=ru&limit=3"}, {"n/101", "lat=41.5&lon=64.5&radius=1e9&limit=0&kinds=poi,street"},
		{"-1", "lat=-90&lon=-180"}, {"Q100", "entity=Q100&key=k"}, {"9223372036854775808", "days=366&series=1&key=k"},
		{"../../etc", "q=%D0%BA%D0%B0%D1%84%D0%B5&category=group:food&bbox=1,2,3,4&lat=90&lon=180&bias=1e308"},
		{"w/201/", "q=navoiy+12a&lat=1e-300&lon=5e-324&bias=-1e308&bbox=-1e300,1e300,NaN,Inf"},
		{"%2e%2e", "q=" + strings.Repeat("a+", 2000)}, {"", "q=" + strings.Repeat("%F0%9F%95%8C", 500) + "&category=food.cafe"},
		{"x\x00y", "q=5+12/3+7-9+20-24+1a&kinds=%00&lat=0x1p10&lon=1_0&limit=-9223372036854775808"},
		{"r/902", "name=Markaz&lat=41.5&lon=64.5&radius=-1;&%zz=&=&&q"}, {"mapsrc", "minutes=1&metres=1&point=0,0&points=|;|"},
		{"key", "q=12+Navoiy&street=5+x&city=Bog&osm_ids=N1,,W,r902&format=geocodejson&viewbox=1,2,3,4&zoom=-9&osm_tag=!:&layer=house&lat=41.5&lon=64.5"},
		{"%2F", "street=12+&city=+&amenity=cafe&countrycodes=uz,,x&polygon_geojson=1&format=geojson&limit=-1&lat=41.5&lon=64.5&radius=1e300"},
	} {
		for i := range fuzzed {
			f.Add(uint8(i), seed.tail, seed.query)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, tail, query string) {
		endpoint := fuzzed[int(which)%len(fuzzed)]
		r := &http.Request{
			Method: http.MethodGet, Host: "maps.example", Header: http.Header{}, RemoteAddr: "192.0.2.1:1234", Body: http.NoBody,
			URL: &url.URL{Path: strings.Replace(endpoint, "…", tail, 1), RawQuery: query},
		}
		begin := time.Now()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r.WithContext(t.Context()))
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s?%s took %v", r.URL.Path, query, took)
		}
		checkAnswer(t, endpoint, w)
	})
}

// checkAnswer holds for every answer, whatever was asked.
func checkAnswer(t *testing.T, endpoint string, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code >= 500 && w.Code != http.StatusBadGateway && w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		return
	}
	if strings.Contains(endpoint, "photon") || strings.Contains(endpoint, "nominatim") { // lists, and errors of other shapes
		if !json.Valid(w.Body.Bytes()) || strings.Contains(w.Body.String(), "NaN") {
			t.Errorf("no JSON: %s", w.Body)
		}
		return
	}
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatalf("no JSON object: %v in %s", err, w.Body)
	}
	for _, text := range []string{"NaN", "Inf", `"distance":-`} {
		if strings.Contains(w.Body.String(), `:`+text) {
			t.Errorf("the answer holds %s: %s", text, w.Body)
		}
	}
	if _, failed := answer["error"]; failed != (w.Code >= 400) {
		t.Errorf("status %d with %s", w.Code, w.Body)
	}
	results, listed := answer["results"]
	if !listed {
		return
	}
	var list []struct {
		Kind, Name, Category string
		BBox                 []float64
		Address              map[string]string
	}
	if err := json.Unmarshal(results, &list); err != nil || list == nil {
		t.Fatalf("results are no list: %v in %s", err, results)
	}
	if most, ok := caps[endpoint]; ok && len(list) > most {
		t.Errorf("%d results, more than %d", len(list), most)
	}
	for _, r := range list {
		if r.Kind == "" || r.Name == "" || r.Category == "" || len(r.BBox) != 4 || r.Address == nil {
			t.Errorf("a result with something missing: %+v", r)
		}
	}
}
