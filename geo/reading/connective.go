package reading

import (
	"slices"
	"strings"
	"unicode/utf8"

	"svc/geo/category"
	"svc/geo/text"
	"svc/geo/text/script"
)

// connective is a word between what is looked for and where (map contract 41.7).
type connective struct {
	words  []string
	near   bool // near the place, as opposed to in it
	behind bool // it stands behind the place, as in Uzbek
}

// connectives, the longer before the shorter that begin like them.
var connectives = connectivesOf(map[string][2]bool{
	"near": {true, false}, "near to": {true, false}, "next to": {true, false}, "close to": {true, false}, "by": {true, false}, "around": {true, false},
	"in": {}, "at": {}, "inside": {}, "on": {},
	"рядом с": {true, false}, "рядом со": {true, false}, "рядом": {true, false}, "около": {true, false}, "возле": {true, false}, "у": {true, false},
	"недалеко от": {true, false}, "поблизости от": {true, false}, "вблизи": {true, false},
	"в": {}, "во": {}, "на": {},
	"yaqinida": {true, true}, "yaqinidagi": {true, true}, "yaqin": {true, true}, "oldida": {true, true}, "oldidagi": {true, true},
	"yonida": {true, true}, "yonidagi": {true, true}, "atrofida": {true, true}, "ichida": {false, true}, "ichidagi": {false, true},
	"da": {false, true}, "dagi": {false, true},
})

func connectivesOf(words map[string][2]bool) []connective {
	var out []connective
	for w, is := range words {
		out = append(out, connective{words: text.Tokens(w), near: is[0], behind: is[1]})
	}
	slices.SortFunc(out, func(a, b connective) int {
		if d := len(b.words) - len(a.words); d != 0 {
			return d
		}
		return strings.Compare(a.words[0], b.words[0])
	})
	return out
}

// connectiveAt is the connective that begins at token i; nil when there is none.
func connectiveAt(tokens []string, i int) *connective {
	for c := range connectives {
		w := connectives[c].words
		if i+len(w) <= len(tokens) && slices.Equal(tokens[i:i+len(w)], w) {
			return &connectives[c]
		}
	}
	return nil
}

// initial reports whether the query begins with one Latin letter: the U of a name is not у.
func (a *asked) initial() bool {
	return text.IsLetter(a.tokens[0]) && a.raw != "" && strings.TrimLeft(a.raw, " ")[0] < utf8.RuneSelf
}

// Uzbek endings that say where: Chilonzordagi, Toshkentda.
var whereEndings = []string{"dagi", "da"}

// readConnectives reads what stands before and behind a connective: a category in,
// along or near a place, or a name near one. All words together remain a reading,
// for connectives are parts of names too.
func (a *asked) readConnectives(wanted string) {
	for i := range a.tokens {
		c := connectiveAt(a.tokens, i)
		if c == nil || i == 0 && a.initial() || c.behind && i == 0 || !c.behind && i+len(c.words) == len(a.tokens) {
			continue
		}
		left, right := a.tokens[:i], a.tokens[i+len(c.words):]
		if _, ok := category.FindInflected(a.tokens); !ok && slices.Contains(whereEndings, c.words[0]) {
			continue // Rua da Costa: an ending stands apart beside a category only
		}
		a.addWhole(wanted)
		if c.behind {
			a.readBehind(left, right, c, wanted)
		} else {
			a.readBefore(left, right, c, wanted)
		}
		a.inside = slices.Concat(left, right)
		return
	}
	a.readEnding(wanted)
}

// addListing adds a category in or near a place; it is what was asked for, whatever
// category words the place has.
func (a *asked) addListing(in category.Intent, place []string, near bool) {
	a.plan.Intent = in
	a.add(Reading{How: AsListing, Category: in.Category, Place: place, Near: near})
}

// readBefore reads "what near where".
func (a *asked) readBefore(left, right []string, c *connective, wanted string) {
	if in, ok := category.FindInflected(left); ok && wanted == "" {
		a.addListing(in, right, c.near)
		return
	}
	if len(left) == 0 { // near the station: the category stands behind, or is missing
		if in, ok := category.FindInflected(right); ok && wanted == "" {
			if rest := slices.Concat(right[:in.From], right[in.To:]); len(rest) > 0 {
				a.addListing(in, rest, c.near)
			}
		}
		return
	}
	a.add(Reading{How: AsNear, Words: text.Significant(left), Place: right, Near: c.near, Category: wanted})
}

// readBehind reads "where yaqinida what" and "what where yaqinida".
func (a *asked) readBehind(left, right []string, c *connective, wanted string) {
	if wanted == "" {
		if in, ok := category.FindInflected(left); ok && in.To-in.From == len(left) && len(right) > 0 && !isCategory(right) {
			a.addListing(in, right, c.near) // kafe yaqinida bozor koʻchasi, as in other languages
			return
		}
		if in, ok := category.FindInflected(right); ok {
			a.addListing(in, left, c.near)
			return
		}
		if in, ok := category.FindInflected(left); ok && len(left) > in.To-in.From {
			a.addListing(in, slices.Concat(left[:in.From], left[in.To:]), c.near)
			return
		}
	}
	if len(right) > 0 {
		a.add(Reading{How: AsNear, Words: text.Significant(right), Place: left, Near: c.near, Category: wanted})
	}
}

// isCategory reports whether words are those of a category and nothing else.
func isCategory(words []string) bool {
	in, ok := category.FindInflected(words)
	return ok && in.To-in.From == len(words)
}

// readEnding reads a place that says so by its ending: Chilonzordagi dorixona.
func (a *asked) readEnding(wanted string) {
	if wanted != "" || len(a.tokens) < 2 {
		return
	}
	for i, t := range a.tokens {
		for _, end := range whereEndings {
			stem, ok := strings.CutSuffix(t, end)
			if !ok || len(stem) < 4 || a.x.Exact(t).Len() > 0 || a.x.Exact(stem).Len() == 0 && a.x.SkeletonExact(script.Skeleton(stem)).Len() == 0 {
				continue // what is left must be a word: Betlesda is a misspelt name
			}
			tokens := slices.Clone(a.tokens)
			tokens[i] = stem
			if in, ok := category.FindInflected(tokens); ok && (i < in.From || i >= in.To) {
				a.addListing(in, slices.Concat(tokens[:in.From], tokens[in.To:]), false)
			}
			a.inside = tokens
			return
		}
	}
}
