package inbox

import (
	"svc/app/account"
	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/notify"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/signal"
	"svc/store"
)

// unlinkedAtOnce bounds the conversations of one recipient that a deletion touches.
const unlinkedAtOnce = 200

// subscribe subscribes to what happens to recipients and accounts, and to chats that become personal.
func subscribe(b *signal.Bus, networks channel.Networks) {
	signal.On(b, func(tx *store.Tx, c *api.Call, x recipient.Deleted) error {
		ids, err := conversation.Unlink(tx, c.Org, x.ID, unlinkedAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		return signal.Publish(b, tx, c, conversation.Unlinked{Org: c.Org, Conversations: ids})
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x account.Changed) error { return connected(tx, networks, x) })
	signal.On(b, func(tx *store.Tx, c *api.Call, x recipient.Identified) error { return relink(tx, c.Org, networks, &x) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return hide(tx, networks, x.Org, x.Conversation)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.PersonalEnded) error {
		return unhide(tx, networks, x.Org, x.Conversation)
	})
}

// setPersonal notes on handoffs and on what was sent whether a conversation is personal.
func setPersonal(tx *store.Tx, networks channel.Networks, org string, k *conversation.Conversation) error {
	if err := handoff.SetPersonal(tx, org, k.ID, k.Personal); err != nil {
		return err
	}
	if l, ok := networks.Of(k.Channel).(channel.Listing); ok {
		return l.SetPersonal(tx, org, k.ID, k.Personal)
	}
	return nil
}

// unhide shows what there is of a chat that is personal no more; its events stay hidden.
func unhide(tx *store.Tx, networks channel.Networks, org, id string) error {
	k, err := conversation.Get(tx, org, id)
	if err == nil {
		err = setPersonal(tx, networks, org, &k)
	}
	if err != nil {
		return err
	}
	return conversation.NoteContact(tx, org, &k, recipient.Contact{})
}

// hide takes what there is of a chat that became personal from everybody who may not see it:
// its events, its handoffs, the jobs of its replies, what people were told of it, and that its
// recipient has it
// (contract 10.1).
func hide(tx *store.Tx, networks channel.Networks, org, id string) error {
	k, err := conversation.Get(tx, org, id)
	if err != nil {
		return err
	}
	if err := event.Hide(tx, org, id); err != nil {
		return err
	}
	if err := setPersonal(tx, networks, org, &k); err != nil {
		return err
	}
	if err := notify.Withdraw(tx, org, id); err != nil || k.RecipientID == "" {
		return err
	}
	return recipient.HideConversation(tx, org, k.RecipientID, id)
}

// relink gives the conversations of somebody who is on the list of recipients under another name
// now, or at all, to whom their network recognises in them (contract 10.1).
func relink(tx *store.Tx, org string, networks channel.Networks, x *recipient.Identified) error {
	for name, net := range networks {
		if !net.Rules().Recognises {
			continue
		}
		before := x.ID
		if x.New {
			before = "" // they have none
		}
		list, err := conversation.OfWho(tx, org, name, before, x.Who, unlinkedAtOnce)
		for i := range list {
			if err == nil {
				err = relinkOne(tx, org, net, &list[i])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readsOfWho is what relink reads of somebody new to whom nobody wrote.
func readsOfWho(networks channel.Networks, org string, who field.Who) (out []store.Read) {
	for name, net := range networks {
		if net.Rules().Recognises {
			out = append(out, conversation.ReadsOfWho(org, name, who)...)
		}
	}
	return out
}

func relinkOne(tx *store.Tx, org string, net channel.Channel, k *conversation.Conversation) error {
	known, err := net.Recognise(tx, org, k.Person)
	if err != nil || known == k.RecipientID {
		return err
	}
	if k.RecipientID != "" {
		if err := recipient.ForgetConversation(tx, org, k.RecipientID, k.ID); err != nil {
			return err
		}
	}
	return conversation.Link(tx, org, k, known)
}
