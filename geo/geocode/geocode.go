// Package geocode answers questions for places by text or by fields, one or many,
// and says how much of a question each answer accounts for.
//
// It promises that the fields of a question name one place: the areas are found one
// within the other, and what is asked for lies in the smallest of them. It refuses
// to invent: an answer is a result of geo/search, and its score tells which words of
// the question it leaves unexplained.
package geocode

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// Fields are a question in parts. Empty parts are not asked.
type Fields struct {
	Name     string // of a place, or its category
	Street   string // the house number may stand before or behind the name
	House    string
	City     string
	County   string // district
	State    string // region
	Country  string
	Postcode string
}

// IsZero reports whether nothing is asked.
func (f Fields) IsZero() bool { return f == Fields{} }

// Text is the question on one line, as its score is judged.
func (f Fields) Text() string {
	street, _ := numberLast(strings.TrimSpace(f.Street + " " + f.House))
	return joined(", ", f.Name, street, f.City, f.County, f.State, f.Country, f.Postcode)
}

func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// Match is one answer.
type Match struct {
	result.Result
	Score float64 // how much of the question it accounts for, 0 to 1
}

// Geocoder answers questions about one open index. Safe for concurrent use.
type Geocoder struct {
	e *search.Engine

	mu    sync.Mutex
	known map[areaKey][]area // what City, County, State and Country of a question name
}

// areaKey is the part of a question that names areas.
type areaKey struct{ country, state, county, city, lang string }

// maxKnown bounds the areas that are remembered.
const maxKnown = 4096

// New makes one.
func New(e *search.Engine) *Geocoder {
	return &Geocoder{e: e, known: map[areaKey][]area{}}
}

// Ask answers a question: q is the search, whose text is not read when fields are
// given. Best first, none when nothing fits.
func (g *Geocoder) Ask(q search.Query, fields Fields) []Match {
	text := q.Text
	var found []result.Result
	if fields.IsZero() {
		found = g.e.Search(q).Results
	} else {
		text, found = fields.Text(), g.byFields(q, fields)
		found = found[:min(len(found), q.Limit)]
	}
	s := newScorer(g.e.Index(), text)
	out := make([]Match, 0, len(found))
	for _, r := range found {
		out = append(out, Match{r, s.score(&r)})
	}
	return out
}

const (
	// maxCandidates is how many results are looked through for those of an area.
	maxCandidates = 50
	// maxAreas is how many areas of one name are tried.
	maxAreas = 5
	// settlementReach is how far around a settlement without a boundary its streets
	// are looked for, in metres.
	settlementReach = 10_000
)

// area is a place that something may lie in.
type area struct {
	result.Result
	bounded bool // it has an outline
}

// byFields answers a question in parts. An area that the map does not have counts
// as not given, except for the city: what is asked for must lie in it, or have it in
// its address. A street of the same name elsewhere is no answer.
func (g *Geocoder) byFields(q search.Query, f Fields) []result.Result {
	areas, known := g.areasOf(q, f)
	street, numbered := numberLast(strings.TrimSpace(f.Street + " " + f.House))
	wanted := joined(" ", f.Name, street)
	if wanted == "" {
		wanted = f.Postcode
	}
	if wanted == "" {
		return results(areas)
	}
	q.Text, q.Limit = wanted, maxCandidates
	if f.Name == "" && street != "" && q.Kinds == 0 {
		q.Kinds = q.Kinds.With(index.Street)
		if numbered {
			q.Kinds = q.Kinds.With(index.Address).With(index.POI)
		}
	}
	for i := range areas {
		if found := agreeing(g.inArea(q, &areas[i]), f.Postcode); len(found) > 0 {
			return found
		}
	}
	if len(areas) == 0 && known {
		return agreeing(g.e.Search(q).Results, f.Postcode)
	}
	return agreeing(g.bearing(q, f), f.Postcode)
}

// bearing searches everywhere and keeps what has the city in its address: outlines of
// cities and the addresses in them often disagree, and a city may have neither outline
// nor node.
func (g *Geocoder) bearing(q search.Query, f Fields) []result.Result {
	name := cmp.Or(f.City, f.County, f.State, f.Country)
	want := words([]string{name})
	return slices.DeleteFunc(g.e.Search(q).Results, func(r result.Result) bool {
		a := &r.Address
		for _, has := range []string{a.City, a.Suburb, a.Neighbourhood, a.District, a.Region} {
			if has != "" && slices.Equal(words([]string{has}), want) {
				return false
			}
		}
		return true
	})
}

func results(areas []area) (out []result.Result) {
	for _, a := range areas {
		out = append(out, a.Result)
	}
	return out
}

// areasOf finds the smallest areas that the fields name; ok is false when the city
// is not on the map.
func (g *Geocoder) areasOf(q search.Query, f Fields) (areas []area, ok bool) {
	key := areaKey{f.Country, f.State, f.County, f.City, q.Lang}
	if key == (areaKey{lang: q.Lang}) {
		return nil, true
	}
	plain := q.Ref == nil && q.Box == nil
	if plain {
		g.mu.Lock()
		areas, ok = g.known[key]
		g.mu.Unlock()
		if ok {
			return areas, len(areas) > 0 || f.City == ""
		}
	}
	for i, name := range []string{f.Country, f.State, f.County, f.City} {
		if name == "" {
			continue
		}
		found := g.areasNamed(q, name, areas)
		if len(found) > 0 {
			areas = found
		} else if i == 3 {
			areas = nil
		}
	}
	if plain {
		g.mu.Lock()
		if len(g.known) >= maxKnown {
			clear(g.known)
		}
		g.known[key] = areas
		g.mu.Unlock()
	}
	return areas, len(areas) > 0 || f.City == ""
}

// areasNamed are the places of a name that lie in one of the areas above it.
func (g *Geocoder) areasNamed(q search.Query, name string, above []area) (out []area) {
	q = search.Query{Text: name, Lang: q.Lang, Limit: maxCandidates, Kinds: search.KindSet(0).With(index.Place), Ref: q.Ref, Layout: q.Layout}
	var found []result.Result
	if len(above) == 0 {
		found = g.e.Search(q).Results
	}
	for i := range above {
		found = append(found, g.inArea(q, &above[i])...)
	}
	for _, r := range found {
		if r.Reason != found[0].Reason { // what matches the name worse than the best does is another place
			continue
		}
		if out = append(out, area{r, g.bounded(r.ID)}); len(out) == maxAreas {
			break
		}
	}
	return out
}

// inArea searches within one area.
func (g *Geocoder) inArea(q search.Query, a *area) []result.Result {
	x := g.e.Index()
	box := geom.Around(geom.FromDegrees(a.Lat, a.Lon), settlementReach)
	if a.bounded {
		d := x.Detail(a.ID)
		box = d.Box
	}
	if q.Box != nil {
		box = geom.Box{
			MinX: max(box.MinX, q.Box.MinX), MinY: max(box.MinY, q.Box.MinY), MaxX: min(box.MaxX, q.Box.MaxX), MaxY: min(box.MaxY, q.Box.MaxY),
		}
		if box.IsEmpty() {
			return nil
		}
	}
	q.Box = &box
	found := g.e.Search(q).Results
	if !a.bounded {
		return found
	}
	return slices.DeleteFunc(found, func(r result.Result) bool { return r.ID != a.ID && !g.within(a.ID, r) })
}

// within reports whether the outline of an entry holds a result.
func (g *Geocoder) within(area uint32, r result.Result) (inside bool) {
	g.e.Index().Containing(geom.FromDegrees(r.Lat, r.Lon), func(a *index.AreaRow) { inside = inside || a.Entry == area })
	return inside
}

// bounded reports whether an entry has an outline.
func (g *Geocoder) bounded(id uint32) bool {
	areas := g.e.Index().Areas()
	return slices.ContainsFunc(areas, func(a index.AreaRow) bool { return a.Entry == id })
}

// agreeing leaves out what bears another postcode than the one asked for.
func agreeing(list []result.Result, postcode string) []result.Result {
	if postcode == "" {
		return list
	}
	return slices.DeleteFunc(list, func(r result.Result) bool { return r.Address.Postcode != "" && r.Address.Postcode != postcode })
}

// numberLast is a street with its house number behind the name, where the search
// reads it: forms often have it in front. numbered reports whether there is one.
func numberLast(street string) (text string, numbered bool) {
	words := strings.Fields(street)
	if len(words) < 2 {
		return strings.Join(words, " "), false
	}
	if digit(words[0]) && !digit(words[len(words)-1]) {
		return strings.Join(append(words[1:], strings.TrimSuffix(words[0], ",")), " "), true
	}
	return strings.Join(words, " "), digit(words[len(words)-1])
}

func digit(word string) bool { return word[0] >= '0' && word[0] <= '9' }
