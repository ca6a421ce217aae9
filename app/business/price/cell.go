package price

import (
	"errors"
	"strings"
	"unicode"

	iso4217 "golang.org/x/text/currency"
)

// errAmbiguous refuses 189.000, which is 189 to one and 189000 to another.
var errAmbiguous = errors.New("can be read as thousands and as decimals; write 189000 or 189.00")

// currencies are those that people write beside a price, by their folded words and signs.
var currencies = map[string]string{
	"so'm": "UZS", "som": "UZS", "sum": "UZS", "сум": "UZS", "сўм": "UZS", "сом": "UZS", "сумов": "UZS", "soum": "UZS",
	"руб": "RUB", "руб.": "RUB", "рубль": "RUB", "рублей": "RUB", "₽": "RUB",
	"$": "USD", "у.е.": "USD", "у.е": "USD", "долл": "USD", "доллар": "USD", "dollar": "USD",
	"€": "EUR", "евро": "EUR", "yevro": "EUR", "euro": "EUR",
	"₸": "KZT", "тенге": "KZT",
}

// apostrophes makes one of the marks that stand for the Uzbek apostrophe.
var apostrophes = strings.NewReplacer("ʻ", "'", "ʼ", "'", "‘", "'", "’", "'", "`", "'")

// Currency is the code of a currency as somebody wrote it: a code in any case, a sign, or a
// word; "" for none that is known.
func Currency(s string) string {
	s = strings.TrimSpace(s)
	if code := currencies[apostrophes.Replace(strings.ToLower(s))]; code != "" {
		return code
	}
	if code := strings.ToUpper(s); IsCode(code) {
		return code
	}
	return ""
}

// IsCode says whether a text is a code of ISO 4217, as it is kept: in capital letters.
func IsCode(s string) bool {
	unit, err := iso4217.ParseISO(s)
	return err == nil && unit.String() == s
}

// ReadCell reads a price as people write it into a table: with groups of thousands, with a
// comma or a point before the decimals, with a currency in front or behind. The currency is
// "" when none stands there.
func ReadCell(s string) (a Amount, currency string, err error) {
	s = strings.TrimSpace(s)
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	from, to := strings.IndexFunc(s, digits), strings.LastIndexFunc(s, digits)+1
	if from < 0 {
		return 0, "", errAmount
	}
	for _, word := range []string{s[:from], s[to:]} {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		code := Currency(word)
		if code == "" || currency != "" {
			return 0, "", errAmount
		}
		currency = code
	}
	plain, err := decimal(s[from:to])
	if err != nil {
		return 0, "", err
	}
	a, err = Parse(plain)
	return a, currency, err
}

// decimal is a number of digits with separators, as one with a point before its decimals.
func decimal(s string) (string, error) {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' || r == '’' || r == '_' {
			return -1
		}
		return r
	}, s)
	at := strings.LastIndexAny(s, ".,")
	if at < 0 {
		return s, nil
	}
	last, rest, whole := s[at], s[at+1:], s[:at]
	others := strings.ContainsRune(whole, rune('.'+','-last))
	switch {
	case strings.IndexByte(whole, last) >= 0: // the same mark again: groups
		if others {
			return "", errAmount
		}
		return joined(s, string(last))
	case others:
		whole, err := joined(whole, string('.'+','-last))
		return whole + "." + rest, err
	case len(rest) == 3 && len(whole) <= 3 && strings.Trim(whole, "0") != "":
		return "", errAmbiguous
	}
	return whole + "." + rest, nil
}

// joined takes the marks between groups of three digits away.
func joined(s, mark string) (string, error) {
	groups := strings.Split(s, mark)
	for i, g := range groups {
		if i > 0 && len(g) != 3 || len(g) == 0 || len(g) > 3 {
			return "", errAmount
		}
	}
	return strings.Join(groups, ""), nil
}
