package mapkey

import "strings"

// Product is what a request is metered as (map contract 54.8).
// The zero value is Other, so that a path nobody thought of is
// counted rather than free.
type Product uint8

// The products, in no meaningful order. Their names, not these numbers, are
// what is stored and reported.
const (
	Other Product = iota
	Tiles
	Search
	Geocoding
	Places
	Routing
	Matrix
	Isochrone
	Static
	Meta
)

var productNames = [...]string{
	Other: "other", Tiles: "tiles", Search: "search", Geocoding: "geocoding", Places: "places",
	Routing: "routing", Matrix: "matrix", Isochrone: "isochrone", Static: "static", Meta: "meta",
}

// String is the product's name in reports, in the usage file and in metrics.
func (p Product) String() string {
	if int(p) < len(productNames) {
		return productNames[p]
	}
	return productNames[Other]
}

// Billable reports whether admitted requests count against a quota. Only meta
// (the usage report and the status page) is free, and it is not metered at all,
// so that reading a report never changes it.
func (p Product) Billable() bool { return p != Meta }

// Access says who may ask for a path.
type Access uint8

const (
	// Foreign paths are not the map's: no gate, no CORS, no metering.
	Foreign Access = iota
	// Open paths are the map's and need no key.
	Open
	// Gated paths are the map's and are checked and metered.
	Gated
)

// Classify maps a path to its product and its access (map contract 54.2 and 54.8).
// The path must be decoded and
// clean: no empty, "." or ".." segment. Letters are compared exactly, as the
// router does. Everything below /api/v1 is the messaging service's (map contract 14).
func Classify(path string) (Product, Access) {
	if _, rest, ok := CutKey(path); ok {
		path = rest
	}
	switch {
	case path == "/" || path == "/health" || strings.HasPrefix(path, "/v1/"):
		return Meta, Open
	case strings.HasPrefix(path, "/api/"):
		return classifyAPI(path[len("/api/"):])
	case strings.HasPrefix(path, "/tiles/"), strings.HasPrefix(path, "/terrain/"),
		strings.HasPrefix(path, "/fonts/"), strings.HasPrefix(path, "/sprites/"),
		strings.HasPrefix(path, "/styles/"):
		return Tiles, Gated
	case strings.HasPrefix(path, "/photon/"):
		return classifyCompatible(path[len("/photon/"):])
	case strings.HasPrefix(path, "/nominatim/"):
		return classifyCompatible(path[len("/nominatim/"):])
	case strings.HasPrefix(path, "/static/"):
		return Static, Foreign // classified, but served by nobody and not gated
	}
	return Other, Foreign
}

// CutKey takes the key out of a path whose first two segments are "k" and a key: the
// form for programs that can send a key in no other way (map contract 59.1). Only
// the paths of those programs have it; ok is false for any other.
func CutKey(path string) (key, rest string, ok bool) {
	after, found := strings.CutPrefix(path, "/k/")
	if !found {
		return "", path, false
	}
	i := strings.IndexByte(after, '/')
	if i <= 0 || !strings.HasPrefix(after[i:], "/photon/") && !strings.HasPrefix(after[i:], "/nominatim/") {
		return "", path, false
	}
	return after[:i], after[i:], true
}

// classifyCompatible classifies what follows "/photon/" or "/nominatim/" (map contract 59).
func classifyCompatible(rest string) (Product, Access) {
	switch strings.TrimSuffix(strings.TrimSuffix(rest, "/"), ".php") {
	case "api", "search":
		return Search, Gated
	case "reverse", "lookup":
		return Geocoding, Gated
	case "status":
		return Meta, Open
	}
	return Other, Gated
}

// classifyAPI classifies what follows "/api/".
func classifyAPI(rest string) (Product, Access) {
	switch rest {
	case "status":
		return Meta, Open
	case "usage":
		return Meta, Gated
	case "search", "autocomplete", "suggest":
		return Search, Gated
	case "reverse", "lookup", "geocode":
		return Geocoding, Gated
	case "nearby", "categories", "districts", "photo":
		return Places, Gated
	case "route", "trip", "match", "elevation":
		return Routing, Gated
	case "matrix":
		return Matrix, Gated
	case "isochrone":
		return Isochrone, Gated
	case "v1":
		return Other, Foreign
	}
	switch {
	case strings.HasPrefix(rest, "v1/"):
		return Other, Foreign
	case strings.HasPrefix(rest, "place/"), strings.HasPrefix(rest, "geometry/"), strings.HasPrefix(rest, "photo/img/"):
		return Places, Gated
	}
	return Other, Gated
}
