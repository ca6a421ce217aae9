package mapapi

import (
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"

	"svc/geo/result"
	"svc/geo/route"
)

// maxRoutingBody bounds the JSON of a request: 2,500 points in full precision
// are 120 kB.
const maxRoutingBody = 256 << 10

// Alternatives when the request does not say, by method, and instead of a number
// outside 0 to 3.
const (
	getAlternatives  = 2
	postAlternatives = 0
	oddAlternatives  = 2
	maxAlternatives  = 3
)

// routingParams reads the query of a routing request. Lists are separated by |
// or ;, and net/url drops parameters with a bare semicolon.
func routingParams(r *http.Request) params {
	values, _ := url.ParseQuery(strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")) // what does not parse is absent
	return params{values}
}

func separator(r rune) bool { return r == '|' || r == ';' }

// points reads lon,lat|lon,lat. What is no point is dropped silently.
func (p params) points(name string) []route.Point {
	var out []route.Point
	for text := range strings.FieldsFuncSeq(p.Get(name), separator) {
		if point, ok := parsePoint(text); ok {
			out = append(out, point)
		}
	}
	return out
}

func parsePoint(text string) (route.Point, bool) {
	lonText, latText, _ := strings.Cut(text, ",")
	lon, lonOK := parseNumber(strings.TrimSpace(lonText))
	lat, latOK := parseNumber(strings.TrimSpace(latText))
	p := route.Point{Lon: lon, Lat: lat}
	return p, lonOK && latOK && onEarth(p)
}

// onEarth: out of range is unparseable (map contract 14).
func onEarth(p route.Point) bool { return math.Abs(p.Lon) <= 180 && math.Abs(p.Lat) <= 90 }

// numbers reads a list; what is no number is dropped silently.
func (p params) numbers(name string) []float64 {
	var out []float64
	for text := range strings.FieldsFuncSeq(p.Get(name), func(r rune) bool { return r == ',' || separator(r) }) {
		if v, ok := parseNumber(strings.TrimSpace(text)); ok {
			out = append(out, v)
		}
	}
	return out
}

// flag is on when it is exactly 1.
func (p params) flag(name string) bool { return p.Get(name) == "1" }

// optional is a number, or nil.
func (p params) optional(name string) *float64 {
	v, ok := p.number(name)
	if !ok {
		return nil
	}
	return &v
}

// bodyPoint is [lon, lat] of a JSON body. Numbers after the second, such as a
// height, are ignored. A null is no number: encoding/json would make it 0, which
// is a place in the sea.
type bodyPoint []*float64

// bodyNumbers is a list of a JSON body.
type bodyNumbers []*float64

// values drops what is null, as the query drops what is no number.
func (b bodyNumbers) values() []float64 {
	var out []float64
	for _, v := range b {
		if v != nil {
			out = append(out, *v)
		}
	}
	return out
}

// bodyPoints drops what is no point, as the query does.
func bodyPoints(list []bodyPoint) []route.Point {
	var out []route.Point
	for _, b := range list {
		if len(b) < 2 || b[0] == nil || b[1] == nil {
			continue
		}
		if p := (route.Point{Lon: *b[0], Lat: *b[1]}); onEarth(p) {
			out = append(out, p)
		}
	}
	return out
}

// readJSON reads the body of a POST into v. Unknown fields are ignored.
func readJSON(w http.ResponseWriter, r *http.Request, v any) bool {
	return readJSONUpTo(w, r, maxRoutingBody, v)
}

// readJSONUpTo is readJSON with another bound, in bytes.
func readJSONUpTo(w http.ResponseWriter, r *http.Request, most int64, v any) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	return err == nil && json.Unmarshal(body, v) == nil
}

// readRoute reads a request for a route; the two methods differ in names and
// defaults (map contract 49).
func readRoute(w http.ResponseWriter, r *http.Request) (in route.Request, ok bool) {
	if r.Method != http.MethodPost {
		p := routingParams(r)
		return route.Request{
			Points: p.points("points"), Mode: route.ParseMode(p.Get("mode")), Language: p.lang(),
			Alternatives: alternatives(p.integer("alternatives", getAlternatives)),
			Preferences:  route.Preferences{AvoidTolls: p.flag("avoid_tolls"), AvoidHighways: p.flag("avoid_highways")},
		}, true
	}
	var b struct {
		Points        []bodyPoint `json:"points"`
		Mode          string      `json:"mode"`
		Language      string      `json:"language"`
		Alternatives  *int        `json:"alternatives"`
		AvoidTolls    bool        `json:"avoid_tolls"`
		AvoidHighways bool        `json:"avoid_highways"`
		Shortest      bool        `json:"shortest"`
		Heading       *float64    `json:"heading"`
	}
	if !readJSON(w, r, &b) {
		return in, false
	}
	in = route.Request{
		Points: bodyPoints(b.Points), Mode: route.ParseMode(b.Mode), Language: b.Language, Alternatives: postAlternatives,
		Preferences: route.Preferences{AvoidTolls: b.AvoidTolls, AvoidHighways: b.AvoidHighways, Shortest: b.Shortest},
		Heading:     compass(b.Heading),
	}
	if in.Language == "" {
		in.Language = result.Language("") // absent: the default; anything else is echoed
	}
	if b.Alternatives != nil {
		in.Alternatives = alternatives(*b.Alternatives)
	}
	return in, true
}

func alternatives(n int) int {
	if n < 0 || n > maxAlternatives {
		return oddAlternatives
	}
	return n
}

// compass turns any angle into 0 to 360 degrees.
func compass(heading *float64) *float64 {
	if heading == nil {
		return nil
	}
	v := math.Mod(*heading, 360)
	if v < 0 {
		v += 360
	}
	return &v
}

// readMatrix reads a request for a matrix. points, when there are any, are
// sources and targets.
func readMatrix(w http.ResponseWriter, r *http.Request) (in route.MatrixRequest, ok bool) {
	var points []route.Point
	if r.Method != http.MethodPost {
		p := routingParams(r)
		points = p.points("points")
		in = route.MatrixRequest{
			Sources: p.points("sources"), Targets: p.points("targets"), Mode: route.ParseMode(p.Get("mode")),
			Preferences: route.Preferences{
				AvoidTolls: p.flag("avoid_tolls"), AvoidHighways: p.flag("avoid_highways"), Shortest: p.flag("shortest"),
			},
		}
	} else {
		var b struct {
			Sources       []bodyPoint `json:"sources"`
			Targets       []bodyPoint `json:"targets"`
			Points        []bodyPoint `json:"points"`
			Mode          string      `json:"mode"`
			AvoidTolls    bool        `json:"avoid_tolls"`
			AvoidHighways bool        `json:"avoid_highways"`
			Shortest      bool        `json:"shortest"`
		}
		if !readJSON(w, r, &b) {
			return in, false
		}
		points = bodyPoints(b.Points)
		in = route.MatrixRequest{
			Sources: bodyPoints(b.Sources), Targets: bodyPoints(b.Targets), Mode: route.ParseMode(b.Mode),
			Preferences: route.Preferences{AvoidTolls: b.AvoidTolls, AvoidHighways: b.AvoidHighways, Shortest: b.Shortest},
		}
	}
	if len(points) > 0 {
		in.Sources, in.Targets = points, points
	}
	return in, true
}

// readIsochrone reads a request for isochrones. The point is the zero value
// when there is none, or on GET several.
func readIsochrone(w http.ResponseWriter, r *http.Request) (in route.IsochroneRequest, ok bool) {
	if r.Method != http.MethodPost {
		p := routingParams(r)
		in = route.IsochroneRequest{
			Mode: route.ParseMode(p.Get("mode")), Minutes: p.numbers("minutes"), Metres: p.numbers("metres"),
			Polygons: p.Get("polygons") != "0", Denoise: p.optional("denoise"), Generalize: p.optional("generalize"),
		}
		if texts := strings.FieldsFunc(p.Get("point"), separator); len(texts) == 1 {
			if point, ok := parsePoint(texts[0]); ok {
				in.Point = point
			}
		}
	} else {
		var b struct {
			Point      bodyPoint   `json:"point"`
			Mode       string      `json:"mode"`
			Minutes    bodyNumbers `json:"minutes"`
			Metres     bodyNumbers `json:"metres"`
			Polygons   bool        `json:"polygons"`
			Denoise    *float64    `json:"denoise"`
			Generalize *float64    `json:"generalize"`
		}
		if !readJSON(w, r, &b) {
			return in, false
		}
		in = route.IsochroneRequest{
			Mode: route.ParseMode(b.Mode), Minutes: b.Minutes.values(), Metres: b.Metres.values(),
			Polygons: b.Polygons, Denoise: b.Denoise, Generalize: b.Generalize,
		}
		if points := bodyPoints([]bodyPoint{b.Point}); len(points) == 1 {
			in.Point = points[0]
		}
	}
	in.Denoise, in.Generalize = within(in.Denoise, 1), within(in.Generalize, math.MaxFloat32)
	return in, true
}

// within is v, or nil, the engine's default, when it is outside 0 to most.
func within(v *float64, most float64) *float64 {
	if v == nil || *v < 0 || *v > most {
		return nil
	}
	return v
}
