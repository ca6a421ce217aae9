// Package phrase reads a text for rules that look at words: each word in the form in
// which hurried writings of Uzbek, Russian and English are equal, with its place, its
// clause and its sentence, and lexicons that give words classes.
//
// It promises that a lexicon written in usual spelling finds its words in Latin and
// Cyrillic letters and with every apostrophe, and that the work is linear in the text.
//
// It refuses to know languages: which words belong to a class, and what a class
// means, is said by the packages that make a lexicon.
package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// Word is one word of a text.
type Word struct {
	Key        string // as script.Key writes it
	Start, End int    // bytes of the text, from and up to
	Sentence   int    // number of the sentence, from 0
	Clause     int    // number of the clause in the whole text, from 0
	Capital    bool   // begins with a capital letter
	Classes    Mask   // of the lexicon that the text was read with
}

// Text is a text with its words.
type Text struct {
	Source string
	Words  []Word
	// Asks tells for each sentence whether a question mark ends it.
	Asks []bool
}

// Read takes s apart. A sentence ends at . ! ? … and at the end of a line, a clause
// also at , ; : ( ) " and at a dash between spaces; a dot, a comma or a colon between
// two letters or digits ends nothing (12.5, 10:00, shop.example). The lexicon may be nil.
func Read(s string, lexicon *Lexicon) Text {
	words := script.Words(s)
	t := Text{Source: s, Words: make([]Word, 0, len(words))}
	b := bounds{s: s}
	asks := false
	for _, w := range words {
		asks = b.advance(w.Start) || asks
		for len(t.Asks) < b.sentence {
			t.Asks = append(t.Asks, asks)
			asks = false
		}
		b.at = max(b.at, w.End)
		r, _ := utf8.DecodeRuneInString(s[w.Start:])
		word := Word{
			Key: script.Key(w.Text), Start: w.Start, End: w.End,
			Sentence: b.sentence, Clause: b.clause, Capital: unicode.IsUpper(r),
		}
		if lexicon != nil {
			word.Classes = lexicon.Classes(word.Key)
		}
		t.Words = append(t.Words, word)
	}
	b.advance(len(s))
	if len(words) > 0 {
		t.Asks = append(t.Asks, b.asked)
	}
	return t
}

// bounds finds the ends of clauses and sentences between words.
type bounds struct {
	s                string
	at               int
	sentence, clause int
	asked            bool // the last sentence end had a question mark
	words            bool // a word was seen since the last end
}

// advance reads up to the byte to and tells whether a question mark was there.
func (b *bounds) advance(to int) (asks bool) {
	ended, broken := false, false
	for b.at < to {
		r, n := utf8.DecodeRuneInString(b.s[b.at:])
		switch kind := endOf(r); {
		case kind == endNone:
		case kind == endInside && b.inside(b.at, n):
		case r == '?' || r == '？' || r == '؟':
			asks, ended = true, true
		case kind == endDash && !b.spaced(b.at, n):
		case kind == endSentence, r == '.':
			ended = true
		default:
			broken = true
		}
		b.at += n
	}
	b.asked = asks
	if ended && b.words {
		b.sentence++
	}
	if (ended || broken) && b.words {
		b.clause++
	}
	if to < len(b.s) {
		b.words = true
	}
	return asks
}

// What a character may end.
const (
	endNone     = iota
	endSentence // always
	endClause   // always
	endInside   // a clause or sentence unless letters or digits touch it on both sides
	endDash     // a clause when spaces stand around it
)

func endOf(r rune) int {
	switch r {
	case '!', '?', '…', '\n', '\r', '？', '！', '。', '؟', '•':
		return endSentence
	case '.', ',', ':':
		return endInside
	case ';', '(', ')', '[', ']', '"', '«', '»', '“', '”', '—':
		return endClause
	case '-', '–', '−':
		return endDash
	}
	return endNone
}

// inside tells whether letters or digits stand on both sides of the character at i.
func (b *bounds) inside(i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.s[:i])
	after, _ := utf8.DecodeRuneInString(b.s[i+n:])
	digits := unicode.IsDigit(before) && unicode.IsDigit(after)
	if b.s[i] == '.' {
		return digits || unicode.IsLetter(before) && unicode.IsLower(after) && after < utf8.RuneSelf
	}
	return digits
}

func (b *bounds) spaced(i, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.s[:i])
	after, _ := utf8.DecodeRuneInString(b.s[i+n:])
	return unicode.IsSpace(before) && unicode.IsSpace(after)
}

// Span is the text from the word at i to the one at j, both included.
func (t *Text) Span(i, j int) string { return t.Source[t.Words[i].Start:t.Words[j].End] }

// Sentence is the range of the words of the sentence in which the word at i stands:
// from the first, up to and without the last.
func (t *Text) Sentence(i int) (from, to int) {
	return t.around(i, func(w Word) int { return w.Sentence })
}

// Clause is the range of the words of the clause in which the word at i stands.
func (t *Text) Clause(i int) (from, to int) {
	return t.around(i, func(w Word) int { return w.Clause })
}

func (t *Text) around(i int, number func(Word) int) (from, to int) {
	from, to = i, i+1
	for from > 0 && number(t.Words[from-1]) == number(t.Words[i]) {
		from--
	}
	for to < len(t.Words) && number(t.Words[to]) == number(t.Words[i]) {
		to++
	}
	return from, to
}

// Any tells whether a word of the range has one of the classes.
func (t *Text) Any(from, to int, classes Mask) bool { return t.Find(from, to, classes) >= 0 }

// Find is the first word of the range that has one of the classes, -1 without one.
func (t *Text) Find(from, to int, classes Mask) int {
	for i := max(from, 0); i < min(to, len(t.Words)); i++ {
		if t.Words[i].Classes&classes != 0 {
			return i
		}
	}
	return -1
}

// Key is the key of a single word in usual spelling.
func Key(word string) string {
	tokens := script.Tokens(word)
	return script.Key(strings.Join(tokens, ""))
}

// Same tells whether a word is the word of a name with an inflection, in which Uzbek makes a
// last k or q a voiced one: ryukzak, ryukzagi.
func Same(key, name string) bool {
	if key == name {
		return true
	}
	if key == "" || name == "" || key[0] != name[0] {
		return false
	}
	if stem, ok := strings.CutSuffix(name, "gi"); ok && len(stem) >= 3 && strings.HasPrefix(key, stem) && Same(key, stem+"k") {
		return true
	}
	if stem, ok := strings.CutSuffix(name, "k"); ok && len(stem) >= 3 && strings.HasPrefix(key, stem+"g") {
		return Inflected(key, len(name))
	}
	if len(name) < 3 || IsFigure(name) || !strings.HasPrefix(key, name) {
		stem := strings.TrimRight(name, "aeiouy")
		return len(stem) >= 4 && !IsFigure(name) && strings.HasPrefix(key, stem) && Inflected(key, len(stem))
	}
	return Inflected(key, len(name))
}

// IsFigure tells a key that begins with a digit.
func IsFigure(key string) bool { return key != "" && '0' <= key[0] && key[0] <= '9' }

// Negated tells Uzbek verbs with the suffix of negation.
func Negated(key string) bool {
	for _, end := range []string{"maydi", "maymiz", "mayman", "magan", "maganman", "mas", "madi", "madik", "maslik"} {
		if strings.HasSuffix(key, end) && len(key) > len(end)+1 {
			return true
		}
	}
	return false
}

// Gap is what stands between the words i and i+1.
func (t *Text) Gap(i int) string {
	if i < 0 || i+1 >= len(t.Words) || t.Words[i].End > t.Words[i+1].Start {
		return ""
	}
	return t.Source[t.Words[i].End:t.Words[i+1].Start]
}

// Near tells whether only spaces or a hyphen stand between the words i and i+1.
func (t *Text) Near(i int) bool {
	if i < 0 || i+1 >= len(t.Words) {
		return false
	}
	for _, r := range t.Gap(i) {
		if r != ' ' && r != '\u00a0' && r != '\u202f' && r != '-' && r != '‑' && r != 'ь' { // no word ends with a soft sign here: десять
			return false
		}
	}
	return true
}
