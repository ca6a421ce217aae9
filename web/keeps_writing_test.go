package web_test

import (
	"testing"

	"svc/web/webtest"
)

// TestWhoKeepsWritingIsAnswered: a customer who writes a message a second for a minute, which
// makes every reply out of date while it waits to be sent, has an answer before the minute is over
// (contract 13.10).
func TestWhoKeepsWritingIsAnswered(t *testing.T) {
	s := openShop(t, webtest.Options{})
	p := &conversationPlay{shop: s, t: t, person: "demo_user_95", always: true}
	p.set("settings", "{}")
	p.set("business", "{}")
	p.decide = map[string]any{"intent": "PRICE", "scenario": "PRICING", "next_action": "QUOTE_PRICE", "interest": "MEDIUM"}
	p.models = []string{`{"reply": "101 ta atirgul narxi 1 400 000 soʻm.", "language": "uz", "action": "QUOTE_PRICE"}`}
	p.script("")
	for range 60 {
		p.says("101 ta atirgul narxi qancha?")
		s.act(t, "settle", "")
		s.act(t, "advance", "1s")
		s.act(t, "settle", "")
	}
	id := s.api.Do("GET /ai/conversations?q=demo_user_95", nil).Want(200).String("data.0.id")
	var k struct {
		Messages []struct{ Author, Status string }
	}
	s.api.Do("GET /ai/conversations/"+id+"?limit=200", nil).Want(200).Into(&k)
	sent, late := 0, 0
	for _, m := range k.Messages {
		switch {
		case m.Author == "AI" && m.Status == "SENT":
			sent++
		case m.Author == "AI":
			late++
		}
	}
	if sent == 0 || late > 10 {
		t.Errorf("%d replies were sent, %d were overtaken", sent, late)
	}
	t.Logf("%d replies were sent, %d were overtaken", sent, late)
}
