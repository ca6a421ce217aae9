package recipient

import (
	"slices"
	"strings"
	"unicode/utf8"

	geotext "svc/geo/text"
	"svc/store"
)

// People are found by the beginning of their names too, in either script and without
// apostrophes (contract 21.2). A name is kept as its words in Latin letters,
// once as first and last name and once the other way round, and sets of those whose name
// begins with the same two and three letters answer what is short.

const (
	maxNameKey = 24 // bytes of a name in the indexes; the rest does not matter to a search
	nameGroup  = 3  // letters for which there are sets
)

var (
	byName     = recipients.Multi("name", func(r *Recipient) []store.Key { return keyOf(nameKey(r.FirstName, r.LastName)) })
	byLastName = recipients.Multi("name_turned", func(r *Recipient) []store.Key { return keyOf(r.turnedName()) })
	nameFacet  = recipients.Facet("name", (*Recipient).NameGroups)
)

func keyOf(name string) []store.Key {
	if name == "" {
		return nil
	}
	return []store.Key{store.Text(name)}
}

// nameKey is a name in the form in which names are compared.
func nameKey(parts ...string) string {
	var words []string
	for _, p := range parts {
		if p != "" {
			words = append(words, geotext.Tokens(p)...)
		}
	}
	return cutTo(strings.Join(words, " "), maxNameKey)
}

func cutTo(s string, bytes int) string {
	if len(s) <= bytes {
		return s
	}
	for !utf8.RuneStart(s[bytes]) {
		bytes--
	}
	return s[:bytes]
}

// turnedName begins with the last name; "" when that changes nothing.
func (r *Recipient) turnedName() string {
	if r.FirstName == "" || r.LastName == "" {
		return ""
	}
	return nameKey(r.LastName, r.FirstName)
}

// The marks of the sets: of names as they are, and of those that begin with the last name.
const (
	straight = "f"
	turned   = "l"
)

// NameGroups are the sets that a person is in by name: what a transaction that saves one
// writes beside the record.
func (r *Recipient) NameGroups() (out []string) {
	for mark, name := range map[string]string{straight: nameKey(r.FirstName, r.LastName), turned: r.turnedName()} {
		for n := nameGroup - 1; n <= nameGroup; n++ {
			if begin, ok := firstLetters(name, n); ok {
				out = append(out, mark+begin)
			}
		}
	}
	slices.Sort(out)
	return out
}

// firstLetters are the first letters of a name; false when it has fewer.
func firstLetters(s string, letters int) (string, bool) {
	for i := range s {
		if letters == 0 {
			return s[:i], true
		}
		letters--
	}
	return s, letters == 0
}

// named holds for those whose name begins with q; false when q says no two letters.
func named(q string) (Cond, bool) {
	key := nameKey(q)
	group, whole := firstLetters(key, nameGroup)
	switch {
	case !whole:
		if group, whole = firstLetters(key, nameGroup-1); !whole {
			return Cond{}, false
		}
		return nameFacet.Any(straight+group, turned+group), true
	case group == key:
		return nameFacet.Any(straight+group, turned+group), true
	}
	in := store.HasPrefix(key)
	spans, rest := []store.Span{in}, store.HasPrefix(group).Without(in)
	return store.Or(byName.Among(nameFacet.Any(straight+group), spans, rest), byLastName.Among(nameFacet.Any(turned+group), spans, rest)), true
}
