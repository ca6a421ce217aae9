// Package route is the client of the routing engine that runs beside the
// server: routes, matrices, isochrones, trips, tracks matched onto roads, heights, and
// how the engine is.
//
// It promises the shapes of map contract 38
// whatever the engine calls them, instructions in Uzbek that the
// engine has not, an answer or an error within the budget of 25 seconds
// whatever the engine does, never more calls at once than the engine can work
// on, one call for any number of identical questions, and errors that are one
// sentence for people and name no address.
//
// It refuses redirects, answers of more than 32 MB or made to be far more when
// they are decoded, and what the engine would wrongly accept: contours that are
// not positive. How many points, pairs and
// contours are legal, and what a missing parameter means, is decided by who
// asks (web/mapapi).
package route

import (
	"context"
	"encoding/json"
	"time"
)

// EngineName is the constant "engine" of every answer.
const EngineName = "valhalla"

// Engine is what the server needs of a routing engine. Client implements it.
// Errors are sentences for the caller of the API (map contract 55.2);
// each is an *Error.
type Engine interface {
	Route(ctx context.Context, r Request) (*Answer, error)
	Matrix(ctx context.Context, r MatrixRequest) (*Matrix, error)
	Isochrone(ctx context.Context, r IsochroneRequest) (*Isochrone, error)
	Trip(ctx context.Context, r TripRequest) (*Trip, error)
	Match(ctx context.Context, r MatchRequest) (*Match, error)
	Heights(ctx context.Context, at []Point) ([]*float64, error)
	Status(ctx context.Context) (version string, dataTime time.Time, ok bool)
}

// Point is a coordinate in WGS84 degrees.
type Point struct{ Lon, Lat float64 }

// Mode is a way to travel.
type Mode string

// The modes of map contract 49.1.
const (
	Car        Mode = "car"
	Taxi       Mode = "taxi"
	Truck      Mode = "truck"
	Motorcycle Mode = "motorcycle"
	Bus        Mode = "bus"
	Foot       Mode = "foot"
	Bike       Mode = "bike"
)

// ParseMode reads a mode; unknown or empty is Car (map contract 49).
func ParseMode(s string) Mode {
	if _, known := costings[Mode(s)]; known {
		return Mode(s)
	}
	return Car
}

// Preferences are what a traveller by motor may wish. Foot and Bike ignore them.
type Preferences struct {
	AvoidTolls    bool
	AvoidHighways bool
	Shortest      bool // the shortest way instead of the fastest
}

// Request asks for a route through two or more points. The first and the last
// are stops; those between are passed through without stopping or turning round.
type Request struct {
	Points       []Point
	Mode         Mode
	Preferences  Preferences
	Language     string   // echoed; "uz", "ru" or "en", anything else gives English
	Alternatives int      // how many more routes, 0 to 3
	Heading      *float64 // degrees clockwise from north at the first point; nil: any
}

// Answer is what /api/route sends. Routes is never empty.
type Answer struct {
	Routes   []Route  `json:"routes"`
	Language string   `json:"language"`
	Engine   string   `json:"engine"`
	Warnings []string `json:"warnings,omitempty"` // the engine's words
}

// Route is one way from the first to the last point.
type Route struct {
	ID          string     `json:"id"` // "route-0", "route-1", ...
	Mode        Mode       `json:"mode"`
	Distance    float64    `json:"distance"` // metres
	Duration    float64    `json:"duration"` // seconds
	Geometry    Geometry   `json:"geometry"` // of all legs, a joint written once
	BBox        [4]float64 `json:"bbox"`     // minlon, minlat, maxlon, maxlat
	Legs        []Leg      `json:"legs"`
	Summary     string     `json:"summary"` // one or two street names, or empty
	HasToll     bool       `json:"has_toll,omitempty"`
	HasHighway  bool       `json:"has_highway,omitempty"`
	HasFerry    bool       `json:"has_ferry,omitempty"`
	Recommended bool       `json:"recommended"` // of the first route only
}

// Leg is the part of a route between two stops.
type Leg struct {
	Distance float64 `json:"distance"` // metres
	Duration float64 `json:"duration"` // seconds
	Steps    []Step  `json:"steps"`
}

// Step is one manoeuvre and the way to the next.
type Step struct {
	Type           string   `json:"type"`
	Modifier       string   `json:"modifier"`
	Instruction    string   `json:"instruction"`
	Verbal         string   `json:"verbal,omitempty"`
	StreetNames    []string `json:"street_names,omitempty"`
	Distance       float64  `json:"distance"`       // metres
	Duration       float64  `json:"duration"`       // seconds
	GeometryStart  int      `json:"geometry_start"` // index into the route's geometry
	GeometryEnd    int      `json:"geometry_end"`
	RoundaboutExit int      `json:"roundabout_exit,omitempty"`
	Toll           bool     `json:"toll,omitempty"`
	Highway        bool     `json:"highway,omitempty"`
	Ferry          bool     `json:"ferry,omitempty"`
	Sign           *Sign    `json:"sign,omitempty"`
}

// Sign is what stands on the signs of a junction.
type Sign struct {
	ExitNumber []string `json:"exit_number,omitempty"`
	Branch     []string `json:"branch,omitempty"`
	Toward     []string `json:"toward,omitempty"`
}

// MatrixRequest asks for the distance and time from each source to each target.
type MatrixRequest struct {
	Sources, Targets []Point
	Mode             Mode
	Preferences      Preferences
}

// Matrix is what /api/matrix sends.
type Matrix struct {
	Mode    Mode     `json:"mode"`
	Sources int      `json:"sources"` // how many
	Targets int      `json:"targets"` // how many
	Cells   []Cell   `json:"cells"`   // row after row
	Rows    [][]Cell `json:"rows"`    // the same cells by source
	Engine  string   `json:"engine"`
}

// Cell is one pair. Distance (metres) and Duration (seconds) are nil when there
// is no path, which is an answer and no error.
type Cell struct {
	Source   int      `json:"source"`
	Target   int      `json:"target"`
	Distance *float64 `json:"distance"`
	Duration *float64 `json:"duration"`
}

// IsochroneRequest asks how far one gets from a point. Exactly one of Minutes
// and Metres has values.
type IsochroneRequest struct {
	Point      Point
	Mode       Mode
	Minutes    []float64
	Metres     []float64
	Polygons   bool     // areas; else their outlines
	Denoise    *float64 // 0 to 1: how much smaller than the largest a part must be to be dropped
	Generalize *float64 // tolerance of simplification in metres
}

// Isochrone is what /api/isochrone sends, a GeoJSON FeatureCollection. Features
// is never empty.
type Isochrone struct {
	Type     string    `json:"type"`
	Features []Feature `json:"features"`
	Mode     Mode      `json:"mode"`
	Engine   string    `json:"engine"`
}

// Feature is one contour. Its properties are the engine's, with contour_minutes
// or contour_metres beside them.
type Feature struct {
	Type       string                     `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}
