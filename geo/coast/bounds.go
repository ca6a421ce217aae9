package coast

import (
	"svc/geo/plane"
	"svc/geo/tile"
)

// Bounds are the boxes inside which the extracts of a build hold all data, in
// world units: one an extract, or several. Between boxes that lie apart nothing
// is known. Without any box the data is in its cells, and all of them is covered.
type Bounds []plane.Box

// In is the part of a box that the bounds cover: the smallest box around what
// each of them shares with it, and all of it without bounds. What they do not
// touch gives a box without width or height.
func (b Bounds) In(box plane.Box) plane.Box {
	if len(b) == 0 {
		return box
	}
	in := plane.Nowhere()
	for _, o := range b {
		if c := common(box, o); wide(c) {
			in = in.Union(c)
		}
	}
	if in.Empty() {
		return plane.Box{MinX: box.MinX, MinY: box.MinY, MaxX: box.MinX, MaxY: box.MinY}
	}
	return in
}

// wide says whether a box has an area.
func wide(b plane.Box) bool { return b.MinX < b.MaxX && b.MinY < b.MaxY }

// Held is the part of each cell with data that the data covers, where the
// backdrop draws nothing.
type Held map[tile.ID]plane.Box

// NewHeld takes the cells with data, tiles of CellZoom; others are left out.
func NewHeld(bounds Bounds, cells []tile.ID) Held {
	h := make(Held, len(cells))
	for _, c := range cells {
		if c.Z != CellZoom || !c.Valid() {
			continue
		}
		if in := bounds.In(c.Box()); wide(in) {
			h[c] = in
		}
	}
	return h
}

// Clip appends to dst the pieces of a line inside the data. Where the line
// leaves the data it meets what the backdrop goes on with.
func (h Held) Clip(dst []plane.Line, l plane.Line) []plane.Line {
	first, last := tile.Range(CellZoom, plane.BoxOf(l))
	for y := first.Y; y <= last.Y; y++ {
		for x := first.X; x <= last.X; x++ {
			if box, ok := h[tile.ID{Z: CellZoom, X: x, Y: y}]; ok {
				dst = plane.ClipLine(dst, l, box)
			}
		}
	}
	return dst
}

// contains says whether a place lies inside the data.
func (h Held) contains(p plane.Point) bool {
	box, ok := h[tile.Holding(CellZoom, p.X, p.Y)]
	return ok && box.Contains(p)
}
