package seller

import (
	"errors"

	"svc/app/api"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/app/seller/shadow"
	"svc/app/signal"
	"svc/store"
)

// subscribe subscribes to what ends the seller's part in conversations.
func subscribe(b *signal.Bus, shadows *shadow.Service) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Stop) error { return closed(tx, x.Org, x.Conversation) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return errors.Join(forget(tx, x.Org, x.Conversation), execution.Hide(tx, x.Org, x.Conversation))
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x intake.Arrived) error {
		if x.Conversation.Personal {
			return forget(tx, x.Org, x.Conversation.ID)
		}
		if err := errors.Join(figure.Received(tx, x.Org, &x.Conversation, &x.Message), shadows.Answered(tx, x.Org, &x.Conversation, &x.Message)); err != nil {
			return err
		}
		return memory.Heard(tx, x.Org, &x.Conversation, &x.Message)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x reply.Settled) error {
		if x.Message.Status != conversation.Sent {
			return nil
		}
		if err := errors.Join(figure.Sent(tx, x.Org, &x.Conversation, &x.Message), shadows.Answered(tx, x.Org, &x.Conversation, &x.Message)); err != nil {
			return err
		}
		return memory.Heard(tx, x.Org, &x.Conversation, &x.Message)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x handoff.Asked) error {
		if x.Personal {
			return nil
		}
		return figure.HandedOver(tx, x.Org, x.Account, string(x.Trigger))
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x handoff.Ended) error { return figure.Resolved(tx, x.Org, x.By) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Unlinked) error {
		for _, id := range x.Conversations {
			if err := memory.Erase(tx, x.Org, id); err != nil {
				return err
			}
		}
		return nil
	})
	conversation.OnOptOut(b, closed)
}

// closed ends what waits in a conversation whose customer is not answered any more.
func closed(tx *store.Tx, org, id string) error {
	return errors.Join(draft.Withdraw(tx, org, id), lead.Lose(tx, org, id), memory.Erase(tx, org, id), shadow.Forget(tx, org, id))
}

// forget removes what is kept of a chat that is personal.
func forget(tx *store.Tx, org, id string) error {
	return errors.Join(draft.Withdraw(tx, org, id), lead.Forget(tx, org, id), memory.Erase(tx, org, id), shadow.Forget(tx, org, id))
}
