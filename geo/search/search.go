// Package search finds entries by words: names in any script, addresses,
// categories. It is the engine behind /api/search and /api/autocomplete.
//
// It promises the matching and ranking rules of map contract 41 and the readings of map contract 11, to the letter,
// and an answer in
// bounded time and memory for any text. It refuses to match what shares
// nothing with the query.
//
// The life of a query:
//
//	parse.go    tokens; the house number and the category word are taken out
//	words.go    each token becomes ranges of index terms: equal, prefix, skeleton
//	stages.go   candidate name sets: exact, fuzzy, mixed, trigram; the first that answers wins
//	names.go    the scan over candidates that ends when nothing can improve
//	score.go    text score of a name set, final score of an entry
//	address.go  houses along the streets whose name matches
//	browse.go   the members of a category around a place
//	collect.go  the best so far, without repeats
//	context.go  town names beside what is looked for
//	respell.go  a last try with one letter mended
//	layout.go   a last try for a text typed on the wrong keyboard
package search

import (
	"cmp"
	"slices"
	"sync"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
)

// Query is one request. The zero value of a field is its absence.
type Query struct {
	Text     string
	Lang     string      // as result.Language gives it
	Limit    int         // results wanted, at least 1
	Ref      *geom.Point // reference point
	Bias     float64     // weight of proximity; 0 is DefaultBias
	Kinds    KindSet     // 0 for every kind
	Category string      // an id or group:<id>; overrides the one in Text
	Box      *geom.Box
	Layout   bool // when nothing is found, read Text as typed on a Russian keyboard
}

// DefaultBias is the weight of proximity when the request names none.
const DefaultBias = 0.5

// KindSet is a set of kinds.
type KindSet uint8

// With adds a kind.
func (s KindSet) With(k index.Kind) KindSet { return s | 1<<k }

// Answer is what a query found. Results are best first.
type Answer struct {
	Results []result.Result
	Intent  *Intent
}

// Intent tells which category the words ask for.
type Intent struct {
	Category string `json:"category"` // an id or group:<id>
	Browse   bool   `json:"browse"`   // only the category word was typed
	Label    string `json:"label"`
	Icon     string `json:"icon"`
}

// Engine searches one open index. It is safe for concurrent use.
type Engine struct {
	x       *index.Index
	traits  []traits // by category of the file
	address uint8    // the category of addresses
	pool    sync.Pool
}

// New prepares an engine over x.
func New(x *index.Index) *Engine {
	e := &Engine{x: x, traits: traitsOf(x)}
	e.address, _ = x.CategoryByID(byAddress)
	e.pool.New = func() any { return newScratch(x) }
	return e
}

// Index is the index that the engine searches.
func (e *Engine) Index() *index.Index { return e.x }

// reasons a result gives for being there.
const (
	byAddress  = "address"
	byStreet   = "street"
	byCategory = "category"
	byName     = "name"
)

// Search answers q.
//
// When nothing is found the text is read otherwise: with a letter mended, and,
// when Layout is set, as typed on another keyboard. What is found so is never
// mixed with other results.
func (e *Engine) Search(q Query) Answer {
	a := e.search(q)
	if len(a.Results) > 0 || q.Text == "" {
		return a
	}
	if mended, ok := respell(e.x, q.Text); ok {
		if b := e.searchFor(mended, q); len(b.Results) > 0 {
			b.Intent = a.Intent // what was typed asked for
			for i := range b.Results {
				if b.Results[i].Reason == stageNames[exactStage] {
					b.Results[i].Reason = stageNames[fuzzyStage]
				}
			}
			return b
		}
	}
	if fixed, ok := fixLayout(q.Text); ok && q.Layout {
		if b := e.searchFor(fixed, q); len(b.Results) > 0 {
			return b
		}
	}
	return a
}

func (e *Engine) searchFor(text string, q Query) Answer {
	q.Text = text
	return e.search(q)
}

func (e *Engine) search(q Query) Answer {
	s := e.pool.Get().(*scratch)
	a := e.answer(&q, s)
	e.pool.Put(s) // not deferred: a search that panicked leaves it in disorder
	return a
}

func (e *Engine) answer(q *Query, s *scratch) Answer {
	p := parse(q.Text)
	a := Answer{Results: []result.Result{}} // never nil: "none" is an empty list
	wanted := q.Category
	if p.intent.Category != "" {
		a.Intent = &Intent{
			Category: p.intent.Category, Browse: len(p.words) == 0 && len(p.houses) == 0,
			Label: p.intent.Label(q.Lang), Icon: p.intent.Icon,
		}
		// "Buxoro koʻchasi 12" asks for a house, not for a street.
		if wanted == "" && !(p.intent.Category == "street" && len(p.houses) > 0) {
			wanted = p.intent.Category
		}
	}
	r := request{engine: e, scratch: s, q: q, filter: e.newFilter(q)}
	if wanted != "" && !r.filter.restrict(e.x, wanted) {
		return a // no such category: nothing is in it
	}
	var hits []hit
	switch {
	case len(p.words) > 0:
		hits = r.named(&p)
	case len(p.houses) > 0:
		// "maktab 12" names school number 12 before it asks for any school.
		hits = orElse(r.byName(p.houses[:1]), func() []hit { return r.browse(p.all) })
	case wanted != "":
		hits = r.browse(p.all)
	}
	a.Results = e.show(hits, q)
	return a
}

// named answers a query with a name in it. A category word filters the rest;
// when that finds nothing it was part of a name after all. And since a word or
// a number may always be part of a name, what the whole query names almost
// exactly stands beside what its parts find.
func (r *request) named(p *parsed) []hit {
	hits := r.names(p.words, p.houses, p.tail)
	intent := p.intent.Category != ""
	if len(hits) == 0 && intent {
		open := *r
		open.filter = r.openFilter()
		hits = open.names(p.allButHouse, p.houses, p.all)
		if len(hits) == 0 || hits[0].reason == stageNames[trigramStage] {
			hits = orElse(r.browseAt(p.words), func() []hit { return hits })
		}
	}
	if p.ambiguous || len(p.houses) > 0 && !slices.ContainsFunc(hits, isAddress) {
		hits = r.withWhole(hits, p.all)
	}
	return hits
}

func isAddress(h hit) bool { return h.reason == byAddress }

// openFilter is the filter of the request without the category that its words
// ask for.
func (r *request) openFilter() *filter {
	f := r.engine.newFilter(r.q)
	if r.q.Category != "" {
		f.restrict(r.engine.x, r.q.Category)
	}
	return f
}

// withWhole adds the entries that all words together name almost exactly.
func (r *request) withWhole(hits []hit, all []string) []hit {
	whole := *r
	whole.filter = r.openFilter()
	both := append(whole.byNameAbove(all, browseHits, browseMinText), hits...)
	slices.SortStableFunc(both, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return r.distinct(both, r.q.Limit)
}

// orElse is a, or what b finds when a is empty.
func orElse(a []hit, b func() []hit) []hit {
	if len(a) > 0 {
		return a
	}
	return b()
}

// names searches for an address when there is a house number, in the readings
// that it has, and otherwise, or when nothing is found, for a name: first with
// the number back in its place (all), then without it.
func (r *request) names(words, houses, all []string) []hit {
	if len(houses) == 0 {
		return r.byName(words)
	}
	var found []hit
	for _, house := range houses {
		hits := r.byAddress(words, house)
		if slices.ContainsFunc(hits, isAddress) {
			return hits
		}
		found = orElse(found, func() []hit { return hits })
	}
	found = orElse(found, func() []hit { return r.byName(all) })
	return orElse(found, func() []hit { return r.byName(words) })
}

// show turns hits into results.
func (e *Engine) show(hits []hit, q *Query) []result.Result {
	out := make([]result.Result, 0, len(hits))
	for i := range hits {
		h := &hits[i]
		res := result.New(e.x, h.entry, q.Lang, q.Ref)
		res.Matched, res.Reason = h.matched, h.reason
		out = append(out, res)
	}
	return out
}

// filter is what an entry must pass before it is scored.
type filter struct {
	categories [256]bool
	kinds      KindSet // of the categories
	box        *geom.Box
	all        bool // nothing is filtered
}

func (e *Engine) newFilter(q *Query) *filter {
	f := &filter{box: q.Box, all: q.Box == nil && q.Kinds == 0}
	for c := range e.traits {
		f.categories[c] = q.Kinds == 0 || q.Kinds&(1<<e.x.KindOf(uint8(c))) != 0
	}
	f.noteKinds(e.x)
	return f
}

// restrict keeps one category or group; false when the file knows none of it.
func (f *filter) restrict(x *index.Index, wanted string) bool {
	members := Members(x, wanted)
	var keep [256]bool
	for _, c := range members {
		keep[c] = f.categories[c]
	}
	f.categories, f.all = keep, false
	f.noteKinds(x)
	return len(members) > 0
}

func (f *filter) noteKinds(x *index.Index) {
	f.kinds = 0
	for c := range x.Meta.Categories {
		if f.categories[c] {
			f.kinds = f.kinds.With(x.KindOf(uint8(c)))
		}
	}
}

func (f *filter) passes(r *index.Row) bool {
	return f.all || f.categories[r.Category] && (f.box == nil || f.box.Contains(r.Point()))
}

// Members are the categories of a file that an id or group:<id> covers.
func Members(x *index.Index, wanted string) []uint8 {
	const prefix = "group:"
	var out []uint8
	if len(wanted) > len(prefix) && wanted[:len(prefix)] == prefix {
		for i, c := range x.Meta.Categories {
			if at, ok := category.Index(c.ID); ok && category.All()[at].Group == wanted[len(prefix):] {
				out = append(out, uint8(i))
			}
		}
		return out
	}
	if c, ok := x.CategoryByID(wanted); ok {
		out = append(out, c)
	}
	return out
}
