// Package result turns index entries into the answers of the map service: the
// result object, the address, the label, place details and geometry.
//
// It promises the names, fields and omissions of map contract 31 to 33, in
// every language; it refuses nothing and
// knows nothing of HTTP.
package result

import (
	"math"
	"strings"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
)

// Result is one entry as search, autocomplete, lookup, nearby and reverse show it.
type Result struct {
	ID            uint32            `json:"id"`
	Kind          string            `json:"kind"`
	Category      string            `json:"category"`
	Group         string            `json:"group"`
	Icon          string            `json:"icon"`
	Name          string            `json:"name"`
	Label         string            `json:"label"`
	CategoryLabel string            `json:"category_label"`
	Lat           float64           `json:"lat"`
	Lon           float64           `json:"lon"`
	BBox          [4]float64        `json:"bbox"`               // minlon, minlat, maxlon, maxlat
	Distance      float64           `json:"distance,omitempty"` // metres from the reference point
	Address       Address           `json:"address"`
	Names         map[string]string `json:"names,omitempty"`
	Matched       []string          `json:"matched,omitempty"`
	Rank          float64           `json:"rank"`
	Reason        string            `json:"reason,omitempty"`
	Approximate   bool              `json:"approximate,omitempty"` // a house with another number than the one that was asked for
}

// Address holds primary names, whatever the language of the answer.
type Address struct {
	Street        string `json:"street,omitempty"`
	HouseNumber   string `json:"housenumber,omitempty"`
	Neighbourhood string `json:"neighbourhood,omitempty"`
	Suburb        string `json:"suburb,omitempty"`
	City          string `json:"city,omitempty"`
	District      string `json:"district,omitempty"`
	Region        string `json:"region,omitempty"`
	Postcode      string `json:"postcode,omitempty"`
}

// Languages of the API; anything else is read as the first.
var Languages = []string{"uz", "ru", "en", "uz-Cyrl"}

// Language reads a lang parameter.
func Language(s string) string {
	for _, l := range Languages {
		if s == l {
			return l
		}
	}
	return Languages[0]
}

// New shows entry id in lang. ref is the reference point for the distance; nil
// without one.
func New(x *index.Index, id uint32, lang string, ref *geom.Point) Result {
	d := x.Detail(id)
	return newResult(x, id, &d, lang, ref)
}

func newResult(x *index.Index, id uint32, d *index.Detail, lang string, ref *geom.Point) Result {
	row := &x.Rows[id]
	r := Result{
		ID: id, Kind: x.Kind(row).String(), Category: x.CategoryID(row.Category),
		Lat: row.Point().Lat(), Lon: row.Point().Lon(),
		BBox: BBox(d.Box), Address: addressOf(x, row, d), Names: namesOf(x, d), Rank: row.Importance(),
	}
	r.Group, r.Icon, r.CategoryLabel = Classify(r.Category, lang)
	r.Name = displayName(x, row, d, lang)
	if r.Name == "" {
		r.Name = r.CategoryLabel
	}
	r.Label = label(r.Name, append([]string{r.CategoryLabel}, r.Address.Lines()...))
	if ref != nil {
		r.Distance = Round(geom.Distance(*ref, row.Point()))
	}
	return r
}

// Round gives metres with two decimals; what is not zero does not become it.
func Round(metres float64) float64 {
	if r := math.Round(metres*100) / 100; r > 0 || metres == 0 {
		return r
	}
	return 0.01
}

// BBox gives a box as minlon, minlat, maxlon, maxlat in degrees.
func BBox(b geom.Box) [4]float64 {
	return [4]float64{
		float64(b.MinX) / geom.Scale, float64(b.MinY) / geom.Scale,
		float64(b.MaxX) / geom.Scale, float64(b.MaxY) / geom.Scale,
	}
}

// Classify gives group, icon and label of a category. One outside the taxonomy
// takes its group from the prefix and the icon from the group.
func Classify(id, lang string) (group, icon, text string) {
	if i, ok := category.Index(id); ok {
		c := category.All()[i]
		return c.Group, c.Icon, c.Label.In(lang)
	}
	group, _, _ = strings.Cut(id, ".")
	return group, category.Icon(id), ""
}

// nameOrder is the order of variants in each language; the primary name follows.
var nameOrder = map[string][]uint8{
	"uz":      {index.NameUZ},
	"uz-Cyrl": {index.NameUZCyrl, index.NameRU},
	"ru":      {index.NameRU, index.NameUZCyrl},
	"en":      {index.NameEN, index.NameUZ},
}

// NameIn is the name of an entry in lang by the name rule; empty when it has none.
func NameIn(x *index.Index, d *index.Detail, lang string) string {
	for _, key := range nameOrder[lang] {
		if n := x.NameIn(d, key); n != "" {
			return n
		}
	}
	return x.Text(d.Name)
}

// displayName is NameIn, and for an address its street in lang and its number.
func displayName(x *index.Index, row *index.Row, d *index.Detail, lang string) string {
	if x.Kind(row) != index.Address {
		return NameIn(x, d, lang)
	}
	street := x.Text(d.Street)
	if d.StreetEntry > 0 {
		s := x.Detail(d.StreetEntry - 1)
		street = NameIn(x, &s, lang)
	}
	if street == "" {
		street = x.Text(x.Admin(row).Neighbourhood)
	}
	return joinNonEmpty(", ", street, x.Text(d.House))
}

func addressOf(x *index.Index, row *index.Row, d *index.Detail) Address {
	a := AdminAddress(x, x.Admin(row))
	a.Street, a.HouseNumber, a.Postcode = x.Text(d.Street), x.Text(d.House), x.Text(d.Postcode)
	return a
}

// AdminAddress is the administrative part of an address.
func AdminAddress(x *index.Index, a index.Admin) Address {
	return Address{
		Neighbourhood: x.Text(a.Neighbourhood), Suburb: x.Text(a.Suburb), City: x.Text(a.City),
		District: x.Text(a.District), Region: x.Text(a.Region),
	}
}

// Lines are the parts of an address as it is written on one line: street and
// number or the neighbourhood, the district unless it is the city, the city or
// else the region.
func (a Address) Lines() []string {
	var lines []string
	add := func(s string) {
		if s != "" {
			lines = append(lines, s)
		}
	}
	if a.Street != "" {
		add(joinNonEmpty(", ", a.Street, a.HouseNumber))
	} else {
		add(a.Neighbourhood)
	}
	if a.District != a.City {
		add(a.District)
	}
	if a.City != "" {
		add(a.City)
	} else {
		add(a.Region)
	}
	return lines
}

// Full is the whole address on one line; a text for a bare point when empty.
func (a Address) Full(lang string) string {
	if lines := a.Lines(); len(lines) > 0 {
		return strings.Join(lines, ", ")
	}
	switch lang {
	case "ru":
		return "Точка на карте"
	case "en":
		return "Dropped pin"
	}
	return "Xaritadagi nuqta"
}

// Short is the street and number, else the first of the areas that is known.
func (a Address) Short() string {
	if a.Street != "" {
		return joinNonEmpty(", ", a.Street, a.HouseNumber)
	}
	for _, s := range []string{a.Neighbourhood, a.District, a.City, a.Region} {
		if s != "" {
			return s
		}
	}
	return ""
}

func joinNonEmpty(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// label joins parts, without those that are empty, repeated or the name itself.
func label(name string, parts []string) string {
	var kept []string
	for _, p := range parts {
		seen := p == "" || p == name
		for _, k := range kept {
			seen = seen || k == p
		}
		if !seen {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}

func namesOf(x *index.Index, d *index.Detail) map[string]string {
	if len(d.Names) == 0 {
		return nil
	}
	names := make(map[string]string, len(d.Names))
	for _, n := range d.Names {
		names[index.NameKeys[n.Key]] = x.Text(n.Value)
	}
	return names
}
