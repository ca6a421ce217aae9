package search

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"svc/geo/around"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
)

// Coordinates as a query (map contract 41.11): decimal degrees in either order, degrees
// with minutes and seconds, plus codes. They answer one result: the point, with the
// address that reverse geocoding gives it.

const byPoint = "coordinate"

// pointAsked is a coordinate of a query. A short plus code has its place beside it.
type pointAsked struct {
	at    geom.Point
	short string   // a plus code that counts from a place
	place []string // its words; without them it counts from the reference point
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
	if len(raw) > maxPointText || !hasDigit(raw) {
		return false
	}
	if at, ok := a.readDegrees(raw); ok {
		a.add(reading{how: asPoint, point: &pointAsked{at: at}, types: []string{}})
		return true
	}
	code, rest, ok := plusCodeIn(raw)
	if !ok {
		return false
	}
	p := &pointAsked{short: code, place: rest}
	if lat, lon, full := decodePlusCode(code); full {
		p = &pointAsked{at: geom.FromDegrees(lat, lon)}
	}
	a.add(reading{how: asPoint, point: p, types: []string{}})
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

// atPoint answers a coordinate.
func (r *request) atPoint(p *pointAsked) []hit {
	at := p.at
	if p.short != "" {
		near, ok := r.from(p.place)
		if !ok {
			return nil
		}
		lat, lon, ok := recoverPlusCode(p.short, near.Lat(), near.Lon())
		if !ok {
			return nil
		}
		at = geom.FromDegrees(lat, lon)
	}
	if r.q.Box != nil && !r.q.Box.Contains(at) || r.q.Kinds != 0 && !r.q.Kinds.Has(index.Address) || r.q.Category != "" {
		return nil
	}
	nearest, ok := around.Nearest(r.engine.x, at)
	if !ok {
		return nil
	}
	shown := result.New(r.engine.x, nearest, r.q.Lang, nil)
	described := around.Reverse(r.engine.x, at.Lat(), at.Lon(), r.q.Lang)
	shown.Name, shown.Address = described.Label, described.Address
	r.pointResult(&shown, at, byPoint)
	shown.Label = shown.CategoryLabel
	return []hit{{entry: nearest, score: 1, reason: byPoint, strong: true, shown: &shown}}
}

// from is the point from which a short plus code counts: the place that the words name,
// else the reference point, else the middle of the map.
func (r *request) from(words []string) (geom.Point, bool) {
	if len(words) > 0 {
		hits := r.findNamed(words, 0)
		if len(hits) == 0 {
			return geom.Point{}, false
		}
		return r.engine.x.Rows[hits[0].entry].Point(), true
	}
	if r.q.Ref != nil {
		return *r.q.Ref, true
	}
	b := r.engine.x.Meta.Bounds
	return geom.FromDegrees((b[1]+b[3])/2, (b[0]+b[2])/2), true
}

// pointResult turns the result of the entry beside a point into that of the point: an
// address without names of its own. Its id stays that of the entry.
func (r *request) pointResult(shown *result.Result, at geom.Point, reason string) {
	shown.Kind, shown.Category, shown.Reason = index.Address.String(), byAddress, reason
	shown.Group, shown.Icon, shown.CategoryLabel = result.Classify(byAddress, r.q.Lang)
	shown.Lat, shown.Lon = at.Lat(), at.Lon()
	shown.BBox = result.BBox(geom.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y})
	shown.Names, shown.Rank = nil, 0
	if r.q.Ref != nil {
		shown.Distance = result.Round(geom.Distance(*r.q.Ref, at))
	}
}
