// Package spelling finds what a word means that is not written as the map writes it: it
// may be declined (в Рязани, Chilonzorda) or have one letter wrong (маросека for
// Маросейка). It promises that each is found as terms of the index before candidates are
// fetched, in bounded time; they count from the stage fuzzy on (map contract 41.3). It
// refuses to guess at short words, and at two wrong letters.
package spelling

import (
	"svc/geo/index"
	"svc/geo/text"
)

// Term is an index term that a word of the query may mean, and what it scores.
type Term struct {
	Term   uint32
	Score  float64
	Letter bool // one letter is wrong; otherwise it is declined
}

// What a term scores that a word may mean.
const (
	Inflected   = 0.85
	OneLetter   = 0.70 // of seven letters or more
	LossShorter = 0.01 // for each letter that is missing to seven
)

const (
	respelled    = 4  // the shortest word, in characters, that is read otherwise
	maxRespelled = 40 // and the longest, in bytes
	maxNear      = 24
	scanned      = 400 // terms that are compared one by one
)

// alphabet are the letters of normalised words.
const alphabet = "abcdefghijklmnopqrstuvwxyz"

// Terms are the other terms that a word may mean. prefix are the terms that begin with
// it, which it means as it is written.
func Terms(x *index.Index, w string, prefix index.Span) []Term {
	length := text.Length(w)
	if length < respelled || len(w) > maxRespelled || text.HasDigit(w) {
		return nil
	}
	var out []Term
	add := func(term uint32, score float64, letter bool) {
		for i := range out {
			if out[i].Term == term {
				return
			}
		}
		if len(out) < maxNear && !prefix.Has(term) {
			out = append(out, Term{term, score, letter})
		}
	}
	for _, base := range text.BaseForms(w) {
		if span := x.Exact(base); span.Len() > 0 {
			add(span.From, Inflected, false)
		}
	}
	score := OneLetter - LossShorter*float64(max(0, 7-length))
	oneLetterAway(x, w, func(term uint32) { add(term, score, true) })
	return out
}

// oneLetterAway calls yield with the terms that differ from w in one letter more,
// less or other, or in two exchanged. The terms that begin like w are walked: for
// the first letters, which many terms share, each change is looked up; as soon
// as few are left they are compared one by one.
func oneLetterAway(x *index.Index, w string, yield func(term uint32)) {
	look := func(s string) {
		if span := x.Exact(s); span.Len() > 0 {
			yield(span.From)
		}
	}
	for i := range len(w) + 1 {
		span := x.Prefix(w[:i])
		if span.Len() <= scanned {
			for t := span.From; t < span.To; t++ {
				if s := x.Term(t); s != w && OneEdit(s[i:], w[i:]) {
					yield(t)
				}
			}
			return
		}
		for _, c := range alphabet {
			look(w[:i] + string(c) + w[i:])
			if i < len(w) && w[i] != byte(c) {
				look(w[:i] + string(c) + w[i+1:])
			}
		}
		if i < len(w) {
			look(w[:i] + w[i+1:])
		}
		if i+1 < len(w) {
			look(w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:])
		}
	}
}

// OneEdit reports whether a and b differ in one letter, or two exchanged.
func OneEdit(a, b string) bool {
	if len(a) > len(b)+1 || len(b) > len(a)+1 {
		return false
	}
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	switch {
	case len(a) > len(b):
		return a[1:] == b
	case len(b) > len(a):
		return b[1:] == a
	case len(a) == 0:
		return false
	}
	return a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
