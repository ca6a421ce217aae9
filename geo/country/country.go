// Package country tells in which country a point lies, from outlines that the
// program carries.
//
// It promises an answer for any point of the Earth without a map, right to a few
// kilometres from a border: an index whose areas have the country's own boundary
// knows better. It refuses to guess at sea: further than Shore from every
// outline there is no country.
//
// The outlines are those of Natural Earth (public domain), simplified by
// embed/assets/scripts/countries.mjs; it decides nothing about whose a region is
// beyond what that source says.
package country

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"math"
	"strings"
	"sync"
)

//go:embed countries.json.gz
var packed []byte

// Country is one country or territory with a code of ISO 3166-1.
type Country struct {
	Code  string            // two capital letters
	Names map[string]string // by language: en, ru, uz, uz-Cyrl

	parts []part
}

// Name is the name in lang, or else in English.
func (c *Country) Name(lang string) string {
	if n := c.Names[lang]; n != "" {
		return n
	}
	return c.Names["en"]
}

// part is one ring: an island, a mainland, or a hole in one. A point lies in a
// country when it lies in an odd number of its parts.
type part struct {
	minX, minY, maxX, maxY float64
	ring                   []point
}

// point is in degrees, x east and y north.
type point struct{ x, y float64 }

// Shore is how far from an outline a point still belongs to it, in degrees of
// latitude (about 10 km): piers and beaches lie outside a simplified coast.
const Shore = 0.09

// unit is what the stored numbers are of a degree.
const unit = 0.01

var load = sync.OnceValue(func() []Country {
	var rows []struct {
		ISO   string
		Names map[string]string
		Rings [][]int
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(z).Decode(&rows)
	}
	if err != nil {
		panic("country: the outlines that the program carries are damaged: " + err.Error())
	}
	out := make([]Country, 0, len(rows))
	for _, r := range rows {
		c := Country{Code: r.ISO, Names: r.Names}
		for _, ring := range r.Rings {
			c.parts = append(c.parts, unpack(ring))
		}
		out = append(out, c)
	}
	return out
})

func unpack(steps []int) part {
	p := part{minX: math.Inf(1), minY: math.Inf(1), maxX: math.Inf(-1), maxY: math.Inf(-1)}
	x, y := 0, 0
	for i := 0; i+1 < len(steps); i += 2 {
		x, y = x+steps[i], y+steps[i+1]
		at := point{float64(x) * unit, float64(y) * unit}
		p.ring = append(p.ring, at)
		p.minX, p.maxX = min(p.minX, at.x), max(p.maxX, at.x)
		p.minY, p.maxY = min(p.minY, at.y), max(p.maxY, at.y)
	}
	return p
}

// ByCode finds a country by its two letters in any letter case; nil when there is none.
func ByCode(code string) *Country {
	for i, c := range load() {
		if strings.EqualFold(c.Code, code) {
			return &load()[i]
		}
	}
	return nil
}

// At is the country at a point in degrees; nil at sea.
func At(lat, lon float64) *Country {
	p := point{lon, lat}
	all := load()
	for i := range all {
		if all[i].contains(p) {
			return &all[i]
		}
	}
	var nearest *Country
	best := Shore
	for i := range all {
		for j := range all[i].parts {
			r := &all[i].parts[j]
			if !r.near(p, best) {
				continue
			}
			if d := r.distance(p); d < best {
				nearest, best = &all[i], d
			}
		}
	}
	return nearest
}

func (c *Country) contains(p point) bool {
	inside := false
	for i := range c.parts {
		if r := &c.parts[i]; r.near(p, 0) && r.contains(p) {
			inside = !inside
		}
	}
	return inside
}

// near reports whether p is within d of the box of the ring.
func (r *part) near(p point, d float64) bool {
	wide := d / math.Max(0.01, math.Cos(p.y*math.Pi/180))
	return p.x >= r.minX-wide && p.x <= r.maxX+wide && p.y >= r.minY-d && p.y <= r.maxY+d
}

// contains counts the edges that a ray to the east crosses.
func (r *part) contains(p point) bool {
	in := false
	for i, a := range r.ring {
		b := r.ring[(i+1)%len(r.ring)]
		if (a.y > p.y) != (b.y > p.y) && p.x < a.x+(p.y-a.y)/(b.y-a.y)*(b.x-a.x) {
			in = !in
		}
	}
	return in
}

// distance to the ring, in degrees of latitude.
func (r *part) distance(p point) float64 {
	best := math.Inf(1)
	scale := math.Cos(p.y * math.Pi / 180)
	for i, a := range r.ring {
		b := r.ring[(i+1)%len(r.ring)]
		ax, ay, bx, by := (a.x-p.x)*scale, a.y-p.y, (b.x-p.x)*scale, b.y-p.y
		dx, dy := bx-ax, by-ay
		t := 0.0
		if n := dx*dx + dy*dy; n > 0 {
			t = math.Max(0, math.Min(1, -(ax*dx+ay*dy)/n))
		}
		best = min(best, math.Hypot(ax+t*dx, ay+t*dy))
	}
	return best
}
