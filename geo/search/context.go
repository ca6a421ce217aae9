package search

import (
	"slices"

	"svc/geo/index"
	"svc/geo/spelling"
	"svc/geo/text"
)

// A word of a query may name an area that an entry lies in instead of the entry
// (map contract 41.10). How well each context bears each word is worked out before
// candidates are fetched: then a candidate costs a look into a table.

const (
	scoreContext   = 0.9  // of the relation of a word to the name of an area
	scoreCoarse    = 0.97 // of that, when the area is a region, a district or a country
	contextScale   = 250
	minContext     = 3    // letters of a word that may be the beginning of an area's name
	maxAreaWords   = 4000 // words of areas that one word is compared with
	maxSplits      = 16   // ways to part the words into those of the name and those of areas
	maxNamedSplits = 4096
)

// lookAround finds the contexts that bear the words of the query at a stage. A
// query of one word has none: an entry is not found by its areas alone.
func (r *request) lookAround(st stage) {
	s := r.scratch
	r.splits = append(r.splits[:0], 0)
	counted := 0
	for i := range r.words {
		r.words[i].around = nil
		if !r.words[i].free {
			counted++
		}
	}
	if counted < 2 || r.engine.x.Contexts() < 2 || r.plain {
		return
	}
	any := false
	for i := range r.words {
		if w := &r.words[i]; !w.free && !text.HasDigit(w.text) {
			w.around = s.around(i, r.engine.x.Contexts())
			if !r.bears(w, st) {
				w.around = nil
			}
			any = any || w.around != nil
		}
	}
	if any {
		r.findSplits()
	}
}

// bears fills w.around; false when no area has the word.
func (r *request) bears(w *word, st stage) bool {
	x := r.engine.x
	found, left := false, maxAreaWords
	note := func(term, area uint32) {
		if left--; left < 0 {
			return
		}
		score := w.relate(x, term)
		if score < scoreSkeleton-4*spelling.LossShorter || score == scoreInside {
			return
		}
		found = true
		x.AreaContexts(area, func(context uint32, coarse bool) {
			v := score * scoreContext * contextScale
			if coarse {
				v *= scoreCoarse
			}
			w.around[context] = max(w.around[context], uint8(v))
		})
	}
	span := w.prefix
	if w.length < minContext {
		span = w.equal
	}
	x.AreasByTerm(span, note)
	if st == exactStage {
		return found
	}
	if w.skeletonLength >= minSkeletonPrefix {
		x.AreasBySkeleton(w.sameSkeleton, note)
	}
	for _, n := range w.near {
		x.AreasByTerm(index.Span{From: n.Term, To: n.Term + 1}, note)
	}
	return found
}

// findSplits lists the largest sets of words that one context bears: what is left
// of the query must be in the name. The first split leaves all words to the name.
func (r *request) findSplits() {
	masks := r.scratch.masks[:0]
	last := uint32(0)
	for c := range r.engine.x.Contexts() {
		m := uint32(0)
		for i := range r.words {
			if a := r.words[i].around; a != nil && a[c] > 0 {
				m |= 1 << i
			}
		}
		if m != 0 && m != last && len(masks) < maxNamedSplits && !slices.Contains(masks, m) {
			masks = append(masks, m)
		}
		last = m
	}
	r.scratch.masks = masks
	for _, m := range masks {
		if len(r.splits) < maxSplits && !slices.ContainsFunc(masks, func(o uint32) bool { return o != m && o&m == m }) {
			r.splits = append(r.splits, m)
		}
	}
}

// inContext is what word i scores for an entry of a context; 0 when no area of
// it has the word.
func (w *word) inContext(context uint32) float64 {
	if w.around == nil {
		return 0
	}
	return float64(w.around[context]) / contextScale
}
