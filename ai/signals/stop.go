package signals

import (
	"strings"

	"svc/geo/text/script"
)

// Certainty is how sure a stop request is.
type Certainty uint8

// The certainties.
const (
	No      Certainty = iota
	Likely            // never decides alone
	Certain           // opts out at once
)

// Stop is what a message says about being written to.
type Stop struct {
	Certainty Certainty
	Phrase    string // the words that say it, as written
	Bare      bool   // nothing else is in the message
}

// FindStop says whether a person asks never to be written to again. words are the stop
// words of the organization: a message that is nothing but one of them is certain.
func FindStop(text string, words []string) Stop {
	if word, ok := FindBare(text, words); ok {
		return Stop{Certain, word, true}
	}
	return read(text).stop()
}

// maxBare is the longest message that is compared with whole stop words, in bytes.
const maxBare = 400

// FindBare says which of some words a message is, and nothing else: in any case and
// script, whatever apostrophes, signs, pictures and words of courtesy are around it.
func FindBare(text string, words []string) (word string, ok bool) {
	if len(text) > maxBare {
		return "", false
	}
	said := bare(text)
	if said == "" {
		return "", false
	}
	for _, w := range words {
		if bare(w) == said {
			return w, true
		}
	}
	if m := read(said); len(m.words) == 1 && m.words[0].uzbek && ceases(&m.words[0]) {
		for _, w := range words { // another form of the verb: toʻxtatingiz
			if o := read(w); len(o.words) == 1 && o.words[0].uzbek && ceases(&o.words[0]) && begins(o.words[0].key, toStop...) && begins(m.words[0].key, toStop...) {
				return w, true
			}
		}
	}
	return "", false
}

// toStop is how the Uzbek verb of making somebody stop begins, as keys; toʻxta alone is to stop
// by oneself.
var toStop = []string{"tohtat", "tuhtat"}

// CancelsToo says whether a stop word asks for the end of an order or a booking just as well:
// bekor qil, отмена, cancel.
func CancelsToo(word string) bool { return read(word).has(cancel) }

// Asks says whether a text asks something.
func Asks(text string) bool { return read(text).question }

// bare is a text as tokens, without words of courtesy at its ends.
func bare(text string) string {
	words := read(text).words
	for len(words) > 1 && words[0].class&polite != 0 {
		words = words[1:]
	}
	for len(words) > 1 && words[len(words)-1].class&polite != 0 {
		words = words[:len(words)-1]
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.token)
	}
	return b.String()
}

// window is how many words may stand between a cessation and what shall cease.
const window = 6

// stop judges a message that is no bare stop word.
func (m *message) stop() Stop {
	if len(m.words) == 0 {
		return Stop{}
	}
	if i := m.first(forbidden(cease | leavesOff | remove)); i >= 0 && !m.quantity(i) {
		return Stop{} // to'xtatmang, не прекращайте, don't stop
	}
	i, j, ok := m.plainStop()
	if ok {
		switch m.trap(i, j) {
		case noTrap:
			return Stop{Certainty: Certain, Phrase: m.phrase(i, j)}
		case someTrap:
			return Stop{Certainty: Likely, Phrase: m.phrase(i, j)}
		}
		return Stop{}
	}
	if i, j, ok = m.doubtfulStop(); ok && m.trap(i, j) == noTrap {
		return Stop{Certainty: Likely, Phrase: m.phrase(i, j)}
	}
	return Stop{}
}

// quantity tells that what is forbidden is no cessation at all: never more than enough.
func (m *message) quantity(i int) bool { return m.words[i].key == "enough" || m.words[i].key == "bas" }

// plainStop finds a cessation of talk, or talk that is forbidden: the words it stands at.
func (m *message) plainStop() (i, j int, ok bool) {
	for _, rule := range []func() (int, int, bool){
		// menga yozmang, не пишите, don't text me
		func() (int, int, bool) { return m.one(forbidden(write)) },
		// boshqa xabar yubormang, не присылайте рекламу
		func() (int, int, bool) { return m.near(forbidden(send), is(talk|more), window) },
		func() (int, int, bool) {
			if m.sendsAnother() {
				return 0, 0, false
			}
			return m.near(forbidden(send), is(self), window)
		},
		// bezovta qilmang, не беспокойте
		func() (int, int, bool) { return m.one(forbidden(bother)) },
		func() (int, int, bool) { return m.near(is(bother), forbidden(does), 2) },
		func() (int, int, bool) { return m.near(is(talk), forbidden(does), 2) },
		// reklama kelmasin
		func() (int, int, bool) {
			return m.near(is(talk), func(w *word) bool { return forbidden(does)(w) && strings.HasSuffix(w.key, "kelmasin") }, window)
		},
		// tinch qo'ying, оставьте в покое, leave me alone, отстаньте
		func() (int, int, bool) { return m.near(is(calm), is(leave), 3) },
		func() (int, int, bool) {
			return m.one(func(w *word) bool { return plain(goAway)(w) && (w.imp || !w.uzbek) })
		},
		// reklamani to'xtating, хватит слать, stop texting
		func() (int, int, bool) {
			return m.near(ceases, func(w *word) bool { return w.class&(talk|bother) != 0 || w.class&(write|send) != 0 && !w.neg }, window)
		},
		// obunani bekor qiling, отмените подписку
		func() (int, int, bool) { return m.near(plain(cancel), is(talk), 4) },
		// отпишите, unsubscribe
		func() (int, int, bool) { return m.one(plain(leavesOff)) },
		// meni ro'yxatdan o'chiring, удалите мой номер, remove me from your list
		func() (int, int, bool) { return m.near(removes, is(talk|list), window) },
		func() (int, int, bool) {
			return m.near(removes, func(w *word) bool { return w.class&self != 0 && w.class&number != 0 }, window)
		},
		func() (int, int, bool) { return m.three(removes, is(number), is(self)) },
		func() (int, int, bool) {
			return m.phrases("take me off", "take my number off", "take us off", "get me off", "get us off", "stop receiving", "opt me out", "opt out", "want out of", "count me out", "lose my number", "forget my number", "забудьте мой номер", "забудь мой номер", "забудьте про меня", "забудьте обо мне", "lose this number", "forget this number")
		},
		// больше никаких сообщений
		func() (int, int, bool) {
			if m.has(receive) {
				return 0, 0, false
			}
			return m.near(func(w *word) bool { return strings.HasPrefix(w.key, "nikak") }, is(talk), 2)
		},
		// obunadan chiqmoqchiman, хочу выйти из рассылки
		func() (int, int, bool) { return m.near(is(exits), is(talk|list), 3) },
		// reklama kerak emas, не хочу получать сообщения, no more messages
		func() (int, int, bool) {
			return m.near(func(w *word) bool { return w.class&unneeded != 0 || w.class&(need|want|more) != 0 && w.neg }, is(talk), window)
		},
		func() (int, int, bool) {
			return m.near(is(talk), func(w *word) bool {
				return w.class&receive != 0 && w.neg && (infinitive(w.key) || !strings.HasPrefix(w.key, "poluch")) // не получил: a fact
			}, window)
		},
	} {
		if i, j, ok = rule(); ok {
			return i, j, true
		}
	}
	return 0, 0, false
}

// doubtfulStop finds what sounds like a cessation and may be something else.
func (m *message) doubtfulStop() (i, j int, ok bool) {
	for _, rule := range []func() (int, int, bool){
		func() (int, int, bool) {
			i := m.first(ceases)
			if i < 0 || m.question && m.topic()&(whereT|whenT) != 0 || m.after(i, 1, is(measure)) || m.after(i, 1, func(w *word) bool { return script.IsDigit(w.key[0]) }) || m.before(i, 1, is(measure)) {
				return 0, 0, false // enough of it, and another subject: bas, manzil qayerda
			}
			return i, i, true
		},
		func() (int, int, bool) {
			if m.has(people) && m.first(func(w *word) bool { return strings.HasPrefix(w.key, "chikar") && w.imp }) >= 0 {
				return 0, 0, false // menga operator chiqarib bering
			}
			return m.near(removes, is(self), 3)
		},
		func() (int, int, bool) {
			if m.sendsAnother() {
				return 0, 0, false
			}
			return m.one(forbidden(send))
		},
		// я не подписывался, уберите
		func() (int, int, bool) {
			return m.near(removes, func(w *word) bool { return w.neg && begins(w.key, "podpis", "subscri", "obuna") }, window)
		},
		func() (int, int, bool) { return m.near(is(anger), is(talk|write|send|bother), window) },
		func() (int, int, bool) { return m.near(is(block), is(write|send|talk), window) },
		func() (int, int, bool) { return m.near(is(more), forbidden(callMe), window) },
		func() (int, int, bool) {
			if m.has(measure) {
				return 0, 0, false // больше не надо, двух штук хватит
			}
			return m.near(is(more), func(w *word) bool { return w.class&unneeded != 0 || w.class&(need|want) != 0 && w.neg }, 2)
		},
		func() (int, int, bool) {
			return m.near(is(talk|receive), func(w *word) bool { return w.class&unneeded != 0 || w.class&(need|want) != 0 && w.neg }, window)
		},
	} {
		if i, j, ok = rule(); ok {
			return i, j, true
		}
	}
	return 0, 0, false
}

// ceases tells a request to cease: an imperative of Uzbek and Russian, or a word that is
// one by itself.
func ceases(w *word) bool {
	if w.class&cease == 0 || w.neg {
		return false
	}
	if w.uzbek && w.ask && contains(w.key, "asiz", "asan") {
		return true // toʻxtatasizlarmi: will you stop
	}
	return w.imp || !w.uzbek && !strings.HasSuffix(w.key, "adi") && slavicImperative(w.key) || bareCease[w.key]
}

var bareCease = keysOf("хватит stop стоп bas cease quit enough yetar довольно перестань перестаньте")

// removes tells a request to take out.
func removes(w *word) bool {
	if w.class&(remove|leavesOff) == 0 || w.neg {
		return false
	}
	return w.imp || !w.uzbek && slavicImperative(w.key) || englishRemove[w.key]
}

var englishRemove = keysOf("remove delete erase unsubscribe")

// one is a rule of one word.
func (m *message) one(a func(*word) bool) (i, j int, ok bool) {
	i = m.first(a)
	return i, i, i >= 0
}

// three is a rule of three words near each other.
func (m *message) three(a, b, c func(*word) bool) (i, j int, ok bool) {
	i, j, ok = m.near(a, b, window)
	if !ok {
		return 0, 0, false
	}
	k := m.first(c)
	if k < 0 || k < i-3 || k > j+3 {
		return 0, 0, false
	}
	return min(i, k), max(j, k), true
}

// phrases finds words that stand in this order, other words at most one between.
func (m *message) phrases(list ...string) (i, j int, ok bool) {
	for _, p := range list {
		want := strings.Fields(bareKeys(p))
		for i := range m.words {
			at := i
			for _, w := range want {
				k := at
				for k < min(at+2, len(m.words)) && m.words[k].key != w {
					k++
				}
				if k >= min(at+2, len(m.words)) {
					at = -1
					break
				}
				at = k + 1
			}
			if at > 0 && m.words[i].key == want[0] {
				return i, at - 1, true
			}
		}
	}
	return 0, 0, false
}

// bareKeys are the keys of the words of a phrase.
func bareKeys(p string) string {
	words := script.Tokens(p)
	for i, w := range words {
		words[i] = script.Key(w)
	}
	return strings.Join(words, " ")
}
