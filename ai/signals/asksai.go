package signals

import "strings"

// asksAI says whether the message asks if a person or a machine writes.
func (m *message) asksAI() bool {
	if m.sells(machine|anyone) || m.has(priceAsk) || m.has(job) || m.topic()&shootT != 0 || m.ofCustomers() {
		return false
	}
	who := machine | anyone | live
	for i := range m.words {
		w := &m.words[i]
		// botmisiz, odammisan: the ending of the second person
		if w.class&(machine|anyone|live) != 0 && contains(w.key, "misiz", "misan", "mislar", "misz") {
			return true
		}
		// bot emasmisiz, bot boʻlsangiz kerak
		if w.class&machine != 0 && m.after(i, 1, func(x *word) bool { return begins(x.key, "emasmi", "bolsangiz", "bolsang") }) {
			return true
		}
		// а не бот, not a bot
		if w.class&machine != 0 && w.neg && m.has(anyone|people|live) {
			return true
		}
	}
	short := len(m.words) <= 9
	// are you real
	last := len(m.words) - 1
	if i, _, ok := m.near(is(you), func(w *word) bool { return w == &m.words[last] && w.class&live != 0 }, 2); ok && m.question && i < 2 {
		return true
	}
	// is there a human on the other side, есть человек на той стороне
	if _, _, ok := m.near(is(anyone|live), func(w *word) bool { return begins(w.key, "side", "storon", "tomonda", "behind") }, 5); ok && m.question && !m.has(reach) {
		return true
	}
	if m.asksWho() || m.orProgram() {
		return true
	}
	if !m.has(machine) && !m.has(anyone) {
		return false
	}
	// odam bormi yoki robotmi, человек или бот
	if i, j, ok := m.near(is(machine), is(anyone|live), window); ok && m.alternative(i, j) && !m.makes() {
		return true
	}
	if m.has(stockAsk) && !m.has(you) || m.makes() {
		return false
	}
	// вы бот, are you human, siz odammi
	if i, j, ok := m.near(is(you), is(machine|anyone), 4); ok && short && !m.between(i, j, reach|need) && (m.question || j-i == 1) {
		return true
	}
	// я с роботом разговариваю, odam yozyaptimi
	if i, j, ok := m.near(is(machine|anyone), is(speaks), 4); ok && short {
		present := func(w *word) bool {
			return w.class&speaks != 0 && !w.imp && (contains(w.key, "yap", "yotgan", "vot", "ayu", "aet", "ae", "oryu", "ing", "ayesh", "im", "ite", "pishet", "it") || w.key == "answers")
		}
		for k := i; k <= j; k++ {
			if w := &m.words[k]; present(w) && (m.question || m.has(machine) || m.has(live)) {
				return true
			}
		}
		if m.has(machine) && (m.has(anyone) || m.question) {
			return true
		}
	}
	// это бот, is this a real person, bu avtomatik javobmi
	if i, _, ok := m.near(is(thisIs), is(machine|anyone), 4); ok && short && (m.question || m.has(machine) && i < 2) {
		return m.has(machine) || m.has(live) || m.question
	}
	// bot yoki odam, человек или робот
	if _, _, ok := m.near(is(machine), is(anyone|live), 4); ok && m.question {
		return true
	}
	return short && m.has(machine) && m.onlyOf(who|polite|asking|thisIs|you|answer)
}

// asksWho tells a question for the one who writes: kim bilan gaplashyapman, с кем я
// переписываюсь, who am I talking to; not who can be spoken with.
func (m *message) asksWho() bool {
	who := func(w *word) bool { return w.key == "kim" || w.key == "kem" || w.key == "vho" || w.key == "vhom" }
	talks := func(w *word) bool {
		return w.class&(speaks|reach) != 0 && !w.neg && (ends(w.key, "apman", "epman", "otman", "opman", "yapman") || ends(w.key, "ayus", "yvayus", "ivayus", "oryu") || ends(w.key, "aking", "ating", "alking", "iting", "ehting"))
	}
	i, j, ok := m.near(who, talks, 5)
	return ok && i <= 3 && j-i <= 5 && len(m.words) <= 9
}

// orProgram tells a living person or a program: вы живая или программа, odammisiz yoki dastur.
func (m *message) orProgram() bool {
	program := func(w *word) bool { return begins(w.key, "program", "dastur") }
	i, j, ok := m.near(program, is(anyone|live), 4)
	if ok && (m.alternative(i, j) || m.has(you) && m.question) {
		return true
	}
	// со мной программа переписывается?
	_, _, ok = m.near(program, func(w *word) bool { return w.class&speaks != 0 && ends(w.key, "etsya", "aet", "yapti", "ing", "it") }, 2)
	return ok && m.question
}

// ofCustomers tells persons who are counted (how many people) and what somebody says of
// oneself (men odamman): no question for who writes.
func (m *message) ofCustomers() bool {
	for i := range m.words {
		w := &m.words[i]
		if w.class&(anyone|machine) == 0 {
			continue
		}
		if strings.HasPrefix(w.key, "odamlar") && !m.has(live) || strings.HasSuffix(w.key, "man") && len(w.key) > 5 && w.key != "human" || m.before(i, 1, func(x *word) bool { return counted[x.key] }) {
			return true
		}
	}
	return false
}

// counted stand before persons who are counted.
var counted = keysOf("many one two three")

// alternative tells "or" between two places.
func (m *message) alternative(i, j int) bool {
	for k := i + 1; k < j; k++ {
		if key := m.words[k].key; key == "ili" || key == "yoki" || key == "or" {
			return true
		}
	}
	return false
}

// makes tells that bots are ordered or sold: сделать бота, чат-боты на заказ.
func (m *message) makes() bool {
	_, _, ok := m.near(is(machine), func(w *word) bool {
		return w.class&order != 0 || contains(w.key, "sdela", "dela", "zakaz", "yasa", "razrab", "make", "build", "develop", "sell", "sota", "kupit", "buy")
	}, 4)
	return ok
}

// onlyOf says that every word is of some classes.
func (m *message) onlyOf(c class) bool {
	return m.first(func(w *word) bool { return w.class&c == 0 }) < 0
}

// between says that a word of a class stands between two places.
func (m *message) between(i, j int, c class) bool {
	for k := i + 1; k < j; k++ {
		if m.words[k].class&c != 0 {
			return true
		}
	}
	return false
}
