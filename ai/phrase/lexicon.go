package phrase

import (
	"fmt"
	"strings"
)

// Mask is a set of classes, one bit each.
type Mask uint64

// Lexicon gives words their classes.
type Lexicon struct {
	exact  map[string]Mask // whole keys
	stems  map[string]Mask // keys that an inflection may follow
	starts map[string]Mask // keys that anything may follow
	// lengths has a bit for each length that a stem or a start may have.
	lengths uint64
}

// maxStem is the longest stem in bytes of its key.
const maxStem = 63

// Class is one line of a lexicon: the bit, and its words in usual spelling, separated
// by spaces. A word is meant as written; `word+` also with the usual inflections of
// nouns, adjectives and persons in Uzbek, Russian and English; `word*` with any end.
type Class struct {
	Bit   Mask
	Words string
}

// NewLexicon makes a lexicon. It panics about a word without letters or too long,
// because the words are part of the program.
func NewLexicon(classes ...Class) *Lexicon {
	l := &Lexicon{exact: map[string]Mask{}, stems: map[string]Mask{}, starts: map[string]Mask{}}
	for _, c := range classes {
		for word := range strings.FieldsSeq(c.Words) {
			l.add(word, c.Bit)
		}
	}
	return l
}

func (l *Lexicon) add(word string, bit Mask) {
	into := l.exact
	switch {
	case strings.HasSuffix(word, "*"):
		into = l.starts
	case strings.HasSuffix(word, "+"):
		into = l.stems
	}
	key := Key(strings.TrimRight(word, "*+"))
	if key == "" || len(key) > maxStem {
		panic(fmt.Sprintf("phrase: %q cannot be a word of a lexicon", word))
	}
	into[key] |= bit
	l.lengths |= 1 << len(key)
}

// Classes are the classes of a key.
func (l *Lexicon) Classes(key string) Mask {
	all := l.exact[key]
	for n := 1; n <= len(key) && n <= maxStem; n++ {
		if l.lengths&(1<<n) == 0 {
			continue
		}
		all |= l.starts[key[:n]]
		if m := l.stems[key[:n]]; m&^all != 0 && Inflected(key, n) {
			all |= m
		}
	}
	return all
}

// Inflected tells whether a key is its first n bytes with a usual inflection behind
// them, or nothing. A suffix that begins with the last letter of the stem has lost it
// in the key (odam-man is odaman).
func Inflected(key string, n int) bool {
	if n > len(key) {
		return false
	}
	rest := key[n:]
	if rest == "" || foreignEnd[rest] || uzbekEnd(rest, 0) {
		return true
	}
	return n > 1 && uzbekEnd(key[n-1:], 0)
}

// uzbekSuffixes are the suffixes of number, possession, case, person and the
// question, as keys.
var uzbekSuffixes = []string{
	"lar", "im", "ing", "imiz", "ingiz", "i", "si", "m", "ng", "miz", "ngiz", "ni", "ning", "ga", "ka", "da", "dan",
	"gacha", "kacha", "dagi", "niki", "mi", "dir", "man", "san", "siz", "mas", "cha", "day", "dek", "ku", "chi", "u", "yu", "am", "di",
}

// uzbekEnd tells whether rest is up to four suffixes in a row.
func uzbekEnd(rest string, depth int) bool {
	if rest == "" {
		return true
	}
	if depth == 4 {
		return false
	}
	for _, s := range uzbekSuffixes {
		if after, ok := strings.CutPrefix(rest, s); ok && uzbekEnd(after, depth+1) {
			return true
		}
	}
	return false
}

// foreignEnd has the endings of Russian nouns, adjectives and short forms and the
// English plural, as keys.
var foreignEnd = func() map[string]bool {
	m := map[string]bool{}
	for e := range strings.FieldsSeq(`a u o e i y ya yu ov ev om em am yam ami yami ah yah oy ey ie aya yaya oe ogo ego omu emu im ih imi ihi uyu
		yuyu iy iu iya iyu iem iey ii iyam iyami iyah s es`) {
		m[Key(e)] = true
	}
	return m
}()
