package decide_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"svc/ai/decide"
	"svc/ai/signals"
)

var stages = []string{"NEW", "INTERESTED"}

func TestMergeTrustsWhatIsSure(t *testing.T) {
	limits := decide.Thresholds{Default: 0.6, Own: map[decide.Field]float64{decide.Stop: 0.85}}
	d := decide.Decision{}.Merge(decide.FromRules, map[decide.Field]decide.Answer{decide.Intent: {Value: decide.Price, Confidence: 0.7}}, limits, stages)
	d = d.Merge(decide.FromModel, map[decide.Field]decide.Answer{
		decide.Intent:   {Value: decide.Question, Confidence: 0.99}, // the rules were sure enough
		decide.Stop:     {Value: decide.Yes, Confidence: 0.7},       // below its own threshold
		decide.Stage:    {Value: "GONE", Confidence: 1},             // no stage of the funnel
		decide.Interest: {Value: decide.InterestHigh, Confidence: math.NaN()},
		decide.Handoff:  {Value: decide.No, Confidence: 7},
	}, limits, stages)
	if got := d.Of(decide.Intent); got != decide.Price {
		t.Errorf("intent %q, want that of the rules", got)
	}
	if d[decide.Stop].Trusted || d.Of(decide.Stop) != "" || d.StopLikely() != 0.7 {
		t.Errorf("stop %+v, want one that is not trusted", d[decide.Stop])
	}
	if _, ok := d[decide.Stage]; ok {
		t.Error("a stage that the funnel does not have was taken")
	}
	if _, ok := d[decide.Interest]; ok {
		t.Error("a confidence that is no number was taken")
	}
	if v := d[decide.Handoff]; v.Confidence != 1 || v.Probability == nil || *v.Probability != 1 {
		t.Errorf("handoff %+v, want a confidence of at most 1", v)
	}
	if slices.Contains(d.Missing(), decide.Intent) || !slices.Contains(d.Missing(), decide.Stop) {
		t.Errorf("missing %v", d.Missing())
	}
}

func TestRulesAreEnoughForPlainMessages(t *testing.T) {
	for text, want := range map[string]struct {
		intent string
		enough bool
	}{
		"Salom!":                    {decide.Greeting, true},
		"Rahmat, xayr":              {decide.SmallTalk, true},
		"Operator bilan gaplashsam": {decide.HumanRequest, true},
		"Narxi qancha?":             {decide.Price, false},
		"Есть в наличии?":           {decide.Availability, false},
	} {
		answers, enough := decide.Rules(signals.Read(text, nil))
		if answers[decide.Intent].Value != want.intent || enough != want.enough {
			t.Errorf("%q: %+v, enough %v, want %+v", text, answers[decide.Intent], enough, want)
		}
	}
}

func TestSchemaAndRead(t *testing.T) {
	s := decide.Schema([]decide.Field{decide.Intent, decide.Stage, decide.Stop}, stages, "")
	answer := json.RawMessage(`{"intent":{"value":"PRICE","confidence":0.9},"sales_stage":{"value":"NEW","confidence":0.5},"stop":{"value":"no","confidence":1}}`)
	if err := s.Check(answer); err != nil {
		t.Fatal(err)
	}
	got, err := decide.Read(answer)
	if err != nil || got[decide.Intent] != (decide.Answer{Value: decide.Price, Confidence: 0.9}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := s.Check(json.RawMessage(`{"intent":{"value":"DANCE","confidence":0.9},"sales_stage":{"value":"NEW","confidence":0.5},"stop":{"value":"no","confidence":1}}`)); err == nil {
		t.Error("an intent that there is not was taken")
	}
	if len(decide.Schema([]decide.Field{decide.Stage}, nil, "").Root.Fields) != 0 {
		t.Error("a stage was asked for in a funnel without stages")
	}
	for _, f := range decide.Fields {
		if f != decide.Stage && len(decide.Choice(f, nil)) == 0 {
			t.Errorf("the field %s has no choice", f)
		}
	}
}
