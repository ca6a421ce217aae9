package signals

import "strings"

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
	if len(m.words) == 0 || len(m.words) > 8 {
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

// filler are words that say nothing in a greeting or thanks.
var filler = keySet("katta", "bolshoe", "ogromnoe", "lot", "a", "very", "much", "so", "there", "den", "utro", "vecher", "kun", "do", "svidaniya", "you", "all", "vam", "sizga", "morning", "evening", "afternoon", "day",
	"kup", "kop", "va", "i", "everyone", "hama", "hammaga", "bolsin", "boling", "omon", "vsem", "for", "your", "help", "za", "pomosh")

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
	switch {
	case has(shipT) && !(has(orderT) && has(statusT|goT)) && !(has(bookT) && !has(howMuchT)):
		return Delivery
	case has(bookT) && (has(timeT|seatT) || !has(priceT|stockT)) && !has(orderT&^seatT) && m.books():
		return Booking
	case has(seatT) && has(timeT) && (has(stockT) || m.question):
		return Booking
	case has(changeT) && has(bookT|orderT):
		if m.books() && has(timeT) {
			return Booking
		}
		return OrderStatus
	case has(orderT) && has(statusT|goT|arriveT|changeT|paidT):
		return OrderStatus
	case has(paidT) && !has(priceT&^paidT) && (m.question || m.hasDigits()) && !has(faqT&^paidT):
		return OrderStatus
	case has(goT) && m.question:
		return OrderStatus
	case has(orderT) && m.hasDigits() && !has(priceT|stockT):
		return OrderStatus
	case has(placeT) && m.moves():
		return Delivery
	case has(priceT) && !(has(returnT) && !has(howMuchT)):
		return Pricing
	case has(faqT) && (m.question || len(m.words) <= 4) && !(has(stockT) && has(sizeT)):
		return FAQ
	case has(newT) && has(arriveT|whenT):
		return Availability
	case has(stockT):
		return Availability
	case has(sizeT) && has(arriveT|whenT):
		return Availability
	case has(howMuchT):
		return Pricing
	case has(faqT) && has(returnT|whenT|whereT):
		return FAQ
	case has(chatT) && !has(shootT):
		return SmallTalk
	case s.Complaint && has(orderT|gotT) && has(wrongT|longT|waitT):
		return OrderStatus
	}
	return Other
}

// books tells a booking from a record, a queue or a table that is bought.
func (m *message) books() bool {
	t := m.topic()
	return t&(timeT|seatT) != 0 || m.first(func(w *word) bool {
		return w.topic&bookT != 0 && (w.imp || strings.HasPrefix(w.key, "zapis") || strings.HasPrefix(w.key, "zapish") || strings.HasPrefix(w.key, "bron") || strings.HasPrefix(w.key, "zabron") || strings.HasPrefix(w.key, "book") || strings.HasPrefix(w.key, "korik") || strings.HasPrefix(w.key, "slot") || strings.HasPrefix(w.key, "yozil"))
	}) >= 0
}

// moves tells verbs of sending and bringing beside a place.
func (m *message) moves() bool {
	return m.has(send|order) || m.topic()&(arriveT|shipT|goT) != 0
}

func (m *message) hasDigits() bool { return strings.ContainsAny(m.text, "0123456789") }
