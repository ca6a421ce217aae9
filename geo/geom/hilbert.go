package geom

// Hilbert is the position of p on a Hilbert curve over the world with 2^16
// cells a side: points with close positions are close on the ground.
func Hilbert(p Point) uint32 {
	x := uint32((int64(p.X) + 180*Scale) * 65535 / (360 * Scale))
	y := uint32((int64(p.Y) + 90*Scale) * 65535 / (180 * Scale))
	var d uint32
	for s := uint32(1 << 15); s > 0; s >>= 1 {
		var rx, ry uint32
		if x&s != 0 {
			rx = 1
		}
		if y&s != 0 {
			ry = 1
		}
		d += s * s * ((3 * rx) ^ ry)
		if ry == 0 { // rotate the quadrant
			if rx == 1 {
				x, y = 65535-x, 65535-y
			}
			x, y = y, x
		}
	}
	return d
}
