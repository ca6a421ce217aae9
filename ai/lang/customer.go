package lang

import (
	"strings"

	"svc/geo/text/script"
)

// sure is the share from which the language of a customer is taken for known.
const sure = 0.7

// OfCustomer tells in which language a customer is answered: that of what they wrote last (burst)
// when it says enough, else that of all that they wrote. Words of names, such as those of offers
// and of a glossary, say nothing of it: a customer writes them as the shop does.
func OfCustomer(burst string, texts, names []string) (g Guess, known bool) {
	skip := tokensOf(names)
	last := without(burst, skip)
	for _, try := range []struct {
		text  string
		words int
	}{{last, 2}, {without(strings.Join(texts, ". "), skip), 2}, {last, 1}} {
		g = Identify(try.text)
		if g.Lang != Unknown && g.Words >= try.words && g.Score() >= sure && (try.words > 1 || len(try.text) > shortest) {
			return g, true
		}
	}
	return Guess{}, false
}

// shortest is how many bytes one word must be longer than to tell a language.
const shortest = 4

// Without is a text without the words of names and without numbers, its words a space apart.
func Without(text string, names []string) string { return without(text, tokensOf(names)) }

// tokensOf are the words of names, as tokens.
func tokensOf(names []string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		for _, w := range script.Tokens(name) {
			out[w] = true
		}
	}
	return out
}

func without(text string, skip map[string]bool) string {
	text = bounded(text)
	var b strings.Builder
	for _, w := range script.Words(text) {
		if !skip[w.Text] && !strings.ContainsAny(w.Text, "0123456789") {
			b.WriteString(text[w.Start:w.End])
			b.WriteByte(' ')
		}
	}
	return b.String()
}
