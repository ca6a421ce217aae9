package api

import (
	"strings"
	"unicode"
)

// Blank says whether nobody could see anything of a text: it is empty, or made of spaces and of
// signs without a shape, such as the zero-width space.
func Blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !unicode.IsControl(r) }) < 0
}
