package search

import (
	"svc/geo/geom"
	"svc/geo/index"
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
	bonusWhole   = 0.12
	maxPrior     = 0.12
)

// traits are what ranking needs to know of a category.
type traits struct {
	prior  float64 // added to every score
	scale  float64 // metres at which proximity is a half
	repeat float64 // metres within which equal names are one result
	kind   index.Kind
}

func traitsOf(x *index.Index) []traits {
	out := make([]traits, len(x.Meta.Categories))
	for i, c := range x.Meta.Categories {
		out[i] = kindTraits[x.KindOf(uint8(i))]
		out[i].kind = x.KindOf(uint8(i))
		if t, ok := placeTraits[c.ID]; ok {
			t.prior, t.kind = out[i].prior, out[i].kind
			out[i] = t
		}
	}
	return out
}

var kindTraits = [index.KindCount]traits{
	index.Place:   {prior: 0.12, scale: 25_000, repeat: 3_000},
	index.Street:  {prior: 0.06, scale: 12_000, repeat: 3_000},
	index.POI:     {prior: 0.05, scale: 4_000, repeat: 250},
	index.Address: {prior: 0, scale: 4_000, repeat: 250},
	index.Nature:  {prior: 0.04, scale: 60_000, repeat: 5_000},
}

var placeTraits = map[string]traits{
	"place.country":  {scale: 25_000, repeat: 250_000},
	"place.region":   {scale: 120_000, repeat: 250_000},
	"place.city":     {scale: 120_000, repeat: 40_000},
	"place.district": {scale: 120_000, repeat: 40_000},
	"place.town":     {scale: 120_000, repeat: 15_000},
}

// request is one search under way over a filter.
type request struct {
	engine  *Engine
	scratch *scratch
	q       *Query
	filter  *filter
	words   []word
	joined  string
	near    geom.Near
	bias    float64
}

// begin prepares the words of a search by name.
func (r *request) begin(tokens []string) {
	r.words = newWords(r.engine.x, tokens)
	r.joined = joined(r.words)
	r.bias = r.q.Bias
	if r.bias == 0 {
		r.bias = DefaultBias
	}
	if r.q.Ref != nil {
		r.near = geom.From(*r.q.Ref)
	}
}

// textScore is the best score of the name set in s.set over its variants, the
// words that found a relation there, and whether they are its whole primary
// name. ok is false when no variant relates to every word.
func (r *request) textScore(st stage) (score float64, matched uint32, whole, ok bool) {
	dice := 0.0
	if st == trigramStage {
		if dice = r.similarity(); dice < minDice {
			return 0, 0, false, false
		}
		r.scratch.dice = dice
	}
	for i, v := range r.scratch.set.Variants {
		if vs, m, w, fits := r.variantScore(v, i == 0, dice); fits && (!ok || vs > score) {
			score, matched, whole, ok = vs, m, w, true
		}
	}
	return score, matched, whole, ok
}

// variantScore scores one token sequence. An unrelated word refuses it, or
// counts the similarity of the whole in the trigram stage (dice > 0).
func (r *request) variantScore(terms []uint32, primary bool, dice float64) (score float64, matched uint32, whole, ok bool) {
	x := r.engine.x
	var used uint64
	counted, sum, first := 0, 0.0, false
	whole = primary && len(terms) == len(r.words)
	for i := range r.words {
		w := &r.words[i]
		if whole && !w.equal.Has(terms[i]) {
			whole = false
		}
		best := 0.0
		for j, t := range terms {
			if rel := w.relate(x, t); rel > 0 {
				used |= 1 << j
				first = first || i == 0 && j == 0
				best = max(best, rel)
			}
		}
		if w.free {
			continue
		}
		if best > 0 {
			matched |= 1 << i
		} else if best = dice; best == 0 {
			return 0, 0, false, false
		}
		counted++
		sum += best
	}
	if counted == 0 {
		return 0, 0, false, false
	}
	score = sum / float64(counted)
	if first {
		score += bonusFirst
	}
	extra := 0
	for j := range terms {
		if used&(1<<j) == 0 {
			extra++
		}
	}
	score -= min(maxLossExtra, lossExtra*float64(extra))
	if whole {
		score += bonusWhole
	}
	return score, matched, whole, true
}

// final adds importance, kind and proximity to a text score.
func (r *request) final(text float64, row *index.Row) float64 {
	t := &r.engine.traits[row.Category]
	score := text*weightText + row.Importance()*weightRank + t.prior
	if r.q.Ref != nil {
		score += r.bias * weightProximity / (1 + r.near.Metres(row.Point())/t.scale)
	}
	if !row.Has(index.FlagNamed) {
		score -= namelessLoss
	}
	return score
}

// atMost bounds the final score of entry id from above without its row.
func (r *request) atMost(text float64, id uint32) float64 {
	kind, about := r.engine.x.Coarse(id)
	t := &kindBounds[kind%index.KindCount]
	score := text*weightText + r.engine.x.RankBound(id)*weightRank + t.prior
	if r.q.Ref != nil && r.bias > 0 {
		far := max(0, r.near.AtLeast(about)-index.CoarseError)
		score += r.bias * weightProximity / (1 + far/t.scale)
	}
	return score
}

// kindBounds are the traits of each kind at their most generous.
var kindBounds = func() [index.KindCount]traits {
	bounds := kindTraits
	for _, t := range placeTraits {
		bounds[index.Place].scale = max(bounds[index.Place].scale, t.scale)
	}
	return bounds
}()

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
	sum, counted, equal := 0.0, 0, true
	for i := range r.words {
		w := &r.words[i]
		if w.free {
			continue
		}
		counted++
		equal = equal && w.equal.Len() > 0
		if w.equal.Len() > 0 || st == trigramStage {
			sum += scoreEqual
		} else {
			sum += scorePrefix + weightPrefix
		}
	}
	text := sum/float64(max(counted, 1)) + bonusFirst
	if equal {
		text += bonusWhole
	}
	return text
}
