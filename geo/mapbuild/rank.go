package mapbuild

import (
	"math"
	"strings"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm"
)

// Importance, as map contract 10 defines it:
// rank = clamp(0.02, 1, 0.60 category + 0.25 size + 0.10 fame + 0.05 completeness),
// halved without a name. Each input is in [0, 1] and none lowers the rank.

var populations = map[string]float64{
	"place.city": 100_000, "place.town": 5_000, "place.village": 300, "place.neighbourhood": 500,
	"place.suburb": 5_000, "place.district": 50_000, "place.region": 1_000_000,
}

// roadClasses number the values of highway=*; 0 is no street.
var roadClasses = map[string]index.RoadClass{
	"motorway": 1, "trunk": 2, "primary": 3, "secondary": 4, "tertiary": 5, "pedestrian": 6,
	"residential": 7, "living_street": 7, "unclassified": 7, "service": 8, "road": 11,
	"track": 9, "footway": 9, "path": 9, "cycleway": 9, "steps": 9,
	"bridleway": 10, "raceway": 10, "busway": 10, "construction": 10, "proposed": 10, "corridor": 10,
}

var classSizes = [...]float64{0.05, 1, .9, .8, .65, .45, .5, .25, .1, .05, .05, .05}

const unknownSize = -1

// tagSize is the size part of what tags alone measure; unknownSize for what
// has to be measured on the ground, 0 for what has no size.
func tagSize(id string, tags osm.Tags) float32 {
	group, _, _ := strings.Cut(id, ".")
	switch {
	case id == "address":
		return 0
	case group == "place":
		return float32(placeSize(id, tags))
	case id == "nature.peak":
		return float32(clamp01(number(tags.Get("ele")) / 5000))
	case id == "transport.airport" && tags.Get("iata") != "":
		return 1
	case id == "transport.train_station" || id == "transport.metro":
		return 0.6
	}
	return unknownSize
}

func placeSize(id string, tags osm.Tags) float64 {
	s := 0.0
	if p := math.Max(number(tags.Get("population")), populations[id]); p > 0 {
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

// streetSize weighs the class of a road and its length in metres.
func streetSize(class index.RoadClass, metres float64) float64 {
	return 0.7*classSizes[class] + 0.3*clamp01(math.Log10(math.Max(metres, 1)/50)/3)
}

func riverSize(metres float64) float64 { return clamp01(math.Log10(math.Max(metres, 1)/1000) / 3) }

func areaSize(squareMetres float64) float64 {
	return clamp01(math.Log10(math.Max(squareMetres, 100)/100) / 6)
}

func fameOf(tags osm.Tags) float32 {
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

// completenessOf is the share of five things that a good entry has.
func completenessOf(tags osm.Tags) float32 {
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

// rank is the importance of a finished draft in 1/10000.
func rank(d *draft) uint16 {
	c := category.All()[d.Category].Rank
	var r float64
	switch {
	case d.Bits&index.FlagInterpolated != 0:
		r = 0.02
	case kindOf(int(d.Category)) == index.Address:
		r = math.Min(0.06, 0.02+0.04*c)
	default:
		r = 0.60*c + 0.25*math.Max(0, float64(d.size)) + 0.10*float64(d.fame) + 0.05*float64(d.complete)
		if d.Bits&index.FlagNamed == 0 {
			r *= 0.5
		}
	}
	return uint16(math.Round(math.Max(0.02, math.Min(1, r)) * 10000))
}

func clamp01(v float64) float64 { return math.Max(0, math.Min(1, v)) }

var emptyBox = geom.Empty()
