package search

import (
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/search/bitmap"
)

// stage is one way of finding candidates. A stage that finds what answers every
// word ends the search; the hits of a weaker one stand among those of the next
// (map contract 41.3). Its name is the reason of what it finds.
type stage int

const (
	exactStage stage = iota
	fuzzyStage
	mixedStage
	trigramStage
	stageCount
)

var stageNames = [stageCount]string{"exact", "fuzzy", "mixed", "trigram"}

// lossStage is what the text score of each later stage loses.
const lossStage = 0.04

// minTrigram is the shortest query, in characters, that the trigram stage tries.
const minTrigram = 4

// scratch is the working memory of one query, reused.
type scratch struct {
	sets, other bitmap.Set // candidate sets
	perWord     [reading.MaxTokens]bitmap.Set
	hasSets     [reading.MaxTokens]bool
	terms       []uint32
	set         index.NameSet
	scored      scored
	counts      []uint8 // shared trigrams by set; zero between queries
	touched     []uint32
	grams       []uint64
	nameGrams   []uint64
	name        []byte
	top         top
	contexts    [reading.MaxTokens][]uint8
	masks       []uint32
}

func newScratch(x *index.Index) *scratch {
	n := x.Sets()
	return &scratch{sets: bitmap.New(n), other: bitmap.New(n), counts: make([]uint8, n)}
}

// around is a zeroed table over contexts for word i.
func (s *scratch) around(i, contexts int) []uint8 {
	if s.contexts[i] == nil {
		s.contexts[i] = make([]uint8, contexts)
	}
	clear(s.contexts[i])
	return s.contexts[i]
}

// candidates fills s.sets for a stage; false when there are none, or when the
// stage would only repeat an earlier one.
func (r *request) candidates(st stage) bool {
	if st == mixedStage && len(r.words) < 2 {
		return false
	}
	if st == trigramStage {
		return r.trigramCandidates()
	}
	s := r.scratch
	if len(r.splits) < 2 {
		return r.intersect(st, 0, s.sets)
	}
	var done uint32 // words whose sets are in s.perWord
	clear(s.sets)
	any := false
	for _, mask := range r.splits {
		if r.intersectCached(st, mask, &done) {
			s.sets.Or(s.other)
			any = true
		}
	}
	return any
}

// intersect fills into with the sets that have all words but those of the mask;
// false when there are none.
func (r *request) intersect(st stage, mask uint32, into bitmap.Set) bool {
	first := true
	for _, i := range r.ordered() {
		w := &r.words[i]
		if mask&(1<<i) != 0 || w.free && st != mixedStage {
			continue
		}
		b := into
		if !first {
			b = r.scratch.other
		}
		clear(b)
		if !r.expand(w, st, b) {
			return false
		}
		if !first && !into.And(b) {
			return false
		}
		first = false
	}
	return !first
}

// intersectCached is intersect into s.other, of bitmaps that several splits share.
// When the mask holds every word, one of them must still be in the name.
func (r *request) intersectCached(st stage, mask uint32, done *uint32) bool {
	s := r.scratch
	first, all := true, true
	for _, i := range r.ordered() {
		w := &r.words[i]
		if w.free && st != mixedStage {
			continue
		}
		if mask&(1<<i) != 0 {
			continue
		}
		all = false
		if !r.fill(st, i, done) {
			return false
		}
		if first {
			copy(s.other, s.perWord[i])
		} else if !s.other.And(s.perWord[i]) {
			return false
		}
		first = false
	}
	if !all {
		return !first
	}
	clear(s.other)
	any := false
	for i := range r.words {
		if mask&(1<<i) != 0 && r.fill(st, i, done) {
			s.other.Or(s.perWord[i])
			any = true
		}
	}
	return any
}

// fill puts the sets of word i into s.perWord, once a stage; false when it has none.
func (r *request) fill(st stage, i int, done *uint32) bool {
	s := r.scratch
	if *done&(1<<i) == 0 {
		*done |= 1 << i
		if s.perWord[i] == nil {
			s.perWord[i] = bitmap.New(r.engine.x.Sets())
		}
		clear(s.perWord[i])
		s.hasSets[i] = r.expand(&r.words[i], st, s.perWord[i])
	}
	return s.hasSets[i]
}

// expand adds the sets that hold a term that w means at this stage.
func (r *request) expand(w *word, st stage, into bitmap.Set) bool {
	x, s := r.engine.x, r.scratch
	skeletons := st == fuzzyStage || st == mixedStage && w.prefix.Len() == 0
	span := w.prefix
	if skeletons {
		span = w.skeletonPrefix
	}
	s.terms = x.TermsOf(span, skeletons, maxExpansion, s.terms)
	s.terms = append(s.terms, w.others...)
	if st != exactStage {
		for _, n := range w.near {
			s.terms = append(s.terms, n.Term)
		}
	}
	for _, t := range s.terms {
		x.Postings(t, into.Add)
	}
	return len(s.terms) > 0
}

// ordered lists the positions of the words, the most selective first.
func (r *request) ordered() []int {
	out := make([]int, len(r.words))
	for i := range r.words {
		out[i] = i
		for j := i; j > 0 && r.words[out[j]].prefix.Len() < r.words[out[j-1]].prefix.Len(); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
