package tilebuild

import (
	"math"

	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// drawPoint puts the point of a shape into the one tile that holds it, at every
// zoom.
func (p *painter) drawPoint(source uint64, part uint32, f *shortbread.Feature, world plane.Point, s *shape) {
	h := head{f: f, record: record{kind: pointRecord, source: source, part: p.partBase + part}}
	for z := int(f.Max); z >= int(f.Min); z-- {
		zoom := uint8(z)
		if len(s.rings) > 0 && tooSmall(f, zoom, s.area) {
			return
		}
		p.describe(&h, zoom)
		h.record.weight = uint32(math.Round(float64(min(max(f.Rank, 0), 1)) * math.MaxUint16))
		// Not rounded: a label on the far edge of its tile would not be shown.
		shift := tile.DetailZoom - zoom
		id := tile.Holding(zoom, world.X, world.Y)
		at := plane.Point{X: world.X>>shift - int32(id.X)*tile.Extent, Y: world.Y>>shift - int32(id.Y)*tile.Extent}
		p.record = appendPoint(h.record.appendHead(p.record[:0], 0), at)
		p.put(id.Code(), p.record)
		if h.record.flags&once != 0 {
			p.tellNeighbours(h.record, id, at)
		}
	}
}

// tellNeighbours lets the tiles beside know of a label near their edge, so that
// they leave out the same one.
func (p *painter) tellNeighbours(r record, id tile.ID, at plane.Point) {
	r.flags |= aside
	side := func(v int32) (from, to int32) {
		if v < onceReach {
			from = -1
		}
		if v >= tile.Extent-onceReach {
			to = 1
		}
		return from, to
	}
	x0, x1 := side(at.X)
	y0, y1 := side(at.Y)
	for dy := y0; dy <= y1; dy++ {
		for dx := x0; dx <= x1; dx++ {
			next := tile.ID{Z: id.Z, X: uint32(int32(id.X) + dx), Y: uint32(int32(id.Y) + dy)}
			if next != id && next.Valid() {
				p.record = appendPoint(r.appendHead(p.record[:0], 0), plane.Point{X: at.X - dx*tile.Extent, Y: at.Y - dy*tile.Extent})
				p.put(next.Code(), p.record)
			}
		}
	}
}
