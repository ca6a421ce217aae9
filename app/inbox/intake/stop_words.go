package intake

import (
	"slices"
	"strings"
	"unicode"

	"svc/app/org"
	"svc/store"
)

// maxStopWord bounds the texts that are compared, in bytes.
const maxStopWord = 200

// findStopWord says which stop word a message is, and nothing else: in any case, with any of
// the apostrophes that people type, and whatever signs around it.
func findStopWord(text string, words org.StopKeywords) (word string, ok bool) {
	if len(text) > maxStopWord {
		return "", false
	}
	said := bare(text)
	if said == "" {
		return "", false
	}
	for _, list := range [][]string{words.UZ, words.RU, words.EN} {
		if i := slices.IndexFunc(list, func(w string) bool { return bare(w) == said }); i >= 0 {
			return list[i], true
		}
	}
	return "", false
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
