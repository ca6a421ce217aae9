package hours

import (
	"slices"
	"time"
)

// The public holidays of six countries, as their labour codes name them, as of
// November 2026. A decree may add days off and move others, which no table knows
// ahead; where that is usual the day is perhaps a holiday.
//
// dayMonth is month*100 + day.
type dayMonth int

// calendar is one country's.
type calendar struct {
	fixed   []dayMonth // days off every year
	perhaps []dayMonth // days off in some years, or as some laws say
	fitr    int        // days off of the feast of breaking the fast
	adha    int        // days off of the feast of the sacrifice
	moved   bool       // a holiday on a day off moves to the next working day
}

var calendars = map[string]calendar{
	"UZ": {
		fixed: []dayMonth{101, 308, 321, 509, 901, 1001, 1208}, perhaps: []dayMonth{102, 114, 320, 322, 831, 902, 1231}, fitr: 1, adha: 1, moved: true,
	},
	"KZ": {
		fixed: []dayMonth{101, 102, 107, 308, 321, 322, 323, 501, 507, 509, 706, 830, 1025, 1216}, perhaps: []dayMonth{1217, 1231}, adha: 1, moved: true,
	},
	"KG": {
		fixed: []dayMonth{101, 107, 223, 308, 321, 501, 505, 509, 831, 1107, 1108}, perhaps: []dayMonth{102, 103, 104, 105, 106, 407, 1231}, fitr: 1, adha: 1, moved: true,
	},
	"TJ": {
		fixed: []dayMonth{101, 308, 321, 322, 323, 324, 509, 627, 909, 1106}, perhaps: []dayMonth{223, 325, 501}, fitr: 1, adha: 1, moved: true,
	},
	"TM": {
		fixed: []dayMonth{101, 308, 321, 322, 518, 927, 1006, 1212}, perhaps: []dayMonth{928, 509, 1007}, fitr: 1, adha: 3, moved: true,
	},
	"RU": {
		fixed: []dayMonth{101, 102, 103, 104, 105, 106, 107, 108, 223, 308, 501, 509, 612, 1104}, perhaps: []dayMonth{109, 502, 508, 1103, 1231}, moved: true,
	},
}

// The first day of the two feasts that follow the moon, as it was announced in Central
// Asia up to 2026 and as it is computed after, when it may fall a day beside.
var (
	fitrDays = map[int][]dayMonth{
		2020: {524}, 2021: {513}, 2022: {502}, 2023: {421}, 2024: {410}, 2025: {330}, 2026: {320}, 2027: {310}, 2028: {227}, 2029: {214},
		2030: {204}, 2031: {124}, 2032: {114}, 2033: {102, 1223}, 2034: {1212}, 2035: {1201},
	}
	adhaDays = map[int][]dayMonth{
		2020: {731}, 2021: {720}, 2022: {709}, 2023: {628}, 2024: {616}, 2025: {606}, 2026: {527}, 2027: {516}, 2028: {505}, 2029: {424},
		2030: {413}, 2031: {402}, 2032: {322}, 2033: {311}, 2034: {301}, 2035: {218},
	}
)

// publicHoliday tells whether a date, a midnight in UTC, is a public holiday. In a
// country without a calendar every day may be one.
func publicHoliday(country string, date time.Time) answer {
	c, ok := calendars[country]
	if !ok {
		return foreignHoliday(country, date)
	}
	today := dayMonth(int(date.Month())*100 + date.Day())
	if slices.Contains(c.fixed, today) {
		return yes
	}
	out := no
	if slices.Contains(c.perhaps, today) {
		out = perhaps
	}
	out = max(out, feast(fitrDays, c.fitr, date), feast(adhaDays, c.adha, date))
	if c.moved && out == no && c.mayHaveMoved(date) {
		out = perhaps
	}
	return out
}

// mayHaveMoved tells a working day right behind a weekend on which a fixed holiday fell.
func (c *calendar) mayHaveMoved(date time.Time) bool {
	if wd := date.Weekday(); wd != time.Monday && wd != time.Tuesday {
		return false
	}
	for back := 1; back <= 3; back++ {
		before := date.AddDate(0, 0, -back)
		weekend := before.Weekday() == time.Saturday || before.Weekday() == time.Sunday
		if weekend && slices.Contains(c.fixed, dayMonth(int(before.Month())*100+before.Day())) {
			return true
		}
	}
	return false
}

// feast tells whether a date is one of the days of a feast. The moon may move it by
// a day, and a year without a row knows nothing.
func feast(table map[int][]dayMonth, days int, date time.Time) answer {
	if days == 0 {
		return no
	}
	begins, ok := table[date.Year()]
	if !ok {
		return perhaps
	}
	for _, b := range begins {
		first := midnight(date.Year(), time.Month(b/100), int(b%100))
		switch n := int(date.Sub(first).Hours() / 24); {
		case n >= 0 && n < days && date.Year() <= 2026:
			return yes
		case n >= -1 && n <= days+1:
			return perhaps
		}
	}
	return no
}

// schoolHoliday tells whether schools are closed. Terms are set each year; in the six
// countries they agree on summer and on weeks in the middle of each term.
func schoolHoliday(country string, date time.Time) answer {
	if _, ok := calendars[country]; !ok {
		return perhaps
	}
	today := int(date.Month())*100 + date.Day()
	in := func(from, to int) bool { return today >= from && today <= to }
	switch {
	case in(615, 820):
		return yes
	case in(910, 1020), in(1115, 1220), in(120, 310), in(410, 515):
		return no
	}
	return perhaps
}
