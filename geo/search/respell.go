package search

import (
	"strings"
	"unicode/utf8"

	"svc/geo/index"
	"svc/geo/text"
)

// The stages of map contract 41.3 leave short words with one wrong letter in
// their middle unanswered: nelson and nelzon neither sound the same nor share
// enough trigrams. When nothing at all is found, and only then, each word that
// begins no word of the map is read as the most important one that is a single
// letter away: one more, one less, one other, or two exchanged.

// respelled is the shortest word, in characters, that is read otherwise.
const respelled = 4

// alphabet are the letters of normalised words.
const alphabet = "abcdefghijklmnopqrstuvwxyz"

// respell corrects the words of a query; ok is false when there is nothing to
// correct, or no correction.
func respell(x *index.Index, query string) (corrected string, ok bool) {
	tokens := text.Tokens(query)
	for i, t := range tokens[:min(len(tokens), maxQueryTokens)] {
		if utf8.RuneCountInString(t) < respelled || len(t) > 40 || strings.ContainsAny(t, "0123456789") || x.Prefix(t).Len() > 0 {
			continue
		}
		best, found := "", index.NoSet
		for _, c := range neighbours(t) {
			if span := x.Exact(c); span.Len() > 0 && x.FirstSet(span.From) < found {
				best, found = c, x.FirstSet(span.From)
			}
		}
		if best != "" {
			tokens[i], ok = best, true
		}
	}
	return strings.Join(tokens, " "), ok
}

// neighbours are the words one letter away from w.
func neighbours(w string) []string {
	out := make([]string, 0, 54*len(w))
	for i := range len(w) + 1 {
		for _, c := range alphabet {
			out = append(out, w[:i]+string(c)+w[i:])
			if i < len(w) {
				out = append(out, w[:i]+string(c)+w[i+1:])
			}
		}
		if i < len(w) {
			out = append(out, w[:i]+w[i+1:])
		}
		if i+1 < len(w) {
			out = append(out, w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:])
		}
	}
	return out
}
