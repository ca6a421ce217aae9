package reading

import (
	"slices"
	"strings"

	"svc/geo/spelling"
	"svc/geo/text"
)

// minHalf is the shortest beginning of a word for a kind, in characters.
const minHalf = 2

// readHalfKind leaves out the beginning of a word for a kind of street or area that is still
// being typed, and one with a wrong letter that begins a name: Evergreen Str.
func (a *asked) readHalfKind(words []string, wanted string) {
	last := len(words) - 1
	if last < 1 {
		return
	}
	for i, t := range words {
		if len(t) < minGeneric || text.IsGeneric(t) || a.x.Exact(t).Len() > 0 {
			continue
		}
		for _, g := range genericWords { // Stret, where a name begins so
			if len(g) >= minGeneric && spelling.OneEdit(g, t) {
				rest := slices.Concat(words[:i], words[i+1:])
				a.add(Reading{How: AsNames, Words: text.Significant(rest), Category: wanted, Types: text.Types(append(rest, g)), Fallback: true})
				break
			}
		}
	}
	if text.Length(words[last]) < minHalf || text.IsGeneric(words[last]) || !slices.ContainsFunc(words[:last], isName) {
		return
	}
	var types []string
	for _, g := range genericWords {
		if strings.HasPrefix(g, words[last]) {
			types = append(types, text.Types([]string{g})...)
		}
	}
	if len(types) > 0 {
		a.add(Reading{How: AsNames, Words: text.Significant(words[:last]), Category: wanted, Types: types, Fallback: true})
	}
}
