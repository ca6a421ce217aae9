package conversation

import (
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/store"
)

// readAtATime bounds the messages that one mark changes; older ones were read before.
const readAtATime = 500

// ReadByCustomer notes that the customer has read up to a message, on each that they had
// not.
func ReadByCustomer(tx *store.Tx, org string, k *Conversation, seq int64) error {
	of := store.Text(k.ID)
	span := store.Between(store.Tuple(of), store.Tuple(of, store.Int(seq+1)))
	list, _, err := unreadOut.Walk(tx, org, store.Range{Span: span, Limit: readAtATime, Reverse: true})
	if err != nil || len(list) == 0 {
		return err
	}
	now := tx.DB().Now()
	for i := range list {
		list[i].ReadAt = now
		if err := messages.Put(tx, org, &list[i]); err != nil {
			return err
		}
	}
	// One event for all: whoever shows them marks those before it too.
	return updated(tx, org, k, &list[0], "read", map[string]any{"read_at": now})
}

// ReadByOwner notes that the account's owner has read up to a message in the network's own
// app: what came after it stays unread.
func ReadByOwner(tx *store.Tx, org string, k *Conversation, seq int64) error {
	if k.Unread == 0 {
		return nil
	}
	list, _, err := Older(tx, org, k.ID, "", min(max(k.Unread*2, lookedBack), readAtATime))
	if err != nil {
		return err
	}
	left := 0
	for i := range list {
		if m := &list[i]; m.Direction == In && !m.Imported && m.Seq() > seq {
			left++
		}
	}
	if left >= k.Unread {
		return nil
	}
	k.Unread, k.UpdatedAt = left, tx.DB().Now()
	if err := conversations.Put(tx, org, k); err != nil {
		return err
	}
	return emitRead(tx, org, k, nil)
}

// Read marks a conversation read here: the service's own count, no more.
func Read(tx *store.Tx, c *api.Call, k *Conversation) error {
	if k.Unread == 0 {
		return nil
	}
	k.Unread, k.UpdatedAt = 0, tx.DB().Now()
	if err := conversations.Put(tx, c.Org, k); err != nil {
		return err
	}
	return emitRead(tx, c.Org, k, c)
}

func emitRead(tx *store.Tx, org string, k *Conversation, c *api.Call) error {
	var who any
	if c != nil {
		who = by(c)
	}
	return emit(tx, org, k, event.ConversationRead, map[string]any{"by": who})
}

// ReadOnPlatform notes that the network was told that the account has read up to a message.
func ReadOnPlatform(tx *store.Tx, org string, k *Conversation, seq int64, at time.Time) error {
	k.PlatformRead, k.PlatformReadAt, k.UpdatedAt = seq, at, tx.DB().Now()
	return conversations.Put(tx, org, k)
}

// LastIn is the last message of the customer, as a Seq; 0 for none.
func LastIn(tx *store.Tx, org, conversation string) (int64, error) {
	for before := ""; ; {
		list, more, err := Older(tx, org, conversation, before, lookedBack)
		if err != nil {
			return 0, err
		}
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Direction == In && list[i].Seq() > 0 {
				return list[i].Seq(), nil
			}
		}
		if !more {
			return 0, nil
		}
		before = list[0].ID
	}
}

// AnsweredByPeople says whether a person of the team, here or in the network's own app, wrote
// behind a message.
func AnsweredByPeople(tx *store.Tx, org string, m *Message) (bool, error) {
	list, _, err := Older(tx, org, m.Conversation, "", lookedBack)
	for i := len(list) - 1; i >= 0 && list[i].ID != m.ID; i-- {
		if a := list[i].Author; (a == Human || a == OwnerPhone) && !list[i].At.Before(m.At) {
			return true, err
		}
	}
	return false, err
}

// Asked says whether the last message that the customer of a conversation got from us, by
// anybody, asks something, as asks judges its text.
func Asked(tx *store.Tx, org, conversation string, asks func(string) bool) (bool, error) {
	list, _, err := Older(tx, org, conversation, "", lookedBack)
	for i := len(list) - 1; i >= 0; i-- {
		m := &list[i]
		if m.Direction != Out || m.Status != Sent || m.Purged || !m.DeletedAt.IsZero() {
			continue
		}
		c, err := m.Open(tx.DB(), org)
		return err == nil && asks(c.Text), err
	}
	return false, err
}
