package signals

import (
	"strings"

	"svc/ai/mask"
	"svc/geo/text/script"
)

// topic finds the topics of a message.
func (m *message) topic() (all class) {
	for i := range m.words {
		all |= m.words[i].topic
	}
	return all
}

// courtesy says whether a message is nothing but a greeting, or nothing but thanks,
// goodbye or consent, which needs no answer.
func (m *message) courtesy() (greeting, closing bool) {
	if len(m.words) == 0 {
		return false, m.onlyPictures()
	}
	if len(m.words) > 8 {
		return false, false
	}
	for i := range m.words {
		w := &m.words[i]
		if w.topic&(greetT|thanksT|okT) == 0 && w.class&(polite|self|you) == 0 && !filler[w.key] {
			return false, false
		}
		greeting = greeting || w.topic&greetT != 0
		closing = closing || w.topic&(thanksT|okT) != 0
	}
	if greeting && m.question {
		closing = false
	}
	return greeting && !closing, closing && !greeting && !strings.Contains(m.text, "?")
}

// onlyPictures says whether a message is nothing but emoji: it acknowledges, and needs no
// answer. A mark of a question asks.
func (m *message) onlyPictures() bool {
	return hasEmoji(m.text) && !strings.ContainsAny(m.text, "?？❓❔⁉")
}

// filler are words that say nothing in a greeting or thanks.
var filler = keysOf(`katta большое огромное lot a very much so there день утро вечер kun до свидания you all вам sizga morning evening afternoon day
	kup kop va и everyone hamma hammaga bolsin boling omon всем for your help за помощь`)

// scenario judges what a message is about. The order is that of the rules: what is more
// special comes first.
func (m *message) scenario(s *Signals) Scenario {
	if s.AsksAI && !s.Person {
		return SmallTalk
	}
	if s.Greeting || s.Closing {
		return SmallTalk
	}
	t := m.topic()
	has := func(c class) bool { return t&c != 0 }
	if s.Stop.Certainty == Certain {
		return Other
	}
	if s.Complaint {
		return m.complained(t)
	}
	if strings.ContainsAny(m.text, ":./") && m.clock() {
		t |= timeT
	}
	if k, ok := m.contact(t); ok {
		return k
	}
	switch {
	case m.has(job), m.makes() && m.has(machine):
		return FAQ
	case has(shootT) && len(m.words) <= 5 && !has(priceT) && !has(sizeT) && (m.has(send|does) || has(stockT)) && !m.has(people):
		return Other
	case has(goT) && m.question && has(orderT|shipT|statusT):
		return OrderStatus
	case has(whenT|newT) && has(arriveT|shipT) && has(sizeT|newT) && !has(orderT):
		return Availability
	case has(shipT) && !(has(orderT) && has(statusT|goT)) && !(has(bookT) && !has(howMuchT)):
		return Delivery
	case has(changeT) && has(bookT) && m.books():
		return Booking
	case m.wantsToBook() && !has(priceT|stockT|orderT|shipT|faqT|placeT):
		return Booking
	case has(bookT) && (has(timeT|seatT) || !has(priceT|stockT)) && !has(orderT&^seatT) && m.books():
		return Booking
	case has(seatT) && has(timeT) && (has(stockT) || m.question):
		return Booking
	case has(changeT) && has(orderT):
		return OrderStatus
	case has(orderT) && has(statusT|goT|arriveT|changeT|paidT):
		return OrderStatus
	case has(paidT) && !has(priceT&^paidT) && (m.question || m.hasDigits()) && !has(faqT&^paidT):
		return OrderStatus
	case has(orderT) && m.hasDigits() && !has(priceT|stockT):
		return OrderStatus
	case has(placeT) && m.moves():
		return Delivery
	case has(priceT) && !(has(returnT) && !has(howMuchT)), m.much():
		return Pricing
	case has(faqT) && (m.question || len(m.words) <= 4) && !(has(stockT) && has(sizeT)):
		return FAQ
	case has(stockT), has(sizeT) && has(arriveT|whenT):
		return Availability
	case has(howMuchT):
		return Pricing
	case has(faqT) && has(returnT|whenT|whereT):
		return FAQ
	case has(chatT) && !has(shootT):
		return SmallTalk
	case m.question && m.has(asking|askingUz|policy):
		return FAQ
	}
	return Other
}

// complained judges what a complaint is about: what came late or with a courier, an order
// that is not there or not what was ordered, or the goods themselves.
func (m *message) complained(t class) Scenario {
	switch {
	case m.sentWrong(), t&waitT != 0, t&orderT != 0, m.notCome():
		return OrderStatus
	case t&(lateT|shipT) != 0:
		return Delivery
	}
	return Other
}

// notCome tells that something has not arrived.
func (m *message) notCome() bool {
	return m.first(func(w *word) bool {
		return w.topic&(arriveT|failT) != 0 && (contains(w.key, "kelmadi", "kelmay", "bormadi", "yetmadi", "etib") || w.neg && contains(w.key, "prish", "arriv", "come"))
	}) >= 0
}

// contact judges messages that give a card, a phone or an address and little else.
func (m *message) contact(t class) (Scenario, bool) {
	if !m.hasDigits() && !strings.Contains(m.text, "@") || m.question {
		return "", false
	}
	phone, email := false, false
	for _, p := range mask.Find(m.text) {
		switch p.Kind {
		case mask.Card:
			return OrderStatus, true
		case mask.Phone:
			phone = true
		case mask.Email:
			email = true
		}
	}
	switch {
	case phone && t&(placeT|shipT) != 0 || phone && m.first(func(w *word) bool { return strings.HasPrefix(w.key, "manzil") }) >= 0:
		return Delivery, true
	case phone && t&timeT == 0, email:
		return Other, true
	}
	return "", false
}

// clock tells a time of day or a date in digits.
func (m *message) clock() bool {
	digit := func(i int) bool { return i >= 0 && i < len(m.text) && '0' <= m.text[i] && m.text[i] <= '9' }
	for i, c := range m.text {
		switch {
		case c == ':' && digit(i-1) && digit(i+1) && digit(i+2):
			return true
		case (c == '.' || c == '/') && digit(i-1) && digit(i-2) && digit(i+1) && digit(i+2) && !digit(i+3):
			return true
		}
	}
	return false
}

// much tells how much from how.
func (m *message) much() bool { return m.first(func(w *word) bool { return w.key == "much" }) >= 0 }

// books tells a booking from a record, a queue or a table that is bought.
func (m *message) books() bool {
	t := m.topic()
	return t&(timeT|seatT) != 0 || m.first(func(w *word) bool {
		return w.topic&bookT != 0 && (w.imp || strings.HasPrefix(w.key, "zapis") || strings.HasPrefix(w.key, "zapish") || strings.HasPrefix(w.key, "bron") || strings.HasPrefix(w.key, "zabron") || strings.HasPrefix(w.key, "boking") || strings.HasPrefix(w.key, "apointment") || strings.HasPrefix(w.key, "reserv") || strings.HasPrefix(w.key, "korik") || strings.HasPrefix(w.key, "slot") || strings.HasPrefix(w.key, "yozil"))
	}) >= 0
}

// wantsToBook tells the wish to book by itself, whatever is booked: хочу записаться, yozilmoqchiman,
// I want to book. Where a book is goods an article or another noun of it stands there.
func (m *message) wantsToBook() bool {
	for i := range m.words {
		w := &m.words[i]
		if w.neg {
			continue
		}
		for _, wish := range [...]string{"yozilmokchi", "yozilmoqchi", "yozilish", "yozilsa", "yozilay"} {
			if strings.HasPrefix(w.key, script.Key(wish)) {
				return true
			}
		}
		switch {
		case toRegister[w.key]:
			return true
		case w.key == bookKey && i > 0 && m.words[i-1].key == toKey:
			return i+1 == len(m.words) || m.words[i+1].class&(product|goods) == 0
		}
	}
	return false
}

// toRegister are the Russian infinitives of making an appointment, in either script.
var toRegister = keysOf("записаться забронировать zapisatsya zabronirovat")

var bookKey, toKey = script.Key("book"), script.Key("to")

// moves tells verbs of sending and bringing beside a place.
func (m *message) moves() bool {
	return m.has(send|order) || m.topic()&(arriveT|shipT|goT) != 0
}

func (m *message) hasDigits() bool { return strings.ContainsAny(m.text, "0123456789") }
