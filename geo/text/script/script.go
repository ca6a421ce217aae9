// Package script knows the letters in which Uzbek, Russian and their neighbours are
// written: every apostrophe that people type, Uzbek Latin and Cyrillic and the way
// between them, tokens, and the forms in which two writings of one word are equal.
//
// It promises that the same word written in Uzbek Latin, Uzbek Cyrillic or with any
// of the apostrophes people type gives the same token, that the result does not
// depend on the locale of the host, and that the work is linear in the text.
//
// It refuses to know what a word means: no dictionary, no names, no language. It
// imports nothing of the product, because two engines build on it.
package script

import "unicode"

// Script is a set of letters.
type Script uint8

// The scripts.
const (
	None     Script = iota // no letter, or as many of one as of the other
	Latin                  // A to Z with any mark
	Cyrillic               // Russian, Uzbek and their neighbours
	Other                  // any other set of letters
)

// Letters is how many letters of each script a text has.
type Letters struct{ Latin, Cyrillic, Other int }

// Count counts the letters of s by script.
func Count(s string) (n Letters) {
	for _, r := range s {
		switch Of(r) {
		case Latin:
			n.Latin++
		case Cyrillic:
			n.Cyrillic++
		case Other:
			n.Other++
		}
	}
	return n
}

// Main is the script that has the most letters.
func (n Letters) Main() Script {
	switch {
	case n.Latin > n.Cyrillic && n.Latin > n.Other:
		return Latin
	case n.Cyrillic > n.Latin && n.Cyrillic > n.Other:
		return Cyrillic
	case n.Other > n.Latin && n.Other > n.Cyrillic:
		return Other
	}
	return None
}

// Of is the script of one letter, None for anything else.
func Of(r rune) Script {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return Latin
	case r < 0x80:
		return None
	case 0x400 <= r && r < 0x530 && unicode.IsLetter(r):
		return Cyrillic
	case isApostrophe(r), !unicode.IsLetter(r):
		return None
	case unicode.Is(unicode.Latin, r):
		return Latin
	case unicode.Is(unicode.Cyrillic, r):
		return Cyrillic
	}
	return Other
}

// IsApostrophe tells the characters that people type for the Uzbek turned comma and
// apostrophe.
func IsApostrophe(r rune) bool { return isApostrophe(r) }

// Digit is the value of a decimal digit of any script.
func Digit(r rune) (value byte, ok bool) {
	if r < 0x80 {
		return byte(r - '0'), '0' <= r && r <= '9'
	}
	return digitValue(r)
}
