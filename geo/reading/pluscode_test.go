package reading

import (
	"math"
	"testing"
)

// TestPlusCodes holds examples of the format's own description.
func TestPlusCodes(t *testing.T) {
	for code, want := range map[string][2]float64{
		"7FG49Q00+":      {20.375, 2.775},
		"7FG49QCJ+2V":    {20.3700625, 2.7821875},
		"7FG49QCJ+2VX":   {20.3701125, 2.782234375},
		"7FG49QCJ+2VXGJ": {20.3701135, 2.78223535156},
		"8FVC2222+22":    {47.0000625, 8.0000625},
		"4VCPPQGP+Q9":    {-41.2730625, 174.7859375},
		"62G20000+":      {0.5, -179.5},
		"22220000+":      {-89.5, -179.5},
	} {
		lat, lon, full := decodePlusCode(code)
		if !isPlusCode(code) || !full || math.Abs(lat-want[0]) > 1e-6 || math.Abs(lon-want[1]) > 1e-6 {
			t.Errorf("%s is %v, %v, full %t; want %v", code, lat, lon, full, want)
		}
	}
	for _, x := range []struct {
		short    string
		lat, lon float64
		full     string
	}{
		{"9QCJ+2V", 51.3701125, -1.217765625, "9C3W9QCJ+2V"},
		{"CJ+2V", 51.3701125, -1.217765625, "9C3W9QCJ+2V"}, {"2222+22", 47.1, 8.1, "8FVC2222+22"},
		{"22+22", 42.899, 9.012, "8FJFW222+22"},
	} {
		lat, lon, ok := RecoverPlusCode(x.short, x.lat, x.lon)
		wantLat, wantLon, _ := decodePlusCode(x.full)
		if !ok || math.Abs(lat-wantLat) > 1e-6 || math.Abs(lon-wantLon) > 1e-6 {
			t.Errorf("%s near %v, %v is %v, %v; want %s", x.short, x.lat, x.lon, lat, lon, x.full)
		}
	}
	for _, s := range []string{"", "+", "12", "7FG49Q", "7FG49QCJ+2", "7FG49QCJ2V+", "7FG49Q0+", "FG49QCJ+2V", "AAAAAAAA+AA", "22+", "0000+22", "7FG4+0022"} {
		if isPlusCode(s) {
			t.Errorf("%q passes for a plus code", s)
		}
	}
}
