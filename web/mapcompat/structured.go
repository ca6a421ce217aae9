package mapcompat

import (
	"slices"
	"strings"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/search"
)

// areaFields are the fields of a structured search that name an area, the largest first.
var areaFields = []string{"country", "state", "county", "city"}

// maxAreas is how many areas of one name are tried.
const maxAreas = 5

// settlementReach is how far around a settlement without a boundary its streets
// are looked for, in metres.
const settlementReach = 10_000

// findStructured answers a search by fields. The areas are found one within the
// other, and what is asked for must lie in the smallest: a street of the same name
// elsewhere is no answer. A field of an area that the map does not have is as if it
// had not been given, except for the city.
func findStructured(e *search.Engine, base search.Query, parts map[string]string) []object {
	areas := []object{}
	for _, field := range areaFields {
		if parts[field] == "" {
			continue
		}
		found := areasNamed(e, base, parts[field], areas)
		if len(found) == 0 && field == "city" {
			return nil
		}
		if len(found) > 0 {
			areas = found
		}
	}
	street, numbered := numberLast(parts["street"])
	wanted := strings.TrimSpace(parts["amenity"] + " " + street)
	if wanted == "" {
		wanted = parts["postalcode"]
	}
	if wanted == "" {
		return areas
	}
	q := base
	q.Text = wanted
	if parts["amenity"] == "" && street != "" && q.Kinds == 0 {
		q.Kinds = q.Kinds.With(index.Street)
		if numbered {
			q.Kinds = q.Kinds.With(index.Address).With(index.POI)
		}
	}
	if len(areas) == 0 {
		return agreeing(objects(e, q), parts["postalcode"])
	}
	for i := range areas {
		if found := agreeing(inArea(e, q, &areas[i]), parts["postalcode"]); len(found) > 0 {
			return found
		}
	}
	return nil
}

// numberLast is a street with its house number behind the name, where the search
// reads it: these fields have it in front. numbered reports whether there is one.
func numberLast(street string) (text string, numbered bool) {
	words := strings.Fields(street)
	if len(words) > 1 && words[0][0] >= '0' && words[0][0] <= '9' {
		return strings.Join(append(words[1:], strings.TrimSuffix(words[0], ",")), " "), true
	}
	if len(words) > 1 {
		last := words[len(words)-1]
		numbered = last[0] >= '0' && last[0] <= '9'
	}
	return strings.Join(words, " "), numbered
}

// areasNamed are the places of a name that lie in one of the areas above it.
func areasNamed(e *search.Engine, base search.Query, name string, above []object) (out []object) {
	q := search.Query{Text: name, Lang: base.Lang, Limit: maxFetched, Kinds: search.KindSet(0).With(index.Place), Ref: base.Ref, Layout: base.Layout}
	if len(above) == 0 {
		out = objects(e, q)
	}
	for i := range above {
		out = append(out, inArea(e, q, &above[i])...)
	}
	// What matches the name worse than the best does is another place.
	if len(out) > 0 {
		best := out[0].Reason
		out = slices.DeleteFunc(out, func(o object) bool { return o.Reason != best })
	}
	return out[:min(maxAreas, len(out))]
}

// inArea searches within one area.
func inArea(e *search.Engine, q search.Query, area *object) []object {
	x := e.Index()
	bounded := hasArea(x, area.ID)
	box := geom.Around(geom.FromDegrees(area.Lat, area.Lon), settlementReach)
	if bounded {
		d := x.Detail(area.ID)
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
	found := objects(e, q)
	if !bounded {
		return found
	}

	return slices.DeleteFunc(found, func(o object) bool {
		return o.ID != area.ID && !within(x, area.ID, geom.FromDegrees(o.Lat, o.Lon))
	})
}

// agreeing leaves out what bears another postcode than the one asked for.
func agreeing(list []object, postcode string) []object {
	if postcode == "" {
		return list
	}
	return slices.DeleteFunc(list, func(o object) bool { return o.Address.Postcode != "" && o.Address.Postcode != postcode })
}
