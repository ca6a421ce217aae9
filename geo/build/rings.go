package build

import (
	"unsafe"

	"svc/geo/geom"
	"svc/geo/ring"
)

func toRing(p []geom.Point) []ring.Point {
	return unsafe.Slice((*ring.Point)(unsafe.Pointer(unsafe.SliceData(p))), len(p))
}
func toGeom(p []ring.Point) []geom.Point {
	return unsafe.Slice((*geom.Point)(unsafe.Pointer(unsafe.SliceData(p))), len(p))
}
