package demo

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/ai/facts"
	"svc/ai/signals"
	"svc/geo/text/script"
)

// booking is what the demo model understands of a question of the task BOOK.
type booking struct {
	Now      string        `json:"now"` // Monday 2026-12-01T15:00
	Zone     string        `json:"zone"`
	Lengths  []int         `json:"allowed_minutes"`
	Free     []freeDay     `json:"free_times"`
	Asked    *appointment  `json:"asked"`
	Booked   []appointment `json:"booked"`
	Messages []said        `json:"messages"`
	AnswerTo int           `json:"answer_to"`
}

type freeDay struct {
	Date   string   `json:"date"`
	Starts []string `json:"starts"`
}

type appointment struct {
	ID        string `json:"id"`
	Operation string `json:"operation"`
	State     string `json:"state"`
	Start     string `json:"start"`
	Minutes   int    `json:"minutes"`
}

const inMinutes = "2006-01-02T15:04"

// Words of an answer about an appointment, as beginnings of their keys.
var (
	agrees  = stemsOf("ha xa albatta tasdiq mayli boladi hop xop да подтвер хорошо соглас ок ok yes confirm sure agree")
	refuses = stemsOf("yoq нет no kerakmas передумал nevermind")
	moves   = stemsOf("kochir ozgartir перенес перенест сдвин move reschedule change")
	cancels = stemsOf("bekor отмен cancel")
)

func stemsOf(list string) (out []string) {
	for _, w := range script.Tokens(list) { // which are in Latin letters, as those of a text are
		out = append(out, script.Key(w))
	}
	return out
}

// says tells whether a text has a word of a list. Short ones are whole words.
func says(text string, list []string) bool {
	return slices.ContainsFunc(script.Tokens(text), func(w string) bool {
		k := script.Key(w)
		return slices.ContainsFunc(list, func(stem string) bool { return k == stem || len(stem) > 3 && strings.HasPrefix(k, stem) })
	})
}

// book says what the customer wants of the calendar, from their words.
func (q *booking) book(language string) map[string]any {
	text := burst(q.Messages, q.AnswerTo)
	out := map[string]any{
		"operation": "NONE", "start": "", "minutes": 0, "id": "", "title": "", "attendee_name": "", "note": "", "confidence": sureOfWords,
	}
	start := q.named(text, language)
	id := ""
	if len(q.Booked) > 0 {
		id = q.Booked[0].ID
	}
	switch {
	case id != "" && says(text, cancels):
		out["operation"], out["id"] = "CANCEL", id
	case id != "" && start != "" && says(text, moves):
		out["operation"], out["id"], out["start"] = "UPDATE", id, start
	case q.Asked != nil && start != "" && start != q.Asked.Start:
		out["operation"], out["start"], out["id"] = "CREATE", start, ""
		if q.Asked.Operation == "UPDATE" {
			out["operation"], out["id"] = "UPDATE", id
		}
	case q.Asked != nil && says(text, append(slices.Clone(refuses), cancels...)):
		out["operation"] = "DECLINE"
	case q.Asked != nil && (start != "" || says(text, agrees)):
		out["operation"], out["start"] = "CONFIRM", start
	case start != "":
		out["operation"], out["start"] = "CREATE", start
	case signals.Read(text, nil).Scenario == signals.Booking:
		out["operation"] = "FIND"
	}
	return out
}

// named is the one time that a text names: on the day that it names, else on the first that has
// it; "" for none.
func (q *booking) named(text, language string) string {
	zone, err := time.LoadLocation(q.Zone)
	if err != nil {
		zone = time.UTC
	}
	_, clock, _ := strings.Cut(q.Now, " ")
	now, err := time.ParseInLocation(inMinutes, clock, zone)
	if err != nil {
		return ""
	}
	at, day := "", facts.Fact{}
	for _, f := range facts.Of(text, language, now, zone) {
		switch {
		case f.Kind == facts.Clock && at == "":
			at = fmt.Sprintf("%02d:%02d", int(f.Min)/60, int(f.Min)%60)
		case f.Kind == facts.Date && day.Kind == "":
			day = f
		}
	}
	if at == "" {
		return ""
	}
	if day.Kind != "" && !day.From.IsZero() && day.From.Equal(day.Until) {
		return day.From.Format(time.DateOnly) + "T" + at
	}
	for _, d := range q.Free {
		date, err := time.ParseInLocation(time.DateOnly, d.Date, zone)
		if err != nil || day.Kind != "" && day.Weekday > 0 && (int(date.Weekday())+6)%7+1 != day.Weekday {
			continue
		}
		if slices.Contains(d.Starts, at) || day.Kind != "" {
			return d.Date + "T" + at
		}
	}
	if q.Asked != nil && strings.HasSuffix(q.Asked.Start, "T"+at) {
		return q.Asked.Start
	}
	return ""
}

// ofTimes are the sentences about appointments in one language, by state. %s is the beginning.
var ofTimes = map[string]map[string]string{
	"uz": {
		"ASK_CUSTOMER": "Vaqt: %s. Tasdiqlaysizmi?", "PASSED_ON": "Rahmat! %s vaqtini hamkasbim tasdiqlaydi.", "UNDER_WAY": "Rahmat! %s vaqti boʻyicha hozir xabar beramiz.",
		"DECLINED": "Yaxshi, bu vaqtni qoldirdik.", "NOT_FREE": "Afsuski, bu vaqt boʻsh emas.", "UNCLEAR": "Qaysi vaqt sizga qulay?", "FREE": "Boʻsh vaqtlar: %s. Qaysi biri qulay?",
		"PASSED_AGAIN": "Yaxshi: %s. Tez orada hamkasbim buni tasdiqlaydi.",
		"AGAIN":        "Tushundim, endi boshqa vaqt: %s. Shu vaqt toʻgʻrimi?",
		"CANCELS":      "Rahmat! %s dagi uchrashuv bekor qilinishini hamkasbim tasdiqlaydi.",
		"CANCEL":       "%s dagi uchrashuvni bekor qilishni tasdiqlaysizmi?",
	},
	"ru": {
		"ASK_CUSTOMER": "Подтверждаете время %s?", "PASSED_ON": "Спасибо! Время %s подтвердит коллега.", "UNDER_WAY": "Спасибо! По времени %s сейчас придёт сообщение.",
		"DECLINED": "Хорошо, это время оставляем.", "NOT_FREE": "К сожалению, это время не свободно.", "UNCLEAR": "Какое время вам удобно?", "FREE": "Свободное время: %s. Какое вам удобно?",
		"PASSED_AGAIN": "Хорошо: %s. Скоро коллега это подтвердит.",
		"AGAIN":        "Понятно, тогда другое время: %s. Верно?",
		"CANCELS":      "Спасибо! Отмену записи на %s подтвердит коллега.",
		"CANCEL":       "Отменить вашу запись на %s? Подтвердите, пожалуйста.",
	},
	"en": {
		"ASK_CUSTOMER": "Do you confirm %s?", "PASSED_ON": "Thank you! A colleague will confirm %s.", "UNDER_WAY": "Thank you! A message about %s follows now.",
		"DECLINED": "Fine, we leave that time.", "NOT_FREE": "Unfortunately that time is not free.", "UNCLEAR": "Which time suits you?", "FREE": "Free times: %s. Which one suits you?",
		"PASSED_AGAIN": "Fine: %s. Soon a colleague will confirm this.",
		"AGAIN":        "I see, then another time: %s. Is that right?",
		"CANCELS":      "Thank you! A colleague will confirm that the appointment of %s is cancelled.",
		"CANCEL":       "Shall I cancel your appointment of %s? Please confirm.",
	},
}

// offered is how many free times are offered at once.
const offered = 3

// times says what is to be said of appointments, in Latin letters for Uzbek; "" for nothing.
func (q *wanted) times(language string, out map[string]any) string {
	words := ofTimes[language]
	out["action"] = "PROPOSE_BOOKING"
	if a := q.Appointment; a != nil && a.State != "NOT_FREE" {
		state := a.State
		switch {
		case state == "ASK_CUSTOMER" && a.Operation == "CANCEL":
			state = "CANCEL"
		case state == "PASSED_ON" && a.Operation == "CANCEL":
			state = "CANCELS"
		case state == "ASK_CUSTOMER" && q.saysAgain(words[state]):
			state = "AGAIN"
		case state == "PASSED_ON" && q.saysAgain(words[state]):
			state = "PASSED_AGAIN"
		}
		out["asks_question"] = a.State != "PASSED_ON" && state != "UNDER_WAY" && state != "DECLINED"
		if at, err := time.Parse(inMinutes, a.Start); err == nil && strings.Contains(words[state], "%s") {
			return fmt.Sprintf(words[state], at.Format("02.01.2006 15:04"))
		}
		return words[state]
	}
	text := ""
	if q.Appointment != nil {
		text = words["NOT_FREE"]
	}
	if q.Scenario != string(signals.Booking) && q.Appointment == nil || len(q.Times) == 0 {
		if text == "" {
			out["action"] = "ANSWER"
		}
		return text
	}
	day := q.Times[0]
	date, err := time.Parse(time.DateOnly, day.Date)
	if err != nil {
		return text
	}
	out["asks_question"] = true
	free := date.Format("02.01.2006") + " " + strings.Join(day.Starts[:min(len(day.Starts), offered)], ", ")
	return strings.TrimSpace(text + " " + fmt.Sprintf(words["FREE"], free))
}

// remembered is how many of our messages an answer may not repeat.
const remembered = 3

// saysAgain says whether a sentence of ours is among the last that we wrote: it is worded otherwise
// then, for the checks refuse a reply that says the same again.
func (q *wanted) saysAgain(sentence string) bool {
	opening, _, _ := strings.Cut(sentence, "%s")
	seen := 0
	for i := len(q.Messages) - 1; i >= 0 && seen < remembered; i-- {
		if q.Messages[i].From == "customer" {
			continue
		}
		if seen++; strings.HasPrefix(q.Messages[i].Text, opening) {
			return opening != ""
		}
	}
	return false
}
