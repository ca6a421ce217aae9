// Package ground tells which facts of a text no source says.
//
// It promises that a fact which a source states, or which follows from sources by the
// arithmetic of a purchase, is grounded, and that work is bounded whatever the texts are.
//
// It refuses to ask a model, to judge style, and to believe the customer: what only the
// customer said grounds nothing but its own echo.
package ground

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// Ungrounded is a fact that no source says.
type Ungrounded struct {
	facts.Fact
	Detail string // what is wrong, without what the customer wrote
}

// Ground tells which facts of one text no source says.
func Ground(list []facts.Fact, sources *Sources) (wrong []Ungrounded) {
	if len(list) == 0 {
		return nil
	}
	g := newGrounds(sources, list[0].Document())
	for i := range list {
		f := &list[i]
		if g.inOfferName(f) {
			continue
		}
		if ok, detail := g.grounded(f); !ok {
			wrong = append(wrong, Ungrounded{Fact: *f, Detail: detail})
		}
	}
	return wrong
}

// inOfferName tells whether a fact is a part of the name of an offer that is spoken of:
// iPhone 15 128GB.
func (g *grounds) inOfferName(f *facts.Fact) bool {
	d := f.Document()
	if f.Kind != facts.Count && f.Kind != facts.Money && f.Kind != facts.Attribute && f.Kind != facts.Percent && f.Kind != facts.Duration {
		return false
	}
	from, to := d.Sentence(f.Word())
	around := g.offersIn(d, from, to)
	for k := range around {
		o := &g.offers[k]
		for _, n := range o.doc.Facts {
			start, _ := o.doc.Sentence(n.Word())
			if start == 0 && n.Kind == f.Kind && n.Min == f.Min && n.Max == f.Max && (n.Unit == f.Unit || n.Unit == "" || f.Unit == "") && n.Name == f.Name {
				return true
			}
		}
		for _, w := range o.words {
			if phrase.IsFigure(w) && w == d.Words[f.Word()].Key && f.Kind != facts.Money {
				return true
			}
		}
	}
	return false
}

// grounded looks for a source of one fact.
func (g *grounds) grounded(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Clause(f.Word())
	asked := d.Asked(from, to)
	switch f.Kind {
	case facts.Money:
		return g.money(f)
	case facts.Percent:
		ok := g.same(f) || g.echoed(f) && (asked || d.Denied(from, to)) || d.Denied(from, to) && d.Any(from, to, word.Discount)
		return ok, fmt.Sprintf("%s is in no source", f.Text)
	case facts.Duration:
		sentence, _ := d.Sentence(f.Word())
		if f.Max <= 15 && f.Unit == word.UnitMinute && d.Any(sentence, to, word.Wait) && !d.Any(from, to, facts.Topics) || asked && g.echoed(f) || d.Denied(from, to) && (g.echoed(f)) {
			return true, ""
		}
		if g.rateOf(f) || g.perWeek(f) || g.echoed(f) && g.ofAge(f) {
			return true, ""
		}
		if g.echoed(f) && !math.IsInf(g.rate(f), 1) && !d.Any(from, to, facts.Topics&^(word.Discount|word.Lesson|word.Service)) {
			return true, "" // as long as the customer wants it, at a price for a day or a month
		}
		return g.same(f) || g.inText(f) && !d.Any(from, to, facts.Topics), fmt.Sprintf("the duration %s is in no source", f.Text)
	case facts.Count:
		return g.count(f)
	case facts.Clock:
		return g.clock(f)
	case facts.Date:
		return g.date(f)
	case facts.URL, facts.Email, facts.Phone:
		return g.contact(f), fmt.Sprintf("%s is in no source", strings.ToLower(string(f.Kind)))
	case facts.Attribute:
		return g.attribute(f)
	case facts.Availability:
		return g.availability(f)
	case facts.Promise:
		return g.promise(f)
	}
	return true, ""
}

// equal tells whether two values are one, but for rounding.
func equal(a, b float64) bool { return math.Abs(a-b) <= 0.005+1e-9*math.Abs(a) }

// same tells whether a source has the same fact about the same topic and place.
func (g *grounds) same(f *facts.Fact) bool {
	about := g.about(f)
	measured := f.Kind == facts.Count && f.Unit != "" && f.Unit != word.UnitPiece
	topic := g.topicOfSources(f)
	for _, d := range g.docs {
		if (f.Kind == facts.Duration || measured) && len(about) > 0 && g.isOffer(d) && !slices.ContainsFunc(slices.Collect(maps.Keys(about)), func(k int) bool { return g.offers[k].doc == d }) && !(measured && g.spokenOf(d)) {
			continue // of another offer
		}
		for i := range d.Facts {
			s := &d.Facts[i]
			if topic != 0 && sentenceTopics(s)&topic == 0 {
				continue
			}
			if s.Kind == f.Kind && (s.Unit == f.Unit && within(f, s) || sameTime(f, s)) && facts.SameCurrency(s.Currency, f.Currency) && g.meets(f, s) && !g.outdated(s) && !onlyCondition(f, s) {
				return true
			}
		}
	}
	return false
}

// sameTime tells thirty days from a month.
func sameTime(f, s *facts.Fact) bool {
	days, months := f, s
	if f.Unit == word.UnitMonth {
		days, months = s, f
	}
	return f.Kind == facts.Duration && s.Kind == facts.Duration && days.Unit == word.UnitMinute && months.Unit == word.UnitMonth && days.Min == days.Max && months.Min == months.Max && equal(days.Min/minutesOfDay, months.Min*30)
}

// topicOfSources is the topic of a duration of instalments or of a guarantee, where a source has
// a duration of it: that source decides.
func (g *grounds) topicOfSources(f *facts.Fact) phrase.Mask {
	from, to := f.Document().Clause(f.Word())
	for _, topic := range [2]phrase.Mask{word.Installment, word.Guarantee} {
		if f.Kind != facts.Duration || !f.Document().Any(from, to, topic) || durations(f.Document(), from, to) > 1 {
			continue
		}
		for _, d := range g.docs {
			if slices.ContainsFunc(d.Facts, func(s facts.Fact) bool { return s.Kind == facts.Duration && d.TopicsOf(s.Word())&topic != 0 }) {
				return topic
			}
		}
	}
	return 0
}

func durations(d *facts.Document, from, to int) (n int) {
	for i := range d.Facts {
		if f := &d.Facts[i]; f.Kind == facts.Duration && from <= f.Word() && f.Word() < to {
			n++
		}
	}
	return n
}

// sentenceTopics are the topics of the whole sentence of a fact.
func sentenceTopics(s *facts.Fact) (m phrase.Mask) {
	from, to := s.Document().Sentence(s.Word())
	for _, w := range s.Document().Words[from:to] {
		m |= w.Classes & facts.Topics
	}
	return m
}

// spokenOf tells whether a document is that of an offer of which the conversation speaks.
func (g *grounds) spokenOf(d *facts.Document) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(g.mentioned)), func(k int) bool { return g.offers[k].doc == d })
}

// onlyCondition tells an amount that the source names as a condition, and the text as a price.
func onlyCondition(f, s *facts.Fact) bool {
	from, to := f.Document().Clause(f.Word())
	return f.Kind == facts.Money && s.Document().Threshold(s) && !f.Document().Threshold(f) && !f.Document().Has(f.Word()-1, word.From) && !f.Document().Any(from, to, word.Free|word.Discount|word.Gift|word.Compare|word.IfYou)
}

// within tells whether the values of f are those of s: both ends, or one of them alone.
func within(f, s *facts.Fact) bool {
	if equal(f.Min, s.Min) && equal(f.Max, s.Max) {
		return true
	}
	return f.Min == f.Max && s.Min != s.Max && (equal(f.Min, s.Min) || equal(f.Max, s.Max))
}

// meets tells whether a source speaks of the same topic and place as a fact.
func (g *grounds) meets(f, s *facts.Fact) bool {
	tf, ts := f.Document().TopicsOf(f.Word()), s.Document().TopicsOf(s.Word())
	if f.Kind == facts.Duration {
		tf &^= word.Deposit
	}
	if cf, ct := f.Document().Clause(f.Word()); f.Kind == facts.Duration && !f.Document().Any(cf, ct, facts.Topics) {
		tf |= g.burst.AllTopics() // на кондиционер три года, where a guarantee was asked for
	}
	if tf == 0 && (f.Kind == facts.Duration || f.Kind == facts.Percent) {
		tf = g.burst.AllTopics() // what was asked for
	}
	if ts == 0 {
		ts = s.Document().AllTopics()
	}
	if tf != 0 && ts != 0 && tf&ts == 0 {
		return false
	}
	return placesMeet(g.placesFor(f), s.Document().PlacesOf(s.Word()))
}

// placesFor are the places that a fact is about: those of its sentence, else for delivery
// those that the customer asked about.
func (g *grounds) placesFor(f *facts.Fact) []string {
	if list := f.Document().PlacesOf(f.Word()); len(list) > 0 {
		return list
	}
	if t := f.Document().TopicsOf(f.Word()); t&word.Delivery != 0 || t == 0 && f.Kind != facts.Money {
		return g.burst.PlacesIn(0, len(g.burst.Words))
	}
	return nil
}

// echoed tells whether the customer wrote the value.
func (g *grounds) echoed(f *facts.Fact) bool {
	for _, d := range g.customer {
		for i := range d.Facts {
			s := &d.Facts[i]
			if s.Kind == f.Kind && (within(f, s) || within(s, f)) || f.Kind == facts.Count && s.Kind != facts.Money && equal(f.Min, s.Min) {
				return true
			}
		}
	}
	return false
}

func (g *grounds) contact(f *facts.Fact) bool {
	for _, d := range append(g.docs, g.customer...) {
		for i := range d.Facts {
			s := &d.Facts[i]
			if s.Kind != f.Kind {
				continue
			}
			if s.Name == f.Name || f.Kind == facts.URL && (strings.HasPrefix(s.Name, f.Name+"/") || strings.HasPrefix(f.Name, s.Name+"/") && !strings.Contains(s.Name, "/")) {
				return true
			}
		}
	}
	return false
}

// about are the offers that a fact is about: those of its clause, of its sentence, of the
// sentence before, else those that the customer asks about.
func (g *grounds) about(f *facts.Fact) map[int]bool {
	d := f.Document()
	from, to := d.Clause(f.Word())
	if m := g.offersIn(d, from, to); len(m) > 0 {
		return m
	}
	from, to = d.Sentence(f.Word())
	if m := g.offersIn(d, from, to); len(m) > 0 {
		return m
	}
	if from > 0 {
		pf, pt := d.Sentence(from - 1)
		if m := g.offersIn(d, pf, pt); len(m) > 0 {
			return m
		}
	}
	if m := g.offersIn(g.burst, 0, len(g.burst.Words)); len(m) > 0 {
		return m
	}
	for i := len(g.customer) - 1; i >= 0; i-- {
		if m := g.offersIn(g.customer[i], 0, len(g.customer[i].Words)); len(m) > 0 {
			return m
		}
	}
	return nil
}

func (g *grounds) isOffer(d *facts.Document) bool {
	return slices.ContainsFunc(g.offers, func(o offerName) bool { return o.doc == d })
}
