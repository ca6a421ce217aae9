package mvt

import (
	"encoding/binary"

	"svc/geo/plane"
)

// The commands of a geometry (specification 4.3.1).
const (
	moveTo    = 1
	lineTo    = 2
	closePath = 7
)

// geometry is the command integers of one feature as they are written. Parts
// without extent leave nothing behind.
type geometry struct {
	data []byte
	pen  plane.Point
	kept []plane.Point // of the part being written
}

func (g *geometry) reset() { g.data, g.pen = g.data[:0], plane.Point{} }

// command writes a command that is followed by n pairs of parameters.
func (g *geometry) command(id, n int) {
	g.data = binary.AppendUvarint(g.data, uint64(n)<<3|uint64(id))
}

// to writes how far a point is from the one before. Differences wrap at 32 bits
// as those of decoders do.
func (g *geometry) to(p plane.Point) {
	g.parameter(p.X - g.pen.X)
	g.parameter(p.Y - g.pen.Y)
	g.pen = p
}

// parameter writes a number with the sign in its lowest bit.
func (g *geometry) parameter(v int32) {
	z := uint32(v)<<1 ^ uint32(v>>31)
	if z < 0x80 {
		g.data = append(g.data, byte(z))
		return
	}
	g.data = binary.AppendUvarint(g.data, uint64(z))
}

// keep takes the points without those equal to the one before.
func (g *geometry) keep(points []plane.Point) {
	g.kept = g.kept[:0]
	for i, p := range points {
		if i == 0 || p != points[i-1] {
			g.kept = append(g.kept, p)
		}
	}
}

func (g *geometry) points(points []plane.Point) {
	g.keep(points)
	if len(g.kept) == 0 {
		return
	}
	g.command(moveTo, len(g.kept))
	for _, p := range g.kept {
		g.to(p)
	}
}

func (g *geometry) line(l plane.Line) {
	g.keep(l)
	if len(g.kept) >= 2 {
		g.path()
	}
}

// path writes the points kept as one line.
func (g *geometry) path() {
	g.command(moveTo, 1)
	g.to(g.kept[0])
	g.command(lineTo, len(g.kept)-1)
	for _, p := range g.kept[1:] {
		g.to(p)
	}
}

// ring writes a ring so that its area has the sign asked for, and says whether
// it has one.
func (g *geometry) ring(r plane.Ring, outer bool) bool {
	g.keep(r)
	for n := len(g.kept); n > 1 && g.kept[n-1] == g.kept[0]; n-- {
		g.kept = g.kept[:n-1]
	}
	area := plane.Ring(g.kept).Area2()
	if area == 0 {
		return false
	}
	if (area > 0) != outer {
		rest := g.kept[1:] // the ring keeps its first point
		for i, j := 0, len(rest)-1; i < j; i, j = i+1, j-1 {
			rest[i], rest[j] = rest[j], rest[i]
		}
	}
	g.path()
	g.command(closePath, 1)
	return true
}
