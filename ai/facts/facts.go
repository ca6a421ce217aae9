// Package facts finds the facts that a text states: amounts, percents, durations, times,
// dates, counts, contacts, availability, promises.
//
// It promises that a fact is read the same in Uzbek of both scripts, Russian and English,
// in digits and in words, and that work is bounded whatever the texts are.
//
// It refuses to say whether a fact is true: ai/ground compares them with what sources say.
package facts

import (
	"strings"
	"time"

	"svc/ai/facts/word"
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

	doc  *Document
	word int // the word of the document at which the fact stands
}

// Document is the text that states the fact, and Word the word at which it stands there.
func (f *Fact) Document() *Document { return f.doc }

// Word is the first word of the fact in its document.
func (f *Fact) Word() int { return f.word }

// maxText is how many bytes of one text are read.
const maxText = 32 << 10

// maxFacts is how many facts of one text are kept.
const maxFacts = 400

// Of finds the facts of a text. Language is its tag ("uz-Latn", "ru"), empty when not
// known: it decides between words that two languages share. Days such as "tomorrow"
// count from now in the zone, which may be nil (UTC).
func Of(text, language string, now time.Time, zone *time.Location) []Fact {
	return Read(text, language, now, zone).Facts
}

// Document is a text that was read.
type Document struct {
	phrase.Text
	language string
	Today    time.Time     // midnight, zero when now is not known
	Entities []word.Entity // what each word names
	taken    []bool        // words that belong to a fact
	Facts    []Fact
}

// Read takes a text apart and finds its facts.
func Read(text, language string, now time.Time, zone *time.Location) *Document {
	if len(text) > maxText {
		text = text[:maxText]
	}
	d := &Document{Text: phrase.Read(strings.ToValidUTF8(text, " "), word.Lexicon), language: language}
	if !now.IsZero() {
		if zone == nil {
			zone = time.UTC
		}
		y, m, day := now.In(zone).Date()
		d.Today = time.Date(y, m, day, 0, 0, 0, 0, zone)
	}
	d.Entities = make([]word.Entity, len(d.Words))
	d.taken = make([]bool, len(d.Words))
	for i := range d.Words {
		w := &d.Words[i]
		d.Entities[i] = word.LookUp(w.Key)
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
func (d *Document) add(f Fact, i, j int) {
	if len(d.Facts) >= maxFacts {
		return
	}
	f.Start, f.End = d.Words[i].Start, d.Words[j-1].End
	d.addAt(f, i, j)
}

func (d *Document) addAt(f Fact, i, j int) {
	f.Text = d.Source[f.Start:f.End]
	f.doc, f.word = d, i
	for k := i; k < j; k++ {
		d.taken[k] = true
	}
	d.Facts = append(d.Facts, f)
}

// Key is the key of the word at i, empty beyond the text.
func (d *Document) Key(i int) string {
	if i < 0 || i >= len(d.Words) {
		return ""
	}
	return d.Words[i].Key
}

// Has tells whether the word at i has one of some classes.
func (d *Document) Has(i int, classes phrase.Mask) bool {
	return i >= 0 && i < len(d.Words) && d.Words[i].Classes&classes != 0
}
