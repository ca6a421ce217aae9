package media_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"svc/app/content/media"
)

func TestInspect(t *testing.T) {
	jpg := encoded(t, "jpeg", 30, 20)
	vp8x := func(flags byte) []byte {
		return riff("WEBP", chunk("VP8X", []byte{flags, 0, 0, 0, 99, 0, 0, 49, 0, 0}))
	}
	const office = "application/vnd.openxmlformats-officedocument."
	for _, tt := range []struct {
		name    string
		content []byte
		want    media.Info
	}{
		{"a", jpg, media.Info{Kind: "PHOTO", Type: "image/jpeg", Width: 30, Height: 20}},
		{"a", oriented(jpg, 6, binary.BigEndian, "MM"), media.Info{Kind: "PHOTO", Type: "image/jpeg", Width: 20, Height: 30}},
		{"a", oriented(jpg, 3, binary.LittleEndian, "II"), media.Info{Kind: "PHOTO", Type: "image/jpeg", Width: 30, Height: 20}},
		{"a", oriented(jpg, 99, binary.LittleEndian, "II"), media.Info{Kind: "PHOTO", Type: "image/jpeg", Width: 30, Height: 20}},
		{"a.doc", encoded(t, "png", 5, 7), media.Info{Kind: "PHOTO", Type: "image/png", Width: 5, Height: 7}},
		{"a", encoded(t, "png", 210, 10), media.Info{Kind: "DOCUMENT", Type: "image/png", Width: 210, Height: 10}},
		{"a", encoded(t, "png", 9_500, 501), media.Info{Kind: "DOCUMENT", Type: "image/png", Width: 9_500, Height: 501}},
		{"a", encoded(t, "gif", 5, 7), media.Info{Kind: "ANIMATION", Type: "image/gif", Width: 5, Height: 7}},
		{"a", []byte("\xff\xd8\xff\xe0 cut"), media.Info{Kind: "DOCUMENT", Type: "image/jpeg"}},
		{"a", vp8x(0), media.Info{Kind: "PHOTO", Type: "image/webp", Width: 100, Height: 50}},
		{"a", vp8x(2), media.Info{Kind: "ANIMATION", Type: "image/webp", Width: 100, Height: 50}},
		{"a", riff("WEBP", chunk("VP8L", []byte{0x2f, 99, 0x40, 12, 0, 0})), media.Info{Kind: "PHOTO", Type: "image/webp", Width: 100, Height: 50}},
		{"a", riff("WEBP", chunk("VP8 ", []byte{0, 0, 0, 0x9d, 1, 0x2a, 100, 0, 50, 0})), media.Info{Kind: "PHOTO", Type: "image/webp", Width: 100, Height: 50}},
		{"a", movie("heic", "pict", 0, 0, 0, 0, false), media.Info{Kind: "DOCUMENT", Type: "image/heic"}},
		{"a", movie("avif", "pict", 0, 0, 0, 0, false), media.Info{Kind: "DOCUMENT", Type: "image/avif"}},
		{"a", movie("isom", "vide", 640, 360, 1000, 12_400, false), media.Info{Kind: "VIDEO", Type: "video/mp4", Width: 640, Height: 360, Seconds: 12}},
		{"a", movie("mp42", "vide", 640, 360, 1000, 100, true), media.Info{Kind: "VIDEO", Type: "video/mp4", Width: 360, Height: 640, Seconds: 1}},
		{"a", movie("qt  ", "vide", 640, 360, 0, 100, false), media.Info{Kind: "VIDEO", Type: "video/quicktime", Width: 640, Height: 360}},
		{"a", movie("3gp4", "vide", 176, 144, 1, 1<<32-1, false), media.Info{Kind: "VIDEO", Type: "video/3gpp", Width: 176, Height: 144}},
		{"a", movie("M4A ", "soun", 0, 0, 600, 1200, false), media.Info{Kind: "AUDIO", Type: "audio/mp4", Seconds: 2}},
		{"a", movie("isom", "soun", 0, 0, 600, 1200, false), media.Info{Kind: "AUDIO", Type: "audio/mp4", Seconds: 2}},
		{"a", []byte("\x1a\x45\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm"), media.Info{Kind: "VIDEO", Type: "video/webm"}},
		{"a", []byte("\x1a\x45\xdf\xa3\x9fB\x82\x88matroska"), media.Info{Kind: "VIDEO", Type: "video/x-matroska"}},
		{"a", avi(), media.Info{Kind: "VIDEO", Type: "video/x-msvideo", Width: 640, Height: 480, Seconds: 10}},
		{"a", opus(11), media.Info{Kind: "VOICE", Type: "audio/ogg", Seconds: 11}},
		{"a", vorbis(), media.Info{Kind: "AUDIO", Type: "audio/ogg", Seconds: 7}},
		{"a", wav(), media.Info{Kind: "AUDIO", Type: "audio/wav", Seconds: 4}},
		{"a", flac(), media.Info{Kind: "AUDIO", Type: "audio/flac", Seconds: 9}},
		{"a", mp3(115, false, false), media.Info{Kind: "AUDIO", Type: "audio/mpeg", Seconds: 3}},
		{"a", mp3(115, true, false), media.Info{Kind: "AUDIO", Type: "audio/mpeg", Seconds: 3}},
		{"a", mp3(3, false, true), media.Info{Kind: "AUDIO", Type: "audio/mpeg", Seconds: 107}}, // 4096 frames
		{"a", adts(87), media.Info{Kind: "AUDIO", Type: "audio/aac", Seconds: 2}},
		{"a", []byte("#!AMR\nsound"), media.Info{Kind: "AUDIO", Type: "audio/amr"}},
		{"a", []byte("%PDF-1.7 ..."), media.Info{Kind: "DOCUMENT", Type: "application/pdf"}},
		{"a", zipped(t, "notes.txt"), media.Info{Kind: "DOCUMENT", Type: "application/zip"}},
		{"a", zipped(t, "[Content_Types].xml", "word/document.xml"), media.Info{Kind: "DOCUMENT", Type: office + "wordprocessingml.document"}},
		{"a", zipped(t, "xl/workbook.xml"), media.Info{Kind: "DOCUMENT", Type: office + "spreadsheetml.sheet"}},
		{"a", zipped(t, "ppt/presentation.xml"), media.Info{Kind: "DOCUMENT", Type: office + "presentationml.presentation"}},
		{"a", zipped(t, "mimetype=application/epub+zip", "META-INF/container.xml"), media.Info{Kind: "DOCUMENT", Type: "application/epub+zip"}},
		{"a", zipped(t, "mimetype=application/vnd.oasis.opendocument.text"), media.Info{Kind: "DOCUMENT", Type: "application/vnd.oasis.opendocument.text"}},
		{"a", zipped(t, "mimetype=text/html"), media.Info{Kind: "DOCUMENT", Type: "application/zip"}},
		{"a", []byte(ole + wide("WordDocument")), media.Info{Kind: "DOCUMENT", Type: "application/msword"}},
		{"a", []byte(ole + wide("Workbook")), media.Info{Kind: "DOCUMENT", Type: "application/vnd.ms-excel"}},
		{"a", []byte(ole), media.Info{Kind: "DOCUMENT", Type: "application/x-ole-storage"}},
		{"a.txt", []byte("Salom, дунё!\r\n"), media.Info{Kind: "DOCUMENT", Type: "text/plain"}},
		{"a.CSV", []byte("a;b\n1;2"), media.Info{Kind: "DOCUMENT", Type: "text/csv"}},
		{"a.json", []byte("{}"), media.Info{Kind: "DOCUMENT", Type: "application/json"}},
		{"a.jpg", []byte("no picture"), media.Info{Kind: "DOCUMENT", Type: "text/plain"}},
		{"a.csv", []byte{1, 2, 3}, media.Info{Kind: "DOCUMENT", Type: "application/octet-stream"}},
		{"a.txt", []byte("\xff\xfea\x00b\x00"), media.Info{Kind: "DOCUMENT", Type: "text/plain"}},
	} {
		got, err := media.Inspect(tt.name, tt.content)
		if err != nil || got != tt.want {
			t.Errorf("%s %.30q: %+v, %v; want %+v", tt.name, tt.content, got, err, tt.want)
		}
	}
}

func TestRefused(t *testing.T) {
	hidden := zipped(t, "a.txt", "classes.dex")
	binary.LittleEndian.PutUint32(hidden[len(hidden)-6:], 1) // where the directory is said to be
	rename := func(inDirectory bool) string {                // one of the two places says another name
		b := zipped(t, "aaaaaaa.txt")
		at := bytes.Index(b, []byte("aaaaaaa.txt"))
		if inDirectory {
			at = bytes.LastIndex(b, []byte("aaaaaaa.txt"))
		}
		copy(b[at:], "classes.dex")
		return string(b)
	}
	for what, tt := range map[string]struct {
		name    string
		content string
		says    string
	}{
		"nothing": {"a.txt", "", "empty"}, "windows": {"a.pdf", "MZ\x90", "Programs"}, "linux": {"a", "\x7fELF\x02", "Programs"},
		"mac": {"a", "\xcf\xfa\xed\xfe\x07", "Programs"}, "class": {"a", "\xca\xfe\xba\xbe\x00", "Programs"}, "wasm": {"a", "\x00asm\x01", "Programs"},
		"android": {"a", "dex\n035", "Programs"}, "shell": {"a.txt", "#!/bin/sh", "Programs"}, "bom": {"a.txt", "\xef\xbb\xbf  #!/bin/sh", "Programs"},
		"php": {"a.txt", "\n<?PHP echo 1;", "Programs"}, "page": {"a.txt", "<!DOCTYPE HTML>", "Programs"},
		"page behind a comment": {"a.txt", "<!-- a --><!-- b -->\n<Html lang=uz>", "Programs"}, "drawing": {"a.xml", `<?xml version="1.0"?> <svg>`, "Programs"},
		"drawing with its type": {"a.xml", `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x"> <svg>`, "Programs"},
		"wide page":             {"a.txt", "\xff\xfe" + wide("<html>"), "Programs"}, "batch": {"a.txt", "@ECHO OFF\r\ndel *", "Programs"},
		"by name": {"a.Ps1", "hello", "Programs"}, "by name, hidden": {"a.exe. . ", "hello", "Programs"}, "shortcut": {"a.txt", "[InternetShortcut]\nURL=x", "Programs"},
		"jar": {"a.zip", string(zipped(t, "META-INF/MANIFEST.MF")), "Programs"}, "apk": {"a.zip", string(zipped(t, "AndroidManifest.xml", "x")), "Programs"},
		"ipa": {"a.zip", string(zipped(t, "Payload/X.app/X")), "Programs"}, "hidden": {"a.zip", string(hidden), "Programs"},
		"only in the directory": {"a.zip", rename(true), "Programs"}, "only before the content": {"a.zip", rename(false), "Programs"},
		"macros": {"a.docx", string(zipped(t, "word/document.xml", "word/vbaProject.bin")), "macros"}, "old macros": {"a.doc", ole + wide("_VBA_PROJECT"), "macros"},
		"installer": {"a.doc", ole + "\x84\x10\x0c\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46", "Programs"},
		"archive":   {"a", "MSCF\x00", "Programs"}, "library": {"a", "!<arch>\n", "Programs"},
	} {
		_, err := media.Inspect(tt.name, []byte(tt.content))
		var refused media.Refused
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want something with %q", what, err, tt.says)
		}
	}
}

// TestThumbnail: upright, small, on white.
func TestThumbnail(t *testing.T) {
	jpg := encoded(t, "jpeg", 800, 400) // red grows to the right, green downwards
	corners := func(b []byte) (w, h int, at string) {
		m, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		r := m.Bounds()
		for _, p := range []image.Point{{2, 2}, {r.Dx() - 3, 2}, {2, r.Dy() - 3}, {r.Dx() - 3, r.Dy() - 3}} {
			red, green, _, _ := m.At(p.X, p.Y).RGBA()
			at += fmt.Sprintf("%d%d ", red>>15, green>>15)
		}
		return r.Dx(), r.Dy(), strings.TrimSpace(at)
	}
	for o, want := range map[uint16]string{
		1: "320x160 00 10 01 11", 2: "320x160 10 00 11 01", 3: "320x160 11 01 10 00", 4: "320x160 01 11 00 10",
		5: "160x320 00 01 10 11", 6: "160x320 01 00 11 10", 7: "160x320 11 10 01 00", 8: "160x320 10 11 00 01",
	} {
		b, err := media.Thumbnail(t.Context(), oriented(jpg, o, binary.LittleEndian, "II"))
		if err != nil || b == nil {
			t.Fatalf("%d: %d bytes, %v", o, len(b), err)
		}
		if w, h, at := corners(b); fmt.Sprintf("%dx%d %s", w, h, at) != want {
			t.Errorf("orientation %d: %dx%d %s, want %s", o, w, h, at, want)
		}
	}
	var clear bytes.Buffer
	if err := png.Encode(&clear, image.NewNRGBA(image.Rect(0, 0, 10, 3))); err != nil {
		t.Fatal(err)
	}
	b, err := media.Thumbnail(t.Context(), clear.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if w, h, at := corners(b); w != 10 || h != 3 || at != "11 11 11 11" {
		t.Errorf("a clear picture: %dx%d %s", w, h, at)
	}
	for what, content := range map[string][]byte{
		"nothing": nil, "text": []byte("hello"), "cut": jpg[:len(jpg)/2], "huge": hugePNG(t), "sound": mp3(3, false, false),
	} {
		if b, err := media.Thumbnail(t.Context(), content); b != nil || err != nil {
			t.Errorf("%s: %d bytes, %v", what, len(b), err)
		}
	}
}

// TestTooLargeToDraw: what alone would take more memory than all may is not even
// waited for.
func TestTooLargeToDraw(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if b, err := media.Thumbnail(ended, hugePNG(t)); b != nil || err != nil {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}

func seeds(f *testing.F) {
	for _, b := range [][]byte{
		encoded(f, "jpeg", 9, 5), encoded(f, "png", 9, 5), encoded(f, "gif", 9, 5), oriented(encoded(f, "jpeg", 9, 5), 6, binary.BigEndian, "MM"), hugePNG(f),
		movie("isom", "vide", 640, 360, 1000, 12_400, true), opus(3), vorbis(), wav(), avi(), flac(), mp3(3, true, true), adts(3),
		zipped(f, "mimetype=application/epub+zip", "word/document.xml"), []byte(ole + wide("Workbook")), []byte("<?xml ?><!-- --><svg>"),
		riff("WEBP", chunk("VP8L", []byte{0x2f, 99, 0x40, 12, 0, 0})), []byte("\x1a\x45\xdf\xa3webm"),
	} {
		f.Add("a.txt", b)
	}
}

func FuzzInspect(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		info, err := media.Inspect(name, content)
		if err != nil {
			return
		}
		if info.Kind == "" || !strings.Contains(info.Type, "/") || strings.ContainsAny(info.Type, " \r\n") || info.Width < 0 || info.Height < 0 || info.Seconds < 0 {
			t.Errorf("%+v", info)
		}
	})
}

func FuzzThumbnail(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, _ string, content []byte) {
		b, err := media.Thumbnail(t.Context(), content)
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return
		}
		if c, err := jpeg.DecodeConfig(bytes.NewReader(b)); err != nil || max(c.Width, c.Height) > media.ThumbSide {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

func BenchmarkThumbnail(b *testing.B) {
	jpg := encoded(b, "jpeg", 4000, 3000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := media.Thumbnail(b.Context(), jpg); err != nil {
			b.Fatal(err)
		}
	}
}
