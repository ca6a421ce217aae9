package route

import (
	"errors"
	"strconv"
)

// Coord is a coordinate in millionths of a degree, as the engine sends it.
type Coord struct{ Lon, Lat int32 }

// Geometry is a line. In JSON it is [[lon,lat],...] in degrees, six decimals.
type Geometry []Coord

var errPolyline = errors.New("the line of the route cannot be read")

// maxLat and maxLon bound coordinates, in millionths of a degree.
const (
	maxLat = 90_000_000
	maxLon = 180_000_000
)

// appendPolyline decodes a line of encoded differences with six decimals
// (latitude first) and appends its points to dst. A point takes at least two
// bytes, so that the result is bounded by the input. Anything that is not
// exactly such a line, or leaves the Earth, is an error.
func appendPolyline(dst Geometry, s string) (Geometry, error) {
	var lat, lon int64
	for len(s) > 0 {
		dLat, n := difference(s)
		if n == 0 {
			return nil, errPolyline
		}
		dLon, m := difference(s[n:])
		if m == 0 {
			return nil, errPolyline
		}
		s = s[n+m:]
		lat, lon = lat+dLat, lon+dLon
		if lat < -maxLat || lat > maxLat || lon < -maxLon || lon > maxLon {
			return nil, errPolyline
		}
		dst = append(dst, Coord{Lon: int32(lon), Lat: int32(lat)})
	}
	return dst, nil
}

// maxGroups is how many groups of five bits a difference can have: 360 degrees
// in millionths, doubled for the sign, are 30 bits.
const maxGroups = 6

// difference reads one number: groups of five bits, lowest first, each plus 63,
// bit 32 set when more follow; the lowest bit of the number is its sign. n is
// how many bytes it took, 0 when there is none.
func difference(s string) (v int64, n int) {
	var bits uint64
	for n < len(s) && n < maxGroups {
		b := s[n] - 63
		if b > 63 {
			return 0, 0
		}
		bits |= uint64(b&31) << (5 * n)
		n++
		if b < 32 {
			if bits&1 != 0 {
				return ^int64(bits >> 1), n
			}
			return int64(bits >> 1), n
		}
	}
	return 0, 0
}

// appendJSON writes the line as JSON.
func (g Geometry) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, c := range g {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		dst = appendDegrees(dst, c.Lon)
		dst = append(dst, ',')
		dst = appendDegrees(dst, c.Lat)
		dst = append(dst, ']')
	}
	return append(dst, ']')
}

// MarshalJSON writes the line as [[lon,lat],...], and nil as null.
func (g Geometry) MarshalJSON() ([]byte, error) {
	if g == nil {
		return []byte("null"), nil
	}
	return g.appendJSON(nil), nil
}

// twoDigits are 00, 01, ... 99.
var twoDigits = func() (t [200]byte) {
	for i := range 100 {
		t[2*i], t[2*i+1] = byte('0'+i/10), byte('0'+i%10)
	}
	return t
}()

// appendDegrees writes millionths of a degree in degrees, without zeros at the
// end. A long route has tens of thousands of these numbers, so that they are
// written two digits at a time.
func appendDegrees(dst []byte, v int32) []byte {
	n := uint32(v)
	if v < 0 {
		dst = append(dst, '-')
		n = -n
	}
	whole, part := n/1_000_000, n%1_000_000
	dst = strconv.AppendUint(dst, uint64(whole), 10)
	if part == 0 {
		return dst
	}
	a, b, c := part/10_000*2, part/100%100*2, part%100*2
	dst = append(dst, '.', twoDigits[a], twoDigits[a+1], twoDigits[b], twoDigits[b+1], twoDigits[c], twoDigits[c+1])
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

func degrees(v int32) float64 { return float64(v) / 1e6 }

// box is minlon, minlat, maxlon, maxlat in degrees; zeros without points.
func (g Geometry) box() (b [4]float64) {
	if len(g) == 0 {
		return b
	}
	low, high := g[0], g[0]
	for _, c := range g[1:] {
		low.Lon, low.Lat = min(low.Lon, c.Lon), min(low.Lat, c.Lat)
		high.Lon, high.Lat = max(high.Lon, c.Lon), max(high.Lat, c.Lat)
	}
	return [4]float64{degrees(low.Lon), degrees(low.Lat), degrees(high.Lon), degrees(high.Lat)}
}
