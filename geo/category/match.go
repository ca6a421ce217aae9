package category

import (
	"math"
	"slices"
	"strings"
)

// Tags reads the value of a tag, empty when the object has none.
type Tags interface{ Get(key string) string }

// Object is what the rules look at. Kind is n, w or r. Named tells whether the
// object has a primary name, which is PrimaryName. Area is a closed way or a
// multipolygon.
type Object struct {
	Tags        Tags
	Kind        byte
	Named       bool
	Area        bool
	PrimaryName string
}

// value reads a tag; an object without tags has none.
func (o Object) value(key string) string {
	if o.Tags == nil {
		return ""
	}
	return o.Tags.Get(key)
}

// has tells whether a tag has a value, alone or in a list separated by `;`.
func (o Object) has(key, value string) bool {
	for v := range strings.SplitSeq(o.value(key), ";") {
		if strings.TrimSpace(v) == value {
			return true
		}
	}
	return false
}

// condition is what a rule wants beside its tag; nil wants nothing.
type condition func(o Object) bool

// candidate is a rule in the index: a category and its turn.
type candidate struct {
	category int
	order    int
	when     condition
}

// keyRules are the rules that start from one key.
type keyRules struct {
	key   string
	exact map[string][]candidate
	any   []anyValue
}

// anyValue is a rule for every value but a few.
type anyValue struct {
	candidate
	except []string
}

// ruleIndex holds the rules by key: an object is asked once for each key, and
// one with none of them, such as a plain building part, is done.
type ruleIndex []keyRules

// maxValues bounds the values of one tag that are tested, since a list comes
// from outside.
const maxValues = 16

// Match returns the number of the first matching row for an object; ok is false
// when no row matches. Of a value that is a list (`cafe;bar`) any part counts.
// (map contract 9.)
func Match(o Object) (index int, ok bool) {
	if o.Tags == nil {
		return 0, false
	}
	best := candidate{order: math.MaxInt}
	for i := range taxa.rules {
		k := &taxa.rules[i]
		if v := o.Tags.Get(k.key); v != "" {
			k.match(o, v, &best)
		}
	}
	return best.category, best.order != math.MaxInt
}

func (k *keyRules) match(o Object, value string, best *candidate) {
	if strings.IndexByte(value, ';') < 0 {
		k.matchOne(o, value, best)
		return
	}
	n := 0
	for v := range strings.SplitSeq(value, ";") {
		if v = strings.TrimSpace(v); v != "" {
			k.matchOne(o, v, best)
		}
		if n++; n == maxValues {
			return
		}
	}
}

func (k *keyRules) matchOne(o Object, value string, best *candidate) {
	exact := k.exact[value]
	for i := range exact {
		exact[i].try(o, best)
	}
	for i := range k.any {
		if a := &k.any[i]; !slices.Contains(a.except, value) {
			a.try(o, best)
		}
	}
}

func (c *candidate) try(o Object, best *candidate) {
	if c.order < best.order && (c.when == nil || c.when(o)) {
		*best = *c
	}
}

// compile sorts the rows by their turn and indexes their tests by key. It
// panics on a row of an unknown category: a test of the table finds it.
func compile(index map[string]int) ruleIndex {
	var out ruleIndex
	at := make(map[string]int)
	for i, r := range rows {
		number, ok := index[r.id]
		if !ok {
			panic("a rule names the unknown category " + r.id)
		}
		c := candidate{category: number, order: int(r.turn)*len(rows) + i}
		for _, t := range r.tests {
			j, known := at[t.key]
			if !known {
				j = len(out)
				at[t.key] = j
				out = append(out, keyRules{key: t.key, exact: make(map[string][]candidate)})
			}
			c.when = t.when
			if t.values == nil {
				out[j].any = append(out[j].any, anyValue{c, t.except})
			}
			for _, v := range t.values {
				out[j].exact[v] = append(out[j].exact[v], c)
			}
		}
	}
	return out
}
