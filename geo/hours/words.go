package hours

import (
	"strings"
	"time"
)

// days is a set of weekdays, Monday the lowest bit.
type days uint8

const (
	everyDay days = 1<<7 - 1
	weekdays days = 1<<5 - 1
	weekend  days = 1<<5 | 1<<6
)

// meaning is what a word says.
type meaning uint8

const (
	meansNothing meaning = iota // unreadable
	meansDay
	meansDays // a set, such as daily
	meansHoliday
	meansOff
	meansWeekend // выходные: the weekend or a day off, by its place
	meansBreak
	meansOpen
	meansAllDay
	meansFrom
	meansTo
	meansWithout // без выходных, без перерыва: two words that change nothing
	meansUnit    // час, hours
	meansAM
	meansPM
	meansMonth
	meansWeek
	meansEaster
	meansSun     // sunrise, sunset, dawn, dusk
	meansUnknown // nobody knows then
	meansDayUnit // of "+1 day"
)

type vocabulary struct {
	meaning meaning
	day     int // of the week, Monday 0
	set     days
	month   time.Month
	event   event
	school  bool // SH, not PH
}

// dayWords lists the names of each weekday, Monday first: English, Russian and
// Uzbek, in full and as people shorten them.
var dayWords = [7]string{
	"mo mon monday mondays пн пон понедельник du dush dushanba",
	"tu tue tues tuesday tuesdays вт втр вторник se sesh seshanba",
	"we wed weds wednesday wednesdays ср срд среда среду cho chor chorshanba",
	"th thu thur thurs thursday thursdays чт чтв четверг pa pay payshanba",
	"fr fri friday fridays пт птн пятница пятницу ju jum juma",
	"sa sat saturday saturdays сб суб суббота субботу sha shan shanba",
	"su sun sunday sundays вс вск воскресенье воскресение ya yak yakshanba",
}

// monthWords lists the names of each month, January first.
var monthWords = [12]string{
	"jan january янв январь января yan yanvar",
	"feb february фев февр февраль февраля fev fevral",
	"mar march мар март марта mart",
	"apr april апр апрель апреля aprel",
	"may май мая",
	"jun june июн июнь июня iyun",
	"jul july июл июль июля iyul",
	"aug august авг август августа avg avgust",
	"sep sept september сен сент сентябрь сентября sen sentabr sentyabr",
	"oct october окт октябрь октября okt oktabr oktyabr",
	"nov november ноя нояб ноябрь ноября noyabr",
	"dec december дек декабрь декабря dek dekabr",
}

var words = buildWords()

func buildWords() map[string]vocabulary {
	all := make(map[string]vocabulary)
	put := func(v vocabulary, list string) {
		for w := range strings.FieldsSeq(list) {
			all[w] = v
		}
	}
	for i, list := range dayWords {
		put(vocabulary{meaning: meansDay, day: i}, list)
	}
	put(vocabulary{meaning: meansDays, set: everyDay}, "daily everyday ежедневно")
	put(vocabulary{meaning: meansDays, set: weekdays}, "weekdays будни")
	put(vocabulary{meaning: meansDays, set: weekend}, "weekend weekends")
	for m, list := range map[meaning]string{
		meansHoliday: "ph",
		meansWeek:    "week weeks неделя недели",
		meansEaster:  "easter пасха",
		meansUnknown: "unknown",
		meansDayUnit: "day days",
		meansOff:     "off closed выходной закрыто закрыт yopiq",
		meansWeekend: "выходные",
		meansBreak:   "break lunch перерыв обед tushlik",
		meansOpen:    "open открыто",
		meansAllDay:  "круглосуточно kruglosutochno",
		meansFrom:    "from с c", // the second is Latin, typed for the first
		meansTo:      "to till until до по",
		meansWithout: "без",
		meansUnit:    "h hour hours hrs ч час часа часов soat",
		meansAM:      "am",
		meansPM:      "pm",
	} {
		put(vocabulary{meaning: m}, list)
	}
	put(vocabulary{meaning: meansHoliday, school: true}, "sh")
	for i, list := range monthWords {
		put(vocabulary{meaning: meansMonth, month: time.Month(i + 1)}, list)
	}
	for e, list := range map[event]string{sunrise: "sunrise восход", sunset: "sunset закат", dawn: "dawn рассвет", dusk: "dusk"} {
		put(vocabulary{meaning: meansSun, event: e}, list)
	}
	return all
}

// phrasesOfTwo are words that mean something together only.
var phrasesOfTwo = map[[2]string]vocabulary{
	{"every", "day"}:         {meaning: meansDays, set: everyDay},
	{"каждый", "день"}:       {meaning: meansDays, set: everyDay},
	{"har", "kuni"}:          {meaning: meansDays, set: everyDay},
	{"будние", "дни"}:        {meaning: meansDays, set: weekdays},
	{"рабочие", "дни"}:       {meaning: meansDays, set: weekdays},
	{"ish", "kunlari"}:       {meaning: meansDays, set: weekdays},
	{"выходной", "день"}:     {meaning: meansOff},
	{"выходные", "дни"}:      {meaning: meansWeekend},
	{"dam", "olish"}:         {meaning: meansOff},
	{"обеденный", "перерыв"}: {meaning: meansBreak},
	{"перерыв", "на"}:        {meaning: meansBreak}, // перерыв на обед
}
