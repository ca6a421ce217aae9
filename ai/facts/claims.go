package facts

import (
	"slices"
	"strings"

	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// The promises that a text can make.
const (
	PromiseFreeDelivery = "free_delivery"
	PromiseFree         = "free"
	PromiseGift         = "gift"
	PromiseDiscount     = "discount"
	PromiseGuarantee    = "guarantee"
	PromiseLifetime     = "lifetime guarantee"
	PromiseRefund       = "refund"
	PromiseInstallment  = "installment"
	PromiseNoInterest   = "no_interest"
	PromiseBooked       = "booked"
	PromiseOrdered      = "ordered"
	PromiseDelivery     = "delivery"
	PromiseEveryDay     = "every_day"
	PromiseRoundClock   = "round_the_clock"
	PromiseNoBreak      = "no_break"
	PromiseNoSurcharge  = "no_surcharge"
	PromiseNoDeposit    = "no_deposit"
	promisePayment      = "payment:" // with the name of the service
)

// What availability is claimed.
const (
	AvailableYes   = "YES"
	AvailableNo    = "NO"
	AvailableOrder = "ORDER"
)

// Clauses calls use with the range of words of each clause.
func (d *Document) Clauses(use func(from, to int)) {
	for i := 0; i < len(d.Words); {
		_, to := d.Clause(i)
		use(i, to)
		i = to
	}
}

// Asked tells whether a clause is the one that a question mark ends.
func (d *Document) Asked(from, to int) bool {
	s := d.Words[from].Sentence
	return d.Asks[s] && (to == len(d.Words) || d.Words[to].Sentence != s)
}

// Denied tells whether a clause says that something is not so, or not known.
func (d *Document) Denied(from, to int) bool {
	if d.Any(from, to, word.Not|word.Unsure|word.Gone) {
		return true
	}
	for i := from; i < to; i++ {
		if phrase.Negated(d.Words[i].Key) {
			return true
		}
	}
	return false
}

// Unsure tells whether a sentence leaves the answer to somebody else.
func (d *Document) Unsure(i int) bool {
	from, to := d.Sentence(i)
	return d.Any(from, to, word.Unsure)
}

// attributes finds colours, materials and sizes.
func (d *Document) attributes() {
	for i, e := range d.Entities {
		if d.taken[i] {
			continue
		}
		switch e.Kind {
		case word.Color:
			d.add(Fact{Kind: Attribute, Name: "colour:" + e.ID}, i, i+1)
		case word.Material:
			d.add(Fact{Kind: Attribute, Name: "material:" + e.ID}, i, i+1)
		}
	}
	for _, z := range lang.Sizes(d.Source) {
		d.size(z.Start, z.End, z.Value)
	}
}

// size keeps a size in letters; "S dan XXL gacha" is one fact.
func (d *Document) size(start, end int, v float64) {
	i := 0
	for i < len(d.Words) && d.Words[i].End <= start {
		i++
	}
	if i == len(d.Words) || d.Words[i].Start != start || d.taken[i] {
		return
	}
	if n := len(d.Facts) - 1; n >= 0 && d.Facts[n].Unit == "size" && d.Facts[n].Kind == Attribute && d.Facts[n].Min == d.Facts[n].Max && v > d.Facts[n].Max {
		last := &d.Facts[n]
		between := strings.Trim(strings.ToLower(d.Source[last.End:start]), " ")
		if between == "dan" || between == "-" || between == "–" || between == "до" || between == "to" || between == "дан" {
			last.Max, last.End = v, end
			last.Text = d.Source[last.Start:end]
			d.taken[i] = true
			return
		}
	}
	d.addAt(Fact{Kind: Attribute, Unit: "size", Name: "size:" + d.Source[start:end], Min: v, Max: v, Start: start, End: end}, i, i+1)
}

// availability finds what a text says about goods being there.
func (d *Document) availability() {
	d.Clauses(func(from, to int) {
		if d.Asked(from, to) || d.Unsure(from) {
			return
		}
		order := d.onOrder(from, to)
		gone := d.Find(from, to, word.Gone)
		yes := d.Find(from, to, word.Yes)
		not := d.Find(from, to, word.Not)
		f := Fact{Kind: Availability}
		var at int
		switch {
		case order >= 0:
			f.Name, at = AvailableOrder, order
		case gone >= 0:
			f.Name, at = AvailableNo, gone
		case yes >= 0 && slices.ContainsFunc(d.Words[from:yes], func(w phrase.Word) bool { return w.Key == "vil" || w.Key == "budet" || w.Key == "budut" }):
			f.Name, at = AvailableOrder, yes
		case yes >= 0 && not >= 0:
			f.Name, at = AvailableNo, yes
		case yes >= 0 && d.existsHere(yes):
			f.Name, at = AvailableYes, yes
		case not >= 0 && d.Key(not) == "yok", not >= 0 && d.Key(not) == "net" && to-from > 1:
			f.Name, at = AvailableNo, not
		default:
			return
		}
		was := d.taken[at]
		d.add(f, at, at+1)
		d.taken[at] = was
	})
}

// existsHere tells "there is" from "have" of a perfect tense and "есть" of eating, and what
// is ready now from what will be.
func (d *Document) existsHere(i int) bool {
	switch k := d.Key(i); {
	case k == "have":
		return d.Has(i-1, word.Your) || d.Key(i-1) == "ve" || d.Key(i-1) == "do"
	case k == "tayor" || k == "ready" || strings.HasPrefix(k, "gotov"):
		from, to := d.Clause(i)
		return slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool {
			return w.Key == "turibdi" || w.Key == "hozir" || w.Key == "hozirok" || w.Key == "seychas" || w.Key == "uje" || w.Key == "now"
		})
	}
	return true
}

// onOrder is the word by which goods come on order only.
func (d *Document) onOrder(from, to int) int {
	for i := from; i < to; i++ {
		switch k := d.Words[i].Key; {
		case k == "oldindan", strings.HasPrefix(k, "predzakaz"), k == "preorder", k == "backorder":
			return i
		case k == "pre" && d.Key(i+1) == "order", k == "pod" && d.Key(i+1) == "zakaz":
			return i
		case strings.HasPrefix(k, "buyurtma") && (strings.HasPrefix(d.Key(i+1), "asos") || strings.HasSuffix(k, "ga") && d.Key(i+1) == "keltir"):
			return i
		}
	}
	return -1
}

// promises finds what a text promises.
func (d *Document) promises() {
	d.Clauses(func(from, to int) {
		if d.Asked(from, to) {
			return
		}
		for i := from; i < to; i++ {
			if d.Entities[i].Kind == word.Payment && !d.Denied(from, to) && !d.Unsure(i) {
				d.promise(promisePayment+d.Entities[i].ID, i)
			}
		}
		done := map[string]bool{}
		for i := from; i < to; i++ {
			for _, p := range promiseRules {
				if d.Words[i].Classes&p.class == 0 || done[p.name] || p.when != nil && !p.when(d, i, from, to) {
					continue
				}
				if d.talkedAbout(i) || !p.sure && d.Denied(from, to) || d.Unsure(i) {
					continue
				}
				done[p.name] = true
				d.promise(p.name, i)
			}
		}
		d.roundClock(from, to)
	})
}

func (d *Document) promise(name string, i int) {
	was := d.taken[i]
	d.add(Fact{Kind: Promise, Name: name}, i, i+1)
	d.taken[i] = was
}

// talkedAbout tells "about discounts" from a promise of one.
func (d *Document) talkedAbout(i int) bool {
	k := d.Key(i + 1)
	if k == "hakida" || k == "hakidagi" || k == "boyicha" || k == "shartlari" || k == "masalasida" {
		return true
	}
	for j := max(0, i-2); j < i; j++ {
		if k := d.Key(j); k == "pro" || k == "about" || k == "o" && d.Words[j].End-d.Words[j].Start == 2 || k == "povodu" {
			return true
		}
	}
	return false
}
