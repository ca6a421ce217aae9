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

// shortenings are generic words that are written with their beginning and end, which
// are two tokens.
const shortenings = `пр-т пр-кт пр-д пр-зд б-р ш-се пер-к кв-л р-н`

var genericPairs = func() map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for _, w := range strings.Fields(shortenings) {
		if t := Tokens(w); len(t) == 2 {
			pairs[[2]string{t[0], t[1]}] = true
		}
	}
	return pairs
}()

// maxShort is the longest token, in bytes, that a shortening begins with.
const maxShort = 3

// dropped is how many tokens from i on are a generic word; 0 for none.
func dropped(tokens []string, i int) int {
	if len(tokens[i]) <= maxShort && i+1 < len(tokens) && genericPairs[[2]string{tokens[i], tokens[i+1]}] {
		return 2
	}
	if generic[tokens[i]] {
		return 1
	}
	return 0
}

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
	for i := 0; i < len(tokens); {
		n := dropped(tokens, i)
		if n == 0 {
			kept, n = kept+1, 1
		}
		i += n
	}
	if kept == 0 || kept == len(tokens) {
		return tokens
	}
	list := make([]string, 0, kept)
	for i := 0; i < len(tokens); {
		n := dropped(tokens, i)
		if n == 0 {
			list, n = append(list, tokens[i]), 1
		}
		i += n
	}
	return list
}
