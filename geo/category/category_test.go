package category

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"svc/geo/text"
)

// osmColumns reads the column of the contract that the rules compile.
func osmColumns(t *testing.T) map[string]string {
	t.Helper()
	var file struct {
		Categories []struct{ ID, OSM string }
	}
	if err := json.Unmarshal(source, &file); err != nil {
		t.Fatal(err)
	}
	columns := make(map[string]string)
	for _, c := range file.Categories {
		columns[c.ID] = c.OSM
	}
	return columns
}

func TestTaxonomy(t *testing.T) {
	if len(All()) != 131 || len(Groups()) != 18 {
		t.Fatalf("%d categories and %d groups, want 131 and 18", len(All()), len(Groups()))
	}
	for i, c := range All() {
		if at, ok := Index(c.ID); !ok || at != i {
			t.Errorf("Index(%s) = %d, %v, want %d", c.ID, at, ok, i)
		}
		if g, ok := GroupOf(c.ID); !ok || g.ID != c.Group {
			t.Errorf("GroupOf(%s) = %s, %v, want %s", c.ID, g.ID, ok, c.Group)
		}
		if g, _ := GroupOf(c.ID); IsFallback(c.ID) && c.Icon != g.Icon || !IsFallback(c.ID) && c.Icon != c.ID[strings.LastIndexByte(c.ID, '.')+1:] {
			t.Errorf("the icon of %s is %s", c.ID, c.Icon)
		}
		if c.Label.UZ == "" || c.Label.RU == "" || c.Label.EN == "" || c.Rank <= 0 || c.Rank > 1 {
			t.Errorf("%s lacks a label or has a rank outside (0, 1]: %+v", c.ID, c)
		}
		if strings.ContainsAny(c.Label.UZ+strings.Join(c.Synonyms, ""), "'`‘’") {
			t.Errorf("%s is written with a wrong apostrophe", c.ID)
		}
	}
	exceptions := map[string]string{"transport.parking": "auto", "culture.theme_park": "leisure", "services.coworking": "office"}
	for _, c := range All() {
		want, _, _ := strings.Cut(c.ID, ".")
		if g := exceptions[c.ID]; g != "" {
			want = g
		}
		if c.Group != want {
			t.Errorf("%s is in the group %s, want %s", c.ID, c.Group, want)
		}
	}
}

func TestGroupOfUnknown(t *testing.T) {
	for id, want := range map[string]string{"services.services": "services", "food.soup": "food", "food": "food", "nothing.here": "", "": ""} {
		if g, ok := GroupOf(id); g.ID != want || ok != (want != "") {
			t.Errorf("GroupOf(%q) = %q, %v, want %q", id, g.ID, ok, want)
		}
	}
	for id, want := range map[string]string{"food.cafe": "cafe", "food.soup": "restaurant", "services.services": "services", "x": "poi"} {
		if got := Icon(id); got != want {
			t.Errorf("Icon(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	for id, want := range map[string]string{"food.cafe": "poi", "place.city": "place", "street": "street", "address": "address", "nature.lake": "nature", "transport.parking": "poi"} {
		i, _ := Index(id)
		if got := KindOf(i); got != want {
			t.Errorf("KindOf(%s) = %q, want %q", id, got, want)
		}
	}
	if KindOf(-1) != "" || KindOf(len(All())) != "" {
		t.Error("a number outside the table has a kind")
	}
}

func TestLabelIn(t *testing.T) {
	l := Label{UZ: "u", RU: "r", EN: "e"}
	for lang, want := range map[string]string{"uz": "u", "ru": "r", "en": "e", "uz-Cyrl": "e", "de": "u", "": "u"} {
		if got := l.In(lang); got != want {
			t.Errorf("In(%q) = %q, want %q", lang, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	i, _ := Index("religion.synagogue")
	got, err := json.Marshal(All()[i])
	const want = `{"id":"religion.synagogue","group":"religion","icon":"synagogue","label":{"uz":"Sinagoga","ru":"Синагога","en":"Synagogue"},"rank":0.34}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	got, err = json.Marshal(Groups()[0])
	const group = `{"id":"food","icon":"restaurant","color":"#E8712B","label":{"uz":"Ovqatlanish","ru":"Еда и напитки","en":"Food \u0026 drink"}}`
	if err != nil || string(got) != group {
		t.Errorf("%s, %v, want %s", got, err, group)
	}
}

// No label or synonym belongs to two categories and none equals a group label,
// so that an intent is never ambiguous (map contract 9).
func TestNoAmbiguousPhrase(t *testing.T) {
	owner := map[string]string{}
	claim := func(who string, words ...string) {
		mine := map[string]bool{}
		for _, w := range words {
			mine[strings.Join(text.Tokens(w), " ")] = true
			for _, s := range spellings(w) {
				mine[s] = true
			}
		}
		for _, s := range slices.Sorted(maps.Keys(mine)) {
			if other, taken := owner[s]; taken {
				t.Errorf("%q belongs to %s and %s", s, other, who)
			}
			owner[s] = who
		}
	}
	for _, g := range Groups() {
		claim("group:"+g.ID, g.Label.UZ, g.Label.RU, g.Label.EN)
	}
	for _, c := range All() {
		claim(c.ID, append([]string{c.Label.UZ, c.Label.RU, c.Label.EN}, c.Synonyms...)...)
	}
}

func TestFindIntent(t *testing.T) {
	for _, c := range []struct {
		q, category string
		from, to    int
	}{
		{"apteka", "health.pharmacy", 0, 1},
		{"АПТЕКА", "health.pharmacy", 0, 1},
		{"дорихона", "health.pharmacy", 0, 1},
		{"dorixona chilonzor", "health.pharmacy", 0, 1},
		{"chilonzor dorixona", "health.pharmacy", 1, 2},
		{"temir yo'l vokzali", "transport.train_station", 0, 3},
		{"toshkent temir yoʻl vokzali janubiy", "transport.train_station", 1, 4},
		{"savdo markazi", "shopping.mall", 0, 2},
		{"bozor savdo markazi", "shopping.mall", 1, 3},         // the longest, not the first
		{"bank bozor", "finance.bank", 0, 1},                   // the first of two equal ones
		{"Deer Park Tavern ресторан", "food.restaurant", 3, 4}, // the one at the end, not the one in the name
		{"Delaware City restoran", "food.restaurant", 2, 3},
		{"Golden Bay beach", "nature.bay", 1, 2},
		{"grand hotel registon", "lodging.hotel", 1, 2},
		{"oziq-ovqat doʻkoni", "shopping.convenience", 0, 3},
		{"торговый центр", "shopping.mall", 0, 2},
		{"мороженое", "food.ice_cream", 0, 1},
		{"еда и напитки", "group:food", 0, 3},
		{"food & drink", "group:food", 0, 2},
		{"xizmatlar", "group:services", 0, 1},
		{"населенные пункты", "group:place", 0, 2},
		{"Населённые пункты", "group:place", 0, 2},
		{"посёлок городского типа", "place.town", 0, 3},
		{"улица Навои", "street", 0, 1},
		{"WC", "services.toilets", 0, 1},
		{"apteka-24", "health.pharmacy", 0, 1},
		{"apt", "", 0, 0},
		{"aptekalar", "", 0, 0},
		{"amir temur", "", 0, 0},
		{"", "", 0, 0},
	} {
		got, ok := FindIntent(text.Tokens(c.q))
		if ok != (c.category != "") || got.Category != c.category || got.From != c.from || got.To != c.to {
			t.Errorf("FindIntent(%q) = %q [%d,%d), %v; want %q [%d,%d)", c.q, got.Category, got.From, got.To, ok, c.category, c.from, c.to)
		}
	}
	it, _ := FindIntent([]string{"kafe"})
	if it.Icon != "cafe" || it.Label("ru") != "Кафе" || it.Label("uz-Cyrl") != "Cafe" {
		t.Errorf("the intent of kafe is %+v", it)
	}
	it, _ = FindIntent([]string{"avto"})
	if it.Category != "group:auto" || it.Icon != "fuel" || it.Label("en") != "Auto" {
		t.Errorf("the intent of avto is %+v", it)
	}
}

// Every label and synonym of at most three tokens finds its own category.
func TestEveryPhraseFindsItsCategory(t *testing.T) {
	for _, c := range All() {
		if IsFallback(c.ID) {
			if it, ok := FindIntent(text.Tokens(c.Label.EN)); ok && it.Category == c.ID {
				t.Errorf("the label of %s asks for it", c.ID)
			}
			continue
		}
		for _, w := range append([]string{c.Label.UZ, c.Label.RU, c.Label.EN}, c.Synonyms...) {
			tokens := text.Tokens(w)
			if len(tokens) > maxPhrase {
				continue
			}
			if it, ok := FindIntent(tokens); !ok || it.Category != c.ID || it.To != len(tokens) {
				t.Errorf("%q finds %q", w, it.Category)
			}
		}
	}
}

func BenchmarkFindIntent(b *testing.B) {
	tokens := text.Tokens("toshkent temir yoʻl vokzali janubiy kirish 12")
	b.ReportAllocs()
	for b.Loop() {
		FindIntent(tokens)
	}
}
