package script

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokens returns the normalised tokens of s in order, nothing dropped: lower
// case, Cyrillic written in Uzbek Latin, marks and apostrophes folded, split on
// everything that is neither letter nor digit. `12a`, `12/3` and `1-5` stay
// whole, `12-uy` gives `12`, `uy`. Letters of other scripts survive as they
// are. The answer is nil when nothing is left. The work is linear in s; the
// caller bounds it.
func Tokens(s string) []string {
	t := tokenizer{buf: make([]byte, 0, len(s)+len(s)/4+2)}
	t.run(s)
	return t.tokens()
}

// tokenizer writes tokens into one buffer, a space after each, so that a name
// costs one string and one slice however many tokens it has.
type tokenizer struct {
	buf   []byte
	start int // where the token being written begins
	count int // finished tokens
}

func (t *tokenizer) run(s string) {
	// Composed letters first: й and ў must be transliterated before they could
	// fall apart into a base letter and a mark.
	if !surelyComposed(s) && !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	for i := 0; i < len(s); {
		i += t.step(s[i:])
	}
	t.end()
}

// step writes the first character of s and answers the bytes it takes.
func (t *tokenizer) step(s string) int {
	if c := s[0]; c < utf8.RuneSelf {
		if out := asciiLetters[c]; out != 0 {
			t.buf = append(t.buf, out)
		} else {
			t.special(asciiKinds[c], c, s[1:])
		}
		return 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r < tableEnd {
		t.entry(&table[r-tableStart], s[n:])
		return n
	}
	if e := classify(r); e.kind == kindLong {
		t.long(r)
	} else {
		t.entry(&e, s[n:])
	}
	return n
}

// entry writes one classified character; rest is the text behind it.
func (t *tokenizer) entry(e *letter, rest string) {
	if e.kind == kindText {
		t.buf = append(t.buf, e.out[:e.n]...)
		return
	}
	t.special(e.kind, e.out[0], rest)
}

func (t *tokenizer) special(k kind, out byte, rest string) {
	switch k {
	case kindBreak:
		t.end()
	case kindApostrophe:
		if t.lastDigit() && startsWithDigit(rest) {
			t.end() // a minute mark between numbers is not inside a word
		}
	case kindJoiner:
		if t.allDigits() && startsWithDigit(rest) {
			t.buf = append(t.buf, out)
		} else {
			t.end()
		}
	case kindYe:
		if t.wantsYe() {
			t.buf = append(t.buf, 'y')
		}
		t.buf = append(t.buf, 'e')
	}
}

// long writes a character whose compatibility form has several letters, such
// as a ligature of Arabic or an enclosed number.
func (t *tokenizer) long(r rune) {
	for _, d := range decompose(r) {
		if e := classifyPlain(d); e.kind == kindLong {
			t.end()
		} else {
			t.entry(&e, "")
		}
	}
}

func (t *tokenizer) end() {
	if len(t.buf) == t.start {
		return
	}
	t.buf = append(t.buf, ' ')
	t.start = len(t.buf)
	t.count++
}

// wantsYe tells whether the Cyrillic е is written ye here: at the start of a
// word and after a vowel.
func (t *tokenizer) wantsYe() bool {
	return len(t.buf) == t.start || isVowel(t.buf[len(t.buf)-1])
}

func (t *tokenizer) lastDigit() bool {
	return len(t.buf) > t.start && IsDigit(t.buf[len(t.buf)-1])
}

func (t *tokenizer) allDigits() bool {
	for _, c := range t.buf[t.start:] {
		if !IsDigit(c) {
			return false
		}
	}
	return len(t.buf) > t.start
}

func (t *tokenizer) tokens() []string {
	if t.count == 0 {
		return nil
	}
	all := string(t.buf)
	list := make([]string, 0, t.count)
	from := 0
	for i := 0; i < len(all); i++ {
		if all[i] == ' ' {
			list = append(list, all[from:i])
			from = i + 1
		}
	}
	return list
}

// surelyComposed tells the common scripts of this map without a decoder: Latin,
// Greek and Cyrillic letters below U+0530 and the general punctuation, but no
// combining mark. The few characters among them that composition would replace
// fold to the same here.
func surelyComposed(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c < 0xCC, 0xCE <= c && c <= 0xD3:
		case c == 0xE2 && i+1 < len(s) && s[i+1] == 0x80:
		default:
			return false
		}
	}
	return true
}

// IsDigit tells the ASCII digits.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	}
	return false
}

func startsWithDigit(s string) bool {
	if s == "" {
		return false
	}
	if s[0] < utf8.RuneSelf {
		return IsDigit(s[0])
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Nd, r)
}
