package script

import "unicode/utf8"

// Symbols that stand for two letters in a skeleton. Tokens are lower case, so
// upper-case letters are free, and a symbol stays one character.
const (
	symSh = 'S'
	symCh = 'C'
	symNg = 'N'
	symYo = 'O'
	symYu = 'U'
	symYa = 'A'
)

// Skeleton returns the phonetic skeleton of a normalised token (section 11,
// step 6): the first letter kept; sh, ch, ng, yo, yu and ya one symbol each, ts
// an s; x and kh an h, q a k, w a v; vowels after the first letter dropped, and
// then doubled letters merged. yo, yu and ya are the vowels ё, ю and я: they
// are kept at the front and dropped behind it, so that Yangiyoʻl meets Янгиюль.
// Digits are never merged: 110 is not 10. Each symbol is one character.
func Skeleton(token string) string {
	var stack [48]byte
	out := stack[:0]
	letters := 0
	var last rune
	for i := 0; i < len(token); {
		sym, n := symbol(token[i:])
		i += n
		if sym < utf8.RuneSelf && (IsDigit(byte(sym)) || sym == '/' || sym == '-') {
			out = append(out, byte(sym))
			last = 0
			continue
		}
		letters++
		if letters > 1 && (isVowelSymbol(sym) || sym == last) {
			continue
		}
		out = utf8.AppendRune(out, sym)
		last = sym
	}
	return string(out)
}

// symbol reads one symbol of a token and the bytes it takes.
func symbol(s string) (rune, int) {
	if len(s) > 1 {
		if r := digraph(s[0], s[1]); r != 0 {
			return r, 2
		}
	}
	switch s[0] {
	case 'x':
		return 'h', 1
	case 'q':
		return 'k', 1
	case 'w':
		return 'v', 1
	}
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

func digraph(a, b byte) rune {
	switch uint16(a)<<8 | uint16(b) {
	case 's'<<8 | 'h':
		return symSh
	case 'c'<<8 | 'h':
		return symCh
	case 'n'<<8 | 'g':
		return symNg
	case 'y'<<8 | 'o':
		return symYo
	case 'y'<<8 | 'u':
		return symYu
	case 'y'<<8 | 'a':
		return symYa
	case 't'<<8 | 's':
		return 's'
	case 'k'<<8 | 'h':
		return 'h'
	}
	return 0
}

func isVowelSymbol(r rune) bool {
	switch r {
	case 'a', 'e', 'i', 'o', 'u', symYo, symYu, symYa:
		return true
	}
	return false
}
