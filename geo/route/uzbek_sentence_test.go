package route

import (
	"strings"
	"testing"
	"unicode"
)

// TestUzbek is the table of map contract 12: each row and modifier, with a
// name that ends in a street word, and without one.
func TestUzbek(t *testing.T) {
	const S = "Amir Temur koʻchasi"
	tests := []struct {
		engine        int
		with, without string
	}{
		{1, S + " boʻylab harakatni boshlang", "Harakatni boshlang"},
		{2, "Oʻngga burilib, " + S + " boʻylab yoʻlga chiqing", "Oʻngdan yoʻlga chiqing"},
		{3, "Chapga burilib, " + S + " boʻylab yoʻlga chiqing", "Chapdan yoʻlga chiqing"},
		{4, "Manzilga yetib keldingiz", "Manzilga yetib keldingiz"},
		{5, "Manzil oʻng tomonda", "Manzil oʻng tomonda"},
		{6, "Manzil chap tomonda", "Manzil chap tomonda"},
		{7, S + " boʻylab toʻgʻriga davom eting", "Toʻgʻriga davom eting"},
		{8, S + " boʻylab toʻgʻriga davom eting", "Toʻgʻriga davom eting"},
		{9, S + " tomon yengil oʻngga buriling", "Yengil oʻngga buriling"},
		{10, S + " tomon oʻngga buriling", "Oʻngga buriling"},
		{11, S + " tomon keskin oʻngga buriling", "Keskin oʻngga buriling"},
		{12, S + " boʻylab orqaga qayting", "Orqaga buriling"},
		{13, S + " boʻylab orqaga qayting", "Orqaga buriling"},
		{14, S + " tomon keskin chapga buriling", "Keskin chapga buriling"},
		{15, S + " tomon chapga buriling", "Chapga buriling"},
		{16, S + " tomon yengil chapga buriling", "Yengil chapga buriling"},
		{17, "Kirish yoʻliga toʻgʻridan chiqing", "Kirish yoʻliga toʻgʻridan chiqing"},
		{18, "Kirish yoʻliga oʻngdan chiqing", "Kirish yoʻliga oʻngdan chiqing"},
		{19, "Kirish yoʻliga chapdan chiqing", "Kirish yoʻliga chapdan chiqing"},
		{20, "Oʻngdagi chiqishdan chiqing", "Oʻngdagi chiqishdan chiqing"},
		{21, "Chapdagi chiqishdan chiqing", "Chapdagi chiqishdan chiqing"},
		{22, "Ayrilishda toʻgʻriga yuring", "Ayrilishda toʻgʻriga yuring"},
		{23, "Ayrilishda oʻngga oling", "Ayrilishda oʻngga oling"},
		{24, "Ayrilishda chapga oling", "Ayrilishda chapga oling"},
		{25, S + " oqimiga qoʻshiling", "Oqimga qoʻshiling"},
		{37, S + " oqimiga oʻngdan qoʻshiling", "Oqimga oʻngdan qoʻshiling"},
		{38, S + " oqimiga chapdan qoʻshiling", "Oqimga chapdan qoʻshiling"},
		{26, "Aylanma yoʻlga kiring", "Aylanma yoʻlga kiring"},
		{27, "Aylanma yoʻldan " + S + " tomon chiqing", "Aylanma yoʻldan chiqing"},
		{28, "Paromga chiqing", "Paromga chiqing"},
		{29, "Paromdan tushing", "Paromdan tushing"},
		{30, "Jamoat transportidan foydalaning", "Jamoat transportidan foydalaning"},
		{36, "Jamoat transportidan foydalaning", "Jamoat transportidan foydalaning"},
		{39, "Liftdan foydalaning", "Liftdan foydalaning"},
		{40, "Zinadan yuring", "Zinadan yuring"},
		{41, "Eskalatordan foydalaning", "Eskalatordan foydalaning"},
		{42, "Binoga kiring", "Binoga kiring"},
		{43, "Binodan chiqing", "Binodan chiqing"},
		{0, "Davom eting", "Davom eting"},
		{44, "Davom eting", "Davom eting"},
		{45, "Davom eting", "Davom eting"},
		{-1, "Davom eting", "Davom eting"},
		{1 << 40, "Davom eting", "Davom eting"},
	}
	said := map[manoeuvre]bool{}
	for _, tt := range tests {
		row := manoeuvreOf(tt.engine)
		said[row] = true
		for street, want := range map[string]string{S: tt.with, "": tt.without} {
			if got := (spoken{kind: row.kind, modifier: row.modifier, street: street}).sentence(); got != want {
				t.Errorf("type %d with %q: %q, want %q", tt.engine, street, got, want)
			}
		}
	}
	for n := range manoeuvres {
		if row := manoeuvreOf(n); !said[row] {
			t.Errorf("no test says type %d: %v", n, row)
		}
	}
}

func TestUzbekSignsAndCounts(t *testing.T) {
	tests := []struct {
		name string
		s    spoken
		want string
	}{
		{"ramp toward", spoken{kind: "ramp", modifier: "right", toward: "Samarqand"}, "Samarqand tomon kirish yoʻliga oʻngdan chiqing"},
		{"exit with its number", spoken{kind: "exit", modifier: "right", number: "12"}, "12-chiqishdan oʻngga chiqing"},
		{"exit with its number, toward", spoken{kind: "exit", modifier: "left", number: "12A", toward: "Samarqand"}, "12A-chiqishdan chapga chiqing, Samarqand tomon"},
		{"exit toward", spoken{kind: "exit", modifier: "left", toward: "Samarqand"}, "Chapdagi chiqishdan chiqing, Samarqand tomon"},
		{"fork toward", spoken{kind: "fork", modifier: "straight", toward: "Samarqand"}, "Ayrilishda toʻgʻriga yuring, Samarqand tomon"},
		{"roundabout with its exit", spoken{kind: "roundabout", exit: 3}, "Aylanma yoʻlga kiring va 3-chiqishdan chiqing"},
		{"roundabout into a street", spoken{kind: "roundabout", exit: 3, street: "Navoiy koʻchasi"}, "Aylanma yoʻlga kiring va 3-chiqishdan chiqing, Navoiy koʻchasi tomon"},
		{"roundabout into another name", spoken{kind: "roundabout", exit: 1, street: "M39"}, "Aylanma yoʻlga kiring va 1-chiqishdan chiqing — M39"},
		{"a name without a street word", spoken{kind: "turn", modifier: "left", street: "M39"}, "Chapga buriling — M39"},
		{"a name in Cyrillic", spoken{kind: "turn", modifier: "left", street: "Навоий кўчаси"}, "Навоий кўчаси tomon chapga buriling"},
		{"another apostrophe", spoken{kind: "continue", modifier: "straight", street: "Katta halqa yo'li"}, "Katta halqa yo'li boʻylab toʻgʻriga davom eting"},
		{"written small", spoken{kind: "depart", street: "navoiy Koʻchasi"}, "Navoiy Koʻchasi boʻylab harakatni boshlang"},
		{"only a street word inside", spoken{kind: "depart", street: "Koʻchasi yangi"}, "Harakatni boshlang — Koʻchasi yangi"},
		{"broken bytes", spoken{kind: "depart", street: "\xff koʻchasi"}, "\xff koʻchasi boʻylab harakatni boshlang"},
	}
	for _, tt := range tests {
		if got := tt.s.sentence(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestUzbekTable holds the texts to the rules at the head of their file, so
// that a correction that breaks one is told.
func TestUzbekTable(t *testing.T) {
	seen := map[manoeuvre]bool{}
	for _, r := range uzbekTexts {
		row := manoeuvre{r.kind, r.modifier}
		if seen[row] {
			t.Errorf("two rows for %v", row)
		}
		seen[row] = true
		if r.named != "" && !strings.Contains(r.named, "{S}") || strings.ContainsAny(r.plain, "{}") || r.plain == "" {
			t.Errorf("%v: named %q must hold {S}, plain %q must hold nothing", row, r.named, r.plain)
		}
		if r.toward != "" && !strings.Contains(r.toward, "{T}") && !strings.Contains(r.toward, "{N}") && !strings.Contains(r.toward, "{n}") {
			t.Errorf("%v: %q holds none of {T}, {N}, {n}", row, r.toward)
		}
		for _, text := range []string{r.named, r.toward, r.plain} {
			first := []rune(text + "{")[0]
			if strings.ContainsAny(text, ".'’‘`") || first != '{' && !unicode.IsUpper(first) {
				t.Errorf("%v: %q begins small, has a full stop or another apostrophe than ʻ and ʼ", row, text)
			}
		}
	}
	for n := range manoeuvres {
		if !seen[manoeuvreOf(n)] {
			t.Errorf("no text for type %d: %v", n, manoeuvreOf(n))
		}
	}
	if !strings.Contains(uzbekTail, "{S}") {
		t.Errorf("%q has no {S}", uzbekTail)
	}
}
