package connection

import (
	"slices"
	"strings"
	"unicode"

	"svc/app/org"
	"svc/store"
)

// isStopWord says whether a message is a stop word and nothing else: in any case,
// with any of the apostrophes that people type, and whatever signs around it.
func isStopWord(text string, words org.StopKeywords) bool {
	if len(text) > 200 {
		return false
	}
	said := bare(text)
	same := func(w string) bool { return bare(w) == said }
	return said != "" && (slices.ContainsFunc(words.UZ, same) || slices.ContainsFunc(words.RU, same) || slices.ContainsFunc(words.EN, same))
}

// bare is a text without what does not matter for its words.
func bare(text string) string {
	var b strings.Builder
	for _, r := range store.Fold(text) {
		switch {
		case unicode.IsLetter(r) && r != 'ʻ' && r != 'ʼ', unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
