package conversation

import (
	"svc/app/inbox/channel"
	"svc/app/recipient"
	"svc/store"
)

// Link gives a conversation to the recipient that its person is, "" for none.
func Link(tx *store.Tx, org string, k *Conversation, recipientID string) error {
	k.RecipientID, k.UpdatedAt = recipientID, tx.DB().Now()
	if err := conversations.Put(tx, org, k); err != nil {
		return err
	}
	return NoteContact(tx, org, k, recipient.Contact{})
}

// NoteContact notes on the recipient of a conversation, when it has one, what passed between them
// and its account. Of a personal chat that is no more than that the account knows them: when they
// wrote is for those alone who may see such chats.
func NoteContact(tx *store.Tx, org string, k *Conversation, ct recipient.Contact) error {
	switch {
	case k.RecipientID == "":
		return nil
	case k.Personal:
		ct = recipient.Contact{}
	default:
		ct.ConversationID = k.ID
	}
	ct.Account = k.AccountID
	return recipient.RecordContact(tx, org, k.RecipientID, ct)
}

// GoOn gives up to limit conversations of an account that its network knows from before to the
// account that it is now, and says how many there were (contract 22).
func GoOn(tx *store.Tx, org string, at channel.At, limit int) (n int, err error) {
	all, mine := store.Is(ownerKey(at.Channel, at.Owner)), store.Is(ownerKey(at.Channel, at.Owner, at.Account))
	for _, span := range []store.Span{{From: all.From, To: mine.From}, {From: mine.To, To: all.To}} {
		if n >= limit {
			break
		}
		list, _, err := byOwner.Walk(tx, org, store.Range{Span: span, Limit: limit - n})
		if err != nil {
			return n, err
		}
		n += len(list)
		for i := range list {
			list[i].AccountID = at.Account
			if err := conversations.Put(tx, org, &list[i]); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
