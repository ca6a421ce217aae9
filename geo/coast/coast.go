// Package coast makes the sea: polygons of the ocean from the coastlines of the
// data, and a backdrop of the whole world for low zooms and for the
// surroundings of the data.
//
// It promises water where a coastline has it on its right, cell by cell, so
// that an extract that holds only part of a coast still gets its sea; the same
// result for any order of the ways; time near linear in the points; and an
// answer for a coastline with gaps, loose ends and ways drawn the wrong way:
// the sea is then wrong near the fault only.
//
// It refuses to guess where there is nothing to go by: without a coastline in
// the data there is no sea, and beyond the cells that hold data there is only
// the backdrop. Rings that meet or cross are handed on as they are; plane.Clean
// makes valid polygons of them.
//
// All geometry is in world units (package tile), y down.
package coast

import (
	"cmp"
	"slices"

	"svc/geo/plane"
	"svc/geo/tile"
)

// CellZoom is the zoom of the tiles that the sea is made in.
const CellZoom = 8

// Cell is the sea of one cell.
type Cell struct {
	ID tile.ID
	// Box is the part of the cell inside the bounds of the data.
	Box plane.Box
	// Rings bound the sea, positive around water and negative around land
	// (plane.Ring.Area2); what they wind around more than zero times is sea.
	// Neighbouring cells share edges: rings that go into one tile are joined
	// when plane.Clean gets all of them at once.
	Rings []plane.Ring
	// Full: all of Box is sea, and Rings is its outline.
	Full bool
}

// Ocean makes the sea of the cells from the ways of the coastline, in any
// order, each with land on its left and water on its right. cells are tiles of
// CellZoom that hold data; others are left out. bounds, where known, are those
// of the data: what lies outside is neither looked at nor filled. Cells without
// sea are not in the result, which is in the order of tile.ID.Code. Cells that no
// chain of neighbours joins to a coastline have no sea: the coast of another
// country says nothing about a landlocked one.
func Ocean(ways []plane.Line, bounds Bounds, cells []tile.ID) []Cell {
	regions := regionsOf(cells, bounds)
	split(chains(ways), regions)
	var out []Cell
	for _, land := range joined(regions) {
		near := newNearest(land)
		for _, r := range land {
			if c := r.sea(near); len(c.Rings) > 0 {
				out = append(out, c)
			}
		}
	}
	slices.SortFunc(out, func(a, b Cell) int { return cmp.Compare(a.ID.Code(), b.ID.Code()) })
	return out
}

// joined are the groups of regions whose cells touch, a corner counts.
func joined(regions []*region) (groups [][]*region) {
	left := make(map[tile.ID]*region, len(regions))
	for _, r := range regions {
		left[r.id] = r
	}
	for _, r := range regions {
		if left[r.id] == nil {
			continue
		}
		delete(left, r.id)
		group := []*region{r}
		for i := 0; i < len(group); i++ {
			for _, id := range around(group[i].id) {
				if n := left[id]; n != nil {
					delete(left, id)
					group = append(group, n)
				}
			}
		}
		groups = append(groups, group)
	}
	return groups
}

// around are the tiles about one, over the 180th meridian too.
func around(id tile.ID) []tile.ID {
	side := uint32(1) << id.Z
	out := make([]tile.ID, 0, 8)
	for y := max(id.Y, 1) - 1; y <= min(id.Y+1, side-1); y++ {
		for _, dx := range []uint32{side - 1, 0, 1} {
			if dx != 0 || y != id.Y {
				out = append(out, tile.ID{Z: id.Z, X: (id.X + dx) % side, Y: y})
			}
		}
	}
	return out
}

// region is one cell on its way to become sea.
type region struct {
	id     tile.ID
	box    plane.Box
	pieces []plane.Line // the coast inside the box, cut at its border
}

// regionsOf are the cells inside the bounds, each once, in order.
func regionsOf(cells []tile.ID, bounds Bounds) []*region {
	ids := slices.Clone(cells)
	slices.SortFunc(ids, func(a, b tile.ID) int { return cmp.Compare(a.Code(), b.Code()) })
	ids = slices.Compact(ids)
	regions := make([]*region, 0, len(ids))
	for _, id := range ids {
		if id.Z != CellZoom || !id.Valid() {
			continue
		}
		if box := bounds.In(id.Box()); wide(box) {
			regions = append(regions, &region{id: id, box: box})
		}
	}
	return regions
}

// common is what two boxes share.
func common(a, b plane.Box) plane.Box {
	return plane.Box{
		MinX: max(a.MinX, b.MinX), MinY: max(a.MinY, b.MinY),
		MaxX: min(a.MaxX, b.MaxX), MaxY: min(a.MaxY, b.MaxY),
	}
}

// split hands each region the pieces of the chains inside it, by halves: each
// point is looked at once a level and not once a region.
func split(lines []plane.Line, regions []*region) {
	switch {
	case len(lines) == 0 || len(regions) == 0:
		return
	case len(regions) == 1:
		r := regions[0]
		for _, l := range lines {
			r.pieces = plane.ClipLine(r.pieces, l, r.box)
		}
		return
	}
	// The order of the codes keeps neighbours together.
	for _, half := range [][]*region{regions[:len(regions)/2], regions[len(regions)/2:]} {
		box := plane.Nowhere()
		for _, r := range half {
			box = box.Union(r.box)
		}
		var inside []plane.Line
		for _, l := range lines {
			inside = plane.ClipLine(inside, l, box)
		}
		split(inside, half)
	}
}

// sea closes the coast of a region into rings.
func (r *region) sea(near *nearest) Cell {
	c := Cell{ID: r.id, Box: r.box}
	if len(r.pieces) == 0 {
		if near.water(corner(r.box, 0)) {
			c.Rings, c.Full = []plane.Ring{square(r.box)}, true
		}
		return c
	}
	closed, open := r.parts()
	if len(open) == 0 && near.water(corner(r.box, 0)) {
		c.Rings = append(c.Rings, square(r.box))
	}
	c.Rings = append(c.Rings, newBorder(r.box).rings(open)...)
	for _, l := range closed {
		c.Rings = appendRing(c.Rings, plane.Ring(l[:len(l)-1]))
	}
	return c
}

// appendRing leaves out what surrounds nothing.
func appendRing(dst []plane.Ring, r plane.Ring) []plane.Ring {
	if len(r) < 3 || r.Area2() == 0 {
		return dst
	}
	return append(dst, r)
}

// corner gives the corners of a box clockwise from the north-west.
func corner(b plane.Box, i int) plane.Point {
	switch i & 3 {
	case 0:
		return plane.Point{X: b.MinX, Y: b.MinY}
	case 1:
		return plane.Point{X: b.MaxX, Y: b.MinY}
	case 2:
		return plane.Point{X: b.MaxX, Y: b.MaxY}
	}
	return plane.Point{X: b.MinX, Y: b.MaxY}
}

// square is the outline of a box, around what it holds.
func square(b plane.Box) plane.Ring {
	return plane.Ring{corner(b, 0), corner(b, 1), corner(b, 2), corner(b, 3)}
}
