package script

import (
	"slices"
	"strings"
	"testing"
)

// pairs are Uzbek words in both scripts that lead back to each other.
var pairs = [][2]string{
	{"oʻzbek", "ўзбек"}, {"Gʻijduvon", "Ғиждувон"}, {"maʼno", "маъно"}, {"yoʻl", "йўл"}, {"yoz", "ёз"}, {"Yevropa", "Европа"},
	{"ekran", "экран"}, {"shoir", "шоир"}, {"choy", "чой"}, {"poezd", "поэзд"}, {"Yangi yil", "Янги йил"}, {"qancha", "қанча"},
	{"hozir", "ҳозир"}, {"xabar", "хабар"}, {"kerak emas", "керак эмас"}, {"Toʻxtating!", "Тўхтатинг!"}, {"dunyo", "дунё"}, {"yuboring", "юборинг"},
	{"savol — javob 25", "савол — жавоб 25"},
}

func TestScriptsOfUzbek(t *testing.T) {
	for _, p := range pairs {
		if got := ToCyrillic(p[0]); got != p[1] {
			t.Errorf("ToCyrillic(%q) = %q, want %q", p[0], got, p[1])
		}
		if got := ToLatin(p[1]); got != p[0] {
			t.Errorf("ToLatin(%q) = %q, want %q", p[1], got, p[0])
		}
		if a, b := Tokens(p[0]), Tokens(p[1]); !slices.Equal(a, b) {
			t.Errorf("%q has tokens %q, %q has %q", p[0], a, p[1], b)
		}
	}
	for in, want := range map[string]string{"ШОИР": "SHOIR", "Шоир": "Shoir", "ЯНГИ": "YANGI", "Ш": "Sh", "цирк": "sirk", "акция": "aksiya", "лицей": "litsey", "объект": "obʼyekt", "соль": "sol"} {
		if got := ToLatin(in); got != want {
			t.Errorf("ToLatin(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"SHOIR": "ШОИР", "o'z o`z o‘z oʼz o´z o’z": "ўз ўз ўз ўз ўз ўз", "Is'hoq": "Исъҳоқ", "wi-fi": "wи-фи", "'so'm'": "'сўм'"} { //nolint:dupword // one word with every apostrophe
		if got := ToCyrillic(in); got != want {
			t.Errorf("ToCyrillic(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestKeyJoinsWritings(t *testing.T) {
	for _, group := range [][]string{
		{"xabar", "habar", "хабар", "ҳабар", "khabar"}, {"qancha", "kancha", "қанча", "канча"}, {"пришёл", "пришел", "prishel", "prishyol"},
		{"жалоба", "jaloba", "zhaloba"}, {"вы", "vy", "vi", "ви"}, {"рассылка", "rassilka", "rasilka", "rassylka"}, {"yoq", "yoqq", "yo'q", "йўқ"},
		{"ещё", "еще", "esche", "eshche"}, {"цена", "tsena", "sena"}, {"какой-нибудь", "kakoy-nibud"}, {"новый", "noviy", "novyy", "novi"},
	} {
		want := keys(group[0])
		for _, w := range group[1:] {
			if got := keys(w); got != want {
				t.Errorf("%q has the key %q, %q has %q", w, got, group[0], want)
			}
		}
	}
	for _, p := range [][2]string{{"bor", "bar"}, {"100", "10"}, {"yil", "yol"}, {"olma", "alma"}, {"yoz", "oz"}} {
		if keys(p[0]) == keys(p[1]) {
			t.Errorf("%q and %q have one key", p[0], p[1])
		}
	}
}

func keys(s string) string {
	list := Tokens(s)
	for i, w := range list {
		list[i] = Key(w)
	}
	return strings.Join(list, " ")
}

func TestWordsStandWhereTheyWereWritten(t *testing.T) {
	for in, want := range map[string][]string{
		"To‘xtating,  iltimos!":                      {"To‘xtating", "iltimos"},
		"12-uy, 1-5 х":                               {"12", "uy", "1-5", "х"},
		"и\u0306од у\u0306з":                         {"и\u0306од", "у\u0306з"},
		"  😀 салом😀":                                 {"салом"},
		"ﬁne ０９":                                     {"ﬁne", "０９"},
		"'quoted' o'z":                               {"quoted", "o'z"},
		"cafe\u0301s" + strings.Repeat("\u0301", 80): {"cafe\u0301s"},
	} {
		words := Words(in)
		if len(words) != len(want) {
			t.Errorf("%q has words %v, want %q", in, words, want)
			continue
		}
		for i, w := range words {
			if got := in[w.Start:w.End]; !strings.HasPrefix(got, want[i]) {
				t.Errorf("%q: word %d is %q, want %q", in, i, got, want[i])
			}
		}
	}
}

func TestLettersOfScripts(t *testing.T) {
	if got := Count("Salom, мир! 你好 o‘z 5"); got != (Letters{Latin: 7, Cyrillic: 3, Other: 2}) {
		t.Error("counted", got)
	}
	for in, want := range map[string]Script{"salom": Latin, "салом a": Cyrillic, "你好": Other, "12 !": None, "aб": None} {
		if got := Count(in).Main(); got != want {
			t.Errorf("%q is of script %d, want %d", in, got, want)
		}
	}
}

// FuzzWords holds that words are the tokens, in order, inside the text; and that
// a key is never empty and never longer than its token.
func FuzzWords(f *testing.F) {
	for _, p := range pairs {
		f.Add(p[0])
		f.Add(p[1])
	}
	f.Add("o'\u0306и\u0306 ﷺ½ １２-uy 5'6\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<12 {
			return
		}
		words := Words(s)
		at := 0
		for _, w := range words {
			if w.Start < 0 || w.End <= w.Start || w.End > len(s) || w.End < at {
				t.Fatalf("%q: word %+v behind %d", s, w, at)
			}
			at = w.End
			if k := Key(w.Text); k == "" || len(k) > len(w.Text) {
				t.Errorf("Key(%q) = %q", w.Text, k)
			}
		}
		tokens := Tokens(s)
		if len(tokens) != len(words) {
			t.Fatalf("%q: tokens %q, words %v", s, tokens, words)
		}
		for i, w := range words {
			if tokens[i] != w.Text {
				t.Fatalf("%q: tokens %q, words %v", s, tokens, words)
			}
		}
		ToLatin(s)
		ToCyrillic(s)
	})
}

func BenchmarkWords(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Words("Ассалому алайкум, бу куртканинг нархи қанча туради, etkazib berish bormi?")
	}
}

func BenchmarkKey(b *testing.B) {
	for b.Loop() {
		Key("rassylkadan")
	}
}
