package facts

import (
	_ "embed"
	"strings"

	"svc/ai/phrase"
)

// Classes of words that say what a sentence does with a fact.
const (
	cNot         phrase.Mask = 1 << iota // not, no, yo'q
	cUnsure                              // asks somebody first, is not certain
	cYes                                 // is there, in stock
	cGone                                // sold out
	cOrder                               // on order, in advance
	cDelivery                            // delivery
	cFree                                // free of charge
	cGift                                // as a gift
	cDiscount                            // discount, cheaper
	cGuarantee                           // guarantee
	cRefund                              // return, exchange
	cInstallment                         // by instalments
	cNoInterest                          // without interest, without a first payment
	cBooked                              // you are booked
	cPlaced                              // your order is placed
	cOpen                                // works, is open
	cDayOff                              // day off, closed
	cEvery                               // every day
	cBudget                              // budget
	cCompare                             // cheaper, more than, instead
	cWait                                // wait, a colleague answers
	cLeft                                // left, in the store room
	cPrice                               // costs, price
	cCome                                // come, visit
	cBook                                // appointment, booking
	cLesson                              // lesson, course
	cService                             // installation, fitting, consultation, diagnosis
	cCan                                 // possible, may
	cFrom                                // from, since
	cUntil                               // up to, until
	cAt                                  // at, soat
	cEvening                             // in the evening, pm
	cMorning                             // in the morning, am
	cNext                                // next, coming
	cThis                                // this
	cWithout                             // without
	cStarts                              // begins
	cAgree                               // we give it for, agreed
	cYour                                // your, of the customer
	cRoundClock                          // around the clock
	cIfYou                               // if you buy: a condition
	cGoods                               // goods in general: colour, size, model
	cTotal                               // together, in total
	cAll                                 // all, everything
	cDeposit                             // paid in advance, a security
)

//go:embed words.txt
var wordLines string

// words are the lines of words.txt, one for each class in the order above.
var words = readWords()

func readWords() *phrase.Lexicon {
	var classes []phrase.Class
	for line := range strings.Lines(wordLines) {
		_, list, _ := strings.Cut(strings.TrimSpace(line), "|")
		classes = append(classes, phrase.Class{Bit: 1 << len(classes), Words: list})
	}
	if n := len(classes) - 1; classes[n].Bit != cDeposit {
		panic("facts: words.txt has other classes")
	}
	return phrase.NewLexicon(classes...)
}
