// Package cell makes texts safe in the cells of a table that a spreadsheet opens, and reads
// them back (contract 21.3).
package cell

import (
	"strings"
	"unicode"
)

// Escape makes a text safe in a CSV file (contract 21.3). A spreadsheet
// runs a cell as a formula that begins with one of = + - @ or their wide forms, also
// behind blanks, and some programs take a tab or a line break at the beginning for the
// beginning of another cell. Such a cell gets an apostrophe in front, which spreadsheets
// take for "this is text".
//
// A cell that would be such a one without the apostrophes it begins with gets one more,
// so that every text comes back as it was: Unescape(Escape(s)) == s.
func Escape(s string) string {
	if runs(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

// Unescape is the inverse of Escape, for a file that this service wrote. One
// apostrophe in front is taken away when what stands behind all of them would run as a
// formula; every other cell is left as it is.
func Unescape(s string) string {
	if rest := strings.TrimLeft(s, "'"); rest != s && runs(rest) {
		return s[1:]
	}
	return s
}

// formulaSigns begin a formula in some spreadsheet: the plain signs, their full-width
// and small forms, and the minus sign of typography.
const formulaSigns = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"

// runs says whether a spreadsheet may take a cell for a formula or for several cells.
func runs(s string) bool {
	for _, r := range s {
		switch {
		case r == '\t', r == '\r', r == '\n', strings.ContainsRune(formulaSigns, r):
			return true
		case !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !unicode.IsControl(r):
			return false // Cf are characters that nobody sees, such as a byte order mark
		}
	}
	return false
}
