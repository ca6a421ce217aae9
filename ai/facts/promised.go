package facts

import (
	"slices"
	"strings"

	"svc/ai/facts/word"
	"svc/ai/phrase"
)

// promiseRule is one way to make a promise: the class of its word, and what else the
// clause must have.
type promiseRule struct {
	name  string
	class phrase.Mask
	when  func(d *Document, i, from, to int) bool
	sure  bool // a negation in the clause does not take it back
}

var promiseRules = []promiseRule{
	{name: PromiseFreeDelivery, class: word.Free, when: func(d *Document, i, from, to int) bool {
		return freeOfCharge(d, i, from, to) && d.deliveryHere(i)
	}},
	{name: PromiseFree, class: word.Free, when: func(d *Document, i, from, to int) bool {
		return freeOfCharge(d, i, from, to) && (!d.deliveryHere(i) || d.Any(from, to, word.Service))
	}},
	{name: PromiseGift, class: word.Gift, when: givesGift},
	{name: PromiseDiscount, class: word.Discount},
	{name: PromiseGuarantee, class: word.Guarantee},
	{name: PromiseLifetime, class: word.Guarantee, when: func(d *Document, _, from, to int) bool {
		for i := from; i < to; i++ {
			if k := d.Key(i); strings.HasPrefix(k, "pojizn") || strings.HasPrefix(k, "besroch") || strings.HasPrefix(k, "umrbod") || k == "lifetime" || k == "cheksiz" {
				return true
			}
		}
		return false
	}},
	{name: PromiseRefund, class: word.Refund, when: func(d *Document, i, _, _ int) bool {
		k := d.Key(i)
		return !strings.HasPrefix(k, "vern") || strings.HasPrefix(k, "vernut") // вернуть, not вернусь, вернёмся, верно
	}},
	{name: PromiseInstallment, class: word.Installment, when: func(d *Document, i, _, _ int) bool {
		k := d.Key(i)
		return k != "bolib" && k != "muddatli" && k != "credit" || strings.HasPrefix(d.Key(i+1), "tol") || k == "bolib" && strings.HasPrefix(d.Key(i+1), "ber")
	}},
	{name: PromiseNoInterest, class: word.NoInterest},
	{name: PromiseNoInterest, class: word.Without, sure: true, when: func(d *Document, i, _, _ int) bool {
		k := d.Key(i + 1)
		return strings.HasPrefix(k, "prosent") || strings.HasPrefix(k, "pereplat") || strings.HasPrefix(k, "interest")
	}},
	{name: PromiseNoBreak, class: word.Break, sure: true, when: func(d *Document, i, _, _ int) bool {
		k := d.Key(i)
		return strings.HasSuffix(k, "siz") || d.Any(i-3, i, word.Without) || d.Key(i-1) == "no" || d.Key(i-2) == "no"
	}},
	{name: PromiseNoDeposit, class: word.Deposit, sure: true, when: func(d *Document, i, _, to int) bool {
		return d.Any(i-2, i, word.Without) || d.Key(i-1) == "no" || d.Any(i+1, min(i+3, to), word.Not) || d.negatedBehind(i, to)
	}},
	{name: PromiseNoSurcharge, class: word.Extra, sure: true, when: func(d *Document, i, from, to int) bool {
		return !d.Any(from, to, word.Installment|word.Discount) && (d.Has(i-1, word.Without) || d.Key(i-1) == "no" || d.Has(i+1, word.Not) || d.Has(i-1, word.Not) || strings.HasSuffix(d.Key(i), "siz") || d.negatedBehind(i, to))
	}},
	{name: PromiseNoInterest, class: word.Extra, sure: true, when: func(d *Document, i, _, _ int) bool {
		sf, st := d.Sentence(i)
		return d.Any(sf, st, word.Installment) && d.Has(i+1, word.Not)
	}},
	{name: PromiseBooked, class: word.Booked, when: booked},
	{name: PromiseOrdered, class: word.Placed, when: func(d *Document, i, from, to int) bool {
		for j := from; j < to; j++ {
			k := d.Key(j)
			if k == "budet" || k == "after" || strings.HasPrefix(k, "posle") || k == "keyin" {
				return false
			}
			if (strings.HasPrefix(k, "buyurtma") || strings.HasPrefix(k, "zakaz") || k == "order") && k != "zakazi" {
				return d.Key(i) != "kabul" || strings.HasPrefix(d.Key(i+1), "kilin") || strings.HasPrefix(d.Key(i+1), "kildi")
			}
		}
		return false
	}},
	{name: PromiseDelivery, class: word.Delivery, when: delivers},
	{name: PromiseEveryDay, class: word.Every, when: func(d *Document, i, _, _ int) bool {
		sf, st := d.Sentence(i)
		k := d.Key(i)
		day := k == "ejednevno" || k == "everiday" || k == "daily" || k == "kuni" || strings.HasPrefix(d.Key(i+1), "kun") || d.Key(i+1) == "den" || d.Key(i+1) == "day"
		return day && d.Any(sf, st, word.Open|word.At) && !d.Names(sf, st, word.Weekday)
	}},
	{name: PromiseEveryDay, class: word.Without, sure: true, when: func(d *Document, i, _, _ int) bool {
		sf, st := d.Sentence(i)
		return strings.HasPrefix(d.Key(i+1), "vihodn") && d.Any(sf, st, word.Open)
	}},
	{name: PromiseEveryDay, class: word.DayOff, sure: true, when: func(d *Document, i, _, to int) bool {
		for j := i + 1; d.Key(i) == "dam" && j < min(i+3, to); j++ {
			if strings.HasSuffix(d.Key(j), "siz") {
				return true // dam olish kunlarisiz
			}
		}
		return false
	}},
}

// Names tells whether a word of a range names something of a kind.
func (d *Document) Names(from, to int, k word.Kind) bool {
	return slices.ContainsFunc(d.Entities[from:to], func(e word.Entity) bool { return e.Kind == k })
}

// negatedBehind tells that a verb behind a word is negated: qo'shimcha haq olmaymiz.
func (d *Document) negatedBehind(i, to int) bool {
	for j := i + 1; j < min(i+4, to); j++ {
		if phrase.Negated(d.Key(j)) {
			return true
		}
	}
	return false
}

func (d *Document) deliveryHere(i int) bool {
	if from, to := d.Clause(i); d.Any(from, to, word.Delivery) {
		return true
	}
	from, to := d.Sentence(i)
	return d.Any(from, to, word.Delivery) && !d.Any(from, to, word.Lesson|word.Service)
}

// calendarWords are the keys of what is free of other people, and not of charge.
var calendarWords = []string{"time", "times", "slot", "slots", "hours", "vindovs"}

// freeOfCharge tells "free" from "feel free" and from a free hour.
func freeOfCharge(d *Document, i, from, to int) bool {
	if d.Key(i) != "fre" {
		return true
	}
	if slices.Contains(calendarWords, d.Key(i+1)) || d.Key(i-1) == "not" || d.Key(i-1) == "are" && slices.Contains(calendarWords, d.Key(i-2)) {
		return false
	}
	return d.Key(i-1) != "fel" && (!d.Any(from, to, word.Book) || d.Any(from, to, word.Delivery|word.Lesson|word.Service))
}

func givesGift(d *Document, i, _, _ int) bool {
	k, next, prev := d.Key(i), d.Key(i+1), d.Key(i-1)
	switch {
	case strings.HasPrefix(k, "bonus"), strings.HasPrefix(k, "podarim"), strings.HasPrefix(k, "podari"):
		return true
	case next == "uchun" || next == "dlya" || next == "for":
		return false
	case prev == "v", prev == "fre", prev == "as", d.Key(i-2) == "as", prev == "get", d.Key(i-2) == "get":
		return true
	case k == "sovgaga", k == "sovgasiga", k == "hadyaga":
		return true
	case strings.HasPrefix(next, "kilamiz"), strings.HasPrefix(next, "beramiz"), next == "sifatida", next == "bor", strings.HasPrefix(next, "beriladi"), strings.HasPrefix(next, "etamiz"):
		return true
	}
	return false
}

// booked tells "you are booked" from an hour that somebody else has.
func booked(d *Document, i, from, to int) bool {
	k, next := d.Key(i), d.Key(i+1)
	switch {
	case k == "yozib" || k == "band":
		return strings.HasPrefix(next, "koydi") || strings.HasPrefix(next, "kildi") || next == "kilindi" || next == "etdim" || next == "etildi"
	case k == "yozildingiz", k == "yozdim", strings.HasPrefix(k, "zabroniroval"), strings.HasPrefix(k, "zabronirovan"):
		return true
	case strings.HasPrefix(k, "zapisal"):
		return !strings.HasPrefix(next, "nomer") && !strings.HasPrefix(next, "vash") && !strings.HasPrefix(next, "telefon") || d.Any(from, to, word.At)
	case strings.HasPrefix(k, "zapisan"):
		return d.Any(from, to, word.Your) || d.Key(i-1) == "vi"
	}
	for j := from; j < to; j++ {
		if k := d.Key(j); k == "alreadi" || k == "fuly" || k == "fuli" {
			return false
		}
	}
	return d.Any(from, to, word.Your) || d.Key(from) == "i" || d.Key(from) == "ive" || d.Key(from) == "ve"
}

// delivers tells a promise to deliver from the noun.
func delivers(d *Document, i, from, to int) bool {
	k := d.Key(i)
	for _, verb := range []string{"yetkaz", "etkaz", "eltib", "dostavim", "dostavlya", "dovez", "privez", "deliver", "ship"} {
		if strings.HasPrefix(k, verb) && k != "deliveri" {
			return true
		}
	}
	return d.Any(from, to, word.Yes|word.Can)
}

// roundClock: 24/7, круглосуточно.
func (d *Document) roundClock(from, to int) {
	for i := from; i < to; i++ {
		k := d.Key(i)
		if (k == "24/7" || strings.HasPrefix(k, "kruglosutoch") || k == "nonstop" || k == "around" && d.Key(i+2) == "klok" || k == "around" && d.Key(i+2) == "clock") && !d.Denied(from, to) {
			d.promise(PromiseRoundClock, i)
			return
		}
	}
}
