package mapbuild

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"

	"svc/geo/admin"
	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
)

// Contexts: the areas that an entry lies in, by whatever the extracts say it
// (map contract 41.10). Polygons come first, then the tags of an address, then the
// nearest places that are mapped as points only.

// maxContext is the most areas of one context: a long road lies in many.
const maxContext = 24

// contexts numbers distinct lists of areas. Entries are positions of drafts.
type contexts struct {
	mu    sync.Mutex
	known map[string]uint32
	lists [][]index.ContextArea
}

func newContexts() *contexts {
	return &contexts{known: map[string]uint32{"": 0}, lists: [][]index.ContextArea{nil}}
}

// number is the number of a list, which is cloned when it is new.
func (c *contexts) number(list []index.ContextArea) uint32 {
	list = list[:min(len(list), maxContext)]
	key := make([]byte, 0, 64)
	for _, a := range list {
		key = binary.AppendVarint(key, int64(a.Entry)<<1|coarseBit(a.Coarse))
		key = binary.AppendUvarint(key, uint64(a.Name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.known[string(key)]
	if !ok {
		n = uint32(len(c.lists))
		c.known[string(key)] = n
		c.lists = append(c.lists, slices.Clone(list))
	}
	return n
}

func coarseBit(coarse bool) int64 {
	if coarse {
		return 1
	}
	return 0
}

// union is the context of what lies in several, such as a street of several ways.
func (c *contexts) union(numbers []uint32) uint32 {
	var all []index.ContextArea
	seen := map[uint32]bool{}
	for _, n := range numbers {
		if seen[n] {
			continue
		}
		seen[n] = true
		for _, a := range c.lists[n] {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return c.number(all)
}

// contextOf lists the areas of draft i: those whose polygons hold it, sorted, and
// those that its tags name.
func (b *builder) contextOf(i int, found []admin.Area, tagged index.Admin, near *seats) []index.ContextArea {
	d := &b.drafts[i]
	var list []index.ContextArea
	settled := false
	for _, a := range found {
		if at := b.locate.drafts[a.Entry]; at != i && a.Name != 0 {
			coarse := a.Level > 0 && a.Level <= 6 && a.Place == index.OtherPlace
			list = append(list, index.ContextArea{Entry: int32(at), Coarse: coarse})
			settled = settled || a.Level == 0 || a.Place != index.OtherPlace
		}
	}
	for _, name := range []uint32{tagged.Neighbourhood, tagged.Suburb, tagged.City, tagged.District} {
		if name != 0 {
			list = append(list, index.ContextArea{Entry: -1, Name: name})
		}
	}
	if d.isIn != 0 {
		list = append(list, b.isIn[d.isIn]...)
	}
	for _, at := range near.around(d, settled, municipality(found)) {
		list = append(list, index.ContextArea{Entry: int32(at)})
	}
	return list
}

// noteIsIn reads the lists of the tag is_in once each: interning is not for workers.
func (b *builder) noteIsIn() {
	b.isIn = map[uint32][]index.ContextArea{}
	for i := range b.drafts {
		id := b.drafts[i].isIn
		if _, known := b.isIn[id]; known || id == 0 {
			continue
		}
		var list []index.ContextArea
		parts := strings.FieldsFunc(b.m.Strings.String(id), func(r rune) bool { return r == ',' || r == ';' })
		for _, part := range slices.Clone(parts)[:min(len(parts), 8)] {
			if name := b.id(strings.Clone(part)); name != 0 {
				list = append(list, index.ContextArea{Entry: -1, Name: name, Coarse: true})
			}
		}
		b.isIn[id] = list
	}
}

// finishContexts hands the lists to the model: drafts become entries, and a name
// that a place bears becomes that place, with its names in all languages. at is
// the position of each draft among the entries, -1 for those that are gone.
func (b *builder) finishContexts(at []int32) {
	places := map[string]int32{}
	for i := range b.drafts {
		d := &b.drafts[i]
		if at[i] < 0 || d.Name == 0 || kindOf(int(d.Category)) != index.Place {
			continue
		}
		key := b.canonical(d.Name)
		if old, ok := places[key]; !ok || b.m.Entries[at[i]].Rank > b.m.Entries[old].Rank {
			places[key] = at[i]
		}
	}
	for _, list := range b.contexts.lists {
		out := make([]index.ContextArea, 0, len(list))
		for _, a := range list {
			if a.Entry >= 0 {
				a.Name = b.drafts[a.Entry].Name
				if a.Entry = at[a.Entry]; a.Entry < 0 {
					a.Entry = -1
				}
			}
			if a.Entry < 0 {
				if place, ok := places[b.canonical(a.Name)]; ok {
					a.Entry = place
				}
			}
			if a.Name != 0 {
				out = append(out, a)
			}
		}
		b.m.Contexts = append(b.m.Contexts, out)
	}
}

// seats are places that are mapped as points only, by class. What has no polygon is
// taken to be in the nearest of each class within its reach.
type seats struct {
	drafts  []draft
	classes []seatClass
	inside  map[int]uint32 // the municipality of a seat, as locator.municipality gives it
}

type seatClass struct {
	reach      float64            // metres
	settlement bool               // a city, town or village, as opposed to a part of one
	cell       int32              // the side of a cell, about the reach from south to north
	cells      map[[2]int32][]int // the seats whose reach touches a cell
}

var seatReach = []struct {
	categories []string
	reach      float64
	settlement bool
}{
	{[]string{"place.city"}, 10_000, true},
	{[]string{"place.town"}, 5_000, true},
	{[]string{"place.village"}, 2_500, true},
	{[]string{"place.suburb"}, 2_000, false},
	{[]string{"place.neighbourhood"}, 1_000, false},
}

func (b *builder) newSeats() *seats {
	s := &seats{drafts: b.drafts, inside: map[int]uint32{}}
	var buf []admin.Area
	class := map[string]int{}
	for i, c := range seatReach {
		s.classes = append(s.classes, seatClass{reach: c.reach, settlement: c.settlement, cell: int32(c.reach / 111_000 * geom.Scale), cells: map[[2]int32][]int{}})
		for _, id := range c.categories {
			class[id] = i
		}
	}
	for i := range b.drafts {
		d := &b.drafts[i]
		c, ok := class[category.All()[d.Category].ID]
		if !ok || d.gone || d.Name == 0 || d.Extra != nil && len(d.Extra.Shape) > 0 {
			continue
		}
		s.inside[i] = municipality(b.locate.at(d.Point, math.MaxUint8, &buf))
		in := &s.classes[c]
		box := geom.Around(d.Point, in.reach)
		for x := box.MinX / in.cell; x <= box.MaxX/in.cell; x++ {
			for y := box.MinY / in.cell; y <= box.MaxY/in.cell; y++ {
				in.cells[[2]int32{x, y}] = append(in.cells[[2]int32{x, y}], i)
			}
		}
	}
	return s
}

// noMunicipality stands for being in none.
const noMunicipality = math.MaxUint32

// municipality is the smallest area of the levels of municipalities, 7 and 8, among some.
func municipality(found []admin.Area) uint32 {
	at := uint32(noMunicipality)
	for _, a := range found {
		if a.Level == 7 || a.Level == 8 {
			at = a.Entry
		}
	}
	return at
}

// around lists the seats of draft d: none for a settlement, which is its own, none but
// settlements for a part of one, and none that lie in another municipality than in.
func (s *seats) around(d *draft, settled bool, in uint32) []int {
	place := kindOf(int(d.Category)) == index.Place
	if place {
		switch category.All()[d.Category].ID {
		case "place.suburb", "place.neighbourhood", "place.locality":
		default:
			return nil
		}
	}
	var out []int
	near := geom.From(d.Point)
	for i := range s.classes {
		c := &s.classes[i]
		if len(c.cells) == 0 || settled && c.settlement || place && !c.settlement {
			continue
		}
		best, at := math.Inf(1), -1
		for _, j := range c.cells[[2]int32{d.Point.X / c.cell, d.Point.Y / c.cell}] {
			if m := near.Metres(s.drafts[j].Point); m <= c.reach && m < best && s.inside[j] == in {
				best, at = m, j
			}
		}
		if at >= 0 {
			out = append(out, at)
		}
	}
	return out
}
