package mapapi

import (
	"net/http"

	"svc/geo/around"
	"svc/geo/result"
	"svc/geo/search"
)

// wantsGeoJSON reports whether a request asks for its answer as GeoJSON (map
// contract 30.1). Any other format is the usual answer, as bad parameters are
// everywhere.
func (p params) wantsGeoJSON() bool { return p.Get("format") == "geojson" }

// collection is an answer as GeoJSON (RFC 7946). What belongs to the whole answer
// stands beside the features, under the names of the usual answer.
type collection struct {
	Type     string         `json:"type"`
	Query    *string        `json:"query,omitempty"`
	TookMS   *float64       `json:"took_ms,omitempty"`
	Intent   *search.Intent `json:"intent,omitempty"`
	Features []feature      `json:"features"`
}

// feature is one result: a point, and the result object as its properties.
type feature struct {
	Type       string      `json:"type"`
	ID         *uint32     `json:"id,omitempty"`
	BBox       *[4]float64 `json:"bbox,omitempty"`
	Geometry   point       `json:"geometry"`
	Properties any         `json:"properties"`
}

type point struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"` // lon, lat
}

func featureOf(r result.Result) feature {
	return feature{Type: "Feature", ID: &r.ID, BBox: &r.BBox, Geometry: point{"Point", [2]float64{r.Lon, r.Lat}}, Properties: r}
}

func featuresOf(list []result.Result) []feature {
	out := make([]feature, 0, len(list))
	for _, r := range list {
		out = append(out, featureOf(r))
	}
	return out
}

// answerSearch writes what a search found.
func answerSearch(w http.ResponseWriter, p params, a searchAnswer) {
	if !p.wantsGeoJSON() {
		answer(w, a)
		return
	}
	answer(w, collection{"FeatureCollection", &a.Query, &a.TookMS, a.Intent, featuresOf(a.Results)})
}

// answerReverse writes what stands at a point. As GeoJSON it is one feature, at the
// place that was found, else at the nearest point of the street, else where it was
// asked.
func answerReverse(w http.ResponseWriter, p params, r around.Reversed) {
	if !p.wantsGeoJSON() {
		answer(w, r)
		return
	}
	f := feature{Type: "Feature", Geometry: point{"Point", [2]float64{r.Lon, r.Lat}}, Properties: r}
	switch {
	case r.Place != nil:
		f.ID, f.BBox, f.Geometry.Coordinates = &r.Place.ID, &r.Place.BBox, [2]float64{r.Place.Lon, r.Place.Lat}
	case r.Street != nil:
		f.ID, f.Geometry.Coordinates = &r.Street.ID, [2]float64{r.Street.Lon, r.Street.Lat}
	}
	answer(w, collection{Type: "FeatureCollection", Features: []feature{f}})
}
