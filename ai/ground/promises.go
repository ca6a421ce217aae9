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
	case facts.PromiseRoundClock:
		if g.hasHours(f) {
			return false, "it has hours of its own"
		}
	case facts.PromiseNoSurcharge:
		return g.noSurcharge(f), "no source says that nothing is paid beside"
	}
	if f.Name == facts.PromiseFree && f.Document().TopicsOf(f.Word()) == 0 && g.burst.AllTopics()&facts.Topics == word.Delivery {
		asked := *f // free is what the customer asked for
		asked.Name = facts.PromiseFreeDelivery
		f = &asked
	}
	ok, refused := false, false // by what speaks of the same thing, in the same words
	for _, s := range g.docs {
		for i := range s.Facts {
			p := &s.Facts[i]
			if p.Kind != facts.Promise || !samePromise(f, p) || !g.samePercent(f, p) || !placesMeet(g.placesFor(f), s.PlacesOfClause(p.Word())) {
				continue
			}
			same := (f.Name == facts.PromiseFree || f.Name == facts.PromiseGift || f.Name == facts.PromiseDiscount) && shares(f, p)
			switch holds, why := g.conditions(f, p); {
			case holds && same:
				return true, ""
			case holds:
				ok = true
			default:
				detail, refused = why, refused || same
			}
		}
	}
	return ok && !refused || !refused && g.offeredPromise(f), detail
}

// samePercent tells that the sentence of a promise of a source has the percent that the clause of
// the reply states, where both state one.
func (g *grounds) samePercent(f, p *facts.Fact) bool {
	if f.Name != facts.PromiseDiscount {
		return true
	}
	from, to := f.Document().Clause(f.Word())
	pf, pt := p.Document().Sentence(p.Word())
	stated, found := false, false
	for _, said := range f.Document().Facts {
		if said.Kind != facts.Percent || said.Word() < from || said.Word() >= to {
			continue
		}
		for _, known := range p.Document().Facts {
			if known.Kind == facts.Percent && pf <= known.Word() && known.Word() < pt {
				stated, found = true, found || within(&said, &known)
			}
		}
	}
	return found || !stated
}

// hasHours tells that a sentence of a source gives the hours of an offer that a clause names.
func (g *grounds) hasHours(f *facts.Fact) bool {
	from, to := f.Document().Clause(f.Word())
	spoken := g.offersIn(f.Document(), from, to)
	for _, s := range g.docs {
		for i := range s.Facts {
			if s.Facts[i].Kind != facts.Clock {
				continue
			}
			sf, st := s.Sentence(s.Facts[i].Word())
			for k := range g.offersIn(s, sf, st) {
				if spoken[k] {
					return true
				}
			}
		}
	}
	return false
}

// noSurcharge tells whether a source says that nothing is paid beside the price: that it is
// included, free of charge, without interest.
func (g *grounds) noSurcharge(f *facts.Fact) bool {
	for _, s := range g.docs {
		for i := range s.Facts {
			switch p := &s.Facts[i]; p.Name {
			case facts.PromiseNoSurcharge, facts.PromiseNoInterest:
				return true
			case facts.PromiseFree, facts.PromiseFreeDelivery:
				if shares(f, p) {
					return true
				}
			}
		}
		if slices.ContainsFunc(s.Words, func(w phrase.Word) bool {
			return strings.HasPrefix(w.Key, "vhod") || strings.HasPrefix(w.Key, "vklyuch") || strings.HasPrefix(w.Key, "kiradi") || w.Key == "included" || w.Key == "includes" || w.Key == "ichida"
		}) {
			return true
		}
	}
	return false
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
		words[w.Key[:min(4, len(w.Key))]] = w.Classes&(word.Free|word.Gift|word.Agree|word.Every) == 0 && len(w.Key) > 3 && !firsts[w.Key]
	}
	from, to = f.Document().Sentence(f.Word())
	return slices.ContainsFunc(f.Document().Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && words[w.Key[:4]] })
}

// firsts say nothing of what is first.
var firsts = map[string]bool{"birinchi": true, "pervi": true, "perviy": true, "pervaya": true, "pervoe": true, "first": true}

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
	if c := g.unmetCount(f, p); c != nil {
		return false, fmt.Sprintf("it holds for %s only", c.Text)
	}
	if f.Name == facts.PromiseFree && g.unmetCondition(f, p) {
		return false, "it is free of charge under a condition"
	}
	if of, ot := d.Sentence(f.Word()); d.Any(of, ot, word.All) && ordinal(s, from, to) && !ordinal(d, of, ot) {
		return false, "it is not for all"
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
		most := 0.0
		for _, n := range g.numbers {
			most = math.Max(most, n)
		}
		if most < c.Min {
			return c
		}
	}
	return nil
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

// ordinal tells that a range of words names a place in an order: the second child.
func ordinal(d *facts.Document, from, to int) bool {
	if from >= to {
		return false
	}
	for _, n := range lang.Numbers(d.Source[d.Words[from].Start:d.Words[to-1].End]) {
		if n.Ordinal {
			return true
		}
	}
	return false
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
