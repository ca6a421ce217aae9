package mapcompat

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
	"svc/web/reply"
)

// Limits of Photon.
const (
	photonLimit     = 15
	photonMost      = maxFetched
	photonRadius    = 1.0 // kilometres
	photonMaxRadius = 20  // kilometres: as far as /api/nearby looks
	metresPerKm     = 1000.0
)

type photonAnswer struct {
	Type     string          `json:"type"`
	Features []photonFeature `json:"features"`
}

type photonFeature struct {
	Type       string           `json:"type"`
	Properties photonProperties `json:"properties"`
	Geometry   geometry         `json:"geometry"`
}

type photonProperties struct {
	OSMType     string            `json:"osm_type,omitempty"`
	OSMID       int64             `json:"osm_id"`
	OSMKey      string            `json:"osm_key"`
	OSMValue    string            `json:"osm_value"`
	Type        string            `json:"type"`
	CountryCode string            `json:"countrycode,omitempty"`
	Name        string            `json:"name,omitempty"`
	HouseNumber string            `json:"housenumber,omitempty"`
	Street      string            `json:"street,omitempty"`
	Locality    string            `json:"locality,omitempty"`
	District    string            `json:"district,omitempty"`
	City        string            `json:"city,omitempty"`
	County      string            `json:"county,omitempty"`
	State       string            `json:"state,omitempty"`
	Country     string            `json:"country,omitempty"`
	Postcode    string            `json:"postcode,omitempty"`
	Extra       map[string]string `json:"extra,omitempty"`
	Extent      *[4]float64       `json:"extent,omitempty"` // west, north, east, south
}

// photonError answers as Photon does.
func photonError(w http.ResponseWriter, status int, message string) {
	reply.JSON(w, status, struct {
		Message string `json:"message"`
	}{message})
}

// photonFilters are what both searches let through by tag and layer; ok is false when it
// refused.
func photonFilters(w http.ResponseWriter, p params) (filters []tagFilter, layers []string, ok bool) {
	filters, wrong := readTagFilters(p.Values["osm_tag"])
	layers = p.Values["layer"]
	switch {
	case wrong != "":
		photonError(w, http.StatusBadRequest, "invalid osm_tag: "+wrong)
		return nil, nil, false
	case !knownLayers(layers):
		photonError(w, http.StatusBadRequest, "invalid layer; known are "+strings.Join(photonLayers, ", "))
		return nil, nil, false
	}
	return filters, layers, true
}

// photonSearch serves /photon/api.
func (h *handler) photonSearch(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	p := params{r.URL.Query()}
	text := strings.TrimSpace(p.Get("q"))
	if text == "" {
		photonError(w, http.StatusBadRequest, "missing search term 'q': /?q=berlin")
		return
	}
	filters, layers, ok := photonFilters(w, p)
	if !ok {
		return
	}
	limit := p.limit(photonLimit, photonMost)
	q := search.Query{
		Text: text, Lang: languageOf(r, p, "lang"), Limit: limit, Kinds: kindsOf(layers), Box: p.box("bbox"), Layout: h.Layout,
	}
	if len(filters) > 0 || len(layers) > 0 {
		q.Limit = maxFetched
	}
	if lat, lon, missing := p.point(); missing == "" {
		at := geom.FromDegrees(lat, lon)
		q.Ref = &at
	}
	x := e.Index()
	out := photonAnswer{"FeatureCollection", []photonFeature{}}
	for _, found := range e.Search(q).Results {
		o := fromResult(x, found, q.Lang)
		if len(out.Features) < limit && o.passes(filters) && o.in(layers) {
			out.Features = append(out.Features, o.photon(p.flag("geometry", false)))
		}
	}
	reply.JSON(w, http.StatusOK, out)
}

// photonReverse serves /photon/reverse: what stands at the point, and with a higher
// limit what is around it, nearest first.
func (h *handler) photonReverse(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	p := params{r.URL.Query()}
	lat, lon, missing := p.point()
	if missing != "" {
		photonError(w, http.StatusBadRequest, "missing or invalid parameter '"+missing+"': /reverse?lon=10&lat=52.3")
		return
	}
	filters, layers, ok := photonFilters(w, p)
	if !ok {
		return
	}
	radius, ok := p.number("radius")
	if !ok || radius <= 0 {
		radius = photonRadius
	}
	lang := languageOf(r, p, "lang")
	limit := p.limit(1, photonMost)
	x := e.Index()
	out := photonAnswer{"FeatureCollection", []photonFeature{}}
	for _, id := range atPoint(x, lat, lon, min(radius, photonMaxRadius)*metresPerKm, kindsOf(layers), limit > 1 || len(filters)+len(layers) > 0) {
		o := newObject(x, id, lang)
		if len(out.Features) < limit && o.passes(filters) && o.in(layers) {
			out.Features = append(out.Features, o.photon(false))
		}
	}
	reply.JSON(w, http.StatusOK, out)
}

// atPoint lists what reverse geocoding finds at a point, the best first: the place
// and the street, and when more is wanted the entries within metres by distance.
func atPoint(x *index.Index, lat, lon, metres float64, kinds search.KindSet, more bool) []uint32 {
	var ids []uint32
	add := func(id uint32) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	at := around.Reverse(x, lat, lon, result.Languages[0])
	if at.Place != nil && at.Place.Distance <= metres {
		add(at.Place.ID)
	}
	if at.Street != nil && at.Street.Distance <= metres {
		add(at.Street.ID)
	}
	if len(ids) > 0 && !more {
		return ids
	}
	if kinds == 0 {
		kinds = search.KindSet(0).With(index.POI).With(index.Address).With(index.Nature)
	}
	near := around.Find(x, around.Nearby{
		At: geom.FromDegrees(lat, lon), Radius: metres, Categories: around.OfKinds(x, kinds),
		Limit: maxFetched, Lang: result.Languages[0], Named: true, Except: around.NoEntry,
	})
	slices.SortStableFunc(near, func(a, b result.Result) int { return cmp.Compare(a.Distance, b.Distance) })
	for _, n := range near {
		add(n.ID)
	}
	if len(ids) == 0 {
		if area, ok := smallestArea(x, lat, lon, 1<<8-1); ok {
			add(area)
		}
	}
	return ids
}

// photon shows the object as a feature, with its outline when that is wanted.
func (o *object) photon(outline bool) photonFeature {
	a := o.Address
	p := photonProperties{
		OSMType: o.databaseType(), OSMID: o.source.ID(), OSMKey: o.key, OSMValue: o.value, Type: o.class.layer,
		CountryCode: strings.ToUpper(o.code), Name: o.name(), HouseNumber: a.HouseNumber, Street: a.Street,
		Locality: a.Neighbourhood, District: a.Suburb, City: a.City, County: a.District, State: a.Region,
		Country: o.country, Postcode: a.Postcode,
	}
	switch o.class.layer { // its own name does not stand again as its address
	case "street":
		p.Street = ""
	case "locality":
		p.Locality = ""
	case "district":
		p.District = ""
	case "city":
		p.City = ""
	case "county":
		p.County = ""
	case "state":
		p.State = ""
	case "country":
		p.Country = o.country
	}
	if b := o.BBox; b[0] != b[2] || b[1] != b[3] {
		p.Extent = &[4]float64{b[0], b[3], b[2], b[1]}
	}
	f := photonFeature{"Feature", p, pointAt(o.Lat, o.Lon)}
	if outline {
		f.Geometry = o.outline()
	}
	return f
}

// photonLayers are the values of the parameter layer.
var photonLayers = []string{"house", "street", "locality", "district", "city", "county", "state", "country", "other"}

func knownLayers(layers []string) bool {
	return !slices.ContainsFunc(layers, func(l string) bool { return !slices.Contains(photonLayers, l) })
}

// kindsOf are the kinds that objects of the layers have; 0 for every kind.
func kindsOf(layers []string) (set search.KindSet) {
	for _, l := range layers {
		switch l {
		case "house":
			set = set.With(index.POI).With(index.Address)
		case "street":
			set = set.With(index.Street)
		case "other":
			set = set.With(index.Nature).With(index.Place)
		default:
			set = set.With(index.Place)
		}
	}
	return set
}

func (o *object) in(layers []string) bool {
	return len(layers) == 0 || slices.Contains(layers, o.class.layer)
}

// photonStatus serves /photon/status.
func (h *handler) photonStatus(w http.ResponseWriter) {
	engine, release := h.Map.Acquire()
	defer release()
	if engine == nil {
		photonError(w, http.StatusServiceUnavailable, NoIndex)
		return
	}
	reply.JSON(w, http.StatusOK, struct {
		Status     string `json:"status"`
		ImportDate string `json:"import_date"`
		Version    string `json:"version"`
	}{"Ok", engine.Index().Meta.BuiltAt.UTC().Format(time.RFC3339), h.Version})
}
