package tile

import (
	"math"

	"svc/geo/plane"
)

// Project places a longitude and a latitude in degrees in world units, rounded
// to the nearest. What lies outside the square world is moved to its edge, so
// both results are from 0 to World.
func Project(lon, lat float64) (x, y int32) {
	sin := math.Sin(lat * math.Pi / 180)
	return toWorld(lon/360 + 0.5), toWorld(0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi))
}

// toWorld turns a share of the world's width into units. The poles give
// infinities, which are clamped; what is not a number becomes 0.
func toWorld(share float64) int32 {
	u := math.Round(share * World)
	switch {
	case u >= World:
		return World
	case u > 0:
		return int32(u)
	}
	return 0
}

// Unproject is the longitude and the latitude in degrees of a place in world
// units.
func Unproject(x, y int32) (lon, lat float64) {
	lon = float64(x)/World*360 - 180
	lat = math.Atan(math.Sinh(math.Pi*(1-2*float64(y)/World))) * 180 / math.Pi
	return lon, lat
}

// Size is the width of a tile of a zoom in world units; below one unit, past
// zoom 26, it is 0.
func Size(zoom uint8) int32 {
	if zoom > WorldBits {
		return 0
	}
	return 1 << (WorldBits - zoom)
}

// Box is the tile in world units. It is closed: neighbours share an edge. Past
// zoom 26 a tile is smaller than a unit, and the box is the point before it.
func (t ID) Box() plane.Box {
	if t.Z > WorldBits {
		up := t.Z - WorldBits
		x, y := int32(t.X>>up), int32(t.Y>>up)
		return plane.Box{MinX: x, MinY: y, MaxX: x, MaxY: y}
	}
	size := Size(t.Z)
	x, y := int32(t.X)*size, int32(t.Y)*size
	return plane.Box{MinX: x, MinY: y, MaxX: x + size, MaxY: y + size}
}

// Holding is the tile of a zoom of at most 26 that holds a place in world
// units; places outside the world belong to the tile at its edge.
func Holding(zoom uint8, x, y int32) ID {
	shift := WorldBits - zoom
	last := uint32(1)<<zoom - 1
	return ID{
		Z: zoom,
		X: min(uint32(max(x, 0))>>shift, last),
		Y: min(uint32(max(y, 0))>>shift, last),
	}
}

// Range is the first and the last tile, by column and by row, that a box in
// world units touches at a zoom of at most 26. A box that ends exactly on an
// edge touches both sides.
func Range(zoom uint8, b plane.Box) (first, last ID) {
	return Holding(zoom, b.MinX, b.MinY), Holding(zoom, b.MaxX, b.MaxY)
}
