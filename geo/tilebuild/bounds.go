package tilebuild

import (
	"math"

	"svc/geo/coast"
	"svc/geo/geom"
	"svc/geo/plane"
	"svc/geo/tile"
)

// extent is where the data of one extract is.
type extent struct {
	header *[4]float64 // what the extract says, in degrees; nil when it does not
	nodes  geom.Box
	cells  cellSet
}

// bounds are the boxes inside which the extract holds all data: its own, as far
// as its nodes bear it out, or else the cells with nodes.
func (e *extent) bounds() coast.Bounds {
	if e.nodes.IsEmpty() {
		return nil
	}
	if e.header == nil {
		var out coast.Bounds
		for _, c := range e.cells.list() {
			out = append(out, c.Box())
		}
		return out
	}
	b := tile.DataBounds(*e.header, [4]float64{
		float64(e.nodes.MinX) / geom.Scale, float64(e.nodes.MinY) / geom.Scale,
		float64(e.nodes.MaxX) / geom.Scale, float64(e.nodes.MaxY) / geom.Scale,
	})
	return coast.Bounds{*worldBox(&b)}
}

// boundsOf is what the build covers, extract by extract, within what was asked
// for. It is empty when no extract says it: then data is where nodes are.
func boundsOf(wanted *plane.Box, extents []extent) coast.Bounds {
	known := false
	var all coast.Bounds
	for i := range extents {
		known = known || extents[i].header != nil
		for _, b := range extents[i].bounds() {
			if wanted == nil {
				all = append(all, b)
			} else if b.Intersects(*wanted) {
				all = append(all, common(b, *wanted))
			}
		}
	}
	switch {
	case known && len(all) > 0:
		return all
	case wanted != nil:
		return coast.Bounds{*wanted}
	}
	return nil
}

// common is what two boxes share.
func common(a, b plane.Box) plane.Box {
	return plane.Box{MinX: max(a.MinX, b.MinX), MinY: max(a.MinY, b.MinY), MaxX: min(a.MaxX, b.MaxX), MaxY: min(a.MaxY, b.MaxY)}
}

// worldBox is a box in degrees (west, south, east, north) in world units.
func worldBox(b *[4]float64) *plane.Box {
	if b == nil {
		return nil
	}
	x0, y0 := tile.Project(b[0], b[3])
	x1, y1 := tile.Project(b[2], b[1])
	return &plane.Box{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1}
}

// degreesOf is the inverse of worldBox.
func degreesOf(b *plane.Box) [4]float64 {
	west, north := tile.Unproject(b.MinX, b.MinY)
	east, south := tile.Unproject(b.MaxX, b.MaxY)
	return [4]float64{west, south, east, north}
}

// degrees is the box around all that the build covers.
func (b *builder) degrees() [4]float64 {
	box := plane.Nowhere()
	for _, c := range b.cover {
		box = box.Union(c)
	}
	if len(b.cover) == 0 {
		for _, id := range b.cells.list() {
			box = box.Union(id.Box())
		}
	}
	if box.Empty() {
		return [4]float64{}
	}
	return degreesOf(&box)
}

// centerZoom is the zoom at which a box in degrees fills about a screen.
func centerZoom(b [4]float64) uint8 {
	width := max(b[2]-b[0], 2*(b[3]-b[1]), 1e-6)
	return uint8(min(max(math.Round(math.Log2(720/width)), 0), 14))
}
