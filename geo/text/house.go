package text

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/geo/text/script"
)

// maxHouse is the longest house number, in characters; a longer text is none.
const maxHouse = 16

// maxRange is the widest range of house numbers that is believed; a wider one
// is a typing error or two numbers of another kind.
const maxRange = 1000

// houseWords stand before or behind a house number and say only that it is one.
var houseWords = wordSet("uy uyi dom house d no num lit litera литера bino binosi")

// blockWords name the block of a house: 12 корпус 3 is 12k3.
var blockWords = map[string]string{"korpus": "k", "korp": "k", "k": "k", "stroyeniye": "s", "stroenie": "s", "str": "s", "blok": "k", "korpusi": "k"}

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
	blocks := 0
	for len(rest) > 0 && IsBlock(rest[0]) { // 116/1 с2
		h += rest[0]
		rest = rest[1:]
		blocks++
	}
	for len(rest) > 1 && blockWords[rest[0]] != "" && script.IsDigit(rest[1][0]) && !strings.ContainsAny(rest[1], "/-") {
		h += blockWords[rest[0]] + rest[1]
		rest = rest[2:]
		blocks++
	}
	if blocks == 0 && len(rest) > 0 {
		if script.IsDigit(h[len(h)-1]) {
			h += suffixLetter(rest[0])
		} else if l := suffixLetter(rest[0]); l != "" && strings.Contains(s, "/") && !strings.Contains(h, "/") {
			h += "/" + l // 39A/B
		}
	}
	if utf8.RuneCountInString(h) > maxHouse {
		return ""
	}
	return h
}

// IsBlock tells a block written as one: к3, с2.
func IsBlock(token string) bool {
	return len(token) > 1 && (token[0] == 'k' || token[0] == 's') && allASCIIDigits(token[1:])
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
		if script.IsDigit(t[0]) {
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
	if utf8.RuneCountInString(t) == 1 && !script.IsDigit(t[0]) {
		return t
	}
	return ""
}

// HouseKey is a house number, as HouseNumber gives it, in the form in which two
// are the same: a block counts as the number behind a slash, 116k1 is 116/1.
// (Map contract 41.6.)
func HouseKey(h string) string {
	at := strings.IndexByte(h, 'k')
	if at <= 0 || at+1 == len(h) || !script.IsDigit(h[at-1]) || !script.IsDigit(h[at+1]) || strings.Contains(h[:at], "/") {
		return h
	}
	return h[:at] + "/" + h[at+1:]
}

// IsHouseWord tells whether a token beside a number says only that it is one of a
// house: uy, дом, bino.
func IsHouseWord(token string) bool { return houseWords[token] }

// IsBlockWord tells whether a token between two numbers says that the second is a
// block of the first: корпус, строение, blok.
func IsBlockWord(token string) bool { return blockWords[token] != "" }

// IsOrdinal tells whether a token is a number with the ending that makes it part of
// a name: 99th, 1st, 2ya.
func IsOrdinal(token string) bool {
	end := strings.TrimLeft(token, "0123456789")
	switch end {
	case "st", "nd", "rd", "th", "iy", "ya", "oy", "ye", "chi", "nchi", "inchi":
		return len(end) < len(token)
	}
	return false
}

// IsHouseNumberToken tells whether a normalised token has the shape of a house
// number: it starts with a digit, has at most 8 characters and 1 to 4 digits; or
// two such numbers with a hyphen between them, as 218-77 has.
// (map contract 41.2.)
func IsHouseNumberToken(tok string) bool {
	if a, b, ok := strings.Cut(tok, "-"); ok && allASCIIDigits(a) && allASCIIDigits(b) {
		return len(a) <= 4 && len(b) <= 4
	}
	if tok == "" || !script.IsDigit(tok[0]) || utf8.RuneCountInString(tok) > 8 {
		return false
	}
	digits := 0
	for i := 0; i < len(tok); i++ {
		if script.IsDigit(tok[i]) {
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
		if !script.IsDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// IsNumber reports whether a token is digits alone.
func IsNumber(token string) bool { return strings.TrimLeft(token, "0123456789") == "" }

// HasDigit reports whether a token has a digit.
func HasDigit(token string) bool { return strings.ContainsAny(token, "0123456789") }

// IsLetter reports whether a token is one letter.
func IsLetter(token string) bool { return len(token) == 1 && token[0] >= 'a' && token[0] <= 'z' }
