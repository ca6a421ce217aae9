package text

import (
	"slices"
	"strings"
)

// typeSpellings lists every spelling of the words that say what kind of street
// or area a name is, one kind a line, the token that stands for it first.
// Spellings of two tokens (shoh koʻchasi, пр-т) are joined with a hyphen.
var typeSpellings = []string{
	"kocha koʻcha koʻchasi kochasi kuchasi kucha кўча улица ул ulica ulitsa ulitsasi street str st",
	"torkocha tor-koʻcha tor-koʻchasi torkoʻcha torkoʻchasi tor-kuchasi переулок пер пер-к pereulok lane ln",
	"berkkocha berk-koʻcha berk-koʻchasi berkkoʻcha тупик туп",
	"shohkocha shoh-koʻcha shoh-koʻchasi shohkoʻcha shohkoʻchasi shox-koʻcha shox-koʻchasi shohkucha shoh-kuchasi проспект prospekti просп пр пр-т пр-кт prospect avenue ave av",
	"proyezd проезд proezd pr-d пр-зд passage",
	"shosse шоссе ш-се shossesi highway hwy",
	"yol yoʻl yoʻli дорога road rd",
	"bulvar бульвар bulvari бульв б-р boulevard blvd",
	"maydon maydoni площадь пл ploshchad square sq",
	"naberejnaya набережная наб naberezhnaya embankment",
	"mahalla mahallasi mfy махалля maxalla makhalla neighbourhood",
	"massiv massivi массив жилмассив",
	"kvartal kvartali квартал кв-л",
	"daha dahasi",
	"tuman tumani район р-н rayon rayoni district",
	"viloyat viloyati область обл region",
	"shahar shahri город gorod city",
	"qishloq qishlogʻi село selo village",
	"posyolok посёлок поселок пос",
}

// canonicalTypes maps a spelling of one token, and canonicalPairs one of two
// tokens joined with a space, to the token that stands for its kind.
var canonicalTypes, canonicalPairs = spellings()

func spellings() (one, two map[string]string) {
	one, two = make(map[string]string), make(map[string]string)
	for _, line := range typeSpellings {
		words := strings.Fields(line)
		for _, w := range words {
			switch t := Tokens(w); len(t) {
			case 1:
				one[t[0]] = words[0]
			case 2:
				two[t[0]+" "+t[1]] = words[0]
			}
		}
	}
	return one, two
}

// ordinals end a number that is written with its ending: 1-й, 2-я, 3-chi.
var ordinals = map[string]bool{"y": true, "ya": true, "ye": true, "iy": true, "oy": true, "chi": true, "nchi": true, "inchi": true}

// EndsOrdinal reports whether a token ends the number before it: the й of 7-й Полевой.
func EndsOrdinal(token string) bool { return ordinals[token] }

// Canonical returns the form in which two names of one street or area are
// equal: normalised tokens, nothing generic dropped, every spelling of street,
// lane, avenue and their kin one token each, moved to the end so that `улица
// Пушкина` equals `Пушкина улица`, joined with one space. A street and a lane
// of one name stay different. (Section 8, "Streets".)
func Canonical(s string) string {
	name, types := splitTypes(Tokens(s))
	return strings.Join(append(name, sortedTypes(types)...), " ")
}

// Types are the words of some tokens that say what kind of street or area a name
// is, each as the token that stands for its kind, sorted and once: kocha for
// street, улица and koʻchasi. (Map contract 41.4.)
func Types(tokens []string) []string {
	_, types := splitTypes(tokens)
	return sortedTypes(types)
}

// splitTypes parts the words of a name from those that say its kind.
func splitTypes(tokens []string) (name, types []string) {
	name = make([]string, 0, len(tokens))
	for i := 0; i < len(tokens); i++ {
		if i+1 < len(tokens) {
			if c := canonicalPairs[tokens[i]+" "+tokens[i+1]]; c != "" {
				types = append(types, c)
				i++
				continue
			}
		}
		saint := i == 0 && tokens[0] == "st" && len(tokens) > 1 // St begins a saint's name and ends a street's
		if c := canonicalTypes[tokens[i]]; c != "" && !saint {
			types = append(types, c)
			continue
		}
		numbered := len(name) > 0 && allASCIIDigits(name[len(name)-1])
		if tokens[i] == "tor" && (numbered || i > 0 && i+1 == len(tokens)) {
			types = append(types, "torkocha") // 1-tor Navoiy koʻchasi, Navoiy 1-tor
			continue
		}
		if numbered && ordinals[tokens[i]] {
			continue
		}
		name = append(name, tokens[i])
	}
	return name, types
}

// streetKinds are the narrower kinds beside which the plain word for street
// says nothing: a numbered lane of a street is a lane.
var streetKinds = map[string]bool{"torkocha": true, "berkkocha": true, "shohkocha": true, "proyezd": true, "shosse": true, "bulvar": true}

// sortedTypes orders the kinds of a name that has several, each once, so that
// their order in the text does not matter.
func sortedTypes(types []string) []string {
	slices.Sort(types)
	types = slices.Compact(types)
	if slices.ContainsFunc(types, func(t string) bool { return streetKinds[t] }) {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "kocha" })
	}
	return types
}
