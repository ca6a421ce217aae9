// Package mapapi is the HTTP surface of the map service: paths, lenient
// parameters, shapes and errors of the map contract. What the answers
// mean is decided in geo.
//
// It promises that bad parameters take their defaults as specified, that every
// error is {"error": "<message>"}, and that a request works on one map from
// beginning to end. It refuses a request only where map contract 55.2 does; keys,
// origins, rates and quotas are the gate's.
package mapapi

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"svc/app/mapkey"
	"svc/geo/live"
	"svc/geo/photo"
	"svc/geo/route"
	"svc/geo/search"
	"svc/geo/tileset"
	"svc/web/mapcompat"
	"svc/web/reply"
)

// Config is what the handlers need.
type Config struct {
	Map     *live.Map
	Photos  *photo.Client            // nil: photos are off
	Tiles   *live.File[*tileset.Set] // for the status; nil: none
	Terrain *live.File[*tileset.Set] // for the status; nil: none
	Engine  route.Engine             // routes, matrices, isochrones; nil: no routing engine is configured
	Usage   http.Handler             // GET /api/usage
	// Charge counts n more billable requests of a product to the key of r, and answers
	// how many may be answered and why the others may not; nil: all may.
	Charge  func(r *http.Request, product mapkey.Product, n int) (admitted int, refusal string)
	Version string
	Log     *slog.Logger
	Clock   func() time.Time // nil: time.Now
	Layout  bool             // try a query that finds nothing as typed on a Russian keyboard
}

type api struct {
	Config
	started time.Time
	routing chan struct{} // has room for maxRouting
	compat  http.Handler  // /photon/* and /nominatim/*
}

// New serves every /api/ path of the map service, /photon/* and /nominatim/*.
func New(c Config) http.Handler {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return &api{
		Config: c, started: c.Clock(), routing: make(chan struct{}, maxRouting),
		compat: mapcompat.New(mapcompat.Config{Map: c.Map, Version: c.Version, Clock: c.Clock, Layout: c.Layout}),
	}
}

// ServeHTTP sends a path to its handler. Paths are matched whole, without
// redirects: a redirect would repeat the key of the request.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	switch path {
	case "/api/status":
		a.status(w, r)
	case "/api/usage":
		a.Usage.ServeHTTP(w, r)
	case "/api/categories":
		a.withMap(w, r, mapcompat.NoIndex, a.categories)
	case "/api/districts":
		a.withMap(w, r, "index not built", a.districts)
	case "/api/search":
		a.withMap(w, r, mapcompat.NoIndex, a.search(maxSearch))
	case "/api/autocomplete":
		a.withMap(w, r, mapcompat.NoIndex, a.search(maxAutocomplete))
	case "/api/reverse":
		a.withMap(w, r, mapcompat.NoIndex, a.reverse)
	case "/api/lookup":
		a.withMap(w, r, mapcompat.NoIndex, a.lookup)
	case "/api/geocode":
		if r.Method != http.MethodPost { // a GET of it was never served (map contract 46)
			reply.NotFound(w, "404 not found")
			return
		}
		a.withMap(w, r, mapcompat.NoIndex, a.geocode)
	case "/api/nearby":
		a.withMap(w, r, mapcompat.NoIndex, a.nearby)
	case "/api/photo":
		a.photo(w, r)
	case "/api/route":
		a.withEngine(w, r, routeTimeout, a.route)
	case "/api/matrix":
		a.withEngine(w, r, matrixTimeout, a.matrix)
	case "/api/isochrone":
		a.withEngine(w, r, isochroneTimeout, a.isochrone)
	case "/api/trip":
		a.withEngine(w, r, routeTimeout, a.trip)
	case "/api/match":
		a.withEngine(w, r, routeTimeout, a.match)
	case "/api/elevation":
		a.elevation(w, r)
	default:
		a.subtree(w, r, path)
	}
}

func (a *api) subtree(w http.ResponseWriter, r *http.Request, path string) {
	if mapcompat.Owns(path) {
		a.compat.ServeHTTP(w, r)
		return
	}
	if rest, ok := strings.CutPrefix(path, "/api/place/"); ok {
		a.withMap(w, r, mapcompat.NoIndex, a.place(rest))
		return
	}
	if rest, ok := strings.CutPrefix(path, "/api/geometry/"); ok {
		a.withMap(w, r, mapcompat.NoIndex, a.geometry(rest))
		return
	}
	if rest, ok := strings.CutPrefix(path, "/api/photo/img/"); ok {
		a.photoImage(w, r, rest)
		return
	}
	reply.NotFound(w, "404 not found")
}

// withMap holds the map that serves now for the length of a request.
func (a *api) withMap(w http.ResponseWriter, r *http.Request, absent string, h func(http.ResponseWriter, *http.Request, *search.Engine)) {
	engine, release := a.Map.Acquire()
	defer release()
	if engine == nil {
		refuse(w, http.StatusServiceUnavailable, absent)
		return
	}
	h(w, r, engine)
}

// answer writes v as JSON with names as they are: HTML characters not escaped.
func answer(w http.ResponseWriter, v any) { reply.JSON(w, http.StatusOK, v) }

// refuse writes the error of a handler.
func refuse(w http.ResponseWriter, status int, message string) {
	reply.JSON(w, status, struct {
		Error string `json:"error"`
	}{message})
}
