package mask

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"karta ８６００ ０１８８ ５９１８ ９６５５!":         "karta [CARD]!",
		"9860 keyin 1234 keyin 5678 va 9012": "[CARD]",
		"9860 1234 oxiri 5678 9012":          "[CARD]",
		"4111-1111-1111-1111":                "[CARD]",
		"90 123 45 67 ga yozing":             "[PHONE] ga yozing",
		"+998 (90) 123-45-67":                "[PHONE]",
		"tel 1234567":                        "tel [PHONE]",
		"telefon 4 200 000, chexol 90 000":   "telefon 4 200 000, chexol 90 000",
		"trek raqami RB123456789UZ":          "trek raqami RB123456789UZ",
		"nomer A901234567":                   "nomer A[PHONE]",
		"Samsung A56 8/128 12 oyga":          "Samsung A56 8/128 12 oyga",
		"A90 123 45 67":                      "A[PHONE]",
		"razmer 42 43 44 45":                 "razmer 42 43 44 45",
		"ali.v @ mail.uz ga":                 "[EMAIL] ga",
		"5 kg @ 3 so'm, instagram @my.shop":  "5 kg @ 3 so'm, instagram @my.shop",
		"a.b+c@mail.uz, raxmat":              "[EMAIL], raxmat",
		"12 500 000 so'm":                    "12 500 000 so'm",
		"25.12.2026 14:30":                   "25.12.2026 14:30",
		"buyurtma 458921":                    "buyurtma 458921",
		"901234567, 998887766":               "[PHONE], [PHONE]",
		"narxi 250000 dan 300000 gacha":      "narxi 250000 dan 300000 gacha",
		strings.Repeat("1 ", 6) + "ta":       strings.Repeat("1 ", 6) + "ta",
	} {
		if got := Text(in).Text; got != want {
			t.Errorf("%q is masked as %q, want %q", in, got, want)
		}
	}
	if got := Cards("4111 1111 1111 1111, tel +998901234567").Text; got != "[CARD], tel +998901234567" {
		t.Error(got)
	}
}

// FuzzText holds that places are in order and inside the text, and that what stands outside
// of them is untouched.
func FuzzText(f *testing.F) {
	for _, s := range []string{"8600 4706 3272 8467", "+998 (90) 123-45-67", "a@b.uz", "12 500 000 so'm", "٩٠ ١٢٣ ٤٥ ٦٧\n1.2.3,4+5", "\xff9@٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := Text(s)
		var b strings.Builder
		at := 0
		for _, p := range m.Found {
			if p.Start < at || p.End <= p.Start || p.End > len(s) {
				t.Fatalf("%q: %+v behind %d", s, p, at)
			}
			b.WriteString(s[at:p.Start] + marks[p.Kind])
			at = p.End
		}
		if b.String()+s[at:] != m.Text {
			t.Fatalf("%q became %q", s, m.Text)
		}
	})
}
