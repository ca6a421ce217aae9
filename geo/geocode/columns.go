package geocode

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"svc/geo/geom"
	"svc/geo/result"
	"svc/geo/search"
)

// headers are the names that columns have, in small letters with _ for spaces, by the
// field that they fill.
var headers = map[string][]string{
	"q":           {"q", "query", "question", "address", "full_address", "addr:full", "manzil", "адрес"},
	"name":        {"name", "poi", "amenity", "nomi", "название"},
	"street":      {"street", "road", "addr:street", "koʻcha", "ko'cha", "kocha", "улица"},
	"housenumber": {"housenumber", "house_number", "house", "addr:housenumber", "uy", "дом"},
	"city":        {"city", "town", "village", "addr:city", "shahar", "город"},
	"district":    {"district", "county", "addr:district", "tuman", "район"},
	"region":      {"region", "state", "province", "viloyat", "область"},
	"country":     {"country", "addr:country", "davlat", "mamlakat", "страна"},
	"postcode":    {"postcode", "postalcode", "postal_code", "zip", "addr:postcode", "indeks", "индекс"},
	"lat":         {"lat", "latitude"},
	"lon":         {"lon", "lng", "longitude"},
	"lang":        {"lang", "language"},
}

// asking are the fields that can be a question by themselves.
var asking = []string{"q", "name", "street", "city", "district", "region", "country", "postcode"}

// FieldNames lists what a column may fill.
func FieldNames() []string { return slices.Sorted(maps.Keys(headers)) }

// FoundColumns are the columns that a result adds to its row: degrees, kind, names,
// the reference n, w or r and a number, the score from 0 to 1, and the reason of the
// result, or "nothing" or "empty".
var FoundColumns = []string{"found_lat", "found_lon", "found_kind", "found_name", "found_address", "found_mapsrc", "found_score", "found_reason"}

// Reasons of a row without a result.
const (
	nothingFound = "nothing"
	emptyRow     = "empty"
)

// columns say where in a row each field stands.
type columns map[string]int

// columnsOf finds them by their names; chosen names headers itself, by field.
func columnsOf(header []string, chosen map[string]string) (columns, error) {
	at := map[string]int{}
	for i, h := range header {
		key := headerKey(h)
		if _, duplicate := at[key]; !duplicate {
			at[key] = i
		}
	}
	c := columns{}
	for field, names := range headers {
		for _, name := range names {
			if i, ok := at[name]; ok {
				c[field] = i
				break
			}
		}
	}
	for field, name := range chosen {
		if _, ok := headers[field]; !ok {
			return nil, fmt.Errorf("there is no field %q; there are %s", field, strings.Join(FieldNames(), ", "))
		}
		i, ok := at[headerKey(name)]
		if !ok {
			return nil, fmt.Errorf("the file has no column %q; it has %s", name, strings.Join(header, ", "))
		}
		c[field] = i
	}
	if !slices.ContainsFunc(asking, func(f string) bool { _, ok := c[f]; return ok }) {
		return nil, fmt.Errorf("no column is a question: name one of them %s, or say which is, for example --column q=%s",
			strings.Join(asking, ", "), header[0])
	}
	for _, name := range FoundColumns {
		if _, ok := at[name]; ok {
			return nil, fmt.Errorf("the file has a column %s already; it is an answer, or rename that column", name)
		}
	}
	return c, nil
}

func headerKey(s string) string {
	s = strings.NewReplacer("‘", "ʻ", "’", "ʻ", "`", "ʻ").Replace(strings.ToLower(strings.TrimSpace(s)))
	return strings.Join(strings.Fields(s), "_")
}

// of is the value of a field in a row.
func (c columns) of(row []string, field string) string {
	i, ok := c[field]
	if !ok || i >= len(row) {
		return ""
	}
	return strings.TrimSpace(row[i])
}

// question reads a row. A text beside parts of an address is looked for within them.
func (c columns) question(row []string, lang string) (search.Query, Fields) {
	f := Fields{
		Name: c.of(row, "name"), Street: c.of(row, "street"), House: c.of(row, "housenumber"), City: c.of(row, "city"),
		County: c.of(row, "district"), State: c.of(row, "region"), Country: c.of(row, "country"), Postcode: c.of(row, "postcode"),
	}
	q := search.Query{Lang: result.Language(lang), Limit: 1}
	if l := c.of(row, "lang"); l != "" {
		q.Lang = result.Language(l)
	}
	if text := c.of(row, "q"); text != "" && f.IsZero() {
		q.Text = text
	} else if text != "" {
		f.Name = joined(" ", f.Name, text)
	}
	lat, err := strconv.ParseFloat(c.of(row, "lat"), 64)
	lon, err2 := strconv.ParseFloat(c.of(row, "lon"), 64)
	if err == nil && err2 == nil && lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180 && lat != 0 && lon != 0 {
		at := geom.FromDegrees(lat, lon)
		q.Ref = &at
	}
	return q, f
}

// answered are the values of FoundColumns for a row, and the reason among them.
func (g *Geocoder) answered(q search.Query, f Fields) (cells []string, reason string) {
	cells = make([]string, len(FoundColumns))
	reason = emptyRow
	if q.Text != "" || !f.IsZero() {
		reason = nothingFound
		if found := g.Ask(q, f); len(found) > 0 {
			m := &found[0]
			source := g.e.Index().Rows[m.ID].Source
			reason = m.Reason
			cells = append(cells[:0],
				strconv.FormatFloat(m.Lat, 'f', 7, 64), strconv.FormatFloat(m.Lon, 'f', 7, 64), m.Kind, m.Name, m.Address.Full(q.Lang),
				source.Type()+strconv.FormatInt(source.ID(), 10), strconv.FormatFloat(m.Score, 'f', 2, 64), "")
		}
	}
	cells[len(cells)-1] = reason
	return cells, reason
}
