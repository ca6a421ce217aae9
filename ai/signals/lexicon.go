package signals

import (
	"strings"

	"svc/ai/phrase"
)

// class is a set of lemma classes.
type class uint64

// form is how an entry of a lexicon is compared.
type form uint8

const (
	exact form = iota // the word itself
	stem              // a beginning: Russian and English inflect behind it, Uzbek nouns too
	verb              // a stem of an Uzbek verb: its endings are read, negation among them
)

type entry struct {
	class class
	form  form
}

// lexicon holds the entries by the key of their beginning.
type lexicon struct {
	entries map[string][]entry
	longest int
}

// add reads entries of one class: "слово" is exact, "слов*" a beginning, "yoz+" the stem of
// an Uzbek verb. Entries are compared by script.Key, so each is written once whatever
// script and apostrophe people use.
func (l *lexicon) add(c class, list string) {
	if l.entries == nil {
		l.entries = map[string][]entry{}
	}
	for _, w := range strings.Fields(list) {
		e := entry{class: c}
		if cut, ok := strings.CutSuffix(w, "*"); ok {
			w, e.form = cut, stem
		} else if cut, ok := strings.CutSuffix(w, "+"); ok {
			w, e.form = cut, verb
		}
		k := phrase.Key(w)
		l.entries[k] = append(l.entries[k], e)
		l.longest = max(l.longest, len(k))
	}
}

// word is one token of a message and what is known about it.
type word struct {
	token      string // as script.Tokens writes it, without letters repeated more than twice
	key        string
	written    string // in lower case
	class      class
	topic      class // of topics
	start, end int
	uzbek      bool // a form of an Uzbek verb
	neg        bool // negated: yozma-, не пишите, don't write
	imp        bool // an imperative, or what stands for one: yozmang, пишите, писать не надо
	ask        bool // ends with the Uzbek particle of questions
	opens      bool // a sentence begins with it
	joint      bool // a comma stands before it
}

// fill finds the classes of a word.
func (l *lexicon) fill(w *word) {
	for n := 1; n <= min(len(w.key), l.longest); n++ {
		for _, e := range l.entries[w.key[:n]] {
			rest := w.key[n:]
			switch e.form {
			case exact:
				if rest != "" {
					continue
				}
			case verb:
				v, ok := verbForm(rest)
				if !ok {
					continue
				}
				w.uzbek = true
				w.neg, w.imp = w.neg || v.neg, w.imp || v.imp
				w.ask = w.ask || v.ask
			}
			w.class |= e.class
		}
	}
}

// fillTopic finds the topics of a word; the signs of its verbs are those of fill.
func (l *lexicon) fillTopic(w *word) {
	copied := *w
	copied.class = 0
	l.fill(&copied)
	w.topic = copied.class
	w.ask = w.ask || copied.ask
}

// verbal is what the endings of an Uzbek verb say.
type verbal struct{ neg, imp, ask bool }

// voices stand between the stem and the rest: causative, passive, reciprocal, and the verbs
// that say "go on" (yozavermang) and "at once" (chiqarvoring).
var voices = []string{"tir", "dir", "tiril", "il", "in", "ish", "lash", "tirish", "aver", "ver", "yver", "iver", "ivor", "avor", "vor"}

// orders of Uzbek: the endings of imperative, wish and polite request, as keys.
var imperatives = keySet("", "ng", "ing", "ngiz", "ingiz", "ngizlar", "ingizlar", "nglar", "inglar", "gin", "in", "la", "ela", "lar", "ngla", "ingla", "sin", "sinlar", "nga", "inga",
	"sangiz", "sangizlar", "sangchi", "sangizchi", "sanglarchi", "sanglar", "sang", "sez", "sa", "salar", "aylik", "ylik", "slik", "sliginiz", "sligingiz", "sligingizni", "slikni", "y", "yin", "sela", "iz", "z",
	"ingchi", "ngchi", "gancha", "avering", "aver", "magan", "ib turing", "yla", "yli", "ylar", "ila", "ilar", "n")

// keySet holds endings, which are keys already.
func keySet(list ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range list {
		set[w] = true
	}
	return set
}

// keysOf holds the keys of words.
func keysOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[phrase.Key(w)] = true
	}
	return set
}

// tails begin what may follow the stem of a verb.
var tails = []string{"di", "ti", "yap", "yop", "ayap", "vot", "ot", "a", "y", "ib", "b", "ish", "sh", "mok", "gan", "kan", "gach", "gun", "uv", "ur", "r", "ar", "sa", "sin", "ng", "ing", "gin", "in", "ol", "vor", "il", "tir", "e", "lar", "la", "iz", "z", "i"}

// verbForm reads what stands behind the stem of a verb.
func verbForm(rest string) (v verbal, ok bool) {
	for _, s := range voices {
		if after, has := strings.CutPrefix(rest, s); has && (strings.HasPrefix(after, "ma") || strings.HasPrefix(after, "me") || imperatives[after] && s != "in") {
			rest = after
			break
		}
	}
	if after, has := strings.CutPrefix(rest, "ma"); has && after != "sdan" {
		return verbal{neg: true, imp: imperatives[after], ask: strings.HasSuffix(after, "mi")}, !strings.HasPrefix(after, "gaz") && !strings.HasPrefix(after, "t")
	}
	if after, has := strings.CutPrefix(rest, "me"); has && imperatives[after] {
		return verbal{neg: true, imp: true}, true
	}
	if imperatives[rest] {
		return verbal{imp: true}, true
	}
	for _, t := range tails {
		if strings.HasPrefix(rest, t) {
			return verbal{ask: strings.HasSuffix(rest, "mi"), neg: strings.Contains(rest, "mayap") || strings.Contains(rest, "olma")}, true
		}
	}
	return v, false
}
