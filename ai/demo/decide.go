package demo

import (
	"strings"

	"svc/ai"
	"svc/ai/signals"
)

// judged is what the demo model understands of a question of the task DECIDE.
type judged struct {
	Stage    string `json:"stage"`
	Messages []said `json:"messages"`
	AnswerTo int    `json:"answer_to"`
}

type said struct {
	From string `json:"from"`
	Text string `json:"text"`
}

// burst is what is answered: the last n messages.
func burst(list []said, n int) (text string) {
	for _, m := range list[max(0, len(list)-max(n, 1)):] {
		text += m.Text + "\n"
	}
	return text
}

// namesTime says whether the last messages name a time after ours asked for one.
func namesTime(list []said, n int) bool {
	before := list[:max(0, len(list)-max(n, 1))]
	if len(before) == 0 || before[len(before)-1].From == "customer" || !strings.ContainsAny(burst(list, n), "0123456789") {
		return false
	}
	ours := before[len(before)-1].Text
	for _, words := range ofTimes {
		_, asks, _ := strings.Cut(words["FREE"], "%s. ")
		if strings.HasSuffix(ours, asks) || strings.HasSuffix(ours, words["UNCLEAR"]) {
			return true
		}
	}
	return false
}

// sureness is how sure the demo model says that it is of what words say, and of what they
// do not say. What may be a wish to stop and may be none is for a person: below what stops a
// conversation together with words, and not below what a person is asked about.
const (
	sureOfWords   = 0.9
	sureOfSilence = 0.8
	sureOfDoubt   = 0.7
)

var demoIntents = map[signals.Scenario]string{
	signals.Pricing: "PRICE", signals.Availability: "AVAILABILITY", signals.Delivery: "DELIVERY", signals.Booking: "BOOKING",
	signals.OrderStatus: "ORDER_STATUS", signals.SmallTalk: "SMALL_TALK",
}

var demoActions = map[signals.Scenario]string{
	signals.Pricing: "QUOTE_PRICE", signals.Availability: "ANSWER", signals.Booking: "ASK_CONTACT", signals.SmallTalk: "GREET",
}

// decide answers each field of the schema from the words of the last messages.
func (j *judged) decide(schema *ai.Schema) map[string]any {
	s := signals.Read(burst(j.Messages, j.AnswerTo), nil)
	about := s.Scenario
	if about == "" {
		about = signals.Other
	}
	if about == signals.Other && namesTime(j.Messages, j.AnswerTo) {
		about = signals.Booking
	}
	intent, action := demoIntents[about], demoActions[about]
	if intent == "" {
		intent = "QUESTION"
	}
	if action == "" {
		action = "ANSWER"
	}
	words := map[string]string{
		"intent": intent, "next_action": action, "scenario": string(about), "sales_stage": j.Stage, "interest": "LOW", "lead_quality": "cold", "objection": "NONE",
		"advance": "no", "handoff": "no", "booking": "no", "knowledge": "yes", "stop": "no", "disclose_ai": "no",
	}
	set := func(holds bool, field, value string) {
		if holds {
			words[field] = value
		}
	}
	set(about == signals.Pricing || about == signals.Availability || about == signals.Delivery, "interest", "MEDIUM")
	set(about == signals.Pricing || about == signals.Availability, "lead_quality", "warm")
	set(about == signals.Booking, "booking", "yes")
	set(s.Stop.Certainty != signals.No, "stop", "yes")
	set(s.AsksAI, "disclose_ai", "yes")
	set(s.AsksAI, "intent", "ASKS_AI")
	out := map[string]any{}
	for _, f := range schema.Root.Fields {
		value, sure := words[f.Name], sureOfWords
		if value == "" || value == "no" {
			sure = sureOfSilence
		}
		if f.Name == "stop" && s.Stop.Certainty == signals.Likely {
			sure = sureOfDoubt
		}
		if !choice(f.Node, value) {
			value, sure = first(f.Node), 0
		}
		out[f.Name] = map[string]any{"value": value, "confidence": sure}
	}
	return out
}

// choice says whether a field of a decision may have a value.
func choice(n *ai.Node, value string) bool {
	for _, f := range n.Fields {
		if f.Name != "value" {
			continue
		}
		for _, v := range f.Enum {
			if v == value {
				return true
			}
		}
	}
	return false
}

func first(n *ai.Node) string {
	for _, f := range n.Fields {
		if f.Name == "value" && len(f.Enum) > 0 {
			return f.Enum[0]
		}
	}
	return ""
}
