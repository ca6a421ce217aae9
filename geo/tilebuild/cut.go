package tilebuild

import (
	"svc/geo/plane"
	"svc/geo/tile"
)

const (
	extentBits = 12 // 4096 pixels
	// blockLevel is the size of the blocks that large areas are cut into first,
	// as a power of two of tiles.
	blockLevel = 3
)

// cutter cuts geometry into tiles. An area over many tiles is first cut in
// quarters of quarters: what lies inside it costs nothing, however many tiles
// it has.
type cutter struct {
	slicer   plane.Slicer
	quarters [16][]plane.Ring // by level
}

// grid readies the slicer for the tiles of a zoom.
func (c *cutter) grid(zoom uint8, around int32) *plane.Slicer {
	last := int32(1)<<zoom - 1
	c.slicer.Size, c.slicer.Buffer, c.slicer.Cells = tile.Extent, around, plane.Box{MaxX: last, MaxY: last}
	return &c.slicer
}

// lines gives the pieces of lines, in pixels of the zoom, in each of their
// tiles, from the corner of the tile.
func (c *cutter) lines(lines []plane.Line, zoom uint8, around int32, yield func(tile.ID, []plane.Line)) {
	c.grid(zoom, around).Lines(lines, func(cell plane.Cell) {
		yield(tile.ID{Z: zoom, X: uint32(cell.Col), Y: uint32(cell.Row)}, cell.Lines)
	})
}

// rings gives the pieces of an area in each of its tiles, and the runs of tiles
// that lie inside it: the code of the first and their number.
func (c *cutter) rings(rings []plane.Ring, zoom uint8, around int32, yield func(tile.ID, []plane.Ring), cover func(uint64, uint32)) {
	b := plane.Nowhere()
	for _, r := range rings {
		b = b.Union(plane.BoxOf(r))
	}
	if b.Empty() {
		return
	}
	q := quartering{cutter: c, window: windowOf(b, zoom, around), yield: yield, cover: cover}
	c.grid(zoom, around)
	if (q.x1-q.x0+1)*(q.y1-q.y0+1) <= 1<<(2*blockLevel) {
		q.slice(rings)
		return
	}
	level, x, y := q.root()
	q.quarter(rings, level, x, y)
}

// window is the part of the tile grid that something touches at one zoom.
type window struct {
	zoom           uint8
	around         int32 // buffer
	x0, y0, x1, y1 int32
}

func windowOf(b plane.Box, zoom uint8, around int32) window {
	last := int32(1)<<zoom - 1
	at := func(v int32) int32 { return min(max(v>>extentBits, 0), last) }
	return window{zoom: zoom, around: around, x0: at(b.MinX - around), y0: at(b.MinY - around), x1: at(b.MaxX + around), y1: at(b.MaxY + around)}
}

// box is a square of the grid, 2^level tiles wide, with the buffer of its
// tiles, in pixels.
func (w *window) box(level uint8, x, y int32) plane.Box {
	bits := extentBits + level
	return plane.Box{MinX: x<<bits - w.around, MinY: y<<bits - w.around, MaxX: (x+1)<<bits + w.around, MaxY: (y+1)<<bits + w.around}
}

// root is the smallest square that holds the window.
func (w *window) root() (level uint8, x, y int32) {
	x, y = w.x0, w.y0
	for ex, ey := w.x1, w.y1; x != ex || y != ey; level++ {
		x, y, ex, ey = x>>1, y>>1, ex>>1, ey>>1
	}
	return level, x, y
}

// touches says whether a square holds a tile of the window.
func (w *window) touches(level uint8, x, y int32) bool {
	return x >= w.x0>>level && x <= w.x1>>level && y >= w.y0>>level && y <= w.y1>>level
}

// quartering is the cutting of one large area.
type quartering struct {
	*cutter
	window
	yield func(tile.ID, []plane.Ring)
	cover func(uint64, uint32)
}

func (q *quartering) quarter(rings []plane.Ring, level uint8, x, y int32) {
	box := q.box(level, x, y)
	inside := plane.ClipRings(q.quarters[level][:0], rings, box)
	q.quarters[level] = inside
	switch {
	case len(inside) == 0:
	case covers(inside, box):
		// The tiles of a square follow each other on the curve.
		id := tile.ID{Z: q.zoom - level, X: uint32(x), Y: uint32(y)}
		q.cover(tile.First(q.zoom)+(id.Code()-tile.First(id.Z))<<(2*level), 1<<(2*level))
	case level <= blockLevel:
		wanted := q.slicer.Cells
		q.slicer.Cells = plane.Box{MinX: x << level, MinY: y << level, MaxX: (x+1)<<level - 1, MaxY: (y+1)<<level - 1}
		q.slice(inside)
		q.slicer.Cells = wanted
	default:
		for i := range int32(4) {
			if cx, cy := 2*x+i&1, 2*y+i>>1; q.touches(level-1, cx, cy) {
				q.quarter(inside, level-1, cx, cy)
			}
		}
	}
}

// slice cuts rings tile by tile.
func (q *quartering) slice(rings []plane.Ring) {
	q.slicer.Rings(rings, func(cell plane.Cell) {
		id := tile.ID{Z: q.zoom, X: uint32(cell.Col), Y: uint32(cell.Row)}
		if cell.Full {
			q.cover(id.Code(), 1)
		} else {
			q.yield(id, cell.Rings)
		}
	})
}

// covers says whether rings that were cut to a box fill it: they run along its
// border only, and once around.
func covers(rings []plane.Ring, b plane.Box) bool {
	full := 2 * int64(b.MaxX-b.MinX) * int64(b.MaxY-b.MinY)
	var sum int64
	for _, r := range rings {
		for _, p := range r {
			if p.X != b.MinX && p.X != b.MaxX && p.Y != b.MinY && p.Y != b.MaxY {
				return false
			}
		}
		a := r.Area2()
		if a != 0 && a != full && a != -full {
			return false
		}
		sum += a
	}
	return sum == full
}
