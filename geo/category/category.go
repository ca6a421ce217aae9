// Package category is the taxonomy of the map: eighteen groups and 131
// categories with their labels, and the rules that say which category an object
// of the source file has and which one a query asks for.
//
// It promises one category an object (the first matching row of the table, map contract 9),
// an unambiguous intent a query, and numbers
// that are stable within a build. Labels and synonyms come from
// categories.json; the rules are compiled in.
//
// It refuses to read objects in a disused, abandoned, demolished or former
// state: their keys carry a lifecycle prefix and match no rule.
package category

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Label is a name of a group or category in the three languages of labels.
type Label struct {
	UZ string `json:"uz"`
	RU string `json:"ru"`
	EN string `json:"en"`
}

// In returns the label in a language of the API: uz, ru, en or uz-Cyrl, which
// reads the English one; anything else is uz. (map contract 31 and 30.)
func (l Label) In(lang string) string {
	switch lang {
	case "ru":
		return l.RU
	case "en", "uz-Cyrl":
		return l.EN
	}
	return l.UZ
}

// Category is one row of the taxonomy. Rank is its prior importance in [0, 1].
// The JSON form is the one of GET /api/categories.
type Category struct {
	ID       string   `json:"id"`
	Group    string   `json:"group"`
	Icon     string   `json:"icon"`
	Label    Label    `json:"label"`
	Synonyms []string `json:"synonyms,omitempty"`
	Rank     float64  `json:"rank"`
}

// Group is a family of categories. Color is #RRGGBB.
type Group struct {
	ID    string `json:"id"`
	Icon  string `json:"icon"`
	Color string `json:"color"`
	Label Label  `json:"label"`
}

//go:embed categories.json
var source []byte

// taxonomy is everything derived from the embedded file and the rules.
type taxonomy struct {
	groups     []Group
	categories []Category
	kinds      []string
	group      map[string]int
	index      map[string]int
	rules      ruleIndex
	intents    map[string]Intent
}

var taxa = load()

// load reads the embedded file. It panics on a bad one: the binary itself would
// be wrong, and a test reads the same file.
func load() *taxonomy {
	var file struct {
		Groups     []Group    `json:"groups"`
		Categories []Category `json:"categories"`
	}
	if err := json.NewDecoder(bytes.NewReader(source)).Decode(&file); err != nil {
		panic(fmt.Sprintf("the embedded categories.json does not parse: %v", err))
	}
	t := &taxonomy{
		groups: file.Groups, categories: file.Categories,
		group: make(map[string]int), index: make(map[string]int),
	}
	for i, g := range t.groups {
		t.group[g.ID] = i
	}
	for i, c := range t.categories {
		t.index[c.ID] = i
		t.kinds = append(t.kinds, kindOfGroup(c.Group))
	}
	t.rules = compile(t.index)
	t.intents = phrases(t.groups, t.categories)
	return t
}

func kindOfGroup(group string) string {
	switch group {
	case "place", "street", "nature", "address":
		return group
	}
	return "poi"
}

// All returns the categories in table order; the index of one is its small
// number within a build. The slice is shared: do not change it.
func All() []Category { return taxa.categories }

// Groups returns the groups in table order. The slice is shared: do not change
// it.
func Groups() []Group { return taxa.groups }

// Index returns the number of a category, an index into All.
func Index(id string) (int, bool) {
	i, ok := taxa.index[id]
	return i, ok
}

// GroupOf returns the group of a category, and for an ID that the taxonomy does
// not know (an imported services.services) the group its prefix names. ok is
// false when that is no group either.
func GroupOf(id string) (Group, bool) {
	name, _, _ := strings.Cut(id, ".")
	if i, ok := taxa.index[id]; ok {
		name = taxa.categories[i].Group
	}
	i, ok := taxa.group[name]
	if !ok {
		return Group{}, false
	}
	return taxa.groups[i], true
}

// Icon returns the sprite icon of a category ID: its own, else its group's,
// else poi. (map contract 32.)
func Icon(id string) string {
	if i, ok := taxa.index[id]; ok {
		return taxa.categories[i].Icon
	}
	if g, ok := GroupOf(id); ok {
		return g.Icon
	}
	return "poi"
}

// KindOf returns the kind of the entries of a category number: place, street,
// poi, nature or address; empty for a number outside All.
func KindOf(index int) string {
	if index < 0 || index >= len(taxa.kinds) {
		return ""
	}
	return taxa.kinds[index]
}
