package coast

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"svc/geo/mvt"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// World is the backdrop: land, borders and countries of the whole world, coarse
// (Natural Earth, public domain).
type World struct {
	levels    []level
	countries []country
}

// level is the world for the zooms up to maxZoom.
type level struct {
	maxZoom uint8
	sea     []plane.Ring // what they wind around is sea; see Cell.Rings
	borders []plane.Line
}

type country struct {
	iso   string
	at    plane.Point
	area  float64 // square metres on the ground
	names []mvt.Tag
}

// Bounds of the file of the world. It is made when the binary is built and some
// ten times smaller.
const (
	worldVersion   = 1
	maxWorldBytes  = 32 << 20
	maxWorldLevels = 8
	maxWorldPoints = 1 << 20
	maxWorldShapes = 20_000
	maxCountries   = 1000
	maxWorldNames  = 400
	maxWorldName   = 200
	worldUnit      = 1e-4 // degrees
)

// ReadWorld reads the backdrop. Without data it is nil, which every method
// takes for an empty world: the binary was built without it.
//
// The data is compressed JSON: version; levels of maxzoom, land (rings, even-odd)
// and borders (lines), ascending; countries of iso, lon, lat, area in square
// kilometres and names by language. Coordinates are flat lists of longitude and
// latitude in ten-thousandths of a degree.
func ReadWorld(data []byte) (*World, error) {
	if len(data) == 0 {
		return nil, nil
	}
	w, err := readWorld(data)
	if err != nil {
		return nil, fmt.Errorf("the map of the world inside this binary cannot be read (%w): build the binary again", err)
	}
	return w, nil
}

// The file as it is written.
type (
	worldFile struct {
		Version   int           `json:"version"`
		Levels    []levelFile   `json:"levels"`
		Countries []countryFile `json:"countries"`
	}
	levelFile struct {
		MaxZoom uint8     `json:"maxzoom"`
		Land    [][]int32 `json:"land"`
		Borders [][]int32 `json:"borders"`
	}
	countryFile struct {
		ISO   string            `json:"iso"`
		Lon   int32             `json:"lon"`
		Lat   int32             `json:"lat"`
		Area  float64           `json:"area"`
		Names map[string]string `json:"names"`
	}
)

func readWorld(data []byte) (*World, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxWorldBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxWorldBytes {
		return nil, fmt.Errorf("it is larger than %d bytes", maxWorldBytes)
	}
	var f worldFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	w := &World{}
	for _, l := range f.Levels {
		w.levels = append(w.levels, l.level())
	}
	for _, c := range f.Countries {
		w.countries = append(w.countries, c.country())
	}
	return w, nil
}

func (f *worldFile) check() error {
	switch {
	case f.Version != worldVersion:
		return fmt.Errorf("its version is %d, not %d", f.Version, worldVersion)
	case len(f.Levels) == 0 || len(f.Levels) > maxWorldLevels:
		return fmt.Errorf("it has %d levels", len(f.Levels))
	case len(f.Countries) > maxCountries:
		return fmt.Errorf("it has %d countries", len(f.Countries))
	}
	points, shapes := 0, 0
	for i, l := range f.Levels {
		if i > 0 && l.MaxZoom <= f.Levels[i-1].MaxZoom || l.MaxZoom > shortbread.MaxZoom {
			return errors.New("its levels are not in order")
		}
		n, err := l.check()
		if err != nil {
			return err
		}
		points += n
		shapes += len(l.Land) + len(l.Borders)
		if points > maxWorldPoints || shapes > maxWorldShapes {
			return errors.New("it has too many points")
		}
	}
	for _, c := range f.Countries {
		if err := c.check(); err != nil {
			return err
		}
	}
	return nil
}

func (l *levelFile) check() (points int, err error) {
	for _, shapes := range [][][]int32{l.Land, l.Borders} {
		for _, s := range shapes {
			if len(s)%2 != 0 {
				return 0, errors.New("a list of coordinates is cut short")
			}
			for i := 0; i < len(s); i += 2 {
				if !onEarth(s[i], s[i+1]) {
					return 0, errors.New("a point is not on earth")
				}
			}
			points += len(s) / 2
		}
	}
	return points, nil
}

func onEarth(lon, lat int32) bool {
	return lon >= -180_0000 && lon <= 180_0000 && lat >= -90_0000 && lat <= 90_0000
}

func (c *countryFile) check() error {
	switch {
	case len(c.ISO) != 2 || strings.Trim(c.ISO, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		return errors.New("a country has no code")
	case !onEarth(c.Lon, c.Lat):
		return errors.New("a country is not on earth")
	case !(c.Area >= 0 && c.Area < 1e9):
		return errors.New("a country has no area")
	case len(c.Names) == 0 || len(c.Names) > maxWorldNames:
		return errors.New("a country has no names")
	}
	for lang, name := range c.Names {
		if lang != "name" && shortbread.NameAttribute("name:"+lang) == "" ||
			name == "" || len(name) > maxWorldName || !utf8.ValidString(name) {
			return errors.New("a country has a name that is none")
		}
	}
	return nil
}

func (c *countryFile) country() country {
	out := country{iso: c.ISO, at: project(c.Lon, c.Lat), area: c.Area * 1e6}
	langs := make([]string, 0, len(c.Names))
	for lang := range c.Names {
		langs = append(langs, lang)
	}
	slices.Sort(langs)
	for _, lang := range langs {
		key := lang
		if lang != "name" {
			key = shortbread.NameAttribute("name:" + lang)
		}
		out.names = append(out.names, mvt.Tag{Key: key, Value: mvt.String(c.Names[lang])})
	}
	return out
}

func project(lon, lat int32) plane.Point {
	x, y := tile.Project(float64(lon)*worldUnit, float64(lat)*worldUnit)
	return plane.Point{X: x, Y: y}
}

func projectAll(flat []int32) []plane.Point {
	out := make([]plane.Point, 0, len(flat)/2)
	for i := 0; i < len(flat); i += 2 {
		if p := project(flat[i], flat[i+1]); len(out) == 0 || out[len(out)-1] != p {
			out = append(out, p)
		}
	}
	return out
}

func (l *levelFile) level() level {
	out := level{maxZoom: l.MaxZoom}
	var land []plane.Ring
	for _, flat := range l.Land {
		land = appendRing(land, unrepeated(projectAll(flat)))
	}
	out.sea = append(seaward(land), square(worldBox))
	for _, flat := range l.Borders {
		if b := plane.Line(projectAll(flat)); len(b) > 1 {
			out.borders = append(out.borders, b)
		}
	}
	return out
}

var worldBox = tile.ID{}.Box()

// seaward directs rings of land, given even-odd, so that winding tells: those
// around land are negative, those around a sea inside land positive.
func seaward(land []plane.Ring) []plane.Ring {
	boxes := make([]plane.Box, len(land))
	for i, r := range land {
		boxes[i] = plane.BoxOf(r)
	}
	for i, r := range land {
		inside := false
		for j, o := range land {
			if i != j && boxes[i].Within(boxes[j]) && boxes[i] != boxes[j] && surrounds(o, r) {
				inside = !inside
			}
		}
		if (r.Area2() > 0) != inside {
			slices.Reverse(r)
		}
	}
	return land
}

// surrounds says whether ring r, which does not cross ring o, lies inside it:
// whether one of its points that is not on o does.
func surrounds(o, r plane.Ring) bool {
	for _, p := range r {
		if in, on := contains(o, p); !on {
			return in
		}
	}
	return false
}

// contains says whether a point lies inside a ring, and whether it lies on it.
func contains(r plane.Ring, p plane.Point) (in, on bool) {
	for i, a := range r {
		b := r[(i+1)%len(r)]
		side := int64(b.X-a.X)*int64(p.Y-a.Y) - int64(b.Y-a.Y)*int64(p.X-a.X)
		if side == 0 && min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y) {
			return false, true
		}
		if (a.Y > p.Y) != (b.Y > p.Y) && (side > 0) == (b.Y > a.Y) {
			in = !in
		}
	}
	return in, false
}
