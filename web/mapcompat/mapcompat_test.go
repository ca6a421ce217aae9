package mapcompat

import (
	"slices"
	"testing"
)

func TestLanguage(t *testing.T) {
	for header, want := range map[string]string{
		"": "uz", "en": "en", "en-GB,en;q=0.9": "en", "de, ru;q=0.5": "ru", "de": "uz", "uz-Cyrl-UZ": "uz-Cyrl", "uz-Cyrl;q=0.1, ru;q=0.2": "ru",
		"en;q=0": "uz", "en;q=x, ru": "ru", "RU": "ru", "*": "uz", "default": "uz", ";;,": "uz", "en;q=0.5, ru;q=0.5": "en",
	} {
		if got := language(header); got != want {
			t.Errorf("%q is %s, want %s", header, got, want)
		}
	}
}

func TestTagFilters(t *testing.T) {
	cafe, museum, stop := [2]string{"amenity", "cafe"}, [2]string{"tourism", "museum"}, [2]string{"highway", "bus_stop"}
	for _, tt := range []struct {
		filters []string
		want    [][2]string
	}{
		{nil, [][2]string{cafe, museum, stop}},
		{[]string{"amenity:cafe"}, [][2]string{cafe}},
		{[]string{"amenity"}, [][2]string{cafe}},
		{[]string{":museum"}, [][2]string{museum}},
		{[]string{"!highway"}, [][2]string{cafe, museum}},
		{[]string{"!amenity:cafe", "!:museum"}, [][2]string{stop}},
		{[]string{"amenity", "tourism"}, [][2]string{cafe, museum}},
		{[]string{"amenity", "tourism", "!:cafe"}, [][2]string{museum}},
		{[]string{"amenity:!bar"}, [][2]string{cafe}},
		{[]string{"amenity:!cafe"}, nil},
	} {
		filters, wrong := readTagFilters(tt.filters)
		var got [][2]string
		for _, tag := range [][2]string{cafe, museum, stop} {
			if o := (&object{key: tag[0], value: tag[1]}); o.passes(filters) {
				got = append(got, tag)
			}
		}
		if wrong != "" || !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v (%s), want %v", tt.filters, got, wrong, tt.want)
		}
	}
	for _, bad := range []string{"", "!", ":", "!:", "a:b:c", ":!a", "a:!", "!a:!b"} {
		if _, wrong := readTagFilters([]string{"amenity", bad}); wrong != bad {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestAreaLevelGrowsWithTheZoom(t *testing.T) {
	last := uint8(0)
	for zoom := -1; zoom <= 20; zoom++ {
		if l := areaLevel(zoom); l < last {
			t.Errorf("zoom %d shows level %d, less than %d", zoom, l, last)
		} else {
			last = l
		}
	}
	if areaLevel(3) != countryLevel || areaLevel(10) != 8 || areaLevel(17) != 11 {
		t.Error("countries at 3, cities at 10, quarters at 17")
	}
}
