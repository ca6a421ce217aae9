package turn

import (
	"time"

	"svc/ai/catalog"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/store"
)

// Records is what keeps the consequences of turns. A function that is nil keeps nothing.
type Records struct {
	// Lead notes what the turn says of a sale, and moves the stage of the conversation.
	Lead func(tx *store.Tx, org string, k *conversation.Conversation, o *answer.Situation, seen *answer.Outcome) error
	// Count counts the turn.
	Count func(tx *store.Tx, org string, c Counted) error
	// Remember asks for the memory and the summary of a conversation to be brought up to date.
	Remember func(tx *store.Tx, org string, k *conversation.Conversation) error
}

// Counted is what figures know of a turn.
type Counted struct {
	Business, Account, PromptVersion, Scenario, Trigger string
	Action                                              execution.Action
	Blocked                                             []string
	Level                                               int
	// Waited is how long the customer waited for a reply; 0 for none.
	Waited time.Duration
	// Cost is what the models of the turn cost.
	Cost catalog.Nano
	At   time.Time
}
