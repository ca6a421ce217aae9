package coast

import (
	"testing"

	"svc/geo/plane"
	"svc/geo/tile"
)

// FuzzOcean: any chains give rings inside their cells, in bounded time. Each
// line is a list of steps: two bytes a point, a byte 255 begins the next line.
func FuzzOcean(f *testing.F) {
	f.Add([]byte{0, 60, 100, 60}, true)
	f.Add([]byte{20, 20, 20, 80, 80, 80, 80, 20, 20, 20, 255, 40, 40, 41, 40}, true)
	f.Add([]byte{0, 50, 50, 0, 100, 50, 50, 100, 0, 50, 255, 100, 100, 0, 0, 255, 0, 0, 100, 0}, false)
	f.Add([]byte{10, 10, 90, 10, 255, 90, 12, 10, 12, 255, 10, 11, 10, 200}, true)
	f.Fuzz(func(t *testing.T, steps []byte, narrow bool) {
		if len(steps) > 2000 {
			return
		}
		var ways []plane.Line
		var l plane.Line
		for i := 0; i+1 < len(steps); i += 2 {
			if steps[i] == 255 {
				ways, l = append(ways, l), nil
				i--
				continue
			}
			l = append(l, plane.Point{X: origin.X - 20 + int32(steps[i]), Y: origin.Y - 20 + int32(steps[i+1])})
		}
		ways = append(ways, l)
		cells := []tile.ID{cell, {Z: CellZoom, X: cell.X - 1, Y: cell.Y}, {Z: CellZoom, X: cell.X, Y: cell.Y - 1}}
		bounds := canvas
		if narrow {
			inside(t, Ocean(ways, Bounds{bounds}, cells), bounds)
			return
		}
		inside(t, Ocean(ways, nil, cells), tile.ID{}.Box())
	})
}
