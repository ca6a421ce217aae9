package ground

import (
	"fmt"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// attribute looks for a colour, material or size in what is said of the offers, and in
// knowledge.
func (g *grounds) attribute(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Clause(f.Word())
	detail := fmt.Sprintf("%s is in no description", f.Text)
	if d.Asked(from, to) || d.Denied(from, to) || d.Unsure(f.Word()) {
		return true, ""
	}
	has := func(s *facts.Document) bool {
		for i := range s.Facts {
			n := &s.Facts[i]
			if n.Kind != facts.Attribute || n.Unit != f.Unit {
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

// availability holds what is said against the state of the offers.
func (g *grounds) availability(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Clause(f.Word())
	if f.Name == facts.AvailableNo || f.Name == facts.AvailableYes && d.Any(from, to, facts.Topics|word.Book|word.Gift|word.Installment|word.Free) && len(g.offersIn(d, from, to)) == 0 {
		return true, ""
	}
	if f.Name == facts.AvailableYes && len(g.offersIn(d, from, to)) == 0 && g.otherSubject(d, from, to) {
		return true, ""
	}
	for k := range g.about(f) {
		o := &g.offers[k]
		switch state := o.Availability; {
		case g.sibling(k, f), g.counted(k, d, from, to):
		case f.Name == facts.AvailableYes && (state == "OUT_OF_STOCK" || state == "PREORDER"):
			return false, fmt.Sprintf("%s is %s, not in stock", o.Name, strings.ToLower(strings.ReplaceAll(state, "_", " ")))
		case f.Name == facts.AvailableOrder && state == "OUT_OF_STOCK":
			return false, fmt.Sprintf("%s is out of stock, not on order", o.Name)
		}
	}
	return true, ""
}

// counted tells that a clause names an offer by what a length of time is of: 80 soat nazariya bor.
func (g *grounds) counted(k int, d *facts.Document, from, to int) bool {
	n := 0
	for i := from; i < to; i++ {
		if !g.offers[k].named(d, i) {
			continue
		}
		if n++; !slices.ContainsFunc(d.Facts, func(f facts.Fact) bool { return f.Kind == facts.Duration && d.Last(&f) == i-1 }) {
			return false
		}
	}
	return n > 0
}

// sibling tells an offer that is meant only because its name has words of another one, which
// is there: of two models the text says which only by words of its own.
func (g *grounds) sibling(k int, f *facts.Fact) bool {
	o := &g.offers[k]
	for other := range g.about(f) {
		p := &g.offers[other]
		if p.Availability != "AVAILABLE" || !slices.ContainsFunc(o.words, func(w string) bool { return slices.Contains(p.words, w) }) {
			continue
		}
		own := func(o, p *offerName, d *facts.Document, from, to int) bool {
			return slices.ContainsFunc(o.words, func(w string) bool {
				return !slices.Contains(p.words, w) && slices.ContainsFunc(d.Words[from:to], func(said phrase.Word) bool {
					return phrase.Same(said.Key, w) || phrase.IsFigure(said.Key) && strings.HasSuffix(w, "/"+strings.TrimRight(said.Key, "gb"))
				})
			})
		}
		from, to := f.Document().Sentence(f.Word())
		cf, ct := f.Document().Clause(f.Word())
		if !own(o, p, f.Document(), from, to) && !own(o, p, g.burst, 0, len(g.burst.Words)) || own(p, o, f.Document(), cf, ct) && !own(o, p, f.Document(), cf, ct) {
			return true
		}
	}
	return false
}

// otherSubject tells whether a clause speaks of something that is no offer: it has nouns
// of its own.
func (g *grounds) otherSubject(d *facts.Document, from, to int) bool {
	for i := from; i < to; i++ {
		w := &d.Words[i]
		if w.Classes == 0 && d.Entities[i].Kind == word.None && len(w.Key) > 4 && !phrase.IsFigure(w.Key) || w.Classes&word.Goods != 0 {
			return true
		}
	}
	return false
}
