package country

import "testing"

func TestAt(t *testing.T) {
	tests := []struct {
		place    string
		lat, lon float64
		want     string
	}{
		{"Tashkent", 41.3111, 69.2797, "UZ"}, {"Nukus", 42.46, 59.6, "UZ"}, {"Termez", 37.24, 67.28, "UZ"}, {"Fergana", 40.38, 71.78, "UZ"},
		{"Almaty", 43.24, 76.9, "KZ"}, {"Shymkent", 42.32, 69.6, "KZ"}, {"Bishkek", 42.87, 74.6, "KG"}, {"Osh", 40.51, 72.8, "KG"},
		{"Dushanbe", 38.56, 68.78, "TJ"}, {"Khujand", 40.28, 69.62, "TJ"}, {"Ashgabat", 37.95, 58.38, "TM"}, {"Turkmenabat", 39.07, 63.58, "TM"},
		{"Moscow", 55.75, 37.62, "RU"}, {"Kaliningrad", 54.71, 20.51, "RU"}, {"Vladivostok", 43.12, 131.9, "RU"}, {"Chukotka beyond 180", 66, -172, "RU"},
		{"Valletta", 35.8989, 14.5146, "MT"}, {"Porto's beach", 41.1496, -8.677, "PT"}, {"Heidelberg", 49.41, 8.69, "DE"}, {"Delaware", 39.15, -75.5, "US"},
		{"Andorra", 42.51, 1.52, "AD"}, {"Monaco", 43.735, 7.42, "MC"}, {"Maseru, inside South Africa", -29.4, 28.2, "LS"}, {"the South Pole", -89.9, 0, "AQ"},
		{"the Atlantic", 30, -40, ""}, {"the town of the stories", 41.5, 64.5, "UZ"},
	}
	for _, tt := range tests {
		got := ""
		if c := At(tt.lat, tt.lon); c != nil {
			got = c.Code
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.place, got, tt.want)
		}
	}
}

func TestByCode(t *testing.T) {
	c := ByCode("uz")
	if c == nil || c.Code != "UZ" || c.Name("uz") != "Oʻzbekiston" || c.Name("ru") != "Узбекистан" || c.Name("de") != "Uzbekistan" {
		t.Errorf("%+v", c)
	}
	if ByCode("ZZ") != nil || ByCode("") != nil {
		t.Error("a code of nobody has a country")
	}
}

func BenchmarkAt(b *testing.B) {
	At(0, 0)
	for b.Loop() {
		At(41.3111, 69.2797)
	}
}
