package shortbread

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"svc/geo/mvt"
	"svc/geo/osm"
)

func TestNames(t *testing.T) {
	tags := osm.Tags{
		{Key: "place", Value: "city"},
		{Key: "name", Value: " Toshkent "},
		{Key: "name:uz", Value: "Toshkent"},
		{Key: "name:uz-Cyrl", Value: "Тошкент"},
		{Key: "name:ru", Value: "Ташкент"},
		{Key: "name:ru", Value: "again"},
		{Key: "name:nan-Latn-tailo", Value: "x"},
		{Key: "name:en", Value: " "},
		{Key: "name:EN", Value: "no language"},
		{Key: "name:etymology", Value: "no language"},
		{Key: "name:uz:1990", Value: "no language"},
		{Key: "name:uz-", Value: "no language"},
		{Key: "name:", Value: "no language"},
		{Key: "name:zh_pinyin", Value: "no language"},
		{Key: "name_uz", Value: "no name"},
		{Key: "name:kk", Value: strings.Repeat("я", maxValue)},
	}
	tests := []struct {
		langs, want []string
	}{
		{nil, []string{"name", "name_uz", "name_uz-Cyrl", "name_ru", "name_nan-Latn-tailo"}},
		{[]string{"ru", "en"}, []string{"name", "name_ru"}},
		{[]string{"uz"}, []string{"name", "name_uz"}},
	}
	for _, tt := range tests {
		m := New(tt.langs)
		for range 2 { // the second time from what is remembered
			list := m.Node(nil, tags, Hint{})
			if len(list) != 1 {
				t.Fatalf("%d features", len(list))
			}
			var got []string
			for _, tag := range list[0].Tags {
				if strings.HasPrefix(tag.Key, "name") {
					got = append(got, tag.Key)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("languages %v: %v, want %v", tt.langs, got, tt.want)
			}
		}
		if list := m.Node(nil, tags, Hint{}); list[0].Tags[2].Tag != (mvt.Tag{Key: "name", Value: mvt.String("Toshkent")}) {
			t.Errorf("name %v", list[0].Tags[2])
		}
	}
}

func TestValuesAreBounded(t *testing.T) {
	for length, want := range map[int]int{maxValue: 1, maxValue + 1: 0} {
		list := New(nil).Node(nil, osm.Tags{{Key: "addr:housenumber", Value: strings.Repeat("9", length)}}, Hint{})
		if len(list) != want {
			t.Errorf("a house number of %d bytes gives %d features, want %d", length, len(list), want)
		}
	}
}

func TestNamesAreBounded(t *testing.T) {
	tags := osm.Tags{{Key: "place", Value: "city"}}
	for i := range 3 * maxNames {
		tags = append(tags, osm.Tag{Key: "name:aa-" + strconv.Itoa(i), Value: "x"})
	}
	m := New(nil)
	if list := m.Node(nil, tags, Hint{}); len(list) != 1 || len(list[0].Tags) > maxNames+3 {
		t.Errorf("%d features, %d tags", len(list), len(list[0].Tags))
	}
	for i := range 2 * maxNameKeys {
		m.Node(nil, osm.Tags{{Key: "place", Value: "city"}, {Key: "name:bb-" + strconv.Itoa(i), Value: "x"}}, Hint{})
	}
	if len(m.nameKeys) > maxNameKeys {
		t.Errorf("remembers %d names of tags", len(m.nameKeys))
	}
}

// TestTagsOfOneList: what is appended to a list that is not empty leaves the
// tags of the features before alone.
func TestTagsOfOneList(t *testing.T) {
	m := New(nil)
	list := m.Area(nil, tagsOf("landuse=forest name=A"), Hint{})
	list = m.BoundaryLabel(list, tagsOf("boundary=administrative admin_level=2 name=B"), Hint{})
	list = m.Node(list, tagsOf("place=town name=C"), Hint{})
	knowing("forest town A B C")
	const want = "boundary_labels point 2 admin_level=2 way_area=0 name=B\nland polygon 7 kind=forest\nplace_labels point 7 kind=town population=5000 name=C"
	if got := show(list); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestBoundary(t *testing.T) {
	country, state, dispute := Border{Level: 2}, Border{Level: 4}, Border{Disputed: true}
	tests := []struct {
		tags    string
		borders []Border
		want    string
	}{
		{"", []Border{country}, "boundaries line 0 admin_level=2 maritime=false disputed=false"},
		{"", []Border{state, state}, "boundaries line 7 admin_level=4 maritime=false disputed=false"},
		{"maritime=yes", []Border{state, country, state}, "boundaries line 0 admin_level=2 maritime=true disputed=false"},
		{"natural=coastline", []Border{country}, "boundaries line 0 admin_level=2 maritime=true disputed=false"},
		{"disputed=yes", []Border{state}, "boundaries line 7 admin_level=4 maritime=false disputed=true"},
		{"", []Border{dispute, country}, "boundaries line 0 admin_level=2 maritime=false disputed=true"},
		{"", []Border{dispute}, ""},
		{"", nil, ""},
	}
	for _, tt := range tests {
		list := New(nil).Boundary(nil, tagsOf(tt.tags), tt.borders)
		if got := show(list); got != tt.want {
			t.Errorf("%q %v: %q, want %q", tt.tags, tt.borders, got, tt.want)
		}
		conforms(t, list)
	}
}

func TestBorderOf(t *testing.T) {
	tests := []struct {
		tags string
		want Border
		ok   bool
	}{
		{"boundary=administrative admin_level=2", Border{Level: 2}, true},
		{"boundary=administrative admin_level=4", Border{Level: 4}, true},
		{"boundary=administrative admin_level=3", Border{}, false},
		{"boundary=administrative admin_level=2;4", Border{}, false},
		{"boundary=administrative", Border{}, false},
		{"boundary=disputed", Border{Disputed: true}, true},
		{"boundary=disputed admin_level=4", Border{Disputed: true}, true},
		{"boundary=disputed admin_level=8", Border{}, false},
		{"boundary=maritime admin_level=2", Border{}, false},
		{"", Border{}, false},
	}
	for _, tt := range tests {
		if b, ok := BorderOf(tagsOf(tt.tags)); b != tt.want || ok != tt.ok {
			t.Errorf("%q: %v %v, want %v %v", tt.tags, b, ok, tt.want, tt.ok)
		}
	}
}

func TestCountryCode(t *testing.T) {
	for tags, want := range map[string]string{
		"boundary=administrative admin_level=2 ISO3166-1=MT":                                  "MT",
		"boundary=administrative admin_level=2 ISO3166-1=MLT ISO3166-1:alpha2=MT ISO3166-2=x": "MT",
		"boundary=administrative admin_level=4 ISO3166-1=MT":                                  "",
		"boundary=administrative admin_level=2":                                               "",
	} {
		if got := CountryCode(tagsOf(tags)); got != want {
			t.Errorf("%s: %q, want %q", tags, got, want)
		}
	}
}

// TestMeasure: areas decide when labels appear and which comes first.
func TestMeasure(t *testing.T) {
	const km2 = 1e6
	// The first zoom is by the area on the plane, which is the room that a name has; the
	// attribute is the area on the ground.
	label := func(tags string, plane float64) Feature {
		f := New(nil).BoundaryLabel(nil, tagsOf(tags), Hint{})[0]
		f.Measure(plane, plane/2)
		return f
	}
	const country, state = "boundary=administrative admin_level=2 name=A", "boundary=administrative admin_level=4 name=A"
	for _, tt := range []struct {
		tags string
		area float64
		min  uint8
	}{
		{country, 3e6 * km2, 2},
		{country, 2e6 * km2, 2},
		{country, 1.9e6 * km2, 3},
		{country, 1.36e6 * km2, 3}, // France, of 640,000 km² on the ground
		{country, 7e5 * km2, 3},
		{country, 1e5 * km2, 4},
		{country, 316 * km2, 5},
		{state, 3e6 * km2, 3},
		{state, 7e5 * km2, 3},
		{state, 1e5 * km2, 4},
		{state, 1, 5},
	} {
		f := label(tt.tags, tt.area)
		if f.Min != tt.min || f.Tags[1].Tag != (mvt.Tag{Key: "way_area", Value: mvt.Float(math.Round(tt.area / 2 / 1e4))}) {
			t.Errorf("%s of %v m²: from zoom %d with %v, want %d", tt.tags, tt.area, f.Min, f.Tags[1], tt.min)
		}
	}
	if a, b := label(country, 5e9), label(country, 4e9); a.Order >= b.Order {
		t.Errorf("the larger country has order %d, the smaller %d", a.Order, b.Order)
	}
	for area, zoom := range map[float64]uint8{2e9: 4, 2e7: 8, 2e5: 11, 2e4: 14, 0: 14, math.NaN(): 14} {
		list := New(nil).Way(nil, tagsOf("natural=water name=A"), true, Hint{})
		for i := range list {
			list[i].Measure(area, area/2)
			want := uint8(4)
			if list[i].Layer == WaterPolygonsLabels {
				want = zoom
			}
			if list[i].Min != want {
				t.Errorf("%s of %v m²: from zoom %d, want %d", list[i].Layer, area, list[i].Min, want)
			}
		}
		if !math.IsNaN(area) && list[0].Tags[1].Tag != (mvt.Tag{Key: "way_area", Value: mvt.Float(area)}) {
			t.Errorf("way_area %v, want %v", list[0].Tags[1], area)
		}
	}
	plain := New(nil).Way(nil, tagsOf("landuse=forest"), true, Hint{})[0]
	if plain.Measure(5, 5); plain.Order != 0 || plain.Area {
		t.Errorf("a forest was measured: %+v", plain)
	}
}

func TestDescending(t *testing.T) {
	sizes := []float64{math.Inf(1), 1e300, 1e15, 2, 1, 0.5, 1e-9, 0}
	for i := 1; i < len(sizes); i++ {
		a, b := descending(sizes[i-1]), descending(sizes[i])
		if a > b || a == b && sizes[i-1] < 1e300 {
			t.Errorf("%v comes at %d, %v at %d", sizes[i-1], a, sizes[i], b)
		}
	}
	if descending(-1) != 0 || descending(math.NaN()) != 0 {
		t.Error("what is no size has an order")
	}
}

// TestStreetOrder: a list of ways from the lowest to the topmost.
func TestStreetOrder(t *testing.T) {
	ways := []string{
		"highway=motorway layer=-2",
		"highway=footway tunnel=yes",
		"highway=motorway tunnel=yes",
		"highway=steps",
		"highway=path",
		"highway=service",
		"highway=residential",
		"highway=tertiary",
		"highway=primary",
		"highway=motorway",
		"railway=tram",
		"railway=rail service=yard",
		"railway=rail",
		"highway=steps bridge=yes",
		"highway=primary bridge=yes",
		"highway=footway bridge=yes layer=1",
		"highway=motorway layer=90",
	}
	last := int32(math.MinInt32)
	for _, w := range ways {
		f := New(nil).Way(nil, tagsOf(w), false, Hint{})[0]
		if f.Order <= last {
			t.Errorf("%s has order %d, the one below %d", w, f.Order, last)
		}
		last = f.Order
	}
	for _, l := range []string{"rubbish", "NaN", ""} {
		if f := New(nil).Way(nil, tagsOf("highway=service layer="+l), false, Hint{})[0]; f.Order != 3 {
			t.Errorf("layer %q: order %d", l, f.Order)
		}
	}
}

func TestRef(t *testing.T) {
	tests := []struct {
		ref, lines string
		rows, cols int
	}{
		{"", "", 0, 0},
		{" ; ;", "", 0, 0},
		{"M39", "M39", 1, 3},
		{"М39", "М39", 1, 3}, // Cyrillic: characters, not bytes
		{"A1; E123 ;", "A1\nE123", 2, 4},
	}
	for _, tt := range tests {
		if lines, rows, cols := refLines(tt.ref); lines != tt.lines || rows != tt.rows || cols != tt.cols {
			t.Errorf("%q: %q %d %d, want %q %d %d", tt.ref, lines, rows, cols, tt.lines, tt.rows, tt.cols)
		}
	}
}

func TestPopulation(t *testing.T) {
	for v, want := range map[string]int64{
		"3000": 3000, "2 571 668": 2571668, "2,571,668": 2571668, "2.571.668": 2571668, "12\u00a0345": 12345, "0": 0,
		"": -1, "many": -1, "-5": -1, "99999999999": -1, "1e6": -1,
	} {
		n, ok := population(v)
		if !ok {
			n = -1
		}
		if n != want {
			t.Errorf("%q: %d, want %d", v, n, want)
		}
	}
	big := New(nil).Node(nil, tagsOf("place=city name=A population=9999999999"), Hint{})[0]
	small := New(nil).Node(nil, tagsOf("place=city name=A population=9"), Hint{})[0]
	if big.Order >= small.Order || !big.Once {
		t.Errorf("order of a large place %d, of a small one %d", big.Order, small.Order)
	}
}

func TestTagsAt(t *testing.T) {
	f := New(nil).Way(nil, tagsOf("highway=primary oneway=yes surface=asphalt access=no"), false, Hint{})[0]
	count := map[uint8]int{}
	for z := range uint8(MaxZoom + 1) {
		count[z] = len(f.TagsAt(nil, z))
	}
	want := map[uint8]int{5: 3, 10: 3, 11: 6, 12: 6, 13: 10, 14: 12}
	for z, n := range want {
		if count[z] != n {
			t.Errorf("zoom %d: %d tags, want %d", z, count[z], n)
		}
	}
	for a := range uint8(MaxZoom + 1) {
		for b := range uint8(MaxZoom + 1) {
			if f.SameTags(a, b) != (count[a] == count[b]) {
				t.Errorf("same tags at %d and %d: %v", a, b, f.SameTags(a, b))
			}
		}
	}
	if !f.Directed {
		t.Error("a one-way street may be turned round")
	}
	if f := New(nil).Way(nil, tagsOf("railway=rail oneway=yes"), false, Hint{})[0]; f.Directed {
		t.Error("a railway has a direction")
	}
}

func TestCountry(t *testing.T) {
	m := New(nil)
	names := []mvt.Tag{{Key: "name", Value: mvt.String("Malta")}, {Key: "name_uz", Value: mvt.String("Malta")}}
	known = []string{"Malta"}
	if got, want := show(m.Country(nil, names)), "boundary_labels point 2 admin_level=2 way_area=0 name=Malta name_uz=Malta"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if list := m.Country(nil, nil); len(list) != 0 {
		t.Errorf("a country without names: %s", show(list))
	}
	if list := m.BoundaryLabel(nil, tagsOf("boundary=disputed name=A"), Hint{}); len(list) != 0 {
		t.Errorf("a dispute has a label: %s", show(list))
	}
}

// FuzzMapper: tags of any kind give features of the schema only.
func FuzzMapper(f *testing.F) {
	f.Add("highway", "primary", "oneway", "-1", "name:uz-Cyrl", "x", "food.cafe", 0.5, uint8(3))
	f.Add("natural", "water", "water", "river", "name", "x", "nature.lake", -1.0, uint8(2))
	f.Add("place", "city", "population", "9e99", "capital", "yes", "place.city", math.NaN(), uint8(0))
	f.Add("area:aeroway", "runway", "layer", "1e99", "area", "yes", "", 0.0, uint8(2))
	m := New(nil)
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2, k3, v3, category string, rank float64, kind uint8) {
		tags := osm.Tags{{Key: k1, Value: v1}, {Key: k2, Value: v2}, {Key: k3, Value: v3}, {Key: "name", Value: v2}}
		hint := Hint{Category: category, Rank: rank}
		var list []Feature
		switch kind % 4 {
		case 0:
			list = m.Node(nil, tags, hint)
		case 1, 2:
			list = m.Way(nil, tags, kind%2 == 0, hint)
		default:
			list = m.Area(nil, tags, hint)
		}
		list = m.BoundaryLabel(list, tags, hint)
		for i := range list {
			list[i].Measure(rank*1e9, rank*1e8)
		}
		conforms(t, list)
	})
}

func BenchmarkMapper(b *testing.B) {
	m := New(nil)
	tags := []osm.Tags{
		tagsOf("highway=residential name=A name:ru=A name:uz=A surface=asphalt lit=yes"),
		tagsOf("building=yes building:levels=2 addr:street=A addr:housenumber=7"),
		tagsOf("landuse=residential"),
		tagsOf("amenity=cafe name=A name:ru=A opening_hours=24/7 cuisine=uzbek"),
	}
	var dst []Feature
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		dst = m.Way(dst[:0], tags[i&3], true, Hint{})
		i++
	}
}
