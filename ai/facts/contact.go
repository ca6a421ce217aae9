package facts

import (
	"unicode"
	"unicode/utf8"

	"svc/ai/lang"
)

// contacts finds e-mail addresses, addresses of sites and telephone numbers.
func (d *Document) contacts() {
	kinds := map[lang.ContactKind]Kind{lang.Site: URL, lang.Mail: Email, lang.Telephone: Phone}
	for _, c := range lang.Contacts(d.Source) {
		d.contact(kinds[c.Kind], c.Start, c.End, c.Name)
	}
}

func (d *Document) contact(kind Kind, start, end int, name string) {
	i := 0
	for i < len(d.Words) && d.Words[i].End <= start {
		i++
	}
	j := i
	for j < len(d.Words) && d.Words[j].Start < end {
		j++
	}
	if i == j || d.taken[i] {
		return
	}
	d.addAt(Fact{Kind: kind, Name: name, Start: start, End: end}, i, j)
}

func isLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}
