// Package admin turns the administrative areas around a point into the fields
// of an address. The builder uses it for every entry and reverse geocoding for
// every request, so that both read a map the same way.
//
// It promises the rules of map contract 42.1, and refuses
// nothing: levels outside the rules set no field.
package admin

import (
	"cmp"
	"slices"

	"svc/geo/index"
)

// Area is one area that holds the point.
type Area struct {
	Level uint8
	Place index.PlaceTag
	Name  uint32  // primary name, a string id; 0 for a nameless one, which sets no field
	Size  float32 // of two areas of one level the smaller comes first
	Entry uint32
}

// Sort orders areas as they are processed and shown: ascending by level, the
// smaller of one level first.
func Sort(areas []Area) {
	slices.SortFunc(areas, func(a, b Area) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Entry, b.Entry))
	})
}

// Assemble reads sorted areas into the fields of an address.
func Assemble(areas []Area) index.Admin {
	var a index.Admin
	var suburb, neighbourhood uint8 // the level that set them outright
	for _, x := range areas {
		if x.Name == 0 {
			continue
		}
		switch {
		case x.Level == 4 && x.Place == index.CityPlace:
			first(x.Name, &a.City)
		case x.Level == 4:
			first(x.Name, &a.Region)
		case x.Level == 5 || x.Level == 6:
			if x.Place == index.CityPlace {
				first(x.Name, &a.City, &a.District)
			} else {
				first(x.Name, &a.District)
			}
		case x.Level == 7 || x.Level == 8:
			if x.Place != index.OtherPlace {
				first(x.Name, &a.City, &a.District, &a.Suburb)
			} else {
				first(x.Name, &a.District, &a.Suburb)
			}
		case x.Level == 9:
			override(x, &a.Suburb, &suburb)
		case x.Level >= 10:
			override(x, &a.Neighbourhood, &neighbourhood)
		}
	}
	return a
}

// first sets the first empty field.
func first(name uint32, fields ...*uint32) {
	for _, f := range fields {
		if *f == 0 {
			*f = name
			return
		}
	}
}

// override sets a field unless an area of the same level has set it.
func override(x Area, field *uint32, level *uint8) {
	if x.Level > *level {
		*field, *level = x.Name, x.Level
	}
}

// Fill takes from rest what a leaves empty.
func Fill(a, rest index.Admin) index.Admin {
	first(rest.Neighbourhood, &a.Neighbourhood)
	first(rest.Suburb, &a.Suburb)
	first(rest.City, &a.City)
	first(rest.District, &a.District)
	first(rest.Region, &a.Region)
	return a
}
