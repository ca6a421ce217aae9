package index

import (
	"cmp"
	"slices"

	"svc/geo/geom"
)

// categoryRange is where a category's entries and tree nodes stand.
type categoryRange struct{ Items, Nodes, Count, _ uint32 }

// writeSpatial writes one tree for each category and the tree of street pieces.
func (f *fileBuilder) writeSpatial() error {
	byCategory := make([][]uint32, len(f.m.Meta.Categories))
	for id := range f.order {
		c := f.entry(id).Category
		byCategory[c] = append(byCategory[c], uint32(id))
	}
	var order []uint32
	var points []geom.Point // beside the order: a scan reads them in one go
	var nodes []geom.Box
	var holds []uint8 // beside the nodes
	ranges := make([]categoryRange, 0, len(byCategory))
	for _, ids := range byCategory {
		sortAlong(ids, func(id uint32) geom.Point { return f.entry(int(id)).Point })
		ranges = append(ranges, categoryRange{Items: uint32(len(order)), Nodes: uint32(len(nodes)), Count: uint32(len(ids))})
		nodes = packTree(nodes, len(ids), func(i int) geom.Box {
			return geom.Empty().Extend(f.entry(int(ids[i])).Point)
		})
		holds = packHolds(holds, len(ids), func(i int) uint8 {
			a := &f.entry(int(ids[i])).Admin
			return holding(a.City, HoldsCity) | holding(a.Neighbourhood, HoldsNeighbourhood)
		})
		order = append(order, ids...)
		for _, id := range ids {
			points = append(points, f.entry(int(id)).Point)
		}
	}
	return firstError(
		f.w.put(secCategories, bytesOf(ranges)), f.w.put(secSpatialOrder, bytesOf(order)),
		f.w.put(secSpatialPoints, bytesOf(points)), f.w.put(secSpatialNodes, bytesOf(nodes)), f.w.put(secSpatialHolds, holds), f.writeSegments())
}

// sortAlong orders items along the Hilbert curve, then by number.
func sortAlong(ids []uint32, at func(uint32) geom.Point) {
	keys := make([]uint64, len(ids))
	for i, id := range ids {
		keys[i] = uint64(geom.Hilbert(at(id)))<<32 | uint64(id)
	}
	slices.Sort(keys)
	for i, k := range keys {
		ids[i] = uint32(k)
	}
}

// segment is one piece of a street: where its chunk of geometry stands.
type segment struct{ Entry, Chunk uint32 }

func (f *fileBuilder) writeSegments() error {
	type piece struct {
		segment
		box   geom.Box
		curve uint32
	}
	var pieces []piece
	for id := range f.order {
		e := f.entry(id)
		if f.kind(e.Category) != Street || f.geometry[id] == 0 {
			continue
		}
		eachChunk(e.Extra.Shape, func(at int, pts []geom.Point) {
			box := geom.Bounds(pts)
			pieces = append(pieces, piece{
				segment: segment{Entry: uint32(id), Chunk: f.geometry[id] - 1 + uint32(at)},
				box:     box, curve: geom.Hilbert(box.Center()),
			})
		})
	}
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.curve, b.curve), cmp.Compare(a.Chunk, b.Chunk))
	})
	items := make([]segment, len(pieces))
	for i := range pieces {
		items[i] = pieces[i].segment
	}
	nodes := packTree(nil, len(pieces), func(i int) geom.Box { return pieces[i].box })
	return firstError(f.w.put(secSegments, bytesOf(items)), f.w.put(secSegmentNodes, bytesOf(nodes)))
}

// eachChunk calls yield with each chunk of an encoded shape and where it stands.
func eachChunk(shape []byte, yield func(at int, pts []geom.Point)) {
	c := cursor(shape[1:])
	var buf [chunkEdges + 1]geom.Point
	for range c.count() {
		for range c.uint() >> 1 {
			pts, rest := decodeChunk(c, &buf)
			if len(pts) == 0 {
				return
			}
			yield(len(shape)-len(c), pts)
			c = rest
		}
	}
}

// EachPiece calls yield with the pieces of an encoded shape; the points are
// valid during the call.
func EachPiece(shape []byte, yield func(pts []geom.Point)) {
	eachChunk(shape, func(_ int, pts []geom.Point) { yield(pts) })
}

// Near calls yield with each entry of a category that stands in the box, and
// where, until yield returns false. Order: along the curve.
func (x *Index) Near(category uint8, q geom.Box, yield func(id uint32, p geom.Point) bool) {
	r := x.categories[category]
	t := tree{nodes: x.spatialNodes[r.Nodes:], items: int(r.Count)}
	items, points := x.spatialOrder[r.Items:r.Items+r.Count], x.spatialPoints[r.Items:r.Items+r.Count]
	t.search(q, func(from, to int) bool {
		for i, p := range points[from:to] {
			if q.Contains(p) && !yield(items[from+i], p) {
				return false
			}
		}
		return true
	})
}

// What an entry may name of the areas around it.
const (
	HoldsCity = 1 << iota
	HoldsNeighbourhood
)

func holding(name uint32, bit uint8) uint8 {
	if name == 0 {
		return 0
	}
	return bit
}

// NearHolding is Near for what names one of some areas: groups of entries of which none
// does are passed over, so that the few of a large map that do are found soon. Of a group
// with one all entries are given.
func (x *Index) NearHolding(category uint8, q geom.Box, any uint8, yield func(id uint32, p geom.Point)) {
	r := x.categories[category]
	t := tree{nodes: x.spatialNodes[r.Nodes:], items: int(r.Count), holds: x.spatialHolds[r.Nodes:], any: any}
	items, points := x.spatialOrder[r.Items:r.Items+r.Count], x.spatialPoints[r.Items:r.Items+r.Count]
	t.search(q, func(from, to int) bool {
		for i, p := range points[from:to] {
			if q.Contains(p) {
				yield(items[from+i], p)
			}
		}
		return true
	})
}

// Category lists every entry of a category, along the curve.
func (x *Index) Category(category uint8) []uint32 {
	r := x.categories[category]
	return x.spatialOrder[r.Items : r.Items+r.Count]
}

// Streets calls yield with the pieces of streets near the box: the entry and
// the points of the piece, which are valid during the call.
func (x *Index) Streets(q geom.Box, yield func(id uint32, piece []geom.Point)) {
	var buf [chunkEdges + 1]geom.Point
	t := tree{nodes: x.segmentNodes, items: len(x.segments)}
	t.search(q, func(from, to int) bool {
		for _, s := range x.segments[from:to] {
			if pts, _ := decodeChunk(x.geometry[s.Chunk:], &buf); len(pts) > 0 && geom.Bounds(pts).Intersects(q) {
				yield(s.Entry, pts)
			}
		}
		return true
	})
}
