package simulator

import (
	"encoding/json"
	"strings"

	"svc/ai"
	"svc/ai/mask"
	"svc/ai/signals"
)

// JEV is the kind of an outside decision service in scenes and in the log.
const JEV ai.Kind = "JEV"

// jevWire is an outside decision service: POST …/v1/decide.
type jevWire struct{}

func (jevWire) kind() ai.Kind { return JEV }

func (jevWire) read(x *exchange) (*question, *refusal) {
	var asked struct {
		RequestID string `json:"request_id"`
		Language  string `json:"language_hint"`
		Messages  []struct {
			Author string `json:"author"`
			Text   string `json:"text"`
			At     string `json:"at"`
		} `json:"messages"`
		Stage  string   `json:"stage"`
		Stages []string `json:"stages"`
		Offers []struct {
			ID   string `json:"id"`
			Name string `json:"name"`
		} `json:"offers"`
		Scenarios  []string `json:"scenarios"`
		Task       string   `json:"task"`
		Dimensions []struct {
			Key   string   `json:"key"`
			Cases []string `json:"cases"`
		} `json:"dimensions"`
	}
	if bad := keyed(strings.TrimPrefix(x.r.Header.Get("Authorization"), "Bearer ")); bad != nil {
		return nil, bad
	}
	if bad := decode(x.body, &asked); bad != nil {
		return nil, bad
	}
	q := &question{model: asked.RequestID, path: "decide"}
	for _, m := range asked.Messages {
		if mask.Text(m.Text).Text != m.Text {
			return nil, wrong("messages: personal data is not masked")
		}
		q.text += m.Text + "\n"
		q.last = m.Text
	}
	if asked.RequestID == "" || len(asked.Messages) == 0 {
		return nil, wrong("request_id and messages are needed")
	}
	return q, nil
}

// good answers the fields that a scene says, else what the words of the last message say.
func (jevWire) good(q *question, r reply) []byte {
	fields := json.RawMessage(r.text)
	if !json.Valid(fields) || !strings.HasPrefix(r.text, "{") {
		type field struct {
			Value       any     `json:"value"`
			Probability float64 `json:"probability"`
		}
		s := signals.Read(q.last, nil)
		out := map[string]field{"stop": {s.Stop.Certainty != signals.No, 0.98}, "disclose_ai": {s.AsksAI, 0.98}, "handoff": {s.Person || s.Complaint, 0.95}}
		if s.Scenario != "" {
			out["scenario"] = field{string(s.Scenario), 0.9}
		}
		fields, _ = json.Marshal(out) // plain values
	}
	b, _ := json.Marshal(map[string]any{"request_id": q.model, "model_version": "simulated-1", "fields": fields}) // plain values
	return b
}

func (jevWire) bad(f refusal) []byte {
	b, _ := json.Marshal(map[string]string{"error": f.code, "message": f.text}) // plain values
	return b
}

func (jevWire) quota() refusal { return refusal{429, "quota", "No more decisions this month"} }
