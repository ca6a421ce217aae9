package search

import (
	"slices"
	"strings"

	"svc/geo/index"
	"svc/geo/spelling"
	"svc/geo/text"
	"svc/geo/text/script"
)

// maxExpansion is the number of index terms that one prefix may stand for.
const maxExpansion = 4000

// word is one token of a query with the ranges of index terms that it means.
// With them, how a query token and an entry token relate is a few comparisons
// of numbers.
type word struct {
	text, skeleton         string
	length, skeletonLength int
	equal, prefix          index.Span // in byte order of terms
	sameSkeleton           index.Span // in skeleton order of terms
	skeletonPrefix         index.Span
	others                 []uint32        // terms that are other spellings of it: II of 2, boulevard of blvd
	free                   bool            // a single letter among others: restricts nothing, scores nothing
	again                  bool            // an earlier word is the same: Newark High School, Newark
	near                   []spelling.Term // terms that the word may be a form or a misspelling of
	around                 []uint8         // by context: how well an area there has the word, in 1/contextScale; nil when none has
}

// particles are words of names that restrict nothing, as a single letter does not.
var particles = map[string]bool{"of": true, "the": true, "and": true, "de": true, "da": true, "do": true, "dos": true, "das": true, "del": true, "va": true}

func newWords(x *index.Index, tokens []string) []word {
	words := make([]word, len(tokens))
	for i, t := range tokens {
		w := &words[i]
		w.text, w.skeleton = t, script.Skeleton(t)
		w.length, w.skeletonLength = text.Length(t), text.Length(w.skeleton)
		w.equal, w.prefix = x.Exact(t), x.Prefix(t)
		for _, other := range text.OtherSpellings(t) {
			for s := x.Exact(other); s.From < s.To; s.From++ {
				w.others = append(w.others, s.From)
			}
		}
		w.sameSkeleton, w.skeletonPrefix = x.SkeletonExact(w.skeleton), x.SkeletonPrefix(w.skeleton)
		// the 5 of a quarter or a school tells it from the others
		w.again = slices.Contains(tokens[:i], t)
		w.free = len(tokens) > 1 && (w.length == 1 && !text.IsNumber(t) || particles[t])
	}
	if !slices.ContainsFunc(words, func(w word) bool { return !w.free }) {
		for i := range words { // of "S & B" all count, or nothing would
			words[i].free = false
		}
	}
	return words
}

// Relations of a query token to an entry token (map contract 41.4).
const (
	scoreEqual        = 1.0
	scorePrefix       = 0.8
	weightPrefix      = 0.15
	scoreOther        = scorePrefix + weightPrefix // Albert 2 of Albert II
	scoreSkeleton     = 0.72
	bonusNear         = 0.06 // of a word of the same skeleton that is one letter away
	scoreSounds       = 0.66 // of a word of the same skeleton, where another is one letter away
	scoreSkelPrefix   = 0.55
	weightSkelPrefix  = 0.1
	scoreInside       = 0.5
	minInside         = 4 // characters of a query token that may match inside a word
	minSkeletonPrefix = 2
)

// relate scores w against index term t; 0 when they have nothing in common.
func (w *word) relate(x *index.Index, t uint32) float64 {
	if w.prefix.Has(t) {
		if w.equal.Has(t) {
			return scoreEqual
		}
		return scorePrefix + weightPrefix*float64(w.length)/float64(max(x.TermLength(t), 1))
	}
	if slices.Contains(w.others, t) {
		return scoreOther
	}
	near := 0.0
	for i := range w.near {
		if w.near[i].Term == t {
			near = w.near[i].Score
		}
	}
	if r := x.SkeletonRank(t); near == 0 && w.skeletonPrefix.Has(r) || w.sameSkeleton.Has(r) {
		if w.sameSkeleton.Has(r) {
			if near > 0 { // it sounds so and is a letter away
				return max(near, scoreSkeleton+bonusNear)
			}
			if slices.ContainsFunc(w.near, func(n spelling.Term) bool { return n.Letter }) {
				return scoreSounds
			}
			return scoreSkeleton
		}
		if w.skeletonLength >= minSkeletonPrefix {
			return scoreSkelPrefix + weightSkelPrefix*float64(w.skeletonLength)/float64(max(x.SkeletonLength(t), 1))
		}
	}
	if near > 0 {
		return near
	}
	if w.length >= minInside && x.TermLength(t) > w.length && strings.Contains(x.Term(t), w.text) {
		return scoreInside
	}
	return 0
}

// joined is the query as one text for the trigram stage: the words that no area
// bears, or all of them.
func joined(words []word) string {
	var parts []string
	for i := range words {
		if words[i].around == nil {
			parts = append(parts, words[i].text)
		}
	}
	if len(parts) == 0 {
		for i := range words {
			parts = append(parts, words[i].text)
		}
	}
	return strings.Join(parts, " ")
}

// texts are the tokens of words at the given positions.
func texts(words []word, at uint32) []string {
	var out []string
	for i := range words {
		if at&(1<<i) != 0 {
			out = append(out, words[i].text)
		}
	}
	return slices.Clip(out)
}
