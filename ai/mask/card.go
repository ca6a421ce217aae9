package mask

import (
	"strings"

	"svc/ai/lang"
)

// Bounds of what is read as one number, in digits.
const (
	minCard, maxCard   = 13, 19
	minPhone, maxPhone = 7, 15
)

// card is how many of the groups are a card number, from the first on. Numbers that are
// whole by themselves on both sides of a comma or a word are not joined to one.
func (f *finder) card(groups []group) int {
	best, digits := 0, ""
	for n, g := range groups {
		if digits += g.digits; len(digits) > maxCard {
			break
		}
		if !isCard(digits) || separate(groups[:n+1]) {
			continue
		}
		if localCard(digits) {
			return n + 1
		}
		best = n + 1
	}
	return best
}

func isCard(digits string) bool {
	return localCard(digits) || len(digits) >= minCard && len(digits) <= maxCard && luhn(digits)
}

// localCard tells the numbers of the country's own card systems (contract 22).
func localCard(digits string) bool {
	if len(digits) != 16 {
		return false
	}
	switch digits[:4] {
	case "8600", "9860", "5614", "6262":
		return true
	}
	return false
}

func luhn(digits string) bool {
	sum, nonzero := 0, false
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		nonzero = nonzero || d > 0
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return nonzero && sum%10 == 0
}

// separate says that groups are several numbers: parts between commas, line ends or words
// that are each a phone, a number in thousands or a date.
func separate(groups []group) bool {
	if thousands(groups) || dateLike(groups) {
		return true
	}
	parts := 0
	for i := 0; i < len(groups); {
		j := i + 1
		for j < len(groups) && groups[j].joint != loose && groups[j].joint != comma {
			j++
		}
		if part := groups[i:j]; !thousands(part) && !dateLike(part) && !operatorPhone(digitsOf(part)) && !wholePrice(digitsOf(part)) {
			return false
		}
		parts++
		i = j
	}
	return parts > 1
}

func digitsOf(groups []group) string {
	if len(groups) == 1 {
		return groups[0].digits
	}
	var b strings.Builder
	for _, g := range groups {
		b.WriteString(g.digits)
	}
	return b.String()
}

// thousands tells 12 500 000: groups of three behind one to three digits.
func thousands(groups []group) bool {
	if len(groups) < 2 || len(groups[0].digits) > 3 || groups[0].digits[0] == '0' || groups[0].plus {
		return false
	}
	for _, g := range groups[1:] {
		if len(g.digits) != 3 || g.joint == loose {
			return false
		}
	}
	return true
}

// wholePrice tells a round number in one group: 1500000.
func wholePrice(digits string) bool {
	return len(digits) <= 10 && strings.HasSuffix(digits, "0000")
}

// dateLike tells 25.12.2026 and 2026-12-25, alone or with a clock time behind.
func dateLike(groups []group) bool {
	if len(groups) < 3 || len(groups) > 5 {
		return false
	}
	l := [3]int{len(groups[0].digits), len(groups[1].digits), len(groups[2].digits)}
	d, m := groups[0].digits, groups[1].digits
	switch {
	case l[0] <= 2 && l[1] <= 2 && (l[2] == 4 && year(groups[2].digits) || l[2] == 2 && len(groups) == 3):
	case l[0] == 4 && l[1] <= 2 && l[2] <= 2 && year(d):
		d = groups[2].digits
	default:
		return false
	}
	if amount(d) > 31 || amount(m) > 12 || amount(d) == 0 || amount(m) == 0 {
		return false
	}
	for _, g := range groups[3:] {
		if len(g.digits) > 2 {
			return false
		}
	}
	return true
}

func amount(digits string) (n int) {
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

func year(digits string) bool { return digits >= "1900" && digits <= "2100" }

// operatorPhone tells the phone numbers of the country: nine digits behind the prefix of an
// operator, with or without the country's code.
func operatorPhone(digits string) bool {
	digits = strings.TrimPrefix(digits, "00")
	if len(digits) == 12 && strings.HasPrefix(digits, "998") {
		return true
	}
	if len(digits) != 9 {
		return false
	}
	switch p := digits[:2]; {
	case p == "20", p == "33", p == "50", p == "55", p == "88", "61" <= p && p <= "79", "90" <= p && p <= "99":
		return true
	}
	return false
}

// currencyOrUnit tells the words behind or before a number that make it no phone.
func currencyOrUnit(word string) bool {
	return lang.IsCurrency(word) || lang.IsScale(word) || units[word]
}
