package apiv1

import (
	"net/http"
	"strings"
)

// What pages of other origins may send and read (contract 21.2).
const (
	corsRequestHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since, " +
		"Last-Event-ID, Range, X-Request-Id"
	corsAnswerHeaders = "Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Location, Retry-After, " +
		"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Svc-Ignored-Fields"
	corsMaxAge = "600" // seconds for which a browser may remember a preflight
)

// allowOrigin lets a page of an origin of Config.Origins read the answer, with the
// cookies of its browser. Other origins hear nothing, which their browsers take for no.
func (a *API) allowOrigin(w http.ResponseWriter, r *http.Request) {
	if len(a.foreign) == 0 {
		return
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if !a.mayRead(r) {
		return
	}
	h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Access-Control-Expose-Headers", corsAnswerHeaders)
}

// mayRead says whether the request comes from a page of an origin of Config.Origins.
func (a *API) mayRead(r *http.Request) bool {
	return a.foreign[strings.ToLower(r.Header.Get("Origin"))]
}

// preflight answers what a browser asks before a request of a page of such an origin.
func (a *API) preflight(w http.ResponseWriter, r *http.Request, methods []string) {
	if !a.mayRead(r) || r.Header.Get("Access-Control-Request-Method") == "" {
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
	h.Set("Access-Control-Allow-Headers", corsRequestHeaders)
	h.Set("Access-Control-Max-Age", corsMaxAge)
}
