package facts

import (
	"strings"
	"time"
	"unicode/utf8"

	"svc/ai/phrase"
)

// Beside finds the facts of a text that speaks of offers: the figure at the end of a name is
// no part of the number behind it.
func Beside(offers []Offer, text, language string, now time.Time, zone *time.Location) []Fact {
	return Of(separated(text, offers), language, now, zone)
}

// separated puts a tab, which joins no groups of digits, between a name that ends with a
// figure and the number behind it: "Band 9 450 000" is Band 9 for 450 000. All places stay.
func separated(text string, offers []Offer) string {
	var words []phrase.Word
	for i := range offers {
		if !strings.ContainsAny(offers[i].Name, "0123456789") {
			continue
		}
		if words == nil {
			words = phrase.Read(text, nil).Words
		}
		name := phrase.Read(offers[i].Name, nil).Words
		for k := 1; k < len(name); k++ {
			if !endsInDigit(name[k].Key) {
				continue
			}
			for w := 1; w < len(words); w++ {
				if words[w].Key == name[k].Key && sameWord(words[w-1].Key, name[k-1].Key) {
					text = apart(text, words[w].End)
				}
			}
		}
	}
	return text
}

func endsInDigit(key string) bool {
	return key != "" && '0' <= key[len(key)-1] && key[len(key)-1] <= '9'
}

// apart writes the space at a place as a tab when a digit follows.
func apart(text string, at int) string {
	r, n := utf8.DecodeRuneInString(text[at:])
	next := at + n
	if r != ' ' && r != '\u00a0' || next >= len(text) || text[next] < '0' || text[next] > '9' {
		return text
	}
	return text[:at] + strings.Repeat("\t", n) + text[next:]
}
