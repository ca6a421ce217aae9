package decide

import (
	"encoding/json"
	"fmt"

	"svc/ai"
)

// meaning is what a model is told of a field.
var meaning = map[Field]string{
	Intent:      "what the customer wants with the last messages",
	Stage:       "the stage of the sale that the conversation has reached",
	Advance:     "whether the conversation goes one stage further now",
	NextAction:  "what the seller should do next",
	Interest:    "how interested the customer is in buying",
	LeadQuality: "how likely a sale is",
	Objection:   "what the customer objects to",
	Handoff:     "whether a person must answer",
	Booking:     "whether the customer wants an appointment",
	Knowledge:   "whether the answer needs more than the list of offers",
	Stop:        "whether the customer wants no more messages from this business, ever",
	DiscloseAI:  "whether the customer asks if a machine answers",
	Scenario:    "the kind of question",
}

// Schema is the form of an answer of a model to some fields: for each a value and how sure
// it is. sentence is what Custom asks.
func Schema(fields []Field, stages []string, sentence string) *ai.Schema {
	var list []ai.Field
	for _, f := range fields {
		values := Choice(f, stages)
		if len(values) == 0 {
			continue
		}
		n := ai.Obj(ai.OneOf("value", values...), ai.F("confidence", ai.Number, "0 to 1"))
		if n.Description = meaning[f]; f == Custom {
			n.Description = "whether this holds: " + sentence
		}
		list = append(list, ai.Field{Name: string(f), Node: n})
	}
	return &ai.Schema{Name: "decision", Root: ai.Obj(list...)}
}

// Read reads such an answer.
func Read(answer json.RawMessage) (map[Field]Answer, error) {
	var fields map[Field]struct {
		Value      string  `json:"value"`
		Confidence float64 `json:"confidence"`
	}
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, fmt.Errorf("decide: the answer has another form: %w", err)
	}
	out := map[Field]Answer{}
	for f, a := range fields {
		out[f] = Answer{Value: a.Value, Confidence: a.Confidence}
	}
	return out, nil
}
