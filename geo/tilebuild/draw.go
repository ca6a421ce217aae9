package tilebuild

import (
	"math"

	"svc/geo/coast"
	"svc/geo/geom"
	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/ring"
	"svc/geo/shortbread"
	"svc/geo/tagset"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// Buffers around a tile in its pixels (map contract 2).
const (
	buffer         = 64
	buildingBuffer = 8
)

// unitsPerPixel is the width of a pixel of a tile in world units.
func unitsPerPixel(zoom uint8) float64 { return float64(uint32(1) << (tile.DetailZoom - zoom)) }

// tolerance is how far a simplified line may leave its source, in pixels of the
// tile; a tile is shown on 512 pixels of a screen, so that two are a quarter.
func tolerance(zoom uint8) float64 {
	if zoom == tile.DetailZoom {
		return 0.75
	}
	return 2
}

// shape is the geometry of one object in world units.
type shape struct {
	point plane.Point
	lines []plane.Line
	rings []plane.Ring // outer ones positive, holes negative
	area  float64      // of rings, in square units
	// pointed: point is the place of labels, be there an area or not.
	pointed bool
	// entry is where the search index has the object: what is clicked stands
	// there, so that /api/lookup finds it by where it was clicked.
	entry spot
}

// ground is the area of the rings on the ground in square metres.
func (s *shape) ground() float64 {
	var sum float64
	for _, r := range s.rings {
		degrees := make([]geom.Point, len(r))
		for i, p := range r {
			lon, lat := tile.Unproject(p.X, p.Y)
			degrees[i] = geom.FromDegrees(lat, lon)
		}
		sum -= ring.Area(degrees) // y down: outer rings are counter-clockwise there
	}
	return sum
}

// painter draws features into the records of tiles. It serves one goroutine.
type painter struct {
	sort   *tilesort.Sorter
	tags   *tagset.Sets
	stats  *counts
	bounds *plane.Box // what to keep, in world units; nil for everything
	batch  *tilesort.Batch
	err    error // of the sorter: drawing goes on into nothing

	record []byte
	body   []byte
	heads  []head
	attrs  []mvt.Tag
	lines  simplifier[plane.Line]
	rings  simplifier[plane.Ring]
	cut    cutter
	names  layerNames // of the attributes drawn
	// held is set for boundaries that the backdrop goes on with outside the
	// data, and has to be cut there at its zooms.
	held coast.Held
	// partBase is added to the numbers of features, for objects that are drawn
	// in two steps.
	partBase uint32
}

// head is a feature as it stands in the records of one zoom.
type head struct {
	f      *shortbread.Feature
	zoom   uint8 // that tags stands for
	tagged bool
	record record
}

func newPainter(s *tilesort.Sorter, t *tagset.Sets, bounds *plane.Box) *painter {
	return &painter{sort: s, tags: t, stats: &counts{}, names: layerNames{}, bounds: bounds, batch: s.Fresh()}
}

// flush hands over what was drawn last.
func (p *painter) flush() error {
	if p.err == nil {
		p.err = p.sort.Take(p.batch)
	}
	p.batch = nil
	return p.err
}

// draw draws the features of one object.
func (p *painter) draw(source uint64, features []shortbread.Feature, s *shape) {
	if p.bounds != nil && !p.clip(s) {
		return
	}
	for i := range features {
		f := &features[i]
		p.stats[f.Layer]++
		if f.Area {
			ground := 0.0
			if f.Layer == shortbread.BoundaryLabels {
				ground = s.ground()
			}
			f.Measure(s.area*unitMetres*unitMetres, ground)
		}
		if f.As != shortbread.Point {
			continue
		}
		if at := p.label(f.Layer, s); at.ok {
			p.drawPoint(source, uint32(i), f, at.at, s)
		}
	}
	p.drawAll(source, features, s, shortbread.Line, false)
	p.drawAll(source, features, s, shortbread.Polygon, false)
	p.drawAll(source, features, s, shortbread.Polygon, true)
}

// unitMetres is the length of a world unit on the equator in metres.
const unitMetres = 40075016.685578488 / tile.World

// label finds the point that stands for an object in a layer. Where the search
// index has it goes before the middle of its area, which for an area of an odd
// form is hundreds of metres away (map contract 2: clicking an icon and /api/lookup agree);
// not where the wanted bounds cut that off.
func (p *painter) label(layer shortbread.Layer, s *shape) spot {
	if clicked(layer) && s.entry.ok && len(s.rings) > 0 && (p.bounds == nil || p.bounds.Contains(s.entry.at)) {
		return s.entry
	}
	ok := p.middle(s)
	return spot{s.point, ok}
}

// clicked says whether a layer shows the objects of the search index.
func clicked(l shortbread.Layer) bool {
	return l == shortbread.POIs || l == shortbread.PublicTransport || l == shortbread.PlaceLabels
}

// middle makes the point of a shape one inside its area; false when there is no
// area.
func (p *painter) middle(s *shape) bool {
	if s.pointed {
		return true
	}
	var best plane.Polygon
	var most int64
	for _, polygon := range plane.Clean(s.rings) {
		if a := polygon.Area2(); a > most {
			best, most = polygon, a
		}
	}
	if best == nil {
		return false
	}
	s.point, s.pointed = plane.PointInside(best), true
	return true
}

// clip cuts a shape to the wanted bounds; false when nothing is left.
func (p *painter) clip(s *shape) bool {
	if s.pointed && len(s.lines)+len(s.rings) == 0 {
		return p.bounds.Contains(s.point)
	}
	var lines []plane.Line
	for _, l := range s.lines {
		lines = plane.ClipLine(lines, l, *p.bounds)
	}
	s.lines = lines
	s.rings = plane.ClipRings(nil, s.rings, *p.bounds)
	return len(s.lines)+len(s.rings) > 0
}

// tooSmall says whether an area, in square world units, is not worth drawing.
func tooSmall(f *shortbread.Feature, zoom uint8, area float64) bool {
	if zoom >= shortbread.MaxZoom || f.MinSize == 0 {
		return false
	}
	pixel := 16 * unitsPerPixel(zoom)
	return area < float64(f.MinSize)*pixel*pixel
}

// describe brings a head to a zoom.
func (p *painter) describe(h *head, zoom uint8) {
	if !h.tagged || !h.f.SameTags(h.zoom, zoom) {
		p.attrs = h.f.TagsAt(p.attrs[:0], zoom)
		h.record.tags = p.tags.ID(p.attrs)
		p.names.note(h.f.Layer, p.attrs)
		h.record.flags = 0
		if h.f.Once {
			h.record.flags = once
		}
		if h.f.Directed && hasKey(p.attrs, "oneway") {
			h.record.flags |= directed
		}
	}
	h.zoom, h.tagged = zoom, true
	h.record.layer, h.record.order = h.f.Layer, h.f.Order
}

func hasKey(tags []mvt.Tag, key string) bool {
	for i := range tags {
		if tags[i].Key == key {
			return true
		}
	}
	return false
}

// put hands a record to the sorter.
func (p *painter) put(code uint64, data []byte) {
	if p.err != nil {
		return
	}
	p.batch.Add(uint32(code), data)
	if p.sort.Full(p.batch) {
		p.err = p.sort.Take(p.batch)
		p.batch = p.sort.Fresh()
	}
}

// drawAll draws the features that show the shape as lines, or as areas, zoom by
// zoom from the deepest: what is simplified for one zoom is the source of the
// one above. All features share the cutting. Buildings have a buffer of their
// own.
func (p *painter) drawAll(source uint64, features []shortbread.Feature, s *shape, as shortbread.Geometry, buildings bool) {
	p.heads = p.heads[:0]
	top, bottom := uint8(0), uint8(shortbread.MaxZoom)
	for i := range features {
		f := &features[i]
		if f.As != as || (f.Layer == shortbread.Buildings) != buildings || f.Min > f.Max {
			continue
		}
		kind := lineRecord
		if as == shortbread.Polygon {
			kind = polygonRecord
		}
		p.heads = append(p.heads, head{f: f, record: record{kind: kind, source: source, part: p.partBase + uint32(i)}})
		top, bottom = max(top, min(f.Max, shortbread.MaxZoom)), min(bottom, f.Min)
	}
	if len(p.heads) == 0 {
		return
	}
	switch {
	case as == shortbread.Line:
		p.drawLines(s.lines, top, bottom)
	case buildings:
		p.drawRings(s.rings, s.area, top, bottom, buildingBuffer)
	default:
		p.drawRings(s.rings, s.area, top, bottom, buffer)
	}
}

// active brings the heads of a zoom to the front and gives their number.
func (p *painter) active(zoom uint8, area float64) int {
	n := 0
	for i := range p.heads {
		h := &p.heads[i]
		if zoom < h.f.Min || zoom > h.f.Max || h.record.kind != lineRecord && tooSmall(h.f, zoom, area) {
			continue
		}
		p.describe(h, zoom)
		if h.record.kind == lineRecord {
			h.record.weight = 0
			if zoom < shortbread.MaxZoom {
				h.record.weight = uint32(h.f.MinSize * 16)
			}
		}
		p.heads[i], p.heads[n] = p.heads[n], p.heads[i]
		n++
	}
	return n
}

func (p *painter) drawLines(lines []plane.Line, top, bottom uint8) {
	for z := int(top); z >= int(bottom) && len(lines) > 0; z-- {
		zoom := uint8(z)
		n := p.active(zoom, 0)
		if n == 0 {
			continue
		}
		if zoom <= coast.NearMaxZoom && p.held != nil {
			lines, p.held = p.heldPart(lines), nil
		}
		lines = p.lines.simplify(lines, zoom, 0)
		p.cut.lines(p.lines.zoomed, zoom, buffer, func(id tile.ID, pieces []plane.Line) {
			p.body = appendParts(p.body[:0], pieces)
			p.emit(id.Code(), n, 0)
		})
	}
}

// heldPart is the part of lines where the data is.
func (p *painter) heldPart(lines []plane.Line) (out []plane.Line) {
	for _, l := range lines {
		out = p.held.Clip(out, l)
	}
	return out
}

func (p *painter) drawRings(rings []plane.Ring, area float64, top, bottom uint8, around int32) {
	for z := int(top); z >= int(bottom) && len(rings) > 0; z-- {
		zoom := uint8(z)
		n := p.active(zoom, area)
		if n == 0 {
			continue
		}
		rings = p.rings.simplify(rings, zoom, p.smallest(n, zoom))
		p.cut.rings(p.rings.zoomed, zoom, around, func(id tile.ID, pieces []plane.Ring) {
			p.body = appendParts(p.body[:0], pieces)
			p.emit(id.Code(), n, 0)
		}, func(first uint64, covered uint32) {
			p.body = p.body[:0]
			p.emit(first, n, covered)
		})
	}
}

// smallest is the area, in square world units, below which a ring is of no use
// to any of the first n heads.
func (p *painter) smallest(n int, zoom uint8) float64 {
	least := float32(math.MaxFloat32)
	for i := range p.heads[:n] {
		least = min(least, p.heads[i].f.MinSize)
	}
	if zoom >= shortbread.MaxZoom {
		return 0
	}
	pixel := 16 * unitsPerPixel(zoom)
	return float64(least) * pixel * pixel
}

// emit writes one record for each of the first n heads, all with the geometry
// in p.body, or covering a run of tiles.
func (p *painter) emit(code uint64, n int, covered uint32) {
	for i := range p.heads[:n] {
		r := p.heads[i].record
		if covered > 0 {
			r.kind = coverRecord
		}
		p.record = append(r.appendHead(p.record[:0], covered), p.body...)
		p.put(code, p.record)
	}
}
