// Package word says what the words of texts about goods and services do and name: a lexicon of
// classes (a negation, delivery, a guarantee), and a table of what is named (a currency, a unit
// of time, a weekday, a colour, a place).
//
// It promises the same answer in Uzbek of both scripts, Russian and English, for a word in any
// inflection.
//
// It refuses to look at more than one word: what they say together is said by ai/facts.
package word

import (
	_ "embed"
	"strings"

	"svc/ai/phrase"
)

// Classes of words that say what a sentence does with a fact.
const (
	Not         phrase.Mask = 1 << iota // not, no, yo'q
	Unsure                              // asks somebody first, is not certain
	Yes                                 // is there, in stock
	Gone                                // sold out
	Order                               // on order, in advance
	Delivery                            // delivery
	Free                                // free of charge
	Gift                                // as a gift
	Discount                            // discount, cheaper
	Guarantee                           // guarantee
	Refund                              // return, exchange
	Installment                         // by instalments
	NoInterest                          // without interest, without a first payment
	Booked                              // you are booked
	Placed                              // your order is placed
	Open                                // works, is open
	DayOff                              // day off, closed
	Every                               // every day
	Budget                              // budget
	Compare                             // cheaper, more than, instead
	Wait                                // wait, a colleague answers
	Left                                // left, in the store room
	Price                               // costs, price
	Come                                // come, visit
	Book                                // appointment, booking
	Lesson                              // lesson, course
	Service                             // installation, fitting, consultation, diagnosis
	Can                                 // possible, may
	From                                // from, since
	Until                               // up to, until
	At                                  // at, soat
	Evening                             // in the evening, pm
	Morning                             // in the morning, am
	Next                                // next, coming
	This                                // this
	Without                             // without
	Starts                              // begins
	Agree                               // we give it for, agreed
	Your                                // your, of the customer
	RoundClock                          // around the clock
	IfYou                               // if you buy: a condition
	Goods                               // goods in general: colour, size, model
	Total                               // together, in total
	All                                 // all, everything
	Deposit                             // paid in advance, a security
	Extra                               // paid beside the price
	Break                               // a break within the hours
	Group                               // people for whom something holds
)

//go:embed classes.txt
var classLines string

// Lexicon has the lines of classes.txt, one for each class in the order above.
var Lexicon = readWords()

func readWords() *phrase.Lexicon {
	var classes []phrase.Class
	for line := range strings.Lines(classLines) {
		_, list, _ := strings.Cut(strings.TrimSpace(line), "|")
		classes = append(classes, phrase.Class{Bit: 1 << len(classes), Words: list})
	}
	if n := len(classes) - 1; classes[n].Bit != Group {
		panic("word: classes.txt has other classes")
	}
	return phrase.NewLexicon(classes...)
}
