package geotest

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A small transliterator of its own, so that the recall test does not ask the
// tables that it is testing.

var toLatin = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'е': "e", 'ё': "yo", 'ж': "j", 'з': "z", 'и': "i", 'й': "y",
	'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "x", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "sh", 'ъ': "ʼ", 'ы': "i", 'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
	'ў': "oʻ", 'қ': "q", 'ғ': "gʻ", 'ҳ': "h",
}

// passport is how Russian names are written in Latin outside Uzbekistan.
var passport = map[rune]string{'ж': "zh", 'х': "kh", 'щ': "shch", 'ы': "y", 'ъ': ""}

var toCyrillic = strings.NewReplacer(
	"sh", "ш", "ch", "ч", "yo", "ё", "yu", "ю", "ya", "я", "ye", "е", "oʻ", "ў", "gʻ", "ғ", "o'", "ў", "g'", "ғ",
	"a", "а", "b", "б", "c", "к", "d", "д", "e", "е", "f", "ф", "g", "г", "h", "ҳ", "i", "и", "j", "ж", "k", "к",
	"l", "л", "m", "м", "n", "н", "o", "о", "p", "п", "q", "қ", "r", "р", "s", "с", "t", "т", "u", "у", "v", "в",
	"w", "в", "x", "х", "y", "й", "z", "з", "ʼ", "ъ", "’", "ъ",
)

func latin(s string, over map[rune]string) string {
	var b strings.Builder
	start := true
	for _, r := range strings.ToLower(s) {
		v, ok := over[r]
		if !ok {
			if v, ok = toLatin[r]; !ok {
				v = string(r)
			}
		}
		if r == 'е' && start {
			v = "ye"
		}
		b.WriteString(v)
		start = !unicode.IsLetter(r)
	}
	return b.String()
}

func cyrillic(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	words := strings.Split(toCyrillic.Replace(b.String()), " ")
	for i, w := range words {
		if rest, ok := strings.CutPrefix(w, "е"); ok && !strings.HasPrefix(strings.ToLower(s), "ye") {
			words[i] = "э" + rest
		}
	}
	return strings.Join(words, " ")
}

// transliterated is s in the other script; empty when it is in both or in none.
func transliterated(s string) string {
	var hasLatin, hasCyrillic bool
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			hasLatin = true
		case unicode.Is(unicode.Cyrillic, r):
			hasCyrillic = true
		case unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r): // the turned comma is a letter of no script
			return ""
		}
	}
	switch {
	case hasLatin && !hasCyrillic:
		return cyrillic(s)
	case hasCyrillic && !hasLatin:
		return latin(s, nil)
	}
	return ""
}

// misspelt changes one letter of s, always the same; empty for fewer than five
// letters.
func misspelt(s string) string {
	runes := []rune(s)
	var letters []int
	sum := 0
	for i, r := range runes {
		if unicode.IsLetter(r) {
			letters = append(letters, i)
			sum = sum*31 + int(r)
		}
	}
	if len(letters) < 5 {
		return ""
	}
	at := letters[uint(sum)%uint(len(letters))]
	runes[at] = another(runes[at])
	return string(runes)
}

// another is a letter of the same script that sounds like another one.
func another(r rune) rune {
	from, to := []rune("aeioubcdfghjklmnpqrstvwxyzаеиоубвгдзклмнпрстфхцчш"), []rune("eiouadktpkjhlkrmgbnzsgvqxcеиоуатлпсгнрмвшклдгбфзм")
	for i, f := range from {
		if f == unicode.ToLower(r) {
			return to[i]
		}
	}
	return 'm'
}

func TestTransliteration(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Toshkent", "тошкент"}, {"Oʻzbekiston", "ўзбекистон"}, {"Ташкент", "tashkent"}, {"Ёрқин", "yorqin"},
		{"Енисей", "yenisey"}, {"Città", "китта"}, {"日本", ""}, {"A Б", ""}, {"Ellik", "эллик"},
	} {
		if got := transliterated(c.in); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
	if got := misspelt("Bahor"); got == "Bahor" || len([]rune(got)) != 5 || misspelt("Bahor") != got {
		t.Errorf("misspelt: %s", got)
	}
	if misspelt("Oqa 12") != "" {
		t.Error("a short name is misspelt")
	}
}
