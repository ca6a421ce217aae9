package search

import (
	"slices"

	"svc/geo/index"
	"svc/geo/spelling"
)

// byName runs the stages over names and returns the best hits.
func (r *request) byName(tokens []string) []hit { return r.byNameAbove(tokens, r.q.Limit, 0) }

// byNameAbove is byName for at most limit hits whose text score is at least
// floor. With a floor only the exact stage runs: the floors that are asked for
// are above what a similar sound can score.
func (r *request) byNameAbove(tokens []string, limit int, floor float64) []hit {
	if len(tokens) == 0 {
		return nil
	}
	r.begin(tokens)
	stages := stageCount
	if floor > 0 {
		stages = exactStage + 1
	}
	var found []hit
	for st := range stages {
		n := nameScan{request: r, stage: st, floor: floor}
		n.houses = floor == 0 && r.filter.categories[r.engine.address]
		scan := n.sets
		if !r.prepare(st) {
			continue
		}
		if len(tokens) == 1 && st < mixedStage {
			scan = n.lists
		} else if !r.candidates(st) {
			continue
		}
		found = r.merge(found, r.collect(limit, scan), limit)
		if slices.ContainsFunc(found, func(h hit) bool { return h.strong }) {
			break
		}
	}
	return found
}

// prepare gives the words what a stage asks of them; false when the stage would
// only repeat an earlier one.
func (r *request) prepare(st stage) bool {
	if st == fuzzyStage {
		for i := range r.words {
			r.words[i].near = spelling.Terms(r.engine.x, r.words[i].text, r.words[i].prefix)
		}
	}
	if st <= fuzzyStage {
		r.lookAround(st)
	}
	if st == trigramStage {
		r.joined = joined(r.words)
	}
	return st != mixedStage || len(r.words) > 1
}

// nameScan offers the bearers of matching names to the best so far. Names come
// in the order of their best bearer, so a scan ends when no later one can enter.
type nameScan struct {
	*request
	stage  stage
	floor  float64 // least text score
	houses bool    // offer the addresses along a street with the street
}

// sets scans the candidate sets of a stage.
func (n *nameScan) sets(t *top) {
	x, best := n.engine.x, n.bestText(n.stage)
	n.scratch.sets.Each(func(set uint32) bool {
		if !t.wants(n.most(best, x.SetRank(set))) {
			return false
		}
		if n.hopeful(set, best, t) {
			n.offer(set, t)
		}
		return true
	})
}

// lists scans the postings of each term that a single word stands for, as long
// as that term's own relation to the word may still bring something in. The
// terms with the best bearers come first, to raise the bar.
func (n *nameScan) lists(t *top) {
	x, s, w := n.engine.x, n.scratch, &n.words[0]
	span, skeletons := w.prefix, n.stage == fuzzyStage
	if skeletons {
		span = w.skeletonPrefix
	}
	s.terms = append(x.TermsOf(span, skeletons, maxExpansion, s.terms), w.others...)
	if n.stage != exactStage {
		for _, near := range w.near {
			s.terms = append(s.terms, near.Term)
		}
	}
	const leaders = 64
	if len(s.terms) > leaders {
		x.Leaders(s.terms, leaders)
	}
	clear(s.sets) // the sets that were offered already
	for _, term := range s.terms {
		best := max(w.relate(x, term), scoreInside) + bonusFirst // inside another word of the name
		if w.equal.Has(term) {
			best += bonusWhole
		}
		best -= lossStage * float64(n.stage)
		x.PostingsWhile(term, func(set uint32) bool {
			if !t.wants(n.most(best, x.SetRank(set))) {
				return false
			}
			if n.hopeful(set, best, t) && s.sets.Insert(set) {
				n.offer(set, t)
			}
			return true
		})
	}
}

// hopeful reports whether the bearers of a set may still enter the best when its name
// scores at most so: cheaper than to read the name, which most sets of a short word are
// spared when a reference point is given and they are far from it.
func (n *nameScan) hopeful(set uint32, best float64, t *top) bool {
	id, only := n.engine.x.Only(set)
	return !only || t.wants(n.atMost(best, id, t.bar()))
}

// offer scores a name and offers its bearers.
func (n *nameScan) offer(set uint32, t *top) {
	x, s := n.engine.x, n.scratch
	x.ReadSet(set, &s.set)
	if !n.filter.all && !n.bornByWanted(set) || !n.relate(n.stage) {
		return
	}
	loss := lossStage * float64(n.stage)
	ceiling := n.ceiling() - loss
	if ceiling < n.floor {
		return
	}
	for id := range s.set.Members {
		if !t.wants(n.most(ceiling, x.RankBound(id))) {
			break // the others are no more important
		}
		if t.wants(n.atMost(ceiling, id, t.bar())) {
			n.offerEntry(id, loss, false, t)
		}
	}
	if !n.houses {
		return
	}
	houses := x.Houses(set)
	if len(houses) == 0 || !t.wants(n.most(ceiling, maxAddressRank)) {
		return
	}
	for _, h := range houses {
		if kind, _ := x.Coarse(h.Entry); kind == index.Address && t.wants(n.atMost(ceiling-lossExtra, h.Entry, t.bar())) {
			n.offerEntry(h.Entry, loss, true, t)
		}
	}
}

// bornByWanted reports whether an entry of a wanted kind bears the name in
// s.set: cheaper to know than how well the name matches.
func (n *nameScan) bornByWanted(set uint32) bool {
	x := n.engine.x
	for id := range n.scratch.set.Members {
		if kind, _ := x.Coarse(id); n.filter.kinds&(1<<kind) != 0 {
			return true
		}
	}
	return n.houses && len(x.Houses(set)) > 0
}

// offerEntry offers one bearer of the related set, or an address along it.
func (n *nameScan) offerEntry(id uint32, loss float64, house bool, t *top) {
	row := &n.engine.x.Rows[id]
	if !n.filter.passes(row) {
		return
	}
	context := uint32(0)
	if len(n.splits) > 1 { // else all are equal, and to look costs a cache miss
		context = n.engine.x.Context(row)
	}
	score := n.text(context)
	if !score.ok {
		return
	}
	text, stage := score.score-loss, n.stage
	if score.letter && stage < trigramStage && n.similarityAtLeast() {
		stage = trigramStage // what trigrams find as well is told as theirs
	}
	if house {
		text = houseScore(text, score.whole)
	}
	if text < n.floor || !t.wants(n.atMost(text, id, t.bar())) {
		return
	}
	t.add(hit{
		entry: id, score: n.final(text, row), reason: stageNames[stage], words: score.matched,
		whole: score.whole && !house, called: score.called && !house, context: score.context != 0, strong: score.strong && !house,
		areas: score.context, text: text,
	})
}

// maxAddressRank is the most important that an address can be.
const maxAddressRank = 0.06

// houseScore is the text score of an address whose street scores so: its
// number is a token more than was asked for.
func houseScore(street float64, whole bool) float64 {
	if whole {
		street -= bonusWhole
	}
	return street - lossExtra
}
