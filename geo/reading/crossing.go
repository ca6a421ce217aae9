package reading

import (
	"slices"
	"strings"

	"svc/geo/text"
)

// crossingWords begin, end or stand in a query that asks for a crossing.
var crossingWords = wordSet(`угол пересечение перекресток перекрёсток corner intersection junction crossing
	кесишмаси kesishmasi kesishuvi chorrahasi чорраҳаси чорраха chorraha burchagi`)

// andWords stand between two streets.
var andWords = wordSet("и and va ва bilan билан с со x of")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, t := range text.Tokens(words) {
		set[t] = true
	}
	return set
}

// plainAnds are those of them that stand between two names without a word for a street.
var plainAnds = wordSet("и and va ва bilan билан")

// readCrossing reads "X & Y", "X / Y", "X кесишмаси Y", "угол X и Y".
func (a *asked) readCrossing() {
	for _, sign := range []string{"&", "/"} {
		if left, right, ok := strings.Cut(a.raw, sign); ok && (sign == "&" || apart(left, right)) {
			a.addCrossing(text.Tokens(left), text.Tokens(right), true)
			return
		}
	}
	at := slices.IndexFunc(a.tokens, func(t string) bool { return crossingWords[t] })
	if at < 0 {
		a.readPlainAnd()
		return
	}
	left, right := a.tokens[:at], a.tokens[at+1:]
	if len(left) > 0 && len(right) > 0 && !slices.ContainsFunc(left, isAnd) {
		a.addCrossing(left, right, false)
		return
	}
	rest := slices.Concat(left, right)
	for len(rest) > 0 && isAnd(rest[0]) { // corner of
		rest = rest[1:]
	}
	if i := slices.IndexFunc(rest, isAnd); i > 0 {
		a.addCrossing(rest[:i], rest[i+1:], false)
		return
	}
	for i := 1; i < len(rest); i++ {
		a.addCrossing(rest[:i], rest[i:], i == 1) // or a name: Fleur-de-Lys Junction
	}
}

// apart reports whether a stroke stands between two names: that of 39A/B and of 12 / 3
// stands between the parts of a number.
func apart(left, right string) bool {
	l, r := text.Tokens(left), text.Tokens(right)
	if len(l) == 0 || len(r) == 0 || len(l) == 1 && text.IsLetter(l[0]) {
		return false // C/ shortens a word for a street
	}
	last, first := l[len(l)-1], r[0]
	if text.IsOrdinal(last) || text.IsOrdinal(first) || !text.HasDigit(last) && !text.HasDigit(first) {
		return true
	}
	joined := text.HasDigit(last) && (text.HasDigit(first) || text.IsLetter(first))
	return !joined && slices.ContainsFunc(l, isName) && slices.ContainsFunc(r, isName) // Road 72 / Road 79
}

// readPlainAnd reads "Main Street and 5th Avenue", where a side says that it is a street,
// and "Main and 5th", which may be a name as well.
func (a *asked) readPlainAnd() {
	i := slices.IndexFunc(a.tokens, func(t string) bool { return isAnd(t) && t != "of" }) // Our Lady of Sorrow Street
	if i <= 0 || i+1 == len(a.tokens) {
		return
	}
	left, right := a.tokens[:i], a.tokens[i+1:]
	typed := len(text.Types(left)) > 0 || len(text.Types(right)) > 0
	if typed || plainAnds[a.tokens[i]] && slices.ContainsFunc(left, isWord) && slices.ContainsFunc(right, isWord) {
		a.addCrossing(left, right, !typed)
	}
}

// isWord reports whether a token is more than a letter or a number.
func isWord(t string) bool { return isName(t) || text.IsOrdinal(t) }

func isAnd(t string) bool { return andWords[t] }

// addCrossing reads two streets that meet; named says that the query may be a name: Gus & Gus.
func (a *asked) addCrossing(left, right []string, named bool) {
	if len(left) == 0 || len(right) == 0 {
		return
	}
	if named {
		a.addWhole("")
	}
	if a.sides == nil {
		a.sides = [][]string{left, right}
	}
	a.add(Reading{How: AsCrossing, Words: left, Place: right, Types: []string{}})
}

// readSides reads streets that do not meet as two streets.
func (a *asked) readSides() {
	for _, side := range a.sides {
		a.add(Reading{How: AsNames, Words: text.Significant(side), Types: text.Types(side), Category: "street", Cost: costDropped, Fallback: true})
	}
}
