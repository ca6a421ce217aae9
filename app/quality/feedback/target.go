package feedback

import (
	"encoding/json"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/quality/dataset"
	"svc/app/seller/decision"
	"svc/app/seller/draft"
	"svc/store"
)

// find fills in what feedback is about, and answers what the AI wrote there. The caller must
// be able to see it.
func (f *Feedback) find(tx *store.Tx, c *api.Call) (original string, err error) {
	unknown := func(err error) error {
		if store.IsNotFound(err) {
			return api.Wrong("target_id", "names no %s of the organization", strings.ToLower(string(f.Target)))
		}
		return err
	}
	switch f.Target {
	case OnMessage:
		original, err = f.message(tx, c.Org)
	case OnDraft:
		var d draft.Draft
		if d, err = draft.Get(tx, c.Org, f.TargetID); err == nil {
			original, err = f.draft(tx, c.Org, &d)
		}
	case OnDecision:
		var d decision.Decision
		if d, err = decision.Get(tx, c.Org, f.TargetID); err == nil {
			f.Conversation, f.Execution = d.ConversationID, d.ExecutionID
		}
	case OnExecution:
		f.Execution = f.TargetID
	}
	if err == nil {
		err = f.execution(tx, c.Org)
	}
	if err != nil {
		return "", unknown(err)
	}
	if original == "" && f.Execution != "" {
		if _, original, _, err = f.heard(tx, c.Org); err != nil {
			return "", err
		}
	}
	if f.Conversation == "" {
		return original, nil // of the playground
	}
	k, err := conversation.GetVisible(tx, c, f.Conversation)
	if err != nil {
		return "", unknown(err)
	}
	if k.Personal {
		return "", dataset.ErrPersonal.WithMessage("A personal chat is read by nobody but its owner: it takes no feedback.")
	}
	return original, nil
}

// message is one that the AI wrote, or that a person sent from a draft of it.
func (f *Feedback) message(tx *store.Tx, org string) (string, error) {
	m, err := conversation.GetMessage(tx, org, f.TargetID)
	if err != nil {
		return "", err
	}
	f.Conversation, f.Execution = m.Conversation, m.ExecutionID
	if m.ExecutionID == "" && m.DraftID == "" {
		return "", api.Wrong("target_id", "is a message that the AI did not write")
	}
	c, err := m.Open(tx.DB(), org)
	return c.Text, err
}

func (f *Feedback) draft(tx *store.Tx, org string, d *draft.Draft) (string, error) {
	f.Conversation, f.Execution, f.Business, f.PromptVersion = d.Conversation, d.Execution, d.Business, d.PromptVersion
	w, err := d.Open(tx.DB(), org)
	return w.Proposed, err
}

// execution fills in what the execution of a target says. One that is not kept any more says
// nothing; it must be there when it is the target.
func (f *Feedback) execution(tx *store.Tx, org string) error {
	if f.Execution == "" {
		return nil
	}
	x, err := execution.About(tx, org, f.Execution)
	if store.IsNotFound(err) && f.Target != OnExecution {
		return nil
	}
	if err != nil {
		return err
	}
	if x.Mode == agent.Eval {
		return api.Wrong("target_id", "is an execution of an evaluation")
	}
	f.Business, f.PromptVersion = x.Business, x.PromptVersion
	if f.Conversation == "" {
		f.Conversation = x.Conversation
	}
	return nil
}

// asked is what the agents of a turn read, as far as an item needs it.
type asked struct {
	Stage    string          `json:"stage"`
	Messages []saidAsked     `json:"messages"`
	Offers   json.RawMessage `json:"offers"` // names only, where the agent does not write
	Memory   []dataset.Fact  `json:"memory"`
}

type saidAsked struct {
	From string `json:"from"`
	Text string `json:"text"`
}

// wrote is the reply that the agent that writes answered.
type wrote struct {
	Reply string `json:"reply"`
}

// lastAsked reads what was asked in a step.
func lastAsked(prompt string) (q asked, ok bool) {
	var p struct {
		Messages []struct{ Role, Text string } `json:"messages"`
	}
	if json.Unmarshal([]byte(prompt), &p) != nil || len(p.Messages) == 0 {
		return q, false
	}
	return q, json.Unmarshal([]byte(p.Messages[len(p.Messages)-1].Text), &q) == nil && len(q.Messages) > 0
}

// Snapshot is the conversation that feedback is about as the seller found it: what the
// execution was asked, else the messages of the conversation. reply is what the AI wrote; ok
// is false when nothing of it is kept any more.
func (f *Feedback) Snapshot(tx *store.Tx, org string) (in dataset.Input, reply string, ok bool, err error) {
	if in, reply, ok, err = f.heard(tx, org); ok || err != nil {
		return in, reply, ok, err
	}
	return f.fromMessages(tx, org)
}

// heard is what the execution was asked and what it wrote; ok is false when that is not kept.
func (f *Feedback) heard(tx *store.Tx, org string) (in dataset.Input, reply string, ok bool, err error) {
	heard, err := execution.Heard(tx, org, f.Execution)
	if store.IgnoreNotFound(err) != nil {
		return in, "", false, err
	}
	for i := range heard {
		h := &heard[i]
		if h.Agent == agent.Decision {
			if q, read := lastAsked(h.Prompt); read {
				in.Stage = q.Stage
				if len(in.Messages) == 0 {
					in.Messages = messages(q.Messages)
				}
			}
		}
		if q, read := lastAsked(h.Prompt); read && h.Agent == agent.Seller {
			in.Messages, in.Memory = messages(q.Messages), q.Memory
			if err := json.Unmarshal(q.Offers, &in.Offers); err != nil {
				in.Offers = nil
			}
			var w wrote
			if json.Unmarshal([]byte(h.Answer), &w) == nil {
				reply = w.Reply
			}
		}
	}
	return in, reply, len(in.Messages) > 0, nil
}

// fromMessages reads the conversation, when no execution says what it was.
func (f *Feedback) fromMessages(tx *store.Tx, org string) (in dataset.Input, reply string, ok bool, err error) {
	until := ""
	if f.Target == OnMessage {
		until = f.TargetID
	} else if x, err := execution.About(tx, org, f.Execution); err == nil {
		until = x.Trigger
	}
	if f.Conversation == "" {
		return in, "", false, nil
	}
	k, err := conversation.Get(tx, org, f.Conversation)
	if err != nil {
		return in, "", false, store.IgnoreNotFound(err)
	}
	if until == "" {
		until = k.LastID
	}
	in, err = dataset.Until(tx, org, &k, until)
	return in, "", err == nil && len(in.Messages) > 0, store.IgnoreNotFound(err)
}

func messages(list []saidAsked) (out []dataset.Message) {
	authors := map[string]string{"customer": "CUSTOMER", "seller": "AI"}
	for _, m := range list {
		author := authors[m.From]
		if author == "" {
			author = "HUMAN"
		}
		if m.Text != "" {
			out = append(out, dataset.Message{Author: author, Text: m.Text})
		}
	}
	return out
}

// known are the labels.
var known = []Label{Good, "WRONG_FACT", "WRONG_TONE", "WRONG_LANGUAGE", "TOO_LONG", MissedSale, ShouldHandOff, "UNSAFE", "OTHER"}

func checkLabels(list []Label) error {
	for i, l := range list {
		if !slices.Contains(known, l) {
			return api.Wrong("labels", "there is no label %.40s", l)
		}
		if slices.Contains(list[:i], l) {
			return api.Wrong("labels", "name each label once")
		}
	}
	if len(list) > 1 && slices.Contains(list, Good) {
		return api.Wrong("labels", "GOOD stands alone")
	}
	return nil
}
