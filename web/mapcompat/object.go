package mapcompat

import (
	"cmp"
	"math"
	"strings"

	"svc/geo/country"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
)

// object is an entry as programs for the map database see it.
type object struct {
	result.Result
	x      *index.Index
	lang   string
	source index.Source
	// key and value are the tag that says what it is, for example amenity=cafe.
	key, value string
	class      class
	tags       map[string]string // without addresses, under the database's own names
	country    string            // its name in lang; "" when nobody knows
	code       string            // two small letters, or ""
}

// class is what kind of thing an object is in the words of both services.
type class struct {
	layer       string // Photon: house, street, locality, district, city, county, state, country, other
	addressType string // Nominatim; "": the key of the object
	rank        int    // Nominatim's place_rank: from 4, a country, to 30, a house
}

var (
	houseClass  = class{"house", "", 30}
	streetClass = class{"street", "road", 26}
	natureClass = class{"other", "", 22}
)

// placeClasses are those of the categories of places.
var placeClasses = map[string]class{
	"place.country":       {"country", "country", 4},
	"place.region":        {"state", "state", 8},
	"place.district":      {"county", "county", 12},
	"place.city":          {"city", "city", 16},
	"place.town":          {"city", "town", 18},
	"place.village":       {"city", "village", 19},
	"place.suburb":        {"district", "suburb", 20},
	"place.neighbourhood": {"locality", "neighbourhood", 24},
	"place.locality":      {"locality", "locality", 25},
	"place.island":        {"other", "island", 20},
}

// tellingTags are the keys that say what an object is, the most telling first.
var tellingTags = []string{
	"amenity", "shop", "tourism", "leisure", "office", "healthcare", "railway", "aeroway", "public_transport", "historic", "natural", "place", "highway",
}

// categoryTags are the tags of categories whose own tag the index does not keep.
var categoryTags = map[string][2]string{
	"nature.river":   {"waterway", "river"},
	"nature.lake":    {"natural", "water"},
	"nature.reserve": {"leisure", "nature_reserve"},
	"place.region":   {"place", "state"},
}

// databaseNames give tags the names back that the index replaced (map contract 8.1).
var databaseNames = map[string]string{
	"entity": "wikidata", "encyclopedia": "wikipedia", "contact:photo_social": "contact:instagram", "contact:messenger": "contact:telegram",
}

// newObject shows entry id in lang.
func newObject(x *index.Index, id uint32, lang string) object {
	return fromResult(x, result.New(x, id, lang, nil), lang)
}

func fromResult(x *index.Index, r result.Result, lang string) object {
	row := &x.Rows[r.ID]
	o := object{Result: r, x: x, lang: lang, source: row.Source, tags: map[string]string{}}
	d := x.Detail(r.ID)
	for _, t := range d.Tags {
		key := x.Text(t.Key)
		if !strings.HasPrefix(key, "addr:") {
			o.tags[cmp.Or(databaseNames[key], key)] = x.Text(t.Value)
		}
	}
	o.classify(x.Kind(row))
	o.locate()
	return o
}

// classify finds the class and the tag of the object.
func (o *object) classify(kind index.Kind) {
	switch kind {
	case index.Address:
		o.class, o.key, o.value = houseClass, "place", "house"
		o.class.addressType = "place"
		return
	case index.Street:
		o.class, o.key, o.value = streetClass, "highway", cmp.Or(o.tags["highway"], "road")
		return
	case index.Place:
		o.class = cmp.Or(placeClasses[o.Category], class{"other", "", 25})
		if o.source.Type() == "r" {
			o.key, o.value = "boundary", "administrative"
			return
		}
		if v := o.tags["place"]; v != "" {
			o.key, o.value = "place", v
			return
		}
	case index.Nature:
		o.class = natureClass
	default:
		o.class = houseClass
	}
	if tag, ok := categoryTags[o.Category]; ok {
		o.key, o.value = tag[0], tag[1]
		return
	}
	for _, key := range tellingTags {
		if v := o.tags[key]; v != "" {
			o.key, o.value = key, v
			return
		}
	}
	group, last, _ := strings.Cut(o.Category, ".")
	o.key, o.value = group, cmp.Or(last, "yes")
}

// locate finds the country: the area of the map that is one, or else the outline.
func (o *object) locate() {
	at := country.At(o.Lat, o.Lon)
	if at != nil {
		o.code, o.country = strings.ToLower(at.Code), at.Name(o.lang)
	}
	o.x.Containing(geom.FromDegrees(o.Lat, o.Lon), func(a *index.AreaRow) {
		if a.Level == countryLevel {
			d := o.x.Detail(a.Entry)
			o.country = cmp.Or(result.NameIn(o.x, &d, o.lang), o.country)
		}
	})
}

// countryLevel is the administrative level of countries.
const countryLevel = 2

// addressType is Nominatim's word for what the object is in an address.
func (o *object) addressType() string { return cmp.Or(o.class.addressType, o.key) }

// part is one line of an address with its key in Nominatim's answers.
type part struct{ key, value string }

// address lists the parts from the object itself to the country, each key once.
func (o *object) address() []part {
	var out []part
	add := func(key, value string) {
		if value == "" {
			return
		}
		for _, p := range out {
			if p.key == key {
				return
			}
		}
		out = append(out, part{key, value})
	}
	a := o.Address
	switch own := o.addressType(); {
	case o.Kind == index.Address.String():
	case o.Kind == index.Street.String():
		a.Street = cmp.Or(a.Street, o.Name)
	case o.hasName():
		add(own, o.Name)
	}
	add("house_number", a.HouseNumber)
	add("road", a.Street)
	add("neighbourhood", a.Neighbourhood)
	add("suburb", a.Suburb)
	if o.class.layer != "city" {
		add("city", a.City)
	}
	add("county", a.District)
	add("state", a.Region)
	add("postcode", a.Postcode)
	add("country", o.country)
	add("country_code", o.code)
	return out
}

// hasName reports whether the map gives the object a name: the category's label
// stands in for it elsewhere.
func (o *object) hasName() bool { return o.x.Rows[o.ID].Has(index.FlagNamed) }

// name is the object's own name; a house has none.
func (o *object) name() string {
	if o.Kind == index.Address.String() || !o.hasName() {
		return ""
	}
	return o.Name
}

// displayName is the whole address on one line.
func (o *object) displayName() string {
	var out []string
	for _, p := range o.address() {
		if p.key != "country_code" && (len(out) == 0 || out[len(out)-1] != p.value) {
			out = append(out, p.value)
		}
	}
	if len(out) == 0 {
		return o.Name
	}
	return strings.Join(out, ", ")
}

// databaseType is the type of the object in the map database, as a letter: N, W
// or R; "" for what comes from elsewhere.
func (o *object) databaseType() string {
	switch t := o.source.Type(); t {
	case "n", "w", "r":
		return strings.ToUpper(t)
	}
	return ""
}

// extent is the box, of a point a little around it, as Nominatim has it.
func (o *object) extent() (west, south, east, north float64) {
	b := o.BBox
	defer func() { west, south, east, north = seven(west), seven(south), seven(east), seven(north) }()
	if b[0] == b[2] && b[1] == b[3] {
		const little = 0.00005 // degrees
		return b[0] - little, b[1] - little, b[2] + little, b[3] + little
	}
	return b[0], b[1], b[2], b[3]
}

// seven rounds degrees to seven decimals.
func seven(v float64) float64 { return math.Round(v*1e7) / 1e7 }

// pointAt is a GeoJSON point in degrees.
func pointAt(lat, lon float64) geometry { return geometry{"Point", [2]float64{lon, lat}} }

// geometry is one of GeoJSON.
type geometry struct {
	Type        string `json:"type"`
	Coordinates any    `json:"coordinates"`
}

// outline is the stored geometry, or the point.
func (o *object) outline() geometry {
	if f, refusal := result.NewFeature(o.x, o.ID, o.lang); refusal == "" {
		return geometry{f.Geometry.Type, f.Geometry.Coordinates}
	}
	return pointAt(o.Lat, o.Lon)
}
