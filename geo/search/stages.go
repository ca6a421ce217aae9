package search

import (
	"math/bits"

	"svc/geo/index"
)

// stage is one way of finding candidates; the first that finds something wins
// and its name is the reason (map contract 41.3).
type stage int

const (
	exactStage stage = iota
	fuzzyStage
	mixedStage
	trigramStage
	stageCount
)

var stageNames = [stageCount]string{"exact", "fuzzy", "mixed", "trigram"}

// minTrigram is the shortest query, in characters, that the trigram stage tries.
const minTrigram = 4

// scratch is the working memory of one query, reused.
type scratch struct {
	sets, other bitmap // candidate sets
	terms       []uint32
	set         index.NameSet
	counts      []uint8 // shared trigrams by set; zero between queries
	touched     []uint32
	grams       []uint64
	nameGrams   []uint64
	name        []byte
	dice        float64 // of the set in set, in the trigram stage
	top         top
}

func newScratch(x *index.Index) *scratch {
	n := x.Sets()
	return &scratch{sets: newBitmap(n), other: newBitmap(n), counts: make([]uint8, n)}
}

// bitmap is a set of name sets.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) add(i uint32) { b[i>>6] |= 1 << (i & 63) }

// insert adds i and reports whether it was not there.
func (b bitmap) insert(i uint32) bool {
	bit := uint64(1) << (i & 63)
	if b[i>>6]&bit != 0 {
		return false
	}
	b[i>>6] |= bit
	return true
}

// and keeps what both hold and reports whether anything is left.
func (b bitmap) and(o bitmap) bool {
	var any uint64
	for i := range b {
		b[i] &= o[i]
		any |= b[i]
	}
	return any != 0
}

// each calls yield with the members in ascending order until it returns false.
func (b bitmap) each(yield func(i uint32) bool) {
	for w, word := range b {
		for word != 0 {
			i := uint32(w<<6 + bits.TrailingZeros64(word))
			word &= word - 1
			if !yield(i) {
				return
			}
		}
	}
}

// candidates fills s.sets for a stage; false when there are none, or when the
// stage would only repeat an earlier one.
func (r *request) candidates(st stage) bool {
	switch st {
	case mixedStage:
		if len(r.words) < 2 {
			return false
		}
	case trigramStage:
		return r.trigramCandidates()
	}
	s := r.scratch
	first := true
	for _, w := range r.ordered() {
		if w.free && st != mixedStage {
			continue
		}
		into := s.sets
		if !first {
			into = s.other
		}
		clear(into)
		if !r.expand(w, st, into) {
			return false
		}
		if !first && !s.sets.and(s.other) {
			return false
		}
		first = false
	}
	return !first
}

// expand adds the sets that hold a term that w means at this stage.
func (r *request) expand(w *word, st stage, into bitmap) bool {
	x, s := r.engine.x, r.scratch
	skeletons := st == fuzzyStage || st == mixedStage && w.prefix.Len() == 0
	span := w.prefix
	if skeletons {
		span = w.skeletonPrefix
	}
	s.terms = expansion(x, span, skeletons, s.terms)
	for _, t := range s.terms {
		x.Postings(t, into.add)
	}
	return len(s.terms) > 0
}

// ordered lists the words, the most selective first.
func (r *request) ordered() []*word {
	out := make([]*word, len(r.words))
	for i := range r.words {
		out[i] = &r.words[i]
		for j := i; j > 0 && out[j].prefix.Len() < out[j-1].prefix.Len(); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
