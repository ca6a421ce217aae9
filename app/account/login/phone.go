package login

import (
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"

	"svc/store"
)

// phonePurpose is what the keyed hash of a number is made for.
const phonePurpose = "messenger phone"

// Identify reads a phone number: the number in international form, its keyed hash, which is
// all that is kept of it in the clear, and the form in which it may be shown. Its error is
// ErrNumber, or of the store.
func Identify(db *store.DB, phone string) (number, hash, masked string, err error) {
	if number, masked, err = normalize(phone); err != nil {
		return "", "", "", err
	}
	hash, err = db.Hash(phonePurpose, number)
	return number, hash, masked, err
}

// normalize is a number in international form, as in +998901234567, and the form
// in which it may be shown: +998 90 ••• •• 67.
func normalize(raw string) (number, masked string, err error) {
	raw = strings.TrimSpace(raw)
	if rest, ok := strings.CutPrefix(raw, "00"); ok {
		raw = "+" + rest
	}
	n, perr := phonenumbers.Parse(raw, "")
	if perr != nil || !strings.HasPrefix(raw, "+") || n.Extension != nil || !phonenumbers.IsPossibleNumber(n) {
		return "", "", ErrNumber
	}
	return phonenumbers.Format(n, phonenumbers.E164), mask(phonenumbers.Format(n, phonenumbers.INTERNATIONAL)), nil
}

// mask replaces the digits of a number by bullets, but for the country, the two
// digits behind it and the last two. Of short numbers it shows less.
func mask(international string) string {
	country, rest, _ := strings.Cut(international, " ")
	digits := countDigits(rest)
	first, last := 2, 2
	if digits < 7 {
		first = 0
	}
	if digits < 5 {
		last = 0
	}
	at := 0
	return country + " " + strings.Map(func(r rune) rune {
		if !unicode.IsDigit(r) {
			return r
		}
		if at++; at <= first || at > digits-last {
			return r
		}
		return '•'
	}, rest)
}

func countDigits(s string) (n int) {
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
