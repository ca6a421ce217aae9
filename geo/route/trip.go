package route

import (
	"context"
	"encoding/json"
)

// TripRequest asks for the best order of points and the way through all of them. The
// first is where it begins; the last where it ends, or the first again.
type TripRequest struct {
	Points      []Point
	Mode        Mode
	Preferences Preferences
	Language    string // as in Request
	RoundTrip   bool   // back to the first point; the last is visited on the way
}

// Trip is what /api/trip sends.
type Trip struct {
	Route    Route    `json:"trip"`  // a leg from each point to the next
	Order    []int    `json:"order"` // numbers of the points as they are visited; of a round trip the first is not repeated
	Language string   `json:"language"`
	Engine   string   `json:"engine"`
	Warnings []string `json:"warnings,omitempty"`
}

func (r TripRequest) body() routeBody {
	points := r.Points
	if r.RoundTrip {
		points = append(append([]Point(nil), r.Points...), r.Points[0])
	}
	b := Request{Points: points, Mode: r.Mode, Preferences: r.Preferences, Language: r.Language}.body()
	for i := range b.Locations {
		b.Locations[i].Type = "" // each is a stop
	}
	return b
}

// Trip asks the engine for an order. The answer is shared and must not be changed.
func (c *Client) Trip(ctx context.Context, r TripRequest) (*Trip, error) {
	r.Mode = ParseMode(string(r.Mode))
	value, err := c.post(ctx, "trip", "/optimized_route", r.body(), func(body []byte) (any, error) { return readTrip(body, r) })
	if err != nil {
		return nil, err
	}
	trip := *value.(*Trip) // shared by callers whose languages may differ in name
	trip.Language = r.Language
	return &trip, nil
}

func readTrip(body []byte, r TripRequest) (*Trip, error) {
	a, err := readRoute(body, Request{Mode: r.Mode, Language: r.Language})
	if err != nil {
		return nil, err
	}
	var in struct {
		Trip struct {
			Locations []struct {
				Index *int `json:"original_index"`
			} `json:"locations"`
		} `json:"trip"`
	}
	if json.Unmarshal(body, &in) != nil {
		return nil, unreadable()
	}
	t := &Trip{Route: a.Routes[0], Engine: EngineName, Warnings: a.Warnings}
	t.Route.ID = "trip"
	seen := make([]bool, len(r.Points))
	for i, l := range in.Trip.Locations {
		if l.Index == nil || r.RoundTrip && i == len(r.Points) {
			continue // the way back
		}
		if *l.Index < 0 || *l.Index >= len(seen) || seen[*l.Index] {
			return nil, unreadable()
		}
		seen[*l.Index] = true
		t.Order = append(t.Order, *l.Index)
	}
	if len(t.Order) != len(r.Points) {
		return nil, unreadable()
	}
	return t, nil
}
