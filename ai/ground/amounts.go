package ground

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// money grounds an amount: a price, a fee, or what follows from them.
func (g *grounds) money(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Sentence(f.Word())
	cf, ct := d.Clause(f.Word())
	detail := fmt.Sprintf("price %s is not in OFFERS", strings.TrimSpace(f.Text))
	if g.echoed(f) && !d.Any(cf, ct, word.Agree&^word.Not) && (d.Any(cf, ct, word.Not|word.Budget|word.Compare) || d.Denied(cf, ct) || d.Asked(cf, ct)) {
		return true, ""
	}
	if g.echoed(f) && (d.Denied(cf, ct) || d.Any(cf, ct, word.Budget)) {
		return true, ""
	}
	spoken := g.offersIn(d, from, to)
	priced, other := false, ""
	for k := range g.offers {
		o := &g.offers[k]
		if !o.priced || !facts.SameCurrency(f.Currency, o.Currency) || f.Min < o.min-0.5 || f.Max > o.max+0.5 {
			continue
		}
		if len(spoken) > 0 && !spoken[k] && g.only(f, from, to) {
			other = o.Name
			continue
		}
		if !g.mentioned[k] && !equal(f.Min, o.min) && !equal(f.Max, o.max) && (len(g.mentioned) > 0 || g.otherSubject(d, cf, ct)) {
			continue // within the range of a price of something else
		}
		priced = true
	}
	if priced || g.samePrice(f, spoken) || g.adds(f) || g.shared(f) || g.derived(f) {
		return true, ""
	}
	if f.Min != f.Max && g.end(f, f.Min) && g.end(f, f.Max) {
		return true, ""
	}
	if other != "" {
		detail = fmt.Sprintf("price %s is not of this offer", strings.TrimSpace(f.Text))
	}
	return false, detail
}

// samePrice tells whether a source has the amount; where the text gives the total of several
// offers, a fee of something else is none.
func (g *grounds) samePrice(f *facts.Fact, spoken map[int]bool) bool {
	from, to := f.Document().Clause(f.Word())
	return g.same(f) && !(f.Document().Any(from, to, word.Total) && len(spoken) > 1)
}

// end tells whether one end of a range is a price by itself.
func (g *grounds) end(f *facts.Fact, v float64) bool {
	one := *f
	one.Min, one.Max = v, v
	ok, _ := g.money(&one)
	return ok
}

// only tells whether a fact is the only amount of its sentence.
func (g *grounds) only(f *facts.Fact, from, to int) bool {
	return !slices.ContainsFunc(f.Document().Facts, func(o facts.Fact) bool {
		return o.Kind == facts.Money && o.Word() != f.Word() && o.Word() >= from && o.Word() < to
	})
}

// maxSums bounds how many sums are tried for one amount.
const maxSums = 20000

// derived tells whether an amount follows from prices by a purchase: quantities, a sum of
// up to four offers with a fee, a grounded percent, instalments, a difference.
func (g *grounds) derived(f *facts.Fact) bool {
	if f.Min != f.Max {
		return false
	}
	sums := g.sums(f)
	is := func(v float64) bool { return math.Abs(v-f.Min) <= math.Max(0.5, g.tolerance(f)*v) }
	d := f.Document()
	from, to := d.Sentence(f.Word())
	compares := d.Any(from, to, word.Compare) || strings.Contains(strings.ToLower(d.Span(from, to-1)), "yana") || strings.Contains(strings.ToLower(d.Span(from, to-1)), "ещ")
	var percents []percent
	if said := word.Discount | word.Deposit | word.Installment | word.Refund; d.States(facts.Percent, 0, len(d.Words)) || d.Any(0, len(d.Words), said) || d.Conditional(0, len(d.Words)) || g.burst.Any(0, len(g.burst.Words), said) || slices.ContainsFunc(d.Words, func(w phrase.Word) bool { return halves(w) || w.Key == "yarim" || w.Key == "bolsa" }) {
		percents = g.percents()
	}
	months := []float64{1}
	if g.topicKnown() {
		months = append(months, g.numbers...)
	}
	var lowered []float64
	if d.Any(from, to, word.Discount|word.IfYou) || slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool { return strings.HasSuffix(w.Key, "sangiz") }) {
		lowered = g.lowered()
	}
	for i, v := range sums {
		if is(v) || slices.ContainsFunc(lowered, func(by float64) bool { return v > by && is(v-by) }) {
			return true
		}
		for _, p := range percents {
			if is(v*(1-p.value/100)) || is(v*p.value/100) || p.lowers && i < 200 && g.oneLowered(v, p, is) {
				return true
			}
			for _, n := range months {
				if all := v * (1 + p.value*n/100); !p.lowers && (is(all) || n > 1 && (is(all/n) || is(v*(1+p.value/100)/n))) {
					return true
				}
			}
		}
		for _, n := range months {
			if n > 1 && i < 200 && is(v/n) {
				return true
			}
		}
		if compares && i < 200 {
			for _, w := range sums[:min(len(sums), 200)] {
				if v > w && is(v-w) {
					return true
				}
			}
		}
	}
	return false
}

// oneLowered tells whether an amount is a sum of which one thing has a lower price: the third at
// half price.
func (g *grounds) oneLowered(sum float64, p percent, is func(float64) bool) bool {
	for k := range g.offers {
		if o := &g.offers[k]; g.mentioned[k] && o.priced && (sum > o.min && is(sum-o.min*p.value/100) || is(sum+o.min*(1-p.value/100))) {
			return true
		}
	}
	return false
}

// shared tells whether an amount is the price of one of the things that an offer is of: eight
// lessons a month, so much per lesson.
func (g *grounds) shared(f *facts.Fact) bool {
	for _, d := range g.docs {
		for i := range d.Facts {
			p := &d.Facts[i]
			if p.Kind != facts.Money || !f.Document().Rated(f) {
				continue
			}
			from, to := d.Sentence(p.Word())
			if slices.ContainsFunc(d.Facts, func(n facts.Fact) bool {
				return n.Kind == facts.Count && n.Min > 1 && from <= n.Word() && n.Word() < to && equal(p.Min/n.Min, f.Min)
			}) {
				return true
			}
		}
	}
	for k := range g.mentioned {
		o := &g.offers[k]
		for i := range o.doc.Facts {
			n := &o.doc.Facts[i]
			things := n.Kind == facts.Count && n.Min > 1 && (n.Unit == "" || n.Unit == word.UnitPiece || n.Unit == "lesson" || n.Unit == "time")
			if things && o.priced && f.Document().Rated(f) && equal(o.min/n.Min, f.Min) {
				return true
			}
		}
	}
	return false
}

// adds tells whether an amount is called the total of the others of its text, which are
// grounded each by itself.
func (g *grounds) adds(f *facts.Fact) bool {
	if from, to := f.Document().Sentence(f.Word()); f.Min != f.Max || !f.Document().Any(from, to, word.Total) {
		return false
	}
	sum, n := 0.0, 0
	for i := range f.Document().Facts {
		if o := &f.Document().Facts[i]; o.Kind == facts.Money && o.Word() < f.Word() && o.Min == o.Max && facts.SameCurrency(f.Currency, o.Currency) {
			sum, n = sum+o.Min, n+1
		}
	}
	return n > 1 && n <= 4 && equal(sum, f.Min)
}

// tolerance lets an amount that is called approximate be rounded.
func (g *grounds) tolerance(f *facts.Fact) float64 {
	from, to := f.Document().Sentence(f.Word())
	for i := from; i < to; i++ {
		switch k := f.Document().Key(i); {
		case k == "tahminan", strings.HasPrefix(k, "primerno"), k == "okolo", k == "about" && f.Currency == "", k == "aproksimateli":
			return 0.01
		}
	}
	return 0
}

// topicKnown tells whether a source offers instalments.
func (g *grounds) topicKnown() bool {
	return slices.ContainsFunc(g.docs, func(s *facts.Document) bool { return s.Any(0, len(s.Words), word.Installment) })
}

// lowered are the amounts by which a source lowers a price.
func (g *grounds) lowered() (list []float64) {
	for _, s := range g.docs {
		for i := range s.Facts {
			p := &s.Facts[i]
			if from, to := s.Clause(p.Word()); p.Kind == facts.Money && len(list) < 8 && s.Any(from, to, word.Discount) && !s.Threshold(p) {
				list = append(list, p.Min)
			}
		}
	}
	return list
}

// percent is one of a source, and whether it lowers a price.
type percent struct {
	value  float64
	lowers bool
}

// halves tells the words for a half of a price.
func halves(w phrase.Word) bool {
	return w.Key == "half" || strings.HasPrefix(w.Key, "polovin") || strings.HasPrefix(w.Key, "yarmi") || strings.HasPrefix(w.Key, "polsut") || strings.HasPrefix(w.Key, "polsen") || strings.HasPrefix(w.Key, "poltsen") || strings.HasPrefix(w.Key, "barobar")
}

// halfPrice tells "yarim narx".
func halfPrice(d *facts.Document) bool {
	for i := range d.Words {
		if d.Key(i) == "yarim" && strings.HasPrefix(d.Key(i+1), "narh") {
			return true
		}
	}
	return false
}

func (g *grounds) percents() (list []percent) {
	for _, s := range g.docs {
		if slices.ContainsFunc(s.Words, halves) || halfPrice(s) {
			list = append(list, percent{50, true})
		}
		for i := range s.Facts {
			if p := &s.Facts[i]; p.Kind == facts.Count && p.Unit == "time" && p.Min > 1 && p.Min < 4 && s.Key(s.Last(p)) != "marta" && len(list) < 8 {
				list = append(list, percent{(p.Min - 1) * 100, false}) // 1,5 barobar
			}
			if p := &s.Facts[i]; p.Kind == facts.Percent && len(list) < 8 {
				from, to := s.Clause(p.Word())
				lowers := s.Any(from, to, word.Discount|word.Deposit|word.Refund)
				list = append(list, percent{p.Min, lowers})
				if p.Max != p.Min {
					list = append(list, percent{p.Max, lowers})
				}
			}
		}
	}
	return list
}

// sums are the amounts that purchases of the offers spoken of cost, with and without one
// fee of a source in the same currency.
func (g *grounds) sums(f *facts.Fact) []float64 {
	quantities := []float64{1}
	for _, n := range g.numbers {
		if len(quantities) < 5 {
			quantities = append(quantities, n)
		}
	}
	totals := []float64{0}
	terms := []int{0}
	for k := range g.offers {
		o := &g.offers[k]
		if !g.mentioned[k] || !o.priced || !facts.SameCurrency(f.Currency, o.Currency) {
			continue
		}
		for i, n := 0, len(totals); i < n && len(totals) < maxSums; i++ {
			if terms[i] == 4 {
				continue
			}
			for _, q := range quantities {
				totals = append(totals, totals[i]+q*o.min)
				terms = append(terms, terms[i]+1)
				if o.max != o.min {
					totals = append(totals, totals[i]+q*o.max)
					terms = append(terms, terms[i]+1)
				}
			}
		}
	}
	if len(g.mentioned) == 0 { // a name in another language: one offer, as often as asked
		for k := range g.offers {
			if o := &g.offers[k]; o.priced && facts.SameCurrency(f.Currency, o.Currency) {
				for _, q := range quantities {
					totals = append(totals, q*o.min)
					terms = append(terms, 1)
				}
			}
		}
	}
	fees, least := 0, 0
	if from, to := f.Document().Clause(f.Word()); f.Document().Any(from, to, word.Total) && len(g.offersIn(f.Document(), from, to)) > 1 {
		least = 1 // the total of some offers is no fee alone
	}
	n := len(totals)
	if len(g.mentioned) == 0 && !f.Document().Any(0, len(f.Document().Words), word.Total|word.Delivery) {
		n = 1 // no sum of what nobody speaks of
	}
	for _, s := range g.docs {
		for i := range s.Facts {
			p := &s.Facts[i]
			if p.Kind != facts.Money || !facts.SameCurrency(f.Currency, p.Currency) || fees == 12 || !placesMeet(g.placesFor(f), s.PlacesOf(p.Word())) || g.outdated(p) || s.Threshold(p) || !g.feeMeant(f, p) {
				continue
			}
			fees++
			for j := 0; j < n && len(totals) < maxSums; j++ {
				if terms[j] < 4 && terms[j] >= least {
					totals = append(totals, totals[j]+p.Min)
				}
			}
			for _, q := range quantities[1:] {
				if s.Rated(p) {
					totals = append(totals, q*p.Min)
				}
				if from, to := s.Sentence(p.Word()); s.Rated(p) && q > 1 && s.Any(from, to, word.Free) && slices.Contains(ordinals(s, from, to), 1) {
					totals = append(totals, (q-1)*p.Min) // the first hour is free
				}
				for _, r := range quantities[1:] {
					if s.Rated(p) && g.twoRates(p) {
						totals = append(totals, q*r*p.Min) // per person and night
					}
				}
			}
		}
	}
	return totals[1:]
}

// feeMeant tells whether a fee of a source may be a part of an amount: the reply or the customer
// speaks of it, of a total, or of delivery.
func (g *grounds) feeMeant(f, p *facts.Fact) bool {
	d := f.Document()
	if d.Any(0, len(d.Words), word.Total|word.Delivery) || g.burst.Any(0, len(g.burst.Words), word.Total|word.Delivery) || strings.Contains(d.Source, "+") || !sameTongue(f, p) {
		return true
	}
	from, to := p.Document().Sentence(p.Word())
	words := map[string]bool{}
	for _, w := range p.Document().Words[from:to] {
		words[w.Key[:min(4, len(w.Key))]] = len(w.Key) > 3
	}
	said := func(w phrase.Word) bool { return len(w.Key) > 3 && words[w.Key[:4]] }
	return slices.ContainsFunc(d.Words, said) || slices.ContainsFunc(g.burst.Words, said)
}

// twoRates tells a fee that is for each person and each unit of time.
func (g *grounds) twoRates(p *facts.Fact) bool {
	from, to := p.Document().Clause(p.Word())
	person, unit := false, false
	for _, e := range p.Document().Entities[from:to] {
		person = person || e.ID == "person"
		unit = unit || e.Kind == word.Unit
	}
	return person && unit
}

// total is the largest purchase that the conversation speaks of.
func (g *grounds) total() (sum float64) {
	for k := range g.offers {
		if g.mentioned[k] {
			sum += g.offers[k].min
		}
	}
	most := 1.0
	for _, n := range g.numbers {
		most = math.Max(most, n)
	}
	return sum * most
}
