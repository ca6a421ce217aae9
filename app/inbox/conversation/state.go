package conversation

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/store"
)

// AIEvent is what happens to the AI state of a conversation.
type AIEvent string

// The events.
const (
	HandedOver AIEvent = "handed over to people"
	TakenOver  AIEvent = "taken over by a person"
	Resumed    AIEvent = "handed back to the AI"
	SaidStop   AIEvent = "customer asked to stop"
)

// AIEvents lists them.
func AIEvents() []AIEvent { return []AIEvent{HandedOver, TakenOver, Resumed, SaidStop} }

// transitions is the life of the AI state (contract 60.19). STOPPED is for good.
var transitions = api.Table[AIState, AIEvent]{
	{From: []AIState{Active}, On: HandedOver, To: PausedHandoff},
	{From: []AIState{Active, PausedHandoff}, On: TakenOver, To: PausedHandoff},
	{From: []AIState{PausedHandoff}, On: Resumed, To: Active},
	{From: []AIState{Active, PausedHandoff}, On: SaidStop, To: Stopped},
}

// actions are what the audit log calls the events.
var actions = map[AIEvent]string{
	HandedOver: "conversation.handed_over", TakenOver: "conversation.taken_over", Resumed: "conversation.resumed", SaidStop: "conversation.stopped",
}

// Transition is an event with what there is to say about it.
type Transition struct {
	Event  AIEvent
	Reason string // a short sentence, shown as ai_state_reason
	// Handoff is the open handoff that people have from now on; "" for none.
	Handoff string
}

// Apply changes the AI state of a conversation, with its audit entry and event, and saves
// it. Nobody else sets one. What the table does not have is api.ErrState.
func Apply(tx *store.Tx, c *api.Call, org string, k *Conversation, h Transition) error {
	to, ok := transitions.Next(k.AIState, h.Event)
	if !ok {
		return api.ErrState
	}
	from := k.AIState
	k.AIState, k.AIReason, k.HandoffID, k.UpdatedAt = to, h.Reason, h.Handoff, tx.DB().Now()
	if err := conversations.Put(tx, org, k); err != nil {
		return err
	}
	err := audit.WriteTo(tx, org, c, actions[h.Event], k.Resource(), audit.Changed("ai_state", from, to), audit.Because(h.Reason))
	if err != nil || from == to {
		return err
	}
	return emit(tx, org, k, event.ConversationState, map[string]any{
		"channel": k.Channel, "ai_state": to, "reason": h.Reason, "handoff_id": api.Optional(h.Handoff),
	})
}

// Stop is published when a customer asked to stop, after the state changed.
type Stop struct{ Org, Conversation string }

// WasDone is published when a person said that nobody needs to answer.
type WasDone struct{ Org, Conversation string }

// BecamePersonal is published when a chat is personal from now on, because a person said so or
// the other side is in the address book of the account now.
type BecamePersonal struct{ Org, Conversation string }

// PersonalEnded is published when a chat is personal no more.
type PersonalEnded struct{ Org, Conversation string }

// Unlinked is published when conversations lost their recipient, who was deleted.
type Unlinked struct {
	Org           string
	Conversations []string
}

// Resource names the conversation in the audit log: without the person's name.
func (c *Conversation) Resource() audit.Resource { return audit.On("conversation", c.ID, "") }

// emit records an event about a conversation; one of a personal chat is seen by those only
// who may read it.
func emit(tx *store.Tx, org string, k *Conversation, t event.Type, data map[string]any) error {
	data["conversation_id"] = k.ID
	var options []event.Option
	if k.Personal {
		options = append(options, event.Personal())
	}
	return event.Emit(tx, org, t, data, options...)
}

// Emit is emit for the other parts of the inbox.
func Emit(tx *store.Tx, org string, k *Conversation, t event.Type, data map[string]any) error {
	return emit(tx, org, k, t, data)
}
