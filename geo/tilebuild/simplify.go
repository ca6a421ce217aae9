package tilebuild

import (
	"svc/geo/plane"
	"svc/geo/tile"
)

// path is a line or a ring.
type path interface {
	plane.Line | plane.Ring
	~[]plane.Point
}

// simplifier makes paths coarser, from zoom to zoom, in memory that it keeps.
type simplifier[S path] struct {
	zoomed []S // what the last call gave, in pixels of the zoom
	pixels []plane.Point
	rooms  [2]struct {
		paths  []S
		points []plane.Point
	}
	turn int
}

// simplify gives the paths, in world units, without what a zoom does not show,
// and sets zoomed. Rings of an area below smallest (square world units) are
// left out. The result holds until the call after the next.
func (m *simplifier[S]) simplify(paths []S, zoom uint8, smallest float64) []S {
	m.turn ^= 1
	room := &m.rooms[m.turn]
	room.paths, room.points = room.paths[:0], room.points[:0]
	m.zoomed, m.pixels = m.zoomed[:0], m.pixels[:0]
	within := tolerance(zoom) * unitsPerPixel(zoom)
	for _, s := range paths {
		from := len(room.points)
		if r, ring := any(s).(plane.Ring); ring {
			if smallest > 0 && float64(abs(r.Area2())) < 2*smallest {
				continue
			}
			room.points = plane.SimplifyRing(room.points, r, within)
		} else {
			room.points = plane.SimplifyLine(room.points, plane.Line(s), within)
		}
		simple := S(room.points[from:len(room.points):len(room.points)])
		if m.scale(simple, zoom) {
			room.paths = append(room.paths, simple)
		}
	}
	return room.paths
}

// scale appends a path to zoomed; false when nothing of it can be seen.
func (m *simplifier[S]) scale(s S, zoom uint8) bool {
	shift := tile.DetailZoom - zoom
	half := int32(1) << shift >> 1
	from := len(m.pixels)
	for _, p := range s {
		q := plane.Point{X: (p.X + half) >> shift, Y: (p.Y + half) >> shift}
		if n := len(m.pixels); n == from || m.pixels[n-1] != q {
			m.pixels = append(m.pixels, q)
		}
	}
	least := 2
	if _, ring := any(s).(plane.Ring); ring {
		least = 3
		if n := len(m.pixels); n-from > 1 && m.pixels[n-1] == m.pixels[from] {
			m.pixels = m.pixels[:n-1]
		}
	}
	if len(m.pixels)-from < least {
		m.pixels = m.pixels[:from]
		return false
	}
	m.zoomed = append(m.zoomed, S(m.pixels[from:len(m.pixels):len(m.pixels)]))
	return true
}

func abs(v int64) int64 { return max(v, -v) }
