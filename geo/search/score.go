package search

import (
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/search/trait"
)

// Weights of the final score (map contract 41.5).
const (
	weightText      = 0.6
	weightRank      = 0.3
	weightProximity = 0.35
	namelessLoss    = 0.15

	bonusFirst   = 0.06
	lossExtra    = 0.06
	maxLossExtra = 0.18
	lossInitial  = 0.06 // of a name without a letter of the query: Adams Street for E Adams Street
	bonusWhole   = 0.12
	maxPrior     = 0.12
)

// request is one search under way over a filter.
type request struct {
	engine  *Engine
	scratch *scratch
	q       *Query
	filter  *filter
	words   []word
	splits  []uint32                                // sets of words that areas may bear, see findSplits; the first is empty
	plain   bool                                    // words are looked for in names only
	types   []string                                // the kinds of street or area that the query names
	kept    []string                                // its other generic words: the house of Bell House
	typed   bool                                    // and that a name must have
	repeats bool                                    // entries that are one to a reader are all kept
	trace   func(*request, *reading.Reading, []hit) // of Explain
	joined  string
	near    geom.Near
	bias    float64
}

// begin prepares the words of a search by name.
func (r *request) begin(tokens []string) {
	r.joined = ""
	r.words = newWords(r.engine.x, tokens[:min(len(tokens), reading.MaxTokens)])
	r.bias = r.q.Bias
	if r.bias == 0 {
		r.bias = DefaultBias
	}
	if r.q.Ref != nil {
		r.near = geom.From(*r.q.Ref)
	}
}

// minStrong is the least that a word of an answer scores which ends the search:
// an identical word, the beginning of one, or one of the same skeleton (map contract 41.3).
const minStrong = scoreSkeleton

// weightUnrelated is what the similarity of the whole counts for a word that an entry lacks:
// less than the word itself with a wrong letter does, and than an area that has the word where
// another has it.
const weightUnrelated = 0.75

func (w *word) unrelated() float64 {
	if w.around != nil {
		return scoreContext
	}
	return weightUnrelated
}

// maxVariants is the number of names of one set that are scored.
const maxVariants = 24

// scored is how a name set relates to the words of a query: filled by relate once
// a set, read by text once for each context of its bearers.
type scored struct {
	names     int
	rel       [maxVariants][reading.MaxTokens]float64 // of each word to the best token of a variant
	unused    [maxVariants]int                        // tokens of the variant that relate to no word
	firsts    [maxVariants]uint32                     // words that relate to the first token
	words     int                                     // that count
	dice      float64                                 // what an unrelated word counts; 0 refuses
	letters   [maxVariants]uint32                     // words that relate by a wrong letter
	lastScore textScore
	lastSeen  bool
	last      uint32 // the context of lastScore
}

// textScore is how well a name answers to the words of a query, for an entry of a
// certain context.
type textScore struct {
	score   float64
	matched uint32 // words that are in the name or in an area
	context uint32 // those of them that only an area has
	whole   bool   // the words that are in the name are the whole primary name
	called  bool   // or any other of its names
	letter  bool   // some word has a wrong letter
	strong  bool   // every word relates so well that no other stage is asked
	ok      bool
}

// relate fills s.scored for the set in s.set; false when it can answer for no
// entry: some word is neither in a variant nor in any area.
func (r *request) relate(st stage) bool {
	s, x := r.scratch, r.engine.x
	sc := &s.scored
	sc.dice, sc.lastSeen, sc.words = 0, false, 0
	if st == trigramStage {
		if sc.dice = r.similarity(); sc.dice < minDice {
			return false
		}
	}
	sc.names = min(len(s.set.Variants), maxVariants)
	if sc.names == 0 {
		return false
	}
	any := false
	for v := range sc.names {
		terms := s.set.Variants[v]
		var used uint64
		sc.firsts[v], sc.letters[v] = 0, 0
		fits := true
		for i := range r.words {
			w := &r.words[i]
			best := 0.0
			for j, t := range terms {
				if rel := w.relate(x, t); rel > 0 {
					used |= 1 << j
					if j == 0 {
						sc.firsts[v] |= 1 << i
					}
					best = max(best, rel)
				}
			}
			sc.rel[v][i] = best
			if best < scoreSkeleton && best > scoreSkelPrefix+weightSkelPrefix {
				sc.letters[v] |= 1 << i
			}
			fits = fits && (w.free || best > 0 || sc.dice > 0 || w.around != nil)
		}
		sc.unused[v] = 0
		for j := range terms {
			if used&(1<<j) == 0 {
				sc.unused[v]++
			}
		}
		if !fits {
			sc.unused[v] = -1 // refused
		}
		any = any || fits
	}
	for i := range r.words {
		if !r.words[i].free {
			sc.words++
		}
	}
	return any && sc.words > 0
}

// text is the best score over the variants of the related set, for an entry of a
// context. It is not ok when a word finds no relation, or all find one in areas.
func (r *request) text(context uint32) textScore {
	sc := &r.scratch.scored
	if len(r.splits) < 2 {
		context = 0 // no area bears a word: all contexts are equal
	}
	if sc.lastSeen && sc.last == context {
		return sc.lastScore
	}
	var best textScore
	for v := range sc.names {
		if sc.unused[v] >= 0 {
			if t := r.variant(v, context); t.ok && (!best.ok || t.score > best.score) {
				best = t
			}
		}
	}
	sc.last, sc.lastScore, sc.lastSeen = context, best, true
	return best
}

// variant scores one name. Each word counts its relation to the name or that to an
// area, whichever is better; an unrelated one refuses, or counts the similarity of
// the whole in the trigram stage.
func (r *request) variant(v int, context uint32) textScore {
	sc := &r.scratch.scored
	t := textScore{strong: true}
	sum, named, first, initials := 0.0, 0, -1, 0
	for i := range r.words {
		w := &r.words[i]
		if w.free {
			if first < 0 && sc.rel[v][i] > 0 {
				first = i
			}
			if sc.rel[v][i] == 0 && w.length == 1 && i+1 < len(r.words) { // the last may be the beginning of a word
				initials++
			}
			continue
		}
		rel := sc.rel[v][i]
		if a := w.inContext(context); a > rel || a > 0 && w.again && r.hasOnce(w, v) {
			sum += a
			t.matched |= 1 << i
			t.context |= 1 << i
			t.strong = t.strong && a >= minStrong*scoreContext*scoreCoarse
			continue
		}
		if rel == 0 {
			if sc.dice == 0 {
				return textScore{}
			}
			sum += sc.dice * w.unrelated()
			t.strong = false
			continue
		}
		if first < 0 {
			first = i
		}
		named++
		sum += rel
		t.matched |= 1 << i
		t.letter = t.letter || sc.letters[v]&(1<<i) != 0
		t.strong = t.strong && (rel >= minStrong || rel == scoreSounds)
	}
	if named == 0 && sc.dice == 0 {
		return textScore{}
	}
	t.ok = true
	t.score = sum/float64(sc.words) - min(maxLossExtra, lossExtra*float64(sc.unused[v])) - lossInitial*float64(initials)
	if first >= 0 && sc.firsts[v]&(1<<first) != 0 {
		t.score += bonusFirst
	} else if sc.words == 1 {
		t.strong = false // a word inside a name may be a misspelling of another
	}
	t.called = r.isWhole(t.context, r.scratch.set.Variants[v])
	if t.whole = v == 0 && t.called; t.whole {
		t.score += bonusWhole
	}
	return t
}

// hasOnce reports whether a name has a word once.
func (r *request) hasOnce(w *word, v int) bool {
	n := 0
	for _, t := range r.scratch.set.Variants[v] {
		if w.equal.Has(t) {
			n++
		}
	}
	return n == 1
}

// isWhole reports whether the words that no area took are a name.
func (r *request) isWhole(context uint32, terms []uint32) bool {
	at := 0
	for i := range r.words {
		if context&(1<<i) != 0 {
			continue
		}
		if at == len(terms) || !r.words[i].equal.Has(terms[at]) {
			return false
		}
		at++
	}
	return at == len(terms)
}

// final adds importance, kind and proximity to a text score.
func (r *request) final(text float64, row *index.Row) float64 {
	t := &r.engine.traits[row.Category]
	score := text*weightText + row.Importance()*weightRank + t.Prior
	if r.q.Ref != nil {
		score += r.bias * weightProximity / (1 + r.near.Metres(row.Point())/t.Scale)
	}
	if !row.Has(index.FlagNamed) {
		score -= namelessLoss
	}
	return score
}

// atMost bounds the final score of entry id from above without its row. Where it stands is
// looked at only when the bound would reach the bar otherwise.
func (r *request) atMost(text float64, id uint32, bar float64) float64 {
	kind := r.engine.x.CoarseKind(id)
	t := trait.Most(kind)
	score := text*weightText + r.engine.x.RankBound(id)*weightRank + t.Prior
	if r.q.Ref != nil && r.bias > 0 {
		if most := score + r.bias*weightProximity; most < bar {
			return most
		}
		_, about := r.engine.x.Coarse(id)
		far := max(0, r.near.AtLeast(about)-index.CoarseError)
		score += r.bias * weightProximity / (1 + far/t.Scale)
	}
	return score
}

// most bounds the final score of any entry from above, given the most that its
// name may score and its importance.
func (r *request) most(text, rank float64) float64 {
	score := text*weightText + rank*weightRank + maxPrior
	if r.q.Ref != nil {
		score += max(0, r.bias) * weightProximity
	}
	return score
}

// bestText is the most that a name may score when each word finds the best of
// its relations that the index holds. In the trigram stage an unrelated word
// may count a similarity of up to 1.
func (r *request) bestText(st stage) float64 {
	sum, counted, all, any := 0.0, 0, true, false
	for i := range r.words {
		w := &r.words[i]
		if w.free {
			continue
		}
		counted++
		equal := w.equal.Len() > 0
		all, any = all && equal, any || equal
		if equal || st == trigramStage {
			sum += scoreEqual
		} else {
			sum += scorePrefix + weightPrefix
		}
	}
	text := sum/float64(max(counted, 1)) + bonusFirst
	if all || any && len(r.splits) > 1 {
		text += bonusWhole
	}
	return text - lossStage*float64(st)
}

// ceiling is the most that the related set may score in any context.
func (r *request) ceiling() float64 {
	if len(r.splits) < 2 {
		return r.text(0).score
	}
	sc, best := &r.scratch.scored, 0.0
	for v := range sc.names {
		if sc.unused[v] < 0 {
			continue
		}
		sum := 0.0
		for i := range r.words {
			w := &r.words[i]
			switch rel := sc.rel[v][i]; {
			case w.free:
			case w.around != nil:
				sum += max(rel, scoreContext)
			case rel == 0:
				sum += sc.dice * weightUnrelated // no area has it
			default:
				sum += rel
			}
		}
		best = max(best, sum/float64(sc.words)-min(maxLossExtra, lossExtra*float64(sc.unused[v])))
	}
	return best + bonusFirst + bonusWhole
}
