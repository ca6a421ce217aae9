package search

import (
	"svc/geo/reading"
	"svc/geo/spelling"
)

const (
	maxCarrying   = 4000 // entries of one postcode that are looked at
	bonusPostcode = 0.05 // of an entry that carries the postcode beside which it is named
)

// byPostcode lists what carries a postcode and lies in the areas that the other words
// name: places first, then addresses.
func (r *request) byPostcode(rd *reading.Reading) []hit {
	x := r.engine.x
	r.begin(rd.Words)
	inside := make([]bool, 0)
	if len(rd.Words) > 0 {
		inside = r.contextsOfAll()
	}
	return r.collect(r.q.Limit, func(t *top) {
		left := maxCarrying
		x.Postcode(rd.Postcode, func(id uint32) bool {
			left--
			row := &x.Rows[id]
			if r.filter.passes(row) && (len(rd.Words) == 0 || inside[x.Context(row)]) {
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
		w.near = spelling.Terms(r.engine.x, w.text, w.prefix)
		r.bears(w, fuzzyStage)
		for c := range in {
			in[c] = in[c] && w.around[c] > 0
		}
		w.around = nil
	}
	return in
}
