package mapcompat

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/geo/geocode"
	"svc/geo/index"
	"svc/geo/search"
	"svc/web/reply"
)

// Limits of Nominatim.
const (
	nominatimLimit = 10
	nominatimMost  = 40
	maxLookups     = 50 // objects of one /lookup
)

// nominatimError answers as Nominatim does.
func nominatimError(w http.ResponseWriter, status int, message string) {
	type inner struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	reply.JSON(w, status, struct {
		Error inner `json:"error"`
	}{inner{status, message}})
}

// request is what the endpoints of Nominatim have in common.
type request struct {
	params
	format string // json, jsonv2, geojson or geocodejson
	lang   string
	address,
	extra,
	names,
	outline bool
}

// formats are those of the endpoints that answer with objects.
var formats = []string{"json", "jsonv2", "geojson", "geocodejson"}

// readRequest reads it; when ok is false the refusal has been written. address is
// whether the parts of the address are in the answer when nothing is said.
func readRequest(w http.ResponseWriter, r *http.Request, address bool) (q request, ok bool) {
	p := params{r.URL.Query()}
	q = request{
		params: p, format: p.Get("format"), lang: languageOf(r, p, "accept-language"), address: p.flag("addressdetails", address),
		extra: p.flag("extratags", false), names: p.flag("namedetails", false), outline: p.flag("polygon_geojson", false),
	}
	if q.format == "" {
		q.format = "jsonv2"
	}
	if !slices.Contains(formats, q.format) {
		nominatimError(w, http.StatusBadRequest, "Parameter 'format' must be one of: "+strings.Join(formats, ", "))
		return q, false
	}
	return q, true
}

// structured are the parameters of a structured search, from the object to the country.
var structured = []string{"amenity", "street", "city", "county", "state", "country", "postalcode"}

// nominatimSearch serves /nominatim/search.
func (h *handler) nominatimSearch(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	q, ok := readRequest(w, r, false)
	if !ok {
		return
	}
	text := strings.TrimSpace(q.Get("q"))
	fields := q.fields()
	switch {
	case text == "" && fields.IsZero():
		nominatimError(w, http.StatusBadRequest, "Nothing to search for.")
		return
	case text != "" && !fields.IsZero():
		nominatimError(w, http.StatusBadRequest,
			"Structured query parameters ("+strings.Join(structured, ", ")+") cannot be used together with 'q' parameter.")
		return
	}
	filter, wrong := q.filter()
	if wrong != "" {
		nominatimError(w, http.StatusBadRequest, wrong)
		return
	}
	base := search.Query{Text: text, Lang: q.lang, Kinds: filter.kinds, Layout: h.Layout, Limit: maxFetched}
	if box := q.box("viewbox"); box != nil && q.flag("bounded", false) {
		base.Box = box
	} else if box != nil {
		at := box.Center()
		base.Ref = &at
	}
	var found []object
	for _, m := range geocode.New(e).Ask(base, fields) {
		if o := fromResult(e.Index(), m.Result, q.lang); filter.passes(&o) {
			found = append(found, o)
		}
	}
	limit := q.limit(nominatimLimit, nominatimMost)
	q.answer(w, found[:min(limit, len(found))], text)
}

// fields reads a structured search.
func (q request) fields() geocode.Fields {
	part := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return geocode.Fields{
		Name: part("amenity"), Street: part("street"), City: part("city"), County: part("county"),
		State: part("state"), Country: part("country"), Postcode: part("postalcode"),
	}
}

// filter is what a search leaves out of what it finds.
type filter struct {
	kinds     search.KindSet // 0: every kind
	countries []string       // small letters
	feature   string         // country, state, city, settlement
	exclude   []string       // place_id
}

// filter reads layer, featureType, countrycodes and exclude_place_ids.
func (q request) filter() (f filter, wrong string) {
	for _, l := range q.list("layer") {
		kinds, ok := layerKinds[l]
		if !ok {
			return f, "Parameter 'layer' must be one of: address, poi, railway, natural, manmade"
		}
		f.kinds |= kinds
	}
	switch f.feature = q.Get("featureType"); f.feature {
	case "":
	case "country", "state", "city", "settlement":
		f.kinds = search.KindSet(0).With(index.Place)
	default:
		return f, "Parameter 'featureType' must be one of: settlement, country, city, state"
	}
	for _, c := range q.list("countrycodes") {
		if len(c) == 2 {
			f.countries = append(f.countries, strings.ToLower(c))
		}
	}
	f.exclude = q.list("exclude_place_ids")
	return f, ""
}

// layerKinds are the kinds of Nominatim's layers.
var layerKinds = map[string]search.KindSet{
	"address": search.KindSet(0).With(index.Address).With(index.Street).With(index.Place),
	"poi":     search.KindSet(0).With(index.POI),
	"railway": search.KindSet(0).With(index.POI),
	"natural": search.KindSet(0).With(index.Nature),
	"manmade": search.KindSet(0).With(index.POI),
}

func (f filter) passes(o *object) bool {
	if len(f.countries) > 0 && o.code != "" && !slices.Contains(f.countries, o.code) {
		return false
	}
	if slices.Contains(f.exclude, strconv.FormatUint(uint64(o.ID), 10)) {
		return false
	}
	switch f.feature {
	case "country", "state", "city":
		return o.class.layer == f.feature
	case "settlement":
		return o.class.rank >= placeClasses["place.region"].rank && o.class.rank <= placeClasses["place.neighbourhood"].rank
	}
	return true
}

// nominatimReverse serves /nominatim/reverse.
func (h *handler) nominatimReverse(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	q, ok := readRequest(w, r, true)
	if !ok {
		return
	}
	lat, lon, missing := q.point()
	if missing != "" {
		what := "Parameter '" + missing + "' missing."
		if q.Get(missing) != "" {
			what = "Parameter '" + missing + "' must be a number of degrees."
		}
		nominatimError(w, http.StatusBadRequest, what)
		return
	}
	zoom, err := strconv.Atoi(q.Get("zoom"))
	if err != nil {
		zoom = houseZoom
	}
	o, ok := reverseAt(e.Index(), lat, lon, zoom, q.lang)
	if !ok {
		const nothing = "Unable to geocode"
		if q.format == "geocodejson" || q.format == "geojson" {
			nominatimError(w, http.StatusOK, nothing)
			return
		}
		reply.JSON(w, http.StatusOK, struct {
			Error string `json:"error"`
		}{nothing})
		return
	}
	if q.format == "json" || q.format == "jsonv2" {
		reply.JSON(w, http.StatusOK, q.object(&o))
		return
	}
	q.answer(w, []object{o}, "")
}

// nominatimLookup serves /nominatim/lookup: objects by their number in the map
// database; those that the map does not have are left out.
func (h *handler) nominatimLookup(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	q, ok := readRequest(w, r, true)
	if !ok {
		return
	}
	ids := q.list("osm_ids")
	if len(ids) == 0 {
		nominatimError(w, http.StatusBadRequest, "Parameter 'osm_ids' missing.")
		return
	}
	if len(ids) > maxLookups {
		nominatimError(w, http.StatusBadRequest, "Too many object IDs: at most "+strconv.Itoa(maxLookups)+" are allowed.")
		return
	}
	var found []object
	for _, text := range ids {
		number, err := strconv.ParseInt(text[1:], 10, 60)
		source, known := index.ParseSource(strings.ToLower(text[:1]), number)
		if err != nil || !known {
			nominatimError(w, http.StatusBadRequest, "Bad object ID '"+text+"': write N, W or R and a number.")
			return
		}
		if id, ok := e.Index().BySource(source); ok {
			found = append(found, newObject(e.Index(), id, q.lang))
		}
	}
	q.answer(w, found, "")
}

// nominatimStatus serves /nominatim/status, which needs no key.
func (h *handler) nominatimStatus(w http.ResponseWriter, r *http.Request) {
	engine, release := h.Map.Acquire()
	defer release()
	if r.URL.Query().Get("format") != "json" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if engine == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "ERROR: "+NoIndex)
			return
		}
		_, _ = io.WriteString(w, "OK")
		return
	}
	if engine == nil {
		reply.JSON(w, http.StatusOK, struct {
			Status  int    `json:"status"`
			Message string `json:"message"`
		}{700, NoIndex})
		return
	}
	meta := engine.Index().Meta
	updated := meta.SourceTime
	if updated.IsZero() {
		updated = meta.BuiltAt
	}
	reply.JSON(w, http.StatusOK, struct {
		Status   int    `json:"status"`
		Message  string `json:"message"`
		Updated  string `json:"data_updated"`
		Software string `json:"software_version"`
		Database string `json:"database_version"`
	}{0, "OK", updated.UTC().Format(time.RFC3339), h.Version, h.Version})
}
