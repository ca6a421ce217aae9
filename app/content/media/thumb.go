package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/sync/semaphore"
)

// ThumbSide is the longer side of a thumbnail in pixels.
const ThumbSide = 320

const (
	thumbQuality = 80
	// memory is what all pictures under way may take when unpacked, in bytes; one
	// that alone takes more has no thumbnail.
	memory = 192 << 20
)

var unpacking = semaphore.NewWeighted(memory)

// Thumbnail makes a small JPEG of a picture, upright and on white. It is nil for
// what has none: a picture that is too large, damaged or of a kind that this
// service cannot draw. It waits while others take the memory; the error is that of
// ctx.
func Thumbnail(ctx context.Context, content []byte) ([]byte, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, nil // it has none
	}
	h := jpegHead{orientation: 1}
	if format == "jpeg" {
		h = readJPEG(content)
	}
	cost := unpacked(config, format, h)
	if config.Width <= 0 || config.Height <= 0 || cost > memory {
		return nil, nil
	}
	if err := unpacking.Acquire(ctx, cost); err != nil {
		return nil, err
	}
	defer unpacking.Release(cost)
	m, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, nil // it has none
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shrink(m, h.orientation), &jpeg.Options{Quality: thumbQuality}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpacked is about how much memory decoding takes.
func unpacked(config image.Config, format string, h jpegHead) int64 {
	pixels := int64(config.Width) * int64(config.Height)
	switch format {
	case "jpeg":
		cost := pixels * h.samples / 16
		if h.progressive {
			cost += 4 * cost // all coefficients, of four bytes each
		}
		return cost
	case "gif":
		return pixels
	}
	return pixels * bytesOf(config.ColorModel)
}

func bytesOf(m color.Model) int64 {
	switch m {
	case color.NRGBA64Model, color.RGBA64Model:
		return 8
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	}
	return 4 // a palette takes 1, and is small
}

// shrink draws a picture with its longer side at most ThumbSide. Each point is the
// mean of a grid of points of the original.
func shrink(m image.Image, o orientation) image.Image {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	if long := max(w, h); long > ThumbSide {
		w, h = max(1, w*ThumbSide/long), max(1, h*ThumbSide/long)
	}
	outW, outH := w, h
	if o.turned() {
		outW, outH = h, w
	}
	at := pointsOf(m)
	out := image.NewRGBA(image.Rect(0, 0, outW, outH))
	for y := range h {
		for x := range w {
			px, py := o.place(x, y, w, h)
			out.SetRGBA(px, py, mean(at, b, x, y, w, h))
		}
	}
	return out
}

// place is where a point of the stored picture stands when it is shown.
func (o orientation) place(x, y, w, h int) (int, int) {
	switch o {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}

// pointsOf reads the points of a picture without an allocation for each.
func pointsOf(m image.Image) func(x, y int) color.RGBA64 {
	if fast, ok := m.(image.RGBA64Image); ok {
		return fast.RGBA64At
	}
	return func(x, y int) color.RGBA64 {
		r, g, b, a := m.At(x, y).RGBA()
		return color.RGBA64{uint16(r), uint16(g), uint16(b), uint16(a)}
	}
}

// mean is the colour of the point x, y of w by h over a picture, on white.
func mean(at func(x, y int) color.RGBA64, b image.Rectangle, x, y, w, h int) color.RGBA {
	const grid = 6
	x0, x1 := b.Min.X+x*b.Dx()/w, b.Min.X+max((x+1)*b.Dx()/w, x*b.Dx()/w+1)
	y0, y1 := b.Min.Y+y*b.Dy()/h, b.Min.Y+max((y+1)*b.Dy()/h, y*b.Dy()/h+1)
	nx, ny := min(grid, x1-x0), min(grid, y1-y0)
	var r, g, bl, n uint32
	for j := range ny {
		for i := range nx {
			p := at(x0+(2*i+1)*(x1-x0)/(2*nx), y0+(2*j+1)*(y1-y0)/(2*ny))
			white := 0xffff - uint32(p.A)
			r, g, bl, n = r+(uint32(p.R)+white)>>8, g+(uint32(p.G)+white)>>8, bl+(uint32(p.B)+white)>>8, n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(bl / n), 0xff}
}
