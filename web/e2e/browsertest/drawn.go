package browsertest

import (
	"bytes"
	"context"
	"hash/maphash"
	"image"
	"image/color"
	"image/png"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var seed = maphash.MakeSeed()

// look is how many different colours the middle of the window shows, and a sum
// of them: a map has hundreds, a blank one a handful. The edges do not count:
// icons in lists and buttons are colourful without any map.
func (p *Page) look() (colours int, sum uint64) {
	p.tb.Helper()
	img := p.picture()
	seen := map[color.Color]bool{}
	var h maphash.Hash
	h.SetSeed(seed)
	middle := middle(img.Bounds())
	for y := middle.Min.Y; y < middle.Max.Y; y += 3 {
		for x := middle.Min.X; x < middle.Max.X; x += 3 {
			c := img.At(x, y)
			seen[c] = true
			r, g, b, _ := c.RGBA()
			_, _ = h.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)})
		}
	}
	return len(seen), h.Sum64()
}

// middle leaves out a column at the left, the row at the top and what lies at
// the bottom.
func middle(r image.Rectangle) image.Rectangle {
	w, h := r.Dx(), r.Dy()
	return image.Rect(r.Min.X+w*35/100, r.Min.Y+h*20/100, r.Min.X+w*90/100, r.Min.Y+h*75/100)
}

// WaitDrawn waits until the middle of the window shows at least so many
// colours, which is a map, and does not change any more.
func (p *Page) WaitDrawn(colours int) {
	p.tb.Helper()
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	end := time.After(patience)
	var n int
	var before, sum uint64
	for {
		before = sum
		if n, sum = p.look(); n >= colours && sum == before {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			p.Shot("failed-" + p.tb.Name())
			p.tb.Fatalf("the map is not drawn: %d colours, want %d; problems: %q", n, colours, p.Problems())
		}
	}
}

// picture is what the window shows. It is asked for often while a map is drawn: how
// small the picture is does not matter, how soon it is there does.
func (p *Page) picture() image.Image {
	p.tb.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	r, err := chromedp.Call(ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{OptimizeForSpeed: new(true)})
	p.check("take a picture", err)
	img, err := png.Decode(bytes.NewReader(r.Data))
	p.check("read a picture", err)
	return img
}

// Count is how many pixels of the window are of a colour that is meant.
func (p *Page) Count(meant func(r, g, b uint8) bool) (n int) {
	p.tb.Helper()
	img := p.picture()
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); meant(uint8(r>>8), uint8(g>>8), uint8(b>>8)) {
				n++
			}
		}
	}
	return n
}
