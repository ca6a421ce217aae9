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
	"regexp"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/lang"
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
		if f.Max <= 15 && f.Unit == word.UnitMinute && d.Any(from, to, word.Wait) && !d.Any(from, to, facts.Topics) || asked && g.echoed(f) || d.Denied(from, to) {
			return true, ""
		}
		if g.perWeek(f) || g.echoed(f) && g.ofAge(f) {
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
	for _, d := range g.docs {
		if f.Kind == facts.Duration && len(about) > 0 && g.isOffer(d) && !slices.ContainsFunc(slices.Collect(maps.Keys(about)), func(k int) bool { return g.offers[k].doc == d }) {
			continue // of another offer
		}
		for i := range d.Facts {
			s := &d.Facts[i]
			if s.Kind == f.Kind && s.Unit == f.Unit && facts.SameCurrency(s.Currency, f.Currency) && within(f, s) && g.meets(f, s) && !g.outdated(s) && !onlyCondition(f, s) {
				return true
			}
		}
	}
	return false
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

// inText tells whether a source has the number with another unit or none: "three lessons a
// week" for three times a week.
func (g *grounds) inText(f *facts.Fact) bool {
	if f.Unit != "" && f.Unit != word.UnitPiece && slices.ContainsFunc(g.docs, func(d *facts.Document) bool {
		return slices.ContainsFunc(d.Facts, func(s facts.Fact) bool { return s.Kind == f.Kind && s.Unit == f.Unit && g.meets(f, &s) })
	}) {
		return false // sources count in this unit, and count other
	}
	for _, d := range g.docs {
		for i := range d.Facts {
			s := &d.Facts[i]
			if s.Kind == facts.Count && f.Kind == facts.Count && within(f, s) && (s.Unit == "" || f.Unit == "" || s.Unit == f.Unit || s.Unit == word.UnitPiece || f.Unit == word.UnitPiece || f.Unit == "time") {
				return true
			}
		}
	}
	return false
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

// perWeek tells whether so many days of a week are those that a source names: uch kun for
// Monday, Wednesday and Friday.
func (g *grounds) perWeek(f *facts.Fact) bool {
	from, to := f.Document().Sentence(f.Word())
	weekly := slices.ContainsFunc(f.Document().Entities[from:to], func(e word.Entity) bool { return e.Kind == word.Unit && e.Value == minutesOfWeek })
	days := f.Min
	if f.Kind == facts.Duration {
		days /= minutesOfDay
	}
	if !weekly || f.Min != f.Max || f.Kind == facts.Duration && f.Unit != word.UnitMinute {
		return false
	}
	for _, s := range g.docs {
		for i := 0; i < len(s.Words); {
			_, end := s.Sentence(i)
			named := map[float64]bool{}
			for ; i < end; i++ {
				if e := s.Entities[i]; e.Kind == word.Weekday {
					named[e.Value] = true
				}
			}
			if len(named) > 0 && float64(len(named)) == days {
				return true
			}
		}
	}
	return false
}

const (
	minutesOfDay  = 24 * 60
	minutesOfWeek = 7 * minutesOfDay
)

// ofAge tells whether an age that the customer named lies within one that a source names: from
// five years on, from two to six.
func (g *grounds) ofAge(f *facts.Fact) bool {
	if f.Document().Boundary(f) {
		return false
	}
	for _, d := range g.docs {
		for i := range d.Facts {
			s := &d.Facts[i]
			if s.Kind != facts.Duration || s.Unit != word.UnitMonth || f.Unit != s.Unit {
				continue
			}
			before := s.Word() - 1
			if s.Min <= f.Min && (f.Max <= s.Max || d.Has(before, word.From) || d.Entities[d.Last(s)].End == "dan") || d.Has(before, word.Until) && f.Max <= s.Max {
				return true
			}
		}
	}
	return false
}

// product tells whether a count is the product of two numbers that the customer set beside each
// other: 3x2.
func (g *grounds) product(f *facts.Fact) bool {
	for _, m := range sides.FindAllStringSubmatch(g.burst.Source, 8) {
		if equal(float64(lang.Figure(m[1])*lang.Figure(m[2])), f.Min) {
			return true
		}
	}
	return false
}

var sides = regexp.MustCompile(`(?i)(\d{1,3}) ?[xх×*] ?(\d{1,3})`)

func (g *grounds) count(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Sentence(f.Word())
	cf, ct := d.Clause(f.Word())
	stock := d.Any(cf, ct, word.Left)
	small := f.Max <= 3 && (f.Unit == "" || f.Unit == word.UnitPiece)
	detail := fmt.Sprintf("%s is in no source", f.Text)
	switch {
	case small && !stock, d.Unsure(f.Word()), d.Denied(cf, ct) && !stock, d.Asked(cf, ct) && g.echoed(f):
		return true, ""
	case f.Unit == "" || f.Unit == word.UnitPiece || f.Unit == "person" || f.Unit == "size":
		if !stock && g.echoed(f) {
			return true, ""
		}
	}
	if f.Document().States(facts.Money, from, to) && g.echoed(f) && !g.measures(f, from, to) {
		return true, "" // as much as the customer wants, with what it costs
	}
	if f.Unit == "" && f.Document().Any(from, to, word.Total) && (g.echoed(f) || g.isPrice(f)) {
		return true, ""
	}
	return g.same(f) || g.inText(f) || g.written(f) || g.perWeek(f) || g.enumerated(f) || f.Unit == "m2" && g.product(f), detail
}

// enumerated tells whether a source names as many of a thing as the count says: branches in
// Chilonzor and in Yunusobod.
func (g *grounds) enumerated(f *facts.Fact) bool {
	if f.Unit == "" || f.Min != f.Max {
		return false
	}
	for _, s := range g.docs {
		for i, e := range s.Entities {
			if e.Kind != word.Measure || e.ID != f.Unit || i > 0 && phrase.IsFigure(s.Key(i-1)) && s.Near(i-1) {
				continue
			}
			_, to := s.Sentence(i)
			names, opens := 0, true
			for k := i + 1; k < to; k++ {
				opens = opens || !s.Near(k-1) || joins[s.Key(k)]
				if s.Words[k].Capital && opens {
					names, opens = names+1, false
				}
			}
			if names > 1 && float64(names) == f.Min {
				return true
			}
		}
	}
	return false
}

// joins stand between the parts of a list.
var joins = map[string]bool{"va": true, "i": true, "and": true, "hamda": true}

// measures tells whether an offer that the sentence of a count speaks of has a measure of its own
// in that unit, more than one: a machine of 7 kg.
func (g *grounds) measures(f *facts.Fact, from, to int) bool {
	spoken := g.offersIn(f.Document(), from, to)
	for k := range g.offers {
		if (spoken[k] || len(spoken) == 0 || g.mentioned[k]) && g.offers[k].soldBy(f.Unit) {
			return false
		}
	}
	for k := range spoken {
		if slices.ContainsFunc(g.offers[k].doc.Facts, func(o facts.Fact) bool { return o.Kind == facts.Count && o.Unit == f.Unit && o.Min > 1 }) {
			return true
		}
	}
	return false
}

// soldBy tells whether the price of an offer is that of one of a unit: за килограмм.
func (o *offerName) soldBy(unit string) bool {
	words := phrase.Read(o.Note, nil).Words
	return slices.ContainsFunc(words, func(w phrase.Word) bool {
		e := word.LookUp(w.Key)
		return e.Kind == word.Measure && e.ID == unit
	})
}

// isPrice tells whether a bare number is the price of an offer that its text speaks of: 890 and
// 95, together 985 dollars.
func (g *grounds) isPrice(f *facts.Fact) bool {
	from, to := f.Document().Sentence(f.Word())
	for k := range g.offersIn(f.Document(), from, to) {
		if o := &g.offers[k]; o.priced && (equal(f.Min, o.min) || equal(f.Min, o.max)) {
			return true
		}
	}
	return false
}

// written tells whether a source has the number in the name of an address or a model.
func (g *grounds) written(f *facts.Fact) bool {
	key := f.Document().Words[f.Word()].Key
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
