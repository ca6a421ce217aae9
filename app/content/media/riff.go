package media

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// riff reads WebP, WAV and AVI.
func riff(content []byte) (Info, bool, error) {
	if len(content) < 16 || !bytes.HasPrefix(content, []byte("RIFF")) {
		return Info{}, false, nil
	}
	switch string(content[8:12]) {
	case "WEBP":
		return webp(content[12:]), true, nil
	case "WAVE":
		return wave(content[12:]), true, nil
	case "AVI ":
		return avi(content), true, nil
	}
	return Info{}, false, nil
}

// chunks walks over the chunks of a RIFF file. A body that is cut off is as long as
// the file lets it.
func chunks(b []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		const enough = 10_000
		for range enough {
			if len(b) < 8 {
				return
			}
			size := int64(binary.LittleEndian.Uint32(b[4:]))
			body := b[8:]
			if size < int64(len(body)) {
				body = body[:size]
			}
			if !yield(string(b[:4]), body) {
				return
			}
			next := 8 + size + size%2
			if next >= int64(len(b)) {
				return
			}
			b = b[next:]
		}
	}
}

func webp(b []byte) Info {
	const media = "image/webp"
	for name, c := range chunks(b) {
		switch {
		case name == "VP8X" && len(c) >= 10:
			kind := Photo
			if c[0]&2 != 0 {
				kind = Animation
			}
			return picture(kind, media, int24(c[4:])+1, int24(c[7:])+1)
		case name == "VP8L" && len(c) >= 5:
			n := binary.LittleEndian.Uint32(c[1:])
			return picture(Photo, media, int(n&0x3fff)+1, int(n>>14&0x3fff)+1)
		case name == "VP8 " && len(c) >= 10:
			return picture(Photo, media, int(binary.LittleEndian.Uint16(c[6:])&0x3fff), int(binary.LittleEndian.Uint16(c[8:])&0x3fff))
		}
	}
	return Info{Kind: Document, Type: media}
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

func wave(b []byte) Info {
	info := Info{Kind: Audio, Type: "audio/wav"}
	rate := uint64(0) // bytes a second
	for name, c := range chunks(b) {
		switch {
		case name == "fmt " && len(c) >= 12:
			rate = uint64(binary.LittleEndian.Uint32(c[8:]))
		case name == "data":
			info.Seconds = seconds(uint64(len(c)), rate)
		}
	}
	return info
}

func avi(content []byte) Info {
	info := Info{Kind: Video, Type: "video/x-msvideo"}
	const header = 40
	at := bytes.Index(content[:min(len(content), 4096)], []byte("avih"))
	if at < 0 || len(content) < at+8+header {
		return info
	}
	h := content[at+8:]
	perFrame, frames := uint64(binary.LittleEndian.Uint32(h)), uint64(binary.LittleEndian.Uint32(h[16:]))
	info.Seconds = seconds(perFrame*frames, 1_000_000)
	info.setSize(binary.LittleEndian.Uint32(h[32:]), binary.LittleEndian.Uint32(h[36:]))
	return info
}

// setSize notes the size of a moving picture unless it is absurd.
func (i *Info) setSize(w, h uint32) {
	const most = 1 << 15
	if w > 0 && h > 0 && w < most && h < most {
		i.Width, i.Height = int(w), int(h)
	}
}
