package mapcompat

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/web/reply"
)

const (
	licence     = "Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright"
	attribution = "© OpenStreetMap contributors"
)

// nominatimObject is one object of json and jsonv2, and the properties of one of
// geojson.
type nominatimObject struct {
	PlaceID     uint32            `json:"place_id"`
	Licence     string            `json:"licence,omitempty"` // of a feature in its collection
	OSMType     string            `json:"osm_type,omitempty"`
	OSMID       int64             `json:"osm_id,omitempty"`
	Lat         string            `json:"lat,omitempty"`
	Lon         string            `json:"lon,omitempty"`
	Class       string            `json:"class,omitempty"`    // json
	Category    string            `json:"category,omitempty"` // others
	Type        string            `json:"type"`
	PlaceRank   int               `json:"place_rank"`
	Importance  float64           `json:"importance"`
	AddressType string            `json:"addresstype"`
	Name        string            `json:"name"`
	DisplayName string            `json:"display_name"`
	Address     members           `json:"address,omitempty"`
	ExtraTags   map[string]string `json:"extratags,omitempty"`
	NameDetails map[string]string `json:"namedetails,omitempty"`
	BoundingBox []string          `json:"boundingbox,omitempty"` // south, north, west, east
	GeoJSON     *geometry         `json:"geojson,omitempty"`
}

// members is a JSON object whose members keep their order.
type members []part

// MarshalJSON writes them.
func (m members) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, p := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(p.key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(p.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// databaseTypes are the words for the letters.
var databaseTypes = map[string]string{"N": "node", "W": "way", "R": "relation"}

// degrees writes a coordinate as Nominatim does: as text, with seven decimals.
func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 7, 64) }

// object shows o in one of the two JSON formats.
func (q request) object(o *object) nominatimObject {
	out := nominatimObject{
		PlaceID: o.ID, Licence: licence, OSMType: databaseTypes[o.databaseType()], OSMID: o.source.ID(), Lat: degrees(o.Lat), Lon: degrees(o.Lon),
		Category: o.key, Type: o.value, PlaceRank: o.class.rank, Importance: o.Rank, AddressType: o.addressType(),
		Name: o.name(), DisplayName: o.displayName(),
	}
	if q.format == "json" {
		out.Class, out.Category = o.key, ""
	}
	if q.address {
		out.Address = o.address()
	}
	if q.extra {
		out.ExtraTags = o.tags
	}
	if q.names {
		out.NameDetails = o.nameDetails()
	}
	w, s, e, n := o.extent()
	out.BoundingBox = []string{degrees(s), degrees(n), degrees(w), degrees(e)}
	if q.outline {
		g := o.outline()
		out.GeoJSON = &g
	}
	return out
}

// nameDetails are the names under the keys of the map database.
func (o *object) nameDetails() map[string]string {
	out := map[string]string{}
	d := o.x.Detail(o.ID)
	if o.hasName() {
		out["name"] = o.x.Text(d.Name)
	}
	for _, n := range d.Names {
		key := index.NameKeys[n.Key]
		if !strings.Contains(key, "_") && key != "etymology" {
			key = "name:" + key
		}
		out[key] = o.x.Text(n.Value)
	}
	return out
}

// answer writes a list of objects in the format that was asked for. text is the
// query of a free search, or "".
func (q request) answer(w http.ResponseWriter, list []object, text string) {
	switch q.format {
	case "geojson":
		reply.JSON(w, http.StatusOK, q.geoJSON(list))
	case "geocodejson":
		reply.JSON(w, http.StatusOK, q.geocodeJSON(list, text))
	default:
		out := []nominatimObject{}
		for i := range list {
			out = append(out, q.object(&list[i]))
		}
		reply.JSON(w, http.StatusOK, out)
	}
}

type nominatimFeature struct {
	Type       string     `json:"type"`
	Properties any        `json:"properties"`
	BBox       [4]float64 `json:"bbox"` // west, south, east, north
	Geometry   geometry   `json:"geometry"`
}

type nominatimCollection struct {
	Type      string             `json:"type"`
	Licence   string             `json:"licence,omitempty"`
	Geocoding *geocodingHead     `json:"geocoding,omitempty"`
	Features  []nominatimFeature `json:"features"`
}

type geocodingHead struct {
	Version     string `json:"version"`
	Attribution string `json:"attribution"`
	Licence     string `json:"licence"`
	Query       string `json:"query"`
}

func (q request) feature(o *object, properties any) nominatimFeature {
	w, s, e, n := o.extent()
	f := nominatimFeature{"Feature", properties, [4]float64{w, s, e, n}, pointAt(o.Lat, o.Lon)}
	if q.outline {
		f.Geometry = o.outline()
	}
	return f
}

func (q request) geoJSON(list []object) nominatimCollection {
	out := nominatimCollection{Type: "FeatureCollection", Licence: licence, Features: []nominatimFeature{}}
	for i := range list {
		p := q.object(&list[i])
		p.Licence, p.Lat, p.Lon, p.BoundingBox, p.GeoJSON = "", "", "", nil, nil // they stand in the feature
		out.Features = append(out.Features, q.feature(&list[i], p))
	}
	return out
}

// geocoding is the answer's only property in geocodejson (specification 0.1.0).
type geocoding struct {
	PlaceID     uint32            `json:"place_id"`
	OSMType     string            `json:"osm_type,omitempty"`
	OSMID       int64             `json:"osm_id,omitempty"`
	OSMKey      string            `json:"osm_key"`
	OSMValue    string            `json:"osm_value"`
	Type        string            `json:"type"`
	Label       string            `json:"label"`
	Name        string            `json:"name,omitempty"`
	HouseNumber string            `json:"housenumber,omitempty"`
	Street      string            `json:"street,omitempty"`
	Locality    string            `json:"locality,omitempty"`
	District    string            `json:"district,omitempty"`
	City        string            `json:"city,omitempty"`
	County      string            `json:"county,omitempty"`
	State       string            `json:"state,omitempty"`
	Postcode    string            `json:"postcode,omitempty"`
	Country     string            `json:"country,omitempty"`
	CountryCode string            `json:"country_code,omitempty"`
	Extra       map[string]string `json:"extra,omitempty"`
}

func (q request) geocodeJSON(list []object, text string) nominatimCollection {
	out := nominatimCollection{
		Type: "FeatureCollection", Geocoding: &geocodingHead{"0.1.0", attribution, "ODbL", text}, Features: []nominatimFeature{},
	}
	for i := range list {
		o := &list[i]
		g := geocoding{
			PlaceID: o.ID, OSMType: databaseTypes[o.databaseType()], OSMID: o.source.ID(), OSMKey: o.key, OSMValue: o.value,
			Type: o.class.layer, Label: o.displayName(), Name: o.name(),
		}
		if q.address {
			p := o.photon(false).Properties
			g.HouseNumber, g.Street, g.Locality, g.District, g.City = p.HouseNumber, p.Street, p.Locality, p.District, p.City
			g.County, g.State, g.Postcode, g.Country, g.CountryCode = p.County, p.State, p.Postcode, p.Country, o.code
		}
		if q.extra {
			g.Extra = o.tags
		}
		out.Features = append(out.Features, q.feature(o, struct {
			Geocoding geocoding `json:"geocoding"`
		}{g}))
	}
	return out
}
