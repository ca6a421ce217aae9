// Package search finds entries by words: names in any script, addresses,
// categories. It is the engine behind /api/search and /api/autocomplete.
//
// It promises the matching and ranking rules of map contract 41 and the text of map
// contract 11, and an answer in bounded time and memory for any text. It refuses to
// match what shares nothing with the query.
//
// The life of a query:
//
//	geo/reading    the query is taken apart into readings, before anything is fetched
//	run.go         the readings are tried in turn and their hits merged
//	words.go       each token becomes ranges of index terms: equal, prefix, skeleton
//	geo/spelling   and terms that it may be a form or a misspelling of
//	context.go     and the areas that have it
//	stages.go      candidate name sets: exact, fuzzy, mixed, trigram
//	names.go       the scan over candidates that ends when nothing can improve
//	score.go       text score of a name set in a context, final score of an entry
//	point.go, postcode.go, crossing.go  coordinates, postcodes, two streets that meet
//	address.go     houses along the streets whose name matches
//	listing.go     the members of a category, everywhere; place.go: in or near a place
//	collect.go     the best so far, without repeats
//	explain.go     why a query is answered as it is
package search

import (
	"sync"

	"svc/geo/entry"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/result"
	"svc/geo/search/trait"
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
type KindSet = entry.KindSet

// Members are the categories of a file that an id or group:<id> covers.
func Members(x *index.Index, wanted string) []uint8 { return entry.Members(x, wanted) }

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
	traits  []trait.Traits // by category of the file
	address uint8          // the category of addresses
	pool    sync.Pool
}

// New prepares an engine over x.
func New(x *index.Index) *Engine {
	e := &Engine{x: x, traits: trait.Of(x)}
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

// Search answers q. When nothing is found and Layout is set, the text is read as
// typed on another keyboard; what is found so is never mixed with other results.
func (e *Engine) Search(q Query) Answer {
	a := e.search(q, nil)
	if len(a.Results) > 0 || q.Text == "" || !q.Layout {
		return a
	}
	if fixed, ok := reading.FixLayout(q.Text); ok {
		q.Text = fixed
		if b := e.search(q, nil); len(b.Results) > 0 {
			return b
		}
	}
	return a
}

func (e *Engine) search(q Query, trace func(*request, *reading.Reading, []hit)) Answer {
	s := e.pool.Get().(*scratch)
	a := e.answer(&q, s, trace)
	e.pool.Put(s) // not deferred: a search that panicked leaves it in disorder
	return a
}

func (e *Engine) answer(q *Query, s *scratch, trace func(*request, *reading.Reading, []hit)) Answer {
	p := reading.Read(e.x, q.Text, q.Category)
	a := Answer{Results: []result.Result{}} // never nil: "none" is an empty list
	if p.Intent.Category != "" {
		a.Intent = &Intent{Category: p.Intent.Category, Browse: p.Browse, Label: p.Intent.Label(q.Lang), Icon: p.Intent.Icon}
	}
	r := request{engine: e, scratch: s, q: q, filter: e.newFilter(q), trace: trace}
	r.kept = plainKinds(p.Tokens)
	if q.Category != "" && !r.filter.restrict(e.x, q.Category) {
		return a // no such category: nothing is in it
	}
	hits := r.run(&p)
	placesFirst(e.x, hits)
	a.Results = e.show(hits, q)
	return a
}

// show turns hits into results.
func (e *Engine) show(hits []hit, q *Query) []result.Result {
	out := make([]result.Result, 0, len(hits))
	for i := range hits {
		h := &hits[i]
		if h.shown != nil {
			out = append(out, *h.shown)
			continue
		}
		res := result.New(e.x, h.entry, q.Lang, q.Ref)
		res.Matched, res.Reason, res.Approximate = h.matched, h.reason, h.approximate
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
	members := entry.Members(x, wanted)
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
