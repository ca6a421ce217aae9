package tilebuild

import (
	"cmp"
	"hash/maphash"
	"slices"

	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/shortbread"
)

const (
	// thinCell is the side of the squares in which labels are counted before
	// the last zoom, in pixels of the tile: 64 of a screen.
	thinCell = 512
	// thinKeep is how many labels of a layer a square keeps, the most
	// important; no more can be shown there.
	thinKeep = 4
	// onceReach is how far apart two labels of one place may stand.
	onceReach = 1024
)

// labels thins the points of a layer.
type labels struct {
	places []labelPlace
	cells  [((4096 + thinCell) / thinCell) * ((4096 + thinCell) / thinCell)]uint8
	seen   map[[2]mvt.Value][]plane.Point
	stands map[stand]bool
	seed   maphash.Seed
}

// stand is a label at a place.
type stand struct {
	at   plane.Point
	tags uint64 // the same for attributes that differ in the rank at most
}

// labelPlace is a point and its place in the order of drawing.
type labelPlace struct {
	at     plane.Point
	record int
}

func (e *encoder) drawPoints(out *mvt.Layer, zoom uint8, records []record) {
	for _, p := range e.labels.thinLabels(e, zoom, records) {
		e.attrs = e.tags.Tags(e.attrs[:0], records[p.record].tags)
		e.inside = true
		out.Points(e.attrs, []plane.Point{p.at})
	}
}

// thinLabels leaves out labels that stand where the same one is, and at low zooms
// those that more important ones crowd out. What is left is in drawing order.
func (l *labels) thinLabels(e *encoder, zoom uint8, records []record) []labelPlace {
	l.places = l.places[:0]
	clear(l.seen)
	clear(l.stands)
	for i := range records {
		r := &records[i]
		p := labelPlace{readPoint(r.body), i}
		if r.flags&once != 0 && l.known(e, r, p.at) || r.flags&aside != 0 {
			continue
		}
		s := stand{p.at, l.text(e, r)}
		if l.stands[s] {
			continue
		}
		l.stands[s] = true
		l.places = append(l.places, p)
	}
	if zoom < shortbread.MaxZoom && len(l.places) > thinKeep {
		l.keepImportant(records)
	}
	return l.places
}

// text stands for the attributes of a label without its rank, which differs
// between the two objects that one thing may be.
func (l *labels) text(e *encoder, r *record) uint64 {
	if r.layer != shortbread.POIs && r.layer != shortbread.PublicTransport && r.layer != shortbread.PlaceLabels {
		return uint64(r.tags)
	}
	var sum uint64
	e.attrs = e.tags.Tags(e.attrs[:0], r.tags)
	for _, t := range e.attrs {
		if t.Key != "rank" {
			sum = 31*sum + maphash.Comparable(l.seed, t)
		}
	}
	return sum
}

// known says whether a label of this kind and name stands near, and notes it.
func (l *labels) known(e *encoder, r *record, at plane.Point) bool {
	var key [2]mvt.Value
	e.attrs = e.tags.Tags(e.attrs[:0], r.tags)
	for _, t := range e.attrs {
		switch t.Key {
		case "kind":
			key[0] = t.Value
		case "name":
			key[1] = t.Value
		}
	}
	for _, p := range l.seen[key] {
		if max(p.X-at.X, at.X-p.X) <= onceReach && max(p.Y-at.Y, at.Y-p.Y) <= onceReach {
			return true
		}
	}
	l.seen[key] = append(l.seen[key], at)
	return false
}

// keepImportant keeps the most important labels of every square.
func (l *labels) keepImportant(records []record) {
	clear(l.cells[:])
	slices.SortStableFunc(l.places, func(a, b labelPlace) int {
		return cmp.Compare(records[b.record].weight, records[a.record].weight)
	})
	const columns = (4096 + thinCell) / thinCell
	kept := l.places[:0]
	for _, p := range l.places {
		cell := &l.cells[p.at.Y/thinCell*columns+p.at.X/thinCell]
		if *cell < thinKeep {
			*cell++
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b labelPlace) int { return cmp.Compare(a.record, b.record) })
	l.places = kept
}
