package script

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// kind says what a character does to the token being written.
type kind uint8

const (
	kindBreak      kind = iota // ends the token
	kindText                   // writes out[:n]
	kindIgnore                 // nothing: marks, hard and soft signs, format characters
	kindApostrophe             // nothing inside a word
	kindJoiner                 // slash or hyphen: kept between digits only
	kindYe                     // the Cyrillic е, whose writing depends on its place
	kindLong                   // several characters: see tokenizer.long
)

// letter is one classified character: up to four bytes of output.
type letter struct {
	kind kind
	n    uint8
	out  [4]byte
}

// The characters of Latin, Greek and Cyrillic are classified once; the rest,
// rare on this map, when met.
const (
	tableStart = utf8.RuneSelf
	tableEnd   = 0x0530
)

// The tables are made by functions and not in init, because the lists of words
// elsewhere in the package are normalised while variables are initialised.
var (
	asciiLetters, asciiKinds = asciiTables()
	table                    = buildTable()
)

// asciiTables holds the lower-case letter or digit of each ASCII character, 0
// for anything else, whose kind is in the second table.
func asciiTables() (letters [utf8.RuneSelf]byte, kinds [utf8.RuneSelf]kind) {
	for c := range byte(utf8.RuneSelf) {
		if e := classify(rune(c)); e.kind == kindText {
			letters[c] = e.out[0]
		} else {
			kinds[c] = e.kind
		}
	}
	return letters, kinds
}

func buildTable() (all [tableEnd - tableStart]letter) {
	for r := rune(tableStart); r < tableEnd; r++ {
		e := classify(r)
		if e.kind == kindLong {
			e = join(decompose(r))
		}
		all[r-tableStart] = e
	}
	return all
}

// cyrillic is the table of section 11, step 3, lower case. The letter е is
// missing because its writing depends on its place (kindYe). The last rows add
// letters of neighbouring alphabets that the section does not name.
var cyrillic = map[rune]string{
	'а': "a", 'б': "b", 'в': "v", 'г': "g", 'д': "d", 'ё': "yo", 'ж': "j",
	'з': "z", 'и': "i", 'й': "y", 'к': "k", 'л': "l", 'м': "m", 'н': "n",
	'о': "o", 'п': "p", 'р': "r", 'с': "s", 'т': "t", 'у': "u", 'ф': "f",
	'х': "x", 'ц': "ts", 'ч': "ch", 'ш': "sh", 'щ': "sh", 'ъ': "", 'ы': "i",
	'ь': "", 'э': "e", 'ю': "yu", 'я': "ya",
	'ў': "o", 'қ': "q", 'ғ': "g", 'ҳ': "h", // Uzbek
	'ә': "a", 'і': "i", 'ң': "ng", 'ө': "o", 'ү': "u", 'ұ': "u", 'һ': "h", // Kazakh
	'ҷ': "j", 'ӣ': "i", 'ӯ': "u", // Tajik
	'ґ': "g", 'є': "e", 'ї': "i", 'җ': "j", 'ҡ': "q",
}

// latin holds the Latin letters without a decomposition, lower case. The
// dotless ı is Karakalpak and Turkish.
var latin = map[rune]string{
	'ı': "i", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d",
	'ð': "d", 'þ': "th", 'ħ': "h", 'ŋ': "ng", 'ə': "a", 'ɵ': "o", 'ŧ': "t",
	'ς': "σ", // the Greek final sigma is a sigma
}

// isApostrophe tells the fifteen characters that people type for the Uzbek
// turned comma and apostrophe (section 11, step 2).
func isApostrophe(r rune) bool {
	switch r {
	case 0x0027, 0x0060, 0x00B4, 0x2018, 0x2019, 0x201B,
		0x02B9, 0x02BA, 0x02BB, 0x02BC, 0x02BE, 0x02BF, 0x02C8, 0x05F3, 0xFF07:
		return true
	}
	return false
}

// classify tells what one composed character becomes.
func classify(r rune) letter {
	if e, ok := classifyKnown(r); ok {
		return e
	}
	if decomposition(r) != "" {
		return letter{kind: kindLong}
	}
	return classifyPlain(r)
}

// classifyKnown covers what must be decided before the compatibility
// decomposition: that would turn the acute accent into a space, № into No and
// ½ into 1⁄2, all of them wrong in a name.
func classifyKnown(r rune) (letter, bool) {
	switch {
	case isApostrophe(r):
		return letter{kind: kindApostrophe}, true
	case r == '-' || 0x2010 <= r && r <= 0x2013 || r == 0x2212:
		return letter{kind: kindJoiner, out: [4]byte{'-'}}, true
	case r == '/' || r == 0xFF0F:
		return letter{kind: kindJoiner, out: [4]byte{'/'}}, true
	case unicode.Is(unicode.M, r), unicode.Is(unicode.Cf, r) && r != 0x200B:
		return letter{kind: kindIgnore}, true
	case !unicode.IsLetter(r) && !unicode.IsNumber(r), isFraction(r):
		return letter{kind: kindBreak}, true
	}
	low := lower(r)
	if low == 'е' {
		return letter{kind: kindYe}, true
	}
	if s, ok := cyrillic[low]; ok {
		return written(s), true
	}
	if s, ok := latin[low]; ok {
		return written(s), true
	}
	return letter{}, false
}

// classifyPlain classifies a character that has no decomposition or comes out
// of one.
func classifyPlain(r rune) letter {
	if e, ok := classifyKnown(r); ok {
		return e
	}
	if d, ok := digitValue(r); ok {
		return letter{kind: kindText, n: 1, out: [4]byte{'0' + d}}
	}
	if !unicode.IsLetter(r) && !unicode.Is(unicode.Nl, r) {
		return letter{kind: kindBreak}
	}
	return written(string(lower(r)))
}

// written makes a letter of at most four bytes of output; none means that the
// character is dropped.
func written(s string) letter {
	if s == "" {
		return letter{kind: kindIgnore}
	}
	e := letter{kind: kindText, n: uint8(len(s))}
	copy(e.out[:], s)
	return e
}

// join packs the output of a decomposition into one letter, for the table.
func join(runes []rune) letter {
	var out []byte
	for _, r := range runes {
		switch e := classifyPlain(r); e.kind {
		case kindText:
			out = append(out, e.out[:e.n]...)
		case kindYe: // ѐ: a letter with an accent, never at the start of a name here
			out = append(out, 'e')
		}
	}
	if len(out) > len(letter{}.out) {
		return letter{kind: kindBreak}
	}
	return written(string(out))
}

// lower is the simple, locale-free lower case: İ and I are both i.
func lower(r rune) rune {
	if r == 'İ' {
		return 'i'
	}
	return unicode.ToLower(r)
}

// decomposition is the compatibility decomposition of r, empty when it has
// none. Hangul syllables have none here: they are compared whole.
func decomposition(r rune) string {
	var b [utf8.UTFMax]byte
	n := utf8.EncodeRune(b[:], r)
	return string(norm.NFKD.Properties(b[:n]).Decomposition())
}

func decompose(r rune) []rune { return []rune(decomposition(r)) }

// isFraction tells ½ and its kin, whose decomposition would run into the
// number before it.
func isFraction(r rune) bool {
	return 0xBC <= r && r <= 0xBE || 0x2150 <= r && r <= 0x215F || r == 0x2189
}

// digitValue is the value of a decimal digit of any script. Unicode keeps the
// ten digits of a script together, so every range of the table starts at zero.
func digitValue(r rune) (byte, bool) {
	for _, g := range unicode.Nd.R16 {
		if rune(g.Lo) <= r && r <= rune(g.Hi) {
			return byte((r - rune(g.Lo)) % 10), true
		}
	}
	for _, g := range unicode.Nd.R32 {
		if rune(g.Lo) <= r && r <= rune(g.Hi) {
			return byte((r - rune(g.Lo)) % 10), true
		}
	}
	return 0, false
}
