// Package trait says what ranking knows of a category: how much it counts by itself, and at
// what distance half of the nearness is left (map contract 41.5). It promises a bound for each
// kind that no category of it passes. It refuses to know a query.
package trait

import "svc/geo/index"

// Traits are what ranking needs to know of a category.
type Traits struct {
	Prior float64 // added to every score
	Scale float64 // metres at which proximity is a half
}

// Of are the traits of the categories of a file, by category.
func Of(x *index.Index) []Traits {
	out := make([]Traits, len(x.Meta.Categories))
	for i, c := range x.Meta.Categories {
		out[i] = kinds[x.KindOf(uint8(i))]
		if scale, ok := places[c.ID]; ok {
			out[i].Scale = scale
		}
	}
	return out
}

var kinds = [index.KindCount]Traits{
	index.Place:   {Prior: 0.12, Scale: 25_000},
	index.Street:  {Prior: 0.06, Scale: 12_000},
	index.POI:     {Prior: 0.05, Scale: 4_000},
	index.Address: {Prior: 0, Scale: 4_000},
	index.Nature:  {Prior: 0.04, Scale: 60_000},
}

// places are the scales of places.
var places = map[string]float64{
	"place.country":  25_000,
	"place.region":   120_000,
	"place.city":     120_000,
	"place.district": 120_000,
	"place.town":     120_000,
}

// most are the traits of each kind at their most generous.
var most = func() [index.KindCount]Traits {
	bounds := kinds
	for _, scale := range places {
		bounds[index.Place].Scale = max(bounds[index.Place].Scale, scale)
	}
	return bounds
}()

// Most are the traits of a kind at their most generous.
func Most(kind index.Kind) *Traits { return &most[kind%index.KindCount] }
