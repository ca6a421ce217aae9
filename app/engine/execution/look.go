package execution

import (
	"context"
	"time"

	"svc/ai/catalog"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/store"
)

// Info is what an execution was about, for slices that judge it.
type Info struct {
	ID                              string
	Agent                           agent.Agent
	Mode                            agent.Mode
	Conversation, Business, Trigger string
	Action                          Action
	PromptVersion, Provider, Model  string // of the last answer of its own agent; "" for none
	StartedAt                       time.Time
}

// About reads what an execution was about: store.ErrNotFound when there is none.
func About(tx *store.Tx, org, id string) (Info, error) {
	e, err := executionTable.Get(tx, org, id)
	if err != nil {
		return Info{}, err
	}
	out := Info{
		ID: e.ID, Agent: e.Agent, Mode: e.Mode, Conversation: e.ConversationID, Business: e.BusinessID, Trigger: e.TriggerMessageID, Action: e.FinalAction,
		StartedAt: e.StartedAt,
	}
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if x := &e.Steps[i]; x.Model != "" && x.Status == stepSucceeded && (x.Agent == "" || x.Agent == e.Agent) {
			out.PromptVersion, out.Provider, out.Model = x.PromptVersion, x.Provider, x.Model
			break
		}
	}
	return out, nil
}

// Said is what an agent was asked in a step of an execution, and what it answered.
type Said struct {
	Kind  Kind
	Agent agent.Agent
	// Prompt is JSON {"system", "messages": [{"role", "text"}]}; both are "" when the texts are
	// not kept any more.
	Prompt, Answer string
}

// Heard are the steps of an execution in which a model answered, in their order.
func Heard(tx *store.Tx, org, id string) (out []Said, err error) {
	e, err := executionTable.Get(tx, org, id)
	if err != nil {
		return nil, err
	}
	for i := range e.Steps {
		x := &e.Steps[i]
		if x.Model == "" || x.Status != stepSucceeded {
			continue
		}
		said := Said{Kind: x.Kind, Agent: x.Agent}
		if said.Agent == "" {
			said.Agent = e.Agent
		}
		t, err := textTable.Get(tx, org, x.ID)
		if store.IgnoreNotFound(err) != nil {
			return nil, err
		}
		if err == nil {
			asked, err := sealedPrompt.Open(tx.DB(), org, &t)
			if err != nil {
				return nil, err
			}
			answered, err := sealedAnswer.Open(tx.DB(), org, &t)
			if err != nil {
				return nil, err
			}
			said.Prompt, said.Answer = string(asked), string(answered)
		}
		out = append(out, said)
	}
	return out, nil
}

// Most is the most that a plan can cost. It reserves nothing; its errors are those of
// opening it, without that of budgets.
func (s *Service) Most(ctx context.Context, p *Plan) (most catalog.Nano, err error) {
	var need budget.Amounts
	err = s.db.View(ctx, func(tx *store.Tx) error {
		_, need, err = s.prepare(tx, p)
		return err
	})
	return need.Total(), err
}

// Chain are the models that an agent asks for a business, "" for none: those that were set, else
// the default.
func (s *Service) Chain(tx *store.Tx, org string, who agent.Agent, business string) ([]agent.ChainEntry, error) {
	c, _, err := agent.Effective(tx, org, who, business)
	if err != nil || len(c.Chain) > 0 {
		return c.Chain, err
	}
	return s.chains.Default(tx, org, who)
}

// Opened says whether the execution is open: neither only planned nor settled.
func (w *Work) Opened() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.phase == opened
}

// Wrote is the model that answered last for an agent in this execution, "" for none.
func (w *Work) Wrote(who agent.Agent) (provider, model string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := len(w.steps) - 1; i >= 0; i-- {
		if x := &w.steps[i]; x.asked && x.Agent == who && x.Status == stepSucceeded {
			return x.Provider, x.Model
		}
	}
	return "", ""
}
