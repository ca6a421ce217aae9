package search

import (
	"slices"

	"svc/geo/category"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/text"
)

// find is the place that the words name; nil when none does so well enough.
func (r *request) find(words []string, near bool) *spot {
	kinds := KindSet(0).With(index.Place).With(index.Street)
	if types := text.Types(words); len(types) > 0 && len(reading.TypeCategories[types[0]]) > 0 {
		kinds = KindSet(0).With(index.Place)
	} else if len(types) > 0 {
		kinds = KindSet(0).With(index.Street)
		if near { // a square may be drawn as anything
			kinds = kinds.With(index.POI).With(index.Place)
		}
	}
	hits := r.findNamed(words, kinds)
	if near && len(words) > 1 && (len(hits) == 0 || !hits[0].called) { // what is called so is no area that has the words
		if points := r.findNamed(words, pointKinds); len(points) > 0 && points[0].called {
			hits = points
		}
	}
	if len(hits) > 0 {
		return r.spotOf(hits, near)
	}
	if hits := r.findNamed(words, KindSet(0).With(index.Place).With(index.Street)); len(hits) > 0 { // St Julians is no street
		return r.spotOf(hits, near)
	}
	if s := r.spotOfAreas(words); s != nil {
		return s
	}
	if !near {
		return r.spotInside(words, near)
	}
	if hits := r.findNamed(words, pointKinds); len(hits) > 0 {
		return r.spotOf(hits, near)
	}
	if in, ok := category.FindInflected(words); ok { // near the station
		q := *r.q
		q.Limit, q.Category, q.Kinds = 1, "", 0
		member := request{engine: r.engine, scratch: r.scratch, q: &q, filter: r.engine.newFilter(&q)}
		if !member.filter.restrict(r.engine.x, in.Category) {
			return nil
		}
		rest := slices.Concat(words[:in.From], words[in.To:])
		hits := member.byName(text.Significant(rest))
		if len(rest) == 0 {
			hits = member.browse(nil)
		}
		if len(hits) > 0 && (len(rest) == 0 || hits[0].strong) {
			return r.spotOf(hits, near)
		}
	}
	return r.spotInside(words, near)
}

// pointKinds are the kinds of what has a place and no extent that counts.
var pointKinds = KindSet(0).With(index.POI).With(index.Nature)

// spotInside is a place or street whose name has the words inside, where nothing has them
// at its beginning: Broadway of West Broadway; nil for none.
func (r *request) spotInside(words []string, near bool) *spot {
	if hits := r.findInside(words, KindSet(0).With(index.Place).With(index.Street)); len(hits) > 0 {
		return r.spotOf(hits, near)
	}
	return nil
}

// findInside are the entries of some kinds whose names have the words, as they are
// written and among few others, best first.
func (r *request) findInside(words []string, kinds KindSet) []hit {
	q := Query{Lang: r.q.Lang, Limit: 5, Ref: r.q.Ref, Bias: r.q.Bias, Kinds: kinds}
	in := request{engine: r.engine, scratch: r.scratch, q: &q, filter: r.engine.newFilter(&q), types: text.Types(words)}
	return in.byNameAbove(text.Significant(words), q.Limit, wordsInside)
}

// findNamed are the entries of some kinds that the words name whole, best first.
func (r *request) findNamed(words []string, kinds KindSet) []hit {
	q := Query{Lang: r.q.Lang, Limit: 5, Ref: r.q.Ref, Bias: r.q.Bias, Kinds: kinds}
	in := request{engine: r.engine, scratch: r.scratch, q: &q, filter: r.engine.newFilter(&q), types: text.Types(words), kept: plainKinds(words)}
	hits := in.byName(text.Significant(words))
	placesFirst(r.engine.x, hits)
	if len(hits) == 0 || !hits[0].strong {
		return nil
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool { return !h.strong })
	if len(in.types)+len(in.kept) > 0 { // Delaware City is no Delaware
		slices.SortStableFunc(hits, func(a, b hit) int { return in.asTyped(&b) - in.asTyped(&a) })
	}
	return hits
}

// asTyped is 1 for a hit whose whole name, with its words for kinds, is what was typed.
func (r *request) asTyped(h *hit) int {
	if h.called && (len(r.types) > 0 && r.namesTypes(h.entry) || len(r.kept) > 0 && r.namesKept(h.entry)) {
		return 1
	}
	return 0
}
