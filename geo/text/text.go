// Package text turns the names of a map and the words of a query into one
// comparable form: tokens, house numbers, canonical street names and trigrams. What
// is true of any text, letters, scripts and skeletons, is below it in
// geo/text/script.
//
// It promises that the same word written in Uzbek Latin, Uzbek Cyrillic or with
// any of the apostrophes people type gives the same tokens, that lengths are
// counted in characters and never in bytes, that the result does not depend on
// the locale of the host, and that the work is bounded whatever comes in.
//
// It refuses to guess: it knows no dictionary of places, corrects no spelling
// and drops only the generic words that the map service's design names
// (map contract 11).
package text

import "svc/geo/text/script"

// MaxInput is the number of characters of one string that Tokens reads; the
// rest is ignored. Stored names are shorter (see MaxName), so only a hostile
// query is ever cut.
const MaxInput = 1024

// Tokens returns the normalised tokens of s in order, nothing dropped: lower
// case, Cyrillic written in Uzbek Latin, marks and apostrophes folded, split on
// everything that is neither letter nor digit. `12a`, `12/3` and `1-5` stay
// whole, `12-uy` gives `12`, `uy`. Letters of other scripts survive as they
// are. The answer is nil when nothing is left. (Section 11, steps 1 to 4.)
func Tokens(s string) []string {
	return script.Tokens(bounded(s, MaxInput))
}

// bounded returns the first limit characters of s.
func bounded(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}
