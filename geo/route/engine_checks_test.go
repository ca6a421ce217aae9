package route_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"svc/geo/route"
	"svc/geo/route/routetest"
)

var towns = []route.Point{routetest.North, routetest.East}

// verdicts are the needs that are not good, by name.
func verdicts(needs []route.Need) map[string]route.Need {
	out := map[string]route.Need{}
	for _, n := range needs {
		if n.Verdict != route.Good {
			out[n.Name] = n
		}
	}
	return out
}

// TestNeedsOfTheRealEngine: with our configuration there is nothing to say but
// that nobody can see how many alternatives it would give; with its own limits
// each one is named.
func TestNeedsOfTheRealEngine(t *testing.T) {
	good := &route.Client{BaseURL: routetest.Start(t).URL}
	needs := good.Check(context.Background(), towns)
	wrong := verdicts(needs)
	if n := wrong["3 alternatives"]; len(wrong) != 1 || n.Verdict != route.Warning || !strings.Contains(n.Found, "which may be all there are") {
		t.Errorf("our configuration: %+v", wrong)
	}
	if len(needs) < 19 || needs[0].Name != "answers" || !strings.HasPrefix(needs[0].Found, "version 3.9.1, tiles of ") {
		t.Errorf("%d needs, the first %+v", len(needs), needs[0])
	}
	own := &route.Client{BaseURL: routetest.Start(t, `"max_contours": 6`, `"max_contours": 4`, `"use_connectivity": false`, `"use_connectivity": true`,
		`"max_locations": 50`, `"max_locations": 20`, `"max_time_contour": 120`, `"max_time_contour": 60`, `"max_distance_contour": 200`, `"max_distance_contour": 100`,
		`"max_matrix_location_pairs": 2500`, `"max_matrix_location_pairs": 625`).URL}
	wrong = verdicts(own.Check(context.Background(), nil))
	want := map[string][2]string{
		"6 contours":              {"Exceeded max contours: 4", "service_limits.isochrone.max_contours: 6"},
		"contours of 120 minutes": {"Exceeded max time: 60", "service_limits.isochrone.max_time_contour: 120"},
		"contours of 200 km":      {"Exceeded max distance: 100", "service_limits.isochrone.max_distance_contour: 200"},
		"pairs without a path":    {"refuses the whole matrix", "loki.use_connectivity: false"},
		"3 alternatives":          {"could not be told without a map", "service_limits.max_alternates is 3"},
		"50 points, car":          {"Exceeded max locations: 20", "service_limits.auto.max_locations: 50"},
		"2500 pairs, foot":        {"Exceeded max locations: 625", "service_limits.pedestrian.max_matrix_location_pairs: 2500"},
	}
	for name, parts := range want {
		if n := wrong[name]; !strings.Contains(n.Found, parts[0]) || !strings.Contains(n.Do, parts[1]) {
			t.Errorf("%s: %+v, want %q and %q", name, n, parts[0], parts[1])
		}
	}
	if len(wrong) != 3+1+1+7+7 {
		t.Errorf("%d needs are not met: %v", len(wrong), wrong)
	}
}

func TestNeedsOfOtherEngines(t *testing.T) {
	answer := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/status" {
			_, _ = io.WriteString(w, answer)
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer s.Close()
	for _, tt := range []struct {
		status  string
		verdict route.Verdict
		found   string
	}{
		{`{"version":"3.8.0"}`, route.Good, "version 3.8.0"},
		{`{"version":"4.0"}`, route.Good, "version 4.0"},
		{`{"version":"3.7.9","tileset_last_modified":1795271555}`, route.Bad, "version 3.7.9, tiles of 2026-11-21 14:32 UTC"},
		{`{"version":"2.10"}`, route.Bad, "version 2.10"},
		{`{}`, route.Warning, "does not say its version"},
		{`hello`, route.Bad, "no answer to GET /status"},
	} {
		answer = tt.status
		needs := (&route.Client{BaseURL: s.URL}).Check(context.Background(), towns)
		if n := needs[0]; n.Verdict != tt.verdict || !strings.Contains(n.Found, tt.found) || (n.Do == "") != (tt.verdict == route.Good) {
			t.Errorf("%s: %+v", tt.status, n)
		}
		// What answers with a status and no words tells nothing about its limits.
		for _, n := range needs[1:] {
			if n.Verdict != route.Warning {
				t.Errorf("%s: %+v", tt.status, n)
			}
		}
	}
}

// TestStoppedEngine: an engine that ends between two calls, and in the middle of
// one, is told as one that does not answer.
func TestStoppedEngine(t *testing.T) {
	e := routetest.Start(t)
	c := &route.Client{BaseURL: e.URL}
	r := route.Request{Points: []route.Point{routetest.Andorra, routetest.Massana}, Mode: route.Car, Language: "uz"}
	if _, err := c.Route(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	// A long matrix is under way when the engine ends.
	many := make([]route.Point, 50)
	for i := range many {
		many[i] = route.Point{Lon: 1.48 + float64(i)*0.003, Lat: 42.48 + float64(i%10)*0.01}
	}
	begun := make(chan struct{})
	proxy := &route.Client{BaseURL: e.URL, HTTP: &http.Client{Transport: signalling{begun}}}
	done := make(chan error)
	go func() {
		_, err := proxy.Matrix(t.Context(), route.MatrixRequest{Sources: many, Targets: many, Mode: route.Foot})
		done <- err
	}()
	<-begun
	e.Stop()
	if err := <-done; err != nil && !strings.HasPrefix(err.Error(), "routing engine unavailable: ") {
		t.Errorf("in the middle: %v", err)
	}
	_, err := c.Route(t.Context(), r)
	if err == nil || err.Error() != "routing engine unavailable: nobody listens at its address" {
		t.Errorf("afterwards: %v", err)
	}
	if _, _, ok := c.Status(t.Context()); ok {
		t.Error("its status is good")
	}
}

// signalling tells when a request is about to be sent.
type signalling struct{ begun chan struct{} }

func (s signalling) RoundTrip(r *http.Request) (*http.Response, error) {
	close(s.begun)
	return http.DefaultTransport.RoundTrip(r)
}

// TestEngineConfig: complete, on the loopback address, with the limits of map contract 13, and
// no folder but the given one.
func TestEngineConfig(t *testing.T) {
	text, err := route.EngineConfig("/srv/tiles", route.DefaultListen)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	at := func(path string) any {
		var v any = c
		for name := range strings.SplitSeq(path, ".") {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		return v
	}
	want := map[string]any{
		"mjolnir.tile_dir": "/srv/tiles", "mjolnir.tile_extract": "/srv/tiles/tiles.tar", "mjolnir.admin": "/srv/tiles/admins.sqlite",
		"httpd.service.listen": "tcp://127.0.0.1:8002", "loki.use_connectivity": false,
		"service_limits.isochrone.max_contours": 6.0, "service_limits.isochrone.max_time_contour": 120.0,
		"service_limits.isochrone.max_distance_contour": 200.0, "service_limits.max_alternates": 3.0,
	}
	for _, mode := range []string{"auto", "taxi", "truck", "motorcycle", "bus", "pedestrian", "bicycle"} {
		want["service_limits."+mode+".max_locations"] = 50.0
		want["service_limits."+mode+".max_matrix_location_pairs"] = 2500.0
	}
	for path, v := range want {
		if got := at(path); got != v {
			t.Errorf("%s is %v, want %v", path, got, v)
		}
	}
	for _, section := range []string{"additional_data", "logging", "meili", "mjolnir", "odin", "service_limits", "statsd", "thor"} {
		if at(section) == nil {
			t.Errorf("no section %s", section)
		}
	}
	if strings.Contains(string(text), "/data/valhalla") || strings.Contains(string(text), "e+") {
		t.Error("a folder of somebody else, or a number with an exponent")
	}
	actions := fmt.Sprint(at("loki.actions"))
	for _, action := range []string{"route", "sources_to_targets", "isochrone", "status", "optimized_route", "trace_attributes", "height"} {
		if !strings.Contains(actions, action) {
			t.Errorf("the action %s is missing: %s", action, actions)
		}
	}
}
