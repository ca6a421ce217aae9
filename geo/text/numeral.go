package text

import (
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

// roman writes 1 to 39.
func roman(n int) string {
	ones := [...]string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}
	return strings.Repeat("x", n/10) + ones[n%10]
}
