package script

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The two writings of the Uzbek apostrophe: in oʻ and gʻ, and the tutuq belgisi.
const (
	TurnedComma = 'ʻ'
	Apostrophe  = 'ʼ'
)

// toLatin is the writing of each Cyrillic letter of Uzbek in Latin letters. The
// letters е and ц depend on their place (see ToLatin).
var toLatin = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'ё': "yo", 'ж': "j", 'з': "z", 'и': "i", 'й': "y",
	'к': "k", 'л': "l", 'м': "m", 'н': "n", 'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u",
	'ф': "f", 'х': "x", 'ч': "ch", 'ш': "sh", 'щ': "sh", 'ъ': "ʼ", 'ы': "i", 'ь': "", 'э': "e",
	'ю': "yu", 'я': "ya", 'ў': "oʻ", 'қ': "q", 'ғ': "gʻ", 'ҳ': "h",
}

// ToLatin writes Uzbek Cyrillic in Uzbek Latin: е is ye at the start of a word and
// behind a vowel, ц is ts between vowels and s elsewhere. What is not Cyrillic stays.
func ToLatin(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	runes := []rune(s)
	for i, r := range runes {
		low := unicode.ToLower(r)
		w, known := toLatin[low]
		switch {
		case low == 'е' && vowelOrNothing(before(runes, i)):
			w = "ye"
		case low == 'е':
			w = "e"
		case low == 'ц' && i > 0 && isCyrillicVowel(before(runes, i)):
			w = "ts"
		case low == 'ц':
			w = "s"
		case !known:
			b.WriteRune(r)
			continue
		}
		b.WriteString(cased(w, r, runes, i))
	}
	return b.String()
}

// cased gives the writing of the letter r the case that r has: YO beside another
// capital, Yo beside a small letter.
func cased(w string, r rune, runes []rune, i int) string {
	if w == "" || !unicode.IsUpper(r) {
		return w
	}
	if capital(runes, i-1) && !small(runes, i+1) || capital(runes, i+1) {
		return strings.ToUpper(w)
	}
	first, n := utf8.DecodeRuneInString(w)
	return string(unicode.ToUpper(first)) + w[n:]
}

func capital(runes []rune, i int) bool {
	return i >= 0 && i < len(runes) && unicode.IsUpper(runes[i])
}

func small(runes []rune, i int) bool {
	return i >= 0 && i < len(runes) && unicode.IsLower(runes[i])
}

// before is the character before runes[i] in lower case, 0 at the start.
func before(runes []rune, i int) rune {
	if i == 0 {
		return 0
	}
	return unicode.ToLower(runes[i-1])
}

func isCyrillicVowel(r rune) bool { return strings.ContainsRune("аеёиоуэюяўы", r) && r != 0 }

// vowelOrNothing tells the places where a word begins anew for the ear: its start,
// a vowel, ъ and ь.
func vowelOrNothing(r rune) bool {
	return r == 0 || isCyrillicVowel(r) || r == 'ъ' || r == 'ь' || !unicode.IsLetter(r)
}

// toCyrillic lists the Latin writings, the longer ones first.
var toCyrillic = []struct {
	from string
	to   rune
}{
	{"sh", 'ш'}, {"ch", 'ч'}, {"yo", 'ё'}, {"yu", 'ю'}, {"ya", 'я'}, {"ye", 'е'},
	{"a", 'а'}, {"b", 'б'}, {"d", 'д'}, {"f", 'ф'}, {"g", 'г'}, {"h", 'ҳ'}, {"i", 'и'}, {"j", 'ж'}, {"k", 'к'},
	{"l", 'л'}, {"m", 'м'}, {"n", 'н'}, {"o", 'о'}, {"p", 'п'}, {"q", 'қ'}, {"r", 'р'}, {"s", 'с'}, {"t", 'т'},
	{"u", 'у'}, {"v", 'в'}, {"x", 'х'}, {"y", 'й'}, {"z", 'з'},
}

// ToCyrillic writes Uzbek Latin in Uzbek Cyrillic: oʻ and gʻ with any apostrophe are ў
// and ғ, another apostrophe inside a word is ъ, e is э at the start of a word and
// behind a vowel. Letters that Uzbek does not have (w, c) and everything else stay.
// What Cyrillic tells apart and Latin does not (ц, щ, ь) is not restored.
func ToCyrillic(s string) string {
	var b strings.Builder
	b.Grow(2 * len(s))
	prev := rune(0) // the letter written last in lower case, 0 at the start of a word
	for i := 0; i < len(s); {
		to, n := cyrillicOf(s[i:], prev)
		if to == 0 {
			r, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			if prev = unicode.ToLower(r); !unicode.IsLetter(r) {
				prev = 0
			}
			i += n
			continue
		}
		prev = to
		if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsUpper(r) {
			to = unicode.ToUpper(to)
		}
		b.WriteRune(to)
		i += n
	}
	return b.String()
}

// cyrillicOf is the Cyrillic letter at the beginning of s and the bytes that it is
// written with; 0 when there is none.
func cyrillicOf(s string, prev rune) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	next, m := utf8.DecodeRuneInString(s[n:])
	low := unicode.ToLower(r)
	switch {
	case isApostrophe(r):
		if prev != 0 && unicode.IsLetter(next) {
			return 'ъ', n
		}
		return 0, 0
	case low == 'o' && isApostrophe(next):
		return 'ў', n + m
	case low == 'g' && isApostrophe(next):
		return 'ғ', n + m
	case low == 'y' && unicode.ToLower(next) == 'o':
		if after, _ := utf8.DecodeRuneInString(s[n+m:]); isApostrophe(after) {
			return 'й', n // yoʻl is йўл
		}
	case low == 'e' && (prev == 0 || isCyrillicVowel(prev)):
		return 'э', n
	}
	pair := string(low) + string(unicode.ToLower(next))
	for _, w := range toCyrillic {
		if w.from == pair {
			return w.to, n + m
		}
		if len(w.from) == 1 && rune(w.from[0]) == low {
			return w.to, n
		}
	}
	if low == 'e' {
		return 'е', n
	}
	return 0, 0
}
