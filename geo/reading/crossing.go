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

// readCrossing reads "X & Y", "X кесишмаси Y", "угол X и Y".
func (a *asked) readCrossing() {
	if left, right, ok := strings.Cut(a.raw, "&"); ok {
		a.addCrossing(text.Tokens(left), text.Tokens(right), false)
		return
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
		a.addCrossing(rest[:i], rest[i:], false)
	}
}

// readPlainAnd reads "Main Street and 5th Avenue", where both sides say that they are
// streets.
func (a *asked) readPlainAnd() {
	i := slices.IndexFunc(a.tokens, isAnd)
	if i <= 0 || i+1 == len(a.tokens) {
		return
	}
	if left, right := a.tokens[:i], a.tokens[i+1:]; len(text.Types(left)) > 0 || len(text.Types(right)) > 0 {
		a.addCrossing(left, right, false)
	}
}

func isAnd(t string) bool { return andWords[t] }

func (a *asked) addCrossing(left, right []string, fallback bool) {
	if len(left) == 0 || len(right) == 0 {
		return
	}
	if strings.Contains(a.raw, "&") { // or a name: Gus & Gus
		a.addWhole("")
	}
	if a.sides == nil {
		a.sides = [][]string{left, right}
	}
	a.add(Reading{How: AsCrossing, Words: left, Place: right, Types: []string{}, Fallback: fallback})
}

// readSides reads streets that do not meet as two streets.
func (a *asked) readSides() {
	for _, side := range a.sides {
		a.add(Reading{How: AsNames, Words: text.Significant(side), Types: text.Types(side), Category: "street", Cost: costDropped, Fallback: true})
	}
}
