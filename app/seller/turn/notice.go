package turn

import (
	"time"

	"svc/app/business"
	"svc/app/seller/answer"
)

// weekdays are the days on which a business opens, Sunday first, as a sentence has them.
var weekdays = [7]business.Texts{
	{Uzbek: "yakshanba kuni", Russian: "в воскресенье", English: "on Sunday"},
	{Uzbek: "dushanba kuni", Russian: "в понедельник", English: "on Monday"},
	{Uzbek: "seshanba kuni", Russian: "во вторник", English: "on Tuesday"},
	{Uzbek: "chorshanba kuni", Russian: "в среду", English: "on Wednesday"},
	{Uzbek: "payshanba kuni", Russian: "в четверг", English: "on Thursday"},
	{Uzbek: "juma kuni", Russian: "в пятницу", English: "on Friday"},
	{Uzbek: "shanba kuni", Russian: "в субботу", English: "on Saturday"},
}

// clocks are how a time of day follows; %s is HH:MM.
var clocks = business.Texts{Uzbek: "soat %s da", Russian: "в %s", English: "at %s"}

// closedNotice is a sentence for a customer who writes while the business is closed; next is
// when it opens, zero for nobody knows, which says nothing.
func closedNotice(s *answer.Situation, next time.Time) string {
	if next.IsZero() {
		return ""
	}
	t := answer.TongueOf(s)
	local := next.In(s.Business.Location())
	at := t.Format(clocks, local.Format("15:04"))
	if now := s.Now.In(s.Business.Location()); local.YearDay() != now.YearDay() || local.Year() != now.Year() {
		at = t.In(weekdays[local.Weekday()]) + " " + at
	}
	return t.Format(closedTexts, at)
}
