package mapbuild

import (
	"cmp"
	"slices"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
)

// Where no polygon says the town, the addresses do: a street lies in the towns of its
// houses, and what has none in that of the houses around it (map contract 41.10).

// cityCell is the side of the cells in which the towns of addresses are counted, about
// 1.1 km from south to north.
const cityCell = geom.Scale / 100

type cityCount map[uint32]int

// borrowCities adds towns to the contexts of streets, and of what no area holds.
func (b *builder) borrowCities() {
	cells := map[[2]int32]cityCount{}
	streets := map[int32]cityCount{}
	note := func(m cityCount, city uint32) cityCount {
		if m == nil {
			m = cityCount{}
		}
		m[city]++
		return m
	}
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || d.House == 0 || d.Admin.City == 0 {
			continue
		}
		cell := [2]int32{d.Point.X / cityCell, d.Point.Y / cityCell}
		cells[cell] = note(cells[cell], d.Admin.City)
		if d.StreetEntry >= 0 {
			streets[d.StreetEntry] = note(streets[d.StreetEntry], d.Admin.City)
		}
	}
	if len(cells) == 0 {
		return
	}
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || kindOf(int(d.Category)) == index.Place {
			continue
		}
		towns := streets[int32(i)]
		if d.Admin.City == 0 && towns == nil && !b.isSettled(d.Context) {
			towns = around(cells, d.Point)
		}
		if len(towns) > 0 {
			d.Context = b.withTowns(d.Context, towns)
		}
	}
}

// isSettled reports whether a context has a town or a municipality: more than parts of
// one, and less than a region.
func (b *builder) isSettled(context uint32) bool {
	return slices.ContainsFunc(b.contexts.lists[context], func(a index.ContextArea) bool {
		if a.Coarse || a.Entry < 0 {
			return !a.Coarse
		}
		switch category.All()[b.drafts[a.Entry].Category].ID {
		case "place.suburb", "place.neighbourhood", "place.locality", "place.island":
			return false
		}
		return true
	})
}

// around counts the towns of the cell of a point, else of the cells about it.
func around(cells map[[2]int32]cityCount, p geom.Point) cityCount {
	x, y := p.X/cityCell, p.Y/cityCell
	if own := cells[[2]int32{x, y}]; own != nil {
		return own
	}
	out := cityCount{}
	for dx := int32(-1); dx <= 1; dx++ {
		for dy := int32(-1); dy <= 1; dy++ {
			for city, n := range cells[[2]int32{x + dx, y + dy}] {
				out[city] += n
			}
		}
	}
	return out
}

// maxTowns is the most towns that one entry borrows.
const maxTowns = 3

// withTowns adds the towns that are named most often to a context.
func (b *builder) withTowns(context uint32, towns cityCount) uint32 {
	names := sortedByKey(towns)
	slices.SortStableFunc(names, func(x, y uint32) int { return cmp.Compare(towns[y], towns[x]) })
	list := slices.Clone(b.contexts.lists[context])
	for _, name := range names[:min(len(names), maxTowns)] {
		if a := (index.ContextArea{Entry: -1, Name: name}); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return b.contexts.number(list)
}
