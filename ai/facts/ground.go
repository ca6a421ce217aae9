package facts

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"svc/ai/phrase"
)

// Ungrounded is a fact that no source says.
type Ungrounded struct {
	Fact
	Detail string // what is wrong, without what the customer wrote
}

// Ground tells which facts of one text no source says.
func Ground(facts []Fact, sources *Sources) (wrong []Ungrounded) {
	if len(facts) == 0 {
		return nil
	}
	g := newGrounds(sources, facts[0].doc)
	for i := range facts {
		f := &facts[i]
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
func (g *grounds) inOfferName(f *Fact) bool {
	d := f.doc
	if f.Kind != Count && f.Kind != Money && f.Kind != Attribute && f.Kind != Percent && f.Kind != Duration {
		return false
	}
	from, to := d.Sentence(f.word)
	around := g.offersIn(d, from, to)
	for k := range around {
		o := &g.offers[k]
		for _, n := range o.doc.facts {
			start, _ := o.doc.Sentence(n.word)
			if start == 0 && n.Kind == f.Kind && n.Min == f.Min && n.Max == f.Max && (n.Unit == f.Unit || n.Unit == "" || f.Unit == "") && n.Name == f.Name {
				return true
			}
		}
		for _, w := range o.words {
			if phrase.IsFigure(w) && w == d.Words[f.word].Key && f.Kind != Money {
				return true
			}
		}
	}
	return false
}

// grounded looks for a source of one fact.
func (g *grounds) grounded(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Clause(f.word)
	asked := d.asked(from, to)
	switch f.Kind {
	case Money:
		return g.money(f)
	case Percent:
		ok := g.same(f) || g.echoed(f) && (asked || d.denied(from, to)) || d.denied(from, to) && d.in(from, to, cDiscount)
		return ok, fmt.Sprintf("%s is in no source", f.Text)
	case Duration:
		if f.Max <= 15 && f.Unit == unitMinute && d.in(from, to, cWait) && !d.in(from, to, topics) || asked && g.echoed(f) || d.denied(from, to) {
			return true, ""
		}
		if g.echoed(f) && !math.IsInf(g.rate(f), 1) && !d.in(from, to, topics&^(cDiscount|cLesson|cService)) {
			return true, "" // as long as the customer wants it, at a price for a day or a month
		}
		return g.same(f) || g.inText(f) && !d.in(from, to, topics), fmt.Sprintf("the duration %s is in no source", f.Text)
	case Count:
		return g.count(f)
	case Clock:
		return g.clock(f)
	case Date:
		return g.date(f)
	case URL, Email, Phone:
		return g.contact(f), fmt.Sprintf("%s is in no source", strings.ToLower(string(f.Kind)))
	case Attribute:
		return g.attribute(f)
	case Availability:
		return g.availability(f)
	case Promise:
		return g.promise(f)
	}
	return true, ""
}

// equal tells whether two values are one, but for rounding.
func equal(a, b float64) bool { return math.Abs(a-b) <= 0.005+1e-9*math.Abs(a) }

// same tells whether a source has the same fact about the same topic and place.
func (g *grounds) same(f *Fact) bool {
	about := g.about(f)
	for _, d := range g.docs {
		if f.Kind == Duration && len(about) > 0 && g.isOffer(d) && !slices.ContainsFunc(slices.Collect(maps.Keys(about)), func(k int) bool { return g.offers[k].doc == d }) {
			continue // of another offer
		}
		for i := range d.facts {
			s := &d.facts[i]
			if s.Kind == f.Kind && s.Unit == f.Unit && sameCurrency(s.Currency, f.Currency) && within(f, s) && g.meets(f, s) && !g.outdated(s) && !onlyCondition(f, s) {
				return true
			}
		}
	}
	return false
}

// onlyCondition tells an amount that the source names as a condition, and the text as a price.
func onlyCondition(f, s *Fact) bool {
	from, to := f.doc.Clause(f.word)
	return f.Kind == Money && s.doc.threshold(s) && !f.doc.threshold(f) && !f.doc.has(f.word-1, cFrom) && !f.doc.in(from, to, cFree|cDiscount|cGift|cCompare|cIfYou)
}

// within tells whether the values of f are those of s: both ends, or one of them alone.
func within(f, s *Fact) bool {
	if equal(f.Min, s.Min) && equal(f.Max, s.Max) {
		return true
	}
	return f.Min == f.Max && s.Min != s.Max && (equal(f.Min, s.Min) || equal(f.Max, s.Max))
}

// meets tells whether a source speaks of the same topic and place as a fact.
func (g *grounds) meets(f, s *Fact) bool {
	tf, ts := f.doc.topicsOf(f.word), s.doc.topicsOf(s.word)
	if f.Kind == Duration {
		tf &^= cDeposit
	}
	if tf == 0 && (f.Kind == Duration || f.Kind == Percent) {
		tf = g.burst.allTopics() // what was asked for
	}
	if ts == 0 {
		ts = s.doc.allTopics()
	}
	if tf != 0 && ts != 0 && tf&ts == 0 {
		return false
	}
	return placesMeet(g.placesFor(f), s.doc.placesOf(s.word))
}

// placesFor are the places that a fact is about: those of its sentence, else for delivery
// those that the customer asked about.
func (g *grounds) placesFor(f *Fact) []string {
	if list := f.doc.placesOf(f.word); len(list) > 0 {
		return list
	}
	if t := f.doc.topicsOf(f.word); t&cDelivery != 0 || t == 0 && f.Kind != Money {
		return g.burst.placesIn(0, len(g.burst.Words))
	}
	return nil
}

// inText tells whether a source has the number with another unit or none: "three lessons a
// week" for three times a week.
func (g *grounds) inText(f *Fact) bool {
	for _, d := range g.docs {
		for i := range d.facts {
			s := &d.facts[i]
			if s.Kind == Count && f.Kind == Count && within(f, s) && (s.Unit == "" || f.Unit == "" || s.Unit == f.Unit || s.Unit == unitPiece || f.Unit == unitPiece || f.Unit == "time") {
				return true
			}
		}
	}
	return false
}

// echoed tells whether the customer wrote the value.
func (g *grounds) echoed(f *Fact) bool {
	for _, d := range g.customer {
		for i := range d.facts {
			s := &d.facts[i]
			if s.Kind == f.Kind && (within(f, s) || within(s, f)) || f.Kind == Count && s.Kind != Money && equal(f.Min, s.Min) {
				return true
			}
		}
	}
	return false
}

func (g *grounds) count(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Sentence(f.word)
	cf, ct := d.Clause(f.word)
	stock := d.in(cf, ct, cLeft)
	small := f.Max <= 3 && (f.Unit == "" || f.Unit == unitPiece)
	detail := fmt.Sprintf("%s is in no source", f.Text)
	switch {
	case small && !stock, d.unsure(f.word), d.denied(cf, ct) && !stock, d.asked(cf, ct) && g.echoed(f):
		return true, ""
	case f.Unit == "" || f.Unit == unitPiece || f.Unit == "person" || f.Unit == "size":
		if !stock && g.echoed(f) {
			return true, ""
		}
	}
	if f.doc.states(Money, from, to) && g.echoed(f) && !g.measures(f, from, to) {
		return true, "" // as much as the customer wants, with what it costs
	}
	if f.Unit == "" && f.doc.in(from, to, cTotal) && (g.echoed(f) || g.isPrice(f)) {
		return true, ""
	}
	return g.same(f) || g.inText(f) || g.written(f), detail
}

// measures tells whether an offer that the sentence of a count speaks of has a measure of its own
// in that unit, more than one: a machine of 7 kg.
func (g *grounds) measures(f *Fact, from, to int) bool {
	for k := range g.offersIn(f.doc, from, to) {
		if slices.ContainsFunc(g.offers[k].doc.facts, func(o Fact) bool { return o.Kind == Count && o.Unit == f.Unit && o.Min > 1 }) {
			return true
		}
	}
	return false
}

// isPrice tells whether a bare number is the price of an offer that its text speaks of: 890 and
// 95, together 985 dollars.
func (g *grounds) isPrice(f *Fact) bool {
	from, to := f.doc.Sentence(f.word)
	for k := range g.offersIn(f.doc, from, to) {
		if o := &g.offers[k]; o.priced && (equal(f.Min, o.min) || equal(f.Min, o.max)) {
			return true
		}
	}
	return false
}

// written tells whether a source has the number in the name of an address or a model.
func (g *grounds) written(f *Fact) bool {
	key := f.doc.Words[f.word].Key
	if f.Unit != "" && f.Unit != "house" {
		return false
	}
	for _, d := range g.docs {
		for _, w := range d.Words {
			if w.Key == key {
				return true
			}
		}
	}
	return false
}

func (g *grounds) contact(f *Fact) bool {
	for _, d := range append(g.docs, g.customer...) {
		for i := range d.facts {
			s := &d.facts[i]
			if s.Kind != f.Kind {
				continue
			}
			if s.Name == f.Name || f.Kind == URL && (strings.HasPrefix(s.Name, f.Name+"/") || strings.HasPrefix(f.Name, s.Name+"/") && !strings.Contains(s.Name, "/")) {
				return true
			}
		}
	}
	return false
}

// about are the offers that a fact is about: those of its clause, of its sentence, of the
// sentence before, else those that the customer asks about.
func (g *grounds) about(f *Fact) map[int]bool {
	d := f.doc
	from, to := d.Clause(f.word)
	if m := g.offersIn(d, from, to); len(m) > 0 {
		return m
	}
	from, to = d.Sentence(f.word)
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

// attribute looks for a colour, material or size in what is said of the offers, and in
// knowledge.
func (g *grounds) attribute(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Clause(f.word)
	detail := fmt.Sprintf("%s is in no description", f.Text)
	if d.asked(from, to) || d.denied(from, to) || d.unsure(f.word) {
		return true, ""
	}
	has := func(s *document) bool {
		for i := range s.facts {
			n := &s.facts[i]
			if n.Kind != Attribute || n.Unit != f.Unit {
				continue
			}
			if f.Unit == "size" && n.Min <= f.Min && f.Max <= n.Max || f.Unit != "size" && n.Name == f.Name {
				return true
			}
		}
		return false
	}
	about := g.about(f)
	for k := range about {
		if has(g.offers[k].doc) {
			return true, ""
		}
	}
	for _, s := range g.docs {
		if len(about) > 0 && g.isOffer(s) {
			continue
		}
		if has(s) {
			return true, ""
		}
	}
	return false, detail
}

func (g *grounds) isOffer(d *document) bool {
	return slices.ContainsFunc(g.offers, func(o offerName) bool { return o.doc == d })
}

// availability holds what is said against the state of the offers.
func (g *grounds) availability(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Clause(f.word)
	if f.Name == AvailableNo || f.Name == AvailableYes && d.in(from, to, topics|cBook|cGift|cInstallment|cFree) && len(g.offersIn(d, from, to)) == 0 {
		return true, ""
	}
	if f.Name == AvailableYes && len(g.offersIn(d, from, to)) == 0 && g.otherSubject(d, from, to) {
		return true, ""
	}
	for k := range g.about(f) {
		o := &g.offers[k]
		switch state := o.Availability; {
		case g.sibling(k, f):
		case f.Name == AvailableYes && (state == "OUT_OF_STOCK" || state == "PREORDER"):
			return false, fmt.Sprintf("%s is %s, not in stock", o.Name, strings.ToLower(strings.ReplaceAll(state, "_", " ")))
		case f.Name == AvailableOrder && state == "OUT_OF_STOCK":
			return false, fmt.Sprintf("%s is out of stock, not on order", o.Name)
		}
	}
	return true, ""
}

// sibling tells an offer that is meant only because its name has words of another one, which
// is there: of two models the text says which only by words of its own.
func (g *grounds) sibling(k int, f *Fact) bool {
	o := &g.offers[k]
	for other := range g.about(f) {
		p := &g.offers[other]
		if p.Availability != "AVAILABLE" || !slices.ContainsFunc(o.words, func(w string) bool { return slices.Contains(p.words, w) }) {
			continue
		}
		own := func(o, p *offerName, d *document, from, to int) bool {
			return slices.ContainsFunc(o.words, func(w string) bool {
				return !slices.Contains(p.words, w) && slices.ContainsFunc(d.Words[from:to], func(said phrase.Word) bool {
					return phrase.Same(said.Key, w) || phrase.IsFigure(said.Key) && strings.HasSuffix(w, "/"+strings.TrimRight(said.Key, "gb"))
				})
			})
		}
		from, to := f.doc.Sentence(f.word)
		cf, ct := f.doc.Clause(f.word)
		if !own(o, p, f.doc, from, to) && !own(o, p, g.burst, 0, len(g.burst.Words)) || own(p, o, f.doc, cf, ct) && !own(o, p, f.doc, cf, ct) {
			return true
		}
	}
	return false
}

// otherSubject tells whether a clause speaks of something that is no offer: it has nouns
// of its own.
func (g *grounds) otherSubject(d *document, from, to int) bool {
	for i := from; i < to; i++ {
		w := &d.Words[i]
		if w.Classes == 0 && d.ents[i].kind == eNone && len(w.Key) > 4 && !phrase.IsFigure(w.Key) || w.Classes&cGoods != 0 {
			return true
		}
	}
	return false
}
