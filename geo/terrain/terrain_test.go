package terrain

import (
	"bytes"
	"compress/gzip"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"svc/geo/tile"
	"svc/geo/tileset"
)

// slope is an archive of zoom 1 whose heights rise by a metre a pixel to the east, from
// 0 at the western edge of the world; the north-eastern tile is missing.
type slope struct {
	asked int
	fail  error
	gzip  bool
}

func (s *slope) Info() *tile.Info { return &tile.Info{MaxZoom: 1} }

const side = 64

func (s *slope) Tile(id tile.ID) (tileset.Tile, bool, error) {
	s.asked++
	if s.fail != nil || id.X == 1 && id.Y == 0 {
		return tileset.Tile{}, false, s.fail
	}
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			m.Set(x, y, terrarium(float64(int(id.X)*side+x)))
		}
	}
	if id.X == 0 && id.Y == 1 {
		m.Set(10, 10, terrarium(void))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return tileset.Tile{}, false, err
	}
	if s.gzip {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(b.Bytes())
		_ = z.Close()
		return tileset.Tile{Data: packed.Bytes(), Gzip: true}, true, nil
	}
	return tileset.Tile{Data: b.Bytes()}, true, nil
}

func terrarium(h float64) color.NRGBA {
	v := h + 32768
	return color.NRGBA{R: uint8(int(v) / 256), G: uint8(int(v) % 256), B: uint8((v - math.Floor(v)) * 256), A: 255}
}

func TestHeights(t *testing.T) {
	for _, zipped := range []bool{false, true} {
		src := &slope{gzip: zipped}
		s := New(src)
		for _, tt := range []struct {
			lat, lon float64
			want     float64 // NaN: none
		}{
			{40, -180 + 360*10.5/(2*side), 10}, // the middle of a pixel
			{40, -180 + 360*11.0/(2*side), 10.5},
			{40, -180 + 360*20.75/(2*side), 20.25},
			{40, -180, 0}, // beyond the middle of the first pixel
			{-40, 180, 127},
			{-40, 90, 95.5},
			{40, 90, math.NaN()},      // no tile
			{89, 0, math.NaN()},       // no map
			{-40, -180.5, math.NaN()}, // nowhere
			{85.05, -100, 27.9444},    // the first row
		} {
			h, ok, err := s.At(tt.lat, tt.lon)
			if err != nil || ok != !math.IsNaN(tt.want) || ok && math.Abs(h-tt.want) > 0.01 {
				t.Errorf("%v,%v: %v %v %v, want %v", tt.lat, tt.lon, h, ok, err, tt.want)
			}
		}
		if src.asked != 3 { // with the one that is not there
			t.Errorf("%d tiles were read", src.asked)
		}
	}
}

// TestVoid: pixels that know nothing do not pull the others down.
func TestVoid(t *testing.T) {
	s := New(&slope{})
	// Around pixel 10,10 of the south-western tile.
	y := (1 + 10.9/side) / 2
	lat := math.Atan(math.Sinh(math.Pi*(1-2*y))) * 180 / math.Pi
	h, ok, err := s.At(lat, -180+360*10.9/(2*side))
	if err != nil || !ok || math.Abs(h-10.4) > 0.7 {
		t.Errorf("%v %v %v", h, ok, err)
	}
}

func TestFaults(t *testing.T) {
	broken := errors.New("broken")
	if _, _, err := New(&slope{fail: broken}).At(40, 10); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	for name, data := range map[string][]byte{"nothing": nil, "rubbish": []byte("no image at all"), "cut": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")} {
		if _, err := decode(tileset.Tile{Data: data}); err == nil {
			t.Errorf("%s is an image", name)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 2, 3))); err != nil {
		t.Fatal(err)
	}
	if _, err := decode(tileset.Tile{Data: b.Bytes()}); err == nil {
		t.Error("2 × 3 is a tile")
	}
}

// TestMemoryIsBounded: a line around the world holds a few images.
func TestMemoryIsBounded(t *testing.T) {
	s := New(&slope{})
	for i := range 100 {
		s.kept[tile.ID{Z: 9, X: uint32(i)}] = nil
		s.order = append(s.order, tile.ID{Z: 9, X: uint32(i)})
		if len(s.order) == maxKept {
			break
		}
	}
	for lon := -179.0; lon < 180; lon += 10 {
		if _, _, err := s.At(-10, lon); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.kept) > maxKept || len(s.order) > maxKept {
		t.Errorf("%d images are held", len(s.kept))
	}
}
