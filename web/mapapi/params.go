package mapapi

import (
	"iter"
	"math"
	"net/url"
	"strconv"
	"strings"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// params reads a query string leniently: what does not parse is absent.
type params struct{ url.Values }

// number reads a finite decimal number.
func (p params) number(name string) (float64, bool) { return parseNumber(p.Get(name)) }

// parseNumber reads what people write as a number: hexadecimal ones and digits set
// apart by underscores are forms of Go and not theirs.
func parseNumber(s string) (float64, bool) {
	if strings.ContainsAny(s, "_xX") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// integer reads a whole number; 7.9 is none.
func (p params) integer(name string, otherwise int) int {
	n, err := strconv.Atoi(p.Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

// point reads lat and lon. ok is false when either is missing, unparseable,
// out of range or zero.
func (p params) point() (lat, lon float64, ok bool) {
	lat, lon = p.coordinate("lat", 90), p.coordinate("lon", 180)
	return lat, lon, lat != 0 && lon != 0
}

// coordinate is 0 for what is no coordinate.
func (p params) coordinate(name string, most float64) float64 {
	v, ok := p.number(name)
	if !ok || math.Abs(v) > most {
		return 0
	}
	return v
}

func (p params) lang() string { return result.Language(p.Get("lang")) }

// noKind is a set that no kind is in.
const noKind search.KindSet = 1 << 7

// kinds reads a comma list; unknown kinds are in no entry. 0 when absent.
func (p params) kinds() search.KindSet { return kindsIn(strings.SplitSeq(p.Get("kinds"), ",")) }

func kindsIn(names iter.Seq[string]) search.KindSet {
	var set search.KindSet
	for name := range names {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		set |= noKind
		if k, ok := index.ParseKind(name); ok {
			set = set.With(k)
		}
	}
	return set
}

// box reads minlon,minlat,maxlon,maxlat; nil unless it is exactly four numbers.
func (p params) box() *geom.Box {
	parts := strings.Split(p.Get("bbox"), ",")
	if len(parts) != 4 {
		return nil
	}
	var v [4]float64
	for i, s := range parts {
		n, ok := parseNumber(strings.TrimSpace(s))
		if !ok {
			return nil
		}
		most := 180.0
		if i%2 == 1 {
			most = 90
		}
		v[i] = math.Max(-most, math.Min(most, n))
	}
	sw, ne := geom.FromDegrees(v[1], v[0]), geom.FromDegrees(v[3], v[2])
	return &geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}
}
