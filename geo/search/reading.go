package search

import (
	"slices"
	"strings"

	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/text"
)

// maxQueryTokens bounds a query: what is longer is cut, never refused.
const maxQueryTokens = 12

// how says what a reading takes a query for.
type how int

const (
	asNames    how = iota // words of a name, and of the areas around it
	asAddress             // a house number along a street or in a place
	asListing             // a category: everywhere, or in, along or near a place
	asNear                // a name near a place
	asCrossing            // where two streets meet
	asPoint               // a coordinate or plus code
	asPostcode            // what carries a postcode
)

var hows = [...]string{"names", "address", "listing", "near", "crossing", "point", "postcode"}

// reading is one way to understand a query. A query has a few, which are made before
// any candidate is fetched; they are tried in turn until one is answered well, and
// the hits of the weaker ones are merged by score (map contract 41.2).
type reading struct {
	how      how
	words    []string // to be found in names or as areas, generic words dropped
	houses   []string // readings of the house number, the fuller first
	category string   // filters words, or is what is listed; an id or group:<id>
	place    []string // the words of the place of a listing; of the second street of a crossing
	beside   []string // the words that are looked for as whole names beside a listing
	near     bool     // near the place, not only in it
	postcode string
	point    *pointAsked
	types    []string // the kinds that the words name: street, lane, district
	cost     float64  // taken from the score of what it finds
	floor    float64  // least text score
	whole    bool     // names only, no areas: what begins a query may be all of a name
	typed    bool     // names that have the words for kinds of the query
	called   bool     // entries whose whole name the words are
	decisive bool     // what is called so, whole, is what was asked for
	fallback bool     // only when no reading before it was answered well
	last     bool     // only when nothing was found at all
}

// plan is a query taken apart: its readings in the order in which they are tried.
type plan struct {
	tokens   []string // as typed, normalised
	intent   category.Intent
	browse   bool // only the category word was typed
	readings []reading
}

// asked is a query while it is read.
type asked struct {
	x      *index.Index
	raw    string
	tokens []string
	parts  []int // of each token: how many commas stand before it
	plan   plan
	inside []string   // tokens without connectives
	sides  [][]string // of an ampersand
}

// read makes the readings of a query. wanted is a category that the request names
// apart from its words.
func read(x *index.Index, query, wanted string) plan {
	a := asked{x: x, raw: query}
	a.split()
	a.plan.tokens = a.tokens
	a.inside = a.tokens
	if a.readPoint() {
		return a.plan
	}
	a.readCrossing()
	a.readPostcode()
	a.readIntent(wanted)
	a.readConnectives(wanted)
	a.readNames(wanted)
	a.readSides()
	return a.plan
}

// split makes tokens of the query and notes its commas.
func (a *asked) split() {
	for i, part := range strings.FieldsFunc(a.raw, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		for _, t := range text.Tokens(part) {
			if len(a.tokens) < maxQueryTokens {
				a.tokens, a.parts = append(a.tokens, a.plainType(t)), append(a.parts, i)
			}
		}
	}
	for i, t := range a.tokens {
		a.tokens[i] = a.plainCategory(t)
	}
}

// plainType is a declined word for a kind of street or area in its plain form, as
// улице is улица; other words as they are.
func (a *asked) plainType(t string) string {
	if text.IsGeneric(t) || a.x.Exact(t).Len() > 0 {
		return t
	}
	for _, base := range text.BaseForms(t) {
		if text.IsGeneric(base) {
			return base
		}
	}
	if len(t) >= minGeneric && a.x.Prefix(t).Len() == 0 { // steet, стреет
		for _, g := range genericWords {
			if len(g) >= minGeneric && oneEdit(g, t) {
				return g
			}
		}
	}
	return t
}

// plainCategory is a word that the map does not know and that is a letter away from a
// category word, as that word: pharmcy sliema. Alone it is a name.
func (a *asked) plainCategory(t string) string {
	if _, known := slices.BinarySearch(wordsOfCategories, t); known || text.IsGeneric(t) || len(a.tokens) < 2 || len(t) <= minGeneric || a.x.Prefix(t).Len() > 0 {
		return t
	}
	for _, c := range categoryWords {
		if len(c) > minGeneric && oneEdit(c, t) {
			return c
		}
	}
	return t
}

// minGeneric is the shortest word, in bytes, that is read as a misspelt word for a kind
// of street or area, and the shortest that it is taken for.
const minGeneric = 5

var (
	genericWords                     = text.GenericWords()
	categoryWords, wordsOfCategories = category.Words()
)

func (a *asked) add(r reading) {
	if r.types == nil {
		r.types = a.types()
	}
	a.plan.readings = append(a.plan.readings, r)
}

// addWhole reads all words as a whole name, before what they would mean otherwise.
func (a *asked) addWhole(wanted string) {
	a.add(reading{how: asNames, words: text.Significant(a.tokens), category: wanted, whole: true, floor: browseMinText, called: true, decisive: true})
}

// types are the words of the query for kinds of street and area. St begins a saint's
// name and ends a street's.
func (a *asked) types() []string {
	if len(a.tokens) > 1 && a.tokens[0] == "st" {
		return text.Types(a.tokens[1:])
	}
	return text.Types(a.tokens)
}

// readIntent finds the category word, and the listing when there is nothing else.
func (a *asked) readIntent(wanted string) {
	tokens := a.tokens
	if runs := houseRuns(tokens); len(runs) > 0 { // "12-maktab": the number is no part of the word
		tokens = slices.Concat(tokens[:runs[0].from], tokens[runs[0].to:])
	}
	in, ok := category.FindInflected(tokens)
	if !ok || len(tokens) < len(a.tokens) && len(tokens) == 0 {
		if in, ok = category.FindInflected(a.tokens); !ok {
			if wanted != "" && len(a.tokens) == 0 {
				a.add(reading{how: asListing, category: wanted})
			}
			return
		}
	}
	a.plan.browse = in.To-in.From == len(a.tokens)
	if written, ok := category.FindIntent(tokens); ok {
		a.plan.intent = written
	}
	if a.plan.browse {
		a.plan.intent = in
		a.add(reading{how: asListing, category: orText(wanted, in.Category), beside: text.Significant(a.tokens)})
	}
}

func orText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// readNames makes the readings of what is left: with the category word as a filter,
// with a house number, and as names as they stand.
func (a *asked) readNames(wanted string) {
	if a.plan.browse || len(a.tokens) == 0 {
		return
	}
	tokens := a.inside
	in, found := category.FindInflected(tokens)
	generic := found && text.IsGeneric(tokens[in.From])
	runs := houseRuns(tokens)
	street := found && in.Category == "street"
	if found && wanted == "" && !(street && len(runs) > 0) {
		a.readFiltered(tokens, in, runs, generic)
	}
	words := tokens
	if found && wanted != "" {
		words = slices.Concat(tokens[:in.From], tokens[in.To:])
		if len(words) == 0 {
			a.add(reading{how: asListing, category: wanted})
			return
		}
		runs = houseRuns(words)
	}
	if len(runs) == 0 && wanted == "" {
		a.readKinds(words)
	}
	for i, run := range runs {
		rest := text.Significant(slices.Concat(words[:run.from], words[run.to:]))
		if run.from == 0 && wanted == "" { // 8 Марта
			a.add(reading{how: asNames, words: text.Significant(words), decisive: true, floor: browseMinText})
		}
		if len(rest) > 0 {
			a.add(reading{how: asAddress, words: rest, houses: run.numbers, category: wanted, cost: float64(i) * costRun})
		}
	}
	narrowed := wanted == "" && len(runs) == 0 && (found || len(a.types()) > 0)
	if narrowed || len(runs) > 0 { // a number and a word for a kind may be part of a name: Road 357, Cannon Street Park
		a.add(reading{how: asNames, words: text.Significant(words), category: wanted, floor: browseMinText, typed: narrowed, called: len(runs) > 0})
	}
	a.add(reading{how: asNames, words: text.Significant(words), category: wanted, fallback: narrowed || len(runs) > 0})
	if len(runs) > 0 {
		a.readQuarter(words, wanted)
		for _, run := range runs {
			a.add(reading{how: asNames, words: text.Significant(slices.Concat(words[:run.from], words[run.to:])), category: wanted, cost: costDropped, fallback: true})
		}
	}
	a.readParts(words, wanted)
	a.readKnown(words, wanted)
}

// readKinds looks first among the streets, or the places, of the kind that the words
// say: "Toshkent koʻchasi" is no city.
func (a *asked) readKinds(words []string) {
	var wanted []string
	for _, t := range a.types() {
		areas, area := typeCategories[t]
		if !area {
			wanted = []string{"street"}
			break
		}
		wanted = append(wanted, areas...)
	}
	if name := text.Significant(words); len(name) < len(words) {
		for i, id := range wanted {
			a.add(reading{how: asNames, words: name, category: id, fallback: i > 0})
		}
	}
}

// readQuarter reads the second of two numbers as that of a house in a quarter which
// the first one names: Chilonzor 5 12.
func (a *asked) readQuarter(words []string, wanted string) {
	for i := len(words) - 1; i > 1; i-- {
		if text.IsHouseNumberToken(words[i]) && text.IsHouseNumberToken(words[i-1]) {
			run := runAt(words, i)
			rest := text.Significant(slices.Concat(words[:run.from], words[run.to:]))
			a.add(reading{how: asAddress, words: rest, houses: run.numbers, category: wanted, fallback: true})
			return
		}
	}
}

// readKnown leaves out the words that the map does not know at all.
func (a *asked) readKnown(tokens []string, wanted string) {
	var known []string
	for _, t := range tokens {
		w := newWords(a.x, []string{t})[0]
		if w.prefix.Len() > 0 || w.sameSkeleton.Len() > 0 || text.IsGeneric(t) || text.IsHouseNumberToken(t) || len(nearTerms(a.x, &w)) > 0 {
			known = append(known, t)
		}
	}
	lost := len(tokens) - len(known)
	if lost == 0 || len(known) < 2 {
		return
	}
	for _, run := range houseRuns(known) {
		if rest := text.Significant(slices.Concat(known[:run.from], known[run.to:])); len(rest) > 0 {
			a.add(reading{how: asAddress, words: rest, houses: run.numbers, category: wanted, cost: costPart * float64(lost), last: true})
		}
	}
	a.add(reading{how: asNames, words: text.Significant(known), category: wanted, cost: costPart * float64(lost), last: true})
}

// Costs of readings, on the scale of scores.
const (
	costRun     = 0.02 // of a house number that does not stand where it mostly does
	costDropped = 0.1  // of leaving words out
	costPart    = 0.12
)

// readFiltered reads the words beside a category word: as names of its members, and
// as the place in which its members are listed.
func (a *asked) readFiltered(tokens []string, in category.Intent, runs []houseRun, generic bool) {
	rest := slices.Concat(tokens[:in.From], tokens[in.To:])
	if len(rest) == 0 {
		return
	}
	words := text.Significant(rest)
	if !generic && in.Category != "street" && slices.ContainsFunc(rest, func(t string) bool { return !text.IsGeneric(t) }) {
		a.add(reading{how: asListing, category: in.Category, place: rest, beside: text.Significant(tokens)})
	}
	for _, run := range houseRuns(rest) {
		if without := text.Significant(slices.Concat(rest[:run.from], rest[run.to:])); len(without) > 0 {
			a.add(reading{how: asAddress, words: without, houses: run.numbers, category: in.Category})
		}
	}
	a.add(reading{how: asNames, words: words, category: in.Category})
	if len(runs) > 0 && len(rest) == 1 && isNumber(rest[0]) {
		a.add(reading{how: asListing, category: in.Category, fallback: true})
	}
}

// readParts leaves out what stands behind the first comma, and behind the second:
// the town may be none that this map knows.
func (a *asked) readParts(words []string, wanted string) {
	if len(a.parts) == 0 || a.parts[len(a.parts)-1] == 0 || len(words) != len(a.tokens) {
		return
	}
	for last := a.parts[len(a.parts)-1] - 1; last >= 0; last-- {
		n := 0
		for n < len(a.parts) && a.parts[n] <= last {
			n++
		}
		if n == 0 {
			continue
		}
		kept := words[:n]
		for _, run := range houseRuns(kept) {
			if rest := text.Significant(slices.Concat(kept[:run.from], kept[run.to:])); len(rest) > 0 {
				a.add(reading{how: asAddress, words: rest, houses: run.numbers, category: wanted, cost: costPart, fallback: true})
			}
		}
		a.add(reading{how: asNames, words: text.Significant(kept), category: wanted, cost: costPart, fallback: true})
	}
}
