package hours

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// show writes a schedule as one line: runs of equal days, `-` for a closed day.
func show(s Schedule) string {
	if s.Unparsed {
		return "unparsed"
	}
	names := [7]string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}
	var parts []string
	for from := 0; from < 7; {
		to := from
		for to < 6 && fmt.Sprint(s.Days[to+1]) == fmt.Sprint(s.Days[from]) {
			to++
		}
		spans := "-"
		if len(s.Days[from]) > 0 {
			spans = ""
			for i, span := range s.Days[from] {
				if i > 0 {
					spans += ","
				}
				spans += fmt.Sprintf("%d:%02d-%d:%02d", span.Open/60, span.Open%60, span.Close/60, span.Close%60)
			}
		}
		label := names[from]
		if to > from {
			label += "-" + names[to]
		}
		parts = append(parts, label+" "+spans)
		from = to + 1
	}
	line := strings.Join(parts, "; ")
	if s.AllDay {
		line += " all day"
	}
	return line
}

const always = "Mo-Su 0:00-24:00 all day"

func TestParse(t *testing.T) {
	for raw, want := range map[string]string{
		// around the clock
		"24/7": always, "24 hours": always, "24h": always, "24 часа": always, "24 soat": always, "00:00-24:00": always,
		"0:00-24:00": always, "00.00-24.00": always, "00:00-00:00": always, "00:00-23:59": always, "0-24": always,
		"круглосуточно": always, "Круглосуточно": always, "КРУГЛОСУТОЧНО": always, "Mo-Su 00:00-24:00": always,
		"24/7; PH off": always, "Mo-Su,PH 24/7": always, "ежедневно круглосуточно": always, "open": always, "Mo-Su open": always,
		"Пн-Вс 24 ч":             always,
		"24/7; Su off":           "Mo-Sa 0:00-24:00; Su -",
		"Mo-Fr 00:00-24:00":      "Mo-Fr 0:00-24:00; Sa-Su -",
		"Mo-Fr круглосуточно":    "Mo-Fr 0:00-24:00; Sa-Su -",
		"09:00-09:00":            "Mo-Su 9:00-33:00 all day",
		"24/7; Dec 25 off":       always,
		"24/7 \"ring the bell\"": always,

		// days
		"Mo-Fr 09:00-18:00":                   "Mo-Fr 9:00-18:00; Sa-Su -",
		"mo-fr 09:00-18:00":                   "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr: 9:00 - 18:00":                 "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo,We,Fr 09:00-18:00":                "Mo 9:00-18:00; Tu -; We 9:00-18:00; Th -; Fr 9:00-18:00; Sa-Su -",
		"Sa,Su 10:00-16:00":                   "Mo-Fr -; Sa-Su 10:00-16:00",
		"Sa-Mo 10:00-16:00":                   "Mo 10:00-16:00; Tu-Fr -; Sa-Su 10:00-16:00",
		"Su-Mo 10:00-16:00":                   "Mo 10:00-16:00; Tu-Sa -; Su 10:00-16:00",
		"Mo-Mo 10:00-16:00":                   "Mo 10:00-16:00; Tu-Su -",
		"Mo-We,Fr-Sa 10:00-16:00":             "Mo-We 10:00-16:00; Th -; Fr-Sa 10:00-16:00; Su -",
		"Monday-Friday 9:00-18:00":            "Mo-Fr 9:00-18:00; Sa-Su -",
		"Пн-Пт 09:00-18:00":                   "Mo-Fr 9:00-18:00; Sa-Su -",
		"пн–пт 9:00–18:00":                    "Mo-Fr 9:00-18:00; Sa-Su -",
		"Пн—Пт 9:00—18:00":                    "Mo-Fr 9:00-18:00; Sa-Su -",
		"Пн.-Пт. 9.00-18.00":                  "Mo-Fr 9:00-18:00; Sa-Su -",
		"ПН-ПТ: 09:00 - 18:00; СБ,ВС: 10-15":  "Mo-Fr 9:00-18:00; Sa-Su 10:00-15:00",
		"Сб,Вс 10:00-16:00":                   "Mo-Fr -; Sa-Su 10:00-16:00",
		"Пн-Пт 9:00-18:00 Сб 10:00-14:00":     "Mo-Fr 9:00-18:00; Sa 10:00-14:00; Su -",
		"Пн-Пт - 9:00-18:00, Вс - выходной":   "Mo-Fr 9:00-18:00; Sa-Su -",
		"понедельник-пятница 9:00-18:00":      "Mo-Fr 9:00-18:00; Sa-Su -",
		"с пн по пт с 9 до 18":                "Mo-Fr 9:00-18:00; Sa-Su -",
		"Du-Ju 09:00-18:00; Sha 10:00-14:00":  "Mo-Fr 9:00-18:00; Sa 10:00-14:00; Su -",
		"Dushanba-Juma 09:00-18:00":           "Mo-Fr 9:00-18:00; Sa-Su -",
		"har kuni 09:00-18:00":                "Mo-Su 9:00-18:00",
		"ежедневно 9:00-18:00":                "Mo-Su 9:00-18:00",
		"каждый день 9:00-18:00 без выходных": "Mo-Su 9:00-18:00",
		"daily 9:00-18:00":                    "Mo-Su 9:00-18:00",
		"будни 9-18; выходные 10-15":          "Mo-Fr 9:00-18:00; Sa-Su 10:00-15:00",
		"Пн-Пт 9-18, выходные 10-15":          "Mo-Fr 9:00-18:00; Sa-Su 10:00-15:00",
		"Пн-Пт 9-18, Сб-Вс выходные":          "Mo-Fr 9:00-18:00; Sa-Su -",
		"9-18; выходные: Сб, Вс":              "Mo-Fr 9:00-18:00; Sa-Su -",
		"9-18 выходные":                       "Mo-Fr 9:00-18:00; Sa-Su -",

		// times
		"09:00-18:00":                          "Mo-Su 9:00-18:00",
		"9-18":                                 "Mo-Su 9:00-18:00",
		"09.00-18.30":                          "Mo-Su 9:00-18:30",
		"9:00-13:00,14:00-18:00":               "Mo-Su 9:00-13:00,14:00-18:00",
		"9:00-13:00, 14:00-18:00":              "Mo-Su 9:00-13:00,14:00-18:00",
		"14:00-18:00,09:00-13:00":              "Mo-Su 9:00-13:00,14:00-18:00",
		"09:00-13:00,12:00-18:00":              "Mo-Su 9:00-18:00",
		"09:00-13:00,13:00-18:00":              "Mo-Su 9:00-18:00",
		"20:00-02:00":                          "Mo-Su 20:00-26:00",
		"20:00-26:00":                          "Mo-Su 20:00-26:00",
		"Fr-Sa 22:00-05:00":                    "Mo-Th -; Fr-Sa 22:00-29:00; Su -",
		"10:00-24:00":                          "Mo-Su 10:00-24:00",
		"10:00-00:00":                          "Mo-Su 10:00-24:00",
		"08:00-23:59":                          "Mo-Su 8:00-23:59",
		"18:00+":                               "Mo-Su 18:00-24:00",
		"18:00-23:00+":                         "Mo-Su 18:00-23:00",
		"9am-6pm":                              "Mo-Su 9:00-18:00",
		"9:30 AM - 12:00 AM":                   "Mo-Su 9:30-24:00",
		"12pm-2am":                             "Mo-Su 12:00-26:00",
		"с 9:00 до 18:00":                      "Mo-Su 9:00-18:00",
		"c 9 до 18":                            "Mo-Su 9:00-18:00",
		"с 9 часов до 18 часов":                "Mo-Su 9:00-18:00",
		"Mo-Fr from 9:00 to 18:00":             "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00 open":               "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00 \"by appointment\"": "Mo-Fr 9:00-18:00; Sa-Su -",

		// several rules
		"Mo-Fr 09:00-18:00; Sa 10:00-14:00":     "Mo-Fr 9:00-18:00; Sa 10:00-14:00; Su -",
		"Mo-Su 09:00-18:00; Sa 10:00-14:00":     "Mo-Fr 9:00-18:00; Sa 10:00-14:00; Su 9:00-18:00",
		"Sa 10:00-14:00; Mo-Su 09:00-18:00":     "Mo-Su 9:00-18:00",
		"Mo-Fr 09:00-18:00; 10:00-16:00":        "Mo-Su 10:00-16:00",
		"Mo-Fr 09:00-18:00, Sa 10:00-14:00":     "Mo-Fr 9:00-18:00; Sa 10:00-14:00; Su -",
		"Mo-Fr 09:00-12:00, We 13:00-15:00":     "Mo-Tu 9:00-12:00; We 9:00-12:00,13:00-15:00; Th-Fr 9:00-12:00; Sa-Su -",
		"Mo-Fr 09:00-12:00; We 13:00-15:00":     "Mo-Tu 9:00-12:00; We 13:00-15:00; Th-Fr 9:00-12:00; Sa-Su -",
		"Mo-Su 09:00-18:00; Su off":             "Mo-Sa 9:00-18:00; Su -",
		"Mo-Su 09:00-18:00; Su closed":          "Mo-Sa 9:00-18:00; Su -",
		"Mo-Su 09:00-18:00, Su off":             "Mo-Sa 9:00-18:00; Su -",
		"Mo-Su 09:00-18:00; Вс выходной":        "Mo-Sa 9:00-18:00; Su -",
		"Пн-Сб 9:00-18:00, выходной: Вс":        "Mo-Sa 9:00-18:00; Su -",
		"9:00-18:00; Вс закрыто":                "Mo-Sa 9:00-18:00; Su -",
		"Mo-Su 9:00-18:00 closed Sa, Su":        "Mo-Fr 9:00-18:00; Sa-Su -",
		"Пн выходной, Вт-Вс 10:00-18:00":        "Mo -; Tu-Su 10:00-18:00",
		"Sa off Su 10:00-12:00":                 "Mo-Sa -; Su 10:00-12:00",
		"Mo-Fr 09:00-18:00; 13:00-14:00 off":    "Mo-Fr 9:00-13:00,14:00-18:00; Sa-Su -",
		"Пн-Пт 9:00-18:00, перерыв 13:00-14:00": "Mo-Fr 9:00-13:00,14:00-18:00; Sa-Su -",
		"20:00-04:00; 23:00-01:00 off":          "Mo-Su 1:00-4:00,20:00-23:00",
		"Fr 20:00-04:00; перерыв 0-1":           "Mo-Th -; Fr 20:00-28:00; Sa-Su -",
		"9-18; обед: 13-14":                     "Mo-Su 9:00-13:00,14:00-18:00",
		"9-18, перерыв на обед с 13 до 14":      "Mo-Su 9:00-13:00,14:00-18:00",
		"9-18; Пн-Пт перерыв 13-14":             "Mo-Fr 9:00-13:00,14:00-18:00; Sa-Su 9:00-18:00",
		"Mo-Fr 09:00-18:00;":                    "Mo-Fr 9:00-18:00; Sa-Su -",
		";;Mo-Fr 09:00-18:00":                   "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00\nSa 10:00-12:00":     "Mo-Fr 9:00-18:00; Sa 10:00-12:00; Su -",
		"Mo-Fr 09:00-18:00 || \"on call\"":      "Mo-Fr 9:00-18:00; Sa-Su -",
		"off":                                   "Mo-Su -",
		"closed":                                "Mo-Su -",
		"Mo-Su off":                             "Mo-Su -",
		"закрыто":                               "Mo-Su -",

		// holidays are not part of the week
		"Mo-Fr 09:00-18:00; PH off":                "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00; PH 10:00-12:00":        "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00, PH off":                "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr,PH 09:00-18:00":                     "Mo-Fr 9:00-18:00; Sa-Su -",
		"PH,Mo-Fr 09:00-18:00":                     "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Su 09:00-18:00; Su,PH off":             "Mo-Sa 9:00-18:00; Su -",
		"Mo-Su 09:00-18:00; PH,Su off":             "Mo-Sa 9:00-18:00; Su -",
		"Mo-Fr 09:00-18:00; SH Mo-Fr 10:00-12:00":  "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00; PH,SH off":             "Mo-Fr 9:00-18:00; Sa-Su -",
		"Mo-Fr 09:00-18:00; PH -1 day 10:00-12:00": "Mo-Fr 9:00-18:00; Sa-Su -",
		"PH off":         "unparsed",
		"SH 10:00-12:00": "unparsed",

		// seasons are those of the first week of November 2025; an unreadable rule is skipped
		"Apr-Oct Mo-Su 08:00-20:00":                  "Mo-Su -",
		"Apr-Oct: 08:00-20:00; Nov-Mar: 09:00-18:00": "Mo-Su 9:00-18:00",
		"Mo-Fr 09:00-18:00; Apr-Oct Sa 10:00-14:00":  "Mo-Fr 9:00-18:00; Sa-Su -",
		"week 1-53/2 Mo 10:00-12:00":                 "Mo 10:00-12:00; Tu-Su -",
		"week 1-53/2 Mo 10:00-12:00; Tu 10:00-12:00": "Mo-Tu 10:00-12:00; We-Su -",
		"sunrise-sunset":                             "unparsed",
		"Mo-Fr sunrise-18:00; Sa 9-12":               "Mo-Fr -; Sa 9:00-12:00; Su -",
		"Mo[1] 10:00-12:00":                          "Mo 10:00-12:00; Tu-Su -",
		"2024 Mo-Fr 10:00-12:00":                     "Mo-Su -",
		"Jan 01 off":                                 "unparsed",
		"май-сентябрь 9-18":                          "unparsed",
		"\"by appointment\"":                         "unparsed",
		"Mo-Fr \"by appointment\"":                   "unparsed",
		"Mo-Fr 09:00-18:00 \"open":                   "unparsed",
		"Mo-Fr":                                      "unparsed",
		"Mo-Fr 09:00":                                "unparsed",
		"09:00":                                      "unparsed",
		"до 18:00":                                   "unparsed",
		"9-00 - 18-00":                               "unparsed",
		"9-30":                                       "unparsed",
		"09:00-18:60":                                "unparsed",
		"09:60-18:00":                                "unparsed",
		"25:00-26:00":                                "unparsed",
		"09:00-49:00":                                "unparsed",
		"08:00-48:00":                                "unparsed",
		"13pm-2am":                                   "unparsed",
		"0900-1800":                                  "unparsed",
		"13:00-14:00 off":                            "unparsed",
		"unknown":                                    "unparsed",
		"Mo-Xx 09:00-18:00":                          "unparsed",
		"Mo-Fr 09:00-18:00-20:00":                    "unparsed",
		"":                                           "unparsed",
		"   ":                                        "unparsed",
		";;;":                                        "unparsed",
		"\xff\xfe":                                   "unparsed",
		"Mo-Fr 09:00-18:00" + strings.Repeat(" ", MaxRaw):      "unparsed",
		strings.Repeat("Mo-Su 00:00-24:00,", 100):              always,
		"Mo-Fr 09:00-18:00; " + strings.Repeat("Sa 9-1,", 250): "Mo-Fr 9:00-18:00; Sa 9:00-25:00; Su -",
	} {
		s := Parse(raw).Week(at(t, 0, "12:00:00"), Where{})
		if got := show(s); got != want {
			t.Errorf("Parse(%.60q) = %s, want %s", raw, got, want)
		}
	}
}

func TestScheduleJSON(t *testing.T) {
	for raw, want := range map[string]string{
		"Mo 20:00-02:00": `{"raw":"Mo 20:00-02:00","all_day":false,"days":[[{"open":1200,"close":1560}],[],[],[],[],[],[]]}`,
		"x":              `{"raw":"x","all_day":false,"days":[[],[],[],[],[],[],[]],"unparsed":true}`,
		"24/7; Mo off":   `{"raw":"24/7; Mo off","all_day":false,"days":[[],[{"open":0,"close":1440}],[{"open":0,"close":1440}],[{"open":0,"close":1440}],[{"open":0,"close":1440}],[{"open":0,"close":1440}],[{"open":0,"close":1440}]]}`,
	} {
		got, err := json.Marshal(Parse(raw).Week(at(t, 0, "12:00:00"), Where{}))
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

func TestRawIsBounded(t *testing.T) {
	s := Parse(strings.Repeat("ў", MaxRaw)).Week(at(t, 0, "12:00:00"), Where{})
	if !s.Unparsed || len(s.Raw) > MaxRaw || !strings.HasSuffix(s.Raw, "ў") {
		t.Errorf("unparsed %v, %d bytes kept", s.Unparsed, len(s.Raw))
	}
}
