package tilebuild

import (
	"svc/geo/plane"
	"svc/geo/tile"
)

// A tile is only there for what reaches into it: what lies in its buffer alone
// is shown by its neighbours.

// inner is a tile without its buffer, and without the edges that belong to the
// tiles beside and below.
var inner = plane.Box{MaxX: tile.Extent - 1, MaxY: tile.Extent - 1}

// linesInside says whether a line reaches into the tile.
func linesInside(lines []plane.Line) bool {
	for _, l := range lines {
		for _, p := range l {
			if within(p) {
				return true
			}
		}
	}
	for _, l := range lines {
		for _, piece := range plane.ClipLine(nil, l, inner) {
			if piece.Length() > 0 {
				return true
			}
		}
	}
	return false
}

// polygonsInside says whether an area reaches into the tile.
func polygonsInside(polygons []plane.Polygon) bool {
	for _, p := range polygons {
		for _, at := range p[0] {
			if within(at) {
				return true
			}
		}
	}
	for _, p := range polygons {
		var area int64
		for _, r := range plane.ClipRings(nil, p, plane.Box{MaxX: tile.Extent, MaxY: tile.Extent}) {
			area += r.Area2()
		}
		if area > 0 {
			return true
		}
	}
	return false
}
