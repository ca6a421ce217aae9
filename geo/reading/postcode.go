package reading

import (
	"slices"
	"strings"

	"svc/geo/text"
)

// minPostcode is the shortest postcode, in characters.
const minPostcode = 4

// readPostcode finds a postcode among the tokens, of one or two of them. Alone, or
// beside areas, it is what is looked for; beside a name it prefers what carries it.
func (a *asked) readPostcode() {
	for n := 2; n > 0; n-- {
		for i := 0; i+n <= len(a.tokens); i++ {
			code := text.Postcode(strings.Join(a.tokens[i:i+n], " "))
			if len(code) < minPostcode || n == 2 && !text.HasDigit(a.tokens[i+1]) || !a.carried(code) {
				continue
			}
			rest := slices.Concat(a.tokens[:i], a.tokens[i+n:])
			a.add(Reading{How: AsPostcode, Postcode: code, Words: text.Significant(rest), Types: []string{}})
			if len(rest) > 0 && (len(code) > minPostcode || i > 0) {
				a.tokens, a.parts = rest, slices.Concat(a.parts[:i], a.parts[i+n:])
				a.inside = a.tokens
			}
			return
		}
	}
}

func (a *asked) carried(code string) (found bool) {
	a.x.Postcode(code, func(uint32) bool {
		found = true
		return false
	})
	return found
}
