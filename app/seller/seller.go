// Package seller is what the AI seller does with conversations, and what it leaves there:
// its operations, and the parts below it put together.
//
//	answer  decides what a customer wants and writes an answer
//	turn    answers what customers write, in their conversations
//	decision  what was decided about each turn
//	draft   texts that the AI proposes and people send
//	lead    what conversations may become
//	memory  what customers said of themselves that lasts, and summaries
//	shadow  what the next level would have sent, beside what people sent
//	figure  sums of what the seller and people did
//
// It promises that nothing of a personal chat is kept here (contract 10.1), and that what
// belongs to a business that was deleted goes with it.
package seller

import (
	"slices"

	"svc/app/seller/decision"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/app/seller/shadow"
	"svc/app/seller/turn"
	"svc/store"
)

// Tables are what a store that holds the seller is opened with. It holds the inbox,
// businesses and the engine too.
func Tables() []store.AnyTable {
	return slices.Concat(decision.Tables(), draft.Tables(), figure.Tables(), lead.Tables(), memory.Tables(), shadow.Tables(), turn.Tables())
}
