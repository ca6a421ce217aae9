package web

import (
	"io"
	"net/http"
	pathpkg "path"
	"strings"
	"svc/web/reply"
)

// Handler is the whole service: what Run serves, for tests without a network.
func (s *Server) Handler() http.Handler {
	var h http.Handler = http.HandlerFunc(s.route)
	if s.c.Gate != nil {
		h = s.c.Gate(h)
	}
	return s.identify(s.forwarded(s.drainBody(s.observe(s.recover(h)))))
}

// route sends a path to its owner. It is a switch and not a ServeMux because a
// mux redirects unclean paths, and the redirect would repeat the query with
// the key in a header that proxies log. The gate has cleaned the paths of the
// map; any other unclean path has no owner.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if token, short := strings.CutPrefix(path, shortOptOut); short && s.c.Messaging != nil && cleanPath(path) {
		s.c.Messaging.ServeHTTP(w, optOutRequest(r, token))
		return
	}
	switch owner := s.owner(path); {
	case messaging(path) && s.c.Messaging != nil:
		s.c.Messaging.ServeHTTP(w, r) // it has its own words for what is not there
	case !cleanPath(path):
		notFound(w)
	case s.c.Welcome != nil && s.c.Welcome.Owns(path):
		s.c.Welcome.ServeHTTP(w, r)
	case path == "/openapi.json" && s.c.Messaging != nil:
		http.Redirect(w, r, "/api/v1/openapi.json", http.StatusFound)
	case path == "/health":
		s.health(w)
	case owner != nil:
		owner.ServeHTTP(w, r)
	default:
		notFound(w)
	}
}

// shortOptOut begins the links with which people opt out, as messages name them (contract 49).
const shortOptOut = "/o/"

// optOutRequest is the request for the page of the API that a short link means.
func optOutRequest(r *http.Request, token string) *http.Request {
	r = r.Clone(r.Context())
	r.URL.Path, r.URL.RawPath = "/api/v1/public/opt-out/"+token, ""
	return r
}

// owner is who answers a path, by its first segment.
func (s *Server) owner(path string) http.Handler {
	first, _, below := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "api":
		if below && !messaging(path) { // without a messaging service nobody has it
			return s.c.Map
		}
	case "photon", "nominatim":
		if below {
			return s.c.Map
		}
	case "tiles", "terrain":
		return s.c.Tiles
	case "fonts", "sprites", "styles":
		return s.c.Style
	case "console":
		return s.c.Console
	case "_sim":
		if below {
			return s.c.Simulated
		}
	case "app", "v1":
		return s.c.Page
	case "":
		if path == "/" {
			return s.c.Page
		}
	}
	return nil
}

func cleanPath(p string) bool {
	clean := pathpkg.Clean(p)
	return p == clean || p == clean+"/"
}

// messaging reports whether path belongs to the messaging service, whose rules
// are not the map's (map contract 14).
func messaging(path string) bool {
	return path == "/api/v1" || strings.HasPrefix(path, "/api/v1/")
}

// health is liveness only: 200 as soon as the process can answer, 503 while it
// stops, so that a load balancer sends no more (map contract 1).
func (s *Server) health(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	if !s.accepting() {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"status":"stopping"}`+"\n")
		return
	}
	_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
}

// notFound answers a path that nobody owns (map contract 14: plain text).
func notFound(w http.ResponseWriter) { reply.NotFound(w, "404 not found") }
