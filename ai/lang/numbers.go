package lang

import (
	"math"
	"strings"
	"unicode/utf8"

	"svc/geo/text/script"
)

// Number is one number of a text.
type Number struct {
	Value      float64
	Start, End int  // bytes of the text; the word that multiplies (ming, тыс.) is inside
	Words      bool // written in words only
	Ordinal    bool // a place in an order: uchinchi
	Glued      bool // a letter stands directly before: A52
	Digits     int  // digits of its first part as written, 0 in words
	Scaled     bool // multiplied by a word or letter: 250 ming, 5k
	// RangeTo says that the next number is the other end of a range: 260–310 ming, from 5
	// to 6. A scale behind the second then counts for the first too.
	RangeTo bool
}

// Numbers reads the numbers of a text in order: digits of any script with groups of
// thousands (space, dot, comma, apostrophe), a decimal part, words of multiplication
// (250 ming, 1,5 млн, 5k), and numbers in words in Uzbek, Russian and English with
// their halves. Groups of digits that are no thousands (a phone, 15 128) are numbers of
// their own. What does not fit a float64 exactly is cut to 15 digits.
func Numbers(text string) []Number {
	text = bounded(text)
	r := reader{text: text, pieces: pieces(text)}
	for r.at < len(r.pieces) {
		if n, ok := r.number(); ok {
			r.out = append(r.out, n)
			continue
		}
		r.at++
	}
	r.ranges()
	return r.out
}

type reader struct {
	text   string
	pieces []piece
	at     int
	out    []Number
}

// number reads the number at the place of the reader.
func (r *reader) number() (n Number, ok bool) {
	sum := sum{}
	first := r.at
	n.Words = true
	for r.at < len(r.pieces) {
		if r.at > first && !r.joined() {
			break
		}
		p := r.pieces[r.at]
		if p.digits != "" {
			if !sum.wantsDigits(r, first) {
				break
			}
			value, end := r.digits()
			if r.at == first {
				n.Digits = len(p.digits)
				n.Glued = p.glued && first > 0 && r.pieces[first-1].word != ""
			}
			n.Words, n.End = false, r.pieces[end].end
			sum.group, sum.open, sum.digit = value, true, true
			sum.last = 1
			r.at = end + 1
			continue
		}
		w, stripped, ordinal, known := numeralOf(p.word)
		if !known || !r.isNumeral(w, sum) || !sum.add(w) {
			break
		}
		n.End = p.end
		n.Scaled = n.Scaled || w.part == scale
		r.at++
		if r.at < len(r.pieces) && w.part == scale && r.pieces[r.at].word != "" && strings.HasPrefix(r.text[p.end:], ".") && len(p.word) <= 4 {
			n.End++ // тыс.
		}
		if stripped {
			n.Ordinal = ordinal
			break
		}
	}
	if r.at == first {
		return n, false
	}
	n.Start = r.pieces[first].start
	n.Value = sum.value()
	return n, true
}

// joined says that nothing but spaces, a hyphen or the words "and", "with" stands before
// the piece: they are skipped.
func (r *reader) joined() bool {
	between := r.text[r.pieces[r.at-1].end:r.pieces[r.at].start]
	if strings.Trim(between, " \t\u00a0-.") != "" || len(between) > 3 || strings.Contains(between, ". ") && len(r.pieces[r.at-1].word) > 4 {
		return false
	}
	p := r.pieces[r.at]
	if p.word == "s" || p.word == "and" || p.word == "a" {
		// девять с половиной, two and a half
		for k := r.at; k < min(r.at+3, len(r.pieces)); k++ {
			w := r.pieces[k].word
			if n, ok := numerals[w]; ok && k > r.at && (n.part == half || n.part == scale && p.word == "a" || p.word == "and" && n.tongue == english) {
				r.at = k
				return true
			}
			if w != "s" && w != "and" && w != "a" {
				return false
			}
		}
		return false
	}
	return true
}

// isNumeral refuses words that only look like numerals: on (in English, он) for oʻn, k
// that follows no digits, a half that halves nothing, and эти, which is "these", for eti, a
// spelling of yetti that begins with no э.
func (r *reader) isNumeral(w numeral, s sum) bool {
	p := r.pieces[r.at]
	first, _ := utf8.DecodeRuneInString(r.text[p.start:])
	if (first == 'э' || first == 'Э') && strings.HasPrefix(p.word, "eti") {
		return false
	}
	switch p.word {
	case "on":
		if first == 'ў' || first == 'Ў' {
			return true
		}
		for _, c := range r.text[p.start:p.end] {
			if script.IsApostrophe(c) {
				return true
			}
		}
		if r.at+1 < len(r.pieces) {
			next, _, _, ok := numeralOf(r.pieces[r.at+1].word)
			return ok && (next.tongue == uzbek && next.part == ones || next.part == scale)
		}
		return false
	case "m": // 4.2M UZS, $2M; m alone is a metre
		after := r.at+1 < len(r.pieces) && IsCurrency(r.pieces[r.at+1].word)
		return s.open && r.text[p.start] == 'M' && (after || r.at > 0 && strings.HasSuffix(r.text[:r.pieces[r.at-1].start], "$"))
	case "k", "ths", "tis", "tish", "tiys", "mln", "mlrd", "lyam", "tishch":
		return s.open
	case "sem", "tri", "sta", "one", "a":
		return true
	}
	return w.part != half || s.open || w.tongue != english || r.at+1 < len(r.pieces)
}

// digits reads groups of digits from the place of the reader: their value and the index of
// the last piece that belongs to it.
func (r *reader) digits() (value float64, last int) {
	at := r.at
	last = at
	mantissa := r.pieces[at].digits
	sep := r.separator(at)
	for len(r.pieces[at].digits) <= 3 && sep != 0 && r.separator(last) == sep && len(r.pieces[last+1].digits) == 3 {
		last++
	}
	if last > at && !r.areGroups(at, last, sep) {
		last = at
	}
	for _, p := range r.pieces[at+1 : last+1] {
		mantissa += p.digits
	}
	places := 0
	if s := r.separator(last); (s == '.' || s == ',') && (s != sep || last == at) && !r.pieces[last+1].glued {
		frac := r.pieces[last+1].digits
		after := r.separator(last + 1)
		if len(frac) <= 4 && !r.inDate(last) && after != '.' && after != ',' && !(len(frac) == 2 && len(mantissa) <= 2 && r.looksLikeDate(last+1)) {
			mantissa, places, last = mantissa+frac, len(frac), last+1
		}
	}
	if len(mantissa) > 15 {
		mantissa = mantissa[:15]
	}
	return parseDigits(mantissa) / math.Pow10(places), last
}

// separator is the one character between the digits at i and the digits behind, 0 when
// something else stands there or no digits follow.
func (r *reader) separator(i int) rune {
	if i+1 >= len(r.pieces) || r.pieces[i].digits == "" || r.pieces[i+1].digits == "" {
		return 0
	}
	between := r.text[r.pieces[i].end:r.pieces[i+1].start]
	c, n := utf8.DecodeRuneInString(between)
	if n != len(between) {
		return 0
	}
	switch {
	case c == '\u00a0' || c == '\u202f' || c == '\u2009' || c == ' ':
		return ' '
	case script.IsApostrophe(c):
		return '\''
	case c == '.' || c == ',':
		return c
	}
	return 0
}

// areGroups tells thousands from other runs of digits. Spaces group only when all of the
// run is grouped and its first group is no zero; one group behind a dot or comma is a decimal part when a million
// follows (1.250 mln) or a zero stands before.
func (r *reader) areGroups(at, last int, sep rune) bool {
	if strings.HasPrefix(r.pieces[at].digits, "0") {
		return false
	}
	next := last + 1
	hasNext := next < len(r.pieces)
	switch sep {
	case ' ':
		// 90 123 45 67 is a phone, 15 128GB a name.
		if r.separator(last) == ' ' || at > 0 && r.separator(at-1) != 0 {
			return false
		}
		return !hasNext || !r.pieces[next].glued || numerals[r.pieces[next].word].part == scale || IsCurrency(r.pieces[next].word)
	case '.', ',':
		if last == at+1 && hasNext {
			if n, _, _, ok := numeralOf(r.pieces[next].word); ok && n.part == scale && n.value > 1000 {
				return false
			}
		}
	}
	return true
}

// looksLikeDate tells 15.09, 15.09.2026 and 18.00 from a decimal number: two digits behind
// a dot, and no scale or currency behind them.
func (r *reader) looksLikeDate(i int) bool {
	if r.text[r.pieces[i].start-1] != '.' {
		return false
	}
	if before := strings.TrimRight(r.text[:r.pieces[i-1].start], " \u00a0"); strings.HasSuffix(before, "$") || strings.HasSuffix(before, "€") {
		return false
	}
	if i+1 < len(r.pieces) && r.pieces[i+1].word != "" {
		w := r.pieces[i+1].word
		n, _, _, ok := numeralOf(w)
		return !(ok && n.part == scale) && !IsCurrency(w) && len(r.pieces[i-1].digits) == 2
	}
	return len(r.pieces[i-1].digits) == 2
}

// inDate tells the second part of a date: digits with a dot on both sides of which two
// digits stand before.
func (r *reader) inDate(i int) bool {
	return i > 0 && r.separator(i-1) == '.' && r.separator(i) == '.' && len(r.pieces[i].digits) <= 2
}

// ranges marks the first numbers of ranges, and gives them the scale of the second.
func (r *reader) ranges() {
	for i := 0; i+1 < len(r.out); i++ {
		a, b := &r.out[i], &r.out[i+1]
		between := strings.TrimSpace(r.text[a.End:b.Start])
		switch between {
		case "-", "–", "—", "−", "...", "…", "dan", "дан", "dan -", "до", "to", "ot", "yoki", "or", "или":
		case "":
			if !(a.Words && b.Words && a.Ordinal == b.Ordinal && a.Value < b.Value && b.Value <= a.Value*3) {
				continue
			}
		default:
			continue
		}
		if a.Value <= 0 || a.Words != b.Words && !b.Scaled && strings.ContainsAny(between, "-–—−") || a.Value >= b.Value && !b.Scaled {
			continue
		}
		if b.Scaled && !a.Scaled {
			by := scaleOf(b.Value)
			if b.Words || a.Value < by {
				if a.Value*by >= b.Value && between != "" {
					continue
				}
				a.Value *= by
				a.Scaled = true
			}
		}
		a.RangeTo = a.Value < b.Value
	}
}

// scaleOf is the greatest scale in a scaled value.
func scaleOf(v float64) float64 {
	switch {
	case v >= 1e9:
		return 1e9
	case v >= 1e6:
		return 1e6
	}
	return 1e3
}
