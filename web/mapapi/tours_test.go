package mapapi

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"svc/geo/live"
	"svc/geo/route"
	"svc/geo/tile"
	"svc/geo/tileset"
	"svc/geo/tileset/tilesettest"
)

// hills is an archive of one tile of the world whose heights rise by 10 m a pixel to
// the east.
func hills(t *testing.T) *live.File[*tileset.Set] {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for x := range 256 {
		for y := range 256 {
			v := 32768 + 10*x
			m.Set(x, y, color.NRGBA{R: uint8(v / 256), G: uint8(v % 256), A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	path := tilesettest.MBTiles(t, map[string]string{"format": "png", "maxzoom": "0"}, tilesettest.Tiles{tile.ID{}: b.Bytes()})
	return live.Open(path, 0, slog.New(slog.DiscardHandler), live.Kind[*tileset.Set]{Name: "terrain", Open: tileset.OpenTerrain})
}

func askElevation(t *testing.T, h http.Handler, method, target, body string) (int, elevated, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	var e elevated
	if w.Code == 200 {
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
	}
	return w.Code, e, strings.TrimSpace(w.Body.String())
}

// TestElevationFromTerrain needs no routing engine.
func TestElevationFromTerrain(t *testing.T) {
	h := New(Config{Terrain: hills(t), Log: slog.New(slog.DiscardHandler)})
	code, e, text := askElevation(t, h, "GET", "/api/elevation?points=0.703125,10|7.734375,10|0.703125,10", "")
	if code != 200 || e.Source != "terrain" || len(e.Points) != 3 || *e.Points[0].Height != 1280 || *e.Points[1].Height != 1330 {
		t.Fatalf("%d %s", code, text)
	}
	if e.Ascent != 50 || e.Descent != 50 || *e.Lowest != 1280 || *e.Highest != 1330 || math.Abs(e.Length-1_539_900) > 1000 || e.Points[2].Distance != e.Length {
		t.Errorf("%s", text)
	}
	code, e, _ = askElevation(t, h, "POST", "/api/elevation", `{"points":[[0.703125,10],[7.734375,10]],"step":100000}`)
	if code != 200 || len(e.Points) != 9 || e.Points[1].Distance > 100_000 || *e.Points[8].Height != 1330 {
		t.Errorf("%d, %d points", code, len(e.Points))
	}
	for target, want := range map[string]string{
		"/api/elevation":                                        "points required",
		"/api/elevation?points=1,95":                            "points required",
		"/api/elevation?points=0,1|170,1&step=10":               "too many points: limit is 2000",
		"/api/elevation?points=" + strings.Repeat("1,1|", 2001): "too many points: limit is 2000",
	} {
		if code, _, text := askElevation(t, h, "GET", target, ""); code != 400 || !strings.Contains(text, want) {
			t.Errorf("%.60s: %d %s", target, code, text)
		}
	}
	if code, _, text := askElevation(t, h, "POST", "/api/elevation", `{"points":`); code != 400 || !strings.Contains(text, "bad json") {
		t.Errorf("%d %s", code, text)
	}
	if code, _, text := askElevation(t, New(Config{}), "GET", "/api/elevation?points=1,1", ""); code != 503 || !strings.Contains(text, "routing engine not configured") {
		t.Errorf("without either: %d %s", code, text)
	}
}

// TestTours: what the engine would refuse never gets to it.
func TestTours(t *testing.T) {
	e := &waiting{asked: make(chan int, 10), release: make(chan struct{})}
	h := New(Config{Engine: e})
	points := func(n int) string { return strings.TrimSuffix(strings.Repeat("[69.2,41.3],", n), ",") }
	for body, want := range map[string]string{
		"/api/trip {\"points\":[" + points(1) + "]}":                     "at least two points required",
		"/api/trip {\"points\":[" + points(51) + "]}":                    "too many points: 51 with the way back, limit is 50",
		"/api/trip {\"points\":[" + points(50) + "],\"roundtrip\":true}": "too many points: 51 with the way back, limit is 50",
		"/api/trip {":  "bad json",
		"/api/match {": "bad json",
		"/api/match {\"points\":[" + points(1) + "]}":                   "at least two points required",
		"/api/match {\"points\":[" + points(2001) + "]}":                "too many points: 2001, limit is 2000",
		"/api/match {\"points\":[" + points(2) + "],\"times\":[1]}":     "times must be as many as points",
		"/api/match {\"points\":[" + points(3) + "],\"times\":[1,3,2]}": "times must be as many as points",
	} {
		path, text, _ := strings.Cut(body, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(text)))
		if w.Code != 400 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%.60s: %d %s, want %q", body, w.Code, w.Body, want)
		}
	}
	in, ok := readMatch(nil, httptest.NewRequest("GET", "/api/match?points=1,2|3,4&times=1|2&accuracy=500&radius=50&mode=foot", nil))
	if !ok || in.Accuracy != 0 || in.Radius != 50 || len(in.Times) != 2 || in.Mode != route.Foot {
		t.Errorf("%+v", in)
	}
}
