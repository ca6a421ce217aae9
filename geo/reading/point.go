package reading

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"svc/geo/geom"
	"svc/geo/text"
)

// Point is a coordinate of a query. A short plus code has its place beside it.
type Point struct {
	At    geom.Point
	Short string   // a plus code that counts from a place
	Place []string // its words; without them it counts from the reference point
}

var (
	decimalPair = regexp.MustCompile(`^(?:geo:)?([NSns]?)\s*([+-]?\d{1,3}\.\d+)\s*°?\s*([NSEWnsew]?)[\s,;/]+([EWNSewns]?)\s*([+-]?\d{1,3}\.\d+)\s*°?\s*([EWNSewns]?)$`)
	commaPair   = regexp.MustCompile(`^([+-]?\d{1,3},\d{2,})[\s;/]+([+-]?\d{1,3},\d{2,})$`)
	sexagesimal = regexp.MustCompile(`^([NSEW]?)\s*(\d{1,3})\s*°\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’ʼ]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|['′’]{2})\s*)?([NSEW]?)[\s,;]*([NSEW]?)\s*(\d{1,3})\s*°\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*['′’ʼ]\s*)?(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”]|['′’]{2})\s*)?([NSEW]?)$`)
	hemispheres = strings.NewReplacer("с.ш.", "N", "ю.ш.", "S", "в.д.", "E", "з.д.", "W", "с. ш.", "N", "в. д.", "E", "С", "N", "Ю", "S", "В", "E", "З", "W",
		"n", "N", "s", "S", "e", "E", "w", "W")
)

// maxPointText is the longest text that is read as a coordinate, in bytes.
const maxPointText = 80

// readPoint reads the query as a coordinate or plus code; true when it is nothing else.
func (a *asked) readPoint() bool {
	raw := strings.TrimSpace(a.raw)
	if inner, ok := strings.CutPrefix(raw, "("); ok { // as programs write pairs
		raw = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	if len(raw) > maxPointText || !text.HasDigit(raw) {
		return false
	}
	if at, ok := a.readDegrees(raw); ok {
		a.add(Reading{How: AsPoint, Point: &Point{At: at}, Types: []string{}})
		return true
	}
	code, rest, ok := plusCodeIn(raw)
	if !ok {
		return false
	}
	p := &Point{Short: code, Place: rest}
	if lat, lon, full := decodePlusCode(code); full {
		p = &Point{At: geom.FromDegrees(lat, lon)}
	}
	a.add(Reading{How: AsPoint, Point: p, Types: []string{}})
	return true
}

// readDegrees reads two numbers of degrees. Latitude comes first, unless only the
// other order is inside the map.
func (a *asked) readDegrees(raw string) (at geom.Point, ok bool) {
	if m := commaPair.FindStringSubmatch(raw); m != nil {
		raw = strings.ReplaceAll(m[1], ",", ".") + " " + strings.ReplaceAll(m[2], ",", ".")
	}
	if m := decimalPair.FindStringSubmatch(raw); m != nil {
		if m[1] != "" && m[3] != "" && m[4] == "" { // N 41.3 E 69.2: the second letter stands before its number
			m[3], m[4] = "", m[3]
		}
		x, errX := strconv.ParseFloat(m[2], 64)
		y, errY := strconv.ParseFloat(m[5], 64)
		if errX != nil || errY != nil {
			return at, false
		}
		return a.order(x, strings.ToUpper(m[1]+m[3]), y, strings.ToUpper(m[4]+m[6]))
	}
	m := sexagesimal.FindStringSubmatch(hemispheres.Replace(raw))
	if m == nil {
		return at, false
	}
	return a.order(degrees(m[2:5]), m[1]+m[5], degrees(m[7:10]), m[6]+m[10])
}

// degrees adds up degrees, minutes and seconds.
func degrees(parts []string) (sum float64) {
	unit := 1.0
	for _, p := range parts {
		v, _ := strconv.ParseFloat(strings.ReplaceAll(p, ",", "."), 64) // the pattern allows digits only; nothing is 0
		sum += v / unit
		unit *= 60
	}
	return sum
}

// order tells latitude from longitude by the letters of hemispheres, else by what is
// inside the map.
func (a *asked) order(x float64, xLetter string, y float64, yLetter string) (at geom.Point, ok bool) {
	if len(xLetter) > 1 || len(yLetter) > 1 {
		return at, false
	}
	signed := func(v float64, letter string) float64 {
		if letter == "S" || letter == "W" {
			return -v
		}
		return v
	}
	lat, lon := signed(x, xLetter), signed(y, yLetter)
	eastWest := func(letter string) bool { return letter == "E" || letter == "W" }
	switch {
	case eastWest(xLetter) || yLetter == "N" || yLetter == "S":
		if eastWest(yLetter) || xLetter == "N" || xLetter == "S" {
			return at, false
		}
		lat, lon = lon, lat
	case xLetter == "" && yLetter == "" && !a.inMap(lat, lon) && a.inMap(lon, lat):
		lat, lon = lon, lat
	}
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		if lat, lon = lon, lat; math.Abs(lat) > 90 || math.Abs(lon) > 180 {
			return at, false
		}
	}
	return geom.FromDegrees(lat, lon), true
}

func (a *asked) inMap(lat, lon float64) bool {
	b := a.x.Meta.Bounds
	return lon >= b[0] && lat >= b[1] && lon <= b[2] && lat <= b[3]
}
