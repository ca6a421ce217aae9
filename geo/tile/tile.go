// Package tile names the squares that a web map is cut into, and places them on
// the ground.
//
// It promises the numbering of PMTiles version 3 (zoom by zoom, inside a zoom
// along a Hilbert curve) and integer WORLD UNITS: web mercator with the whole
// world 2^26 units wide and high, x east from 180° W, y down from the north edge
// at 85.0511° N. At zoom 14 one unit is one pixel of a tile of 4096. It refuses
// nothing: what a tile that is not Valid gives is told at each function.
package tile

import (
	"math"
	"math/bits"
	"strconv"
)

const (
	// MaxZoom is the deepest zoom that a PMTiles archive can number.
	MaxZoom = 31
	// WorldBits is the power of two of the world's width in world units.
	WorldBits = 26
	// World is the width and the height of the world in world units.
	World = 1 << WorldBits
	// Extent is the width of a tile in its own pixels.
	Extent = 4096
	// DetailZoom is where one tile pixel is one world unit.
	DetailZoom = 14
	// MaxLatitude is the latitude of the north edge, in degrees; the south
	// edge is its negative.
	MaxLatitude = 85.0511287798066
)

// ID is one tile: zoom, column from the west, row from the north.
type ID struct {
	Z    uint8
	X, Y uint32
}

// Valid reports whether the tile exists: the zoom is at most MaxZoom and column
// and row are below 2^Z.
func (t ID) Valid() bool {
	return t.Z <= MaxZoom && t.X < 1<<t.Z && t.Y < 1<<t.Z
}

// String is z/x/y, as in a path.
func (t ID) String() string {
	return strconv.Itoa(int(t.Z)) + "/" + strconv.FormatUint(uint64(t.X), 10) + "/" + strconv.FormatUint(uint64(t.Y), 10)
}

// First is the code of the first tile of a zoom; First(MaxZoom+1) is the number
// of all codes. Deeper zooms have none.
func First(zoom uint8) uint64 {
	if zoom > MaxZoom {
		return math.MaxUint64 / 3
	}
	return (uint64(1)<<(2*zoom) - 1) / 3
}

// Code is the tile's number in a PMTiles archive: after all tiles of the zooms
// above, its place on the Hilbert curve of its own. The tile must be Valid.
func (t ID) Code() uint64 {
	x, y := t.X, t.Y
	var d uint64
	for s := uint32(1) << t.Z >> 1; s > 0; s >>= 1 {
		rx, ry := x&s != 0, y&s != 0
		d <<= 2
		switch {
		case rx && !ry:
			d |= 3
			x, y = s-1-y, s-1-x // turned; only the bits below s count from here on
		case rx:
			d |= 2
		case ry:
			d |= 1
		default:
			x, y = y, x
		}
	}
	return First(t.Z) + d
}

// FromCode is the tile of a code. A code past the last tile of MaxZoom gives a
// tile that is not Valid.
func FromCode(code uint64) ID {
	if code >= First(MaxZoom+1) {
		return ID{Z: MaxZoom + 1}
	}
	z := uint8((bits.Len64(3*code+1) - 1) / 2)
	d := code - First(z)
	var x, y uint32
	for i := range z {
		s := uint32(1) << i
		switch d & 3 {
		case 0:
			x, y = y, x
		case 1:
			y |= s
		case 2:
			x |= s
			y |= s
		case 3:
			x, y = 2*s-1-y, s-1-x
		}
		d >>= 2
	}
	return ID{Z: z, X: x, Y: y}
}

// Parent is the tile one zoom above that holds t; the parent of 0/0/0 is itself.
func (t ID) Parent() ID {
	if t.Z == 0 {
		return t
	}
	return ID{Z: t.Z - 1, X: t.X >> 1, Y: t.Y >> 1}
}

// At is the tile of a zoom that holds t: an ancestor, or t itself when zoom is
// not above its own.
func (t ID) At(zoom uint8) ID {
	if zoom >= t.Z {
		return t
	}
	up := t.Z - zoom
	return ID{Z: zoom, X: t.X >> up, Y: t.Y >> up}
}

// Children are the four tiles one zoom below: north-west, north-east,
// south-west, south-east. Those of a tile at MaxZoom are not Valid.
func (t ID) Children() [4]ID {
	z, x, y := t.Z+1, t.X<<1, t.Y<<1
	return [4]ID{{z, x, y}, {z, x + 1, y}, {z, x, y + 1}, {z, x + 1, y + 1}}
}
