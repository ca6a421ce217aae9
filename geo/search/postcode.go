package search

import (
	"slices"
	"strings"

	"svc/geo/text"
)

const (
	minPostcode   = 4    // characters
	maxCarrying   = 4000 // entries of one postcode that are looked at
	bonusPostcode = 0.05 // of an entry that carries the postcode beside which it is named
)

// readPostcode finds a postcode among the tokens, of one or two of them. Alone, or
// beside areas, it is what is looked for; beside a name it prefers what carries it.
func (a *asked) readPostcode() {
	for n := 2; n > 0; n-- {
		for i := 0; i+n <= len(a.tokens); i++ {
			code := text.Postcode(strings.Join(a.tokens[i:i+n], " "))
			if len(code) < minPostcode || n == 2 && !hasDigit(a.tokens[i+1]) || !a.carried(code) {
				continue
			}
			rest := slices.Concat(a.tokens[:i], a.tokens[i+n:])
			a.add(reading{how: asPostcode, postcode: code, words: text.Significant(rest), types: []string{}})
			if len(rest) > 0 && (len(code) > minPostcode || i > 0) {
				a.tokens, a.parts = rest, slices.Concat(a.parts[:i], a.parts[i+n:])
				a.inside = a.tokens
			}
			return
		}
	}
}

func (a *asked) carried(code string) (found bool) {
	a.x.Postcode(code, func(uint32) bool {
		found = true
		return false
	})
	return found
}

// byPostcode lists what carries a postcode and lies in the areas that the other words
// name: places first, then addresses.
func (r *request) byPostcode(rd *reading) []hit {
	x := r.engine.x
	r.begin(rd.words)
	inside := make([]bool, 0)
	if len(rd.words) > 0 {
		inside = r.contextsOfAll()
	}
	return r.collect(r.q.Limit, func(t *top) {
		left := maxCarrying
		x.Postcode(rd.postcode, func(id uint32) bool {
			left--
			row := &x.Rows[id]
			if r.filter.passes(row) && (len(rd.words) == 0 || inside[x.Context(row)]) {
				t.add(hit{entry: id, score: r.final(scoreEqual, row), reason: stageNames[exactStage], strong: true})
			}
			return left > 0
		})
	})
}

// contextsOfAll marks the contexts that bear every word.
func (r *request) contextsOfAll() []bool {
	in := make([]bool, r.engine.x.Contexts())
	for i := range in {
		in[i] = true
	}
	for i := range r.words {
		w := &r.words[i]
		w.around = r.scratch.around(i, len(in))
		w.near = nearTerms(r.engine.x, w)
		r.bears(w, fuzzyStage)
		for c := range in {
			in[c] = in[c] && w.around[c] > 0
		}
		w.around = nil
	}
	return in
}
