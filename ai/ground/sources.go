package ground

import (
	"math"
	"strconv"
	"strings"
	"time"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// Offer is what may be sold.
type Offer struct {
	ID, Type, Name              string
	Price, PriceMax             string // decimal; empty when there is none
	Currency                    string
	Note, Delivery, Description string
	URL, Availability           string // AVAILABLE, PREORDER, OUT_OF_STOCK, SEASONAL
	// Changed is when it was last changed: what we said of its price before counts no more.
	Changed time.Time
}

// Chunk is a piece of knowledge that was retrieved for this turn.
type Chunk struct{ ID, Text string }

// Hours is an opening time of a day, in minutes from midnight.
type Hours struct{ Open, Close int }

// Business is what the record of the business says.
type Business struct {
	Name    string
	Website string
	// Text is what else it says of itself: description, address, telephone.
	Text string
	// Hours are those of Monday (0) to Sunday (6); nil when the record has none.
	Hours *[7][]Hours
	// Exceptions are days with other hours, by date (2006-01-02).
	Exceptions map[string][]Hours
}

// Slot is a free time that the calendar gave in this turn.
type Slot struct{ Start, End time.Time }

// Own is a text of ours. At is when it was sent, zero for one that holds now.
type Own struct {
	Text string
	At   time.Time
}

// Sources are what a reply may say.
type Sources struct {
	Offers   []Offer
	Chunks   []Chunk
	Business Business
	Slots    []Slot
	OwnSent  []Own // texts of ours that were sent, oldest first
	// CustomerText are the texts of the customer, oldest first; Burst is what of them this
	// reply answers.
	CustomerText []string
	Burst        string
	// Booked and Ordered say that a tool of this turn did it.
	Booked, Ordered bool
	Language        string
	Now             time.Time
	Zone            *time.Location
}

// offerName is an offer with the words of its name.
type offerName struct {
	*Offer
	words    []string // keys
	good     []string // goods and services that words of the name mean
	doc      *facts.Document
	min, max float64
	priced   bool
}

// grounds are sources that were read.
type grounds struct {
	*Sources
	figures   phrase.Figures
	offers    []offerName
	docs      []*facts.Document             // chunks, fields of offers, the business, our own texts
	own       map[*facts.Document]time.Time // our own texts of docs, and when they were sent
	customer  []*facts.Document
	burst     *facts.Document
	mentioned map[int]bool // offers that this conversation and reply speak of
	numbers   []float64    // quantities in the conversation
	spoken    map[wordRange]map[int]bool
}

// wordRange is a part of a text whose offers were looked for.
type wordRange struct {
	d        *facts.Document
	from, to int
}

func newGrounds(s *Sources, reply *facts.Document) *grounds {
	g := &grounds{Sources: s, figures: figuresOf(s.Offers), mentioned: map[int]bool{}, own: map[*facts.Document]time.Time{}, spoken: map[wordRange]map[int]bool{}}
	for i := range s.Offers {
		o := &s.Offers[i]
		n := offerName{Offer: o}
		for _, w := range phrase.Read(o.Name, nil).Words {
			n.words = append(n.words, w.Key)
			if e := word.LookUp(w.Key); e.Kind == word.Good {
				n.good = append(n.good, e.ID)
			}
		}
		if v, err := strconv.ParseFloat(o.Price, 64); err == nil {
			n.min, n.max, n.priced = v, v, true
		}
		if v, err := strconv.ParseFloat(o.PriceMax, 64); err == nil && v >= n.min {
			n.max, n.priced = v, true
		}
		text := strings.Join([]string{o.Name, o.Description, o.Note, o.URL}, ".\n")
		n.doc = g.read(text)
		g.offers = append(g.offers, n)
		g.docs = append(g.docs, n.doc)
		if o.Delivery != "" {
			g.docs = append(g.docs, g.read("delivery: "+o.Delivery))
		}
	}
	for _, c := range s.Chunks {
		g.docs = append(g.docs, g.read(c.Text))
	}
	g.docs = append(g.docs, g.read(s.Business.Name+".\n"+s.Business.Text+"\n"+s.Business.Website))
	for _, own := range s.OwnSent {
		d := g.read(own.Text)
		g.docs, g.own[d] = append(g.docs, d), own.At
		g.mention(d)
	}
	for _, c := range s.CustomerText {
		g.customer = append(g.customer, g.read(c))
	}
	g.burst = g.read(s.Burst)
	for _, d := range append(g.customer, g.burst, reply) {
		g.mention(d)
		for _, f := range d.Facts {
			n := f.Min
			if f.Kind == facts.Duration && f.Unit == word.UnitMinute {
				n /= g.rate(&f)
			}
			if (f.Kind == facts.Count && f.Unit != "time" || f.Kind == facts.Duration) && f.Min == f.Max && n > 1 && n <= 1000 && n == float64(int(n)) {
				g.numbers = append(g.numbers, n)
			}
			if packs := g.packs(&f); packs > 1 {
				g.numbers = append(g.numbers, packs)
			}
		}
	}
	return g
}

// packs is how many packs of an offer that is sold by more than one a count makes: 2000 cards
// are two of the thousand.
func (g *grounds) packs(f *facts.Fact) float64 {
	for k := range g.offers {
		for i := range g.offers[k].doc.Facts {
			s := &g.offers[k].doc.Facts[i]
			if f.Kind == facts.Count && s.Kind == facts.Count && s.Min > 1 && s.Min == s.Max && (s.Unit == f.Unit || f.Unit == word.UnitPiece) && g.mentioned[k] {
				if n := f.Min / s.Min; n == float64(int(n)) && n <= 1000 {
					return n
				}
			}
		}
	}
	return 0
}

// rate is the unit of time of which an offer has its price, as it divides a duration: a price
// for a day makes three days a quantity. It is out of reach without one.
func (g *grounds) rate(f *facts.Fact) float64 {
	for k := range g.offers {
		for _, w := range phrase.Read(g.offers[k].Note, nil).Words {
			if e := word.LookUp(w.Key); e.Kind == word.Unit && e.ID == f.Unit && f.Min >= e.Value {
				return e.Value
			}
		}
	}
	for _, d := range g.docs {
		for i := range d.Facts {
			if p := &d.Facts[i]; p.Kind == facts.Money {
				from, to := d.Clause(p.Word())
				if k := d.PerUnit(from, to); k >= 0 && d.Entities[k].ID == f.Unit && f.Min >= d.Entities[k].Value {
					return d.Entities[k].Value
				}
			}
		}
	}
	return math.Inf(1)
}

func (g *grounds) read(text string) *facts.Document {
	return facts.Read(g.figures.Apart(text), g.Language, g.Now, g.Zone)
}

func (g *grounds) mention(d *facts.Document) {
	if len(d.Words) == 0 {
		return
	}
	for i := range g.offersIn(d, 0, len(d.Words)) {
		g.mentioned[i] = true
	}
}

// outdated tells whether an amount that we said is of an offer that was changed since. An amount
// that is about something else, such as a delivery, holds; one that is about nothing is of any
// offer.
func (g *grounds) outdated(s *facts.Fact) bool {
	at := g.own[s.Document()]
	if s.Kind != facts.Money || at.IsZero() {
		return false
	}
	from, to := s.Document().Sentence(s.Word())
	about := g.offersIn(s.Document(), from, to)
	if len(about) == 0 && s.Document().TopicsOf(s.Word()) != 0 {
		return false
	}
	for k := range g.offers {
		if (len(about) == 0 || about[k]) && g.offers[k].Changed.After(at) {
			return true
		}
	}
	return false
}

// offersIn are the offers that the words of a range name: those that share a word of their
// name, and of several that share it, those of which most words stand there. The answer is
// kept, since many facts of one sentence ask: callers only read it.
func (g *grounds) offersIn(d *facts.Document, from, to int) map[int]bool {
	if len(g.offers) == 0 {
		return nil
	}
	at := wordRange{d, from, to}
	found, known := g.spoken[at]
	if !known {
		found = g.findOffers(d, from, to)
		g.spoken[at] = found
	}
	return found
}

func (g *grounds) findOffers(d *facts.Document, from, to int) map[int]bool {
	hits := make([]int, len(g.offers))
	for k := range g.offers {
		for _, name := range g.offers[k].words {
			for i := from; i < to; i++ {
				if phrase.Same(d.Words[i].Key, name) {
					hits[k]++
					break
				}
			}
		}
	}
	found := map[int]bool{}
	for i := from; i < to; i++ {
		best, list := 0, []int(nil)
		for k := range g.offers {
			if !g.offers[k].named(d, i) {
				continue
			}
			switch h := max(hits[k], 1); {
			case h > best:
				best, list = h, []int{k}
			case h == best:
				list = append(list, k)
			}
		}
		for _, k := range list {
			found[k] = true
		}
	}
	return found
}

// named tells whether a word is a word of the name of the offer, or means its kind of
// goods in another language.
func (o *offerName) named(d *facts.Document, i int) bool {
	key := d.Words[i].Key
	if len(key) >= 3 && !phrase.IsFigure(key) && d.Words[i].Classes&word.Goods == 0 && d.Entities[i].Kind != word.Color && d.Entities[i].Kind != word.Unit {
		for _, w := range o.words {
			if len(w) >= 3 && phrase.Same(key, w) {
				return true
			}
		}
	}
	if d.Entities[i].Kind == word.Good {
		for _, id := range o.good {
			if id == d.Entities[i].ID {
				return true
			}
		}
	}
	return false
}

// placesMeet tells whether something said of the places of a source holds for those that a
// reply speaks of: "the regions" are all but the capital and other countries.
func placesMeet(reply, source []string) bool {
	if len(reply) == 0 || len(source) == 0 {
		return true
	}
	for _, r := range reply {
		for _, s := range source {
			if r == s || s == "country" && r != "abroad" || s == "regions" && r != "tashkent" && r != "abroad" {
				return true
			}
		}
	}
	return false
}

// Beside finds the facts of a text that speaks of offers: the figure at the end of a name is
// no part of the number behind it.
func Beside(offers []Offer, text, language string, now time.Time, zone *time.Location) []facts.Fact {
	return facts.Of(figuresOf(offers).Apart(text), language, now, zone)
}

func figuresOf(offers []Offer) phrase.Figures {
	return phrase.FiguresOf(len(offers), func(i int) string { return offers[i].Name })
}
