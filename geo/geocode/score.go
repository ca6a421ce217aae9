package geocode

import (
	"math"
	"slices"
	"strings"

	"svc/geo/category"
	"svc/geo/country"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/text"
	"svc/geo/text/script"
)

// How much a word of the question counts that an answer has in this form.
const (
	sameWord  = 1.0
	sameSound = 0.9 // the same skeleton: another script, another spelling
	beginsIt  = 0.8 // a word of the answer begins with it
	alike     = 0.8 // times the share of letters in common
	leastDice = 0.5 // below this share two words are different words
)

// maxWords is how many words of a question are judged; the search reads no more.
const maxWords = 12

// scorer judges answers to one question.
type scorer struct {
	x         *index.Index
	words     []string
	skeletons []string
	weights   []float64 // longer words count more, so that "5" does not weigh like "Navoiy"
	total     float64
}

func newScorer(x *index.Index, question string) *scorer {
	s := &scorer{x: x}
	words := text.Significant(text.Tokens(question))
	for _, w := range words[:min(len(words), maxWords)] {
		weight := float64(min(max(text.Length(w), 3), 8))
		s.words, s.skeletons, s.weights = append(s.words, w), append(s.skeletons, script.Skeleton(w)), append(s.weights, weight)
		s.total += weight
	}
	return s
}

// score is the share of the question, by weight, that r accounts for: its names in
// every language, its address, category and country. Two decimals.
func (s *scorer) score(r *result.Result) float64 {
	if s.total == 0 {
		return 0
	}
	have := s.tokensOf(r)
	sum, remote := 0.0, []string(nil)
	for i := range s.words {
		best := s.relation(i, have)
		if best == 0 && !digit(s.words[i]) {
			if remote == nil {
				remote = s.remote(r)
			}
			best = s.relation(i, remote)
		}
		sum += best * s.weights[i]
	}
	return math.Round(sum/s.total*100) / 100
}

func (s *scorer) relation(i int, have []string) float64 {
	best, w := 0.0, s.words[i]
	for _, h := range have {
		switch {
		case h == w:
			return sameWord
		case best < sameSound && !digit(w) && script.Skeleton(h) == s.skeletons[i] && len(s.skeletons[i]) > 1:
			best = sameSound
		case best < beginsIt && text.Length(w) > 1 && strings.HasPrefix(h, w) && !digit(w):
			best = beginsIt
		case best < beginsIt && text.Length(w) > 3 && !digit(w):
			if d := text.Dice(w, h); d >= leastDice {
				best = max(best, d*alike)
			}
		}
	}
	return best
}

// tokensOf are the words that a result bears itself.
func (s *scorer) tokensOf(r *result.Result) []string {
	a := &r.Address
	parts := []string{
		r.Name, a.Street, a.HouseNumber, text.HouseNumber(a.HouseNumber), a.Neighbourhood, a.Suburb, a.City, a.District, a.Region, a.Postcode,
	}
	for _, n := range r.Names {
		parts = append(parts, n)
	}
	d := s.x.Detail(r.ID)
	parts = append(parts, s.x.Text(d.Name))
	if d.StreetEntry > 0 { // a house is asked for by its street in any language
		street := s.x.Detail(d.StreetEntry - 1)
		for _, n := range street.Names {
			parts = append(parts, s.x.Text(n.Value))
		}
	}
	return words(parts)
}

// remote are words that stand for a result without being its name: its category and
// its country. They are looked at when a word is left over.
func (s *scorer) remote(r *result.Result) []string {
	var parts []string
	if i, ok := category.Index(r.Category); ok {
		c := category.All()[i]
		parts = append(append(parts, c.Label.UZ, c.Label.RU, c.Label.EN), c.Synonyms...)
	}
	if c := country.At(r.Lat, r.Lon); c != nil {
		for _, n := range c.Names {
			parts = append(parts, n)
		}
	}
	return words(parts)
}

func words(parts []string) (out []string) {
	for _, p := range parts {
		for _, w := range text.Tokens(p) {
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}
