package ground

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// promise looks for a source that makes the same promise, for the same place and on
// conditions that hold.
func (g *grounds) promise(f *facts.Fact) (bool, string) {
	detail := fmt.Sprintf("no source promises %s", strings.ReplaceAll(f.Name, "_", " "))
	switch f.Name {
	case facts.PromiseBooked:
		return g.Booked, "nothing was booked in this turn"
	case facts.PromiseOrdered:
		return g.Ordered, "no order was placed in this turn"
	case facts.PromiseEveryDay:
		return g.everyDay()
	}
	if f.Name == facts.PromiseFree && f.Document().TopicsOf(f.Word()) == 0 && g.burst.AllTopics()&facts.Topics == word.Delivery {
		asked := *f // free is what the customer asked for
		asked.Name = facts.PromiseFreeDelivery
		f = &asked
	}
	for _, s := range g.docs {
		for i := range s.Facts {
			p := &s.Facts[i]
			if p.Kind != facts.Promise || !samePromise(f, p) || !placesMeet(g.placesFor(f), s.PlacesOfClause(p.Word())) {
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
func (g *grounds) offeredPromise(f *facts.Fact) bool {
	class := map[string]phrase.Mask{facts.PromiseDelivery: word.Delivery, facts.PromiseGuarantee: word.Guarantee, facts.PromiseRefund: word.Refund, facts.PromiseInstallment: word.Installment}[f.Name]
	if class == 0 {
		return false
	}
	for _, s := range g.docs {
		for i := range s.Words {
			if !s.Has(i, class) {
				continue
			}
			from, to := s.Clause(i)
			places := s.PlacesOf(i)
			if f.Name == facts.PromiseDelivery { // "Delivery: in the city 1 day. To the regions 3 days."
				places = s.PlacesIn(0, len(s.Words))
			}
			if !s.Denied(from, to) && placesMeet(g.placesFor(f), places) {
				return true
			}
		}
	}
	return false
}

func samePromise(f, p *facts.Fact) bool {
	if f.Name == facts.PromiseGift && p.Name == facts.PromiseGift {
		return shares(f, p) || !sameTongue(f, p) || bare(f)
	}
	if f.Name == facts.PromiseFree && p.Name == facts.PromiseFree {
		a, b := f.Document().TopicsOf(f.Word())&(word.Lesson|word.Service), p.Document().TopicsOf(p.Word())&(word.Lesson|word.Service)
		return a&b != 0 || a|b == 0 && !sameTongue(f, p) || shares(f, p) || a == 0 && bare(f)
	}
	return f.Name == p.Name || f.Name == facts.PromiseFree && p.Name == facts.PromiseFreeDelivery && shares(f, p)
}

// shares tells whether the sentences of two facts share a word that is not about being free.
func shares(f, p *facts.Fact) bool {
	words := map[string]bool{}
	from, to := p.Document().Sentence(p.Word())
	for _, w := range p.Document().Words[from:to] {
		words[w.Key[:min(4, len(w.Key))]] = w.Classes&(word.Free|word.Gift|word.Agree|word.Every) == 0 && len(w.Key) > 3
	}
	from, to = f.Document().Sentence(f.Word())
	return slices.ContainsFunc(f.Document().Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && words[w.Key[:4]] })
}

// bare tells that the clause of a fact names nothing but what it says.
func bare(f *facts.Fact) bool {
	from, to := f.Document().Clause(f.Word())
	return !slices.ContainsFunc(f.Document().Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && w.Classes == 0 })
}

// sameTongue tells whether the texts of two facts are in one language, so that one word is the
// same in both.
func sameTongue(f, p *facts.Fact) bool {
	return lang.Identify(f.Document().Source).Lang == lang.Identify(p.Document().Source).Lang
}

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
