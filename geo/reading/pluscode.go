package reading

import (
	"math"
	"strings"

	"svc/geo/text"
)

// Plus codes (Open Location Code): latitude and longitude in turns, base 20, a plus
// sign behind the eighth character; behind the tenth each character is one of 4 × 5
// parts of the cell before it.

const (
	codeAlphabet = "23456789CFGHJMPQRVWX"
	codePlus     = 8  // characters before the plus sign of a full code
	codePairs    = 10 // characters that are pairs
	maxCode      = 15
	gridColumns  = 4
	gridRows     = 5
)

// plusCodeIn finds a plus code in a text and the words beside it.
func plusCodeIn(raw string) (code string, rest []string, ok bool) {
	fields := strings.FieldsFunc(raw, func(r rune) bool { return r == ' ' || r == ',' })
	for i, f := range fields {
		c := strings.ToUpper(f)
		if isPlusCode(c) {
			return c, text.Tokens(strings.Join(append(append([]string{}, fields[:i]...), fields[i+1:]...), " ")), true
		}
	}
	return "", nil, false
}

// isPlusCode tells a code, full or short: at least two characters before the plus
// sign, and two or more behind it.
func isPlusCode(c string) bool {
	before, after, ok := strings.Cut(c, "+")
	if !ok || len(before) > codePlus || len(before) < 2 || len(before)%2 != 0 || len(after) == 1 || len(before)+len(after) > maxCode {
		return false
	}
	if padded := strings.TrimRight(before, "0"); len(padded) < len(before) {
		if len(before) != codePlus || after != "" || len(padded)%2 != 0 || len(padded) == 0 {
			return false
		}
		before = padded
	} else if after == "" {
		return false
	}
	for _, r := range before + after {
		if !strings.ContainsRune(codeAlphabet, r) {
			return false
		}
	}
	return true
}

// decodePlusCode is the middle of the cell of a full code; full is false for a short
// one.
func decodePlusCode(code string) (lat, lon float64, full bool) {
	before, after, _ := strings.Cut(code, "+")
	if len(before) != codePlus {
		return 0, 0, false
	}
	lat, lon, height, width := decodeDigits(strings.TrimRight(before, "0") + after)
	return lat + height/2, lon + width/2, lat < 90 && lon < 180
}

// decodeDigits is the south-west corner of a cell and its sides, in degrees.
func decodeDigits(digits string) (lat, lon, height, width float64) {
	lat, lon, height, width = -90, -180, 400, 400
	for i := 0; i+1 < min(len(digits), codePairs); i += 2 {
		height, width = height/20, width/20
		lat += height * float64(strings.IndexByte(codeAlphabet, digits[i]))
		lon += width * float64(strings.IndexByte(codeAlphabet, digits[i+1]))
	}
	for i := codePairs; i < len(digits); i++ {
		d := strings.IndexByte(codeAlphabet, digits[i])
		height, width = height/gridRows, width/gridColumns
		lat += height * float64(d/gridColumns)
		lon += width * float64(d%gridColumns)
	}
	return lat, lon, height, width
}

// RecoverPlusCode is the middle of the cell of a short code that is nearest to a point.
func RecoverPlusCode(code string, nearLat, nearLon float64) (lat, lon float64, ok bool) {
	before, after, _ := strings.Cut(code, "+")
	missing := codePlus - len(before)
	side := math.Pow(20, float64(2-missing/2)) // of the cell that the missing characters name
	prefix := encodePairs(nearLat, nearLon)[:missing]
	lat, lon, ok = decodePlusCode(prefix + before + "+" + after)
	if !ok {
		return 0, 0, false
	}
	lat, lon = nearest(lat, nearLat, side), nearest(lon, nearLon, side)
	return lat, lon, math.Abs(lat) <= 90 && math.Abs(lon) <= 180
}

// nearest moves v by whole sides until it is as near to a value as it can be.
func nearest(v, to, side float64) float64 {
	switch {
	case v-to > side/2:
		return v - side
	case to-v > side/2:
		return v + side
	}
	return v
}

// encodePairs are the first eight characters of the code of a point.
func encodePairs(lat, lon float64) string {
	lat, lon = math.Max(0, math.Min(lat+90, 179.999999)), math.Max(0, math.Min(lon+180, 359.999999))
	var out []byte
	side := 20.0
	for range codePlus / 2 {
		y, x := int(lat/side), int(lon/side)
		out = append(out, codeAlphabet[y], codeAlphabet[x])
		lat, lon = lat-float64(y)*side, lon-float64(x)*side
		side /= 20
	}
	return string(out)
}
