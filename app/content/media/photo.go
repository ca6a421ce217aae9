package media

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif" // image.DecodeConfig knows it
	_ "image/jpeg"
	_ "image/png"
	"strings"
)

// What messengers take as a photo: width and height together, and how much longer
// one may be than the other. A larger picture is a document.
const (
	maxSides = 10_000
	maxRatio = 20
)

// photo reads JPEG, PNG and GIF. A picture that cannot be read is a document of
// its type: whoever opens it may know better.
func photo(content []byte) (Info, bool, error) {
	kind := Photo
	var media string
	switch {
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		media = "image/jpeg"
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		media = "image/png"
	case strings.HasPrefix(head(content, 6), "GIF87a"), strings.HasPrefix(head(content, 6), "GIF89a"):
		kind, media = Animation, "image/gif"
	default:
		return Info{}, false, nil
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return Info{Kind: Document, Type: media}, true, nil //nolint:nilerr // see above
	}
	w, h := config.Width, config.Height
	if media == "image/jpeg" && readJPEG(content).orientation.turned() {
		w, h = h, w
	}
	return picture(kind, media, w, h), true, nil
}

// picture is a photo when messengers take it as one.
func picture(kind Kind, media string, w, h int) Info {
	if w <= 0 || h <= 0 {
		return Info{Kind: Document, Type: media}
	}
	if kind == Photo && (w+h > maxSides || w > maxRatio*h || h > maxRatio*w) {
		kind = Document
	}
	return Info{Kind: kind, Type: media, Width: w, Height: h}
}

// orientation is how a camera was held, from 1 (upright) to 8, as EXIF counts.
type orientation int

// turned says whether width and height change places when it is shown.
func (o orientation) turned() bool { return o >= 5 && o <= 8 }

// jpegHead is what the segments of a JPEG say before its picture begins.
type jpegHead struct {
	orientation orientation
	progressive bool
	// samples are the values of all components for each pixel, times 16.
	samples int64
}

// readJPEG walks over the segments of a JPEG.
func readJPEG(content []byte) jpegHead {
	h := jpegHead{orientation: 1, samples: 3 * 16}
	const enough = 1000 // segments
	at := 2
	for range enough {
		for at < len(content) && content[at] == 0xff {
			at++ // fill bytes, and the one that begins a marker
		}
		if at+3 > len(content) {
			return h
		}
		marker, size := content[at], int(binary.BigEndian.Uint16(content[at+1:]))
		if marker == 0xda || size < 2 || at+1+size > len(content) {
			return h
		}
		body := content[at+3 : at+1+size]
		switch {
		case marker == 0xe1:
			if o := exifOrientation(body); o != 0 {
				h.orientation = o
			}
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			h.progressive = marker != 0xc0 && marker != 0xc1
			h.samples = frameSamples(body)
		}
		at += 1 + size
	}
	return h
}

func frameSamples(frame []byte) int64 {
	const components = 6 // offset of the components in the segment
	sum, most := int64(0), int64(1)
	for i := components; i+2 < len(frame) && i < components+4*3; i += 3 {
		n := int64(frame[i+1]>>4) * int64(frame[i+1]&15)
		sum, most = sum+n, max(most, n)
	}
	return sum * 16 / most
}

// exifOrientation reads tag 0x0112 of the first directory; 0 when there is none.
func exifOrientation(segment []byte) orientation {
	tiff, is := bytes.CutPrefix(segment, []byte("Exif\x00\x00"))
	if !is || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > int64(len(tiff)) {
		return 0
	}
	n := int(order.Uint16(tiff[at:]))
	for i := range n {
		entry := at + 2 + int64(i)*12
		if entry+12 > int64(len(tiff)) {
			return 0
		}
		if e := tiff[entry:]; order.Uint16(e) == 0x0112 {
			if o := orientation(order.Uint16(e[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 0
		}
	}
	return 0
}
