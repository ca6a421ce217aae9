package answer

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"net/http"
)

// Bounds of a drawn picture, in pixels.
const (
	pictureSide = 320
	discs       = 5
)

// Pictures begins the names of files of drawn pictures.
const Pictures = "picture-"

// PictureURL is where the picture of a post or an account is.
func PictureURL(r *http.Request, id string) string {
	return "http://" + r.Host + "/files/" + Pictures + id
}

// Picture answers a picture that is drawn from a name: the same name is the same picture, and
// different names look different.
func Picture(w http.ResponseWriter, name string) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // it never fails
	var out bytes.Buffer
	if err := png.Encode(&out, draw(h.Sum64())); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(out.Bytes()) // a client that left is nobody's error
}

// grounds are the darkest shades that a picture begins with: red, green, blue.
var grounds = [...][3]int{{150, 50, 40}, {170, 100, 20}, {60, 110, 50}, {20, 110, 120}, {40, 80, 160}, {100, 60, 150}, {160, 50, 110}, {110, 90, 70}}

// draw draws discs over a ground that grows lighter towards the bottom.
func draw(seed uint64) image.Image {
	next := func(n int) int { // a linear congruential generator, MMIX
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed>>33) % n
	}
	// one colour in two hundred and one shades: ground and discs of a picture belong together
	base := grounds[next(len(grounds))]
	var shades color.Palette
	for i := range 201 {
		shade := func(c int) uint8 { return uint8(min(c+i/2, 255)) }
		shades = append(shades, color.RGBA{shade(base[0]), shade(base[1]), shade(base[2]), 255})
	}
	img := image.NewPaletted(image.Rect(0, 0, pictureSide, pictureSide), shades)
	for y := range pictureSide {
		for x := range pictureSide {
			img.SetColorIndex(x, y, uint8(100*y/pictureSide))
		}
	}
	for i := range discs {
		x, y, r := next(pictureSide), next(pictureSide), 20+next(pictureSide/4)
		for v := max(y-r, 0); v < min(y+r, pictureSide); v++ {
			for u := max(x-r, 0); u < min(x+r, pictureSide); u++ {
				if (u-x)*(u-x)+(v-y)*(v-y) < r*r {
					img.SetColorIndex(u, v, uint8(100+20*i))
				}
			}
		}
	}
	return img
}
