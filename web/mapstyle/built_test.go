package mapstyle

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"svc/geo/category"
	"svc/web/mapstyle/mapstyletest"
)

// The tests of this file read the real build.

// letters must be in both weights (map contract 3): each is missing from one
// map font or another.
const letters = "ABCXYZabcxyz0123456789" +
	"ʻʼ" + // U+02BB and U+02BC, Uzbek in Latin script
	"ЎўҚқҒғҲҳ" + // Uzbek in Cyrillic script
	"ЪъЫыЭэЩщЁё" + // Russian
	"ӢӣӮӯҶҷ" + // Tajik
	"ӘәӨөҢңҮүҰұҺһІі" + // Kazakh
	"ǴǵŃńıİÁáÓóÚú" + // Karakalpak
	"ŞşÇçĞğÖöÜü" + "əƏ" + // Turkmen, Turkish, Azerbaijani
	"ĠġĦħĊċŻż" + "àçèéïò" + // Maltese, Catalan
	"–—‘’“”«»…№€←↑→↓"

func TestLettersOfTheFonts(t *testing.T) {
	h := New(Config{Assets: mapstyletest.Files(t)})
	for _, font := range []string{"noto_sans_regular", "noto_sans_bold"} {
		for _, r := range letters {
			first := int(r) / rangeSize * rangeSize
			w := get(t, h, "/fonts/"+font+"/"+rangeText(first)+".pbf")
			if w.Code != http.StatusOK {
				t.Fatalf("%s %s: %d", font, rangeText(first), w.Code)
			}
			if _, _, have := readStack(t, w.Body.Bytes()); !hasLetter(have, r) {
				t.Errorf("%s has no %q (%U)", font, r, r)
			}
		}
	}
	w := get(t, h, "/fonts/noto_sans_regular/0-255.pbf")
	if _, _, have := readStack(t, w.Body.Bytes()); hasLetter(have, 'ў') {
		t.Error("the test finds letters that are not there")
	}
}

func hasLetter(have map[rune]string, r rune) bool {
	_, ok := have[r]
	return ok
}

// sheet reads a sheet and checks that its images lie within its picture.
func sheet(t *testing.T, h http.Handler, name, suffix string, ratio int) map[string]bool {
	t.Helper()
	index := get(t, h, "/sprites/"+name+suffix+".json")
	picture := get(t, h, "/sprites/"+name+suffix+".png")
	var images map[string]struct {
		X, Y, Width, Height, PixelRatio int
		SDF                             bool
	}
	if err := json.Unmarshal(index.Body.Bytes(), &images); err != nil {
		t.Fatalf("%s%s: %v", name, suffix, err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(picture.Body.Bytes()))
	if err != nil {
		t.Fatalf("%s%s: %v", name, suffix, err)
	}
	out := map[string]bool{}
	for id, one := range images {
		out[id] = true
		if one.X < 0 || one.Y < 0 || one.Width <= 0 || one.Height <= 0 || one.X+one.Width > size.Width || one.Y+one.Height > size.Height {
			t.Errorf("%s%s: %s lies outside the picture: %+v", name, suffix, id, one)
		}
		if want := name != "places" && !strings.HasPrefix(id, "pattern-"); one.SDF != want || one.PixelRatio != ratio {
			t.Errorf("%s%s: %s has sdf %t and ratio %d", name, suffix, id, one.SDF, one.PixelRatio)
		}
	}
	return out
}

// TestEveryIconExists: every icon that a result can carry has an image (map contract 4).
func TestEveryIconExists(t *testing.T) {
	h := New(Config{Assets: mapstyletest.Files(t)})
	icons := []string{"poi"}
	for _, c := range category.All() {
		icons = append(icons, c.Icon)
	}
	for _, g := range category.Groups() {
		icons = append(icons, g.Icon)
	}
	for _, name := range []string{"places", "places-sdf"} {
		for ratio, suffix := range map[int]string{1: "", 2: "@2x"} {
			have := sheet(t, h, name, suffix, ratio)
			for _, icon := range icons {
				if !have[icon] {
					t.Errorf("%s%s has no %s", name, suffix, icon)
				}
			}
		}
	}
}

var called = regexp.MustCompile(`"(base|places|places-sdf):([a-z_0-9-]+)"`)

// TestEveryStyle: each style in each language is served, and its images, fonts
// and sheets are too.
func TestEveryStyle(t *testing.T) {
	files := mapstyletest.Files(t)
	schema := shortbread
	h := New(Config{Assets: files, Terrain: func() bool { return true }, Tiles: func() string { return schema }})
	base := sheet(t, h, "base", "", 1)
	places := sheet(t, h, "places", "", 1)
	var list []styleInfo
	if err := json.Unmarshal(get(t, h, "/styles/styles.json").Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	names := []string{"light", "dark", "natural", "natural-dark", "muted", "muted-dark", "gray", "gray-dark", "toner", "toner-dark"}
	if len(list) != len(names) {
		t.Errorf("%d styles, want %d", len(list), len(names))
	}
	for i, one := range list {
		if i >= len(names) || one.ID != names[i] || one.Dark != strings.HasSuffix(one.ID, "dark") {
			t.Errorf("style %d of the list is %+v", i, one)
		}
	}
	for schema = range schemas {
		for _, id := range names {
			for _, lang := range []string{"uz", "uz-Cyrl", "ru", "en"} {
				w := get(t, h, "/styles/"+id+".json?hillshade=1&lang="+lang)
				text := w.Body.String()
				var s style
				if err := json.Unmarshal([]byte(text), &s); err != nil || len(s.Layers) < 200 {
					t.Fatalf("%s %s: %d layers, %v", id, lang, len(s.Layers), err)
				}
				if strings.Contains(text, "{{") || strings.Contains(text, "tiles.invalid") {
					t.Errorf("%s %s: something was not replaced", id, lang)
				}
				for _, m := range called.FindAllStringSubmatch(text, -1) {
					if have := map[string]map[string]bool{"base": base, "places": places, "places-sdf": places}[m[1]]; !have[m[2]] {
						t.Errorf("%s calls for %s", id, m[0])
					}
				}
				for _, one := range s.Sprite {
					path := strings.TrimPrefix(one.URL, "http://map.example")
					for _, suffix := range []string{".json", ".png", "@2x.json", "@2x.png"} {
						if w := get(t, h, path+suffix); w.Code != http.StatusOK {
							t.Errorf("%s: sprite %s%s is %d", id, path, suffix, w.Code)
						}
					}
				}
			}
		}
	}
}
