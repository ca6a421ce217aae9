package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	_ "golang.org/x/image/webp" // image.Decode knows it
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

// shrink draws a picture upright, on white, with its longer side at most ThumbSide.
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
	out := image.NewRGBA(image.Rect(0, 0, outW, outH))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Transform(out, o.upright(b, float64(w), float64(h)), m, b, draw.Over, nil)
	return out
}

// upright turns and scales the points of a picture in b to one that is w by h before it is
// turned.
func (o orientation) upright(b image.Rectangle, w, h float64) f64.Aff3 {
	sx, sy := w/float64(b.Dx()), h/float64(b.Dy())
	x, y := -float64(b.Min.X)*sx, -float64(b.Min.Y)*sy
	switch o {
	case 2:
		return f64.Aff3{-sx, 0, w - x, 0, sy, y}
	case 3:
		return f64.Aff3{-sx, 0, w - x, 0, -sy, h - y}
	case 4:
		return f64.Aff3{sx, 0, x, 0, -sy, h - y}
	case 5:
		return f64.Aff3{0, sy, y, sx, 0, x}
	case 6:
		return f64.Aff3{0, -sy, h - y, sx, 0, x}
	case 7:
		return f64.Aff3{0, -sy, h - y, -sx, 0, w - x}
	case 8:
		return f64.Aff3{0, sy, y, -sx, 0, w - x}
	}
	return f64.Aff3{sx, 0, x, 0, sy, y}
}
