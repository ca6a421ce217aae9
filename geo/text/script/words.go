package script

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Word is one token of a text and where it stands there.
type Word struct {
	Text       string // as Tokens writes it
	Start, End int    // bytes of the text that was read, from and up to
}

// Words is Tokens with the place of each token: s[w.Start:w.End] is what was
// written, marks and apostrophes inside it included. The work is linear in s; the
// caller bounds it.
func Words(s string) []Word {
	if s == "" {
		return nil
	}
	w := placed{t: tokenizer{buf: make([]byte, 0, len(s)+len(s)/4+2)}, words: make([]Word, 0, min(len(s)/wordBytes+2, mostExpected))}
	if surelyComposed(s) || norm.NFC.IsNormalString(s) {
		for i := 0; i < len(s); {
			n := w.t.step(s[i:])
			w.note(i, i+n)
			i += n
		}
	} else {
		for i := 0; i < len(s); {
			w.part(s, i, i+boundary(s[i:]))
			i += boundary(s[i:])
		}
	}
	w.t.end()
	w.note(len(s), len(s))
	for i, text := range w.t.tokens() {
		w.words[i].Text = text
	}
	return w.words
}

// Room that is made for words at once: one for so many bytes of a text, and at most so many.
const (
	wordBytes    = 7
	mostExpected = 1024
)

// boundary is the length of the first part of s that composes by itself. A part of
// more than 64 bytes, which only a hostile text has, is cut at a character.
func boundary(s string) int {
	const longest = 64
	n := norm.NFC.NextBoundaryInString(s, true)
	if n <= 0 {
		n = len(s)
	}
	if n > longest {
		for n = longest; n > 0 && !utf8.RuneStart(s[n]); n-- {
		}
	}
	return max(n, 1)
}

// placed notes where the tokens of a tokenizer begin and end.
type placed struct {
	t     tokenizer
	words []Word
	size  int // of t.buf, after the last character
}

// part writes s[from:to] composed.
func (w *placed) part(s string, from, to int) {
	composed := norm.NFC.String(s[from:to])
	for j := 0; j < len(composed); {
		rest := composed[j:]
		if j+1 >= len(composed) && to < len(s) {
			rest += s[to:min(len(s), to+utf8.UTFMax)] // a joiner looks at what follows
		}
		j += w.t.step(rest)
		w.note(from, to)
	}
}

// note looks at what the character at from did.
func (w *placed) note(from, to int) {
	t := &w.t
	for len(w.words) < t.count {
		w.words = append(w.words, Word{Start: from, End: to}) // begun and ended by one character
	}
	open := len(t.buf) > t.start
	switch {
	case !open:
	case len(w.words) == t.count:
		w.words = append(w.words, Word{Start: from, End: to})
	case len(t.buf) > w.size:
		w.words[t.count].End = to
	}
	w.size = len(t.buf)
}
