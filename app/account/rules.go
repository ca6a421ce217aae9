package account

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"

	"svc/app/api"
	"svc/app/setting"
)

// phonePurpose is what the keyed hash of a number is made for.
const phonePurpose = "messenger phone"

// normalPhone is a number in international form, as in +998901234567, and the form
// in which it may be shown: +998 90 ••• •• 67.
func normalPhone(raw string) (number, masked string, err error) {
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

// maxInterval bounds the gap between two sends, in seconds: a day.
const maxInterval = 86_400

// checkPacing refuses values out of the platform's bounds.
func checkPacing(set setting.Settings, dailyLimit, minInterval int) error {
	wrong := map[string]string{}
	if dailyLimit < 1 || dailyLimit > set.MaxDailyLimit {
		wrong["daily_limit"] = "must be from 1 to " + itoa(set.MaxDailyLimit)
	}
	if minInterval < set.MinIntervalFloor || minInterval > maxInterval {
		wrong["min_interval_seconds"] = "must be from " + itoa(set.MinIntervalFloor) + " to " + itoa(maxInterval)
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}

// Pacing is what holds of an account's pace: how many campaign and test messages it sends a
// UTC day at most, and the seconds between two at least. Those are its own values within
// the bounds of the platform (contract 36); out of them they are kept,
// and hold again when the bounds allow it.
func (a *Account) Pacing(set *setting.Settings) (dailyLimit, interval int) {
	return min(a.DailyLimit, set.MaxDailyLimit), max(a.MinInterval, set.MinIntervalFloor)
}

func itoa(n int) string { return strconv.Itoa(n) }
