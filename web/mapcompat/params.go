package mapcompat

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"svc/geo/geom"
	"svc/geo/result"
)

// maxFetched is the longest list of candidates that are filtered afterwards; the
// longest that /api/search gives.
const maxFetched = 50

// params is the query string of a request.
type params struct{ url.Values }

// number reads a finite decimal number; ok is false without one.
func (p params) number(name string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(p.Get(name)), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// limit reads a number of results between 1 and most.
func (p params) limit(otherwise, most int) int {
	n, err := strconv.Atoi(p.Get("limit"))
	if err != nil || n <= 0 {
		return otherwise
	}
	return min(n, most)
}

// flag reads a switch of Nominatim: 1 is on, 0 off.
func (p params) flag(name string, otherwise bool) bool {
	switch p.Get(name) {
	case "":
		return otherwise
	case "0", "false":
		return false
	}
	return true
}

// list reads a comma list without empty items.
func (p params) list(name string) (out []string) {
	for item := range strings.SplitSeq(p.Get(name), ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// point reads lat and lon; missing names the first that is no coordinate.
func (p params) point() (lat, lon float64, missing string) {
	lat, ok := p.number("lat")
	if !ok || math.Abs(lat) > 90 {
		return 0, 0, "lat"
	}
	lon, ok = p.number("lon")
	if !ok || math.Abs(lon) > 180 {
		return 0, 0, "lon"
	}
	return lat, lon, ""
}

// box reads two corners as four numbers, in any order of the corners; nil unless
// they are four.
func (p params) box(name string) *geom.Box {
	parts := p.list(name)
	if len(parts) != 4 {
		return nil
	}
	var v [4]float64
	for i, s := range parts {
		n, err := strconv.ParseFloat(s, 64)
		most := 180.0
		if i%2 == 1 {
			most = 90
		}
		if err != nil || math.IsNaN(n) {
			return nil
		}
		v[i] = max(-most, min(most, n))
	}
	a, b := geom.FromDegrees(v[1], v[0]), geom.FromDegrees(v[3], v[2])
	return &geom.Box{MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y)}
}

// language is the first language of the service that the list names, else
// Uzbek. A list is what Accept-Language holds (RFC 9110, 12.5.4); of equal weights
// the first counts.
func language(list string) string {
	best, weight := result.Languages[0], 0.0
	for item := range strings.SplitSeq(list, ",") {
		tag, rest, _ := strings.Cut(strings.TrimSpace(item), ";")
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(rest), "q="); ok {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue
			}
			q = v
		}
		if lang := known(tag); lang != "" && q > weight {
			best, weight = lang, q
		}
	}
	return best
}

// known is the service's own form of a language tag, or "".
func known(tag string) string {
	if strings.HasPrefix(strings.ToLower(tag), "uz-cyrl") {
		return "uz-Cyrl"
	}
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if slices.Contains(result.Languages, primary) {
		return primary
	}
	return ""
}

// languageOf is the language that a request asks for in a parameter, or else in
// its header.
func languageOf(r *http.Request, p params, name string) string {
	if v := p.Get(name); v != "" {
		return language(v)
	}
	return language(r.Header.Get("Accept-Language"))
}
