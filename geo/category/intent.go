package category

import (
	"slices"
	"strings"

	"svc/geo/text"
)

// Intent is what a query asks for by a category word. (map contract 41.2.)
type Intent struct {
	Category string // a category ID or group:<id>
	From, To int    // the tokens that name it, From included, To not
	Icon     string
	label    Label
}

// Label returns the label of the category or group in a language of the API.
func (i Intent) Label(lang string) string { return i.label.In(lang) }

// maxPhrase is the longest run of tokens that is compared; longer labels (two
// groups have them) are for reading only.
const maxPhrase = 3

// FindIntent finds the longest run of one to three tokens that equals a
// synonym or label of a category or the label of a group in any language; of
// equally long runs the first, but the one that ends the query where the first stands
// apart from both ends, or says the kind of a place or street before it: the park of "Deer
// Park Tavern restaurant" is part of a name, and so is the city of "Delaware City restaurant".
// raw are the tokens of the query as text.Tokens gives them, before generic words are
// dropped.
func FindIntent(raw []string) (Intent, bool) {
	var stack [96]byte
	key := stack[:0]
	at := func(from, to int) (it Intent, ok bool) {
		key = key[:0]
		for i, t := range raw[from:to] {
			if i > 0 {
				key = append(key, ' ')
			}
			key = append(key, t...)
		}
		it, ok = taxa.intents[string(key)]
		it.From, it.To = from, to
		return it, ok
	}
	for n := min(maxPhrase, len(raw)); n > 0; n-- {
		for from := 0; from+n <= len(raw); from++ {
			it, ok := at(from, from+n)
			if !ok {
				continue
			}
			if end := len(raw) - n; from > 0 && end >= it.To {
				if last, ok := at(end, len(raw)); ok && (end > it.To || it.ofKind() && !last.ofKind()) {
					return last, true
				}
			}
			return it, true
		}
	}
	return Intent{}, false
}

// ofKind reports whether the words may say the kind of the place or street that is named
// before them.
func (i Intent) ofKind() bool {
	return i.Category == "street" || strings.HasPrefix(i.Category, "place.")
}

// FindInflected is FindIntent for words that stand in the plural or in a case:
// аптеки, dorixonalar, pharmacies. Words as they are written come first.
func FindInflected(raw []string) (Intent, bool) {
	written, ok := FindIntent(raw)
	if ok && (!written.ofKind() || written.To == len(raw)) {
		return written, true
	}
	for i, t := range raw {
		if ok && i+1 < len(raw) { // улица … bekati: the category ends the query
			continue
		}
		for _, base := range text.BaseForms(t) {
			phrase := slices.Clone(raw[max(0, i+1-maxPhrase) : i+1])
			phrase[len(phrase)-1] = base
			for from := range phrase {
				if it, ok := taxa.intents[strings.Join(phrase[from:], " ")]; ok {
					it.From, it.To = i+1-len(phrase)+from, i+1
					return it, true
				}
			}
		}
	}
	return written, ok
}

// Words are the labels and synonyms of categories that are one word, and the words of
// all of them, normalised, each in order.
func Words() (single, all []string) {
	for phrase := range taxa.intents {
		words := strings.Fields(phrase)
		if len(words) == 1 {
			single = append(single, phrase)
		}
		all = append(all, words...)
	}
	slices.Sort(single)
	slices.Sort(all)
	return single, slices.Compact(all)
}

// phrases collects every spelling of every category and group. Should two share
// one, the first of the table keeps it; a test keeps that from happening.
func phrases(groups []Group, categories []Category) map[string]Intent {
	all := make(map[string]Intent)
	add := func(it Intent, words ...string) {
		for _, w := range words {
			for _, spelling := range spellings(w) {
				if _, taken := all[spelling]; !taken {
					all[spelling] = it
				}
			}
		}
	}
	for _, c := range categories {
		if IsFallback(c.ID) {
			continue
		}
		it := Intent{Category: c.ID, Icon: c.Icon, label: c.Label}
		add(it, c.Label.UZ, c.Label.RU, c.Label.EN)
		add(it, c.Synonyms...)
	}
	for _, g := range groups {
		it := Intent{Category: "group:" + g.ID, Icon: g.Icon, label: g.Label}
		add(it, g.Label.UZ, g.Label.RU, g.Label.EN)
	}
	return all
}

// spellings returns the normalised forms of a phrase: as written, and with е
// for ё, which is how Russian is mostly typed. A phrase of more than maxPhrase
// tokens has none.
func spellings(phrase string) []string {
	var list []string
	for _, s := range []string{phrase, strings.ReplaceAll(phrase, "ё", "е")} {
		tokens := text.Tokens(s)
		if len(tokens) == 0 || len(tokens) > maxPhrase {
			continue
		}
		if key := strings.Join(tokens, " "); len(list) == 0 || list[0] != key {
			list = append(list, key)
		}
	}
	return list
}
