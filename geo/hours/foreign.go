package hours

import (
	"slices"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/aa"
	austria "github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/nl"
	norway "github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"
	"github.com/rickar/cal/v2/us"
)

// foreign are the countries whose holidays a library knows: those of the whole country,
// and those of some of its regions. What is missing here has no holidays that we know.
type foreign struct {
	national []*cal.Holiday
	regional [][]*cal.Holiday
}

var foreigners = map[string]foreign{
	"AT": {national: austria.Holidays}, "BE": {national: be.Holidays}, "BG": {national: bg.Holidays}, "CZ": {national: cz.Holidays},
	"DK": {national: dk.Holidays}, "FR": {national: fr.Holidays}, "GR": {national: gr.Holidays}, "HR": {national: hr.Holidays},
	"IE": {national: ie.Holidays}, "IT": {national: it.Holidays}, "LT": {national: lt.Holidays},
	"LV": {national: lv.Holidays}, "NL": {national: nl.Holidays}, "NO": {national: norway.Holidays}, "PL": {national: pl.Holidays},
	"RO": {national: ro.Holidays}, "SE": {national: se.Holidays}, "SI": {national: si.Holidays}, "SK": {national: sk.Holidays},
	"US": {national: us.Holidays},
	"DE": {national: de.Holidays, regional: [][]*cal.Holiday{
		de.HolidaysBW, de.HolidaysBY, de.HolidaysBE, de.HolidaysBB, de.HolidaysHB, de.HolidaysHH, de.HolidaysHE, de.HolidaysMV, de.HolidaysNI,
		de.HolidaysNW, de.HolidaysRP, de.HolidaysSL, de.HolidaysSN, de.HolidaysST, de.HolidaysSH, de.HolidaysTH,
	}},
	"MT": {national: append(fixed("MT", 101, 210, 319, 331, 501, 607, 629, 815, 908, 921, 1208, 1213, 1225), aa.GoodFriday)},
	"PT": {
		national: append(fixed("PT", 101, 425, 501, 610, 815, 1005, 1101, 1201, 1208, 1225), aa.GoodFriday, aa.Easter, aa.CorpusChristi),
		regional: [][]*cal.Holiday{fixed("PT", 613, 624, 629, 1224), {aa.Easter.Clone(&cal.Holiday{Offset: -47})}}, // towns, carnival
	},
}

// fixed makes holidays of the same date each year.
func fixed(name string, days ...dayMonth) (list []*cal.Holiday) {
	for _, d := range days {
		list = append(list, &cal.Holiday{Name: name, Month: time.Month(d / 100), Day: int(d % 100), Func: cal.CalcDayOfMonth})
	}
	return list
}

// foreignHoliday is publicHoliday for the countries of the library. Nobody knows the
// others'.
func foreignHoliday(country string, date time.Time) answer {
	f, ok := foreigners[country]
	if !ok {
		return perhaps
	}
	national := is(f.national, date)
	if national == yes {
		return yes
	}
	if national == perhaps || slices.ContainsFunc(f.regional, func(r []*cal.Holiday) bool { return is(r, date) != no }) {
		return perhaps
	}
	return no
}

// is tells a holiday, and perhaps the working day on which one is observed.
func is(list []*cal.Holiday, date time.Time) answer {
	out := no
	for _, h := range list {
		actual, observed := h.Calc(date.Year())
		if same(actual, date) {
			return yes
		}
		if same(observed, date) {
			out = perhaps
		}
	}
	return out
}

func same(a, b time.Time) bool {
	return a.Year() == b.Year() && a.YearDay() == b.YearDay()
}
