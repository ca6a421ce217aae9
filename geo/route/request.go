package route

import (
	"encoding/json"
	"math"
)

// The engine's side of a request: POST with a JSON body.

// location is a point for the engine.
type location struct {
	Lat       float64  `json:"lat"`
	Lon       float64  `json:"lon"`
	Type      string   `json:"type,omitempty"`
	Heading   *float64 `json:"heading,omitempty"`
	Tolerance *float64 `json:"heading_tolerance,omitempty"`
}

// costing is a mode in the engine's words.
type costing struct {
	name  string
	motor bool
	fixed map[string]any
}

// costings are the modes of map contract 49.1.
var costings = map[Mode]costing{
	Car:        {name: "auto", motor: true},
	Taxi:       {name: "taxi", motor: true},
	Truck:      {name: "truck", motor: true},
	Motorcycle: {name: "motorcycle", motor: true},
	Bus:        {name: "bus", motor: true},
	Foot:       {name: "pedestrian", fixed: map[string]any{"walking_speed": 5.0}},
	Bike:       {name: "bicycle", fixed: map[string]any{"bicycle_type": "hybrid", "use_roads": 0.4}},
}

// costingFields are "costing" and "costing_options" of every call.
type costingFields struct {
	Costing string                    `json:"costing"`
	Options map[string]map[string]any `json:"costing_options"`
}

// costingOf writes a mode and its wishes. Motor modes say how much they like
// highways and tolls in every call, because the engine's own defaults
// differ from those of map contract 49.1: highways 0.5 there, 1.0 here.
func costingOf(mode Mode, p Preferences) costingFields {
	c := costings[ParseMode(string(mode))]
	o := map[string]any{}
	for name, value := range c.fixed {
		o[name] = value
	}
	if c.motor {
		o["use_highways"], o["use_tolls"] = 1.0, 0.5
		if p.AvoidHighways {
			o["use_highways"] = 0.0
		}
		if p.AvoidTolls {
			o["use_tolls"] = 0.0
		}
		if p.Shortest {
			o["shortest"] = true
		}
	}
	return costingFields{c.name, map[string]map[string]any{c.name: o}}
}

// useFerry is sent with routes of every mode and cannot be set.
const useFerry = 0.5

// headingTolerance is how far the first street may turn away from the heading,
// in degrees.
const headingTolerance = 60.0

type routeBody struct {
	Locations []location `json:"locations"`
	costingFields
	Alternates int    `json:"alternates,omitempty"`
	Language   string `json:"language"`
	// Directions is "maneuvers" when the server writes the sentences itself.
	Directions string `json:"directions_type"`
	Units      string `json:"units"`
}

// body is the engine's request. Two requests that differ only in a language
// that the engine does not write are the same.
func (r Request) body() routeBody {
	b := routeBody{
		Locations: locations(r.Points), costingFields: costingOf(r.Mode, r.Preferences),
		Alternates: r.Alternatives, Language: "en-US", Directions: "instructions", Units: "kilometers",
	}
	b.Options[b.Costing]["use_ferry"] = useFerry
	switch r.Language {
	case uzbek:
		b.Directions = "maneuvers"
	case "ru":
		b.Language = "ru-RU"
	}
	// "through" is the engine's word for a point that is neither a stop nor a
	// place to turn round: no leg ends there and nobody is told to arrive.
	for i := 1; i < len(b.Locations)-1; i++ {
		b.Locations[i].Type = "through"
	}
	if r.Heading != nil && len(b.Locations) > 0 {
		tolerance := headingTolerance
		b.Locations[0].Heading, b.Locations[0].Tolerance = r.Heading, &tolerance
	}
	return b
}

// How far a point to pass through must be from the one before, in metres. The
// engine cannot answer when two fall on the same place of a road (lostPoint;
// Valhalla 3.9.1), nearly always points within 12 m of each other; who passes
// the one has passed the other as well. Points beside the road do so from
// farther away (45 m was seen), and which do only the engine knows: after its
// refusal it is asked once more, with fewer points.
const (
	minApart    = 15
	secondApart = 100
)

// lostPoint is what the engine says then.
const lostPoint = "leg_shape_index not set for intermediate location"

// spread is the request without those points between the stops that lie less
// than apart metres from the point kept before, and those at the end from the
// last stop.
func (r Request) spread(apart float64) Request {
	last := len(r.Points) - 1
	if last < 2 {
		return r
	}
	kept := make([]Point, 1, len(r.Points))
	kept[0] = r.Points[0]
	for _, p := range r.Points[1:last] {
		if metres(kept[len(kept)-1], p) >= apart {
			kept = append(kept, p)
		}
	}
	for len(kept) > 1 && metres(kept[len(kept)-1], r.Points[last]) < apart {
		kept = kept[:len(kept)-1]
	}
	kept = append(kept, r.Points[last])
	r.Points = kept
	return r
}

// metres is the distance between two points near each other; far ones only need
// to be told from near ones.
func metres(a, b Point) float64 {
	const perDegree = 6371008.8 * math.Pi / 180
	east := math.Remainder(b.Lon-a.Lon, 360) * math.Cos((a.Lat+b.Lat)/2*math.Pi/180)
	return math.Hypot(east, b.Lat-a.Lat) * perDegree
}

func locations(points []Point) []location {
	out := make([]location, len(points))
	for i, p := range points {
		out[i] = location{Lat: p.Lat, Lon: p.Lon}
	}
	return out
}

type matrixBody struct {
	Sources []location `json:"sources"`
	Targets []location `json:"targets"`
	costingFields
	// Verbose false: the answer is two tables of numbers and nothing else.
	Verbose bool   `json:"verbose"`
	Units   string `json:"units"`
}

func (r MatrixRequest) body() matrixBody {
	return matrixBody{
		Sources: locations(r.Sources), Targets: locations(r.Targets),
		costingFields: costingOf(r.Mode, r.Preferences), Units: "kilometers",
	}
}

// contour is one value; exactly one of the two is set.
type contour struct {
	Time     float64 `json:"time,omitempty"`     // minutes
	Distance float64 `json:"distance,omitempty"` // kilometres
}

type isochroneBody struct {
	Locations []location `json:"locations"`
	costingFields
	Contours   []contour `json:"contours"`
	Polygons   bool      `json:"polygons"`
	Denoise    *float64  `json:"denoise,omitempty"`
	Generalize *float64  `json:"generalize,omitempty"`
}

// body writes metres as kilometres, the engine's unit of distance contours.
func (r IsochroneRequest) body() isochroneBody {
	b := isochroneBody{
		Locations: locations([]Point{r.Point}), costingFields: costingOf(r.Mode, Preferences{}),
		Polygons: r.Polygons, Denoise: r.Denoise, Generalize: r.Generalize,
	}
	for _, m := range r.Minutes {
		b.Contours = append(b.Contours, contour{Time: m})
	}
	for _, m := range r.Metres {
		b.Contours = append(b.Contours, contour{Distance: m / 1000})
	}
	return b
}

// numberJSON writes a finite number as encoding/json does.
func numberJSON(v float64) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null") // not reached: callers check
	}
	return b
}
