package tilebuild

import (
	"math"

	"svc/geo/osm"
	"svc/geo/plane"
	"svc/geo/tile"
)

// boundsOf is what the build covers, in degrees: what was asked for, or else
// what all extracts say of themselves; nil when one does not say.
func boundsOf(wanted *[4]float64, files []*osm.File) *[4]float64 {
	if wanted != nil {
		return wanted
	}
	var all *[4]float64
	for _, f := range files {
		b := f.Header().Bounds
		switch {
		case b == nil:
			return nil
		case all == nil:
			c := *b
			all = &c
		default:
			all = &[4]float64{min(all[0], b[0]), min(all[1], b[1]), max(all[2], b[2]), max(all[3], b[3])}
		}
	}
	return all
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

// degrees is the box around all covered cells.
func (c *cellSet) degrees() [4]float64 {
	box := plane.Nowhere()
	for _, id := range c.list() {
		box = box.Union(id.Box())
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
