package turn

import (
	"svc/app/inbox/conversation"
	"svc/app/seller/answer"
	"svc/store"
)

// Records is what keeps the consequences of turns. A function that is nil keeps nothing.
type Records struct {
	// Lead notes what the turn says of a sale, and moves the stage of the conversation.
	Lead func(tx *store.Tx, org string, k *conversation.Conversation, o *answer.Situation, seen *answer.Outcome) error
	// Remember asks for the memory and the summary of a conversation to be brought up to date.
	Remember func(tx *store.Tx, org string, k *conversation.Conversation) error
}
