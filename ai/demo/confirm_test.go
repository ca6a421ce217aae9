package demo

import "testing"

// TestConfirms: a yes to a time is understood in each language and script.
func TestConfirms(t *testing.T) {
	for text, language := range map[string]string{
		"ha": "uz", "Ҳа": "uz", "mayli": "uz", "да": "ru", "Да, подтверждаю": "ru", "подтверждаю": "ru", "Хорошо, согласен": "ru", "yes": "en", "ok, sure": "en",
	} {
		q := booking{
			Now: "Tuesday 2026-12-01T15:00", Zone: "Asia/Tashkent", Asked: &appointment{ID: "cac_1", Operation: "CREATE", State: "ASK_CUSTOMER", Start: "2026-12-17T17:00", Minutes: 30},
			Messages: []said{{From: "CUSTOMER", Text: text}}, AnswerTo: 1,
		}
		if got := q.book(language)["operation"]; got != "CONFIRM" {
			t.Errorf("%q: %v", text, got)
		}
	}
}
