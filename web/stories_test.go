package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"
	_ "time/tzdata" // the zones of TestHoursWhateverTheHostsZone, on any machine

	"svc/web/webtest"
	"svc/web/webtest/town"
)

// wanted is what stories must have visited: each endpoint, and each row of map contract 55.1 and 55.2;
// those of
// a routing engine at work are wantedRouting.
var wanted = []webtest.Visit{
	{Endpoint: "/api/search", Status: 200}, {Endpoint: "/api/autocomplete", Status: 200},
	{Endpoint: "/api/reverse", Status: 200}, {Endpoint: "/api/lookup", Status: 200}, {Endpoint: "/api/lookup", Status: 200, Text: "null"},
	{Endpoint: "/api/nearby", Status: 200}, {Endpoint: "/api/place/*", Status: 200}, {Endpoint: "/api/place/mapsrc/*", Status: 200},
	{Endpoint: "/api/geometry/*", Status: 200}, {Endpoint: "/api/categories", Status: 200}, {Endpoint: "/api/districts", Status: 200},
	{Endpoint: "/api/photo", Status: 200}, {Endpoint: "/api/photo", Status: 200, Text: "null"}, {Endpoint: "/api/photo/img/*", Status: 200, Text: "plain"},
	{Endpoint: "/api/status", Status: 200}, {Endpoint: "/health", Status: 200}, {Endpoint: "/api/usage", Status: 200}, {Endpoint: "/", Status: 200, Text: "plain"},
	{Endpoint: "/api/geocode", Status: 200}, {Endpoint: "/api/geocode", Status: 400, Text: "bad json"}, {Endpoint: "/api/geocode", Status: 503, Text: "search index not built"},
	{Endpoint: "/photon/api", Status: 200}, {Endpoint: "/photon/reverse", Status: 200}, {Endpoint: "/photon/status", Status: 200},
	{Endpoint: "/nominatim/search", Status: 200}, {Endpoint: "/nominatim/reverse", Status: 200}, {Endpoint: "/nominatim/lookup", Status: 200, Text: "plain"},
	{Endpoint: "/nominatim/status", Status: 200, Text: "plain"}, {Endpoint: "/nominatim/search", Status: 503}, {Endpoint: "/photon/api", Status: 503, Text: "search index not built"},
	// OPTIONS.
	{Endpoint: "/api/search", Status: 204, Text: "plain"},
	// Gate refusals.
	{Endpoint: "/api/search", Status: 401, Text: "missing API key (pass the query parameter or the header)"},
	{Endpoint: "/api/search", Status: 401, Text: "unknown API key"},
	{Endpoint: "/api/search", Status: 403, Text: "this API key is disabled"},
	{Endpoint: "/api/search", Status: 403, Text: "this API key is restricted to specific origins and the request sent none"},
	{Endpoint: "/api/search", Status: 403, Text: "origin https://evil.example is not allowed for this API key"},
	{Endpoint: "/api/search", Status: 429, Text: "rate limit exceeded"},
	{Endpoint: "/api/search", Status: 429, Text: "monthly quota of *"},
	{Endpoint: "/tiles/1/0/0.pbf", Status: 401, Text: "missing API key *"},
	// 400.
	{Endpoint: "/api/reverse", Status: 400, Text: "lat and lon required"}, {Endpoint: "/api/lookup", Status: 400, Text: "lat and lon required"},
	{Endpoint: "/api/place/*", Status: 400, Text: "bad id"}, {Endpoint: "/api/place/mapsrc/*", Status: 400, Text: "bad id"},
	{Endpoint: "/api/place/mapsrc/*", Status: 400, Text: "use /api/place/mapsrc/{n|w|r}/{id}"}, {Endpoint: "/api/geometry/*", Status: 400, Text: "bad id"},
	{Endpoint: "/api/usage", Status: 400, Text: "days must be a whole number between 1 and 366"},
	// 401.
	{Endpoint: "/api/usage", Status: 401, Text: "a valid API key is required to read its usage"},
	// 404.
	{Endpoint: "/api/place/*", Status: 404, Text: "not found"}, {Endpoint: "/api/place/mapsrc/*", Status: 404, Text: "not found"},
	{Endpoint: "/api/geometry/*", Status: 404, Text: "not found"}, {Endpoint: "/api/geometry/*", Status: 404, Text: "no polygon"},
	{Endpoint: "/api/geometry/*", Status: 404, Text: "no geometry"}, {Endpoint: "/api/photo", Status: 404, Text: "photos disabled"},
	{Endpoint: "/api/photo/img/*", Status: 404, Text: "plain"}, {Endpoint: "/api/geocode", Status: 404, Text: "plain"},
	{Endpoint: "/api/suggest", Status: 404, Text: "plain"}, {Endpoint: "/api/nothing", Status: 404, Text: "plain"}, {Endpoint: "/static/x.js", Status: 404, Text: "plain"},
	// 502.
	{Endpoint: "/api/photo", Status: 502, Text: "bad entity id"}, {Endpoint: "/api/photo", Status: 502, Text: "the entity database *"},
	{Endpoint: "/api/photo", Status: 502, Text: "the image store *"},
	// 503.
	{Endpoint: "/api/route", Status: 503, Text: "routing engine not configured"}, {Endpoint: "/api/matrix", Status: 503, Text: "routing engine not configured"},
	{Endpoint: "/api/isochrone", Status: 503, Text: "routing engine not configured"},
	{Endpoint: "/api/search", Status: 503, Text: "search index not built"}, {Endpoint: "/api/autocomplete", Status: 503, Text: "search index not built"},
	{Endpoint: "/api/reverse", Status: 503, Text: "search index not built"}, {Endpoint: "/api/lookup", Status: 503, Text: "search index not built"},
	{Endpoint: "/api/nearby", Status: 503, Text: "search index not built"}, {Endpoint: "/api/place/*", Status: 503, Text: "search index not built"},
	{Endpoint: "/api/place/mapsrc/*", Status: 503, Text: "search index not built"}, {Endpoint: "/api/geometry/*", Status: 503, Text: "search index not built"},
	{Endpoint: "/api/categories", Status: 503, Text: "search index not built"}, {Endpoint: "/api/districts", Status: 503, Text: "index not built"},
	{Endpoint: "/api/usage", Status: 503, Text: "usage metering is not enabled on this server"},
	{Endpoint: "/api/usage", Status: 503, Text: "API keys are not configured on this server"},
}

// TestStories plays every story of testdata, and fails when they leave out a
// part of the contract.
func TestStories(t *testing.T) {
	visits := webtest.Stories(t, "testdata/*.txt")
	for _, v := range visits.Missing(slices.Concat(wanted, wantedRouting)) {
		t.Errorf("no story visits %v", v)
	}
	for _, v := range visits.ServerErrors(http.StatusBadGateway, http.StatusServiceUnavailable) {
		t.Errorf("a story was answered with %v", v)
	}
}

// hostOffset tells a child process how far from UTC its host's zone must be.
const hostOffset = "SVC_TEST_HOST_OFFSET"

// TestHoursStory plays one story, in the zone of this process.
func TestHoursStory(t *testing.T) {
	if want := os.Getenv(hostOffset); want != "" {
		_, offset := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.Local).Zone()
		if got := strconv.Itoa(offset); got != want {
			t.Fatalf("the process runs %s s from UTC, not %s", got, want)
		}
	}
	webtest.Stories(t, "testdata/hours.txt")
}

// TestHoursWhateverTheHostsZone plays it in processes far east and west of
// Tashkent: opening hours are Tashkent's wherever the server stands.
func TestHoursWhateverTheHostsZone(t *testing.T) {
	for zone, offset := range map[string]int{"America/New_York": -5 * 3600, "Pacific/Kiritimati": 14 * 3600} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHoursStory$", "-test.v")
			cmd.Env = append(os.Environ(), "TZ="+zone, fmt.Sprintf("%s=%d", hostOffset, offset))
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestTaxonomyIsComplete counts what GET /api/categories lists, and follows
// the group of each category.
func TestTaxonomyIsComplete(t *testing.T) {
	s := webtest.Start(t, webtest.Options{Map: town.NewMaps(t).Path(t, town.Town)})
	resp, err := s.Client.Get(s.URL + "/api/categories")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got struct {
		Groups     []struct{ ID string }
		Categories []struct {
			ID, Group, Icon string
			Label           map[string]string
			Rank            float64
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Groups) != 18 || len(got.Categories) != 131 {
		t.Errorf("%d groups and %d categories, want 18 and 131", len(got.Groups), len(got.Categories))
	}
	groups := map[string]bool{}
	for _, g := range got.Groups {
		groups[g.ID] = true
	}
	exceptions := map[string]string{"transport.parking": "auto", "culture.theme_park": "leisure", "services.coworking": "office"}
	for _, c := range got.Categories {
		if want, ok := exceptions[c.ID]; ok && c.Group != want || !groups[c.Group] || c.Icon == "" || c.Rank <= 0 || c.Rank > 1 || len(c.Label) != 3 {
			t.Errorf("category %+v", c)
		}
	}
}
