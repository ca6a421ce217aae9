package ground

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// conditions tells whether the conditions of a source hold: the amount from which delivery
// is free, the offers and the last day of a discount.
func (g *grounds) conditions(f, p *facts.Fact) (bool, string) {
	d, s := f.Document(), p.Document()
	from, to := s.Sentence(p.Word())
	for i := range s.Facts {
		c := &s.Facts[i]
		if c.Word() < from || c.Word() >= to {
			continue
		}
		switch {
		case c.Kind == facts.Money && (s.Threshold(c) || f.Name == facts.PromiseFreeDelivery && s.Words[c.Word()].Clause == s.Words[p.Word()].Clause):
			if !g.says(d, c) && g.total() < c.Min {
				return false, fmt.Sprintf("free is from %s only", c.Text)
			}
		case c.Kind == facts.Date && f.Name == facts.PromiseDiscount && !c.Until.IsZero() && !d.Today.IsZero() && c.Until.Before(d.Today) && (s.Has(c.Word()-1, word.Until) || strings.HasSuffix(s.Key(c.Word()+1), "gacha")):
			return false, "the discount has ended"
		}
	}
	if c := g.unmetCount(f, p); c != nil {
		return false, fmt.Sprintf("it holds for %s only", c.Text)
	}
	of, ot := d.Sentence(f.Word())
	if (f.Name == facts.PromiseFree || f.Name == facts.PromiseDiscount && d.Any(of, ot, word.All)) && g.unmetCondition(f, p) {
		return false, "it is free of charge under a condition"
	}
	if here, there := ordinals(d, of, ot), ordinals(s, from, to); len(there) > 0 && (len(here) == 0 && d.Any(of, ot, word.All) || len(here) > 0 && !slices.ContainsFunc(here, func(n float64) bool { return slices.Contains(there, n) })) {
		return false, "it is for another one in the order"
	}
	if (f.Name == facts.PromiseFree || f.Name == facts.PromiseFreeDelivery) && pricedElse(d, f, p) {
		return false, "it is free of charge under another condition"
	}
	if f.Name == facts.PromiseDiscount {
		limited := g.wholeNames(s, from, to)
		sf, st := d.Sentence(f.Word())
		spoken := g.offersIn(d, sf, st)
		for k := range spoken {
			if limited[k] {
				return true, ""
			}
		}
		if len(limited) > 0 && (len(spoken) > 0 || d.Any(sf, st, word.All) || !g.speaksOf(limited) && !d.States(facts.Percent, sf, st)) {
			return false, "the discount is for other offers only"
		}
	}
	return true, ""
}

// unmetCount is the number of things from which a promise of a source holds, where neither the
// reply names it nor the conversation reaches it: more than 20 pieces, при покупке четырёх шин.
func (g *grounds) unmetCount(f, p *facts.Fact) *facts.Fact {
	s := p.Document()
	from, to := s.Sentence(p.Word())
	for i := range s.Facts {
		c := &s.Facts[i]
		if c.Kind != facts.Count || c.Word() < from || c.Word() >= to || c.Min < 2 {
			continue
		}
		cf, ct := s.Clause(c.Word())
		last := s.Last(c)
		bound := s.Has(c.Word()-1, word.From|word.Compare) || s.Any(last+1, min(last+4, ct), word.Compare|word.From) || s.Conditional(cf, ct) && !s.Has(last+1, word.Discount)
		if !bound || g.says(f.Document(), c) {
			continue
		}
		if g.most(f.Document(), c.Unit) < c.Min {
			return c
		}
	}
	return nil
}

// most is the greatest number of things of a unit that the conversation and the reply speak of.
func (g *grounds) most(reply *facts.Document, unit string) (n float64) {
	for _, d := range append(slices.Clone(g.customer), g.burst, reply) {
		for i := range d.Facts {
			if f := &d.Facts[i]; f.Kind == facts.Count && (f.Unit == "" || f.Unit == word.UnitPiece || f.Unit == unit) {
				n = math.Max(n, f.Max)
			}
		}
	}
	return n
}

// unmetCondition tells that a source makes something free of charge under a condition in words,
// of which neither the reply nor the customer speaks: бесплатно при заказе очков.
func (g *grounds) unmetCondition(f, p *facts.Fact) bool {
	d, s := f.Document(), p.Document()
	from, to := s.Sentence(p.Word())
	df, dt := d.Sentence(f.Word())
	if s.Any(from, to, word.Group) && !d.Any(df, dt, word.Group) && !g.burst.Any(0, len(g.burst.Words), word.Group) {
		return true
	}
	if !s.Conditional(from, to) || d.Conditional(df, dt) || g.burst.Conditional(0, len(g.burst.Words)) {
		return false
	}
	if slices.ContainsFunc(s.Facts, func(c facts.Fact) bool {
		return c.Kind == facts.Money && c.Word() >= from && c.Word() < to && s.Threshold(&c)
	}) {
		return false // that condition is judged by its amount
	}
	said := map[string]bool{}
	for _, w := range append(slices.Clone(d.Words[df:dt]), g.burst.Words...) {
		if len(w.Key) > 3 {
			said[w.Key[:4]] = true
		}
	}
	at := from
	for !s.Conditional(at, at+1) {
		at++
	}
	first, last := at+1, min(at+4, to)
	if strings.Contains(s.Key(at), "sangiz") {
		first, last = max(from, at-2), at // Uzbek has the condition before its verb
	}
	for _, w := range s.Words[first:last] { // what the condition is about
		if len(w.Key) > 3 && w.Classes&(word.Free|word.IfYou) == 0 && said[w.Key[:4]] {
			return false
		}
	}
	return true
}

// ordinals are the places in an order that a range of words names: the second child.
func ordinals(d *facts.Document, from, to int) (list []float64) {
	if from >= to {
		return nil
	}
	for _, n := range lang.Numbers(d.Source[d.Words[from].Start:d.Words[to-1].End]) {
		if n.Ordinal {
			list = append(list, n.Value)
		}
	}
	return list
}

// wholeNames are the offers of which more than half of the name stands in a range of words.
func (g *grounds) wholeNames(d *facts.Document, from, to int) map[int]bool {
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
func pricedElse(d *facts.Document, f, p *facts.Fact) bool {
	s := p.Document()
	from, to := s.Sentence(p.Word())
	free := s.Words[p.Word()].Clause
	words := map[bool]map[string]bool{true: {}, false: {}}
	priced := false
	for i := from; i < to; i++ {
		w := &s.Words[i]
		if w.Classes&(word.Free|word.From|word.Until) == 0 && len(w.Key) > 3 && s.Entities[i].Kind == word.None && !phrase.IsFigure(w.Key) {
			words[w.Clause == free][w.Key[:4]] = true
		}
	}
	for i := range s.Facts {
		if c := &s.Facts[i]; c.Kind == facts.Money && c.Word() >= from && c.Word() < to {
			if s.Words[c.Word()].Clause == free {
				return false // from an amount on
			}
			priced = true
		}
	}
	if !priced || len(words[true]) == 0 {
		return false
	}
	n := map[bool]int{}
	df, dt := d.Sentence(f.Word())
	for i := df; i < dt; i++ {
		if k := d.Words[i].Key; len(k) > 3 && words[true][k[:4]] != words[false][k[:4]] {
			n[words[true][k[:4]]]++
		}
	}
	return n[false] > 0 && n[true] == 0
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
func (g *grounds) says(d *facts.Document, c *facts.Fact) bool {
	return slices.ContainsFunc(d.Facts, func(f facts.Fact) bool { return f.Kind == c.Kind && (equal(f.Min, c.Min) || equal(f.Max, c.Max)) })
}
