// Package lang reads what any text has: its language and script, its numbers in
// digits and in words, its sums of money and its dates, in Uzbek (both scripts),
// Russian and English.
//
// It promises answers with places in bytes of the text that was given, work that is
// linear in the text and bounded (MaxText), and the same answer whatever apostrophes
// and scripts a word was written with.
//
// It refuses to know what a message wants (ai/signals) and whether a fact is true
// (ai/ground).
package lang

import "unicode/utf8"

// MaxText is how many bytes of a text are read; the rest is ignored.
const MaxText = 1 << 14

// bounded cuts a text at MaxText, before a character.
func bounded(s string) string {
	if len(s) <= MaxText {
		return s
	}
	n := MaxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
