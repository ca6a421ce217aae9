package turn

import (
	"svc/app/engine/execution"
	"svc/app/signal"
	"svc/store"
)

// Variants is what a slice that compares versions of the seller's prompt offers.
type Variants struct {
	// Choose names the version that answers in a conversation, "" for the one that is active.
	Choose func(tx *store.Tx, org, business, conversation string) (string, error)
}

// UseVariants sets who chooses versions of the prompt. Call it before the service is used.
func (s *Service) UseVariants(list []Variants) { s.variants = list }

// variant is the version of the prompt that answers in a conversation.
func (s *Service) variant(tx *store.Tx, org, business, conversation string) (string, error) {
	for _, v := range s.variants {
		if name, err := v.Choose(tx, org, business, conversation); name != "" || err != nil {
			return name, err
		}
	}
	return "", nil
}

// Completed is published in the last transaction of a turn for which the agent that writes was
// asked.
type Completed struct {
	Org, Business, Conversation, Execution string
	// Prompt is the version that wrote, "" for the default.
	Prompt string
	Action execution.Action
	// Handoff: the turn gave the conversation to a person.
	Handoff bool
	// StageBefore and Stage are those of the conversation.
	StageBefore, Stage string
}

// completed tells of a turn that something was written in.
func (a *acting) completed() error {
	if !a.out.Wrote {
		return nil
	}
	return signal.Publish(a.s.bus, a.tx, a.call, Completed{
		Org: a.org, Business: a.c.situation.Business.ID, Conversation: a.k.ID, Execution: a.c.work.ID(), Prompt: a.c.work.PromptVersion(sellerAgent),
		Action: a.out.Action, Handoff: a.handoff != "", StageBefore: a.c.situation.Stage, Stage: a.k.Stage,
	})
}
