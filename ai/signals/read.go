package signals

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// MaxText is how many bytes of a message are read for signals.
const MaxText = 1 << 14

// message is a text read for signals.
type message struct {
	text     string
	words    []word
	question bool // a question mark, or a word that asks
}

// read takes a text apart. All lexicons are looked up at once.
func read(text string) *message {
	if len(text) > MaxText {
		n := MaxText
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	m := &message{text: text}
	at := 0
	for _, w := range script.Words(text) {
		text := squeeze(w.Text)
		x := word{token: text, key: script.Key(text), written: strings.ToLower(m.text[w.Start:w.End]), start: max(at, w.Start), end: max(at, w.End)} // ﷺ is several words at one place
		between := m.text[at:x.start]
		x.opens = at == 0 || strings.ContainsAny(between, ".!?\n;") || hasEmoji(between)
		x.joint = x.opens || strings.ContainsAny(between, ",:—–") || strings.Contains(between, " - ")
		at = x.end
		x.ask = asksByEnding(&x) && !(strings.HasSuffix(x.written, "ами") && len(m.words) > 0 && instrumental[m.words[len(m.words)-1].written])
		words.fill(&x)
		topics.fillTopic(&x)
		if x.written == "ии" {
			x.class |= machine
		}
		x.unglue()
		m.words = append(m.words, x)
	}
	m.idioms()
	m.compound()
	m.negate()
	m.petition()
	m.question = strings.ContainsAny(text, "?？")
	for i := range m.words {
		m.question = m.question || m.asks(i)
	}
	return m
}

// asks tells a word that makes a question: an Uzbek one anywhere, a Russian or English one
// at the beginning of its sentence, and verbs before their subject (do you, can I).
func (m *message) asks(i int) bool {
	w := &m.words[i]
	if w.ask || w.class&askingUz != 0 {
		return i == 0 || m.words[i-1].key != "hech" // hech qanday: none at all
	}
	if w.class&stockAsk != 0 && i > 1 && m.words[i-1].key == "vas" && m.words[i-2].key == "u" {
		return true // у вас есть
	}
	if w.key == "skolko" && m.after(i, 1, func(x *word) bool { return strings.HasPrefix(x.key, "sto") || x.key == "budet" || x.key == "u" }) {
		return true
	}
	first := w.opens || i > 0 && (m.words[i-1].opens && m.words[i-1].class&(asking|polite|adverb) != 0 || m.words[i-1].key == "a" || w.joint)
	if !first || i > 0 && m.words[i-1].written == "то" {
		return false // то, что
	}
	if inverted[w.key] {
		return i+1 < len(m.words) && m.words[i+1].class&not == 0
	}
	return w.class&asking != 0
}

// inverted are the English verbs that stand before their subject in a question.
var inverted = keysOf("do does did is are am can could will would may have has r")

// compound joins an Uzbek converb with the verb behind it: in oʻchirib yuboring the first
// has the meaning and the second the mood.
func (m *message) compound() {
	for i := 0; i+1 < len(m.words); i++ {
		w, next := &m.words[i], &m.words[i+1]
		switch {
		case w.class&cease != 0 && bareCease[w.key] && next.class&does != 0 && next.neg:
			w.neg, w.imp = true, true // stop qilmang
		case strings.HasSuffix(w.key, "gim") && strings.HasPrefix(next.key, "kel"):
			w.neg = w.neg || next.neg // olgim kelmayapti
		case w.key == "boldi" && next.class&does != 0 && next.imp && !next.neg:
			w.class, w.imp = w.class|cease, true // boʻldi qiling
		case w.key == "horosh" && infinitive(next.key) && next.class&(write|send|talk|bother) != 0:
			w.imp = true // хорош спамить
		case w.neg && strings.HasSuffix(w.key, "may") && next.class&leave != 0:
			w.imp = next.imp || m.after(i+1, 1, func(x *word) bool { return begins(x.key, "koling", "kolin", "kol") }) // yozmay qoʻying, yozmay qoʻya qoling; not yozmay qoʻydingiz
		}
		if !strings.HasSuffix(w.key, "ib") && !strings.HasSuffix(w.key, "ab") || next.class&(send|does|leave) == 0 && !helpers[next.key] {
			continue
		}
		if w.key == "olib" && next.class&send != 0 {
			w.class |= remove
		}
		w.neg, w.imp = w.neg || next.neg, w.imp || next.imp
		next.class &^= send | leave
	}
	for i := 0; i+1 < len(m.words); i++ { // a borrowed word with a verb of Uzbek: udalit qilib tashlang
		if w, next := &m.words[i], &m.words[i+1]; w.class&(remove|leavesOff|cease|block) != 0 && !w.uzbek && next.uzbek && next.class&does != 0 {
			w.neg, w.imp = w.neg || next.neg, next.imp
		}
	}
}

// idioms takes words out of classes that they have alone: сколько можно asks for no price,
// "u yerda" names nobody, and this chat is no wish to chat. The particle of a question that
// stands apart belongs to the word before it.
func (m *message) idioms() {
	for i := 1; i < len(m.words); i++ {
		w, before := &m.words[i], &m.words[i-1]
		switch {
		case before.key == "skolko" && w.key == "mojno":
			before.class &^= priceAsk | asking
			before.topic &^= priceT | howMuchT
			w.class &^= asking
		case before.key == "u" && (strings.HasPrefix(w.key, "yer") || strings.HasPrefix(w.key, "er")):
			before.class &^= you
		case before.key == "ploho" && contains(w.key, "vid", "vij", "slish", "ponima"), before.key == "bad" && w.key == "for":
			before.topic &^= badT
		case w.key == "chat" && (before.class&thisIs != 0 || before.key == "the" || before.key == "your"):
			w.class &^= reach | speaks
		case particles[w.written]:
			before.key += w.key
			before.ask = true
		}
	}
}

// petition reads the infinitives that a petition governs as imperatives: прошу удалить.
func (m *message) petition() {
	for i := range m.words {
		if sorayman[m.words[i].key] { // oʻchirib qoʻyishingizni soʻrayman
			for k := max(0, i-3); k < i; k++ {
				if w := &m.words[k]; ends(w.key, "ishingizni", "ishlaringizni", "ishingni") {
					w.imp = true
					m.words[max(0, k-1)].imp = m.words[max(0, k-1)].imp || strings.HasSuffix(m.words[max(0, k-1)].key, "ib")
				}
			}
		}
		if !petitions[m.words[i].key] {
			continue
		}
		for k := i + 1; k < min(i+4, len(m.words)) && !m.words[k].opens; k++ {
			if w := &m.words[k]; w.class&(remove|leavesOff|cease) != 0 && infinitive(w.key) {
				w.imp = true
			}
		}
	}
}

var sorayman = keysOf("soʻrayman soʻraymiz soʻragandim talab iltimos")

var petitions = keysOf("прошу просьба требую просим")

// particles ask, joined to the word before them or apart.
var particles = keySet("mi", "misiz", "misan", "misizlar", "mislar", "ми", "мисиз", "мисан", "мисизлар", "мислар")

// unglue reads a verb that is written in one with its negation: непишите.
func (w *word) unglue() {
	after, ok := strings.CutPrefix(w.key, "ne")
	if !ok || w.class != 0 || !slavicImperative(after) {
		return
	}
	verb := word{key: after}
	words.fill(&verb)
	if verb.class&(write|send|bother|callMe) != 0 {
		w.class, w.neg, w.imp = verb.class, true, true
	}
}

// helpers are verbs that only help another.
var helpers = keysOf("turing tursin turma turmang oʻtirmang yurmang yotmang")

// instrumental are the Russian words behind which -ами is a case: с полосами.
var instrumental = map[string]bool{"с": true, "со": true, "за": true, "над": true, "под": true, "между": true, "перед": true}

// asksByEnding tells the Uzbek particle of questions: keldimi, odammisiz.
func asksByEnding(w *word) bool {
	key := w.key
	if possessed[key] {
		return false
	}
	if ends(w.written, "мы", "ями", "ыми", "ашими", "воими", "моими", "этими", "угими", "акими", "якими") {
		return false // рекламы, сообщениями: Russian cases
	}
	return ends(key, "misiz", "misan", "mikan", "mikin", "midi", "mislar", "misizlar") || key == "bormi" || len(key) > 5 && strings.HasSuffix(key, "mi") && key != "emasmi"
}

// possessed are nouns in -m that somebody has: kiyimi, his dress.
var possessed = keysOf("kiyimi xodimi tizimi bayrami talimi")

// hasEmoji tells a picture between words, which ends a sentence too.
func hasEmoji(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2600 && unicode.Is(unicode.So, r) })
}

// squeeze leaves two of a letter that is repeated more often: стооооп.
func squeeze(s string) string {
	run := 0
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1] {
			run = 0
		} else if run++; run == 2 {
			return squeezed(s)
		}
	}
	return s
}

func squeezed(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if n := len(out); n < 1 || out[n-1] != s[i] || script.IsDigit(s[i]) {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// negate carries a negation to the verb that it belongs to: не пишите, не надо мне
// писать, don't ever write, no more messages; and kerak emas to its noun.
func (m *message) negate() {
	for i := range m.words {
		w := &m.words[i]
		switch {
		case w.class&not != 0:
			m.negateNext(i)
		case w.class&emas != 0 && i > 0, w.key == "yok" && i > 0 && m.words[i-1].class&(need|want) != 0:
			m.words[i-1].neg = true // kerak emas, keragi yoʻq
		}
	}
}

// negateNext negates the first word of meaning behind a negation, and the infinitive that
// it governs.
func (m *message) negateNext(i int) {
	for j := i + 1; j < min(i+3, len(m.words)) && !m.words[j].opens; j++ {
		w := &m.words[j]
		if w.class&adverb != 0 {
			continue
		}
		w.neg = true
		if w.class&(need|want|more) != 0 {
			for k := j + 1; k < min(j+6, len(m.words)) && !m.words[k].opens; k++ {
				if m.words[k].class&(write|send|bother) != 0 && infinitive(m.words[k].key) {
					m.words[k].neg, m.words[k].imp = true, true
					return
				}
			}
		}
		w.imp = w.imp || slavicImperative(w.key) || englishBase[w.key]
		return
	}
}

// slavicImperative tells пишите, присылай, отстань from other forms, by the key.
func slavicImperative(key string) bool {
	return ends(key, "ite", "yte", "nte", "dte", "bte", "y", "i", "at", "yat", "oit", "stan") && !strings.HasSuffix(key, "li")
}

// infinitive tells писать, слать, write.
func infinitive(key string) bool {
	return ends(key, "at", "it", "ti") || englishBase[key]
}

var englishBase = keysOf("write text message contact send spam bother disturb call email stop ping advertise unsubscribe remove harass")

// near finds two words of classes at most gap words apart, in either order, in one part of
// the message; ok of each is asked too.
func (m *message) near(a, b func(*word) bool, gap int) (first, last int, ok bool) {
	for i := range m.words {
		if !a(&m.words[i]) {
			continue
		}
		for d := 1; d <= gap; d++ {
			for _, j := range [2]int{i + d, i - d} {
				if j >= 0 && j < len(m.words) && b(&m.words[j]) {
					return min(i, j), max(i, j), true
				}
			}
		}
	}
	return 0, 0, false
}

// first finds the first word for which ok answers yes, -1 when there is none.
func (m *message) first(ok func(*word) bool) int {
	for i := range m.words {
		if ok(&m.words[i]) {
			return i
		}
	}
	return -1
}

func (m *message) has(c class) bool { return m.first(is(c)) >= 0 }

// is tells words of a class.
func is(c class) func(*word) bool { return func(w *word) bool { return w.class&c != 0 } }

// plain tells words of a class that are not negated.
func plain(c class) func(*word) bool { return func(w *word) bool { return w.class&c != 0 && !w.neg } }

// ordered tells negated words of a class in the imperative.
func forbidden(c class) func(*word) bool {
	return func(w *word) bool { return w.class&c != 0 && w.neg && w.imp }
}

// phrase is what stands from word i to word j.
func (m *message) phrase(i, j int) string { return m.text[m.words[i].start:m.words[j].end] }

// begins says whether a key begins with one of some parts.
func begins(key string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(key, p) })
}

// ends says whether a key ends with one of some parts.
func ends(key string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.HasSuffix(key, p) })
}

// contains says whether a key has one of some parts.
func contains(key string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(key, p) {
			return true
		}
	}
	return false
}
