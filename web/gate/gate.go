// Package gate stands in front of the map's paths: CORS, OPTIONS, the reading of
// methods, the key check, its refusals, and the usage report.
//
// It promises: the headers, statuses and sentences of map contract 54 and 55.1;
// a decision that allocates next to nothing;
// and that the path that is checked and counted is the path that the router
// behind it serves, however the client wrote it. It never logs or repeats a key,
// except in the report that the key's own holder asks for.
//
// It refuses: to touch what is not the map's. The messaging service below
// /api/v1, the console and the public pages pass through as they came.
package gate

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"svc/app/mapkey"
)

// Config is what a gate works with.
type Config struct {
	Keys      *mapkey.Keys  // nil: no key file, everything passes
	Require   bool          // --require-key: failed checks are refused
	Meter     *mapkey.Meter // nil: no metering, no quotas
	PublicURL string        // --public-url, for links in refusals; "" derives it from the request
	Clock     func() time.Time
	// Observe is told the product and the outcome of every check, for metrics.
	// Both are from small fixed sets and hold nothing secret. May be nil.
	Observe func(product, outcome string)
	Log     *slog.Logger
}

// Gate is the gate of one server. Safe for concurrent use.
type Gate struct {
	c     Config
	check mapkey.Checker
}

// New makes a gate.
func New(c Config) *Gate {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(string, string) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Gate{c: c, check: mapkey.Checker{Keys: c.Keys, Meter: c.Meter}}
}

// Wrap puts the gate in front of the router. For the map's paths it sets the
// CORS headers, answers OPTIONS with 204 before any check, reads every method
// other than POST (and HEAD, a GET without a body) as GET, and hands the router
// a clean path. For gated ones it then checks and counts. Other paths pass
// untouched.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, isMap := route(r.URL)
		if !isMap {
			next.ServeHTTP(w, r)
			return
		}
		product, access := classify(path)
		if access == mapkey.Foreign { // a map path only by how it was written
			next.ServeHTTP(w, normalise(r, path, r.Method))
			return
		}
		cors(w.Header())
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		inPath, path, _ := mapkey.CutKey(path)
		if access == mapkey.Gated && !g.admit(w, r, product, inPath) {
			return
		}
		next.ServeHTTP(w, normalise(r, path, readAs(r.Method)))
	})
}

// admit checks and counts a request. When it answers false the refusal has been
// written. A key in the path is the one that counts: the address was set up with it.
func (g *Gate) admit(w http.ResponseWriter, r *http.Request, product mapkey.Product, inPath string) bool {
	now := g.c.Clock()
	d := g.check.Check(now, presented(r, product, inPath))
	g.c.Observe(product.String(), d.Outcome.String())
	if d.Outcome.Passed() || !g.c.Require {
		return true
	}
	g.refuse(w, r, d, now)
	return false
}

// Charge counts what a request that the gate let in costs beyond the one that the
// gate has counted: n more of product. It answers how many of them may be answered,
// and the sentence for the others. Where keys are not enforced all may.
func (g *Gate) Charge(r *http.Request, product mapkey.Product, n int) (admitted int, refusal string) {
	admitted, quota := g.check.Charge(g.c.Clock(), presented(r, product, ""), n)
	if admitted == n || !g.c.Require {
		return n, ""
	}
	_, refusal = sentence(mapkey.Decision{Outcome: mapkey.QuotaSpent, Quota: quota})
	return admitted, refusal
}

// presented is what the checks need to know of a request.
func presented(r *http.Request, product mapkey.Product, inPath string) mapkey.Request {
	return mapkey.Request{
		Key: cmp.Or(inPath, key(r)), Origin: r.Header.Get("Origin"), Referer: r.Header.Get("Referer"), Product: product,
	}
}

// key is the key a request presents: the query parameter, and only without one
// the header. An empty parameter counts as none.
func key(r *http.Request) string {
	if k := queryValue(r.URL.RawQuery, "key"); k != "" {
		return k
	}
	return r.Header.Get("X-Api-Key")
}

// The header values are shared by all answers; nobody writes into them, since
// http.Header only replaces or appends to slices, and these have no room.
var (
	corsOrigin  = []string{"*"}
	corsMethods = []string{"GET, POST, OPTIONS"}
	corsHeaders = []string{"Content-Type, Range"}
)

// cors sets the headers of map contract 30. The key
// header is deliberately not allowed: browsers pass the key in the query.
func cors(h http.Header) {
	h["Access-Control-Allow-Origin"] = corsOrigin
	h["Access-Control-Allow-Methods"] = corsMethods
	h["Access-Control-Allow-Headers"] = corsHeaders
}

// readAs is the method a map handler sees.
func readAs(method string) string {
	switch method {
	case http.MethodPost, http.MethodHead:
		return method
	}
	return http.MethodGet
}

// normalise gives the request a method and a path. It copies only when
// something changes.
func normalise(r *http.Request, path, method string) *http.Request {
	samePath := r.URL.Path == path && r.URL.RawPath == ""
	if samePath && r.Method == method {
		return r
	}
	out := new(http.Request)
	*out = *r
	out.Method = method
	if !samePath {
		u := *r.URL
		u.Path, u.RawPath = path, ""
		out.URL = &u
	}
	return out
}
