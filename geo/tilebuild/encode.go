package tilebuild

import (
	"bytes"
	"hash/maphash"
	"slices"

	"github.com/klauspost/compress/gzip"

	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tagset"
	"svc/geo/tile"
)

// encoder turns the records of a tile into the tile. It serves one goroutine.
type encoder struct {
	tags    *tagset.Sets
	limit   int // bytes of a tile before it is packed
	records []record
	tile    mvt.Tile
	ended   func() bool // nobody wants the tile any more
	inside  bool        // something in e.tile reaches into it, beyond its buffer
	raw     []byte
	packed  bytes.Buffer
	gzip    *gzip.Writer

	attrs  []mvt.Tag
	points []plane.Point
	lines  []plane.Line
	rings  []plane.Ring
	groups groups
	labels labels
}

func newEncoder(t *tagset.Sets) *encoder {
	return &encoder{
		tags: t, limit: maxTile, ended: func() bool { return false }, groups: groups{index: map[groupKey]int{}},
		labels: labels{seen: map[[2]mvt.Value][]plane.Point{}, stands: map[stand]bool{}, seed: maphash.MakeSeed()},
	}
}

// encode makes a tile, packed with gzip; nothing when all of it is too small to
// be seen, or lies in the buffer of the tile. raw is its size before it was packed.
func (e *encoder) encode(zoom uint8, data [][]byte) (packed []byte, raw int, err error) {
	e.records = e.records[:0]
	for _, d := range data {
		e.records = append(e.records, readRecord(d))
	}
	slices.SortFunc(e.records, func(a, b record) int { return a.compare(&b) })
	e.draw(zoom)
	for round := 0; len(e.raw) > e.limit && round < maxRounds; round++ {
		e.limitSize()
		e.draw(zoom)
	}
	if !e.inside {
		return nil, 0, nil
	}
	packed, err = e.pack()
	return packed, len(e.raw), err
}

func (e *encoder) pack() ([]byte, error) {
	e.packed.Reset()
	if e.gzip == nil {
		w, err := gzip.NewWriterLevel(&e.packed, gzipLevel)
		if err != nil {
			return nil, err
		}
		e.gzip = w
	}
	e.gzip.Reset(&e.packed)
	if _, err := e.gzip.Write(e.raw); err != nil {
		return nil, err
	}
	if err := e.gzip.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(e.packed.Bytes()), nil
}

// gzipLevel: up to 6 the packer looks for no short matches, which are all that
// a dense tile has, and stores such tiles as they are. With 8 the tiles are 1 to
// 4 % smaller for half as much time again in packing, a small part of a build; 9
// takes three times as long and saves a thousandth.
const gzipLevel = 8

// draw encodes e.records into e.raw.
func (e *encoder) draw(zoom uint8) {
	e.tile.Reset()
	e.inside = false
	for from := 0; from < len(e.records); {
		to := from + 1
		for to < len(e.records) && e.records[to].layer == e.records[from].layer {
			to++
		}
		e.layer(zoom, e.records[from:to])
		from = to
	}
	e.raw = e.tile.Append(e.raw[:0])
}

// layer draws the records of one layer. A layer has one kind of geometry.
func (e *encoder) layer(zoom uint8, records []record) {
	layer := records[0].layer
	out := e.tile.Layer(layer.String())
	switch records[0].kind {
	case pointRecord:
		e.drawPoints(out, zoom, records)
	case lineRecord:
		e.drawLines(out, zoom, records)
	default:
		if zoom < shortbread.MaxZoom || layer == shortbread.Ocean {
			e.drawJoined(out, records)
			return
		}
		for i := range records {
			e.points, e.rings = e.points[:0], e.rings[:0]
			e.take(&records[i])
			e.polygons(out, records[i].tags)
		}
	}
}

// groupKey is what features share that are drawn as one.
type groupKey struct {
	order int32
	tags  uint32
	flags uint8
}

// groups collects the records that are drawn as one, in the order of the first
// of each.
type groups struct {
	index map[groupKey]int
	list  [][]int
	spare [][]int
}

func (g *groups) reset() {
	clear(g.index)
	for _, l := range g.list {
		g.spare = append(g.spare, l[:0])
	}
	g.list = g.list[:0]
}

func (g *groups) add(k groupKey, record int) {
	i, ok := g.index[k]
	if !ok {
		i = len(g.list)
		g.index[k] = i
		var room []int
		if n := len(g.spare); n > 0 {
			room, g.spare = g.spare[n-1], g.spare[:n-1]
		}
		g.list = append(g.list, room)
	}
	g.list[i] = append(g.list[i], record)
}

// drawLines joins lines of the same attributes end to end, and simplifies what
// comes out.
func (e *encoder) drawLines(out *mvt.Layer, zoom uint8, records []record) {
	e.groups.reset()
	for i := range records {
		r := &records[i]
		e.groups.add(groupKey{r.order, r.tags, r.flags}, i)
	}
	for _, group := range e.groups.list {
		e.points, e.lines = e.points[:0], e.lines[:0]
		for _, i := range group {
			e.lines, e.points = readParts(e.lines, e.points, records[i].body)
		}
		first := &records[group[0]]
		lines := e.joined(first.flags&directed != 0, zoom)
		kept := lines[:0]
		for _, l := range lines {
			if first.weight == 0 || !shorter(l, float64(first.weight)) {
				kept = append(kept, l)
			}
		}
		if len(kept) > 0 {
			e.inside = e.inside || linesInside(kept)
			e.attrs = e.tags.Tags(e.attrs[:0], first.tags)
			out.Lines(e.attrs, kept)
		}
	}
}

// joined joins e.lines and simplifies them. A narrow loop may fall onto itself
// then, and a lane onto the one beside it: what is left of those is joined again.
func (e *encoder) joined(directed bool, zoom uint8) []plane.Line {
	join := plane.MergeLines
	if directed {
		join = plane.MergeDirected
	}
	lines := join(e.lines)
	for i, l := range lines {
		if len(l) > 2 {
			lines[i] = plane.SimplifyLine(l[:0], l, tolerance(zoom))
		}
	}
	if left, cut := plane.WithoutRepeats(lines, directed); cut {
		return join(left)
	}
	return lines
}

// shorter says whether a line is shorter than length and ends inside the tile:
// what was cut off is longer than it looks.
func shorter(l plane.Line, length float64) bool {
	return l.Length() < length && within(l[0]) && within(l[len(l)-1])
}

func within(p plane.Point) bool {
	return p.X > 0 && p.Y > 0 && p.X < tile.Extent && p.Y < tile.Extent
}

// drawJoined makes one feature of areas with the same attributes: neighbours
// grow together.
func (e *encoder) drawJoined(out *mvt.Layer, records []record) {
	e.groups.reset()
	for i := range records {
		e.groups.add(groupKey{order: records[i].order, tags: records[i].tags}, i)
	}
	for _, group := range e.groups.list {
		e.points, e.rings = e.points[:0], e.rings[:0]
		for _, i := range group {
			e.take(&records[i])
		}
		e.polygons(out, records[group[0]].tags)
	}
}

// take appends the rings of a record to e.rings.
func (e *encoder) take(r *record) {
	if r.kind == coverRecord {
		e.rings = append(e.rings, square)
		return
	}
	e.rings, e.points = readParts(e.rings, e.points, r.body)
}

// square is all of a tile with its buffer.
var square = plane.Ring{
	{X: -buffer, Y: -buffer}, {X: tile.Extent + buffer, Y: -buffer},
	{X: tile.Extent + buffer, Y: tile.Extent + buffer}, {X: -buffer, Y: tile.Extent + buffer},
}

// polygons draws e.rings as one feature. A tile can hold thousands that take long,
// so that each looks whether anybody still wants it.
func (e *encoder) polygons(out *mvt.Layer, tags uint32) {
	if e.ended() {
		return
	}
	if polygons := plane.Clean(e.rings); len(polygons) > 0 {
		e.inside = e.inside || polygonsInside(polygons)
		e.attrs = e.tags.Tags(e.attrs[:0], tags)
		out.Polygons(e.attrs, polygons)
	}
}
