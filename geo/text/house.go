package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxHouse is the longest house number, in characters; a longer text is none.
const maxHouse = 16

// maxRange is the widest range of house numbers that is believed; a wider one
// is a typing error or two numbers of another kind.
const maxRange = 1000

// houseWords stand before or behind a house number and say only that it is one.
var houseWords = wordSet("uy uyi dom house d no num lit litera литера")

// blockWords name the block of a house: 12 корпус 3 is 12k3.
var blockWords = map[string]string{"korpus": "k", "korp": "k", "k": "k", "stroyeniye": "s", "stroenie": "s", "str": "s"}

// HouseNumber returns one house number as it is stored and compared: `12A`,
// `12а`, `12 a` and `12-а` are 12a; `12-uy`, `д. 12` and `uy 12` are 12; `12/3`
// and the range `1-5` stay. It is empty when s has no digit or the number would
// be longer than sixteen characters. Lists are for the caller to split: of two
// numbers the first counts. (Section 8, "Addresses".)
func HouseNumber(s string) string {
	tokens := Tokens(closeGaps(bounded(s, 4*maxHouse)))
	at := numberAt(tokens)
	if at < 0 {
		return ""
	}
	h := tokens[at]
	rest := tokens[at+1:]
	for len(rest) > 0 && rest[0] != "d" && houseWords[rest[0]] {
		rest = rest[1:]
	}
	if len(rest) > 1 && blockWords[rest[0]] != "" && isDigit(rest[1][0]) && !strings.ContainsAny(rest[1], "/-") {
		h += blockWords[rest[0]] + rest[1]
	} else if len(rest) > 0 && isDigit(h[len(h)-1]) {
		h += suffixLetter(rest[0])
	}
	if utf8.RuneCountInString(h) > maxHouse {
		return ""
	}
	return h
}

// closeGaps removes the spaces around slashes and hyphens: 12 / 3 is 12/3.
func closeGaps(s string) string {
	if !strings.ContainsAny(s, "/-") {
		return s
	}
	parts := strings.Fields(s)
	var b strings.Builder
	for i, p := range parts {
		if i > 0 && !strings.HasSuffix(parts[i-1], "/") && !strings.HasSuffix(parts[i-1], "-") &&
			p[0] != '/' && p[0] != '-' {
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}

// numberAt finds the token that is the number: the first that starts with a
// digit, else the first that holds one (B12); -1 when there is none.
func numberAt(tokens []string) int {
	second := -1
	for i, t := range tokens {
		if isDigit(t[0]) {
			return i
		}
		if second < 0 && strings.ContainsAny(t, "0123456789") {
			second = i
		}
	}
	return second
}

// suffixLetter returns the token when it is the one letter behind a number,
// written apart; ё, ж … я are one letter too, whatever their Latin length.
func suffixLetter(t string) string {
	switch t {
	case "sh", "ch", "ts", "yo", "yu", "ya":
		return t
	case "ye": // 12 е must equal 12е, where the letter is not at the start
		return "e"
	}
	if utf8.RuneCountInString(t) == 1 && !isDigit(t[0]) {
		return t
	}
	return ""
}

// IsHouseNumberToken tells whether a normalised token has the shape of a house
// number: it starts with a digit, has at most 8 characters and 1 to 4 digits.
// (map contract 41.2.)
func IsHouseNumberToken(tok string) bool {
	if tok == "" || !isDigit(tok[0]) || utf8.RuneCountInString(tok) > 8 {
		return false
	}
	digits := 0
	for i := 0; i < len(tok); i++ {
		if isDigit(tok[i]) {
			digits++
		}
	}
	return digits <= 4
}

// HouseRange reads a stored house number that is a range, such as 1-5. ok is
// false for anything else, for a falling range and for one wider than a
// thousand.
func HouseRange(h string) (from, to int, ok bool) {
	a, b, found := strings.Cut(h, "-")
	if !found || len(a) > 5 || len(b) > 5 || !allASCIIDigits(a) || !allASCIIDigits(b) {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(a)
	to, _ = strconv.Atoi(b)
	if from >= to || to-from > maxRange {
		return 0, 0, false
	}
	return from, to, true
}

func allASCIIDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
