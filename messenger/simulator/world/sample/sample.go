// Package sample makes the files that people of the simulator send: small, and readable as what
// they are.
package sample

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"slices"

	"svc/messenger/simulator/world/record"
)

// Kinds are the files that people of the simulator send, in the words of a script.
var Kinds = map[string]string{
	"photo": "PHOTO", "video": "VIDEO", "voice": "VOICE", "audio": "AUDIO", "document": "DOCUMENT",
	"sticker": "STICKER", "animation": "ANIMATION", "video-note": "VIDEO_NOTE",
}

// Attachment is a file of a kind whose content is what it says: picture n of its kind, at
// least size bytes long.
func Attachment(kind string, n, size int) record.Attachment {
	x := record.Attachment{Kind: kind}
	switch kind {
	case "PHOTO":
		x.Width, x.Height, x.Mime, x.Content = 640, 480, "image/jpeg", samplePhoto(640, 480, n)
	case "STICKER":
		x.Width, x.Height, x.Mime, x.Name, x.Content = 1, 1, "image/webp", "sticker.webp", sampleSticker
	case "VOICE":
		x.Seconds, x.Mime, x.Content = 3, "audio/ogg", sampleVoice(3)
		x.Waveform = slices.Repeat([]byte{0x41, 0x10, 0xE6, 0x73}, 15)
	case "AUDIO":
		x.Seconds, x.Mime, x.Name, x.Content = 2, "audio/mpeg", "qo'shiq.mp3", sampleMusic()
	case "DOCUMENT":
		x.Mime, x.Name, x.Content = "application/pdf", fmt.Sprintf("narxlar-%d.pdf", n+1), samplePDF(n)
	default:
		x.Width, x.Height, x.Seconds, x.Mime, x.Content = 384, 384, 2, "video/mp4", sampleVideo()
		if kind == "VIDEO" {
			x.Name = "video.mp4"
		}
	}
	if short := size - len(x.Content); short > 0 {
		x.Content = append(slices.Clone(x.Content), make([]byte, short)...) // readers stop before it
	}
	return x
}

func samplePhoto(w, h, n int) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, color.RGBA{uint8(x * 255 / w), uint8(y * 255 / h), uint8(n * 40), 255})
		}
	}
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, nil) // memory takes everything
	return b.Bytes()
}

// sampleSticker is a WebP picture of one pixel.
var sampleSticker = func() []byte {
	b, _ := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	return b
}()

// sampleVoice is silence in Opus, in an Ogg container (RFC 7845, RFC 3533).
func sampleVoice(seconds int) []byte {
	var out []byte
	head := []byte("OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00")
	tags := []byte("OpusTags\x03\x00\x00\x00svc\x00\x00\x00\x00")
	out = oggPage(out, 2, 0, 0, [][]byte{head})
	out = oggPage(out, 0, 0, 1, [][]byte{tags})
	packet := []byte{0xf8, 0xff, 0xfe} // 20 ms of nothing
	for s := range seconds {
		kind := byte(0)
		if s == seconds-1 {
			kind = 4
		}
		out = oggPage(out, kind, uint64(s+1)*48_000, uint32(s+2), slices.Repeat([][]byte{packet}, 50))
	}
	return out
}

func oggPage(out []byte, kind byte, position uint64, n uint32, packets [][]byte) []byte {
	from := len(out)
	out = append(out, 'O', 'g', 'g', 'S', 0, kind)
	out = binary.LittleEndian.AppendUint64(out, position)
	out = binary.LittleEndian.AppendUint32(out, 0x737663)
	out = binary.LittleEndian.AppendUint32(out, n)
	out = append(out, 0, 0, 0, 0, byte(len(packets)))
	for _, p := range packets {
		out = append(out, byte(len(p)))
	}
	for _, p := range packets {
		out = append(out, p...)
	}
	binary.LittleEndian.PutUint32(out[from+22:], oggSum(out[from:]))
	return out
}

// oggSum is the checksum of a page (RFC 3533, 6).
func oggSum(page []byte) (sum uint32) {
	for _, b := range page {
		sum ^= uint32(b) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04c11db7
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}

// sampleMusic is two seconds of empty frames (MPEG-1, layer III, 128 kbit/s, 44.1 kHz).
func sampleMusic() []byte {
	frame := append([]byte{0xff, 0xfb, 0x90, 0x00}, make([]byte, 413)...)
	return bytes.Repeat(frame, 77)
}

// sampleVideo is a file of the right type without a picture in it.
func sampleVideo() []byte {
	box := func(kind string, content []byte) []byte {
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), kind...), content...)
	}
	header := make([]byte, 100)
	binary.BigEndian.PutUint32(header[12:], 1000) // units of a second
	binary.BigEndian.PutUint32(header[16:], 2000)
	binary.BigEndian.PutUint32(header[96:], 2)
	out := box("ftyp", []byte("isom\x00\x00\x02\x00isomiso2mp41"))
	return append(append(out, box("moov", box("mvhd", header))...), box("mdat", make([]byte, 64))...)
}

// samplePDF is a page with a line of text.
func samplePDF(n int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	text := fmt.Sprintf("BT /F1 18 Tf 40 100 Td (Narxlar %d) Tj ET", n+1)
	for i, body := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}
