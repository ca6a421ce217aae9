package mapapi

import (
	"encoding/json"
	"io"
	"net/http"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

const (
	defaultNearby       = 500 // metres
	maxNearby           = 20_000
	defaultNearbyLimit  = 20
	defaultLookupRadius = 120
	farthest            = 20_100_000 // metres: half-way round the Earth
)

func (a *api) reverse(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	p := params{r.URL.Query()}
	lat, lon, ok := p.point()
	if !ok {
		refuse(w, http.StatusBadRequest, "lat and lon required")
		return
	}
	answerReverse(w, p, around.Reverse(e.Index(), lat, lon, p.lang()))
}

func (a *api) lookup(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	p := params{r.URL.Query()}
	lat, lon, ok := p.point()
	if !ok {
		refuse(w, http.StatusBadRequest, "lat and lon required")
		return
	}
	radius, ok := p.number("radius")
	if !ok || radius <= 0 {
		radius = defaultLookupRadius
	}
	found := around.Lookup(e.Index(), geom.FromDegrees(lat, lon), p.Get("name"), min(radius, farthest), p.lang())
	answer(w, struct {
		Result *result.Result `json:"result"`
	}{found})
}

func (a *api) nearby(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	p := params{r.URL.Query()}
	x := e.Index()
	q := around.Nearby{
		At:     geom.FromDegrees(p.coordinate("lat", 90), p.coordinate("lon", 180)),
		Radius: defaultNearby, Limit: max(0, p.integer("limit", defaultNearbyLimit)), Lang: p.lang(), Except: around.NoEntry,
	}
	if radius, ok := p.number("radius"); ok && radius > 0 {
		q.Radius = min(radius, maxNearby)
	}
	kinds := p.kinds()
	if kinds == 0 {
		kinds = kinds.With(index.POI)
	}
	q.Categories = around.OfKinds(x, kinds)
	if wanted := p.Get("category"); wanted != "" {
		q.Categories = q.Categories.And(search.Members(x, wanted))
	}
	if q.Limit == 0 || q.Limit > streamAbove {
		streamNearby(w, x, q, p.wantsGeoJSON())
		return
	}
	if p.wantsGeoJSON() {
		answer(w, collection{Type: "FeatureCollection", Features: featuresOf(around.Find(x, q))})
		return
	}
	answer(w, struct {
		Results []result.Result `json:"results"`
	}{around.Find(x, q)})
}

// streamAbove is the longest list that is made whole before it is sent: of a
// longer one memory holds one result at a time.
const streamAbove = 100

// streamNearby writes a list as it is made.
func streamNearby(w http.ResponseWriter, x *index.Index, q around.Nearby, asGeoJSON bool) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	separator := `{"results":[`
	if asGeoJSON {
		separator = `{"type":"FeatureCollection","features":[`
	}
	around.Each(x, q, func(r result.Result) bool {
		_, err := io.WriteString(w, separator)
		separator = ","
		if err == nil && asGeoJSON {
			return enc.Encode(featureOf(r)) == nil
		}
		return err == nil && enc.Encode(r) == nil // a client that left ends the list
	})
	if separator != "," {
		_, _ = io.WriteString(w, separator)
	}
	_, _ = io.WriteString(w, "]}\n")
}

func (a *api) districts(w http.ResponseWriter, _ *http.Request, e *search.Engine) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	answer(w, struct {
		Type     string            `json:"type"`
		Features []around.District `json:"features"`
	}{"FeatureCollection", around.Districts(e.Index())})
}
