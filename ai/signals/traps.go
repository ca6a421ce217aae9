package signals

import "strings"

type trap uint8

const (
	noTrap trap = iota
	someTrap
	sureTrap
)

// trap says what makes a cessation at the words i to j something else.
func (m *message) trap(i, j int) trap {
	at := func(c class, d int) bool {
		for k := max(0, i-d); k <= min(len(m.words)-1, j+d); k++ {
			if m.words[k].class&c != 0 {
				return true
			}
		}
		return false
	}
	inside := class(0)
	for k := i; k <= j; k++ {
		inside |= m.words[k].class
	}
	again, about := at(more, 3), at(talk|list, 3)
	switch {
	case inside&send != 0 && !about && !again && at(order, 2):
		return sureTrap // не присылайте курьера
	case at(goods, 1) && inside&(write|send|bother) == 0:
		return sureTrap // stop-kran, stop sign
	case inside&write != 0 && at(inscribed, window) && !about && m.first(func(w *word) bool { return w.class&self != 0 && w.class&inscribed == 0 }) < 0:
		return sureTrap // не пишите имя на торте
	case inside&(write|send) != 0 && !about && !again && m.object(j):
		return sureTrap // chekni yubormang
	case inside&leavesOff != 0 && m.writesBack(i, j):
		return sureTrap // отпишите в телеграм, когда приедет
	case inside&write != 0 && !about && m.redirects():
		return someTrap // eskisiga yozmang, yangisi shu
	case inside&(write|send) != 0 && !about && !again && m.names(i, j):
		return someTrap // не пишите капсом, не отправляйте мне чек
	case inside&remove != 0 && m.ofMessage(i, j):
		return someTrap // удалите сообщение, я ошиблась
	case m.reported(i, j):
		return someTrap // "stop" deb yozgan ekan, муж сказал не писать
	case inside&send != 0 && !about && !again && m.besideGoods(i, j):
		return sureTrap // qora rangini yubormang
	case at(order, 4) && !about:
		return sureTrap // an order, a parcel or a booking is the object
	case m.limited(i, j) && !(again && at(when, 3) && about):
		if again {
			return someTrap
		}
		return sureTrap // not now
	case inside&write != 0 && !about && !again && m.sendsAnother():
		return someTrap // telegramda yozmang, watsappdan yozing
	case m.question && (m.has(priceAsk) || m.has(stockAsk)):
		return sureTrap
	case m.asksAbout(i, j):
		return someTrap
	}
	return noTrap
}

// sendsAnother tells that something else shall be sent: not the red one, the blue one.
func (m *message) sendsAnother() bool {
	return m.first(func(w *word) bool {
		return w.class&(send|write) != 0 && !w.neg && !contains(w.key, "sang", "sala") && (w.imp || slavicOrder(w.key) || englishBase[w.key])
	}) >= 0
}

// object tells a noun directly before a forbidden Uzbek verb that it governs, and that is
// neither talk nor the one who writes: chekni yubormang, narxini yozmang.
func (m *message) object(i int) bool {
	if i == 0 || !m.words[i].uzbek || !m.words[i].neg || m.words[i].joint {
		return false
	}
	w := &m.words[i-1]
	return len(w.key) > 4 && strings.HasSuffix(w.key, "ni") && w.class&(talk|number|list|self|more) == 0 && !begins(w.key, "nars", "gap", "shun", "bun") || w.class&inscribed != 0 && strings.HasSuffix(w.key, "ni")
}

// plainWords are what may stand beside a forbidden verb of writing without giving it an object
// or a manner.
const plainWords = self | more | talk | list | number | polite | adverb | you | when | not | need | want | write | send | bother | cease | remove | does | emas |
	anger | block | thisIs | asking | askingUz | unneeded | receive | calm | leave | answer | phoneCall | goAway | leavesOff | cancel | hypothetical

// names tells that the clause of a forbidden verb names what shall not be written or sent, or how.
func (m *message) names(i, j int) bool {
	k := m.requested(i, j)
	if k < 0 || !m.words[k].neg || m.words[k].class&(write|send) == 0 {
		return false
	}
	i, j = k, k
	for i > 0 && !m.words[i].joint && !conjunctions[m.words[i-1].written] {
		i--
	}
	for j+1 < len(m.words) && !m.words[j+1].joint && !conjunctions[m.words[j+1].written] {
		j++
	}
	for k := i; k <= j; k++ {
		if w := &m.words[k]; len(w.key) > 3 && (w.class&plainWords == 0 || w.class&inscribed != 0 && w.class&self == 0) && !vague[w.key] && !begins(w.key, "nars", "bunak", "shunak", "vsyak", "erund", "taki", "tako", "bundan", "telegram", "vats", "lichk", "direkt", "pros", "trebu", "ayt", "sira", "ortik", "shart") {
			return true
		}
	}
	return false
}

// conjunctions begin another clause without a sign.
var conjunctions = map[string]bool{"и": true, "va": true, "ва": true, "and": true, "hamda": true, "а": true, "но": true, "lekin": true}

var vague = keysOf("ничего ничё этого этому anything nothing stuff everything nomeriga bekorga зря просто всего вашу ваши ваших вашей свои свою this that your kecha kechasi ночами har kuni sizlar sizla")

// ofMessage tells that one message shall be taken away, and no person from a list.
func (m *message) ofMessage(i, j int) bool {
	for k := i; k <= j; k++ {
		w := &m.words[k]
		if w.class&(list|number|leavesOff) != 0 || begins(w.key, "otklyuch", "reklam", "spam", "rasil", "rasil", "obun", "podpisk", "uvedom") {
			return false
		}
	}
	_, _, ok := m.near(removes, func(w *word) bool {
		return begins(w.key, "habarim", "habarni", "sob", "soob", "sms", "pismo", "mesage", "msg", "post")
	}, 2)
	return ok
}

// writesBack tells "write me back" from "unsubscribe", which are one verb of Russian: what is
// asked is to write somewhere or when something happens, and no list is named.
func (m *message) writesBack(i, j int) bool {
	for k := i; k <= j; k++ {
		if !begins(m.words[k].key, "otpishi", "otpis") || m.words[k].class&leavesOff == 0 {
			continue
		}
		where := m.after(k, 1, func(w *word) bool {
			return w.written == "в" || w.written == "на" || w.written == "мне" || w.written == "сюда"
		})
		on := m.after(k, 6, func(w *word) bool {
			return w.written == "когда" || w.written == "как" || w.written == "если"
		})
		listed := m.beside(k, 3, talk|list|number) || m.beside(k, 2, self) && !where
		return (where || on) && !listed
	}
	return false
}

// beside tells a word of a class within gap of a place.
func (m *message) beside(i, gap int, c class) bool {
	return m.after(i, gap, is(c)) || m.before(i, gap, is(c))
}

// redirects tells that another number takes the place of an old one.
func (m *message) redirects() bool {
	old := func(w *word) bool { return begins(w.key, "eski", "star") || w.key == "old" }
	fresh := func(w *word) bool { return begins(w.key, "yangi", "nov") || w.key == "new" }
	return m.first(old) >= 0 && m.first(fresh) >= 0
}

// reported tells what somebody else said: a cessation that is quoted with "deb", or that a verb
// of saying governs whose subject is not the writer.
func (m *message) reported(i, j int) bool {
	for k := i; k <= j; k++ {
		if k+1 < len(m.words) && (m.words[k+1].key == "deb" || m.words[k+1].key == "degan" || m.words[k+1].key == "dedi") && m.words[k].class&(cease|leavesOff|remove) != 0 {
			return true
		}
	}
	return m.before(i, 3, func(w *word) bool { return said[w.key] }) && !m.before(i, 5, func(w *word) bool { return firstPersons[w.key] })
}

var (
	said         = keysOf("сказал сказала сказали говорит говорят просил просила велел велела said told says")
	firstPersons = keysOf("я мы i we men biz")
)

// limited tells a limit in time in the clause of a cessation, or in another clause about the
// writer; what is said of those who write (kechasi yozasiz) or threatened (hozir bloklayman)
// limits nothing.
func (m *message) limited(i, j int) bool {
	if k := m.requested(i, j); k >= 0 {
		i, j = k, k
	}
	for k := range m.words {
		w := &m.words[k]
		if w.class&when == 0 || strings.Contains(w.key, "olma") { // uxlayolmayapman
			continue
		}
		from, to := k, k
		for from > 0 && !m.words[from].joint {
			from--
		}
		for to+1 < len(m.words) && !m.words[to+1].joint {
			to++
		}
		blames := false
		for c := from; c <= to && (to < i || from > j); c++ {
			x := &m.words[c]
			blames = blames || x.class&(block|anger) != 0 || strings.HasPrefix(x.key, "spam") || x.class&(write|send|bother) != 0 && ends(x.key, "asiz", "asizlar", "asan", "aysiz", "aysizlar", "ete", "esh", "asila")
		}
		if !blames {
			return true
		}
	}
	return false
}

// besideGoods tells sizes, colours, pictures and places beside the words i to j: goods are spoken of.
func (m *message) besideGoods(i, j int) bool {
	for k := max(0, i-2); k <= min(len(m.words)-1, j+2); k++ {
		if m.words[k].topic&(sizeT|shootT|faqT) != 0 {
			return true
		}
	}
	return false
}

// requested is which of two words of a cessation is an imperative, -1 when neither is.
func (m *message) requested(i, j int) int {
	for _, k := range [2]int{j, i} {
		if w := &m.words[k]; w.imp || ceases(w) || removes(w) {
			return k
		}
	}
	return -1
}

// asksAbout tells a question about something from a request: the sentence of the words i to
// j asks.
func (m *message) asksAbout(i, j int) bool {
	delimits := func(w *word) bool { return w.opens }
	if k := m.requested(i, j); k >= 0 {
		// What is requested is so in its own clause: nega yozasiz, to'xtating.
		i, j, delimits = k, k, func(w *word) bool { return w.joint }
	}
	for i > 0 && !delimits(&m.words[i]) {
		i--
	}
	for j+1 < len(m.words) && !delimits(&m.words[j+1]) {
		j++
	}
	end := len(m.text)
	if j+1 < len(m.words) {
		end = m.words[j+1].start
	}
	if strings.ContainsAny(m.text[m.words[j].end:end], "?？") {
		return true
	}
	for k := i; k <= j; k++ {
		if m.asks(k) {
			return true
		}
	}
	return false
}
