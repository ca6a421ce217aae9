// Package entry is what searching by words (geo/search) and by place (geo/around)
// share about the entries of an index: sets of kinds, the members of a category or
// group, and which entries are one to a reader.
//
// It promises the rule of repeats of map contract 41.8. It refuses to rank: that is
// for those who search.
package entry

import (
	"strings"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/text"
)

// KindSet is a set of kinds.
type KindSet uint8

// With adds a kind.
func (s KindSet) With(k index.Kind) KindSet { return s | 1<<k }

// Has reports whether a kind is in the set.
func (s KindSet) Has(k index.Kind) bool { return s&(1<<k) != 0 }

// Members are the categories of a file that an id or group:<id> covers.
func Members(x *index.Index, wanted string) []uint8 {
	var out []uint8
	if group, ok := strings.CutPrefix(wanted, "group:"); ok {
		for i, c := range x.Meta.Categories {
			if at, ok := category.Index(c.ID); ok && category.All()[at].Group == group {
				out = append(out, uint8(i))
			}
		}
		return out
	}
	if c, ok := x.CategoryByID(wanted); ok {
		out = append(out, c)
	}
	return out
}

// repeatOf is the distance in metres within which equal names of a kind are one
// result, and of some places (map contract 41.8).
var repeatOf = [index.KindCount]float64{
	index.Place: 3_000, index.Street: 3_000, index.POI: 250, index.Address: 250, index.Nature: 5_000,
}

var repeatOfPlace = map[string]float64{
	"place.country": 250_000, "place.region": 250_000, "place.city": 40_000, "place.district": 40_000, "place.town": 15_000,
}

// repeatDistances are the distances of the categories of a file.
func repeatDistances(x *index.Index) []float64 {
	out := make([]float64, len(x.Meta.Categories))
	for i, c := range x.Meta.Categories {
		out[i] = repeatOf[x.KindOf(uint8(i))]
		if d, ok := repeatOfPlace[c.ID]; ok {
			out[i] = d
		}
	}
	return out
}

// sameName is what makes two entries one to a reader.
type sameName struct {
	name string
	kind index.Kind
	city uint32
}

// Repeats finds entries that repeat an earlier one: the same name, kind and
// city within the distance of its category (map contract 41.8).
type Repeats struct {
	x      *index.Index
	within []float64
	seen   map[sameName][]geom.Point
}

// NewRepeats has seen nothing yet.
func NewRepeats(x *index.Index) *Repeats {
	return &Repeats{x: x, within: repeatDistances(x), seen: map[sameName][]geom.Point{}}
}

// Seen notes an entry and reports whether it repeats an earlier one.
func (s *Repeats) Seen(id uint32) bool {
	key := NameKey(s.x, id)
	if key == "" {
		return false
	}
	row := &s.x.Rows[id]
	k := sameName{key, s.x.Kind(row), s.x.Admin(row).City}
	near := geom.From(row.Point())
	for _, q := range s.seen[k] {
		if near.Metres(q) <= s.within[row.Category] {
			return true
		}
	}
	s.seen[k] = append(s.seen[k], row.Point())
	return false
}

// NameKey is the name by which two entries are the same to a reader; an
// address has its street and number. Empty for the nameless, which are never
// the same.
func NameKey(x *index.Index, id uint32) string {
	row := &x.Rows[id]
	if !row.Has(index.FlagNamed) {
		return ""
	}
	d := x.Detail(id)
	if x.Kind(row) != index.Address {
		return text.Canonical(x.Text(d.Name))
	}
	street := d.Street
	if street == 0 {
		street = x.Admin(row).Neighbourhood
	}
	return text.Canonical(x.Text(street)) + " " + text.HouseNumber(x.Text(d.House))
}
