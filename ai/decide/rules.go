package decide

import "svc/ai/signals"

// intents are those of scenarios.
var intents = map[signals.Scenario]string{
	signals.Pricing: Price, signals.Availability: Availability, signals.Delivery: Delivery, signals.Booking: WantsBooking,
	signals.OrderStatus: OrderStatus, signals.SmallTalk: SmallTalk,
}

// What rules count as, in confidence.
const (
	certain = 1.0
	// usual is a scenario by its words: a message may be about more.
	usual = 0.7
)

// Rules is what the signals of a message decide without a model, and whether that is enough:
// a pure greeting, thanks, a request for a person, a complaint.
func Rules(s signals.Signals) (answers map[Field]Answer, enough bool) {
	a := map[Field]Answer{}
	set := func(f Field, value string, sure float64) { a[f] = Answer{Value: value, Confidence: sure} }
	if s.Scenario != "" && s.Scenario != signals.Other {
		set(Scenario, string(s.Scenario), usual)
		if intent := intents[s.Scenario]; intent != "" {
			set(Intent, intent, usual)
		}
	}
	if s.AsksAI {
		set(DiscloseAI, Yes, certain)
	}
	switch {
	case s.Person:
		set(Intent, HumanRequest, certain)
	case s.Complaint:
		set(Intent, Complaint, certain)
	case s.Greeting:
		set(Intent, Greeting, certain)
		set(Scenario, string(signals.SmallTalk), certain)
		set(NextAction, "GREET", certain)
	case s.Closing:
		set(Intent, SmallTalk, certain)
		set(Scenario, string(signals.SmallTalk), certain)
	default:
		return a, false
	}
	set(Stop, No, certain)
	return a, true
}
