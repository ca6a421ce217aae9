package index

import (
	"cmp"
	"slices"

	"svc/geo/geom"
)

// AreaRow is one administrative polygon of a file.
type AreaRow struct {
	Box    geom.Box
	Entry  uint32
	Chunks uint32 // first of its chunks
	Count  uint32
	Level  uint8
	Place  PlaceTag
	_      uint16
	Size   float32 // square root of the area of the box, to put the smaller of two first
}

// areaChunk is a run of edges of an area, with what a ray to the east needs
// to know before it decodes them.
type areaChunk struct {
	MinY, MaxY, MaxX int32
	At               uint32 // into the geometry
}

// areaSet answers which areas hold a point. The builder uses it on slices that
// it has just made, the server on the mapped file.
type areaSet struct {
	rows     []AreaRow
	chunks   []areaChunk
	nodes    []geom.Box
	geometry []byte
}

// containing calls yield with each area that holds p, in file order.
func (s *areaSet) containing(p geom.Point, yield func(i int)) {
	t := tree{nodes: s.nodes, items: len(s.rows)}
	t.search(geom.Box{MinX: p.X, MinY: p.Y, MaxX: p.X, MaxY: p.Y}, func(from, to int) bool {
		for i := from; i < to; i++ {
			if s.rows[i].Box.Contains(p) && s.inside(&s.rows[i], p) {
				yield(i)
			}
		}
		return true
	})
}

// inside counts the edges that a ray from p to the east crosses, over all
// rings: holes and islands come out right without looking at roles.
func (s *areaSet) inside(a *AreaRow, p geom.Point) bool {
	in := false
	var buf [chunkEdges + 1]geom.Point
	for i := a.Chunks; i < a.Chunks+a.Count; i++ {
		c := &s.chunks[i]
		if p.Y < c.MinY || p.Y > c.MaxY || p.X > c.MaxX {
			continue
		}
		pts, _ := decodeChunk(s.geometry[c.At:], &buf)
		for j := 1; j < len(pts); j++ {
			if crosses(pts[j-1], pts[j], p) {
				in = !in
			}
		}
	}
	return in
}

// crosses reports whether the ray from p to the east crosses the edge a-b; an
// edge holds its lower end and not its upper one.
func crosses(a, b, p geom.Point) bool {
	if (a.Y > p.Y) == (b.Y > p.Y) {
		return false
	}
	if a.Y > b.Y {
		a, b = b, a
	}
	// (b-a) x (p-a) > 0: p lies to the left of the upward edge.
	return (int64(b.X)-int64(a.X))*(int64(p.Y)-int64(a.Y))-(int64(p.X)-int64(a.X))*(int64(b.Y)-int64(a.Y)) > 0
}

// Areas answers which administrative areas of a model hold a point, while the
// model is still being built.
type Areas struct {
	set   areaSet
	order []int // set row -> position in Model.Areas
}

// NewAreas indexes the areas of m, whose shapes are encoded already.
func NewAreas(m *Model) *Areas {
	s, order := packAreas(m.Areas, func(a *Area) []byte { return m.Entries[a.Entry].Extra.Shape })
	return &Areas{set: s, order: order}
}

// Containing calls yield with the position in Model.Areas of each area that holds p.
func (a *Areas) Containing(p geom.Point, yield func(i int)) {
	a.set.containing(p, func(i int) { yield(a.order[i]) })
}

// packAreas lays areas out along the curve with geometry of their own.
func packAreas(areas []Area, shape func(*Area) []byte) (areaSet, []int) {
	var s areaSet
	boxes := make([]geom.Box, len(areas))
	order := make([]int, len(areas))
	for i := range areas {
		order[i], boxes[i] = i, geom.Empty()
		eachChunk(shape(&areas[i]), func(_ int, pts []geom.Point) { boxes[i] = boxes[i].Union(geom.Bounds(pts)) })
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(geom.Hilbert(boxes[a].Center()), geom.Hilbert(boxes[b].Center())), cmp.Compare(a, b))
	})
	for _, i := range order {
		a := &areas[i]
		row := AreaRow{Box: boxes[i], Chunks: uint32(len(s.chunks)), Level: a.Level, Place: a.Place, Size: float32(boxes[i].Diagonal())}
		base := len(s.geometry)
		s.geometry = append(s.geometry, shape(a)...)
		eachChunk(shape(a), func(at int, pts []geom.Point) {
			b := geom.Bounds(pts)
			s.chunks = append(s.chunks, areaChunk{MinY: b.MinY, MaxY: b.MaxY, MaxX: b.MaxX, At: uint32(base + at)})
		})
		row.Count = uint32(len(s.chunks)) - row.Chunks
		s.rows = append(s.rows, row)
	}
	s.nodes = packTree(nil, len(s.rows), func(i int) geom.Box { return s.rows[i].Box })
	return s, order
}

// writeAreas writes the areas; their rings are those of their entries.
func (f *fileBuilder) writeAreas() error {
	s, order := packAreas(f.m.Areas, func(a *Area) []byte { return f.m.Entries[a.Entry].Extra.Shape })
	base := 0
	for i := range s.rows {
		a := &f.m.Areas[order[i]]
		id := f.ids[a.Entry]
		s.rows[i].Entry = id
		for c := s.rows[i].Chunks; c < s.rows[i].Chunks+s.rows[i].Count; c++ {
			s.chunks[c].At += f.geometry[id] - 1 - uint32(base)
		}
		base += len(f.m.Entries[a.Entry].Extra.Shape)
	}
	return firstError(
		f.w.put(secAreas, bytesOf(s.rows)), f.w.put(secAreaChunks, bytesOf(s.chunks)), f.w.put(secAreaNodes, bytesOf(s.nodes)))
}

// Containing calls yield with each administrative area that holds p.
func (x *Index) Containing(p geom.Point, yield func(*AreaRow)) {
	x.areas.containing(p, func(i int) { yield(&x.areas.rows[i]) })
}

// Areas lists every administrative area.
func (x *Index) Areas() []AreaRow { return x.areas.rows }
