package facts

import (
	"fmt"
	"slices"
	"strings"

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
			if p.Kind != Promise || !samePromise(f, p) || !placesMeet(g.placesFor(f), s.placesOf(p.word)) {
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
	if f.Name == PromiseFree && p.Name == PromiseFree {
		a, b := f.doc.topicsOf(f.word)&(cLesson|cService), p.doc.topicsOf(p.word)&(cLesson|cService)
		return a == 0 || b == 0 || a&b != 0
	}
	return f.Name == p.Name
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
		case c.Kind == Money && (f.Name == PromiseFreeDelivery || f.Name == PromiseFree && s.threshold(c)):
			if !g.says(d, c) && g.total() < c.Min {
				return false, fmt.Sprintf("free is from %s only", c.Text)
			}
		case c.Kind == Date && f.Name == PromiseDiscount && !c.Until.IsZero() && !d.today.IsZero() && c.Until.Before(d.today) && (s.has(c.word-1, cUntil) || strings.HasSuffix(s.key(c.word+1), "gacha")):
			return false, "the discount has ended"
		}
	}
	if f.Name == PromiseDiscount {
		limited := g.offersIn(s, from, to)
		sf, st := d.Sentence(f.word)
		spoken := g.offersIn(d, sf, st)
		for k := range spoken {
			if limited[k] {
				return true, ""
			}
		}
		if len(limited) > 0 && (len(spoken) > 0 || everything(d, sf, st) || !g.speaksOf(limited) && !d.states(Percent, sf, st)) {
			return false, "the discount is for other offers only"
		}
	}
	return true, ""
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

func everything(d *document, from, to int) bool {
	for i := from; i < to; i++ {
		switch d.key(i) {
		case "vse", "vsyo", "hamasi", "hamasiga", "barcha", "hama", "everithing", "al", "vsem":
			return true
		}
	}
	return false
}

// says tells whether a text names the value of a condition.
func (g *grounds) says(d *document, c *Fact) bool {
	for i := range d.facts {
		if f := &d.facts[i]; f.Kind == c.Kind && (equal(f.Min, c.Min) || equal(f.Max, c.Max)) {
			return true
		}
	}
	return false
}
