package media

import (
	"encoding/binary"
	"iter"
	"strings"
)

// boxes reads the family of MP4: videos, sounds and pictures of telephones.
func boxes(content []byte) (Info, bool, error) {
	if len(content) < 12 || string(content[4:8]) != "ftyp" {
		return Info{}, false, nil
	}
	brand := string(content[8:12])
	switch {
	case strings.HasPrefix(brand, "hei"), strings.HasPrefix(brand, "hev"), brand == "mif1", brand == "msf1":
		return Info{Kind: Document, Type: "image/heic"}, true, nil
	case strings.HasPrefix(brand, "avi"):
		return Info{Kind: Document, Type: "image/avif"}, true, nil
	}
	m := movie{budget: 10_000}
	m.read(content, 0)
	info := Info{Kind: Video, Type: "video/mp4", Seconds: seconds(m.duration, m.scale)}
	info.setSize(m.width, m.height)
	switch {
	case brand == "qt  ":
		info.Type = "video/quicktime"
	case strings.HasPrefix(brand, "3g"):
		info.Type = "video/3gpp"
	}
	if strings.HasPrefix(brand, "M4A") || strings.HasPrefix(brand, "M4B") || m.sound && !m.picture {
		info.Kind, info.Type, info.Width, info.Height = Audio, "audio/mp4", 0, 0
	}
	return info, true, nil
}

// movie is what the boxes of a file say.
type movie struct {
	budget          int // how many boxes may still be looked at
	duration, scale uint64
	width, height   uint32
	picture, sound  bool
}

// read looks at boxes and those inside them.
func (m *movie) read(b []byte, depth int) {
	const deepest = 4
	for name, body := range parts(b) {
		if m.budget--; m.budget < 0 {
			return
		}
		switch name {
		case "moov", "trak", "mdia":
			if depth < deepest {
				m.read(body, depth+1)
			}
		case "mvhd":
			m.header(body)
		case "tkhd":
			m.track(body)
		case "hdlr":
			if len(body) >= 12 {
				m.picture = m.picture || string(body[8:12]) == "vide"
				m.sound = m.sound || string(body[8:12]) == "soun"
			}
		}
	}
}

func parts(b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for len(b) >= 8 {
			size, from := uint64(binary.BigEndian.Uint32(b)), uint64(8)
			switch {
			case size == 1 && len(b) >= 16:
				size, from = binary.BigEndian.Uint64(b[8:]), 16
			case size == 0:
				size = uint64(len(b)) // to the end
			}
			if size < from {
				return
			}
			end := min(size, uint64(len(b)))
			if !yield(string(b[4:8]), b[min(from, end):end]) {
				return
			}
			b = b[end:]
		}
	}
}

// header reads the scale and duration of the whole movie.
func (m *movie) header(b []byte) {
	switch {
	case len(b) >= 32 && b[0] == 1:
		m.scale, m.duration = uint64(binary.BigEndian.Uint32(b[20:])), binary.BigEndian.Uint64(b[24:])
	case len(b) >= 20 && b[0] == 0:
		m.scale, m.duration = uint64(binary.BigEndian.Uint32(b[12:])), uint64(binary.BigEndian.Uint32(b[16:]))
	}
	if m.duration == 1<<32-1 || m.duration == 1<<64-1 {
		m.duration = 0 // unknown
	}
}

// track reads the size of a picture, the largest of all tracks. A quarter turn of
// its matrix puts height in the place of width.
func (m *movie) track(b []byte) {
	matrix := 40
	if len(b) > 0 && b[0] == 1 {
		matrix = 52
	}
	if len(b) < matrix+44 {
		return
	}
	w, h := binary.BigEndian.Uint32(b[matrix+36:])>>16, binary.BigEndian.Uint32(b[matrix+40:])>>16
	if binary.BigEndian.Uint32(b[matrix:]) == 0 && binary.BigEndian.Uint32(b[matrix+4:]) != 0 {
		w, h = h, w
	}
	if uint64(w)*uint64(h) > uint64(m.width)*uint64(m.height) {
		m.width, m.height = w, h
	}
}
