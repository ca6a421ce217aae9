package facts

import (
	"slices"
	"strings"

	"svc/ai/phrase"
)

// promiseRule is one way to make a promise: the class of its word, and what else the
// clause must have.
type promiseRule struct {
	name  string
	class phrase.Mask
	when  func(d *document, i, from, to int) bool
	sure  bool // a negation in the clause does not take it back
}

var promiseRules = []promiseRule{
	{name: PromiseFreeDelivery, class: cFree, when: func(d *document, i, from, to int) bool {
		return freeOfCharge(d, i, from, to) && d.deliveryHere(i)
	}},
	{name: PromiseFree, class: cFree, when: func(d *document, i, from, to int) bool {
		return freeOfCharge(d, i, from, to) && (!d.deliveryHere(i) || d.in(from, to, cService))
	}},
	{name: PromiseGift, class: cGift, when: givesGift},
	{name: PromiseDiscount, class: cDiscount},
	{name: PromiseGuarantee, class: cGuarantee},
	{name: PromiseLifetime, class: cGuarantee, when: func(d *document, _, from, to int) bool {
		for i := from; i < to; i++ {
			if k := d.key(i); strings.HasPrefix(k, "pojizn") || strings.HasPrefix(k, "besroch") || strings.HasPrefix(k, "umrbod") || k == "lifetime" || k == "cheksiz" {
				return true
			}
		}
		return false
	}},
	{name: PromiseRefund, class: cRefund, when: func(d *document, i, _, _ int) bool {
		k := d.key(i)
		return !strings.HasPrefix(k, "vern") || strings.HasPrefix(k, "vernut") // вернуть, not вернусь, вернёмся, верно
	}},
	{name: PromiseInstallment, class: cInstallment, when: func(d *document, i, _, _ int) bool {
		k := d.key(i)
		return k != "bolib" && k != "muddatli" && k != "credit" || strings.HasPrefix(d.key(i+1), "tol") || k == "bolib" && strings.HasPrefix(d.key(i+1), "ber")
	}},
	{name: PromiseNoInterest, class: cNoInterest},
	{name: PromiseNoInterest, class: cWithout, sure: true, when: func(d *document, i, _, _ int) bool {
		k := d.key(i + 1)
		return strings.HasPrefix(k, "prosent") || strings.HasPrefix(k, "pereplat") || strings.HasPrefix(k, "interest")
	}},
	{name: PromiseBooked, class: cBooked, when: booked},
	{name: PromiseOrdered, class: cPlaced, when: func(d *document, i, from, to int) bool {
		for j := from; j < to; j++ {
			k := d.key(j)
			if k == "budet" || k == "after" || strings.HasPrefix(k, "posle") || k == "keyin" {
				return false
			}
			if (strings.HasPrefix(k, "buyurtma") || strings.HasPrefix(k, "zakaz") || k == "order") && k != "zakazi" {
				return d.key(i) != "kabul" || strings.HasPrefix(d.key(i+1), "kilin") || strings.HasPrefix(d.key(i+1), "kildi")
			}
		}
		return false
	}},
	{name: PromiseDelivery, class: cDelivery, when: delivers},
	{name: PromiseEveryDay, class: cEvery, when: func(d *document, i, _, _ int) bool {
		sf, st := d.Sentence(i)
		k := d.key(i)
		day := k == "ejednevno" || k == "everiday" || k == "daily" || k == "kuni" || strings.HasPrefix(d.key(i+1), "kun") || d.key(i+1) == "den" || d.key(i+1) == "day"
		return day && d.in(sf, st, cOpen|cAt) && !d.kindIn(sf, st, eWeekday)
	}},
	{name: PromiseEveryDay, class: cWithout, sure: true, when: func(d *document, i, _, _ int) bool {
		sf, st := d.Sentence(i)
		return strings.HasPrefix(d.key(i+1), "vihodn") && d.in(sf, st, cOpen)
	}},
	{name: PromiseEveryDay, class: cDayOff, sure: true, when: func(d *document, i, _, to int) bool {
		for j := i + 1; d.key(i) == "dam" && j < min(i+3, to); j++ {
			if strings.HasSuffix(d.key(j), "siz") {
				return true // dam olish kunlarisiz
			}
		}
		return false
	}},
}

func (d *document) kindIn(from, to int, k entityKind) bool {
	return slices.ContainsFunc(d.ents[from:to], func(e entity) bool { return e.kind == k })
}

func (d *document) deliveryHere(i int) bool {
	if from, to := d.Clause(i); d.in(from, to, cDelivery) {
		return true
	}
	from, to := d.Sentence(i)
	return d.in(from, to, cDelivery) && !d.in(from, to, cLesson|cService)
}

// calendarWords are the keys of what is free of other people, and not of charge.
var calendarWords = []string{"time", "times", "slot", "slots", "hours", "vindovs"}

// freeOfCharge tells "free" from "feel free" and from a free hour.
func freeOfCharge(d *document, i, from, to int) bool {
	if d.key(i) != "fre" {
		return true
	}
	if slices.Contains(calendarWords, d.key(i+1)) || d.key(i-1) == "not" || d.key(i-1) == "are" && slices.Contains(calendarWords, d.key(i-2)) {
		return false
	}
	return d.key(i-1) != "fel" && (!d.in(from, to, cBook) || d.in(from, to, cDelivery|cLesson|cService))
}

func givesGift(d *document, i, _, _ int) bool {
	k, next, prev := d.key(i), d.key(i+1), d.key(i-1)
	switch {
	case strings.HasPrefix(k, "bonus"), strings.HasPrefix(k, "podarim"), strings.HasPrefix(k, "podari"):
		return true
	case next == "uchun" || next == "dlya" || next == "for":
		return false
	case prev == "v", prev == "fre", prev == "as", d.key(i-2) == "as", prev == "get", d.key(i-2) == "get":
		return true
	case k == "sovgaga", k == "sovgasiga", k == "hadyaga":
		return true
	case strings.HasPrefix(next, "kilamiz"), strings.HasPrefix(next, "beramiz"), next == "sifatida", next == "bor", strings.HasPrefix(next, "beriladi"), strings.HasPrefix(next, "etamiz"):
		return true
	}
	return false
}

// booked tells "you are booked" from an hour that somebody else has.
func booked(d *document, i, from, to int) bool {
	k, next := d.key(i), d.key(i+1)
	switch {
	case k == "yozib" || k == "band":
		return strings.HasPrefix(next, "koydi") || strings.HasPrefix(next, "kildi") || next == "kilindi" || next == "etdim" || next == "etildi"
	case k == "yozildingiz", k == "yozdim", strings.HasPrefix(k, "zabroniroval"), strings.HasPrefix(k, "zabronirovan"):
		return true
	case strings.HasPrefix(k, "zapisal"):
		return !strings.HasPrefix(next, "nomer") && !strings.HasPrefix(next, "vash") && !strings.HasPrefix(next, "telefon") || d.in(from, to, cAt)
	case strings.HasPrefix(k, "zapisan"):
		return d.in(from, to, cYour) || d.key(i-1) == "vi"
	}
	for j := from; j < to; j++ {
		if k := d.key(j); k == "alreadi" || k == "fuly" || k == "fuli" {
			return false
		}
	}
	return d.in(from, to, cYour) || d.key(from) == "i" || d.key(from) == "ive" || d.key(from) == "ve"
}

// delivers tells a promise to deliver from the noun.
func delivers(d *document, i, from, to int) bool {
	k := d.key(i)
	for _, verb := range []string{"yetkaz", "etkaz", "eltib", "dostavim", "dostavlya", "dovez", "privez", "deliver", "ship"} {
		if strings.HasPrefix(k, verb) && k != "deliveri" {
			return true
		}
	}
	return d.in(from, to, cYes|cCan)
}

// roundClock: 24/7, круглосуточно.
func (d *document) roundClock(from, to int) {
	for i := from; i < to; i++ {
		k := d.key(i)
		if (k == "24/7" || strings.HasPrefix(k, "kruglosutoch") || k == "nonstop" || k == "around" && d.key(i+2) == "klok" || k == "around" && d.key(i+2) == "clock") && !d.denied(from, to) {
			d.promise(PromiseRoundClock, i)
			return
		}
	}
}
