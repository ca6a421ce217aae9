package reading

import (
	"strings"
	"unicode"
)

// The same keys on a Latin and a Russian keyboard, row by row.
const (
	latinKeys   = "`qwertyuiop[]asdfghjkl;'zxcvbnm,."
	russianKeys = "ёйцукенгшщзхъфывапролджэячсмитьбю"
)

var russianByLatin = func() map[rune]rune {
	m := map[rune]rune{}
	russian := []rune(russianKeys)
	for i, k := range latinKeys {
		m[k] = russian[i]
	}
	return m
}()

// FixLayout reads a text as typed on a Russian keyboard that was set to Latin:
// nfirtyn is ташкент. ok is false when the text is not entirely Latin, or when
// reading it so changes nothing (map contract 11).
func FixLayout(s string) (fixed string, ok bool) {
	var b strings.Builder
	letters := 0
	for _, r := range s {
		if r > unicode.MaxASCII {
			return "", false
		}
		k, known := russianByLatin[unicode.ToLower(r)]
		if !known {
			k = r
		} else {
			letters++
		}
		b.WriteRune(k)
	}
	return b.String(), letters > 0
}
