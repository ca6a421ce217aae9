package media_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

func encoded(t testing.TB, format string, w, h int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), 0, 255})
		}
	}
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, m)
	case "gif":
		err = gif.Encode(&b, m, nil)
	default:
		err = jpeg.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// oriented puts an EXIF segment into a JPEG.
func oriented(jpg []byte, o uint16, order binary.AppendByteOrder, mark string) []byte {
	tiff := []byte(mark)
	tiff = order.AppendUint16(tiff, 42)
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 1)
	tiff = order.AppendUint16(tiff, 0x0112)
	tiff = order.AppendUint16(tiff, 3)
	tiff = order.AppendUint32(tiff, 1)
	tiff = order.AppendUint16(tiff, o)
	tiff = append(tiff, 0, 0, 0, 0, 0, 0)
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{}, jpg[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(segment)+2))
	return append(append(out, segment...), jpg[2:]...)
}

func box(name string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+8)), name...), body...)
}

// movie is an MP4 with one track.
func movie(brand, handler string, w, h, scale, duration uint32, turned bool) []byte {
	mvhd := make([]byte, 100)
	binary.BigEndian.PutUint32(mvhd[12:], scale)
	binary.BigEndian.PutUint32(mvhd[16:], duration)
	tkhd := make([]byte, 84)
	binary.BigEndian.PutUint32(tkhd[40:], 0x10000)
	if turned {
		binary.BigEndian.PutUint32(tkhd[40:], 0)
		binary.BigEndian.PutUint32(tkhd[44:], 0x10000)
	}
	binary.BigEndian.PutUint32(tkhd[76:], w<<16)
	binary.BigEndian.PutUint32(tkhd[80:], h<<16)
	hdlr := append(make([]byte, 8), handler+"\x00\x00\x00\x00"...)
	return append(box("ftyp", []byte(brand+"\x00\x00\x00\x00isom")),
		box("moov", box("mvhd", mvhd), box("trak", box("tkhd", tkhd), box("mdia", box("hdlr", hdlr))))...)
}

func oggPage(granule uint64, packet []byte) []byte {
	b := append([]byte("OggS\x00\x02"), binary.LittleEndian.AppendUint64(nil, granule)...)
	b = append(b, make([]byte, 12)...)
	b = append(b, 1, byte(len(packet)))
	return append(b, packet...)
}

func opus(seconds uint64) []byte {
	head := append([]byte("OpusHead\x01\x01"), 0x38, 0x01, 0, 0, 0, 0, 0, 0, 0)
	return append(oggPage(0, head), oggPage(312+seconds*48_000, []byte("sound"))...)
}

func vorbis() []byte {
	head := append([]byte("\x01vorbis\x00\x00\x00\x00\x02"), binary.LittleEndian.AppendUint32(nil, 44_100)...)
	return append(oggPage(0, append(head, make([]byte, 14)...)), oggPage(44_100*7, []byte("sound"))...)
}

func riff(kind string, chunks ...[]byte) []byte {
	body := append([]byte(kind), bytes.Join(chunks, nil)...)
	return append(append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...), body...)
}

func chunk(name string, body []byte) []byte {
	b := append([]byte(name), binary.LittleEndian.AppendUint32(nil, uint32(len(body)))...)
	if b = append(b, body...); len(body)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

func wav() []byte {
	format := append([]byte{1, 0, 1, 0}, binary.LittleEndian.AppendUint32(nil, 8000)...)
	format = append(binary.LittleEndian.AppendUint32(format, 8000), 1, 0, 8, 0)
	return riff("WAVE", chunk("fmt ", format), chunk("LIST", []byte("odd")), chunk("data", make([]byte, 8000*4)))
}

func avi() []byte {
	h := make([]byte, 56)
	binary.LittleEndian.PutUint32(h, 40_000)
	binary.LittleEndian.PutUint32(h[16:], 250)
	binary.LittleEndian.PutUint32(h[32:], 640)
	binary.LittleEndian.PutUint32(h[36:], 480)
	return riff("AVI ", append([]byte("LIST\xff\xff\x00\x00hdrl"), chunk("avih", h)...))
}

func flac() []byte {
	b := append([]byte("fLaC\x00\x00\x00\x22"), make([]byte, 34)...)
	binary.BigEndian.PutUint64(b[18:], 44_100<<44|44_100*9)
	return b
}

// mp3 is frames of 128 kbit/s at 44.1 kHz, 417 bytes each.
func mp3(frames int, id3, xing bool) []byte {
	frame := append([]byte{0xff, 0xfb, 0x90, 0xc0}, make([]byte, 413)...)
	b := bytes.Repeat(frame, frames)
	if xing {
		copy(b[4+17:], "Xing\x00\x00\x00\x01\x00\x00\x10\x00")
	}
	if id3 {
		return append([]byte("ID3\x04\x00\x00\x00\x00\x01\x00"+strings.Repeat("\x00", 128)), b...)
	}
	return b
}

func adts(frames int) []byte {
	return bytes.Repeat(append([]byte{0xff, 0xf1, 0x50, 0x80, 0x04, 0x1f, 0xfc}, make([]byte, 25)...), frames)
}

func zipped(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		name, content, _ := strings.Cut(n, "=")
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content))})
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(content))
	}
	w.Close()
	return b.Bytes()
}

func wide(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(c)
		b.WriteByte(0)
	}
	return b.String()
}

const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// hugePNG says that it is of 30,000 by 30,000 points.
func hugePNG(t testing.TB) []byte {
	b := encoded(t, "png", 1, 1)
	binary.BigEndian.PutUint32(b[16:], 30_000)
	binary.BigEndian.PutUint32(b[20:], 30_000)
	return b
}
