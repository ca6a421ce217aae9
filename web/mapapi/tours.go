package mapapi

import (
	"math"
	"net/http"
	"slices"
	"strconv"

	"svc/geo/live"
	"svc/geo/result"
	"svc/geo/route"
	"svc/geo/terrain"
	"svc/geo/tileset"
)

// Limits of map contract 52.
const (
	maxTrack     = 2000    // points of a track
	maxLine      = 2000    // points of a line, with those between them
	maxTrackBody = 1 << 20 // bytes: a track with times
	maxAccuracy  = 100.0   // metres, the engine's
)

// trip serves /api/trip.
func (a *api) trip(w http.ResponseWriter, r *http.Request) {
	in, ok := readTrip(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	visits := len(in.Points)
	if in.RoundTrip {
		visits++
	}
	switch {
	case len(in.Points) < 2:
		refuse(w, http.StatusBadRequest, "at least two points required (points=lon,lat|lon,lat)")
		return
	case visits > maxPoints:
		refuse(w, http.StatusBadRequest, "too many points: "+strconv.Itoa(visits)+" with the way back, limit is "+strconv.Itoa(maxPoints))
		return
	}
	found, err := a.Engine.Trip(r.Context(), in)
	if err != nil {
		refuseRouting(w, err)
		return
	}
	answer(w, found)
}

func readTrip(w http.ResponseWriter, r *http.Request) (in route.TripRequest, ok bool) {
	if r.Method != http.MethodPost {
		p := routingParams(r)
		return route.TripRequest{
			Points: p.points("points"), Mode: route.ParseMode(p.Get("mode")), Language: p.lang(), RoundTrip: p.flag("roundtrip"),
			Preferences: route.Preferences{AvoidTolls: p.flag("avoid_tolls"), AvoidHighways: p.flag("avoid_highways"), Shortest: p.flag("shortest")},
		}, true
	}
	var b struct {
		Points        []bodyPoint `json:"points"`
		Mode          string      `json:"mode"`
		Language      string      `json:"language"`
		RoundTrip     bool        `json:"roundtrip"`
		AvoidTolls    bool        `json:"avoid_tolls"`
		AvoidHighways bool        `json:"avoid_highways"`
		Shortest      bool        `json:"shortest"`
	}
	if !readJSON(w, r, &b) {
		return in, false
	}
	in = route.TripRequest{
		Points: bodyPoints(b.Points), Mode: route.ParseMode(b.Mode), Language: b.Language, RoundTrip: b.RoundTrip,
		Preferences: route.Preferences{AvoidTolls: b.AvoidTolls, AvoidHighways: b.AvoidHighways, Shortest: b.Shortest},
	}
	if in.Language == "" {
		in.Language = result.Language("")
	}
	return in, true
}

// match serves /api/match.
func (a *api) match(w http.ResponseWriter, r *http.Request) {
	in, ok := readMatch(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	rising := slices.IsSorted(in.Times)
	switch n := len(in.Points); {
	case n < 2:
		refuse(w, http.StatusBadRequest, "at least two points required (points=lon,lat|lon,lat)")
		return
	case n > maxTrack:
		refuse(w, http.StatusBadRequest, "too many points: "+strconv.Itoa(n)+", limit is "+strconv.Itoa(maxTrack))
		return
	case len(in.Times) > 0 && (len(in.Times) != n || !rising):
		refuse(w, http.StatusBadRequest, "times must be as many as points, in seconds, none before the one in front of it")
		return
	}
	found, err := a.Engine.Match(r.Context(), in)
	if err != nil {
		refuseRouting(w, err)
		return
	}
	answer(w, found)
}

func readMatch(w http.ResponseWriter, r *http.Request) (in route.MatchRequest, ok bool) {
	var accuracy, radius *float64
	if r.Method != http.MethodPost {
		p := routingParams(r)
		in = route.MatchRequest{Points: p.points("points"), Times: p.numbers("times"), Mode: route.ParseMode(p.Get("mode"))}
		accuracy, radius = p.optional("accuracy"), p.optional("radius")
	} else {
		var b struct {
			Points   []bodyPoint `json:"points"`
			Times    bodyNumbers `json:"times"`
			Mode     string      `json:"mode"`
			Accuracy *float64    `json:"accuracy"`
			Radius   *float64    `json:"radius"`
		}
		if !readJSONUpTo(w, r, maxTrackBody, &b) {
			return in, false
		}
		in = route.MatchRequest{Points: bodyPoints(b.Points), Times: b.Times.values(), Mode: route.ParseMode(b.Mode)}
		accuracy, radius = b.Accuracy, b.Radius
	}
	if v := within(accuracy, maxAccuracy); v != nil {
		in.Accuracy = *v
	}
	if v := within(radius, maxAccuracy); v != nil {
		in.Radius = *v
	}
	return in, true
}

// elevated is the answer of /api/elevation.
type elevated struct {
	Points  []elevatedPoint `json:"points"`
	Length  float64         `json:"length"`            // metres along the line
	Ascent  float64         `json:"ascent"`            // metres, all that go up
	Descent float64         `json:"descent"`           // metres, all that go down
	Lowest  *float64        `json:"lowest,omitempty"`  // metres above the sea; absent where nothing is known
	Highest *float64        `json:"highest,omitempty"` // metres above the sea
	Source  string          `json:"source"`            // terrain, or the name of the engine
}

type elevatedPoint struct {
	Lon      float64  `json:"lon"`
	Lat      float64  `json:"lat"`
	Distance float64  `json:"distance"` // metres from the first point
	Height   *float64 `json:"height"`   // metres above the sea, one decimal; null where nothing is known
}

// elevation serves /api/elevation: from the operator's own archive, and without one
// from the routing engine.
func (a *api) elevation(w http.ResponseWriter, r *http.Request) {
	line, step, ok := readLine(w, r)
	if !ok {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	if len(line) == 0 {
		refuse(w, http.StatusBadRequest, "points required (points=lon,lat|lon,lat)")
		return
	}
	points, ok := along(line, step)
	if !ok {
		refuse(w, http.StatusBadRequest, "too many points: limit is "+strconv.Itoa(maxLine)+" with those between; give fewer, or a longer step")
		return
	}
	set, release, ok := acquire(a.Terrain)
	defer release()
	if ok {
		heights, err := sample(set, points)
		if err != nil {
			a.Log.Error("elevation could not be read", "error", err.Error())
			refuse(w, http.StatusBadGateway, "elevation: the archive of the server cannot be read")
			return
		}
		answer(w, profile(points, heights, "terrain"))
		return
	}
	a.withEngine(w, r, routeTimeout, func(w http.ResponseWriter, r *http.Request) {
		heights, err := a.Engine.Heights(r.Context(), points)
		if err != nil {
			refuseRouting(w, err)
			return
		}
		answer(w, profile(points, heights, route.EngineName))
	})
}

// acquire holds an archive; source may be nil.
func acquire(source *live.File[*tileset.Set]) (*tileset.Set, func(), bool) {
	if source == nil {
		return nil, func() {}, false
	}
	return source.Acquire()
}

func readLine(w http.ResponseWriter, r *http.Request) (line []route.Point, step float64, ok bool) {
	var by *float64
	if r.Method != http.MethodPost {
		p := routingParams(r)
		line, by = p.points("points"), p.optional("step")
	} else {
		var b struct {
			Points []bodyPoint `json:"points"`
			Step   *float64    `json:"step"`
		}
		if !readJSONUpTo(w, r, maxTrackBody, &b) {
			return nil, 0, false
		}
		line, by = bodyPoints(b.Points), b.Step
	}
	if v := within(by, math.MaxFloat32); v != nil {
		step = *v
	}
	return line, step, true
}

// along is the line with points between its own, so that none are further apart than
// step metres; 0: none. ok is false when they become too many.
func along(line []route.Point, step float64) (out []route.Point, ok bool) {
	if len(line) > maxLine {
		return nil, false
	}
	out = append(out, line[0])
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		n := 1.0
		if step > 0 {
			n = math.Max(1, math.Ceil(metresBetween(a, b)/step))
		}
		if float64(len(out))+n > maxLine {
			return nil, false
		}
		for k := 1.0; k <= n; k++ {
			out = append(out, route.Point{Lon: a.Lon + (b.Lon-a.Lon)*k/n, Lat: a.Lat + (b.Lat-a.Lat)*k/n})
		}
	}
	return out, true
}

// sample reads the heights of points.
func sample(set *tileset.Set, points []route.Point) ([]*float64, error) {
	s := terrain.New(set)
	out := make([]*float64, len(points))
	for i, p := range points {
		h, ok, err := s.At(p.Lat, p.Lon)
		if err != nil {
			return nil, err
		}
		if ok {
			out[i] = &h
		}
	}
	return out, nil
}

// profile sums up the heights along a line.
func profile(points []route.Point, heights []*float64, source string) elevated {
	e := elevated{Points: make([]elevatedPoint, len(points)), Source: source}
	var last *float64
	for i, p := range points {
		if i > 0 {
			e.Length += metresBetween(points[i-1], p)
		}
		e.Points[i] = elevatedPoint{Lon: p.Lon, Lat: p.Lat, Distance: math.Round(e.Length*10) / 10}
		if heights[i] == nil {
			continue
		}
		h := math.Round(*heights[i]*10) / 10
		e.Points[i].Height = &h
		if last != nil {
			e.Ascent += math.Max(0, h-*last)
			e.Descent += math.Max(0, *last-h)
		}
		last = &h
		if e.Lowest == nil || h < *e.Lowest {
			e.Lowest = &h
		}
		if e.Highest == nil || h > *e.Highest {
			e.Highest = &h
		}
	}
	e.Length, e.Ascent, e.Descent = math.Round(e.Length*10)/10, math.Round(e.Ascent*10)/10, math.Round(e.Descent*10)/10
	return e
}

func metresBetween(a, b route.Point) float64 {
	const perDegree = 6371008.8 * math.Pi / 180
	east := math.Remainder(b.Lon-a.Lon, 360) * math.Cos((a.Lat+b.Lat)/2*math.Pi/180)
	return math.Hypot(east, b.Lat-a.Lat) * perDegree
}
