package phrase

import (
	"strings"
	"unicode/utf8"
)

// Figures are the words of names that end with a figure, by their keys, each with the words that
// stand before it.
type Figures map[string][]string

// FiguresOf reads n names.
func FiguresOf(n int, name func(i int) string) Figures {
	out := Figures{}
	for i := range n {
		if !strings.ContainsAny(name(i), "0123456789") {
			continue
		}
		words := Read(name(i), nil).Words
		for k := 1; k < len(words); k++ {
			if key := words[k].Key; key != "" && '0' <= key[len(key)-1] && key[len(key)-1] <= '9' {
				out[key] = append(out[key], words[k-1].Key)
			}
		}
	}
	return out
}

// Apart puts a tab, which joins no groups of digits, between a name that ends with a figure
// and the number behind it: "Band 9 450 000" is Band 9 for 450 000. All places stay.
func (f Figures) Apart(text string) string {
	if len(f) == 0 || !strings.ContainsAny(text, "0123456789") {
		return text
	}
	words := Read(text, nil).Words
	for i := 1; i < len(words); i++ {
		for _, before := range f[words[i].Key] {
			if Same(words[i-1].Key, before) {
				text = tabbed(text, words[i].End)
				break
			}
		}
	}
	return text
}

// tabbed writes the space at a place as a tab when a digit follows.
func tabbed(text string, at int) string {
	r, n := utf8.DecodeRuneInString(text[at:])
	next := at + n
	if r != ' ' && r != '\u00a0' || next >= len(text) || text[next] < '0' || text[next] > '9' {
		return text
	}
	return text[:at] + strings.Repeat("\t", n) + text[next:]
}
