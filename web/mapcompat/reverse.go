package mapcompat

import (
	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// Levels of detail of a reverse request, as zooms of a map.
const (
	streetZoom = 16
	houseZoom  = 18
)

// settlementRange is how far away a settlement without a boundary may lie when no
// area holds the point, in metres.
const settlementRange = 20_000

// areaLevel is the finest administrative level that a zoom shows.
func areaLevel(zoom int) uint8 {
	switch {
	case zoom <= 4:
		return 2
	case zoom <= 7:
		return 4
	case zoom <= 9:
		return 6
	case zoom <= 11:
		return 8
	case zoom <= 13:
		return 9
	}
	return 11
}

// reverseAt is the object at a point in the detail of a zoom: a house or a place at
// 18, a street at 16, areas below. Without what was asked for it is the next
// coarser thing; ok is false where the map has nothing.
func reverseAt(x *index.Index, lat, lon float64, zoom int, lang string) (o object, ok bool) {
	at := around.Reverse(x, lat, lon, lang)
	switch {
	case zoom >= houseZoom && at.Place != nil:
		o = newObject(x, at.Place.ID, lang)
		postcode := o.Address.Postcode
		o.Address = at.Address
		if o.Address.Postcode == "" {
			o.Address.Postcode = postcode
		}
		return o, true
	case zoom >= streetZoom && at.Street != nil:
		o = newObject(x, at.Street.ID, lang)
		o.Address = at.Address
		o.Address.Street, o.Address.HouseNumber = "", ""
		return o, true
	}
	if id, found := smallestArea(x, lat, lon, areaLevel(zoom)); found {
		return newObject(x, id, lang), true
	}
	id, found := settlement(x, lat, lon)
	if !found {
		return o, false
	}
	return newObject(x, id, lang), true
}

// settlement is the nearest city, town or village.
func settlement(x *index.Index, lat, lon float64) (id uint32, ok bool) {
	all := around.OfKinds(x, search.KindSet(0).With(index.Place))
	var wanted []uint8
	for _, c := range []string{"place.city", "place.town", "place.village"} {
		if n, known := x.CategoryByID(c); known {
			wanted = append(wanted, n)
		}
	}
	best := result.Result{Distance: settlementRange}
	around.Each(x, around.Nearby{
		At: geom.FromDegrees(lat, lon), Radius: settlementRange, Categories: all.And(wanted), Lang: result.Languages[0], Named: true, Except: around.NoEntry,
	}, func(r result.Result) bool {
		if r.Distance < best.Distance {
			best, ok = r, true
		}
		return true
	})
	return best.ID, ok
}
