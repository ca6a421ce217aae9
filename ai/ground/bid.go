package ground

import (
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// Classes of words of a customer who names a price.
const (
	bidGive phrase.Mask = 1 << iota // give it for, will take it for
	bidWhat                         // what is there, how many: asks for goods
)

var bidWords = phrase.NewLexicon(
	phrase.Class{Bit: bidGive, Words: `berasiz* berolasiz* berib bering beringlar bera bersangiz bervoring bervorasizmi tushir* tushib tushasizmi sotasiz* soting sotolasiz* kelishamizmi kelishdik rozi rozimisiz
		olaman olardim olay olsam olamiz bo'ladimi bo'larmikan
		отдад* отдай* отдашь уступ* прода* сделае* сделайте возьму возьмем возьмём заберу забер* скин* договор* пойдет пойдёт давай* соглас*
		give sell lower take accept let deal do offer`},
	phrase.Class{Bit: bidWhat, Words: `nima nimalar nimani qanday qanaqa qaysi qaysilar nechta qancha что чего какой какая какие какое какую сколько what which anything something many much`},
)

// A number that is a price is neither a small part of the price nor above it: others count
// goods, days, sizes.
const leastBid = 0.2

// Bid is a price that a customer asks for and that is below the price of an offer.
type Bid struct {
	Offer  string // its name
	Amount float64
}

// FindBid finds the price that the burst of the sources asks for, when it is below that of every
// offer which the conversation speaks of (of all offers when it speaks of none), and none of
// these has a range. What a customer can spend, and what goods there are for a sum, is no bid.
func FindBid(s *Sources) (bid Bid, ok bool) {
	g := newGrounds(s, &facts.Document{})
	d := g.burst
	for i := range d.Facts {
		f := &d.Facts[i]
		if f.Kind != facts.Money && !(f.Kind == facts.Count && f.Unit == "" && isFor(d, f)) {
			continue
		}
		from, to := d.Sentence(f.Word())
		if !bids(d, from, to) {
			continue
		}
		if bid, ok := g.bid(f, pieces(d, from, to)); ok {
			return bid, true
		}
	}
	return Bid{}, false
}

// bids tells whether a sentence asks for something at a price.
func bids(d *facts.Document, from, to int) bool {
	var all phrase.Mask
	for i := from; i < to; i++ {
		all |= bidWords.Classes(d.Words[i].Key)
	}
	return all == bidGive && !d.Any(from, to, word.Budget|word.Delivery|word.Installment)
}

// isFor tells whether a bare number has the word or the ending of a price: "за 150", "150ga".
func isFor(d *facts.Document, f *facts.Fact) bool {
	if key := d.Key(f.Word()); strings.HasSuffix(key, "ga") || strings.HasSuffix(key, "dan") {
		return true
	}
	switch d.Key(f.Word() - 1) {
	case "za", "for":
		return true
	}
	return false
}

// pieces is how many of an offer a sentence speaks of.
func pieces(d *facts.Document, from, to int) float64 {
	for i := range d.Facts {
		if f := &d.Facts[i]; f.Kind == facts.Count && f.Word() >= from && f.Word() < to && f.Min == f.Max && f.Min > 1 && f.Min <= 100 && !isFor(d, f) {
			return f.Min
		}
	}
	return 1
}

// bid compares an amount with the offers.
func (g *grounds) bid(f *facts.Fact, pieces float64) (bid Bid, ok bool) {
	for k := range g.offers {
		o := &g.offers[k]
		if len(g.mentioned) > 0 && !g.mentioned[k] || !o.priced || !facts.SameCurrency(f.Currency, o.Currency) {
			continue
		}
		amount := f.Max
		if f.Kind == facts.Count && amount < 1000 && o.min >= 10_000 {
			amount *= 1000 // "за 150": thousands
		}
		if o.max > o.min || amount >= o.min*pieces {
			return Bid{}, false
		}
		if amount >= leastBid*o.min*pieces {
			bid, ok = Bid{Offer: o.Name, Amount: amount}, true
		}
	}
	return bid, ok
}
