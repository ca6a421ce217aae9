package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"svc/ai/lang"
	"svc/ai/phrase"
)

// promise looks for a source that makes the same promise, for the same place and on
// conditions that hold.
func (g *grounds) promise(f *Fact) (bool, string) {
	detail := fmt.Sprintf("no source promises %s", strings.ReplaceAll(f.Name, "_", " "))
	switch f.Name {
	case PromiseBooked:
		return g.Booked, "nothing was booked in this turn"
	case PromiseOrdered:
		return g.Ordered, "no order was placed in this turn"
	case PromiseEveryDay:
		return g.everyDay()
	}
	if f.Name == PromiseFree && f.doc.topicsOf(f.word) == 0 && g.burst.allTopics()&topics == cDelivery {
		asked := *f // free is what the customer asked for
		asked.Name = PromiseFreeDelivery
		f = &asked
	}
	for _, s := range g.docs {
		for i := range s.facts {
			p := &s.facts[i]
			if p.Kind != Promise || !samePromise(f, p) || !placesMeet(g.placesFor(f), s.placesOfClause(p.word)) {
				continue
			}
			if ok, why := g.conditions(f, p); !ok {
				detail = why
				continue
			}
			return true, ""
		}
	}
	return g.offeredPromise(f), detail
}

// offeredPromise: delivery that a field or a chunk speaks of without a verb of promising.
func (g *grounds) offeredPromise(f *Fact) bool {
	class := map[string]phrase.Mask{PromiseDelivery: cDelivery, PromiseGuarantee: cGuarantee, PromiseRefund: cRefund, PromiseInstallment: cInstallment}[f.Name]
	if class == 0 {
		return false
	}
	for _, s := range g.docs {
		for i := range s.Words {
			if !s.has(i, class) {
				continue
			}
			from, to := s.Clause(i)
			places := s.placesOf(i)
			if f.Name == PromiseDelivery { // "Delivery: in the city 1 day. To the regions 3 days."
				places = s.placesIn(0, len(s.Words))
			}
			if !s.denied(from, to) && placesMeet(g.placesFor(f), places) {
				return true
			}
		}
	}
	return false
}

func samePromise(f, p *Fact) bool {
	if f.Name == PromiseGift && p.Name == PromiseGift {
		return f.shares(p) || !f.sameTongue(p) || f.bare()
	}
	if f.Name == PromiseFree && p.Name == PromiseFree {
		a, b := f.doc.topicsOf(f.word)&(cLesson|cService), p.doc.topicsOf(p.word)&(cLesson|cService)
		return a&b != 0 || a|b == 0 && !f.sameTongue(p) || f.shares(p) || a == 0 && f.bare()
	}
	return f.Name == p.Name || f.Name == PromiseFree && p.Name == PromiseFreeDelivery && f.shares(p)
}

// shares tells whether the sentences of two facts share a word that is not about being free.
func (f *Fact) shares(p *Fact) bool {
	words := map[string]bool{}
	from, to := p.doc.Sentence(p.word)
	for _, w := range p.doc.Words[from:to] {
		words[w.Key[:min(4, len(w.Key))]] = w.Classes&(cFree|cGift|cAgree|cEvery) == 0 && len(w.Key) > 3
	}
	from, to = f.doc.Sentence(f.word)
	return slices.ContainsFunc(f.doc.Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && words[w.Key[:4]] })
}

// bare tells that the clause of a fact names nothing but what it says.
func (f *Fact) bare() bool {
	from, to := f.doc.Clause(f.word)
	return !slices.ContainsFunc(f.doc.Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && w.Classes == 0 })
}

// sameTongue tells whether the texts of two facts are in one language, so that one word is the
// same in both.
func (f *Fact) sameTongue(p *Fact) bool {
	return lang.Identify(f.doc.Source).Lang == lang.Identify(p.doc.Source).Lang
}

// conditions tells whether the conditions of a source hold: the amount from which delivery
// is free, the offers and the last day of a discount.
func (g *grounds) conditions(f, p *Fact) (bool, string) {
	d, s := f.doc, p.doc
	from, to := s.Sentence(p.word)
	for i := range s.facts {
		c := &s.facts[i]
		if c.word < from || c.word >= to {
			continue
		}
		switch {
		case c.Kind == Money && (s.threshold(c) || f.Name == PromiseFreeDelivery && s.Words[c.word].Clause == s.Words[p.word].Clause):
			if !g.says(d, c) && g.total() < c.Min {
				return false, fmt.Sprintf("free is from %s only", c.Text)
			}
		case c.Kind == Date && f.Name == PromiseDiscount && !c.Until.IsZero() && !d.today.IsZero() && c.Until.Before(d.today) && (s.has(c.word-1, cUntil) || strings.HasSuffix(s.key(c.word+1), "gacha")):
			return false, "the discount has ended"
		}
	}
	if (f.Name == PromiseFree || f.Name == PromiseFreeDelivery) && d.pricedElse(f, p) {
		return false, "it is free of charge under another condition"
	}
	if f.Name == PromiseDiscount {
		limited := g.wholeNames(s, from, to)
		sf, st := d.Sentence(f.word)
		spoken := g.offersIn(d, sf, st)
		for k := range spoken {
			if limited[k] {
				return true, ""
			}
		}
		if len(limited) > 0 && (len(spoken) > 0 || d.in(sf, st, cAll) || !g.speaksOf(limited) && !d.states(Percent, sf, st)) {
			return false, "the discount is for other offers only"
		}
	}
	return true, ""
}

// wholeNames are the offers of which more than half of the name stands in a range of words.
func (g *grounds) wholeNames(d *document, from, to int) map[int]bool {
	found := map[int]bool{}
	for k := range g.offersIn(d, from, to) {
		n := 0
		for _, name := range g.offers[k].words {
			if slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool { return phrase.Same(w.Key, name) }) {
				n++
			}
		}
		found[k] = 2*n > len(g.offers[k].words) || len(g.offers[k].good) > 0
	}
	maps.DeleteFunc(found, func(_ int, whole bool) bool { return !whole })
	return found
}

// pricedElse tells that what a text calls free of charge has a price in the sentence of the
// source, and is free under words of another clause that the text does not say: to the airport
// 100 000, in the city free.
func (d *document) pricedElse(f, p *Fact) bool {
	s := p.doc
	from, to := s.Sentence(p.word)
	free := s.Words[p.word].Clause
	words := map[bool]map[string]bool{true: {}, false: {}}
	priced := false
	for i := from; i < to; i++ {
		w := &s.Words[i]
		if w.Classes&(cFree|cFrom|cUntil) == 0 && len(w.Key) > 3 && s.ents[i].kind == eNone && !phrase.IsFigure(w.Key) {
			words[w.Clause == free][w.Key[:4]] = true
		}
	}
	for i := range s.facts {
		if c := &s.facts[i]; c.Kind == Money && c.word >= from && c.word < to {
			if s.Words[c.word].Clause == free {
				return false // from an amount on
			}
			priced = true
		}
	}
	if !priced || len(words[true]) == 0 {
		return false
	}
	n := map[bool]int{}
	df, dt := d.Sentence(f.word)
	for i := df; i < dt; i++ {
		if k := d.Words[i].Key; len(k) > 3 && words[true][k[:4]] != words[false][k[:4]] {
			n[words[true][k[:4]]]++
		}
	}
	return n[false] > 0 && n[true] == 0
}

// states tells whether a range of words states a fact of a kind.
func (d *document) states(k Kind, from, to int) bool {
	return slices.ContainsFunc(d.facts, func(f Fact) bool { return f.Kind == k && from <= f.word && f.word < to })
}

// speaksOf tells whether the conversation or the reply names one of some offers.
func (g *grounds) speaksOf(offers map[int]bool) bool {
	for k := range offers {
		if g.mentioned[k] {
			return true
		}
	}
	return false
}

// says tells whether a text names the value of a condition.
func (g *grounds) says(d *document, c *Fact) bool {
	return slices.ContainsFunc(d.facts, func(f Fact) bool { return f.Kind == c.Kind && (equal(f.Min, c.Min) || equal(f.Max, c.Max)) })
}
