package turn

import (
	"time"

	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/store"
)

// Records is what keeps the consequences of turns. A function that is nil keeps nothing.
type Records struct {
	// Draft keeps a text for a person, in the place of the one that waits, and answers its id.
	Draft func(tx *store.Tx, org string, k *conversation.Conversation, d Draft) (string, error)
	// Supersede ends the text that waits for a person.
	Supersede func(tx *store.Tx, org, conversation string) error
	// Lead notes what the turn says of a sale, and moves the stage of the conversation.
	Lead func(tx *store.Tx, org string, k *conversation.Conversation, o *answer.Situation, seen *answer.Outcome) error
	// Count counts the turn.
	Count func(tx *store.Tx, org string, c Counted) error
	// Remember asks for the memory and the summary of a conversation to be brought up to date.
	Remember func(tx *store.Tx, org string, k *conversation.Conversation) error
}

// Draft is a text for a person.
type Draft struct {
	// Recommend: it only advises, because the level allows no more, or a person has the
	// conversation.
	Recommend  bool
	Text       string
	Tongue     answer.Tongue
	Execution  string
	Reasons    []string
	AnswersSeq int64
	// ExpiresAt is when the reply window closes; zero: it does not.
	ExpiresAt time.Time
}

// Counted is what figures know of a turn.
type Counted struct {
	Business, Account, PromptVersion, Scenario, Trigger string
	Action                                              execution.Action
	Blocked                                             []string
	Level                                               int
	// Waited is how long the customer waited for a reply; 0 for none.
	Waited time.Duration
	At     time.Time
}
