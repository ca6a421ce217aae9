package route

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"testing"
)

// TestPointsApart: points to pass through that lie on top of each other are
// asked for once; with those that the engine loses all the same, it is asked a
// second time without the near ones, and no third time.
func TestPointsApart(t *testing.T) {
	var lat = func(metres ...float64) (out []Point) { // along a meridian
		for _, m := range metres {
			out = append(out, Point{Lon: 14.45, Lat: 35.88 + m/111195})
		}
		return out
	}
	tests := []struct {
		name         string
		points       []Point
		first, again []float64 // metres of the points that the engine sees
	}{
		{"two stops", lat(0, 1), []float64{0, 1}, []float64{0, 1}},
		{"far apart", lat(0, 500, 1000), []float64{0, 500, 1000}, []float64{0, 500, 1000}},
		{"near the one before", lat(0, 500, 512, 514, 516, 1000), []float64{0, 500, 516, 1000}, []float64{0, 500, 1000}},
		{"beside the stops", lat(0, 14, 500, 995, 1000), []float64{0, 500, 1000}, []float64{0, 500, 1000}},
		{"all in one place", lat(0, 5, 10, 5, 0), []float64{0, 0}, []float64{0, 0}},
		{"the far end is passed on the way", lat(0, 1000, 500, 1000), []float64{0, 1000, 500, 1000}, []float64{0, 1000, 500, 1000}},
		{"45 m apart beside the road", lat(0, 500, 545, 1000), []float64{0, 500, 545, 1000}, []float64{0, 500, 1000}},
		{"the last one near the stop", lat(0, 500, 950, 1000), []float64{0, 500, 950, 1000}, []float64{0, 500, 1000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked [][]float64
			loses := true
			s := engine(t, func(w http.ResponseWriter, r *http.Request) {
				var b routeBody
				if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
					t.Error(err)
				}
				var at []float64
				for i, l := range b.Locations {
					at = append(at, math.Round((l.Lat-35.88)*111195))
					if between := i > 0 && i < len(b.Locations)-1; between != (l.Type == "through") {
						t.Errorf("point %d of %d is %q", i, len(b.Locations), l.Type)
					}
				}
				asked = append(asked, at)
				if !loses {
					_, _ = io.WriteString(w, small)
					return
				}
				w.WriteHeader(http.StatusInternalServerError)
				_, _ = io.WriteString(w, `{"error_code":499,"error":"Unknown: leg_shape_index not set for intermediate location"}`)
			})
			c := &Client{BaseURL: s.URL}
			_, err := c.Route(t.Context(), Request{Points: tt.points, Language: "en"})
			if err == nil || err.Error() != "routing: Unknown: leg_shape_index not set for intermediate location" {
				t.Errorf("refused twice: %v", err)
			}
			if want := [][]float64{tt.first, tt.again}; !reflect.DeepEqual(asked, want) {
				t.Errorf("asked %v, want %v", asked, want)
			}
			asked, loses = nil, false
			if _, err := c.Route(t.Context(), Request{Points: tt.points, Language: "en"}); err != nil || len(asked) != 1 {
				t.Errorf("answered: %v after %d questions", err, len(asked))
			}
		})
	}
	if d := metres(Point{179.9999, 0}, Point{-179.9999, 0}); d > 30 {
		t.Errorf("across the 180th meridian: %v m", d)
	}
}

// TestRequests: what cannot be told from an answer.
func TestRequests(t *testing.T) {
	var asked string
	s := engine(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = r.Method + " " + r.URL.String() + " " + r.Header.Get("Content-Type") + fmt.Sprint(len(r.Header["Idempotency-Key"])) + " " + string(body)
		_, _ = io.WriteString(w, small)
	})
	c := &Client{BaseURL: s.URL}
	heading := 90.0
	r := Request{Points: []Point{{1, 2}, {3, 4}, {5, 6}}, Mode: Truck, Language: "uz", Alternatives: 2, Heading: &heading}
	if _, err := c.Route(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	want := `POST /route application/json0 {"locations":[{"lat":2,"lon":1,"heading":90,"heading_tolerance":60},{"lat":4,"lon":3,"type":"through"},{"lat":6,"lon":5}],` +
		`"costing":"truck","costing_options":{"truck":{"use_ferry":0.5,"use_highways":1,"use_tolls":0.5}},"alternates":2,"language":"en-US","directions_type":"maneuvers","units":"kilometers"}`
	if asked != want {
		t.Errorf("asked\n%s, want\n%s", asked, want)
	}
}
