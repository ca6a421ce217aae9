package text

import (
	"slices"
	"strings"
	"testing"

	"svc/geo/text/script"
	"unicode/utf8"
)

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"":                           "",
		"  \t\n ":                    "",
		"Toshkent":                   "toshkent",
		"ТАШКЕНТ":                    "tashkent",
		"Oʻzbekiston koʻchasi":       "ozbekiston|kochasi",
		"Ўзбекистон кўчаси":          "ozbekiston|kochasi",
		"Кўча":                       "kocha", // у and a combining breve
		"Район":                      "rayon", // и and a combining breve
		"Европа":                     "yevropa",
		"поезд":                      "poyezd",
		"Сергели":                    "sergeli",
		"объект":                     "obekt",
		"12е":                        "12e",
		"щётка цирк":                 "shyotka|tsirk",
		"Подъезд ь ъ":                "podezd",
		"Нұрлы Әлем і ң ө ү һ":       "nurli|alem|i|ng|o|u|h",
		"Душанбе Ҷомӣ Рӯдакӣ":        "dushanbe|jomi|rudaki",
		"Nókis Qońırat ǵ ń ı ú ó á":  "nokis|qonirat|g|n|i|u|o|a",
		"Straße ẞ":                   "strasse|ss",
		"İSTANBUL Isı":               "istanbul|isi",
		"Łódź Æro Øresund":           "lodz|aero|oresund",
		"Crème brûlée":               "creme|brulee",
		"Αθήνα Ἀθήνας":               "αθηνα|αθηνασ",
		"طشقند ١٢":                   "طشقند|12",
		"東京 １２":                      "東京|12",
		"서울":                         "서울",
		"12a 12A 12а":                "12a|12a|12a",
		"12/3 12-3 1–5":              "12/3|12-3|1-5",
		"12/3а":                      "12/3a",
		"12 / 3":                     "12|3",
		"12-uy":                      "12|uy",
		"a-12 a/b -5 5- /7":          "a|12|a|b|5|5|7",
		"1/2/3":                      "1/2|3",
		"Школа №110":                 "shkola|110",
		"10½ m²":                     "10|m2",
		"41°18'30":                   "41|18|30",
		"d'Artagnan 'n' rock":        "dartagnan|n|rock",
		"ko''cha":                    "kocha",
		"А.Навоий":                   "a|navoiy",
		"so\u00adft zero\u200bwidth": "soft|zero|width",
		"x\u202ey":                   "xy",
		"bad \xff\xfe byte":          "bad|byte",
		"a\u0301\u0302\u0303b":       "ab",
		"ﬁn Ⅳ":                       "fin|iv",
		"🏠 home":                     "home",
	} {
		if got := strings.Join(Tokens(in), "|"); got != want {
			t.Errorf("Tokens(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestApostrophes(t *testing.T) {
	family := []rune{0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x201B, 0x2B9, 0x2BA, 0x2BB, 0x2BC, 0x2BE, 0x2BF, 0x2C8, 0x5F3, 0xFF07}
	if len(family) != 15 {
		t.Fatalf("the family has %d members, want 15", len(family))
	}
	for _, r := range family {
		in := strings.ReplaceAll("Go~zal ma~no bog~ o~ O~G~", "~", string(r))
		if got := strings.Join(Tokens(in), "|"); got != "gozal|mano|bog|o|og" {
			t.Errorf("U+%04X: Tokens(%q) = %q", r, in, got)
		}
	}
}

func TestTokensBounded(t *testing.T) {
	tokens := Tokens(strings.Repeat("ш", 1<<20))
	if len(tokens) != 1 || len(tokens[0]) != 2*MaxInput {
		t.Fatalf("a megabyte gave %d tokens, the first of %d bytes", len(tokens), len(tokens[0]))
	}
	if n := len(Tokens(strings.Repeat("a ", 1<<20))); n != MaxInput/2 {
		t.Errorf("%d tokens, want %d", n, MaxInput/2)
	}
}

func TestSignificant(t *testing.T) {
	for in, want := range map[string]string{
		"Amir Temur shoh koʻchasi":          "amir|temur",
		"улица Пушкина, дом 5":              "pushkina|5",
		"Chilonzor tumani":                  "chilonzor",
		"Чиланзарский район":                "chilanzarskiy",
		"koʻcha":                            "kocha",
		"улица дом":                         "ulitsa|dom",
		"Baker Street":                      "baker",
		"посёлок Мирный":                    "mirniy",
		"поселок Мирный":                    "mirniy",
		"Махалля Навруз":                    "navruz",
		"Toshkent shahri Yashnobod mahalla": "toshkent|yashnobod",
		"":                                  "",
	} {
		if got := strings.Join(Significant(Tokens(in)), "|"); got != want {
			t.Errorf("Significant(%q) = %q, want %q", in, got, want)
		}
	}
	in := []string{"amir", "kochasi", "temur"}
	if Significant(in); !slices.Equal(in, []string{"amir", "kochasi", "temur"}) {
		t.Errorf("Significant changed its input: %q", in)
	}
}

// Every word of section 11, step 5, is dropped when another word stands by it.
func TestGenericWords(t *testing.T) {
	const listed = `koʻchasi koʻcha kochasi shoh shohkoʻchasi tor tumani tuman viloyati viloyat
		shahri shahar mahallasi mahalla mfy daha massivi qishlogʻi qishloq kvartal uy uyi
		улица ул проспект пр просп переулок пер проезд шоссе бульвар площадь пл район область
		город г село посёлок махалля массив квартал дом д
		street st avenue ave road rd lane square district region city village neighbourhood house`
	words := strings.Fields(listed)
	for _, w := range words {
		if got := Significant(Tokens("Navoiy " + w)); !slices.Equal(got, []string{"navoiy"}) {
			t.Errorf("%s is not dropped: %q", w, got)
		}
	}
	for _, w := range []string{"park", "bozor", "bank", "maktab", "школа", "station", "bulvari"} {
		if IsGeneric(Tokens(w)[0]) {
			t.Errorf("%s must not be generic", w)
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"Navoiy":                   "Navoiy",
		"  Amir \t\n Temur  ":      "Amir Temur",
		"a\u00a0\u3000b":           "a b",
		"a\x00b\x1fc\x7f":          "abc",
		"Рай\u0438\u0306":          "Райй",
		"\u202eevil\u202c \ufeffx": "evil x",
		"bad\xffbyte":              "bad\ufffdbyte",
		"\x01 \x02":                "",
		"Gʻoʻza":                   "Gʻoʻza",
		strings.Repeat("ў", 400):   strings.Repeat("ў", 300),
		strings.Repeat("ab ", 400): strings.TrimRight(strings.Repeat("ab ", 100), " "),
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if n := Length(Clean(strings.Repeat("ў ", 1<<20))); n > MaxName {
		t.Errorf("%d characters, want at most %d", n, MaxName)
	}
}

func TestTrigrams(t *testing.T) {
	if got := Dice("kukelgash", "kukeldash"); got < 0.5714 || got > 0.5715 {
		t.Errorf("Dice(kukelgash, kukeldash) = %v, want 0.571 (section 11)", got)
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"", "", 0}, {"ab", "ab", 1}, {"ab", "abc", 0}, {"abc", "abc", 1},
		{"aaaaaa", "aaa", 1}, // sets, not bags
		{"東京都", "東京都", 1}, {"東京都庁", "東京都", 2.0 / 3}, {"東京", "東京都", 0},
		{"toshkent", "xiva", 0},
	} {
		if got := Dice(c.a, c.b); got != c.want {
			t.Errorf("Dice(%q, %q) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if got := len(Trigrams([]uint64{7}, "banana")); got != 1+3 {
		t.Errorf("banana appended to one number gives %d, want 4 (ban, ana, nan)", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"Oʻzbekiston 12/3", "Ўзбекистон кўчаси, 12а-уй", "\xff́", "ﷺ ½ №", "1–5 'a'", "İßŉĳ", "д. 12 корп 3", "1-й пр-т", strings.Repeat("P", 32) + "0", "0K/ 1/0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tokens := Tokens(s)
		again := Tokens(strings.Join(tokens, " "))
		if len(s) < 200 && !slices.Equal(tokens, again) {
			t.Fatalf("Tokens is not stable: %q gives %q, then %q", s, tokens, again)
		}
		for _, tok := range tokens {
			if tok == "" || !utf8.ValidString(tok) || strings.ContainsAny(tok, " ") {
				t.Fatalf("bad token %q of %q", tok, s)
			}
			if sk := script.Skeleton(tok); sk == "" || Length(sk) > Length(tok) {
				t.Fatalf("bad skeleton %q of %q", sk, tok)
			}
		}
		if len(tokens) > 0 && len(Significant(tokens)) == 0 {
			t.Fatalf("nothing significant left of %q", tokens)
		}
		if c, plain := Canonical(s), Canonical(strings.Join(tokens, " ")); len(s) < 200 && c != plain {
			t.Fatalf("Canonical(%q) = %q, of its tokens %q", s, c, plain)
		}
		if h := HouseNumber(s); h != "" && (!strings.ContainsAny(h, "0123456789") || HouseNumber(h) != h) {
			t.Fatalf("HouseNumber(%q) = %q, then %q", s, h, HouseNumber(h))
		}
		c := Clean(s)
		if !utf8.ValidString(c) || Length(c) > MaxName || Clean(c) != c {
			t.Fatalf("Clean(%q) = %q, then %q", s, c, Clean(c))
		}
		if d := Dice(s, c); d < 0 || d > 1 {
			t.Fatalf("Dice = %v", d)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	for _, in := range []string{"Amir Temur shoh ko'chasi, 12-uy", "Oʻzbekiston koʻchasi, 12-uy", "улица Академика Абдуллаева, 12а"} {
		b.Run(in, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Tokens(in)
			}
			b.ReportMetric(2000, "target-ns/op")
		})
	}
}

func BenchmarkSkeleton(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		script.Skeleton("shayxontohur")
	}
}

func BenchmarkDice(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Dice("shayxontohur tumani", "shayhantahur")
	}
}
