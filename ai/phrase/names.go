package phrase

import (
	"strings"
	"unicode/utf8"
)

// Apart puts a tab, which joins no groups of digits, between a name that ends with a figure
// and the number behind it: "Band 9 450 000" is Band 9 for 450 000. All places stay.
func Apart(text string, names []string) string {
	var words []Word
	for _, n := range names {
		if !strings.ContainsAny(n, "0123456789") {
			continue
		}
		if words == nil {
			words = Read(text, nil).Words
		}
		name := Read(n, nil).Words
		for k := 1; k < len(name); k++ {
			if !endsInDigit(name[k].Key) {
				continue
			}
			for w := 1; w < len(words); w++ {
				if words[w].Key == name[k].Key && Same(words[w-1].Key, name[k-1].Key) {
					text = tabbed(text, words[w].End)
				}
			}
		}
	}
	return text
}

func endsInDigit(key string) bool {
	return key != "" && '0' <= key[len(key)-1] && key[len(key)-1] <= '9'
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
