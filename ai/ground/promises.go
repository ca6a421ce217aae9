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
			if p.Kind != facts.Promise || !g.samePromise(f, p) || !g.samePercent(f, p) || !placesMeet(g.placesFor(f), s.PlacesOfClause(p.Word())) {
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
	return ok && !refused || !refused && (g.offeredPromise(f) || g.fetched(f)), detail
}

// fetched tells that what is on order only will be brought to the shop.
func (g *grounds) fetched(f *facts.Fact) bool {
	from, to := f.Document().Sentence(f.Word())
	if f.Name != facts.PromiseDelivery || !strings.HasPrefix(f.Document().Key(f.Word()), "privez") {
		return false
	}
	for k := range g.offersIn(f.Document(), from, to) {
		if g.offers[k].Availability == "PREORDER" {
			return true
		}
	}
	return false
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
		for i := range s.Words {
			if included(s.Key(i)) && g.saidIn(f, s, i) {
				return true
			}
		}
	}
	return false
}

// included tells the words that say that something is in the price.
func included(key string) bool {
	return strings.HasPrefix(key, "vhod") || strings.HasPrefix(key, "vklyuch") || strings.HasPrefix(key, "kiradi") || key == "included" || key == "includes" || key == "ichida"
}

// saidIn tells whether the sentence of a source at word i has a word of what the reply or the
// customer speaks of.
func (g *grounds) saidIn(f *facts.Fact, s *facts.Document, i int) bool {
	known := map[string]bool{}
	first, last := s.Sentence(i)
	for _, w := range s.Words[first:last] {
		known[w.Key[:min(4, len(w.Key))]] = len(w.Key) > 4 && w.Classes&word.Price == 0
	}
	from, to := f.Document().Sentence(f.Word())
	return slices.ContainsFunc(append(slices.Clone(f.Document().Words[from:to]), g.burst.Words...), func(w phrase.Word) bool { return len(w.Key) > 4 && w.Classes&word.Extra == 0 && known[w.Key[:4]] })
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

func (g *grounds) samePromise(f, p *facts.Fact) bool {
	if f.Name == facts.PromiseGift && p.Name == facts.PromiseGift {
		return shares(f, p) || !sameTongue(f, p) || bare(f)
	}
	if f.Name == facts.PromiseFree && p.Name == facts.PromiseFree {
		a, b := f.Document().TopicsOf(f.Word())&(word.Lesson|word.Service), p.Document().TopicsOf(p.Word())&(word.Lesson|word.Service)
		if of := g.pricedIn(f); len(of) > 0 && !shares(f, p) {
			pf, pt := p.Document().Sentence(p.Word())
			for k := range g.offersIn(p.Document(), pf, pt) {
				if of[k] {
					return true
				}
			}
			return false // another thing is free
		}
		return a&b != 0 || a|b == 0 && !sameTongue(f, p) || shares(f, p) || a == 0 && bare(f) && g.askedFor(p)
	}
	return f.Name == p.Name || f.Name == facts.PromiseFree && p.Name == facts.PromiseFreeDelivery && shares(f, p)
}

// pricedIn are the offers with a price that the clause of a fact names.
func (g *grounds) pricedIn(f *facts.Fact) map[int]bool {
	from, to := f.Document().Clause(f.Word())
	found := maps.Clone(g.offersIn(f.Document(), from, to))
	maps.DeleteFunc(found, func(k int, _ bool) bool { return !g.offers[k].priced || g.offers[k].min == 0 })
	return found
}

// askedFor tells whether a promise of a source is about what the customer asks for, as far as the
// words say so.
func (g *grounds) askedFor(p *facts.Fact) bool {
	from, to := p.Document().Sentence(p.Word())
	words, nouns := map[string]bool{}, 0
	for _, w := range g.burst.Words {
		if len(w.Key) > 4 && w.Classes&^facts.Topics == 0 {
			words[w.Key[:4]] = true
			nouns++
		}
	}
	return nouns == 0 || lang.Identify(g.burst.Source).Lang != lang.Identify(p.Document().Source).Lang || slices.ContainsFunc(p.Document().Words[from:to], func(w phrase.Word) bool { return len(w.Key) > 3 && words[w.Key[:4]] })
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
