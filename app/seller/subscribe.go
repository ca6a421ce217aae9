package seller

import (
	"svc/app/api"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/recipient"
	"svc/app/seller/draft"
	"svc/app/signal"
	"svc/store"
)

// subscribe subscribes to what ends the seller's part in conversations.
func subscribe(b *signal.Bus) {
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Stop) error { return closed(tx, x.Org, x.Conversation) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return forget(tx, x.Org, x.Conversation)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x intake.Arrived) error {
		if !x.Conversation.Personal {
			return nil
		}
		return forget(tx, x.Org, x.Conversation.ID)
	})
	signal.On(b, func(tx *store.Tx, c *api.Call, x recipient.OptedOut) error {
		if x.ID == "" {
			return nil
		}
		list, err := conversation.OfRecipient(tx, c.Org, x.ID, ofOnePerson)
		for i := range list {
			if err == nil {
				err = closed(tx, c.Org, list[i].ID)
			}
		}
		return err
	})
}

// ofOnePerson bounds the conversations of one recipient that a change touches: one for each
// account that knows them.
const ofOnePerson = 200

// closed ends what waits in a conversation whose customer is not answered any more.
func closed(tx *store.Tx, org, id string) error { return draft.Withdraw(tx, org, id) }

// forget removes what is kept of a chat that is personal.
func forget(tx *store.Tx, org, id string) error { return draft.Withdraw(tx, org, id) }
