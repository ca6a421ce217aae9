package mapbuild

import (
	"math"
	"strings"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/text"
)

const (
	streetReach = 500 // metres from a house to the street that its address names
	maxNumbers  = 100 // house numbers of one object
)

// splitHouses gives each number of a list its own entry: 12;14 is two houses.
// A range stays one entry that answers to every number in it.
func (b *builder) splitHouses() {
	n := len(b.drafts)
	for i := range n {
		d := &b.drafts[i]
		if d.gone || d.House == 0 {
			continue
		}
		raw := b.m.Strings.String(d.House)
		if !strings.ContainsAny(raw, ";,") {
			continue
		}
		var numbers []uint32
		for _, s := range strings.FieldsFunc(raw, func(r rune) bool { return r == ';' || r == ',' }) {
			if id := b.id(s); id != 0 && len(numbers) < maxNumbers {
				numbers = append(numbers, id)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		b.drafts[i].House = numbers[0]
		if kindOf(int(d.Category)) != index.Address {
			continue // a point of interest is one entry, at its first number
		}
		for _, house := range numbers[1:] {
			more := b.drafts[i]
			more.House = house
			b.drafts = append(b.drafts, more)
		}
	}
}

// streetBook finds streets by any of their names.
type streetBook map[string][]int

func (b *builder) newStreetBook() streetBook {
	book := streetBook{}
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || kindOf(int(d.Category)) != index.Street {
			continue
		}
		seen := map[string]bool{}
		add := func(name uint32) {
			if key := b.canonical(name); key != "" && !seen[key] {
				seen[key] = true
				book[key] = append(book[key], i)
			}
		}
		add(d.Name)
		for _, n := range b.m.NamesOf(&d.Entry) {
			if n.Key < index.SearchedNames {
				add(n.Value)
			}
		}
	}
	return book
}

// linkStreets matches addr:street to the nearest street entry of that name.
func (b *builder) linkStreets(from int) {
	canonical := map[uint32]string{}
	for i := from; i < len(b.drafts); i++ {
		if d := &b.drafts[i]; !d.gone && d.Street != 0 && d.House != 0 {
			if _, ok := canonical[d.Street]; !ok {
				canonical[d.Street] = b.canonical(d.Street)
			}
		}
	}
	parallel(len(b.drafts)-from, func(lo, hi int) {
		for i := from + lo; i < from+hi; i++ {
			d := &b.drafts[i]
			if d.gone || d.Street == 0 || d.House == 0 {
				continue
			}
			if at := b.nearestStreet(b.streets[canonical[d.Street]], d.Point); at >= 0 {
				d.StreetEntry = int32(at)
				d.Street = b.drafts[at].Name
			}
		}
	})
}

// nearestStreet is the nearest of some streets within reach of p; -1 when none is.
func (b *builder) nearestStreet(streets []int, p geom.Point) int {
	best, at := math.Inf(1), -1
	near, reach := geom.From(p), geom.Around(p, streetReach)
	for _, i := range streets {
		x := b.drafts[i].Extra
		if x == nil { // a square of which the extract has no whole outline is a point
			if d := near.Metres(b.drafts[i].Point); d < best && d <= streetReach {
				best, at = d, i
			}
			continue
		}
		if !x.Box.Intersects(reach) {
			continue
		}
		index.EachPiece(x.Shape, func(pts []geom.Point) {
			if !geom.Bounds(pts).Intersects(reach) {
				return
			}
			for j := 1; j < len(pts); j++ {
				if d, _ := near.ToSegment(pts[j-1], pts[j]); d < best && d <= streetReach {
					best, at = d, i
				}
			}
		})
	}
	return at
}

// dropBareHouses takes out house numbers without a digit, which nobody can ask for.
func (b *builder) dropBareHouses() {
	for i := range b.drafts {
		d := &b.drafts[i]
		if !d.gone && kindOf(int(d.Category)) == index.Address && text.HouseNumber(b.m.Strings.String(d.House)) == "" {
			d.gone = true
		}
	}
}
