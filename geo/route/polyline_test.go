package route

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPolyline(t *testing.T) {
	tests := []struct {
		name, line string
		want       Geometry // nil: refused
	}{
		{"nothing", "", Geometry{}},
		{"zero", "??", Geometry{{0, 0}}},
		{"from the format's description, six decimals", "_p~iF~ps|U_ulLnnqC_mqNvxq`@", Geometry{{-12_020_000, 3_850_000}, {-12_095_000, 4_070_000}, {-12_645_300, 4_325_200}}},
		{"a point and a half", "??_p~iF", nil},
		{"ends inside a number", "_p~i", nil},
		{"a byte below the alphabet", "?>", nil},
		{"a byte above it", "?\x7f", nil},
		{"a byte outside ASCII", "?é", nil},
		{"a number of seven groups", "______?" + "?", nil},
		{"beyond the pole", encodePolyline(Geometry{{0, 90_000_001}}), nil},
		{"beyond the date line", encodePolyline(Geometry{{180_000_000, 0}, {180_000_001, 0}}), nil},
		{"the corners of the Earth", encodePolyline(Geometry{{-180_000_000, -90_000_000}, {180_000_000, 90_000_000}}), Geometry{{-180_000_000, -90_000_000}, {180_000_000, 90_000_000}}},
	}
	for _, tt := range tests {
		got, err := appendPolyline(Geometry{}, tt.line)
		if (err == nil) != (tt.want != nil) || tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.name, got, err, tt.want)
		}
	}
}

// TestPolylineBothWays: what is written is read again, and appended.
func TestPolylineBothWays(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		g := make(Geometry, random.IntN(40))
		for i := range g {
			g[i] = Coord{int32(random.IntN(2*maxLon)) - maxLon, int32(random.IntN(2*maxLat)) - maxLat}
		}
		before := Geometry{{7, 8}}
		got, err := appendPolyline(before, encodePolyline(g))
		if err != nil || !slices.Equal(got[1:], g) || got[0] != before[0] {
			t.Fatalf("%v is read as %v, %v", g, got, err)
		}
	}
}

func FuzzPolyline(f *testing.F) {
	for _, s := range []string{"", "??", "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "~~~~~~~~~~~~", "?\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := appendPolyline(nil, s)
		if err != nil {
			return
		}
		if len(g) > len(s)/2 {
			t.Errorf("%d points of %d bytes", len(g), len(s))
		}
		again, err := appendPolyline(nil, encodePolyline(g))
		if err != nil || !slices.Equal(again, g) {
			t.Errorf("%v is written and read as %v, %v", g, again, err)
		}
		if !json.Valid(g.appendJSON(nil)) {
			t.Errorf("%v is written as %s", g, g.appendJSON(nil))
		}
	})
}

func TestGeometryJSON(t *testing.T) {
	tests := []struct {
		g    Geometry
		want string
	}{
		{nil, "null"},
		{Geometry{}, "[]"},
		{Geometry{{0, 0}}, "[[0,0]]"},
		{Geometry{{69_240_000, -41_311_111}, {-1, 10}}, "[[69.24,-41.311111],[-0.000001,0.00001]]"},
		{Geometry{{-180_000_000, 90_000_000}, {100_000, 123_456}}, "[[-180,90],[0.1,0.123456]]"},
	}
	for _, tt := range tests {
		if got, err := json.Marshal(tt.g); err != nil || string(got) != tt.want {
			t.Errorf("%v is %s, %v; want %s", []Coord(tt.g), got, err, tt.want)
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		v := int32(random.IntN(2*maxLon)) - maxLon
		var back float64
		if err := json.Unmarshal(appendDegrees(nil, v), &back); err != nil || math.Round(back*1e6) != float64(v) {
			t.Fatalf("%d is written %s", v, appendDegrees(nil, v))
		}
	}
}

// TestAppendJSON: the fast way writes what encoding/json writes.
func TestAppendJSON(t *testing.T) {
	a := &Answer{Language: `"geometry":null <&>`, Engine: EngineName, Warnings: []string{`"geometry":null`}, Routes: []Route{
		{ID: "route-0", Geometry: Geometry{{1, 2}, {3, 4}}, Summary: `"geometry":null`, Legs: []Leg{{Steps: []Step{{Instruction: "a <b>"}}}}, Recommended: true},
		{ID: "route-1", Geometry: Geometry{}, Legs: []Leg{}},
		{ID: "route-2", Geometry: Geometry{{-5, 6}}},
	}}
	var want strings.Builder
	enc := json.NewEncoder(&want)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		t.Fatal(err)
	}
	got, err := a.AppendJSON([]byte("x"))
	if err != nil || string(got)+"\n" != "x"+want.String() {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want.String())
	}
}
