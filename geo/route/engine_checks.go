package route

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Verdict is how a need of ours fares.
type Verdict string

// Verdicts, best first.
const (
	Good    Verdict = "good"
	Warning Verdict = "warning" // works, but something legal may fail, or cannot be told
	Bad     Verdict = "bad"     // legal requests fail
)

// Need is one thing that the service wants of the engine, and what was found.
type Need struct {
	Name    string  `json:"name"`
	Verdict Verdict `json:"verdict"`
	Found   string  `json:"found"`
	// Do says what to write in the engine's configuration; empty when good.
	Do string `json:"do,omitempty"`
}

// The engine's numbers of refusals that tell about its limits.
const (
	codeLocations   = 150 // too many points or pairs
	codeTime        = 151
	codeContours    = 152
	codeUnconnected = 170
	codeAction      = 106 // nothing of that name is offered
	codeMetres      = 166
)

// atSea is a point without roads near it: the engine looks at its limits before
// it looks for roads, so that a question there costs it nothing and needs to
// know nothing about its data.
var atSea = Point{Lon: 0.01, Lat: 0.01}

// limit is one question whose only interesting answer is a refusal of this code.
type limit struct {
	name, path string
	body       any
	code       int
	do         string
}

// limits are the needs of map contract 13.
func limits() []limit {
	at := func(n int) []location {
		points := make([]Point, n)
		for i := range points {
			points[i] = atSea
		}
		return locations(points)
	}
	isochrone := func(contours ...contour) isochroneBody {
		return isochroneBody{Locations: at(1), costingFields: costingOf(Car, Preferences{}), Contours: contours}
	}
	six := make([]contour, 6)
	for i := range six {
		six[i] = contour{Time: float64(i + 1)}
	}
	out := []limit{
		{"6 contours", "/isochrone", isochrone(six...), codeContours, "service_limits.isochrone.max_contours: 6"},
		{"contours of 120 minutes", "/isochrone", isochrone(contour{Time: 120}), codeTime, "service_limits.isochrone.max_time_contour: 120"},
		{"contours of 200 km", "/isochrone", isochrone(contour{Distance: 200}), codeMetres, "service_limits.isochrone.max_distance_contour: 200"},
	}
	trace := MatchRequest{Points: []Point{atSea, atSea}, Mode: Car}.body()
	for path, body := range map[string]any{
		"/optimized_route": TripRequest{Points: []Point{atSea, atSea}, Mode: Car}.body(), "/trace_attributes": trace, "/height": map[string]any{"shape": trace.Shape},
	} {
		action := strings.TrimPrefix(path, "/")
		out = append(out, limit{"the action " + action, path, body, codeAction, action + " into loki.actions"})
	}
	for _, mode := range []Mode{Car, Taxi, Truck, Motorcycle, Bus, Foot, Bike} {
		c := costingOf(mode, Preferences{})
		section := "service_limits." + c.Costing
		out = append(out,
			limit{"50 points, " + string(mode), "/route", routeBody{Locations: at(50), costingFields: c, Language: "en-US", Directions: "none", Units: "kilometers"},
				codeLocations, section + ".max_locations: 50"},
			limit{"2500 pairs, " + string(mode), "/sources_to_targets", matrixBody{Sources: at(50), Targets: at(50), costingFields: c, Units: "kilometers"},
				codeLocations, section + ".max_matrix_location_pairs: 2500"})
	}
	return out
}

// Check compares a running engine with what the service needs of it. two are
// places some kilometres apart that its data has roads between, for the one
// need that only a real route shows; nil leaves that one open. The first need
// is that the engine answers; when it does not there is no other.
func (c *Client) Check(ctx context.Context, two []Point) []Need {
	version, data, ok := c.Status(ctx)
	if !ok {
		return []Need{{"answers", Bad, "no answer to GET /status within " + StatusBudget.String(),
			"start it, or correct --routing-url; 'svc map engine-config' prints a configuration"}}
	}
	checks := []Need{answers(version, data)}
	for _, l := range limits() {
		checks = append(checks, c.checkLimit(ctx, l))
	}
	return append(checks, c.checkConnectivity(ctx), c.checkAlternates(ctx, two))
}

// oldest is the first version whose answers this package reads.
const oldestMajor, oldestMinor = 3, 8

func answers(version string, data time.Time) Need {
	n := Need{Name: "answers", Verdict: Good, Found: "version " + version}
	if !data.IsZero() {
		n.Found += ", tiles of " + data.Format("2006-01-02 15:04 UTC")
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		n.Verdict, n.Found, n.Do = Warning, "an engine that does not say its version", "run Valhalla 3.8 or later"
	} else if major < oldestMajor || major == oldestMajor && minor < oldestMinor {
		n.Verdict, n.Do = Bad, "run Valhalla 3.8 or later"
	}
	return n
}

// question asks outside the joined calls and without the metrics: it is about
// the engine and not about a caller.
func (c *Client) question(ctx context.Context, call, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.budget())
	defer cancel()
	return c.exchange(ctx, call, path, text)
}

func (c *Client) checkLimit(ctx context.Context, l limit) Need {
	_, err := c.question(ctx, "route", l.path, l.body)
	var refused *Error
	switch {
	case err == nil || errors.As(err, &refused) && !refused.Unavailable && refused.Code != 0 && refused.Code != l.code:
		// Answered, or refused for another reason: this limit was passed.
		return Need{Name: l.name, Verdict: Good, Found: "allowed"}
	case refused != nil && refused.Code == l.code:
		return Need{l.name, Bad, strings.TrimPrefix(refused.Message, prefixes["route"]), "write " + l.do}
	}
	return unanswered(l.name, err)
}

func unanswered(name string, err error) Need {
	return Need{name, Warning, "could not be told: " + strings.TrimPrefix(err.Error(), "routing engine unavailable: "), "run this again"}
}

// checkConnectivity asks for a matrix at sea. An engine that looks at its map of
// connected regions refuses the whole matrix when one pair has no path.
func (c *Client) checkConnectivity(ctx context.Context) Need {
	const name = "pairs without a path"
	body := matrixBody{Sources: locations([]Point{atSea}), Targets: locations([]Point{atSea}), costingFields: costingOf(Car, Preferences{}), Units: "kilometers"}
	_, err := c.question(ctx, "matrix", "/sources_to_targets", body)
	var refused *Error
	switch {
	case err != nil && (!errors.As(err, &refused) || refused.Unavailable || refused.Code == 0):
		return unanswered(name, err)
	case refused != nil && refused.Code == codeUnconnected:
		return Need{name, Warning, "one pair without a path refuses the whole matrix", "write loki.use_connectivity: false"}
	}
	return Need{Name: name, Verdict: Good, Found: "null cells"}
}

// checkAlternates asks for three alternatives. The engine gives fewer silently,
// when its limit is lower and when there are no more ways.
func (c *Client) checkAlternates(ctx context.Context, two []Point) Need {
	n := Need{Name: "3 alternatives", Verdict: Warning, Do: "see that service_limits.max_alternates is 3"}
	if len(two) != 2 {
		n.Found = "could not be told without a map that has two towns"
		return n
	}
	body, err := c.question(ctx, "route", "/route", Request{Points: two, Mode: Car, Language: uzbek, Alternatives: 3}.body())
	if err != nil {
		var refused *Error
		if !errors.As(err, &refused) || refused.Unavailable {
			return unanswered(n.Name, err)
		}
		n.Found = "could not be told: " + refused.Message
		return n
	}
	a, err := readRoute(body, Request{Mode: Car, Language: uzbek, Alternatives: 3})
	switch {
	case err != nil:
		return unanswered(n.Name, err)
	case len(a.Routes) == 4:
		return Need{Name: n.Name, Verdict: Good, Found: "given"}
	}
	n.Found = fmt.Sprintf("%d given, which may be all there are", len(a.Routes)-1)
	return n
}
