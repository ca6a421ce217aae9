package search

import (
	"strings"

	"svc/geo/index"
	"svc/geo/text"
)

// A word that is not written as the map writes it may be declined (в Рязани,
// Chilonzorda) or have one letter wrong (маросека for Маросейка). Both are
// found before candidates are fetched, as terms that the word may mean; they
// count from the stage fuzzy on (map contract 41.3).

// nearTerm is an index term that a word of the query may mean, and what it scores.
type nearTerm struct {
	term   uint32
	score  float64
	letter bool // one letter is wrong; otherwise it is declined
}

const (
	scoreInflected = 0.85
	scoreOneLetter = 0.70 // of seven letters or more; 0.01 less for each letter that is missing
	lossShorter    = 0.01
	respelled      = 4  // the shortest word, in characters, that is read otherwise
	maxRespelled   = 40 // and the longest, in bytes
	maxNear        = 24
	scanned        = 400 // terms that are compared one by one
)

// alphabet are the letters of normalised words.
const alphabet = "abcdefghijklmnopqrstuvwxyz"

// nearTerms are the other terms that a word may mean.
func nearTerms(x *index.Index, w *word) []nearTerm {
	if w.length < respelled || len(w.text) > maxRespelled || strings.ContainsAny(w.text, "0123456789") {
		return nil
	}
	var out []nearTerm
	add := func(term uint32, score float64, letter bool) {
		for i := range out {
			if out[i].term == term {
				return
			}
		}
		if len(out) < maxNear && !w.prefix.Has(term) {
			out = append(out, nearTerm{term, score, letter})
		}
	}
	for _, base := range text.BaseForms(w.text) {
		if span := x.Exact(base); span.Len() > 0 {
			add(span.From, scoreInflected, false)
		}
	}
	score := scoreOneLetter - lossShorter*float64(max(0, 7-w.length))
	oneLetterAway(x, w.text, func(term uint32) { add(term, score, true) })
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
				if s := x.Term(t); s != w && oneEdit(s[i:], w[i:]) {
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

// oneEdit reports whether a and b differ in one letter, or two exchanged.
func oneEdit(a, b string) bool {
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
