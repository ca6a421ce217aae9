// Package terrain reads heights out of an archive of elevation images.
//
// It promises metres above the sea between the four pixels around a point, and
// bounded memory however long a line is. It refuses to make up what the archive
// does not have: such a point has no height.
package terrain

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"image"
	_ "image/png" // one of the two formats of the archives
	"io"
	"math"

	_ "golang.org/x/image/webp" // the other

	"svc/geo/tile"
	"svc/geo/tileset"
)

// Source is where the images are; *tileset.Set is one.
type Source interface {
	Tile(id tile.ID) (tileset.Tile, bool, error)
	Info() *tile.Info
}

const (
	// maxKept is how many images a sampler holds: a line that comes back finds them.
	maxKept = 16
	// maxSide bounds an image, in pixels: what is larger is no elevation tile.
	maxSide = 1024
	// maxImage bounds the bytes of an image after gzip.
	maxImage = 4 << 20
	// void is what archives put where they know nothing: the lowest value.
	void = -32768
)

// Sampler reads heights of one archive while that is open. Not for concurrent use.
type Sampler struct {
	source Source
	zoom   uint8
	kept   map[tile.ID]image.Image // nil for a tile that is not there
	order  []tile.ID
}

// New makes one over the finest zoom of the archive.
func New(s Source) *Sampler {
	return &Sampler{source: s, zoom: s.Info().MaxZoom, kept: map[tile.ID]image.Image{}}
}

// At is the height of a point in degrees; ok is false where the archive has none. An
// error is an archive that cannot be read.
func (s *Sampler) At(lat, lon float64) (metres float64, ok bool, err error) {
	if math.Abs(lat) > tile.MaxLatitude || math.Abs(lon) > 180 {
		return 0, false, nil
	}
	scale := math.Exp2(float64(s.zoom))
	x := (lon + 180) / 360 * scale
	sin := math.Sin(lat * math.Pi / 180)
	y := (0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)) * scale
	limit := scale - 1
	column, row := math.Min(math.Floor(x), limit), math.Min(math.Max(math.Floor(y), 0), limit)
	m, err := s.tile(tile.ID{Z: s.zoom, X: uint32(column), Y: uint32(row)})
	if err != nil || m == nil {
		return 0, false, err
	}
	side := m.Bounds().Dx()
	px, py := (x-column)*float64(side)-0.5, (y-row)*float64(side)-0.5
	x0, y0 := math.Floor(px), math.Floor(py)
	sum, weight := 0.0, 0.0
	for _, c := range [4][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		w := (1 - math.Abs(px-x0-c[0])) * (1 - math.Abs(py-y0-c[1]))
		if h := height(m, x0+c[0], y0+c[1]); h > void {
			sum, weight = sum+w*h, weight+w
		}
	}
	if weight < 1e-9 {
		return 0, false, nil
	}
	return sum / weight, true, nil
}

// height is that of one pixel; one beyond the edge is the one at the edge.
func height(m image.Image, x, y float64) float64 {
	b := m.Bounds()
	px, py := b.Min.X+min(max(int(x), 0), b.Dx()-1), b.Min.Y+min(max(int(y), 0), b.Dy()-1)
	r, g, bl, _ := m.At(px, py).RGBA() // 16 bits each
	return float64(r>>8)*256 + float64(g>>8) + float64(bl>>8)/256 - 32768
}

func (s *Sampler) tile(id tile.ID) (image.Image, error) {
	if m, ok := s.kept[id]; ok {
		return m, nil
	}
	t, ok, err := s.source.Tile(id)
	if err != nil {
		return nil, fmt.Errorf("elevation tile %v: %w", id, err)
	}
	var m image.Image
	if ok {
		if m, err = decode(t); err != nil {
			return nil, fmt.Errorf("elevation tile %v: %w", id, err)
		}
	}
	if len(s.order) == maxKept {
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	s.kept[id], s.order = m, append(s.order, id)
	return m, nil
}

func decode(t tileset.Tile) (image.Image, error) {
	data := t.Data
	if t.Gzip {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(io.LimitReader(z, maxImage)); err != nil {
			return nil, err
		}
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if c.Width != c.Height || c.Width == 0 || c.Width > maxSide {
		return nil, fmt.Errorf("the image is %d × %d", c.Width, c.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	return m, err
}
