package shortbread

import (
	"math"
	"strconv"
	"strings"

	"svc/geo/mvt"
)

// placeKind is a row of the table of places.
type placeKind struct {
	zoom       uint8
	population int64 // when the object does not say
	capital    bool  // may be a capital
}

// placeKinds is the table of the layer place_labels, by the value of place.
var placeKinds = map[string]placeKind{
	"city":              {zoom: 6, population: 100_000, capital: true},
	"town":              {zoom: 7, population: 5_000, capital: true},
	"village":           {zoom: 10, population: 100, capital: true},
	"hamlet":            {zoom: 10, population: 50, capital: true},
	"suburb":            {zoom: 10, population: 1_000},
	"quarter":           {zoom: 10, population: 500},
	"neighbourhood":     {zoom: 10, population: 100},
	"isolated_dwelling": {zoom: 10, population: 5},
	"farm":              {zoom: 10, population: 5},
	"island":            {zoom: 10},
	"locality":          {zoom: 10},
}

// capitalZoom is the first zoom of capitals of countries and states.
const capitalZoom = 4

// place adds the label of a populated place. The schema takes places from
// nodes; an area gives one too, since many islands and neighbourhoods have no
// node. Feature.Once tells that both are one label.
func (m *Mapper) place() {
	o := &m.o
	kind := o.get(kPlace)
	p, ok := placeKinds[kind]
	if !ok || !m.named() || o.area && o.is(kBoundary, "administrative") {
		return
	}
	if p.capital {
		switch o.get(kCapital) {
		case "yes":
			kind, p.zoom = "capital", capitalZoom
		case "4":
			kind, p.zoom = "state_capital", capitalZoom
		}
	}
	if n, known := population(o.get(kPopulation)); known {
		p.population = n
	}
	f := m.add(PlaceLabels, Point, p.zoom)
	f.Order = -int32(min(p.population, math.MaxInt32))
	f.Once = true
	m.put("kind", mvt.String(kind))
	m.put("population", mvt.Int(p.population))
	m.putNames()
	m.putRank()
}

// maxPopulation is more than all people: a larger number is a mistake.
const maxPopulation = 1e10

// population reads a number of people. Mappers group the digits with spaces,
// commas and points, in threes.
func population(v string) (n int64, ok bool) {
	digits := strings.Map(func(r rune) rune {
		switch r {
		case ' ', ',', '.', '\'', '’', '\u00a0', '\u202f':
			return -1
		}
		return r
	}, v)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > maxPopulation {
		return 0, false
	}
	return n, true
}

// putRank gives the rank of the search index as the index has it: the same
// number as "rank" in an answer of the search.
func (m *Mapper) putRank() {
	if r := m.o.hint.Rank; r > 0 {
		m.put("rank", mvt.Float(r))
	}
}

// putHint gives the category and the rank of the search index.
func (m *Mapper) putHint() {
	m.putText("category", m.o.hint.Category)
	m.putRank()
}
