package route

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// Isochrone asks the engine for contours. Values that are not positive are
// refused here, because the engine answers them with an empty shape (map contract 13).
// The answer is shared and must not be changed.
func (c *Client) Isochrone(ctx context.Context, r IsochroneRequest) (*Isochrone, error) {
	notPositive := func(v float64) bool { return !(v > 0) }
	switch {
	case slices.ContainsFunc(r.Minutes, notPositive):
		return nil, &Error{Message: "contour minutes must be positive"}
	case slices.ContainsFunc(r.Metres, notPositive):
		return nil, &Error{Message: "contour metres must be positive"}
	}
	r.Mode = ParseMode(string(r.Mode))
	value, err := c.post(ctx, "isochrone", "/isochrone", r.body(), func(body []byte) (any, error) { return readIsochrone(body, r) })
	if err != nil {
		return nil, err
	}
	return value.(*Isochrone), nil
}

// maxFeatures bounds the contours of an answer: six were asked, and a contour
// is one feature.
const maxFeatures = 64

// readIsochrone keeps the engine's features that have a shape.
func readIsochrone(body []byte, r IsochroneRequest) (*Isochrone, error) {
	var in struct {
		Type     string `json:"type"`
		Features []struct {
			Properties map[string]json.RawMessage `json:"properties"`
			Geometry   json.RawMessage            `json:"geometry"`
		} `json:"features"`
	}
	if !isochroneBounds.hold(body) || json.Unmarshal(body, &in) != nil || in.Type != "FeatureCollection" || len(in.Features) > maxFeatures {
		return nil, unreadable()
	}
	out := &Isochrone{Type: in.Type, Mode: r.Mode, Engine: EngineName}
	for _, f := range in.Features {
		empty, ok := emptyShape(f.Geometry)
		if !ok {
			return nil, unreadable()
		}
		if !empty {
			out.Features = append(out.Features, Feature{Type: "Feature", Properties: label(f.Properties), Geometry: f.Geometry})
		}
	}
	if len(out.Features) == 0 {
		return nil, &Error{Message: "no reachable area found"}
	}
	return out, nil
}

// shapes that a contour can have.
var contourShapes = []string{"Polygon", "MultiPolygon", "LineString", "MultiLineString"}

// emptyShape reports whether a geometry has no coordinates; ok is false for what
// is no contour.
func emptyShape(geometry json.RawMessage) (empty, ok bool) {
	var g struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if json.Unmarshal(geometry, &g) != nil || !slices.Contains(contourShapes, g.Type) {
		return false, false
	}
	// Numbers and brackets: a text or an object is no coordinate.
	if !bytes.HasPrefix(g.Coordinates, []byte("[")) || bytes.ContainsAny(g.Coordinates, `"{tn`) {
		return false, false
	}
	return !bytes.ContainsAny(g.Coordinates, "0123456789"), true
}

// label adds contour_minutes or contour_metres by the feature's own metric, not
// by what was asked: the engine says kilometres for distances. Properties of a
// surprising type are passed on without a label.
func label(properties map[string]json.RawMessage) map[string]json.RawMessage {
	out := maps.Clone(properties)
	if out == nil {
		out = map[string]json.RawMessage{}
	}
	var metric string
	var contour float64
	if json.Unmarshal(out["metric"], &metric) != nil || json.Unmarshal(out["contour"], &contour) != nil {
		return out
	}
	switch metric {
	case "time":
		out["contour_minutes"] = numberJSON(contour)
	case "distance":
		if metres := math.Round(contour*1e6) / 1e3; !math.IsInf(metres, 0) {
			out["contour_metres"] = numberJSON(metres)
		}
	}
	return out
}
