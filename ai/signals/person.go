package signals

import "strings"

// Signals is what a message says beside its subject.
type Signals struct {
	Stop      Stop
	Person    bool // asks that a person answers or calls
	Complaint bool
	AsksAI    bool // asks whether a person or a machine writes
	Greeting  bool // nothing but a greeting
	Closing   bool // nothing but thanks, goodbye, ok: nothing to answer
	Scenario  Scenario
}

// Read finds all signals of a message. words are the stop words of the organization.
func Read(text string, words []string) Signals {
	m := read(text)
	s := Signals{Stop: m.stop(), Person: m.person(), Complaint: m.complaint(), AsksAI: m.asksAI()}
	if s.Person && !m.has(machine) {
		s.AsksAI = false // a real person is asked for, not asked about
	}
	if word, ok := FindBare(text, words); ok {
		s.Stop = Stop{Certain, word, true}
	}
	s.Greeting, s.Closing = m.courtesy()
	s.Scenario = m.scenario(&s)
	return s
}

// person says whether the message asks that a person answers or calls.
func (m *message) person() bool {
	human := func(w *word) bool { return w.class&(people|anyone) != 0 }
	if m.wantsCall() || m.wantsContact() {
		return true
	}
	if m.has(job) && !m.has(reach) || m.sells(people|anyone) {
		return false
	}
	// operator bilan gaplash-, соедините с менеджером, talk to a person
	if i, j, ok := m.near(human, func(w *word) bool { return w.class&reach != 0 && !w.neg && !w.past() }, 5); ok {
		return !m.happensNow(i, j)
	}
	// odam javob bersin, пусть ответит человек
	if _, j, ok := m.near(human, func(w *word) bool { return w.class&answer != 0 && w.class&phoneCall == 0 && !w.past() }, 4); ok && (!m.question || inverted[m.words[0].key] && m.words[0].key != "is" && !m.has(you) || m.after(j, 1, func(w *word) bool { return strings.HasSuffix(w.key, "sin") })) {
		return true
	}
	// odam chiqaring, operatorga chiqarib bering
	if _, _, ok := m.near(human, func(w *word) bool { return strings.HasPrefix(w.key, "chikar") && w.imp && !w.neg }, 2); ok && !m.has(list|talk) {
		return true
	}
	// menejeringiz menga yozsin
	if _, _, ok := m.near(is(people), func(w *word) bool { return w.class&(write|answer) != 0 && !w.neg && strings.HasSuffix(w.key, "sin") }, 3); ok {
		return true
	}
	// menejer menga aloqaga chiqsin; jonli gaplashsak
	if _, _, ok := m.near(human, func(w *word) bool { return begins(w.key, "alokaga") }, 3); ok {
		return true
	}
	if _, _, ok := m.near(is(live), func(w *word) bool { return w.class&reach != 0 && ends(w.key, "sak", "sam", "ay", "aylik") }, 1); ok {
		return true
	}
	// переключите на живого
	if _, _, ok := m.near(is(live), func(w *word) bool { return w.class&reach != 0 && slavicOrder(w.key) }, 2); ok {
		return true
	}
	// есть кто живой
	if _, _, ok := m.near(is(live), func(w *word) bool { return w.key == "kto" }, 2); ok && !m.has(machine) {
		return true
	}
	// есть кто-нибудь из сотрудников
	if _, _, ok := m.near(is(people), func(w *word) bool { return strings.HasPrefix(w.key, "kto") }, 4); ok && m.has(stockAsk) {
		return true
	}
	// I need human help
	if _, _, ok := m.near(func(w *word) bool { return w.key == "human" }, func(w *word) bool { return w.class&(need|does) != 0 && !w.neg || w.key == "help" }, 2); ok && !m.has(you) {
		return true
	}
	// operator kerak, нужен человек, дайте директора, get me a human
	if i, j, ok := m.near(human, func(w *word) bool { return w.class&(need|does) != 0 && !w.neg && !w.past() && !contains(w.key, "adi") }, 4); ok {
		return m.first(func(w *word) bool { return ends(w.key, "madi", "madilar") }) < 0 && (!m.has(you) || m.words[0].class&you == 0 && (m.words[0].key == "could" || m.words[0].key == "kan" || m.words[0].key == "can" || m.words[0].key == "kould")) && !(m.has(priceAsk) || m.has(stockAsk)) && m.wantsWho(i, j)
	}
	if _, _, ok := m.near(is(live), is(people|anyone), 1); ok && (!m.question && (len(m.words) <= 4 || m.first(func(w *word) bool { return w.key == "bi" }) >= 0) || m.has(stockAsk) && !m.has(machine|you)) {
		return true // живой человек, tirik odam bormi
	}
	// оператор! менеджера, пожалуйста
	rest := 0
	for i := range m.words {
		if m.words[i].class&(polite|self) == 0 {
			rest++
		}
	}
	return rest == 1 && m.has(people) && !m.question
}

// past tells what was done: qildi, ответил, answered.
func (w *word) past() bool {
	if w.uzbek {
		return ends(w.key, "di", "dilar", "gan") && !strings.HasSuffix(w.key, "digan")
	}
	return ends(w.key, "il", "ila", "ili", "red")
}

// wantsWho tells operator kerak from a person who is a measure or needs something: a noun
// of a person alone governs the verb.
func (m *message) wantsWho(i, j int) bool {
	for k := max(0, i-1); k <= min(j+1, len(m.words)-1); k++ {
		if key := m.words[k].key; key == "uchun" || key == "dlya" || key == "for" {
			return false // direktorimiz uchun sovgʻa kerak
		}
		if m.words[k].class&perHead != 0 && m.words[k].class&live == 0 && m.words[k].class&people == 0 {
			return false
		}
	}
	for k := i; k <= j; k++ {
		if m.words[k].class&people != 0 || m.words[k].key == "human" {
			return true
		}
	}
	return m.has(live) || m.has(self) && len(m.words) <= 6 || m.has(machine)
}

// happensNow tells a question about what happens (gaplashyapmanmi, разговариваю) from a
// request.
func (m *message) happensNow(i, j int) bool {
	for k := i; k <= j; k++ {
		if key := m.words[k].key; contains(key, "yap", "yotgan", "vot") && m.words[k].class&reach != 0 || key == "talking" || key == "chatting" || key == "speaking" {
			return true
		}
	}
	return false
}

// wantsCall says whether the message asks for a telephone call.
func (m *message) wantsCall() bool {
	if m.has(order) && !m.has(self) && m.has(callMe) && len(m.words) > 5 {
		return false // позвоните перед доставкой
	}
	if m.has(carrier) && !m.has(people) {
		return false // kuryer oldin qoʻngʻiroq qilsin
	}
	for i := range m.words {
		w := &m.words[i]
		switch {
		case w.neg:
		case w.class&callMe != 0 && (slavicImperative(w.key) || m.before(i, 4, func(w *word) bool { return w.class&does != 0 })):
			return true
		case w.class&phoneCall != 0 && m.after(i, 2, func(w *word) bool {
			return w.class&does != 0 && !w.neg && !strings.HasSuffix(w.key, "sam") && (w.imp || w.key == "kilib" && (m.first(toMe) >= 0 || m.after(i, 4, func(x *word) bool { return x.imp && x.class&does != 0 })) || w.ask || contains(w.key, "sa", "ola", "ver") || w.key == "kila" && m.first(func(x *word) bool { return begins(x.key, "olasiz") }) >= 0)
		}) && w.class&number|w.class&phoneCall != 0 && !m.has(stockAsk):
			if w.key == "cal" || w.class&number != 0 && !m.after(i, 1, func(w *word) bool { return len(w.key) > 2 && (w.key[:3] == "kil" || w.key[:3] == "kiv") }) {
				continue
			}
			return true
		case w.key == "cal" || w.key == "phone" || w.key == "ring":
			if m.after(i, 2, func(w *word) bool { return w.key == "me" || w.key == "us" || w.key == "back" }) && !m.before(i, 2, func(w *word) bool {
				return w.key == "i" || w.key == "ill" || w.key == "they" || w.key == "you" && !m.question
			}) {
				return true
			}
			if m.before(i, 3, func(w *word) bool {
				return w.key == "give" || w.key == "need" || w.key == "want" || w.key == "wait" || w.key == "someone"
			}) {
				return true
			}
		case w.class&phoneCall != 0 && m.before(i, 3, func(w *word) bool {
			return w.key == "jdu" || w.key == "nujen" || w.key == "zakajite" || w.key == "ojidayu"
		}):
			return true
		}
	}
	return false
}

// wantsContact says whether the message asks to be contacted: свяжитесь со мной, men bilan
// bogʻlaning.
func (m *message) wantsContact() bool {
	contact := func(w *word) bool {
		return w.class&reach != 0 && !w.neg && (w.imp || slavicOrder(strings.TrimSuffix(w.key, "s"))) && (strings.HasPrefix(w.key, "boglan") || strings.HasPrefix(w.key, "svyaj"))
	}
	_, _, ok := m.near(contact, is(self|phoneCall), 4)
	return ok && !m.has(carrier)
}

// toMe tells menga and bizga.
func toMe(w *word) bool { return w.key == "menga" || w.key == "manga" || w.key == "bizga" }

// after and before look at the words within gap of word i.
func (m *message) after(i, gap int, ok func(*word) bool) bool {
	for k := i + 1; k <= min(i+gap, len(m.words)-1); k++ {
		if ok(&m.words[k]) {
			return true
		}
	}
	return false
}

func (m *message) before(i, gap int, ok func(*word) bool) bool {
	for k := i - 1; k >= max(0, i-gap); k-- {
		if ok(&m.words[k]) {
			return true
		}
	}
	return false
}

// sells tells that words of a class are part of something that is sold: operator kursi,
// робот-пылесос, костюм менеджера.
func (m *message) sells(c class) bool {
	_, _, ok := m.near(is(c), is(product), 2)
	return ok
}
