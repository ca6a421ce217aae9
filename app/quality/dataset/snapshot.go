package dataset

import (
	"svc/app/inbox/conversation"
	"svc/store"
)

// readBack is how many messages of a conversation an item has at most.
const readBack = 20

// Until is a conversation as its messages were up to one of them. It ends with the last message
// of the customer before or at that one, and without the customer's names. store.ErrNotFound when
// there is no such message, ErrPersonal for a personal chat.
func Until(tx *store.Tx, org string, k *conversation.Conversation, message string) (in Input, err error) {
	if k.Personal {
		return in, ErrPersonal
	}
	m, err := conversation.GetMessage(tx, org, message)
	if err != nil {
		return in, err
	}
	if m.Conversation != k.ID {
		return in, store.ErrNotFound
	}
	list, _, err := conversation.Older(tx, org, k.ID, message, readBack)
	if err != nil {
		return in, err
	}
	list = append(list, m)
	for len(list) > 0 && list[len(list)-1].Author != conversation.Customer {
		list = list[:len(list)-1]
	}
	names, err := namesOf(tx, org, k)
	if err != nil {
		return in, err
	}
	authors := map[conversation.Author]string{conversation.Customer: "CUSTOMER", conversation.AI: "AI"}
	for i := range list {
		x := &list[i]
		if !x.DeletedAt.IsZero() || x.Purged || x.Kind == conversation.ServiceNote {
			continue
		}
		c, err := x.Open(tx.DB(), org)
		if err != nil {
			return in, err
		}
		if c.Text == "" {
			continue
		}
		author := authors[x.Author]
		if author == "" {
			author = "HUMAN"
		}
		in.Messages = append(in.Messages, Message{author, withoutNames(c.Text, names)})
	}
	in.Stage = k.Stage
	return in, nil
}
