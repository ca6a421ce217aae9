package mapbuild

import (
	"math"
	"slices"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/text"
)

// House numbers whose tags name no street (map contract 8.5): a relation may name it,
// else it is the nearest street that they face, else the place around them.

// houseRelation is the houses of one street, as the relations associatedStreet and
// street list them.
type houseRelation struct {
	name    uint32 // of the street; 0 when only the ways of the street have it
	members []osm.Member
}

const (
	roleHouse       = "house"
	roleStreet      = "street"
	maxHouseMembers = 10_000
	facingReach     = 60 // metres from a house to the street that it faces
)

func isHouseRelation(tags osm.Tags) bool {
	t := tags.Get("type")
	return t == "associatedStreet" || t == "street"
}

// houseMembers keeps houses and ways of the street, with the roles that they mostly have.
func houseMembers(members []osm.Member) []osm.Member {
	var out []osm.Member
	for _, m := range members[:min(len(members), maxHouseMembers)] {
		switch m.Role {
		case "house", "address", "addr:houselink", "building", "outline":
			m.Role = roleHouse
		case "street":
			m.Role = roleStreet
		default:
			continue
		}
		out = append(out, m)
	}
	return out
}

// sourceOf is the source of a member.
func sourceOf(m osm.Member) index.Source {
	return index.NewSource(map[osm.Type]byte{osm.TypeNode: 'n', osm.TypeWay: 'w', osm.TypeRelation: 'r'}[m.Type], m.Ref)
}

// joinHouses gives houses the street that a relation lists them under.
func (b *builder) joinHouses() {
	if len(b.houses) == 0 {
		return
	}
	drafts := make(map[index.Source]int, len(b.drafts))
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.Extra != nil {
			for _, s := range d.Extra.Merged {
				drafts[s] = i
			}
		}
		if !d.gone {
			drafts[d.Source] = i
		}
	}
	for _, r := range b.houses {
		name := r.name
		for _, m := range r.members {
			if i, ok := drafts[sourceOf(m)]; ok && m.Role == roleStreet && name == 0 && kindOf(int(b.drafts[i].Category)) == index.Street {
				name = b.drafts[i].Name
			}
		}
		for _, m := range r.members {
			if i, ok := drafts[sourceOf(m)]; ok && m.Role == roleHouse && b.drafts[i].House != 0 && b.drafts[i].Street == 0 {
				b.drafts[i].Street = name
			}
		}
	}
}

// isStreetless tells a house whose tags name neither street nor place.
func (d *draft) isStreetless() bool {
	return !d.gone && d.House != 0 && d.Street == 0 && !d.placed && kindOf(int(d.Category)) != index.Street
}

// facing is the best street of a house so far.
type facing struct {
	draft    int
	street   int
	weighted float64
}

// settleHouses gives streetless houses the nearest street within reach, by the class
// of the road, and the others the smallest place around them.
func (b *builder) settleHouses() {
	cells := map[[2]int32][]*facing{}
	var houses []*facing
	for i := range b.drafts {
		if d := &b.drafts[i]; d.isStreetless() {
			f := &facing{draft: i, street: -1, weighted: math.Inf(1)}
			houses = append(houses, f)
			cell := houseCell(d.Point)
			cells[cell] = append(cells[cell], f)
		}
	}
	if len(houses) == 0 {
		return
	}
	for i := range b.drafts {
		if d := &b.drafts[i]; !d.gone && d.Extra != nil && kindOf(int(d.Category)) == index.Street {
			index.EachPiece(d.Extra.Shape, func(pts []geom.Point) { b.face(i, pts, cells) })
		}
	}
	for _, f := range houses {
		d := &b.drafts[f.draft]
		if f.street >= 0 {
			d.StreetEntry, d.Street = int32(f.street), b.drafts[f.street].Name
		} else if d.Admin.Neighbourhood == 0 {
			d.Admin.Neighbourhood = b.placeAround(d)
		}
	}
}

const houseCellSide = geom.Scale / 1000 // about 100 m from south to north

func houseCell(p geom.Point) [2]int32 { return [2]int32{p.X / houseCellSide, p.Y / houseCellSide} }

// facingWeights multiply the distance to a street by its class: houses stand beside
// footways and along streets.
var facingWeights = [16]float64{1: 2, 2: 1.5, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1.8, 9: 2.5}

// face offers a piece of a street to the houses around it.
func (b *builder) face(street int, pts []geom.Point, cells map[[2]int32][]*facing) {
	box := geom.Bounds(pts).Grow(facingReach)
	weight := facingWeights[b.drafts[street].class&15]
	if weight == 0 {
		weight = 1.2
	}
	lo, hi := houseCell(geom.Point{X: box.MinX, Y: box.MinY}), houseCell(geom.Point{X: box.MaxX, Y: box.MaxY})
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for _, f := range cells[[2]int32{x, y}] {
				near := geom.From(b.drafts[f.draft].Point)
				for j := 1; j < len(pts); j++ {
					d, _ := near.ToSegment(pts[j-1], pts[j])
					if w := d * weight; d <= facingReach && (w < f.weighted || w == f.weighted && street < f.street) {
						f.weighted, f.street = w, street
					}
				}
			}
		}
	}
}

// placeAround is the name of the smallest place that a house lies in: a quarter or a
// village, and no town.
func (b *builder) placeAround(d *draft) uint32 {
	for _, a := range slices.Backward(b.contexts.lists[d.Context]) {
		if a.Entry < 0 {
			continue
		}
		p := &b.drafts[a.Entry]
		switch category.All()[p.Category].ID {
		case "place.neighbourhood", "place.suburb", "place.village", "place.locality":
			return p.Name
		}
	}
	return 0
}

// mergePieces folds the ways of one name that are a piece each of something long and
// have no row of their own: a railway, a wall, a road under construction.
func (b *builder) mergePieces() {
	type key struct {
		category uint8
		name     string
	}
	whole := map[key][]int{}
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || d.Name == 0 || d.Source.Type() != "w" || !category.IsFallback(category.All()[d.Category].ID) || d.Extra != nil && len(d.Extra.Shape) > 0 {
			continue
		}
		k := key{d.Category, text.Canonical(b.m.Strings.String(d.Name))}
		merged := false
		for _, at := range whole[k] {
			w := &b.drafts[at]
			if w.extra().Box.Grow(pieceReach).Intersects(d.extra().Box) {
				w.Extra.Box = w.Extra.Box.Union(d.Extra.Box)
				b.fold(w, d)
				merged = true
				break
			}
		}
		if !merged {
			whole[k] = append(whole[k], i)
		}
	}
}

// pieceReach is how near two pieces of one thing are, in metres.
const pieceReach = 1_000
