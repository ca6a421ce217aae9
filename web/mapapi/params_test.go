package mapapi

import (
	"net/url"
	"testing"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/search"
)

func query(t *testing.T, raw string) params {
	t.Helper()
	v, err := url.ParseQuery(raw)
	if err != nil {
		t.Fatal(err)
	}
	return params{v}
}

func TestNumbersAreReadLeniently(t *testing.T) {
	for text, want := range map[string]float64{
		"1.5": 1.5, "-3": -3, "1e3": 1000, "": 0, "x": 0, "1,5": 0, "NaN": 0, "Inf": 0, "-infinity": 0, "1e999": 0, " 1": 0, "1 ": 0,
		"0x1p4": 0, "0X1P4": 0, "1_0": 0, "0x1_0p0": 0, "0b1": 0,
	} {
		if got, _ := query(t, "n="+url.QueryEscape(text)).number("n"); got != want {
			t.Errorf("number(%q) = %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]int{"3": 3, "-3": -3, "0": 0, "7.9": 10, "": 10, "x": 10, "1e2": 10, "99999999999999999999": 10} {
		if got := query(t, "n="+url.QueryEscape(text)).integer("n", 10); got != want {
			t.Errorf("integer(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestPointNeedsBothAndNeitherZero(t *testing.T) {
	for raw, want := range map[string]bool{
		"lat=41.5&lon=64.5": true, "lat=-90&lon=180": true, "lat=90&lon=-180": true, "lat=41.5": false, "lon=64.5": false,
		"lat=0&lon=64.5": false, "lat=41.5&lon=0": false, "lat=90.1&lon=64.5": false, "lat=41.5&lon=-180.1": false,
		"lat=NaN&lon=64.5": false, "lat=41.5&lon=Inf": false, "lat=abc&lon=64.5": false, "": false,
	} {
		if _, _, ok := query(t, raw).point(); ok != want {
			t.Errorf("point of %q: %v, want %v", raw, ok, want)
		}
	}
}

func TestKinds(t *testing.T) {
	none := search.KindSet(0)
	both := none.With(index.POI).With(index.Street)
	for raw, want := range map[string]search.KindSet{
		"": none, ",": none, "poi,street": both | noKind, "street, poi": both | noKind,
		"planet": noKind, "planet,poi": none.With(index.POI) | noKind, "POI": noKind,
	} {
		if got := (params{url.Values{"kinds": {raw}}}).kinds(); got != want {
			t.Errorf("kinds of %q: %b, want %b", raw, got, want)
		}
	}
	for k := range index.KindCount {
		if noKind&none.With(k) != 0 {
			t.Errorf("noKind is the kind %v", k)
		}
	}
}

func TestBoxIsExactlyFourNumbers(t *testing.T) {
	sw, ne := geom.FromDegrees(41, 64), geom.FromDegrees(42, 65)
	want := geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}
	for _, text := range []string{"64,41,65,42", " 64 , 41 , 65 , 42 ", "64.0,41.0,65.0,4.2e1"} {
		if got := (params{url.Values{"bbox": {text}}}).box(); got == nil || *got != want {
			t.Errorf("box of %q: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "64,41,65", "64,41,65,42,1", "64,41,65,x", "64,41,65,", "64,41,65,NaN", "64;41;65;42"} {
		if got := (params{url.Values{"bbox": {text}}}).box(); got != nil {
			t.Errorf("box of %q: %v, want none", text, got)
		}
	}
	if got := (params{url.Values{"bbox": {"-1e9,-1e9,1e9,1e9"}}}).box(); got == nil || got.MinX >= got.MaxX || got.MinY >= got.MaxY {
		t.Errorf("the box beyond the world: %v", got)
	}
}
