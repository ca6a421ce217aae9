package mapstyle

import (
	"bytes"
	"encoding/json"
	"testing"

	"svc/embed/assets"
	"svc/web/mapstyle/mapstyletest"
)

// level is the outline of the world for some zooms: rings and lines of lon, lat
// in 1e-4 degrees.
type level struct {
	MaxZoom int
	Land    [][]int32
	Borders [][]int32
}

// TestOutlineOfTheWorld: the file that the build of tiles draws the world from.
func TestOutlineOfTheWorld(t *testing.T) {
	mapstyletest.Files(t)
	var world struct {
		Version   int
		Levels    []level
		Countries []struct {
			ISO      string
			Lon, Lat int32
			Area     float64
			Names    map[string]string
		}
	}
	if err := json.Unmarshal(unpack(t, assets.World()), &world); err != nil {
		t.Fatal(err)
	}
	if world.Version != 1 || len(world.Levels) != 2 || len(world.Countries) < 200 {
		t.Fatalf("version %d, %d levels, %d countries", world.Version, len(world.Levels), len(world.Countries))
	}
	for _, l := range world.Levels {
		checkLevel(t, l)
	}
	var uzbek map[string]string
	for _, c := range world.Countries {
		if c.Names["name"] == "" || c.Area < 0 || !onLand(world.Levels[1].Land, c.Lon, c.Lat) {
			t.Errorf("no name, no area or a label at sea: %+v", c)
		}
		if c.ISO == "UZ" {
			uzbek = c.Names
		}
	}
	for lang, want := range map[string]string{"uz": "Oʻzbekiston", "uz-Cyrl": "Ўзбекистон", "ru": "Узбекистан", "en": "Uzbekistan"} {
		if uzbek[lang] != want {
			t.Errorf("the name in %s is %q, want %q", lang, uzbek[lang], want)
		}
	}
}

func checkLevel(t *testing.T, l level) {
	t.Helper()
	for shortest, lines := range map[int][][]int32{6: l.Land, 4: l.Borders} {
		for _, line := range lines {
			if len(line) < shortest || len(line)%2 != 0 {
				t.Errorf("zoom %d: a line of %d numbers", l.MaxZoom, len(line))
			}
			for i := 0; i < len(line); i += 2 {
				if line[i] < -1800000 || line[i] > 1800000 || line[i+1] < -850511 || line[i+1] > 850511 {
					t.Fatalf("zoom %d: the point %d, %d", l.MaxZoom, line[i], line[i+1])
				}
			}
		}
	}
	places := map[string]struct {
		lon, lat int32
		land     bool
	}{
		"Tashkent": {692400, 413100, true}, "the Caspian": {510000, 410000, false}, "the Atlantic": {-300000, 300000, false},
		"Chukotka": {-1750000, 665000, true}, "the Antarctic": {0, -840000, true}, "the date line": {1799000, 200000, false},
	}
	for name, p := range places {
		if got := onLand(l.Land, p.lon, p.lat); got != p.land {
			t.Errorf("zoom %d: %s is land: %t", l.MaxZoom, name, got)
		}
	}
}

func TestLicences(t *testing.T) {
	mapstyletest.Files(t)
	for _, word := range []string{"SIL OPEN FONT LICENSE", "Maki", "Temaki", "CC0", "MIT License", "Natural Earth"} {
		if !bytes.Contains(assets.Licenses(), []byte(word)) {
			t.Errorf("the licences do not mention %q", word)
		}
	}
}

// onLand is the even-odd rule.
func onLand(rings [][]int32, lon, lat int32) bool {
	in := false
	x, y := float64(lon), float64(lat)
	for _, r := range rings {
		for i, j := 0, len(r)-2; i < len(r); j, i = i, i+2 {
			x1, y1, x2, y2 := float64(r[i]), float64(r[i+1]), float64(r[j]), float64(r[j+1])
			if (y1 > y) != (y2 > y) && x < (x2-x1)*(y-y1)/(y2-y1)+x1 {
				in = !in
			}
		}
	}
	return in
}
