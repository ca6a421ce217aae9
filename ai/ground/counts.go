package ground

import (
	"fmt"
	"regexp"
	"slices"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

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

// rateOf tells one of a unit, without a numeral, by which a source counts prices: на месяц where
// the price is for a month.
func (g *grounds) rateOf(f *facts.Fact) bool {
	from, to := f.Document().Clause(f.Word())
	if f.Document().Key(f.Word()-1) != "na" || f.Document().Any(from, to, facts.Topics&^word.Lesson) {
		return false
	}
	for _, d := range g.docs {
		for i, e := range d.Entities {
			if e.Kind == word.Unit && e.ID == f.Unit && e.Value == f.Min && !phrase.IsFigure(d.Key(i-1)) && !slices.ContainsFunc(d.Facts, func(s facts.Fact) bool { return s.Kind == facts.Duration && s.Word() <= i && i <= d.Last(&s) }) {
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
	case f.Unit == "size" && g.sized():
		return g.withinRange(f), detail
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
	return g.same(f) || g.inText(f) || g.written(f) || d.States(facts.Money, from, to) && g.exceeds(f) || g.perWeek(f) || g.enumerated(f) || f.Unit == "m2" && g.product(f), detail
}

// sized tells whether a source names sizes in figures.
func (g *grounds) sized() bool {
	return slices.ContainsFunc(g.docs, func(d *facts.Document) bool {
		return slices.ContainsFunc(d.Facts, func(s facts.Fact) bool { return s.Kind == facts.Count && s.Unit == "size" })
	})
}

// withinRange tells whether a count lies within a range of a source.
func (g *grounds) withinRange(f *facts.Fact) bool {
	return slices.ContainsFunc(g.docs, func(d *facts.Document) bool {
		return slices.ContainsFunc(d.Facts, func(s facts.Fact) bool {
			return s.Kind == f.Kind && s.Unit == f.Unit && s.Min <= f.Min && f.Max <= s.Max
		})
	})
}

// exceeds tells whether a count is by how much the customer's goes beyond that of a source: two of
// five metres, where three are in the price.
func (g *grounds) exceeds(f *facts.Fact) bool {
	for _, want := range g.burst.Facts {
		for _, d := range g.docs {
			if want.Kind == facts.Count && want.Unit == f.Unit && slices.ContainsFunc(d.Facts, func(s facts.Fact) bool {
				return s.Kind == facts.Count && s.Unit == f.Unit && equal(want.Min-s.Max, f.Min)
			}) {
				return true
			}
		}
	}
	return false
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
