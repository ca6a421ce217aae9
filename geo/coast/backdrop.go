package coast

import (
	"cmp"
	"math"
	"slices"

	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// The zooms of the backdrop: up to WorldMaxZoom it covers the whole world, and
// the data itself gives no ocean and no country boundaries there, so that
// nothing is drawn twice. Up to NearMaxZoom it surrounds the data, in the tiles
// of nearZoom that hold some of it and in those about them. The sea goes on to the last
// zoom in the cells beside the data, so that it does not end in a straight line where the
// extract does.
const (
	WorldMaxZoom = 5
	NearMaxZoom  = 10
	nearZoom     = WorldMaxZoom + 1
	// nearRing is how many tiles of nearZoom the backdrop reaches beyond the data: more
	// than half of a wide screen.
	nearRing = 2
	// maxNear is how many tiles of nearZoom bounds may be wide or high: those of
	// data on both sides of the 180th meridian go round the world.
	maxNear = 8
)

// Shape is one feature with its geometry, in world units. Of Point, Lines and
// Rings the one that Feature.As names is set. Rings are as in Cell.
type Shape struct {
	Feature shortbread.Feature
	Point   plane.Point
	Lines   []plane.Line
	Rings   []plane.Ring
}

// OceanFeature is the sea at the zooms from first to last.
func OceanFeature(first, last uint8) shortbread.Feature {
	return shortbread.Feature{
		Layer: shortbread.Ocean, As: shortbread.Polygon, Min: first, Max: last,
		MinSize: shortbread.Ocean.MinSize(),
	}
}

// borderFeature is the boundary of countries that no data tells more about.
func borderFeature(first, last uint8) shortbread.Feature {
	f := shortbread.New(nil).Boundary(nil, nil, []shortbread.Border{{Level: 2}})[0]
	f.Min, f.Max = first, last
	return f
}

// Own says whether the data has the label of the country with the two-letter
// code, or of the country that the point lies in: then that label counts and
// the backdrop gives none.
type Own func(iso string, at plane.Point) bool

// World gives the features of the whole world for the zooms up to WorldMaxZoom.
// own may be nil, langs are the languages of the names as for shortbread.New.
func (w *World) World(own Own, langs []string) []Shape {
	if w == nil {
		return nil
	}
	var out []Shape
	first := uint8(0)
	for _, l := range w.levels {
		if first > WorldMaxZoom {
			break
		}
		last := min(l.maxZoom, WorldMaxZoom)
		out = append(out,
			Shape{Feature: OceanFeature(first, last), Rings: l.sea},
			Shape{Feature: borderFeature(first, last), Lines: l.borders},
		)
		first = l.maxZoom + 1
	}
	for _, s := range w.labels(own, langs) {
		if s.Feature.Min <= WorldMaxZoom {
			s.Feature.Max = WorldMaxZoom
			out = append(out, s)
		}
	}
	return out
}

// NearLabels gives the names of the countries that stand around the data, for
// the zooms after WorldMaxZoom: to NearMaxZoom, and to the last zoom where the
// data is, as the label of the data would. own and langs are as for World,
// bounds and cells as for Near.
func (w *World) NearLabels(bounds Bounds, cells []tile.ID, own Own, langs []string) []Shape {
	if w == nil || len(cells) == 0 {
		return nil
	}
	near, held := nearTiles(bounds, cells), NewHeld(bounds, cells)
	var out []Shape
	for _, s := range w.labels(own, langs) {
		f := &s.Feature
		f.Min, f.Max = max(f.Min, nearZoom), NearMaxZoom
		if held.contains(s.Point) {
			f.Max = shortbread.MaxZoom
		}
		if near[tile.Holding(nearZoom, s.Point.X, s.Point.Y)] && f.Min <= f.Max {
			out = append(out, s)
		}
	}
	return out
}

// labels are the names of the countries at every zoom, the larger first. Each
// has a mapper of its own, whose tags it keeps.
func (w *World) labels(own Own, langs []string) []Shape {
	var out []Shape
	for _, c := range w.countries {
		if own != nil && own(c.iso, c.at) {
			continue
		}
		for _, f := range shortbread.New(nil).Country(nil, keep(c.names, langs)) {
			f.Measure(c.area*stretch(c.at), c.area)
			out = append(out, Shape{Feature: f, Point: c.at})
		}
	}
	slices.SortStableFunc(out, func(a, b Shape) int { return cmp.Compare(a.Feature.Order, b.Feature.Order) })
	return out
}

// stretch is how many times larger the plane shows an area than it is on the ground.
func stretch(at plane.Point) float64 {
	_, lat := tile.Unproject(at.X, at.Y)
	shrunk := math.Cos(lat * math.Pi / 180)
	return 1 / max(shrunk*shrunk, minShrunk)
}

// minShrunk bounds stretch at the edge of the plane, at 85 degrees.
const minShrunk = 0.0075

// keep leaves the plain name and those of the languages; without languages all.
func keep(names []mvt.Tag, langs []string) []mvt.Tag {
	if len(langs) == 0 {
		return names
	}
	var out []mvt.Tag
	for _, n := range names {
		if n.Key == "name" || slices.Contains(langs, n.Key[len("name_"):]) {
			out = append(out, n)
		}
	}
	return out
}

// Near gives the sea and the borders around the data for the zooms after
// WorldMaxZoom: in the tiles of zoom 6 that hold data, two about them, and
// those that its bounds touch (unless these are wider than eight such tiles),
// but not where the data is, which is in its cells (of CellZoom) and inside its
// bounds.
//
// After NearMaxZoom there is sea in the cells beside those with data. Cells inside the
// bounds that hold no data are sea at every zoom when all of them lies in the open
// sea: around islands there are cells without a single node. Ocean does not give those.
// A coarse coast inside the bounds would be a wrong one.
func (w *World) Near(bounds Bounds, cells []tile.ID) []Shape {
	if w == nil || len(cells) == 0 {
		return nil
	}
	l, ok := w.level(NearMaxZoom)
	if !ok {
		return nil
	}
	sea := Shape{Feature: OceanFeature(nearZoom, NearMaxZoom)}
	border := Shape{Feature: borderFeature(nearZoom, NearMaxZoom)}
	deep := Shape{Feature: OceanFeature(NearMaxZoom+1, shortbread.MaxZoom)}
	beside := besideData(bounds, cells)
	for _, s := range surroundings(bounds, cells) {
		rings := plane.ClipRings(nil, l.sea, s.tile)
		var lines []plane.Line
		for _, b := range l.borders {
			lines = plane.ClipLine(lines, b, s.tile)
		}
		for _, box := range s.boxes {
			parts := plane.ClipRings(nil, rings, box)
			sea.Rings = append(sea.Rings, parts...)
			deep.Rings = append(deep.Rings, deepSea(bounds, beside, box, parts)...)
			for _, b := range lines {
				border.Lines = plane.ClipLine(border.Lines, b, box)
			}
		}
	}
	return slices.DeleteFunc([]Shape{sea, border, deep}, func(s Shape) bool { return len(s.Rings)+len(s.Lines) == 0 })
}

// deepSea is what a box without data has of the sea after NearMaxZoom.
func deepSea(bounds Bounds, beside map[tile.ID]bool, box plane.Box, sea []plane.Ring) []plane.Ring {
	known := len(bounds) > 0 && wide(bounds.In(box))
	switch {
	case known && fills(sea, box):
		return []plane.Ring{square(box)}
	case !beside[tile.Holding(CellZoom, box.MinX, box.MinY)]:
		return nil
	case !known:
		return sea
	}
	var out []plane.Ring
	for _, outside := range without(box, bounds.In(box)) {
		out = plane.ClipRings(out, sea, outside)
	}
	return out
}

// besideData are the cells with data, those about them, and the same of the cells that the
// bounds touch.
func besideData(bounds Bounds, cells []tile.ID) map[tile.ID]bool {
	out := map[tile.ID]bool{}
	add := func(id tile.ID) {
		out[id] = true
		for _, n := range around(id) {
			out[n] = true
		}
	}
	for _, c := range cells {
		if c.Z == CellZoom && c.Valid() {
			add(c)
		}
	}
	for _, b := range bounds {
		const most = maxNear << (CellZoom - nearZoom)
		first, last := tile.Range(CellZoom, b.Expand(-1)) // not what only touches it
		if !wide(b) || last.X-first.X >= most || last.Y-first.Y >= most {
			continue
		}
		for y := first.Y; y <= last.Y; y++ {
			for x := first.X; x <= last.X; x++ {
				add(tile.ID{Z: CellZoom, X: x, Y: y})
			}
		}
	}
	return out
}

// fills says whether all of a box lies inside the rings.
func fills(rings []plane.Ring, box plane.Box) bool {
	var area int64
	for _, p := range plane.Clean(rings) {
		area += p.Area2()
	}
	return area == square(box).Area2()
}

// level is the finest level that serves a zoom.
func (w *World) level(zoom uint8) (level, bool) {
	for _, l := range w.levels {
		if l.maxZoom >= zoom {
			return l, true
		}
	}
	return level{}, false
}

// surrounding is a tile of nearZoom and the parts of it without data.
type surrounding struct {
	tile  plane.Box
	boxes []plane.Box
}

func surroundings(bounds Bounds, cells []tile.ID) []surrounding {
	tiles, held := nearTiles(bounds, cells), make(map[tile.ID]bool, len(cells))
	for _, c := range cells {
		held[c] = true
	}
	ids := make([]tile.ID, 0, len(tiles))
	for id := range tiles {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b tile.ID) int { return cmp.Compare(a.Code(), b.Code()) })
	out := make([]surrounding, 0, len(ids))
	for _, id := range ids {
		s := surrounding{tile: id.Box()}
		for _, half := range id.Children() {
			for _, c := range half.Children() {
				if held[c] {
					s.boxes = append(s.boxes, without(c.Box(), bounds.In(c.Box()))...)
				} else {
					s.boxes = append(s.boxes, c.Box())
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// nearTiles are the tiles of nearZoom that the backdrop fills: those with data,
// nearRing about them, and those that the bounds touch.
func nearTiles(bounds Bounds, cells []tile.ID) map[tile.ID]bool {
	tiles := make(map[tile.ID]bool)
	for _, c := range cells {
		if c.Z == CellZoom && c.Valid() {
			addRange(tiles, c.At(nearZoom).Box().Expand((nearRing-1)*tile.Size(nearZoom)+1))
		}
	}
	for _, b := range bounds {
		addRange(tiles, b)
	}
	return tiles
}

// addRange adds the tiles that bounds touch, unless they are too many.
func addRange(tiles map[tile.ID]bool, bounds plane.Box) {
	if bounds.Empty() {
		return
	}
	first, last := tile.Range(nearZoom, bounds)
	if last.X-first.X >= maxNear || last.Y-first.Y >= maxNear {
		return
	}
	for y := first.Y; y <= last.Y; y++ {
		for x := first.X; x <= last.X; x++ {
			tiles[tile.ID{Z: nearZoom, X: x, Y: y}] = true
		}
	}
}

// without is a box less the part of it inside the bounds, in at most four
// parts: above, below, left and right of it.
func without(b, in plane.Box) []plane.Box {
	if !wide(in) {
		return []plane.Box{b}
	}
	var out []plane.Box
	for _, part := range [4]plane.Box{
		{MinX: b.MinX, MinY: b.MinY, MaxX: b.MaxX, MaxY: in.MinY},
		{MinX: b.MinX, MinY: in.MaxY, MaxX: b.MaxX, MaxY: b.MaxY},
		{MinX: b.MinX, MinY: in.MinY, MaxX: in.MinX, MaxY: in.MaxY},
		{MinX: in.MaxX, MinY: in.MinY, MaxX: b.MaxX, MaxY: in.MaxY},
	} {
		if wide(part) {
			out = append(out, part)
		}
	}
	return out
}
