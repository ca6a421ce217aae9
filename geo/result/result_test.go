package result

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/geo/geom"
	"svc/geo/index"
)

// open writes a model and opens it.
func open(t *testing.T, m *index.Model) *index.Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.svcmap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := index.Write(f, m, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// one is a model of a single entry.
func one(category, kind string, edit func(*index.Model, *index.Entry)) *index.Model {
	m := &index.Model{Strings: index.NewInterner(), Meta: index.Meta{Categories: []index.CategoryMeta{{ID: category, Kind: kind}, {ID: "address", Kind: "address"}}}}
	e := index.Entry{Source: index.NewSource('n', 7), Point: geom.FromDegrees(41.3, 69.24), StreetEntry: -1, Rank: 1920}
	edit(m, &e)
	m.Entries = []index.Entry{e}
	return m
}

func named(name string) func(*index.Model, *index.Entry) {
	return func(m *index.Model, e *index.Entry) {
		e.Name, e.Bits = m.Strings.ID(name), index.FlagNamed
	}
}

// TestOutsideTaxonomy: some imports use categories that the taxonomy lacks.
func TestOutsideTaxonomy(t *testing.T) {
	x := open(t, one("services.services", "poi", named("Bahor")))
	r := New(x, 0, "uz", nil)
	if r.Group != "services" || r.Icon != "services" || r.CategoryLabel != "" || r.Label != "" {
		t.Errorf("group %q, icon %q, category label %q, label %q", r.Group, r.Icon, r.CategoryLabel, r.Label)
	}
	x = open(t, one("strange", "poi", named("Bahor")))
	if r := New(x, 0, "uz", nil); r.Icon != "poi" {
		t.Errorf("the icon of nothing known is %q", r.Icon)
	}
}

// TestOmissions: what is absent, empty and always there.
func TestOmissions(t *testing.T) {
	x := open(t, one("food.cafe", "poi", named("A <b> & c")))
	at := x.Rows[0].Point()
	far := geom.FromDegrees(41.31, 69.24)
	tiny := geom.Point{X: at.X + 1, Y: at.Y}
	for name, c := range map[string]struct {
		ref  *geom.Point
		want bool
	}{"none": {nil, false}, "the point itself": {&at, false}, "far": {&far, true}, "a centimetre": {&tiny, true}} {
		data, err := json.Marshal(New(x, 0, "uz", c.ref))
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		if _, has := m["distance"]; has != c.want {
			t.Errorf("reference %s: %s", name, data)
		}
		for _, absent := range []string{"names", "matched", "reason"} {
			if _, has := m[absent]; has {
				t.Errorf("%s is sent: %s", absent, data)
			}
		}
		if a, ok := m["address"].(map[string]any); !ok || len(a) != 0 {
			t.Errorf("address: %s", data)
		}
		box, ok := m["bbox"].([]any)
		if !ok || len(box) != 4 || box[0] != m["lon"] || box[2] != m["lon"] || box[1] != m["lat"] || box[3] != m["lat"] {
			t.Errorf("bbox: %s", data)
		}
	}
}

func TestPlaceShape(t *testing.T) {
	x := open(t, one("food.cafe", "poi", func(m *index.Model, e *index.Entry) {
		named("Bahor")(m, e)
		for _, kv := range [][2]string{{"entity", "Q42"}, {"contact:phone", "+998 71"}, {"opening_hours", "Mo-Fr 09:00-18:00"}, {"description", "a <b> & c"}, {"cuisine", "uzbek"}} {
			m.Tags = append(m.Tags, index.TagRef{Key: m.Strings.ID(kv[0]), Value: m.Strings.ID(kv[1])})
		}
		e.Tags = index.Pool{From: 0, Count: uint32(len(m.Tags))}
	}))
	now := time.Date(2026, 11, 20, 12, 30, 0, 0, time.UTC) // Friday 17:30 in Tashkent
	p := NewPlace(x, 0, "ru", true, now)
	data, err := p.Details.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	dec := json.NewDecoder(strings.NewReader(string(data)))
	depth := 0
	for expectKey := false; ; {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch v := tok.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			expectKey = depth == 1
		case string:
			if depth == 1 && expectKey {
				keys = append(keys, v)
				expectKey = false
			} else if depth == 1 {
				expectKey = true
			}
		}
	}
	if want := []string{"phone", "cuisine", "description", "entity", "opening_hours", "hours", "open_status"}; !slices.Equal(keys, want) {
		t.Errorf("details %v, want %v in %s", keys, want, data)
	}
	if !strings.Contains(string(data), "a <b> & c") {
		t.Errorf("HTML characters are escaped: %s", data)
	}
	if s := p.Details.OpenStatus; s == nil || !s.Open || !s.ClosesSoon {
		t.Errorf("at half past five in Tashkent: %+v", s)
	}
	if p.PhotoHint != "/api/photo?entity=Q42" || p.FullAddress != "Точка на карте" {
		t.Errorf("photo hint %q, address %q", p.PhotoHint, p.FullAddress)
	}
	if q := NewPlace(x, 0, "ru", false, now); q.PhotoHint != "" {
		t.Errorf("photos are off: %q", q.PhotoHint)
	}
	whole, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"population":0`, `"admin_level":0`, `"nearby":null`, `"mapsrc":{"type":"n","id":7,"url":"https://`} {
		if !strings.Contains(string(whole), part) {
			t.Errorf("without %s: %s", part, whole)
		}
	}
}

func TestAddressTexts(t *testing.T) {
	for _, c := range []struct {
		a           Address
		full, short string
	}{
		{Address{}, "Dropped pin", ""},
		{Address{Street: "S", HouseNumber: "5", Neighbourhood: "N", District: "D", City: "C", Region: "R"}, "S, 5, D, C", "S, 5"},
		{Address{Street: "S", City: "C", District: "C"}, "S, C", "S"},
		{Address{Neighbourhood: "N", District: "D", Region: "R"}, "N, D, R", "N"},
		{Address{HouseNumber: "5", Neighbourhood: "N"}, "N", "N"},
		{Address{District: "D", City: "C"}, "D, C", "D"},
		{Address{City: "C", Region: "R"}, "C", "C"},
		{Address{Region: "R", Suburb: "S"}, "R", "R"},
		{Address{Suburb: "S", Postcode: "100000"}, "Dropped pin", ""},
	} {
		if got := c.a.Full("en"); got != c.full {
			t.Errorf("%+v: full %q, want %q", c.a, got, c.full)
		}
		if got := c.a.Short(); got != c.short {
			t.Errorf("%+v: short %q, want %q", c.a, got, c.short)
		}
	}
}

func TestLanguage(t *testing.T) {
	for in, want := range map[string]string{"uz": "uz", "ru": "ru", "en": "en", "uz-Cyrl": "uz-Cyrl", "": "uz", "UZ": "uz", "de": "uz", "uz-cyrl": "uz"} {
		if got := Language(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRound(t *testing.T) {
	for in, want := range map[float64]float64{0: 0, 0.0001: 0.01, 0.014: 0.01, 1.239: 1.24, 1234.5678: 1234.57} {
		if got := Round(in); got != want {
			t.Errorf("%v: %v, want %v", in, got, want)
		}
	}
}
