package answer

import (
	"encoding/json"
	"errors"
	"time"

	"svc/ai"
	"svc/ai/decide"
	"svc/ai/mask"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/jev"
)

// replyTokens bounds what a model writes that answers, in tokens.
const replyTokens = 1_200

// Foreseen are the questions that a Run may ask, for the reservation of its cost.
func Foreseen(s *Situation) []execution.Foreseen {
	size := int64(0)
	for _, m := range s.Messages {
		size += ai.EstimateText(m.Text)
	}
	language := string(s.tongue().Language)
	reply := execution.Foreseen{Asked: s.asked(agent.Seller, language), Input: size + 6_000, Output: replyTokens, Times: 2}
	decision := execution.Foreseen{Asked: s.asked(agent.Decision, language), Input: size + 1_500, Output: decide.MaxTokens}
	if s.FollowUp {
		return []execution.Foreseen{reply}
	}
	if s.Times != nil && s.Times.Asked != nil { // it is asked surely; else only where the customer speaks of times
		times := execution.Foreseen{Asked: execution.Asked{Agent: agent.Calendar, Language: language}, Input: size + 4_000, Output: bookTokens}
		return []execution.Foreseen{decision, times, reply}
	}
	return []execution.Foreseen{decision, reply}
}

// askDecision asks for fields of the decision.
func (r *run) askDecision(fields []decide.Field) (map[decide.Field]decide.Answer, error) {
	q := decide.Asked{Fields: fields, Stage: r.s.Stage, Stages: r.stages(), AnswerTo: r.s.Burst}
	for i := range min(len(r.s.Offers), allOffers) {
		q.Offers = append(q.Offers, r.s.Offers[i].Name)
	}
	q.Messages = r.masked()
	request, err := q.Request(r.sentence())
	if err != nil {
		return nil, err
	}
	var out map[decide.Field]decide.Answer
	_, err = r.work.Ask(r.ctx, execution.Question{
		Asked: r.s.asked(agent.Decision, string(r.out.Tongue.Language)), Kind: execution.Decision, Request: request,
		Accept: func(res ai.Response) (err error) {
			out, err = decide.Read(res.JSON)
			return err
		},
	})
	return out, err
}

// sentence is what the organization's own rule asks, "" without one.
func (r *run) sentence() string {
	rule := r.s.Settings.Rules[business.CustomRule]
	if !rule.Enabled || rule.Sentence == nil {
		return ""
	}
	return clean(*rule.Sentence)
}

// masked are the messages without personal data, which is counted once.
func (r *run) masked() []Said {
	if r.mask != nil {
		return r.mask
	}
	for _, m := range r.s.Messages {
		x := mask.Text(clean(m.Text))
		m.Text = x.Text
		r.out.Masked.Count(&x)
		r.mask = append(r.mask, m)
	}
	return r.mask
}

// jevAuthors are the authors as the outside service knows them.
var jevAuthors = map[Author]string{Customer: "CUSTOMER", Seller: "AI", Person: "HUMAN"}

// askJEV asks the outside decision service, where the organization uses one. It says whether
// a model decides what is left.
func (r *run) askJEV() bool {
	if r.s.JEV == nil {
		return true
	}
	q := &decide.JEVRequest{
		RequestID: r.work.ID(), Language: r.out.Tongue.Tag(), Stage: r.s.Stage, Stages: r.stages(), Offers: []decide.JEVOffer{},
		Scenarios: decide.Choice(decide.Scenario, nil),
	}
	for i := range min(len(r.s.Offers), allOffers) {
		q.Offers = append(q.Offers, decide.JEVOffer{ID: r.s.Offers[i].ID, Name: r.s.Offers[i].Name})
	}
	for _, m := range r.masked() {
		q.Messages = append(q.Messages, decide.JEVMessage{Author: jevAuthors[m.From], Text: m.Text, At: m.At})
	}
	begun := time.Now()
	got, fallback, err := r.s.JEV(r.ctx, r.s.Org, q)
	if errors.Is(err, jev.ErrOff) {
		return fallback != jev.ByNone
	}
	n := execution.Step{Kind: execution.Decision, Begin: begun, Took: time.Since(begun), Reason: "JEV"}
	if err != nil {
		n.ErrorCode = "jev_failed"
	}
	r.work.Note(n)
	if err == nil {
		r.out.ModelVersion = got.ModelVersion
		limits := r.limits(0)
		limits.Own = got.Thresholds
		r.out.Decision = r.out.Decision.Merge(decide.FromJEV, got.Fields, limits, r.stages())
	}
	return fallback != jev.ByNone
}

// Written is what the agent that writes answers.
type Written struct {
	Reply    string   `json:"reply"`
	Language string   `json:"language"`
	Action   string   `json:"action"`
	Offers   []string `json:"used_offer_ids"`
	Chunks   []string `json:"used_chunk_ids"`
	Stage    string   `json:"proposed_stage"`
	Asks     bool     `json:"asks_question"`
	Handoff  struct {
		Needed  bool   `json:"needed"`
		Trigger string `json:"trigger"`
		Reason  string `json:"reason"`
	} `json:"handoff"`
	Facts []struct {
		Text   string `json:"text"`
		Source string `json:"source"`
	} `json:"facts"`
	NoReply bool `json:"no_reply"`
}

// bounds of an answer, in bytes and entries: a model may write anything.
const (
	maxReply = 16 << 10
	maxIDs   = 50
)

var errTooMuch = errors.New("answer: the model wrote more than an answer holds")

// writtenSchema is the form of that answer.
var writtenSchema = &ai.Schema{Name: "reply", Root: ai.Obj(
	ai.F("reply", ai.String, "the whole message to the customer, plain text"),
	ai.F("language", ai.String, "uz, ru or en"),
	ai.OneOf("action", decide.Choice(decide.NextAction, nil)...),
	ai.ListOf("used_offer_ids", ai.String, "ids of the offers that the reply speaks of"),
	ai.ListOf("used_chunk_ids", ai.String, "ids of the knowledge that it uses"),
	ai.F("proposed_stage", ai.String, "the stage that the conversation is in after this reply, empty for no change"),
	ai.F("asks_question", ai.Boolean, "whether the reply asks the customer something"),
	ai.Field{Name: "handoff", Node: ai.Obj(
		ai.F("needed", ai.Boolean, "whether a person must answer in place of this reply"),
		ai.F("trigger", ai.String, "why: one of the triggers, or empty"),
		ai.F("reason", ai.String, "a sentence for the team, or empty"),
	)},
	ai.Field{Name: "facts", Node: &ai.Node{Type: ai.Array, Items: ai.Obj(
		ai.F("text", ai.String, "a price, time, date, number or promise of the reply"),
		ai.F("source", ai.String, "the id that says it"),
	)}},
	ai.F("no_reply", ai.Boolean, "whether nothing is to be answered"),
)}

// askReply asks for the words. trouble tells a second try what was wrong with the first.
func (r *run) askReply(p *prompt, trouble []Trouble) (w Written, err error) {
	data, err := json.Marshal(p.data(trouble))
	if err != nil {
		return w, err
	}
	r.out.Wrote = true
	_, err = r.work.Ask(r.ctx, execution.Question{
		Asked:   r.s.asked(agent.Seller, string(r.out.Tongue.Language)),
		Request: ai.Request{System: p.system, Messages: []ai.Message{{Role: ai.User, Text: string(data)}}, Schema: writtenSchema, MaxTokens: replyTokens},
		Accept: func(res ai.Response) error {
			w = Written{}
			if err := json.Unmarshal(res.JSON, &w); err != nil {
				return err
			}
			if len(w.Reply) > maxReply || len(w.Offers) > maxIDs || len(w.Chunks) > maxIDs || len(w.Facts) > 4*maxIDs {
				return errTooMuch
			}
			w.Reply = tidy(w.Reply)
			return nil
		},
	})
	return w, err
}
