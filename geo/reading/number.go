package reading

import (
	"slices"
	"strings"

	"svc/geo/text"
)

// houseRun is a run of tokens that may be a house number: 12, д 12, 116 корп 1, 12 a.
type houseRun struct {
	from, to int
	numbers  []string // the fuller reading first, as text.HouseKey writes them
}

// houseRuns finds the house numbers of a query (map contract 41.6). The last number
// comes first, which is where most people write it, then one that begins the
// query. Of "5 12" neither is one, and a number alone is a name.
func houseRuns(tokens []string) []houseRun {
	var out []houseRun
	for i := len(tokens) - 1; i >= 0; i-- {
		if !text.IsHouseNumberToken(tokens[i]) || text.IsOrdinal(tokens[i]) || i+2 < len(tokens) && text.IsNumber(tokens[i]) && text.EndsOrdinal(tokens[i+1]) || i > 0 && text.IsHouseNumberToken(tokens[i-1]) {
			continue
		}
		if i > 1 && text.IsBlockWord(tokens[i-1]) && text.IsHouseNumberToken(tokens[i-2]) {
			continue // the block of the number before it
		}
		run := runAt(tokens, i)
		if run.to-run.from < len(tokens) {
			out = append(out, run)
		}
	}
	return out[:min(len(out), 3)]
}

// numbersNamed reports whether a query has numbers that all may be those of houses, and are
// words of names as well.
func (a *asked) numbersNamed(runs []houseRun) bool {
	return len(runs) > 0 && !slices.ContainsFunc(runs, func(r houseRun) bool {
		return r.to > r.from+1 || a.x.Exact(a.inside[r.from]).Len() == 0
	})
}

// longNumber is how many digits a house number has at most, where roads are numbered along
// their whole length: 19068 Coastal Highway.
const longNumber = 5

// readLongNumber reads five digits as a house number, though only of a house that there is:
// elsewhere they are a postcode or a part of a name.
func (a *asked) readLongNumber(words []string, wanted string) {
	for i, t := range words {
		if len(t) != longNumber || !text.IsNumber(t) {
			continue
		}
		if rest := text.Significant(slices.Concat(words[:i], words[i+1:])); len(rest) > 0 {
			a.add(Reading{How: AsAddress, Words: rest, Houses: []string{text.HouseKey(t)}, Category: wanted, Called: true})
			return
		}
	}
}

// runAt is the number that begins at token i, with what belongs to it.
func runAt(tokens []string, i int) houseRun {
	run := houseRun{from: i, to: i + 1}
	for run.to < len(tokens) && text.IsBlock(tokens[run.to]) {
		run.to++
	}
	for run.to+1 < len(tokens) && text.IsBlockWord(tokens[run.to]) && text.IsHouseNumberToken(tokens[run.to+1]) {
		run.to += 2
	}
	number := text.HouseKey(text.HouseNumber(strings.Join(tokens[i:run.to], " ")))
	if run.to == i+1 && run.to < len(tokens) && text.IsLetter(tokens[run.to]) && !text.IsHouseWord(tokens[run.to]) {
		letter := tokens[run.to]
		if !text.IsNumber(tokens[i]) {
			letter = "/" + letter // 39a/b
		}
		run.numbers = append(run.numbers, tokens[i]+letter)
		run.to++
	}
	if number != "" {
		run.numbers = append(run.numbers, number)
	}
	if run.to < len(tokens) && text.IsHouseWord(tokens[run.to]) { // 12-uy
		run.to++
	}
	if run.from > 0 && text.IsHouseWord(tokens[run.from-1]) {
		run.from--
	}
	run.numbers = slices.Compact(run.numbers)
	return run
}

// readQuarter reads the second of two numbers as that of a house in a quarter which
// the first one names: Chilonzor 5 12.
func (a *asked) readQuarter(words []string, wanted string) {
	for i := len(words) - 1; i > 1; i-- {
		if text.IsHouseNumberToken(words[i]) && text.IsHouseNumberToken(words[i-1]) {
			run := runAt(words, i)
			rest := text.Significant(slices.Concat(words[:run.from], words[run.to:]))
			a.add(Reading{How: AsAddress, Words: rest, Houses: run.numbers, Category: wanted, Fallback: true})
			return
		}
	}
}
