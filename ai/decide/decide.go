// Package decide says what a message of a customer is and what should follow: its intent,
// the stage, the next action, the interest, and eight more fields.
//
// It promises that rules decide first, that a value outside of a field's choice is no value,
// that a field which is not sure enough is not trusted (contract 13), and that merging the
// answers of several sources gives the same decision in every order of fields. It refuses to
// ask anybody: who does gives it the answers.
package decide

import (
	"cmp"
	"maps"
	"slices"
)

// Field names what is decided.
type Field string

// The fields of a decision (contract 13.12).
const (
	Intent      Field = "intent"
	Stage       Field = "sales_stage"
	Advance     Field = "advance" // yes: the conversation goes one stage further
	NextAction  Field = "next_action"
	Interest    Field = "interest"
	LeadQuality Field = "lead_quality"
	Objection   Field = "objection"
	Handoff     Field = "handoff"
	Booking     Field = "booking"
	Knowledge   Field = "knowledge" // an answer needs knowledge beside the offers
	Stop        Field = "stop"
	DiscloseAI  Field = "disclose_ai"
	Scenario    Field = "scenario"
	// Custom is whether a sentence of the organization holds; asked where it has one.
	Custom Field = "custom"
)

// Fields are all fields in their order.
var Fields = []Field{Intent, Stage, Advance, NextAction, Interest, LeadQuality, Objection, Handoff, Booking, Knowledge, Stop, DiscloseAI, Scenario}

// The values of yes-or-no fields.
const (
	Yes = "yes"
	No  = "no"
)

// The intents.
const (
	Greeting     = "GREETING"
	Question     = "QUESTION"
	Price        = "PRICE"
	Availability = "AVAILABILITY"
	Delivery     = "DELIVERY"
	WantsBooking = "BOOKING"
	OrderStatus  = "ORDER_STATUS"
	Purchase     = "PURCHASE"
	Objects      = "OBJECTION"
	Complaint    = "COMPLAINT"
	HumanRequest = "HUMAN_REQUEST"
	AsksStop     = "STOP"
	AsksAI       = "ASKS_AI"
	SmallTalk    = "SMALL_TALK"
	Sensitive    = "SENSITIVE"
	OtherIntent  = "OTHER"
)

// The levels of interest.
const (
	InterestNone   = "NONE"
	InterestLow    = "LOW"
	InterestMedium = "MEDIUM"
	InterestHigh   = "HIGH"
)

// choices are the values that fields have, those of the stage excepted: a funnel has its own.
var choices = map[Field][]string{
	Intent: {
		Greeting, Question, Price, Availability, Delivery, WantsBooking, OrderStatus, Purchase, Objects, Complaint, HumanRequest, AsksStop, AsksAI,
		SmallTalk, Sensitive, OtherIntent,
	},
	NextAction: {
		"GREET", "ASK_QUESTION", "ANSWER", "PRESENT_OFFER", "QUOTE_PRICE", "HANDLE_OBJECTION", "PROPOSE_BOOKING", "SEND_FILE", "ASK_CONTACT", "CLOSE",
		"FOLLOW_UP", "HANDOFF",
	},
	Interest:    {InterestNone, InterestLow, InterestMedium, InterestHigh},
	LeadQuality: {"cold", "warm", "hot"},
	Objection:   {"NONE", "PRICE", "TIMING", "TRUST", "NEED", "COMPETITOR", "OTHER"},
	Scenario:    {"FAQ", "PRICING", "AVAILABILITY", "DELIVERY", "BOOKING", "ORDER_STATUS", "SMALL_TALK", "OTHER"},
	Advance:     {Yes, No}, Handoff: {Yes, No}, Booking: {Yes, No}, Knowledge: {Yes, No}, Stop: {Yes, No}, DiscloseAI: {Yes, No},
	Custom: {Yes, No},
}

// Choice are the values that a field may have, in a funnel with the given stages.
func Choice(f Field, stages []string) []string {
	if f == Stage {
		return stages
	}
	return choices[f]
}

// Source says who decided a field.
type Source string

// The sources.
const (
	FromRules Source = "RULES"
	FromJEV   Source = "JEV"
	FromModel Source = "LLM"
	FromNone  Source = "NONE"
)

// Value is one field of a decision.
type Value struct {
	Value string `json:"value"`
	// Probability is what the source says, nil where it gives none; Confidence what it counts
	// as, 0 to 1.
	Probability *float64 `json:"probability"`
	Confidence  float64  `json:"confidence"`
	Threshold   float64  `json:"threshold"`
	Source      Source   `json:"source" enum:"RULES,JEV,LLM,NONE"`
	Trusted     bool     `json:"trusted"`
}

// Decision is the fields that were decided.
type Decision map[Field]Value

// Answer is what one source says of one field.
type Answer struct {
	Value      string
	Confidence float64
	// Said is what the source says where Confidence is corrected; nil: the same.
	Said *float64
}

// Of is the value of a field that is trusted, "" of any other.
func (d Decision) Of(f Field) string {
	if v := d[f]; v.Trusted {
		return v.Value
	}
	return ""
}

// Source is who decided: the outside service when it decided anything, else the model, else
// the rules.
func (d Decision) Source() Source {
	out := FromNone
	order := []Source{FromNone, FromRules, FromModel, FromJEV}
	for _, v := range d {
		if slices.Index(order, v.Source) > slices.Index(order, out) {
			out = v.Source
		}
	}
	return out
}

// Says is whether a yes-or-no field is trusted and yes.
func (d Decision) Says(f Field) bool { return d.Of(f) == Yes }

// Thresholds say from which confidence on a field is trusted.
type Thresholds struct {
	// Default holds for fields that have none of their own.
	Default float64
	Own     map[Field]float64
}

// Of is the threshold of a field.
func (t Thresholds) Of(f Field) float64 {
	if own, ok := t.Own[f]; ok {
		return own
	}
	return t.Default
}

// Missing are the fields that nobody decided so that they can be trusted, in their order.
func (d Decision) Missing() []Field {
	return slices.DeleteFunc(slices.Clone(Fields), func(f Field) bool { return d[f].Trusted })
}

// Merge adds the answers of a source to a decision. A field that is trusted stays; among
// those that are not, the one with the higher confidence stays. What is outside of a field's
// choice does not count.
func (d Decision) Merge(from Source, answers map[Field]Answer, t Thresholds, stages []string) Decision {
	out := maps.Clone(d)
	if out == nil {
		out = Decision{}
	}
	for f, a := range answers {
		if !slices.Contains(Choice(f, stages), a.Value) || a.Confidence != a.Confidence {
			continue
		}
		sure := min(max(a.Confidence, 0), 1)
		v := Value{Value: a.Value, Confidence: sure, Threshold: t.Of(f), Source: from, Trusted: sure >= t.Of(f)}
		if from != FromRules {
			v.Probability = cmp.Or(a.Said, &sure)
		}
		if old, ok := out[f]; !ok || !old.Trusted && (v.Trusted || v.Confidence > old.Confidence) {
			out[f] = v
		}
	}
	return out
}

// StopLikely is the probability that a customer wants no more messages: what the model or JEV
// says of the field stop, 0 without an answer.
func (d Decision) StopLikely() float64 {
	v, ok := d[Stop]
	switch {
	case !ok:
		return 0
	case v.Value == Yes:
		return v.Confidence
	}
	return 1 - v.Confidence
}
