package mapbuild

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osmtags"
)

func tags(pairs ...string) osm.Tags {
	var t osm.Tags
	for i := 0; i < len(pairs); i += 2 {
		t = append(t, osm.Tag{Key: pairs[i], Value: pairs[i+1]})
	}
	return t
}

func equal(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// TestTagSize is the size part of map contract 10.
func TestTagSize(t *testing.T) {
	log := func(p float64) float64 { return (math.Log10(p) - 2) / 5 }
	for _, c := range []struct {
		id   string
		tags osm.Tags
		want float64
	}{
		{"place.city", nil, log(100_000)},
		{"place.town", nil, log(5_000)},
		{"place.village", nil, log(300)},
		{"place.neighbourhood", nil, log(500)},
		{"place.suburb", nil, log(5_000)},
		{"place.district", nil, log(50_000)},
		{"place.region", nil, log(1_000_000)},
		{"place.locality", nil, 0},
		{"place.city", tags("population", "2 500 000"), log(2_500_000)},
		{"place.city", tags("population", "20"), log(100_000)}, // never below the default
		{"place.village", tags("population", "12,000"), log(12_000)},
		{"place.city", tags("population", "99000000000"), 1},
		{"place.city", tags("population", "many"), log(100_000)},
		{"place.city", tags("capital", "yes"), 1},
		{"place.city", tags("capital", "4"), 0.8},
		{"place.city", tags("capital", "4", "population", "5000000"), log(5_000_000)},
		{"nature.peak", tags("ele", "4301 m"), 4301.0 / 5000},
		{"nature.peak", tags("ele", "8848"), 1},
		{"nature.peak", tags("ele", "-28"), 0},
		{"nature.peak", nil, 0},
		{"transport.airport", tags("iata", "TAS"), 1},
		{"transport.airport", nil, osmtags.UnknownSize},
		{"transport.train_station", nil, 0.6},
		{"transport.metro", nil, 0.6},
		{"food.cafe", nil, osmtags.UnknownSize},
		{"address", nil, 0},
	} {
		if got := float64(osmtags.SizeOf(c.id, c.tags)); !equal(got, c.want) {
			t.Errorf("%s %v: %.6f, want %.6f", c.id, c.tags, got, c.want)
		}
	}
}

func TestMeasuredSizes(t *testing.T) {
	for name, c := range map[string][2]float64{
		"motorway of 50 m":     {osmtags.StreetSize(1, 50), 0.7},
		"motorway of 50 km":    {osmtags.StreetSize(1, 50_000), 1},
		"trunk of 500 m":       {osmtags.StreetSize(2, 500), 0.7*0.9 + 0.1},
		"primary":              {osmtags.StreetSize(3, 50), 0.7 * 0.8},
		"secondary":            {osmtags.StreetSize(4, 50), 0.7 * 0.65},
		"tertiary":             {osmtags.StreetSize(5, 50), 0.7 * 0.45},
		"pedestrian":           {osmtags.StreetSize(6, 50), 0.7 * 0.5},
		"residential":          {osmtags.StreetSize(7, 50), 0.7 * 0.25},
		"service":              {osmtags.StreetSize(8, 50), 0.7 * 0.1},
		"path":                 {osmtags.StreetSize(9, 50), 0.7 * 0.05},
		"a street of no class": {osmtags.StreetSize(0, 1), 0.7 * 0.05},
		"a river of 10 km":     {osmtags.RiverSize(10_000), 1.0 / 3},
		"a river of 1000 km":   {osmtags.RiverSize(1_000_000), 1},
		"a river of 10 m":      {osmtags.RiverSize(10), 0},
		"an area of 100 m2":    {osmtags.AreaSize(100), 0},
		"an area of 1 km2":     {osmtags.AreaSize(1e6), 4.0 / 6},
		"an area of 1000 km2":  {osmtags.AreaSize(1e9), 1},
		"an area of nothing":   {osmtags.AreaSize(0), 0},
	} {
		if !equal(c[0], c[1]) {
			t.Errorf("%s: %.6f, want %.6f", name, c[0], c[1])
		}
	}
}

func TestFameAndCompleteness(t *testing.T) {
	for _, c := range []struct {
		tags           osm.Tags
		fame, complete float64
	}{
		{nil, 0, 0},
		{tags("wikidata", "Q1"), 0.5, 0.2},
		{tags("wikipedia", "uz:X"), 0.2, 0},
		{tags("wikipedia:ru", "X"), 0.2, 0},
		{tags("name:uz", "a", "name:ru", "b"), 0.1, 0},
		{tags("name:uz", "a", "name:etymology", "b", "name:etymology:wikidata", "Q1"), 0.05, 0},
		{tags("name:a", "a", "name:b", "b", "name:c", "c", "name:d", "d", "name:e", "e", "name:f", "f", "name:g", "g", "wikidata", "Q1", "wikipedia", "x"), 1, 0.2},
		{tags("opening_hours", "24/7", "phone", "1", "contact:phone", "2"), 0, 0.4},
		{tags("contact:website", "x", "addr:street", "y", "image", "z"), 0, 0.6},
		{tags("opening_hours", "24/7", "phone", "1", "website", "x", "addr:street", "y", "image", "z", "wikidata", "Q1"), 0.5, 1},
	} {
		if f, d := float64(osmtags.FameOf(c.tags)), float64(osmtags.CompletenessOf(c.tags)); !equal(f, c.fame) || !equal(d, c.complete) {
			t.Errorf("%v: fame %.4f and completeness %.4f, want %.4f and %.4f", c.tags, f, d, c.fame, c.complete)
		}
	}
}

func categoryOf(t *testing.T, id string) uint8 {
	t.Helper()
	i, ok := category.Index(id)
	if !ok {
		t.Fatalf("there is no category %s", id)
	}
	return uint8(i)
}

func TestRank(t *testing.T) {
	for _, c := range []struct {
		name, id       string
		size, fame, ok float32
		bits           uint8
		want           float64
	}{
		{"the capital of everything", "place.country", 1, 1, 1, index.FlagNamed, 1},
		{"a café", "food.cafe", 0, 0, 0, index.FlagNamed, 0.6 * 0.32},
		{"a café of which nothing was measured", "food.cafe", osmtags.UnknownSize, 0, 0, index.FlagNamed, 0.6 * 0.32},
		{"all parts", "food.cafe", 0.4, 0.5, 0.6, index.FlagNamed, 0.6*0.32 + 0.25*0.4 + 0.1*0.5 + 0.05*0.6},
		{"nameless: half", "food.cafe", 0.4, 0.5, 0.6, 0, (0.6*0.32 + 0.25*0.4 + 0.1*0.5 + 0.05*0.6) / 2},
		{"an address", "address", 0, 1, 1, index.FlagNamed | index.FlagHoused, 0.02 + 0.04*0.06},
		{"an interpolated one", "address", 0, 0, 0, index.FlagNamed | index.FlagHoused | index.FlagInterpolated, 0.02},
		{"a playground without a name", "leisure.playground", 0, 0, 0, 0, 0.03},
	} {
		d := &draft{size: c.size, fame: c.fame, complete: c.ok}
		d.Category, d.Bits = categoryOf(t, c.id), c.bits
		if got := float64(rank(d)) / 10000; math.Abs(got-c.want) > 0.00006 {
			t.Errorf("%s: %.4f, want %.4f", c.name, got, c.want)
		}
	}
}

// TestRankMonotone: more of anything never ranks lower, and every rank lies in
// [0.02, 1].
func TestRankMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		d := &draft{size: r.Float32(), fame: r.Float32(), complete: r.Float32()}
		d.Category = uint8(r.IntN(len(category.All())))
		d.Bits = uint8(r.IntN(2)) * index.FlagNamed
		before := rank(d)
		if before < 200 || before > 10000 {
			t.Fatalf("rank %d", before)
		}
		more := *d
		switch r.IntN(4) {
		case 0:
			more.size += (1 - more.size) * r.Float32()
		case 1:
			more.fame += (1 - more.fame) * r.Float32()
		case 2:
			more.complete += (1 - more.complete) * r.Float32()
		case 3:
			more.Bits |= index.FlagNamed
		}
		if after := rank(&more); after < before {
			t.Fatalf("%+v ranks %d, and with more of something %d", d, before, after)
		}
	}
	last := 0.0
	for p := 1.0; p < 1e9; p *= 1.3 {
		s := float64(osmtags.SizeOf("place.village", tags("population", osmNumber(p))))
		if s < last {
			t.Fatalf("a population of %.0f has size %.4f after %.4f", p, s, last)
		}
		last = s
	}
}

func osmNumber(p float64) string {
	var digits []byte
	for n := int64(p); n > 0; n /= 10 {
		digits = append(digits, byte('0'+n%10))
	}
	slices.Reverse(digits)
	return string(digits)
}

func TestNumber(t *testing.T) {
	for s, want := range map[string]float64{
		"": 0, "12": 12, "1 200 000": 1200000, "1,200": 1200, "1'200": 1200, "2390 m": 2390, "2390m": 2390, "12.5": 12.5,
		"-5": 0, "about 300": 300, "many": 0, "99999999999999999999": 0, "12.": 12, "1\u00a0200": 1200, "5-6": 5,
	} {
		if got := osmtags.Number(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		from, to, kind string
		want           []string
	}{
		{"2", "8", "even", []string{"4", "6"}},
		{"8", "2", "even", []string{"6", "4"}},
		{"1", "7", "odd", []string{"3", "5"}},
		{"1", "4", "all", []string{"2", "3"}},
		{"1", "2", "all", nil},
		{"5", "5", "all", nil},
		{"10", "40", "10", []string{"20", "30"}},
		{"1", "7", "even", nil},   // odd ends
		{"2", "8", "odd", nil},    // even ends
		{"1", "8", "even", nil},   // mixed ends
		{"1", "9", "", nil},       // no kind
		{"1", "9", "yes", nil},    // an unknown kind
		{"1", "9", "0", nil},      // no step
		{"1", "9", "-2", nil},     // a falling step
		{"12a", "16", "all", nil}, // a letter where a number is wanted
		{"12a", "12d", "alphabetic", []string{"12b", "12c"}},
		{"12d", "12a", "alphabetic", []string{"12c", "12b"}},
		{"12", "12c", "alphabetic", []string{"12a", "12b"}},
		{"12a", "13d", "alphabetic", nil},
		{"a", "d", "alphabetic", nil},
		{"", "", "alphabetic", nil},
		{"", "", "all", nil},
	} {
		if got := between(c.from, c.to, c.kind); !slices.Equal(got, c.want) {
			t.Errorf("%s to %s, %s: %v, want %v", c.from, c.to, c.kind, got, c.want)
		}
	}
	if n := len(between("1", "2000000000", "all")); n != maxInterpolated {
		t.Errorf("%d numbers", n)
	}
}
