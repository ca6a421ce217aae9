// Package mask finds and replaces the personal data of a text: card numbers, telephone numbers
// and e-mail addresses, whatever digits and signs they are written with.
//
// It promises places in bytes of the text that was given, in order and without overlaps, that
// what stands outside of them is untouched, and work that is linear in the text.
//
// It refuses to know what a message wants (ai/signals) and who may see what.
package mask

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/geo/text/script"
)

// Kind is a kind of personal data.
type Kind uint8

// The kinds.
const (
	Card Kind = iota
	Phone
	Email
)

// marks are what stands in the place of personal data.
var marks = [...]string{Card: "[CARD]", Phone: "[PHONE]", Email: "[EMAIL]"}

// Private is a place of personal data: bytes of the text as it was written.
type Private struct {
	Kind       Kind
	Start, End int
}

// Masked is a text without its personal data.
type Masked struct {
	Text  string
	Found []Private // in the order of the text, in places of the original
}

// Count is how many of a kind stand masked in the text, whoever masked them: card numbers are
// before a message is stored.
func (m *Masked) Count(k Kind) int { return strings.Count(m.Text, marks[k]) }

// Text replaces card numbers, phone numbers and e-mail addresses (contract 13).
func Text(text string) Masked { return replace(text, true) }

// Cards replaces card numbers only: no model ever sees one.
func Cards(text string) Masked { return replace(text, false) }

func replace(text string, all bool) Masked {
	found := Find(text)
	m := Masked{}
	var b strings.Builder
	at := 0
	for _, p := range found {
		if !all && p.Kind != Card {
			continue
		}
		b.WriteString(text[at:p.Start])
		b.WriteString(marks[p.Kind])
		at = p.End
		m.Found = append(m.Found, p)
	}
	if at == 0 {
		return Masked{Text: text}
	}
	b.WriteString(text[at:])
	m.Text = b.String()
	return m
}

// Find finds the personal data of a text, in order, without overlaps. The work is
// linear in the text.
func Find(text string) []Private {
	if !hasDigitOrAt(text) {
		return nil
	}
	f := finder{text: text}
	f.emails()
	f.groups()
	for i := 0; i < len(f.list); {
		j := i + 1
		for j < len(f.list) && f.list[j].joint != apart {
			j++
		}
		f.chain(f.list[i:j])
		i = j
	}
	return merge(f.found, f.mails)
}

func hasDigitOrAt(s string) bool {
	for _, r := range s {
		if r == '@' || r == '＠' {
			return true
		}
		if _, ok := script.Digit(r); ok {
			return true
		}
	}
	return false
}

// merge joins two lists without overlaps into one, in order.
func merge(a, b []Private) []Private {
	out := make([]Private, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].Start < b[0].Start {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

// joint is how a group of digits stands behind the one before.
type joint uint8

const (
	apart  joint = iota // words or too much between
	loose               // a comma, a line end, a filler word
	tight               // spaces, dashes, dots, brackets
	dotted              // one dot
	comma               // one comma without a space
)

// group is a run of digits.
type group struct {
	start, end int
	digits     string
	joint      joint
	plus       bool // + stands before
}

type finder struct {
	text  string
	mails []Private
	list  []group
	found []Private
}

// fillers are the words that people say between the groups of a number.
var fillers = wordSet("oxiri oxirgi davomi keyin keyn va ham soʻng undan кейин ва кейн потом и затем дальше далее then and next after plus плюс tire тире")

// groups finds the runs of digits outside of e-mail addresses.
func (f *finder) groups() {
	mails := f.mails
	for i := 0; i < len(f.text); {
		if len(mails) > 0 && i >= mails[0].Start {
			i, mails = mails[0].End, mails[1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(f.text[i:])
		if _, ok := script.Digit(r); !ok {
			i += n
			continue
		}
		g := group{start: i}
		var b strings.Builder
		for i < len(f.text) {
			r, n := utf8.DecodeRuneInString(f.text[i:])
			d, ok := script.Digit(r)
			if !ok {
				break
			}
			b.WriteByte('0' + d)
			i += n
		}
		g.end, g.digits = i, b.String()
		from := 0
		if k := len(f.list); k > 0 {
			from = f.list[k-1].end
			g.joint = jointOf(f.text[from:g.start])
		}
		g.plus = strings.HasSuffix(strings.TrimRight(f.text[from:g.start], " ("), "+")
		if g.plus {
			g.joint = min(g.joint, loose)
		}
		f.list = append(f.list, g)
	}
}

// jointOf judges what stands between two groups.
func jointOf(between string) joint {
	const most = 40
	if len(between) > most {
		return apart
	}
	switch between {
	case ".":
		return dotted
	case ",":
		return comma
	}
	j, words := tight, 0
	for i := 0; i < len(between); {
		r, n := utf8.DecodeRuneInString(between[i:])
		switch {
		case r == '\n', r == '\r', r == ',', r == '+', r == ';':
			j = loose
		case unicode.IsLetter(r):
			k := i
			for k < len(between) {
				r, n := utf8.DecodeRuneInString(between[k:])
				if !unicode.IsLetter(r) && !script.IsApostrophe(r) {
					break
				}
				k += n
			}
			if words++; words > 2 || !fillers[foldWord(between[i:k])] {
				return apart
			}
			j, n = loose, k-i
		case strings.ContainsRune("-–—−.()/\\[]_*·•|", r), unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.M, unicode.Pd):
		default:
			return apart
		}
		i += n
	}
	return j
}

// chain finds the numbers in groups that stand together.
func (f *finder) chain(groups []group) {
	for i := 0; i < len(groups); {
		n := f.card(groups[i:])
		kind := Card
		if n == 0 {
			kind = Phone
			n = f.phone(groups[i:])
		}
		if n == 0 {
			i += max(1, plainNumber(groups[i:]))
			continue
		}
		p := Private{kind, groups[i].start, groups[i+n-1].end}
		if kind == Phone && groups[i].plus {
			p.Start = strings.LastIndexByte(f.text[:p.Start], '+')
		}
		if kind == Phone {
			p.Start = openBracket(f.text, p.Start, p.End)
		}
		f.found = append(f.found, p)
		i += n
	}
}

// plainNumber is how many of the groups are a date or a number in thousands, none of whose
// parts begins a phone.
func plainNumber(groups []group) int {
	for n := min(len(groups), 5); n > 1; n-- {
		if dateLike(groups[:n]) || thousands(groups[:n]) {
			return n
		}
	}
	return 0
}

// openBracket takes the bracket before a number that closes within it.
func openBracket(text string, start, end int) int {
	if start > 0 && text[start-1] == '(' && strings.Contains(text[start:end], ")") {
		return start - 1
	}
	return start
}
