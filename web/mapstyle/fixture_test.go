package mapstyle

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"google.golang.org/protobuf/encoding/protowire"
)

// pack is the standard library's gzip, so that ours is read by another hand.
func pack(text string) *fstest.MapFile {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return &fstest.MapFile{Data: b.Bytes()}
}

func unpack(tb testing.TB, data []byte) []byte {
	tb.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// glyphFile is a glyph file with the given letters, each with a picture that
// tells which font it came from.
func glyphFile(font, ranged, letters string) string {
	glyphs := map[uint64][]byte{}
	for _, r := range letters {
		g := protowire.AppendVarint(protowire.AppendTag(nil, fieldID, protowire.VarintType), uint64(r))
		g = protowire.AppendTag(g, 2, protowire.BytesType)
		glyphs[uint64(r)] = protowire.AppendString(g, font)
	}
	return string(appendStack(nil, font, ranged, glyphs))
}

// readStack reads an answer of glyphs: the name, the range, and for each letter
// the font that it came from.
func readStack(tb testing.TB, file []byte) (name, ranged string, letters map[rune]string) {
	tb.Helper()
	letters = map[rune]string{}
	check := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	check(eachField(file, func(_ protowire.Number, stack []byte, _ uint64) error {
		return eachField(stack, func(num protowire.Number, b []byte, _ uint64) error {
			switch num {
			case fieldName:
				name = string(b)
			case fieldRange:
				ranged = string(b)
			case fieldGlyph:
				var id rune
				var from string
				check(eachField(b, func(num protowire.Number, b []byte, v uint64) error {
					switch num {
					case fieldID:
						id = rune(v)
					case 2:
						from = string(b)
					}
					return nil
				}))
				letters[id] = from
			}
			return nil
		})
	}))
	return name, ranged, letters
}

const fixtureTemplate = `{
	"head":{"version":8,"name":"%[1]s of %[2]s"},%[3]s
	"labels":{"uz":["coalesce",["get","name_uz"],["get","name"]],"ru":["get","name_ru"],"en":["get","name_en"],"uz-Cyrl":["get","name_uz-Cyrl"]},
	"sprites":["base","places"],
	"layers":[
		{"id":"background","type":"background"},
		{"id":"hillshade","type":"hillshade","source":"terrain","metadata":{"part":"hillshade"}},
		{"id":"town","type":"symbol","source":"tiles","source-layer":"place_labels","layout":{"text-field":"{{label}}"}},
		{"id":"poi-place","type":"symbol","source":"tiles","source-layer":"pois","metadata":{"part":"poi"},"layout":{"text-field":"{{label}}"}}
	]}`

// fixture is a tiny build: two fonts, one sheet, two styles in two schemas.
func fixture() fstest.MapFS {
	files := fstest.MapFS{
		"fonts/fonts.json":                         {Data: []byte(`["noto_sans_regular","noto_sans_bold"]`)},
		"fonts/noto_sans_regular/0-255.pbf.gz":     pack(glyphFile("noto_sans_regular", "0-255", "ab")),
		"fonts/noto_sans_regular/1024-1279.pbf.gz": pack(glyphFile("noto_sans_regular", "1024-1279", "ўқ")),
		"fonts/noto_sans_bold/0-255.pbf.gz":        pack(glyphFile("noto_sans_bold", "0-255", "bc")),
		"sprites/base.json.gz":                     pack(`{"icon-bus":{"x":0}}`),
		"sprites/base.png":                         {Data: []byte("\x89PNG one")},
		"sprites/base@2x.json.gz":                  pack(`{"icon-bus":{"x":1}}`),
		"sprites/base@2x.png":                      {Data: []byte("\x89PNG two")},
		"styles/styles.json":                       {Data: []byte(`[{"id":"light","name":"Light","dark":false},{"id":"dark","name":"Dark","dark":true}]`)},
	}
	for schema, attribution := range map[string]string{"shortbread": `"attribution":"© OpenStreetMap contributors",`, "openmaptiles": ""} {
		for _, id := range []string{"light", "dark"} {
			files["styles/"+schema+"/"+id+".json.gz"] = pack(fmt.Sprintf(fixtureTemplate, id, schema, attribution))
		}
	}
	return files
}

// get asks a handler; headers are "Name: value".
func get(tb testing.TB, h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	tb.Helper()
	r := httptest.NewRequest(http.MethodGet, "http://map.example"+target, nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// logged is a logger and what it wrote.
func logged() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, nil)), &b
}
