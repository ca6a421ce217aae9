// Package facts finds the facts that a text states (amounts, percents, durations,
// times, dates, counts, contacts, availability, promises) and tells which of them no
// source says.
//
// It promises that a fact is read the same in Uzbek of both scripts, Russian and
// English, in digits and in words; that a fact which a source states, or which follows
// from sources by the arithmetic of a purchase, is grounded; and that work is bounded
// whatever the texts are.
//
// It refuses to ask a model, to judge style, and to believe the customer: what only the
// customer said grounds nothing but its own echo.
package facts

import (
	"strings"
	"time"

	"svc/ai/phrase"
)

// Kind is what a fact is about.
type Kind string

// The kinds of facts.
const (
	Money        Kind = "MONEY"
	Percent      Kind = "PERCENT"
	Duration     Kind = "DURATION"
	Clock        Kind = "CLOCK"
	Date         Kind = "DATE"
	Count        Kind = "COUNT"
	URL          Kind = "URL"
	Email        Kind = "EMAIL"
	Phone        Kind = "PHONE"
	Availability Kind = "AVAILABILITY"
	Attribute    Kind = "ATTRIBUTE" // colour, size, material of goods
	Promise      Kind = "PROMISE"
)

// Fact is one fact with its place in the text.
type Fact struct {
	Kind       Kind
	Start, End int    // bytes of the text, from and up to
	Text       string // what is written there
	// Min and Max are the values: amounts in Currency, percents, minutes or months of a
	// duration (Unit), minutes of the day of a clock, the count. Equal without a range.
	Min, Max float64
	Currency string // ISO 4217; empty when the text names none
	Unit     string // of durations ("minute", "month") and counts
	// Name is the promise, the value of an attribute, the normalised contact, or what
	// availability is claimed ("YES", "NO", "ORDER").
	Name string
	// From and Until are the first and the last day of a date, at midnight of the zone;
	// zero when the text names a weekday only.
	From, Until time.Time
	Weekday     int // of a date: 1 Monday to 7 Sunday, 0 without one

	doc  *document
	word int // the word of the document at which the fact stands
}

// maxText is how many bytes of one text are read.
const maxText = 32 << 10

// maxFacts is how many facts of one text are kept.
const maxFacts = 400

// Of finds the facts of a text. Language is its tag ("uz-Latn", "ru"), empty when not
// known: it decides between words that two languages share. Days such as "tomorrow"
// count from now in the zone, which may be nil (UTC).
func Of(text, language string, now time.Time, zone *time.Location) []Fact {
	return read(text, language, now, zone).facts
}

// Beside finds the facts of a text that speaks of offers: the figure at the end of a name is
// no part of the number behind it.
func Beside(offers []Offer, text, language string, now time.Time, zone *time.Location) []Fact {
	return Of(figuresOf(offers).Apart(text), language, now, zone)
}

func figuresOf(offers []Offer) phrase.Figures {
	return phrase.FiguresOf(len(offers), func(i int) string { return offers[i].Name })
}

// document is a text that was read.
type document struct {
	phrase.Text
	language string
	today    time.Time // midnight, zero when now is not known
	ents     []entity  // of each word
	taken    []bool    // words that belong to a fact
	facts    []Fact
}

func read(text, language string, now time.Time, zone *time.Location) *document {
	if len(text) > maxText {
		text = text[:maxText]
	}
	d := &document{Text: phrase.Read(strings.ToValidUTF8(text, " "), words), language: language}
	if !now.IsZero() {
		if zone == nil {
			zone = time.UTC
		}
		y, m, day := now.In(zone).Date()
		d.today = time.Date(y, m, day, 0, 0, 0, 0, zone)
	}
	d.ents = make([]entity, len(d.Words))
	d.taken = make([]bool, len(d.Words))
	for i := range d.Words {
		w := &d.Words[i]
		d.ents[i] = lookUp(w.Key)
		if w.Key == "of" && w.End-w.Start == len("of") {
			w.Classes = 0 // off has the same key
		}
		if w.Key == "check" && d.Near(i) && (d.Words[i+1].Key == "in" || d.Words[i+1].Key == "out") {
			w.Classes = 0 // check-in is no checking
		}
	}
	d.contacts()
	d.quantities()
	d.attributes()
	d.availability()
	d.promises()
	return d
}

// add keeps a fact that stands on the words from i up to j.
func (d *document) add(f Fact, i, j int) {
	if len(d.facts) >= maxFacts {
		return
	}
	f.Start, f.End = d.Words[i].Start, d.Words[j-1].End
	d.addAt(f, i, j)
}

func (d *document) addAt(f Fact, i, j int) {
	f.Text = d.Source[f.Start:f.End]
	f.doc, f.word = d, i
	for k := i; k < j; k++ {
		d.taken[k] = true
	}
	d.facts = append(d.facts, f)
}

func (d *document) key(i int) string {
	if i < 0 || i >= len(d.Words) {
		return ""
	}
	return d.Words[i].Key
}

func (d *document) has(i int, classes phrase.Mask) bool {
	return i >= 0 && i < len(d.Words) && d.Words[i].Classes&classes != 0
}

// in tells whether the clause or sentence of a range has a class.
func (d *document) in(from, to int, classes phrase.Mask) bool { return d.Any(from, to, classes) }
