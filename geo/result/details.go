package result

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/geo/country"
	"svc/geo/geom"
	"svc/geo/hours"
	"svc/geo/index"
)

// Place is an entry with everything that is known of it.
type Place struct {
	Result
	MapSource   MapSource         `json:"mapsrc"`
	Tags        map[string]string `json:"tags"`
	Population  int               `json:"population"`
	AdminLevel  int               `json:"admin_level"`
	FullAddress string            `json:"full_address"`
	Details     Details           `json:"details"`
	PhotoHint   string            `json:"photo_hint,omitempty"`
	Nearby      []Result          `json:"nearby"` // null when there is none
	GeometryURL string            `json:"geometry_url,omitempty"`
}

// MapSource names the object of the map database.
type MapSource struct {
	Type string `json:"type"`
	ID   int64  `json:"id"`
	URL  string `json:"url"`
}

// Details are the facts of a place in a fixed order: contacts first, then the
// tags copied under their own names, then opening hours.
type Details struct {
	Facts        []Fact
	OpeningHours string
	Hours        *hours.Schedule
	OpenStatus   *hours.Status
}

// Fact is one entry of Details.
type Fact struct{ Key, Value string }

// contacts are the facts that several tags may give; the first tag present counts.
var contacts = []struct {
	key  string
	tags []string
}{
	{"phone", []string{"phone", "contact:phone"}},
	{"website", []string{"website", "contact:website"}},
	{"photo_social", []string{"contact:photo_social"}},
	{"messenger", []string{"contact:messenger"}},
	{"email", []string{"email", "contact:email"}},
}

var copied = []string{
	"cuisine", "wheelchair", "internet_access", "outdoor_seating", "takeaway", "delivery",
	"building:levels", "height", "capacity", "fee", "stars", "ele", "iata", "brand", "operator",
	"description", "sport", "denomination", "encyclopedia", "entity",
}

// MarshalJSON writes the facts as one object in their order.
func (d Details) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	field := func(key string, value any) error {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if err := enc.Encode(key); err != nil {
			return err
		}
		b.WriteByte(':')
		return enc.Encode(value)
	}
	for _, f := range d.Facts {
		if err := field(f.Key, f.Value); err != nil {
			return nil, err
		}
	}
	if d.Hours != nil {
		for _, f := range []struct {
			key   string
			value any
		}{{"opening_hours", d.OpeningHours}, {"hours", d.Hours}, {"open_status", d.OpenStatus}} {
			if err := field(f.key, f.value); err != nil {
				return nil, err
			}
		}
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

// NewPlace shows all of entry id. photos says whether photos are served. The
// neighbours are the caller's to add.
func NewPlace(x *index.Index, id uint32, lang string, photos bool, now time.Time) Place {
	d := x.Detail(id)
	row := &x.Rows[id]
	p := Place{
		Result: newResult(x, id, &d, lang, nil), Tags: tagsOf(x, &d),
		MapSource:  MapSource{Type: row.Source.Type(), ID: row.Source.ID(), URL: sourceURL(row.Source)},
		Population: d.Population, AdminLevel: d.AdminLevel,
	}
	p.FullAddress = p.Address.Full(lang)
	p.Details = detailsOf(p.Tags, row.Point(), now)
	if entity := p.Tags["entity"]; photos && isEntity(entity) {
		p.PhotoHint = "/api/photo?entity=" + entity
	}
	if d.HasGeometry() && x.Kind(row) != index.Address {
		p.GeometryURL = "/api/geometry/" + strconv.FormatUint(uint64(id), 10)
	}
	return p
}

// isEntity reports whether s has the shape Q123.
func isEntity(s string) bool {
	if len(s) < 2 || s[0] != 'Q' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func sourceURL(s index.Source) string {
	names := map[string]string{"n": "node", "w": "way", "r": "relation"}
	if name, ok := names[s.Type()]; ok {
		return fmt.Sprintf("https://www.openstreetmap.org/%s/%d", name, s.ID())
	}
	return ""
}

func tagsOf(x *index.Index, d *index.Detail) map[string]string {
	tags := make(map[string]string, len(d.Tags))
	for _, t := range d.Tags {
		tags[x.Text(t.Key)] = x.Text(t.Value)
	}
	return tags
}

func detailsOf(tags map[string]string, at geom.Point, now time.Time) Details {
	var d Details
	for _, c := range contacts {
		for _, tag := range c.tags {
			if v := tags[tag]; v != "" {
				d.Facts = append(d.Facts, Fact{c.key, v})
				break
			}
		}
	}
	for _, tag := range copied {
		if v := tags[tag]; v != "" {
			d.Facts = append(d.Facts, Fact{tag, v})
		}
	}
	if raw := tags["opening_hours"]; raw != "" {
		where := hours.Where{Lat: at.Lat(), Lon: at.Lon()}
		if c := country.At(at.Lat(), at.Lon()); c != nil {
			where.Country = c.Code
		}
		h := hours.Parse(raw)
		week, status := h.Week(now, where), h.At(now, where)
		d.OpeningHours, d.Hours, d.OpenStatus = raw, &week, &status
	}
	return d
}

// Feature is the geometry of an entry as GeoJSON.
type Feature struct {
	Type       string            `json:"type"`
	Properties FeatureProperties `json:"properties"`
	Geometry   Geometry          `json:"geometry"`
}

// FeatureProperties say whose geometry it is; the kind of a boundary is admin.
type FeatureProperties struct {
	ID   uint32 `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// Geometry is a GeoJSON geometry; coordinates are [lon, lat] at six decimals.
type Geometry struct {
	Type        string `json:"type"`
	Coordinates any    `json:"coordinates"`
}

// Position is [lon, lat].
type Position [2]json.Number

// simplifyBoundary is how far the ring of a boundary may leave the stored one
// when it is shown, in metres (map contract 8).
const simplifyBoundary = 20

// river is shown as lines, like a street (map contract 45).
const river = "nature.river"

// NewFeature shows the geometry of entry id. Without one it returns the
// message of the refusal: "no polygon" for a boundary relation, "no geometry"
// for the rest.
func NewFeature(x *index.Index, id uint32, lang string) (f Feature, refusal string) {
	row := &x.Rows[id]
	d := x.Detail(id)
	kind := x.Kind(row)
	boundary := kind == index.Place && row.Source.Type() == "r"
	shape := x.Shape(&d)
	if len(shape.Parts) == 0 || kind == index.Address {
		if boundary {
			return f, "no polygon"
		}
		return f, "no geometry"
	}
	r := newResult(x, id, &d, lang, nil)
	f = Feature{Type: "Feature", Properties: FeatureProperties{ID: id, Name: r.Name, Kind: r.Kind}}
	switch {
	case shape.Kind == index.Lines, kind == index.Street, r.Category == river: // however they were drawn
		f.Geometry = Geometry{"MultiLineString", lines(shape.Parts)}
	case boundary:
		f.Properties.Kind = "admin"
		f.Geometry = Geometry{"MultiPolygon", polygons(shape)}
	default:
		f.Geometry = Geometry{"Polygon", lines(shape.Parts[:1])}
	}
	return f, ""
}

func lines(parts [][]geom.Point) [][]Position {
	out := make([][]Position, len(parts))
	for i, part := range parts {
		out[i] = make([]Position, len(part))
		for j, p := range part {
			out[i][j] = Position{degrees(p.X), degrees(p.Y)}
		}
	}
	return out
}

func polygons(s index.Shape) [][][]Position {
	out := [][][]Position{}
	for i, part := range s.Parts {
		ring := lines([][]geom.Point{geom.Simplify(part, simplifyBoundary)})[0]
		if s.Hole[i] && len(out) > 0 {
			out[len(out)-1] = append(out[len(out)-1], ring)
		} else {
			out = append(out, [][]Position{ring})
		}
	}
	return out
}

// degrees writes a coordinate at six decimals.
func degrees(units int32) json.Number {
	return json.Number(strconv.FormatFloat(float64(units)/geom.Scale, 'f', 6, 64))
}
