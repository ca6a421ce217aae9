package routetest

import (
	"context"
	"slices"
	"testing"

	"svc/geo/route"
)

// Lower is south of Andorra la Vella.
var Lower = route.Point{Lon: 1.4912, Lat: 42.4631}

// trip: a detour is not made twice, the ends stay, and a round trip comes home.
func trip(t *testing.T, e route.Engine) {
	ctx := context.Background()
	a, err := e.Trip(ctx, route.TripRequest{Points: []route.Point{Andorra, Massana, Between, Lower}, Mode: route.Car, Language: "uz"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Order, []int{0, 2, 1, 3}) || len(a.Route.Legs) != 3 || a.Route.ID != "trip" || a.Engine != route.EngineName || a.Language != "uz" {
		t.Errorf("order %v, %d legs, %q", a.Order, len(a.Route.Legs), a.Route.ID)
	}
	if i := a.Route.Legs[0].Steps[0].Instruction; i != "Harakatni boshlang — Carrer Prat de la Creu" {
		t.Errorf("said: %q", i)
	}
	round, err := e.Trip(ctx, route.TripRequest{Points: []route.Point{Andorra, {Lon: 1.5245, Lat: 42.5085}, {Lon: 1.5230, Lat: 42.5070}}, Mode: route.Foot, Language: "en", RoundTrip: true})
	if err != nil {
		t.Fatal(err)
	}
	if round.Order[0] != 0 || len(round.Order) != 3 || len(round.Route.Legs) != 3 || round.Route.Mode != route.Foot {
		t.Errorf("round: order %v, %d legs, %s", round.Order, len(round.Route.Legs), round.Route.Mode)
	}
	first, last := round.Route.Geometry[0], round.Route.Geometry[len(round.Route.Geometry)-1]
	if metresBetween(first, last) > 20 {
		t.Errorf("it does not come home: %v, %v", first, last)
	}
	if _, err := e.Trip(ctx, route.TripRequest{Points: []route.Point{Andorra, Monaco}, Mode: route.Car}); err == nil || err.Error() != "trip: No path could be found for input" {
		t.Errorf("without a way: %v", err)
	}
}

// match: the points of a track are put onto the road, and what is far from every
// road is not.
func match(t *testing.T, e route.Engine) {
	ctx := context.Background()
	track := []route.Point{{Lon: 1.5218, Lat: 42.5063}, {Lon: 1.5230, Lat: 42.5070}, {Lon: 1.5245, Lat: 42.5085}, {Lon: 1.9, Lat: 42.9}}
	m, err := e.Match(ctx, route.MatchRequest{Points: track, Mode: route.Car})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Points) != 4 || m.Points[0].Type != "matched" || m.Points[3].Type != "unmatched" || m.Points[3].Lon != 1.9 || m.Points[3].Road != nil {
		t.Errorf("points: %+v", m.Points)
	}
	if m.Distance < 250 || m.Distance > 800 || m.Confidence <= 0 || m.Confidence > 1 || m.Mode != route.Car || len(m.Roads) == 0 {
		t.Errorf("%v m, confidence %v, %d roads", m.Distance, m.Confidence, len(m.Roads))
	}
	end := 0
	for i, r := range m.Roads {
		if r.GeometryStart != end || r.GeometryEnd < r.GeometryStart {
			t.Errorf("road %d is from %d to %d, after %d", i, r.GeometryStart, r.GeometryEnd, end)
		}
		end = r.GeometryEnd
	}
	if end != len(m.Geometry)-1 {
		t.Errorf("the roads end at point %d of %d", end, len(m.Geometry))
	}
	timed, err := e.Match(ctx, route.MatchRequest{Points: track[:3], Times: []float64{0, 20, 60}, Mode: route.Foot, Accuracy: 20, Radius: 60})
	if err != nil || len(timed.Points) != 3 {
		t.Errorf("with times: %+v, %v", timed, err)
	}
	if _, err := e.Match(ctx, route.MatchRequest{Points: []route.Point{{Lon: 1.5, Lat: 10}, {Lon: 1.5, Lat: 10.001}}, Mode: route.Car}); err == nil {
		t.Error("a track at sea is matched")
	}
}

// heights: without data there is none, and that is no error.
func heights(t *testing.T, e route.Engine) {
	h, err := e.Heights(context.Background(), []route.Point{Andorra, Massana})
	if err != nil || len(h) != 2 || h[0] != nil || h[1] != nil {
		t.Errorf("%v, %v", h, err)
	}
}
