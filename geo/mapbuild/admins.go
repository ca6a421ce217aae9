package mapbuild

import (
	"math"
	"runtime"
	"sync"

	"svc/geo/admin"
	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
)

// locator answers which administrative areas hold a point.
type locator struct {
	areas  *index.Areas
	list   []index.Area
	names  []uint32
	sizes  []float32
	drafts []int
}

func (b *builder) newLocator() *locator {
	l := &locator{}
	m := index.Model{Strings: b.m.Strings}
	for _, a := range b.areas {
		d := &b.drafts[a.draft]
		m.Areas = append(m.Areas, index.Area{Entry: int32(len(m.Entries)), Level: a.level, Place: a.place})
		m.Entries = append(m.Entries, d.Entry)
		l.names = append(l.names, d.Name)
		l.sizes = append(l.sizes, float32(d.Extra.Box.Diagonal()))
		l.drafts = append(l.drafts, a.draft)
	}
	l.areas, l.list = index.NewAreas(&m), m.Areas
	return l
}

// at lists the areas that hold a point, of those at most as fine as finest, in
// the order in which an address is assembled. buf is reused between calls. The
// Entry of each is its position in drafts.
func (l *locator) at(p geom.Point, finest uint8, buf *[]admin.Area) []admin.Area {
	found := (*buf)[:0]
	l.areas.Containing(p, func(i int) {
		a := l.list[i]
		if a.Level > finest {
			return
		}
		found = append(found, admin.Area{Level: a.Level, Place: a.Place, Name: l.names[i], Size: l.sizes[i], Entry: uint32(i)})
	})
	*buf = found
	admin.Sort(found)
	return found
}

// assignAdmins reads the polygons for every draft; addr:* tags fill what they
// leave empty, and a settlement is its own. All of them are its context.
func (b *builder) assignAdmins(from int) {
	b.noteIsIn()
	near := b.newSeats()
	parallel(len(b.drafts)-from, func(lo, hi int) {
		var buf []admin.Area
		for i := from + lo; i < from+hi; i++ {
			d := &b.drafts[i]
			if d.gone {
				continue
			}
			found := b.locate.at(d.Point, d.finest(), &buf)
			d.Context = b.contexts.number(b.contextOf(i, found, d.Admin, near))
			a := admin.Fill(admin.Assemble(found), d.Admin)
			switch category.All()[d.Category].ID {
			case "place.city", "place.town":
				a = admin.Fill(a, index.Admin{City: d.Name})
			case "place.neighbourhood":
				a = admin.Fill(a, index.Admin{Neighbourhood: d.Name})
			}
			d.Admin = a
		}
	})
}

// finest is the finest level of which d can be a part. What is itself an area
// holds the finer ones around its middle and is not in them: a region has no
// neighbourhood.
func (d *draft) finest() uint8 {
	if kindOf(int(d.Category)) != index.Place {
		return math.MaxUint8
	}
	if d.level > 0 {
		return d.level
	}
	if level, ok := unofficialLevels[category.All()[d.Category].ID]; ok {
		return level
	}
	return math.MaxUint8
}

// parallel splits n items over the cores; each item belongs to one call.
func parallel(n int, work func(lo, hi int)) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		lo, hi := n*w/workers, n*(w+1)/workers
		if lo < hi {
			wg.Go(func() { work(lo, hi) })
		}
	}
	wg.Wait()
}
