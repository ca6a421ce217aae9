package around

import (
	"math"

	"svc/geo/admin"
	"svc/geo/entry"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
)

// Ranges of reverse geocoding in metres (map contract 53).
const (
	poiRange           = 45
	addressRange       = 140
	streetRange        = 160
	addressOverStreet  = 60
	cityRange          = 1500
	neighbourhoodRange = 500
)

// Reversed is the answer to a coordinate.
type Reversed struct {
	Lat     float64        `json:"lat"`
	Lon     float64        `json:"lon"`
	Address result.Address `json:"address"`
	Label   string         `json:"label"`
	Short   string         `json:"short"`
	Street  *StreetAt      `json:"street,omitempty"`
	Place   *result.Result `json:"place,omitempty"`
	Admins  []AdminAt      `json:"admins"` // null inside none
}

// StreetAt is the nearest street: its distance is weighted by road class.
type StreetAt struct {
	ID       uint32  `json:"id"`
	Name     string  `json:"name"`
	Distance float64 `json:"distance"`
	Lon      float64 `json:"lon"`
	Lat      float64 `json:"lat"`
}

// AdminAt is one administrative area around a point.
type AdminAt struct {
	Level    int    `json:"level"`
	Name     string `json:"name"`
	MapSrcID int64  `json:"mapsrc_id"`
}

// street is the nearest street by weighted distance.
type street struct {
	id       uint32
	weighted float64
	real     float64
	at       geom.Point
	found    bool
}

// classWeights multiply the distance to a street of each road class, numbered
// as the builder numbers them (map contract 42).
var classWeights = [16]float64{
	0: 1.2, 1: 0.8, 2: 0.8, 3: 0.8, 4: 0.8, 5: 1, 6: 1, 7: 1, 8: 1.8, 9: 2.5,
	10: 1.2, 11: 1.8, 12: 1.2, 13: 1.2, 14: 1.2, 15: 1.2,
}

// Reverse describes the point p; lat and lon are echoed as they were asked.
func Reverse(x *index.Index, lat, lon float64, lang string) Reversed {
	p := geom.FromDegrees(lat, lon)
	r := reverser{x: x, p: p, lang: lang}
	areas := r.areasAt()
	r.admin = admin.Assemble(areas)
	r.findPOI()
	r.findStreet()
	r.findAddress()
	r.fillFromNeighbours()
	out := Reversed{Lat: lat, Lon: lon, Admins: r.shownAreas(areas)}
	out.Address = result.AdminAddress(x, r.admin)
	out.Address.Street, out.Address.HouseNumber, out.Address.Postcode = x.Text(r.street), x.Text(r.house), x.Text(r.postcode)
	out.Label, out.Short = out.Address.Full(lang), out.Address.Short()
	if r.near.found {
		d := x.Detail(r.near.id)
		out.Street = &StreetAt{
			ID: r.near.id, Name: result.NameIn(x, &d, lang), Distance: math.Round(r.near.weighted*10) / 10,
			Lon: r.near.at.Lon(), Lat: r.near.at.Lat(),
		}
	}
	if r.hasPlace {
		place := result.New(x, r.place, lang, &p)
		out.Place = &place
	}
	return out
}

// reverser collects the parts of an address; texts are string ids.
type reverser struct {
	x                       *index.Index
	p                       geom.Point
	lang                    string
	admin                   index.Admin
	street, house, postcode uint32
	near                    street
	place                   uint32
	hasPlace                bool
}

func (r *reverser) areasAt() []admin.Area {
	var areas []admin.Area
	r.x.Containing(r.p, func(a *index.AreaRow) {
		areas = append(areas, admin.Area{
			Level: a.Level, Place: a.Place, Name: r.x.PrimaryName(a.Entry), Size: a.Size, Entry: a.Entry,
		})
	})
	admin.Sort(areas)
	return areas
}

func (r *reverser) shownAreas(areas []admin.Area) []AdminAt {
	var out []AdminAt
	for _, a := range areas {
		if a.Name != 0 {
			out = append(out, AdminAt{Level: int(a.Level), Name: r.x.Text(a.Name), MapSrcID: r.x.Rows[a.Entry].Source.ID()})
		}
	}
	return out
}

func (r *reverser) findPOI() {
	in := OfKinds(r.x, entry.KindSet(0).With(index.POI))
	r.place, _, r.hasPlace = nearest(r.x, &in, r.p, poiRange, func(row *index.Row) bool { return row.Has(index.FlagNamed) })
}

// findStreet looks within real metres and compares weighted ones.
func (r *reverser) findStreet() {
	near := geom.From(r.p)
	r.x.Streets(geom.Around(r.p, streetRange), func(id uint32, piece []geom.Point) {
		weight := classWeights[r.x.Rows[id].Class()]
		for i := 1; i < len(piece); i++ {
			d, at := near.ToSegment(piece[i-1], piece[i])
			if d > streetRange {
				continue
			}
			s := street{id: id, weighted: d * weight, real: d, at: at, found: true}
			if s.before(&r.near) {
				r.near = s
			}
		}
	})
	if r.near.found {
		r.street = r.x.PrimaryName(r.near.id)
	}
}

// before orders streets: weighted distance, then the real one, then importance.
func (s *street) before(o *street) bool {
	switch {
	case !o.found:
		return true
	case s.weighted != o.weighted:
		return s.weighted < o.weighted
	case s.real != o.real:
		return s.real < o.real
	}
	return s.id < o.id
}

// findAddress lets the nearest house replace the street when it is close, when
// there is no street, or when it stands on that street. A house whose own
// street is unknown replaces nothing that is known.
func (r *reverser) findAddress() {
	in := OfKinds(r.x, entry.KindSet(0).With(index.Address))
	id, distance, ok := nearest(r.x, &in, r.p, addressRange, func(*index.Row) bool { return true })
	if ok {
		d := r.x.Detail(id)
		onStreet := r.near.found && (d.StreetEntry == r.near.id+1 || d.Street != 0 && d.Street == r.street)
		if distance <= addressOverStreet || !r.near.found || onStreet {
			r.use(&d)
			r.postcode = d.Postcode
			if !r.hasPlace {
				r.place, r.hasPlace = id, true
			}
		}
	}
	if r.hasPlace && r.house == 0 {
		if d := r.x.Detail(r.place); d.House != 0 && r.x.Kind(&r.x.Rows[r.place]) == index.POI {
			r.use(&d)
		}
	}
}

// use takes the street and house number of an entry.
func (r *reverser) use(d *index.Detail) {
	if d.Street != 0 || r.street == 0 {
		r.street, r.house = d.Street, d.House
	}
}

// neighbourSteps widen the search for what no polygon gave: most of the time
// the first neighbours have it.
var neighbourSteps = []float64{125, neighbourhoodRange, cityRange}

// fillFromNeighbours copies the city and the neighbourhood that no polygon
// gave from the nearest entry that has one.
func (r *reverser) fillFromNeighbours() {
	city, hood := wanted{open: r.admin.City == 0}, wanted{open: r.admin.Neighbourhood == 0}
	for _, reach := range neighbourSteps {
		hood.open = hood.open && reach <= neighbourhoodRange
		if !city.open && !hood.open {
			break
		}
		r.eachHolding(reach, city.bit(index.HoldsCity)|hood.bit(index.HoldsNeighbourhood), func(id uint32, d float64) {
			a := r.x.Admin(&r.x.Rows[id])
			city.offer(a.City, id, d)
			hood.offer(a.Neighbourhood, id, d)
		})
		city.open, hood.open = city.open && city.name == 0, hood.open && hood.name == 0
	}
	r.admin = admin.Fill(r.admin, index.Admin{City: city.name, Neighbourhood: hood.name})
}

// eachHolding calls yield with the entries within metres that may name one of some areas.
func (r *reverser) eachHolding(metres float64, any uint8, yield func(id uint32, distance float64)) {
	box, near := geom.Around(r.p, metres), geom.From(r.p)
	for c := range r.x.Meta.Categories {
		r.x.NearHolding(uint8(c), box, any, func(id uint32, at geom.Point) {
			if d := near.Metres(at); d <= metres {
				yield(id, d)
			}
		})
	}
}

// wanted is a field that the nearest entry that has it may fill.
type wanted struct {
	open     bool
	name, id uint32
	distance float64
}

// bit is what is looked for while the field is open.
func (w *wanted) bit(b uint8) uint8 {
	if !w.open {
		return 0
	}
	return b
}

func (w *wanted) offer(name, id uint32, distance float64) {
	if !w.open || name == 0 || w.name != 0 && (distance > w.distance || distance == w.distance && id > w.id) {
		return
	}
	w.name, w.id, w.distance = name, id, distance
}
