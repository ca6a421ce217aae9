package tile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMetadata: what was written is read again.
func TestMetadata(t *testing.T) {
	want := Info{
		Name: "Oʻzbekiston", Description: "d", Attribution: "© OpenStreetMap contributors", Version: "1", Schema: "shortbread", SchemaVersion: "1.1",
		Encoding: "terrarium", Layers: []Layer{{ID: "pois", Description: "p", MinZoom: 12, MaxZoom: 14, Fields: map[string]string{"rank": "Number"}}},
	}
	b, err := want.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	var got Info
	if err := got.ReadMetadata(b); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestForeignMetadata: archives of others leave out and misspell what they like.
func TestForeignMetadata(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	layer := func(l Layer) []Layer { return []Layer{l} }
	for _, c := range []struct {
		in   string
		want Info
	}{
		{`{}`, Info{}},
		{`{"name":7,"description":null,"attribution":["a"],"version":{},"vector_layers":{}}`, Info{}},
		{`{"name":"a","attribution":"` + long + `"}`, Info{Name: "a"}},
		{`{"tile_schema":"shortbread@1.0"}`, Info{Schema: "shortbread", SchemaVersion: "1.0"}},
		{`{"vector_layers":[7,{"id":""},{"id":"x","minzoom":"3","maxzoom":-1}]}`,
			Info{Layers: layer(Layer{ID: "x", MaxZoom: 14, Fields: map[string]string{}})}},
		{`{"vector_layers":[{"id":"earth","minzoom":2.0,"maxzoom":99,"fields":{"a":"String","b":3}}]}`,
			Info{Schema: "protomaps", Layers: layer(Layer{ID: "earth", MinZoom: 2, MaxZoom: 14, Fields: map[string]string{"a": "String", "b": ""}})}},
		{`{"vector_layers":[{"id":"water"},{"id":"transportation_name"}],"tile_schema":"mine"}`,
			Info{Schema: "mine", Layers: []Layer{{ID: "water", MaxZoom: 14, Fields: map[string]string{}}, {ID: "transportation_name", MaxZoom: 14, Fields: map[string]string{}}}}},
		{`{"vector_layers":[{"id":"ocean"},{"id":"street_labels"}]}`,
			Info{Schema: "shortbread", Layers: []Layer{{ID: "ocean", MaxZoom: 14, Fields: map[string]string{}}, {ID: "street_labels", MaxZoom: 14, Fields: map[string]string{}}}}},
	} {
		got := Info{MaxZoom: 14}
		if err := got.ReadMetadata([]byte(c.in)); err != nil {
			t.Errorf("%.80s: %v", c.in, err)
			continue
		}
		got.Settle()
		c.want.MaxZoom, c.want.Bounds = 14, [4]float64{-180, -MaxLatitude, 180, MaxLatitude}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%.80s (-want +got):\n%s", c.in, d)
		}
	}
	for _, in := range []string{"", "[]", "7", `{"a"`, `{"vector_layers":[` + strings.Repeat("7,", maxLayers/2) + `7]}`} {
		if err := new(Info).ReadMetadata([]byte(in)); err == nil {
			t.Errorf("%.40s: accepted", in)
		}
	}
}

func TestSettle(t *testing.T) {
	world := [4]float64{-180, -MaxLatitude, 180, MaxLatitude}
	for _, c := range []struct {
		name     string
		in, want Info
	}{
		{"good",
			Info{MinZoom: 1, MaxZoom: 9, Bounds: [4]float64{1, 2, 3, 4}, Center: [2]float64{1.5, 3}, CenterZoom: 4},
			Info{MinZoom: 1, MaxZoom: 9, Bounds: [4]float64{1, 2, 3, 4}, Center: [2]float64{1.5, 3}, CenterZoom: 4}},
		{"nothing", Info{}, Info{Bounds: world}},
		{"upside down",
			Info{MinZoom: 9, MaxZoom: 3, Bounds: [4]float64{3, 2, 1, 4}, CenterZoom: 20},
			Info{MinZoom: 3, MaxZoom: 3, Bounds: world, CenterZoom: 3}},
		{"too far", Info{MinZoom: 2, MaxZoom: 200, Bounds: [4]float64{-181, 0, 1, 1}}, Info{MinZoom: 2, MaxZoom: MaxZoom, Bounds: world, CenterZoom: 2}},
		{"a center outside",
			Info{Bounds: [4]float64{1, 2, 3, 4}, Center: [2]float64{9, 9}},
			Info{Bounds: [4]float64{1, 2, 3, 4}, Center: [2]float64{2, 3}}},
	} {
		c.in.Settle()
		if d := cmp.Diff(c.want, c.in); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestSniff(t *testing.T) {
	for data, want := range map[string]Format{
		"": "", "\x89PNG\r\n\x1a\n....": PNG, "\x89PN": PBF, "\xff\xd8\xff\xe0": JPEG, "RIFF\x10\x00\x00\x00WEBPVP8L": WebP,
		"RIFF\x10\x00\x00\x00WAVE": PBF, "\x1f\x8b\x08": PBF, "\x1a\x05": PBF,
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("%q is %q, want %q", data, got, want)
		}
		if got, want := Gzipped([]byte(data)), strings.HasPrefix(data, "\x1f\x8b"); got != want {
			t.Errorf("%q is gzip: %t", data, got)
		}
	}
}
