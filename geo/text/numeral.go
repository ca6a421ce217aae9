package text

import (
	"slices"
	"strconv"
	"strings"
)

// maxNumeral is the greatest number that is compared in both numerals: names have popes,
// kings, congresses and centuries.
const maxNumeral = 39

// arabicOf are the Roman numerals up to maxNumeral that have more than one letter: one
// letter alone is mostly an initial.
var arabicOf = func() map[string]string {
	m := map[string]string{}
	for n := 2; n <= maxNumeral; n++ {
		if r := roman(n); len(r) > 1 {
			m[r] = strconv.Itoa(n)
		}
	}
	return m
}()

// OtherNumeral is a number up to 39 in the other numerals, normalised: ii for 2, 23 for
// xxiii; empty for everything else. (Map contract 41.4.)
func OtherNumeral(token string) string {
	if token == "" || len(token) > len("xxxviii") {
		return ""
	}
	if n, err := strconv.Atoi(token); err == nil {
		if n < 1 || n > maxNumeral || token[0] == '0' {
			return ""
		}
		return roman(n)
	}
	return arabicOf[token]
}

// OtherSpellings are the words that mean the same as a token: a number in the other
// numerals, and the other words for its kind of street or area that are kept in names:
// boulevard for blvd. (Map contract 41.4.)
func OtherSpellings(token string) []string {
	if n := OtherNumeral(token); n != "" {
		return []string{n}
	}
	return kindSpellings[token]
}

// shortSpellings are words that names have written out or shortened, and that are no words
// for a kind of street wherever they stand: the Court of Justice, Doctor Smith.
var shortSpellings = []string{
	"court ct", "drive dr", "doctor dr доктор", "place pl", "circle cir", "parkway pkwy", "trail trl", "terrace ter",
	"crescent cres", "mount mt", "fort ft", "academician академик akademik акад",
}

// kindSpellings are, of each word for a kind that is no generic word, the others of that kind.
var kindSpellings = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range slices.Concat(typeSpellings, shortSpellings) {
		var kept []string
		for _, w := range strings.Fields(line) {
			if t := Tokens(w); len(t) == 1 && !generic[t[0]] && !slices.Contains(kept, t[0]) {
				kept = append(kept, t[0])
			}
		}
		for i, t := range kept {
			m[t] = slices.Concat(m[t], kept[:i], kept[i+1:])
		}
	}
	return m
}()

// roman writes 1 to 39.
func roman(n int) string {
	ones := [...]string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}
	return strings.Repeat("x", n/10) + ones[n%10]
}
