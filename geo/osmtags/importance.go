package osmtags

import (
	"math"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/geo/osm"
)

// populations are those of places that do not say theirs.
var populations = map[string]float64{
	"place.city": 100_000, "place.town": 5_000, "place.village": 300, "place.neighbourhood": 500,
	"place.suburb": 5_000, "place.district": 50_000, "place.region": 1_000_000,
}

// RoadClasses number the values of highway=*; 0 is no street.
var RoadClasses = map[string]index.RoadClass{
	"motorway": 1, "trunk": 2, "primary": 3, "secondary": 4, "tertiary": 5, "pedestrian": 6,
	"residential": 7, "living_street": 7, "unclassified": 7, "service": 8, "road": 11,
	"track": 9, "footway": 9, "path": 9, "cycleway": 9, "steps": 9,
	"bridleway": 10, "raceway": 10, "busway": 10, "construction": 10, "proposed": 10, "corridor": 10,
}

var classSizes = [...]float64{0.05, 1, .9, .8, .65, .45, .5, .25, .1, .05, .05, .05}

// UnknownSize is the size of what has to be measured on the ground.
const UnknownSize = -1

// SizeOf is the size part of what tags alone measure; UnknownSize for what
// has to be measured on the ground, 0 for what has no size.
func SizeOf(id string, tags osm.Tags) float32 {
	group, _, _ := strings.Cut(id, ".")
	switch {
	case id == "address":
		return 0
	case group == "place":
		return float32(placeSize(id, tags))
	case id == "nature.peak":
		return float32(clamp01(Number(tags.Get("ele")) / 5000))
	case id == "transport.airport" && tags.Get("iata") != "":
		return 1
	case id == "transport.train_station" || id == "transport.metro":
		return 0.6
	}
	return UnknownSize
}

func placeSize(id string, tags osm.Tags) float64 {
	s := 0.0
	if p := math.Max(Number(tags.Get("population")), populations[id]); p > 0 {
		s = clamp01((math.Log10(p) - 2) / 5)
	}
	switch tags.Get("capital") {
	case "yes":
		return 1
	case "4":
		return math.Max(s, 0.8)
	}
	return s
}

// StreetSize weighs the class of a road and its length in metres.
func StreetSize(class index.RoadClass, metres float64) float64 {
	return 0.7*classSizes[class] + 0.3*clamp01(math.Log10(math.Max(metres, 1)/50)/3)
}

// RiverSize weighs a length in metres.
func RiverSize(metres float64) float64 { return clamp01(math.Log10(math.Max(metres, 1)/1000) / 3) }

// AreaSize weighs an area.
func AreaSize(squareMetres float64) float64 {
	return clamp01(math.Log10(math.Max(squareMetres, 100)/100) / 6)
}

// FameOf weighs articles and names in other languages.
func FameOf(tags osm.Tags) float32 {
	f, names, article := 0.0, 0, false
	for _, t := range tags {
		switch {
		case strings.HasPrefix(t.Key, "wikipedia"):
			article = true
		case strings.HasPrefix(t.Key, "name:") && !strings.HasPrefix(t.Key, "name:etymology"):
			names++
		}
	}
	if tags.Get("wikidata") != "" {
		f += 0.5
	}
	if article {
		f += 0.2
	}
	return float32(f + 0.3*float64(min(names, 6))/6)
}

// CompletenessOf is the share of five things that a good entry has.
func CompletenessOf(tags osm.Tags) float32 {
	n := 0
	for _, keys := range [][]string{
		{"opening_hours"}, {"phone", "contact:phone"}, {"website", "contact:website"},
		{"addr:street"}, {"image", "wikidata"},
	} {
		for _, k := range keys {
			if tags.Get(k) != "" {
				n++
				break
			}
		}
	}
	return float32(n) / 5
}

func clamp01(v float64) float64 { return math.Max(0, math.Min(1, v)) }

// Number reads the leading number of a tag: "1 200 000", "2390 m"; 0 when there is none.
func Number(s string) float64 {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9' || r == '.' && b.Len() > 0:
			b.WriteRune(r)
		case r == ' ' || r == '\u00a0' || r == ',' || r == '\'':
		case r == '-' && i == 0:
			return 0
		default:
			if b.Len() > 0 {
				n, _ := strconv.ParseFloat(strings.TrimSuffix(b.String(), "."), 64)
				return n
			}
		}
		if b.Len() > 15 {
			return 0
		}
	}
	n, _ := strconv.ParseFloat(strings.TrimSuffix(b.String(), "."), 64)
	return n
}
