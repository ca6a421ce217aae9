// Package reading takes a query apart: into a few readings of what it may ask for, made
// before anything is fetched from the map, so that one place decides what words mean
// (map contract 41.2). Package search answers the readings in turn.
//
// It promises a bounded number of readings for any text, in the order in which they are
// to be tried. It asks the index only whether it has a word. It refuses to know how well
// anything matches.
package reading

import (
	"slices"
	"strings"

	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/spelling"
	"svc/geo/text"
	"svc/geo/text/script"
)

// MaxTokens bounds a query: what is longer is cut, never refused.
const MaxTokens = 12

// WholeName is the least text score of what is named almost exactly.
const WholeName = 0.95

// How says what a reading takes a query for.
type How int

// What a reading takes a query for.
const (
	AsNames    How = iota // words of a name, and of the areas around it
	AsAddress             // a house number along a street or in a place
	AsListing             // a category: everywhere, or in, along or near a place
	AsNear                // a name near a place, or along a street
	AsCrossing            // where two streets meet
	AsPoint               // a coordinate or plus code
	AsPostcode            // what carries a postcode
)

var hows = [...]string{"names", "address", "listing", "near", "crossing", "point", "postcode"}

// Reading is one way to understand a query. A query has a few, which are made before
// any candidate is fetched; they are tried in turn until one is answered well, and
// the hits of the weaker ones are merged by score (map contract 41.2).
type Reading struct {
	How      How
	Words    []string // to be found in names or as areas, generic words dropped
	Houses   []string // readings of the house number, the fuller first
	Category string   // filters words, or is what is listed; an id or group:<id>
	Place    []string // the words of the place of a listing; of the second street of a crossing
	Beside   []string // the words that are looked for as whole names beside a listing
	Near     bool     // near the place, not only in it
	Nearest  bool     // near a settlement that has no outline
	Points   bool     // the place is none that has an extent: a station, a mosque
	Postcode string
	Point    *Point
	Types    []string // the kinds that the words name: street, lane, district
	Cost     float64  // taken from the score of what it finds
	Floor    float64  // least text score
	Whole    bool     // names only, no areas: what begins a query may be all of a name
	Typed    bool     // names that have the words for kinds of the query
	Called   bool     // only entries whose whole name the words are; of an address only houses with that number
	Numbered bool     // only entries that have the numbers of the query in their names
	Decisive bool     // what is called so, whole, is what was asked for
	Fallback bool     // only when no reading before it was answered well
	Last     bool     // only when nothing was found at all
}

// Plan is a query taken apart: its readings in the order in which they are tried.
type Plan struct {
	Tokens   []string // as typed, normalised
	Intent   category.Intent
	Browse   bool // only the category word was typed
	Readings []Reading
}

// asked is a query while it is read.
type asked struct {
	x      *index.Index
	raw    string
	tokens []string
	parts  []int // of each token: how many commas stand before it
	plan   Plan
	inside []string   // tokens without connectives
	sides  [][]string // of an ampersand
}

// Read makes the readings of a query. wanted is a category that the request names
// apart from its words.
func Read(x *index.Index, query, wanted string) Plan {
	a := asked{x: x, raw: query}
	a.split()
	a.plan.Tokens = a.tokens
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
			if len(a.tokens) < MaxTokens {
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
	if text.IsGeneric(t) || a.x.Exact(t).Len() > 0 || ofCategory(t) {
		return t
	}
	for _, base := range text.BaseForms(t) {
		if text.IsGeneric(base) {
			return base
		}
	}
	if len(t) >= minGeneric && a.x.Prefix(t).Len() == 0 { // steet, стреет
		for _, g := range genericWords {
			if len(g) >= minGeneric && spelling.OneEdit(g, t) {
				return g
			}
		}
	}
	return t
}

// ofCategory reports whether a word stands in the words for a category.
func ofCategory(t string) bool {
	_, known := slices.BinarySearch(wordsOfCategories, t)
	return known
}

// plainCategory is a word that the map does not know and that is a letter away from a
// category word, as that word: pharmcy sliema. Alone it is a name.
func (a *asked) plainCategory(t string) string {
	if ofCategory(t) || text.IsGeneric(t) || len(a.tokens) < 2 || len(t) <= minGeneric || a.x.Prefix(t).Len() > 0 {
		return t
	}
	if _, declined := category.FindInflected([]string{t}); declined {
		return t
	}
	for _, c := range categoryWords {
		if len(c) > minGeneric && spelling.OneEdit(c, t) {
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

func (a *asked) add(r Reading) {
	if r.Types == nil {
		r.Types = a.types()
	}
	a.plan.Readings = append(a.plan.Readings, r)
}

// addWhole reads all words as a whole name, before what they would mean otherwise.
func (a *asked) addWhole(wanted string) {
	a.add(Reading{How: AsNames, Words: text.Significant(a.tokens), Category: wanted, Whole: true, Floor: WholeName, Called: true, Decisive: true})
}

// types are the words of the query for kinds of street and area.
func (a *asked) types() []string { return text.Types(a.tokens) }

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
				a.add(Reading{How: AsListing, Category: wanted})
			}
			return
		}
	}
	a.plan.Browse = in.To-in.From == len(a.tokens)
	if written, ok := category.FindIntent(tokens); ok {
		a.plan.Intent = written
	}
	if a.plan.Browse {
		a.plan.Intent = in
		a.add(Reading{How: AsListing, Category: orText(wanted, in.Category), Beside: text.Significant(a.tokens)})
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
	if a.plan.Browse || len(a.tokens) == 0 {
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
			a.add(Reading{How: AsListing, Category: wanted})
			return
		}
		runs = houseRuns(words)
	}
	if len(runs) == 0 && wanted == "" {
		a.readKinds(words)
	}
	if wanted == "" {
		a.readNumbered(words, runs)
	}
	if len(runs) == 0 {
		a.readLongNumber(words, wanted)
	}
	for i, run := range runs {
		rest := text.Significant(slices.Concat(words[:run.from], words[run.to:]))
		if run.from == 0 && wanted == "" { // 8 Марта
			a.add(Reading{How: AsNames, Words: text.Significant(words), Decisive: true, Floor: WholeName})
		}
		if len(rest) > 0 {
			cost := float64(i) * costRun
			if run.numbersStreet(words) {
				cost += costNumbered
			}
			a.add(Reading{How: AsAddress, Words: rest, Houses: run.numbers, Category: wanted, Cost: cost})
		}
	}
	if a.numbersNamed(runs) { // of a road that is numbered, and has a letter wrong
		a.add(Reading{How: AsNames, Words: text.Significant(words), Category: wanted, Numbered: true})
	}
	narrowed := wanted == "" && len(runs) == 0 && (found || len(a.types()) > 0)
	if narrowed || len(runs) > 0 { // a number and a word for a kind may be part of a name: Road 357, Cannon Street Park
		a.add(Reading{How: AsNames, Words: text.Significant(words), Category: wanted, Floor: WholeName, Typed: narrowed, Called: len(runs) > 0})
	}
	a.add(Reading{How: AsNames, Words: text.Significant(words), Category: wanted, Fallback: narrowed || len(runs) > 0})
	if len(runs) > 0 {
		a.readQuarter(words, wanted)
		for _, run := range runs {
			a.add(Reading{How: AsNames, Words: text.Significant(slices.Concat(words[:run.from], words[run.to:])), Category: wanted, Cost: costDropped, Fallback: true})
		}
	}
	a.readHalfKind(words, wanted)
	a.readParts(words, wanted)
	if wanted == "" && len(runs) == 0 {
		a.readAlong(words)
	}
	a.readKnown(words, wanted)
	if found && wanted == "" && !generic && !street {
		a.readFewer(slices.Concat(tokens[:in.From], tokens[in.To:]), in)
	}
}

// readKinds looks first among the streets, or the places, of the kind that the words
// say: "Toshkent koʻchasi" is no city.
func (a *asked) readKinds(words []string) {
	var wanted []string
	for _, t := range a.types() {
		areas, area := TypeCategories[t]
		if !area {
			wanted = []string{"street"}
			break
		}
		wanted = append(wanted, areas...)
	}
	if name := text.Significant(words); len(name) < len(words) {
		for i, id := range wanted {
			a.add(Reading{How: AsNames, Words: name, Category: id, Fallback: i > 0})
		}
	}
}

// readKnown leaves out the words that the map does not know at all.
func (a *asked) readKnown(tokens []string, wanted string) {
	var known []string
	for _, t := range tokens {
		prefix := a.x.Prefix(t)
		if prefix.Len() > 0 || a.x.SkeletonExact(script.Skeleton(t)).Len() > 0 || text.IsGeneric(t) || text.IsHouseNumberToken(t) || len(spelling.Terms(a.x, t, prefix)) > 0 {
			known = append(known, t)
		}
	}
	lost := len(tokens) - len(known)
	if lost == 0 || len(known) < 2 || !slices.ContainsFunc(known, isName) {
		return
	}
	for _, run := range houseRuns(known) {
		if rest := text.Significant(slices.Concat(known[:run.from], known[run.to:])); slices.ContainsFunc(rest, isName) {
			a.add(Reading{How: AsAddress, Words: rest, Houses: run.numbers, Category: wanted, Cost: costPart * float64(lost), Last: true})
		}
	}
	a.add(Reading{How: AsNames, Words: text.Significant(known), Category: wanted, Cost: costPart * float64(lost), Last: true})
}

// isName reports whether a word says enough to be looked for without the words beside it:
// a number, a letter and a word for a kind do not.
func isName(t string) bool {
	return text.Length(t) >= 3 && !text.IsGeneric(t) && !text.HasDigit(t)
}

// Costs of readings, on the scale of scores.
const (
	costRun     = 0.02 // of a house number that does not stand where it mostly does
	costDropped = 0.1  // of leaving words out
	costPart    = 0.12

	costNumbered = 0.2 // of a house number that stands where that of a street does
)

// readFiltered reads the words beside a category word: as names of its members, and
// as the place in which its members are listed.
func (a *asked) readFiltered(tokens []string, in category.Intent, runs []houseRun, generic bool) {
	rest := slices.Concat(tokens[:in.From], tokens[in.To:])
	if len(rest) == 0 {
		return
	}
	words := text.Significant(rest)
	if !generic && in.Category != "street" && !(len(rest) == 1 && text.IsNumber(rest[0])) && slices.ContainsFunc(rest, func(t string) bool { return !text.IsGeneric(t) }) {
		a.add(Reading{How: AsListing, Category: in.Category, Place: rest, Beside: text.Significant(tokens)})
	}
	for _, run := range houseRuns(rest) {
		if without := text.Significant(slices.Concat(rest[:run.from], rest[run.to:])); len(without) > 0 {
			a.add(Reading{How: AsAddress, Words: without, Houses: run.numbers, Category: in.Category})
		}
	}
	a.add(Reading{How: AsNames, Words: words, Category: in.Category})
	if len(runs) > 0 && len(rest) == 1 && text.IsNumber(rest[0]) {
		a.add(Reading{How: AsListing, Category: in.Category, Fallback: true})
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
				a.add(Reading{How: AsAddress, Words: rest, Houses: run.numbers, Category: wanted, Cost: costPart, Fallback: true})
			}
		}
		a.add(Reading{How: AsNames, Words: text.Significant(kept), Category: wanted, Cost: costPart, Fallback: true})
	}
}

// TypeCategories are the categories that a word for the kind of an area stands for.
var TypeCategories = map[string][]string{
	"tuman": {"place.district"}, "viloyat": {"place.region"}, "shahar": {"place.city", "place.town"},
	"qishloq": {"place.village"}, "posyolok": {"place.village", "place.town"}, "mahalla": {"place.neighbourhood"},
	"massiv": {"place.suburb", "place.neighbourhood"}, "daha": {"place.suburb", "place.neighbourhood"}, "kvartal": {"place.neighbourhood"},
}
