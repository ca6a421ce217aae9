package account

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"

	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
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
// digits behind it and the last two.
func mask(international string) string {
	digits := 0
	for _, r := range international {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	country, rest, _ := strings.Cut(international, " ")
	shown := len(country) - 1 + 2
	var b strings.Builder
	b.WriteString(country + " ")
	for i, r := 0, []rune(rest); i < len(r); i++ {
		if !unicode.IsDigit(r[i]) {
			b.WriteRune(r[i])
			continue
		}
		at := digits - countDigits(r[i:])
		if at < shown || at >= digits-2 {
			b.WriteRune(r[i])
		} else {
			b.WriteRune('•')
		}
	}
	return b.String()
}

func countDigits(r []rune) (n int) {
	for _, x := range r {
		if unicode.IsDigit(x) {
			n++
		}
	}
	return n
}

// isStopWord says whether a message is a stop word and nothing else: in any case,
// with any of the apostrophes that people type, and whatever signs around it.
func isStopWord(text string, words org.StopKeywords) bool {
	if len(text) > 200 {
		return false
	}
	said := bare(text)
	same := func(w string) bool { return bare(w) == said }
	return said != "" && (slices.ContainsFunc(words.UZ, same) || slices.ContainsFunc(words.RU, same) || slices.ContainsFunc(words.EN, same))
}

// bare is a text without what does not matter for its words.
func bare(text string) string {
	var b strings.Builder
	for _, r := range store.Fold(text) {
		switch {
		case unicode.IsLetter(r) && r != 'ʻ' && r != 'ʼ', unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
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

func itoa(n int) string { return strconv.Itoa(n) }
