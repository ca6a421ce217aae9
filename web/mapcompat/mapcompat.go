// Package mapcompat answers programs that were written for Photon and Nominatim:
// /photon/* and /nominatim/* in the paths, parameters and shapes of those two
// services (map contract 59).
//
// It promises that such a program works when its address is changed: the objects
// of the map database carry their own tags, types and numbers again, and errors
// have the shape that the program reads. What is found, and in which order, is
// decided by geo/search and geo/around as for the paths of our own.
//
// It refuses parameters that the two refuse; what they know and this map has
// nothing for (outlines in other formats than GeoJSON, debugging) is ignored.
// Keys, rates and quotas are the gate's, which also takes the key out of the path.
package mapcompat

import (
	"net/http"
	"strings"
	"time"

	"svc/geo/live"
	"svc/geo/search"
	"svc/web/reply"
)

// Config is what the handlers need.
type Config struct {
	Map     *live.Map
	Version string
	Clock   func() time.Time // nil: time.Now
	Layout  bool             // try a query that finds nothing as typed on a Russian keyboard
}

// New serves every path that Owns says yes to.
func New(c Config) http.Handler {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return &handler{c}
}

// Owns reports whether a path belongs to one of the two services.
func Owns(path string) bool {
	return strings.HasPrefix(path, "/photon/") || strings.HasPrefix(path, "/nominatim/")
}

type handler struct{ Config }

// endpoint answers with an engine that is open until it returns.
type endpoint func(w http.ResponseWriter, r *http.Request, e *search.Engine)

// ServeHTTP sends a path to its handler. A slash at the end changes nothing, and
// neither does the ".php" that older programs write.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/"), ".php") {
	case "/photon/api":
		h.withMap(w, r, photonError, h.photonSearch)
	case "/photon/reverse":
		h.withMap(w, r, photonError, h.photonReverse)
	case "/photon/status":
		h.photonStatus(w)
	case "/nominatim/search":
		h.withMap(w, r, nominatimError, h.nominatimSearch)
	case "/nominatim/reverse":
		h.withMap(w, r, nominatimError, h.nominatimReverse)
	case "/nominatim/lookup":
		h.withMap(w, r, nominatimError, h.nominatimLookup)
	case "/nominatim/status":
		h.nominatimStatus(w, r)
	default:
		reply.NotFound(w, "404 not found")
	}
}

// NoIndex is what endpoints say without a map.
const NoIndex = "search index not built"

// withMap holds the map that serves now for the length of a request.
func (h *handler) withMap(w http.ResponseWriter, r *http.Request, refuse func(http.ResponseWriter, int, string), next endpoint) {
	engine, release := h.Map.Acquire()
	defer release()
	if engine == nil {
		refuse(w, http.StatusServiceUnavailable, NoIndex)
		return
	}
	next(w, r, engine)
}
