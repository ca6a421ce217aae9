package route

import (
	"context"
	"encoding/json"
	"math"
)

// MatchRequest asks on which roads a recorded track went.
type MatchRequest struct {
	Points   []Point
	Times    []float64 // seconds of each point, or none; never falling
	Mode     Mode
	Accuracy float64 // of the points, metres; 0: the engine's default
	Radius   float64 // how far from a point a road is looked for, metres; 0: the engine's default
}

// Match is what /api/match sends.
type Match struct {
	Mode       Mode           `json:"mode"`
	Distance   float64        `json:"distance"` // metres along the roads
	Geometry   Geometry       `json:"geometry"` // the way along them
	BBox       [4]float64     `json:"bbox"`
	Confidence float64        `json:"confidence"` // 0 to 1, the engine's
	Points     []MatchedPoint `json:"points"`     // one for each that was asked
	Roads      []MatchedRoad  `json:"roads"`      // in order
	Engine     string         `json:"engine"`
}

// MatchedPoint is where a point of the track lies on a road.
type MatchedPoint struct {
	Lon      float64 `json:"lon"`
	Lat      float64 `json:"lat"`
	Type     string  `json:"type"`               // matched, interpolated (between two that are), unmatched
	Distance float64 `json:"distance,omitempty"` // metres from the point that was asked
	Road     *int    `json:"road,omitempty"`     // index into Roads
	// Break says that the way does not go on from here to the next point.
	Break bool `json:"break,omitempty"`
}

// MatchedRoad is a run of pieces of one name.
type MatchedRoad struct {
	Names         []string `json:"names,omitempty"`
	Distance      float64  `json:"distance"` // metres
	GeometryStart int      `json:"geometry_start"`
	GeometryEnd   int      `json:"geometry_end"`
}

type tracePoint struct {
	Lat  float64  `json:"lat"`
	Lon  float64  `json:"lon"`
	Time *float64 `json:"time,omitempty"`
}

type traceBody struct {
	Shape []tracePoint `json:"shape"`
	costingFields
	Match    string         `json:"shape_match"`
	UseTimes bool           `json:"use_timestamps,omitempty"`
	Options  map[string]any `json:"trace_options,omitempty"`
	Filters  struct {
		Attributes []string `json:"attributes"`
		Action     string   `json:"action"`
	} `json:"filters"`
	Units string `json:"units"`
}

// traceAttributes are the parts of the engine's answer that are read.
var traceAttributes = []string{
	"edge.names", "edge.length", "edge.begin_shape_index", "edge.end_shape_index", "matched.point", "matched.type", "matched.edge_index",
	"matched.distance_from_trace_point", "matched.begin_route_discontinuity", "shape", "confidence_score",
}

func (r MatchRequest) body() traceBody {
	b := traceBody{costingFields: costingOf(r.Mode, Preferences{}), Match: "map_snap", Units: "kilometers", UseTimes: len(r.Times) > 0}
	for i, p := range r.Points {
		t := tracePoint{Lat: p.Lat, Lon: p.Lon}
		if b.UseTimes {
			t.Time = &r.Times[i]
		}
		b.Shape = append(b.Shape, t)
	}
	b.Filters.Attributes, b.Filters.Action = traceAttributes, "include"
	o := map[string]any{}
	if r.Accuracy > 0 {
		o["gps_accuracy"] = r.Accuracy
	}
	if r.Radius > 0 {
		o["search_radius"] = r.Radius
	}
	if len(o) > 0 {
		b.Options = o
	}
	return b
}

// Match asks the engine. The answer is shared and must not be changed.
func (c *Client) Match(ctx context.Context, r MatchRequest) (*Match, error) {
	r.Mode = ParseMode(string(r.Mode))
	value, err := c.post(ctx, "match", "/trace_attributes", r.body(), func(body []byte) (any, error) { return readMatch(body, r) })
	if err != nil {
		return nil, err
	}
	return value.(*Match), nil
}

type engineTrace struct {
	Shape      string  `json:"shape"`
	Confidence float64 `json:"confidence_score"`
	Edges      []struct {
		Names  []string `json:"names"`
		Length float64  `json:"length"` // kilometres
		Begin  int      `json:"begin_shape_index"`
		End    int      `json:"end_shape_index"`
	} `json:"edges"`
	Points []struct {
		Lat      float64 `json:"lat"`
		Lon      float64 `json:"lon"`
		Type     string  `json:"type"`
		Edge     *int64  `json:"edge_index"`
		Distance float64 `json:"distance_from_trace_point"`
		Break    bool    `json:"begin_route_discontinuity"`
	} `json:"matched_points"`
}

func readMatch(body []byte, r MatchRequest) (*Match, error) {
	var in engineTrace
	if !routeBounds.hold(body) || json.Unmarshal(body, &in) != nil || len(in.Points) != len(r.Points) || points(in.Shape) > maxPoints {
		return nil, unreadable()
	}
	line, err := appendPolyline(nil, in.Shape)
	if err != nil || len(line) == 0 {
		return nil, unreadable()
	}
	m := &Match{Mode: r.Mode, Geometry: line, BBox: line.box(), Confidence: in.Confidence, Engine: EngineName, Roads: []MatchedRoad{}}
	roadOf := make([]int, len(in.Edges))
	for i, e := range in.Edges {
		metres, _, ok := measures(e.Length, 0)
		if !ok || e.Begin < 0 || e.End < e.Begin || e.End >= len(line) {
			return nil, unreadable()
		}
		m.Distance += metres
		if n := len(m.Roads); n > 0 && equal(m.Roads[n-1].Names, e.Names) && m.Roads[n-1].GeometryEnd == e.Begin {
			m.Roads[n-1].Distance += metres
			m.Roads[n-1].GeometryEnd = e.End
		} else {
			m.Roads = append(m.Roads, MatchedRoad{Names: e.Names, Distance: metres, GeometryStart: e.Begin, GeometryEnd: e.End})
		}
		roadOf[i] = len(m.Roads) - 1
	}
	m.Distance = millimetres(m.Distance)
	for i := range m.Roads {
		m.Roads[i].Distance = millimetres(m.Roads[i].Distance)
	}
	for i, p := range in.Points {
		out := MatchedPoint{Lon: p.Lon, Lat: p.Lat, Type: p.Type, Distance: math.Round(p.Distance*100) / 100, Break: p.Break}
		if p.Type == "unmatched" {
			out.Lon, out.Lat, out.Distance = r.Points[i].Lon, r.Points[i].Lat, 0
		} else if p.Edge != nil && *p.Edge >= 0 && *p.Edge < int64(len(roadOf)) {
			out.Road = &roadOf[*p.Edge]
		}
		m.Points = append(m.Points, out)
	}
	return m, nil
}

func millimetres(v float64) float64 { return math.Round(v*1e3) / 1e3 }

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
