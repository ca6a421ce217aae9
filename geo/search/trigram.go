package search

import (
	"math"

	"svc/geo/text"
)

// minDice is the least similarity that the trigram stage accepts.
const minDice = 0.42

// trigramCandidates fills s.sets with the sets whose primary name shares
// enough trigrams with the query that it, or one of its tokens, may reach
// minDice: with c shared of q, 2c/(q+n) >= minDice needs c >= q*minDice/(2-minDice),
// since a name has at least the c trigrams that it shares.
func (r *request) trigramCandidates() bool {
	s, x := r.scratch, r.engine.x
	if text.Length(r.joined) < minTrigram {
		return false
	}
	s.grams = text.Trigrams(s.grams[:0], r.joined)
	for _, g := range s.grams {
		x.Trigram(g, func(set uint32) {
			if s.counts[set] == 0 {
				s.touched = append(s.touched, set)
			}
			if s.counts[set] < math.MaxUint8 {
				s.counts[set]++
			}
		})
	}
	enough := uint8(min(math.MaxUint8, math.Ceil(float64(len(s.grams))*minDice/(2-minDice))))
	clear(s.sets)
	any := false
	for _, set := range s.touched {
		if s.counts[set] >= enough {
			s.sets.Add(set)
			any = true
		}
		s.counts[set] = 0
	}
	s.touched = s.touched[:0]
	return any
}

// similarityAtLeast reports whether the trigram stage would find the set in s.set.
func (r *request) similarityAtLeast() bool {
	if r.joined == "" {
		r.joined = joined(r.words)
		r.scratch.grams = text.Trigrams(r.scratch.grams[:0], r.joined)
	}
	return text.Length(r.joined) >= minTrigram && r.similarity() >= minDice
}

// similarity is the Dice value of the query and the primary name of the set in
// s.set, or one of its tokens when that is closer.
func (r *request) similarity() float64 {
	s, x := r.scratch, r.engine.x
	if len(s.set.Variants) == 0 {
		return 0
	}
	s.name = s.name[:0]
	best := 0.0
	for i, t := range s.set.Variants[0] {
		term := x.Term(t)
		if i > 0 {
			s.name = append(s.name, ' ')
		}
		s.name = append(s.name, term...)
		best = math.Max(best, r.dice(term))
	}
	if len(s.set.Variants[0]) > 1 {
		best = math.Max(best, r.dice(string(s.name)))
	}
	return best
}

func (r *request) dice(name string) float64 {
	s := r.scratch
	s.nameGrams = text.Trigrams(s.nameGrams[:0], name)
	return text.DiceSets(s.grams, s.nameGrams)
}
