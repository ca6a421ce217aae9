package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxName is the number of characters of a stored name; the rest is cut.
const MaxName = 300

// Clean returns a name as it is stored and shown: composed (NFC), trimmed, one
// space between words, without control characters and invisible direction
// marks, invalid bytes replaced by U+FFFD, at most MaxName characters.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), 4*MaxName))
	space := false
	n := 0
	for _, r := range s { // an invalid byte reads as U+FFFD
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case isInvisible(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		// Composition may shrink the text, so more than MaxName is read, but
		// never all of a hostile megabyte.
		if n++; n == 4*MaxName {
			break
		}
	}
	return strings.TrimRight(bounded(norm.NFC.String(b.String()), MaxName), " ")
}

// isClean tells the common case, a short ASCII name with nothing to do.
func isClean(s string) bool {
	if len(s) > MaxName {
		return false
	}
	prev := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7F || c == ' ' && prev == ' ' {
			return false
		}
		prev = c
	}
	return s == "" || prev != ' '
}

// isInvisible tells the characters that a name never needs: controls, the
// direction overrides that can disguise a name, and stray byte order marks.
// The joiners U+200C and U+200D are spelling in some scripts and stay.
func isInvisible(r rune) bool {
	switch {
	case unicode.IsControl(r), r == 0x200B, r == 0x200E, r == 0x200F, r == 0x2060, r == 0xFEFF:
		return true
	}
	return 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069
}

// Length is the number of characters of s.
func Length(s string) int { return utf8.RuneCountInString(s) }

// maxPostcode is the longest postcode, in characters; a longer text is none.
const maxPostcode = 12

// Postcode is a postcode as it is compared: normalised, without spaces, hyphens
// and slashes, so that `VLT 1117`, `vlt1117` and `4000-123`, `4000 123` are the
// same. Empty when s has no digit or is too long.
func Postcode(s string) string {
	s = strings.NewReplacer("-", "", "/", "").Replace(strings.Join(Tokens(bounded(s, 4*maxPostcode)), ""))
	if Length(s) > maxPostcode || !strings.ContainsAny(s, "0123456789") {
		return ""
	}
	return s
}
