package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// enough is the share that a language must have to be the one of a customer.
const enough = 0.7

// shortWord is how many letters a word has that says nothing of its language alone: ok, hi, да.
const shortWord = 2

// Customer is in which language a customer is answered: that of the newest messages where they
// say enough, else that of all of them, the oldest first. Names, and what stands in quotation
// marks, are no evidence: a name of goods is in its own language whoever says it. Only a text
// that is nothing but a quotation counts as it stands. Lang is Unknown when nothing says enough.
func Customer(newest string, all, names []string) Guess {
	known := Names(names...)
	bare := known.Without(newest)
	for _, try := range []struct {
		text  string
		words int
	}{{bare, 2}, {known.Without(strings.Join(all, ".\n")), 2}, {bare, 1}, {known.drop(newest), 2}} {
		if g := Identify(try.text); g.Lang != Unknown && g.Words >= try.words && g.Score() >= enough && (g.Words > 1 || g.Sure && letters(try.text) > shortWord) {
			return g
		}
	}
	return Guess{}
}

// letters counts those of a text.
func letters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// NameWords are the words of names, by their keys.
type NameWords map[string]bool

// Names takes names apart: of offers, of a business, terms of a glossary.
func Names(names ...string) NameWords {
	out := NameWords{}
	for _, name := range names {
		for _, w := range script.Tokens(name) {
			out[script.Key(w)] = true
		}
	}
	return out
}

// Without is a text without quotations, words of the names, and numbers. A small word of a
// language, such as "for" and "для", is left away beside another word of a name only.
func (n NameWords) Without(text string) string { return n.drop(unquoted(text)) }

func (n NameWords) drop(text string) string {
	list := script.Words(text)
	out := make([]bool, len(list))
	for i := 0; i < len(list); i++ {
		run, whole := i, false // of words of names; whole: not small ones only
		for ; run < len(list) && n[script.Key(list[run].Text)]; run++ {
			_, small := smallWords[list[run].Text]
			whole = whole || !small
		}
		for ; i < run; i++ {
			out[i] = whole
		}
	}
	var b strings.Builder
	at := 0
	for i, w := range list {
		if out[i] || strings.ContainsAny(w.Text, "0123456789") {
			b.WriteString(text[at:max(at, w.Start)]) // ﷺ is several words at one place
			at = max(at, w.End)
		}
	}
	return b.String() + text[at:]
}

// quotes are pairs of marks around quotations. An apostrophe opens one at the beginning of a
// word only, and closes it at the end of one: within a word it is a letter of Uzbek.
var quotes = map[rune]string{'"': "\"”“", '«': "»", '“': "”“\"", '„': "“”\"", '‘': "’‘'", '\'': "'’", '`': "`'"}

// longestQuotation is how many bytes a quotation has at most: more between two marks is none.
const longestQuotation = 200

// unquoted is a text without its quotations.
func unquoted(text string) string {
	var b strings.Builder
	before := ' '
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if closing := quotes[r]; closing != "" && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			if end := closes(text[i+n:], closing); end > 0 {
				b.WriteByte(' ')
				i, before = i+n+end, ' '
				continue
			}
		}
		b.WriteString(text[i : i+n])
		i, before = i+n, r
	}
	return b.String()
}

// closes is how many bytes there are up to the end of a quotation, its mark included; 0 where it
// does not end.
func closes(text, marks string) int {
	for i, r := range text {
		if i > longestQuotation || r == '\n' {
			return 0
		}
		if i == 0 || !strings.ContainsRune(marks, r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(text[end:])
		if end == len(text) || !unicode.IsLetter(next) && !unicode.IsDigit(next) || !script.IsApostrophe(r) {
			return end
		}
	}
	return 0
}
