package reading

import (
	"slices"

	"svc/geo/category"
	"svc/geo/text"
)

// maxAlong is the longest query, in words, that is read as a name along a street without
// a word between them.
const maxAlong = 5

// readAlong reads a name along a street: Korzinka Navoiy, Oak Street Starbucks.
func (a *asked) readAlong(words []string) {
	if len(words) > maxAlong {
		return
	}
	for i := 1; i < len(words); i++ {
		left, right := words[:i], words[i:]
		if !a.mayName(left) || !a.mayName(right) {
			continue
		}
		if !saysStreet(left) {
			a.add(Reading{How: AsNear, Words: text.Significant(left), Place: right, Floor: wholeWords, Types: []string{}, Fallback: true})
		}
		if !saysStreet(right) {
			a.add(Reading{How: AsNear, Words: text.Significant(right), Place: left, Floor: wholeWords, Types: []string{}, Fallback: true})
		}
	}
}

// mayName reports whether the map has all words but those for kinds, and one says enough.
func (a *asked) mayName(words []string) bool {
	return slices.ContainsFunc(words, isName) && !slices.ContainsFunc(words, func(t string) bool { return !text.IsGeneric(t) && a.x.Prefix(t).Len() == 0 })
}

// readNumbered reads a number that stands before the word for a street as its name: "East
// 7 Avenue" is the East 7th Avenue, where the map has it.
func (a *asked) readNumbered(words []string, runs []houseRun) {
	for _, run := range runs {
		if run.numbersStreet(words) {
			a.add(Reading{How: AsNames, Words: text.Significant(words), Category: "street", Floor: wholePrefix, Whole: true})
			return
		}
	}
}

// numbersStreet reports whether a number stands between a name and the word for a street.
func (run *houseRun) numbersStreet(words []string) bool {
	return run.from > 0 && run.to == run.from+1 && run.to < len(words) && text.IsNumber(words[run.from]) && saysStreet(words[run.to:run.to+1])
}

// saysStreet reports whether words have one for a kind of street.
func saysStreet(words []string) bool {
	return slices.ContainsFunc(text.Types(words), func(t string) bool { return TypeCategories[t] == nil })
}

// wholeWords is the least text score of a name that has all words, and one more at most.
const wholeWords = 1.0

// wholePrefix is the least text score of a name that begins all words, or is them.
const wholePrefix = 0.8

// gainListing puts what is listed beside a place before names that have some of the words.
const gainListing = 0.4

// gainNearest puts the members that are nearest to a settlement before its name alone.
const gainNearest = 1.0

// readFewer lists a category in a place that only some of the words name, where nothing
// else is found: "French embassy Monaco" are the embassies there.
func (a *asked) readFewer(rest []string, in category.Intent) {
	if slices.ContainsFunc(rest, isName) { // the nearest to a settlement that has none; or what is no area: a category beside a station
		a.add(Reading{How: AsListing, Category: in.Category, Place: rest, Near: true, Nearest: true, Cost: -gainNearest, Fallback: true})
		a.add(Reading{How: AsListing, Category: in.Category, Place: rest, Near: true, Points: true, Cost: -gainListing, Fallback: true})
	}
	if len(rest) < 2 || len(rest) > maxAlong {
		return
	}
	for i := range rest {
		if place := slices.Concat(rest[:i], rest[i+1:]); slices.ContainsFunc(place, isName) {
			a.add(Reading{How: AsListing, Category: in.Category, Place: place, Cost: costPart, Fallback: true})
		}
	}
}
