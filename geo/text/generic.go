package text

import (
	"maps"
	"slices"
	"strings"
)

// genericWords are the words that say what kind of thing a name belongs to
// (section 11, step 5), as people write them; they are normalised before they
// are compared. поселок is the everyday writing of посёлок.
const genericWords = `
koʻchasi koʻcha kochasi shoh shohkoʻchasi tor tumani tuman viloyati viloyat
shahri shahar mahallasi mahalla mfy daha massivi qishlogʻi qishloq kvartal uy uyi
улица ул проспект пр просп переулок пер проезд шоссе бульвар площадь пл район
область город г село посёлок поселок махалля массив квартал дом д
street st avenue ave road rd lane square district region city village
neighbourhood house`

var generic = wordSet(genericWords)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		for _, t := range Tokens(w) {
			set[t] = true
		}
	}
	return set
}

// GenericWords are the generic words as Tokens writes them, in order.
func GenericWords() []string { return slices.Sorted(maps.Keys(generic)) }

// IsGeneric tells whether a normalised token is one of the generic words.
func IsGeneric(token string) bool { return generic[token] }

// Significant returns the tokens without the generic words, or all of them when
// nothing would be left. It returns the slice it was given when there is
// nothing to drop, and never changes it. (Section 11, step 5.)
func Significant(tokens []string) []string {
	kept := 0
	for _, t := range tokens {
		if !generic[t] {
			kept++
		}
	}
	if kept == 0 || kept == len(tokens) {
		return tokens
	}
	list := make([]string, 0, kept)
	for _, t := range tokens {
		if !generic[t] {
			list = append(list, t)
		}
	}
	return list
}
