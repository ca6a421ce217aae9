package memory

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"svc/ai"
	"svc/ai/mask"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/store"
	"svc/store/queue"
)

// found is a fact as a model writes it.
type found struct {
	Key        Key     `json:"key"`
	Value      string  `json:"value"`
	Confidence float64 `json:"confidence"`
	Message    string  `json:"message_id"`
	Quote      string  `json:"quote"`
}

var factsForm = &ai.Schema{Name: "facts", Root: ai.Obj(ai.Field{Name: "facts", Node: &ai.Node{
	Type: ai.Array, Description: "at most 10; empty when there are none", Items: ai.Obj(
		ai.OneOf("key", string(Preference), string(Order), string(Need), string(Budget), string(Other)),
		ai.F("value", ai.String, "the fact in a few words, in the language of the customer"),
		ai.F("confidence", ai.Number, "0 to 1"),
		ai.F("message_id", ai.String, "the message in which the customer says it"),
		ai.F("quote", ai.String, "the words of that message, exactly as they stand there"),
	),
}})}

const (
	factTokens = 800
	maxFound   = 20
	// leastQuote is how many letters a quote has at least: fewer stand anywhere.
	leastQuote = 3
)

func (s *Service) remember(ctx context.Context, _ queue.Job, a remember) error {
	o, err := s.load(ctx, a.Org, a.Conversation)
	if err != nil {
		return skip(err)
	}
	o.lines = between(o.lines, a.After, a.UpTo)
	if len(o.lines) == 0 {
		return nil
	}
	data, err := json.Marshal(asked{Task: "MEMORY", Language: tongue(o.lines), Messages: o.lines})
	if err != nil {
		return err
	}
	var got struct{ Facts []found }
	q := execution.Question{
		Asked: execution.Asked{Language: tongue(o.lines)},
		Request: ai.Request{
			System:   dataRule + "All messages are the customer's. Write no names, telephone numbers and addresses.",
			Messages: []ai.Message{{Role: ai.User, Text: string(data)}}, Schema: factsForm, MaxTokens: factTokens, Effort: ai.Low,
		},
		Accept: func(r ai.Response) error {
			got.Facts = nil
			if err := json.Unmarshal(r.JSON, &got); err != nil {
				return err
			}
			if len(got.Facts) > maxFound {
				return errors.New("too many facts")
			}
			return nil
		},
	}
	return skip(s.ask(ctx, a.Org, &o, agent.Memory, q, func(tx *store.Tx, _ bool) error {
		k, err := conversation.Get(tx, a.Org, o.k.ID)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		if ok, err := digests.Has(tx, a.Org, k.ID); err != nil || !ok {
			return err // it was erased
		}
		return Keep(tx, a.Org, &k, proven(got.Facts, o.lines))
	}))
}

// between are the customer's messages behind one, up to another.
func between(list []line, after, upTo string) (out []line) {
	for _, l := range list {
		if l.ID == after {
			out = nil
			continue
		}
		if l.Author == string(conversation.Customer) {
			out = append(out, l)
		}
		if l.ID == upTo {
			break
		}
	}
	return out
}

// proven are the facts whose quote stands in the message that they name.
func proven(list []found, said []line) (out []Fact) {
	texts := map[string]string{}
	for _, l := range said {
		texts[l.ID] = fold(l.Text)
	}
	for _, f := range list {
		quote := fold(f.Quote)
		if !ofModels(f.Key) || len([]rune(quote)) < leastQuote || !strings.Contains(texts[f.Message], quote) {
			continue
		}
		// What a model wrote itself is masked too: it may have put digits together.
		out = append(out, Fact{Key: f.Key, Value: mask.Text(f.Value).Text, Confidence: f.Confidence, Message: f.Message})
	}
	return out
}
