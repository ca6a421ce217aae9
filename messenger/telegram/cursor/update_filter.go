package cursor

import "github.com/gotd/td/tg"

// ServiceChat is the platform's own chat, in which it writes login codes.
const ServiceChat = 777000

// Filter leaves of u what private chats and the order of the stream need; nil for
// nothing. Presence, typing, groups and channels are most of what arrives.
func Filter(u tg.UpdatesClass) tg.UpdatesClass {
	switch u := u.(type) {
	case *tg.Updates:
		c := *u
		c.Updates, c.Chats = OfPeople(u.Updates), nil
		if c.Users = usersFor(c.Updates, u.Users); len(c.Updates) == 0 && c.Seq == 0 {
			return nil
		}
		return &c
	case *tg.UpdatesCombined:
		c := *u
		c.Updates, c.Chats = OfPeople(u.Updates), nil
		if c.Users = usersFor(c.Updates, u.Users); len(c.Updates) == 0 && c.Seq == 0 {
			return nil
		}
		return &c
	case *tg.UpdateShort:
		if kept := OfPeople([]tg.UpdateClass{u.Update}); len(kept) == 1 {
			return &tg.UpdateShort{Update: kept[0], Date: u.Date}
		}
		return nil
	case *tg.UpdateShortChatMessage:
		return &tg.UpdateShort{Date: u.Date, Update: &tg.UpdateNewMessage{
			Message: &tg.MessageEmpty{ID: u.ID}, Pts: u.Pts, PtsCount: u.PtsCount,
		}}
	default:
		return u
	}
}

// OfPeople keeps the updates that have a number in the stream of private chats and small
// groups. Those of groups keep their number and lose their content.
func OfPeople(in []tg.UpdateClass) []tg.UpdateClass {
	out := make([]tg.UpdateClass, 0, len(in))
	for _, u := range in {
		switch v := u.(type) {
		case *tg.UpdateNewMessage:
			if !WithPerson(v.Message) {
				u = &tg.UpdateNewMessage{Message: &tg.MessageEmpty{ID: v.Message.GetID()}, Pts: v.Pts, PtsCount: v.PtsCount}
			}
		case *tg.UpdateEditMessage:
			if !WithPerson(v.Message) {
				u = &tg.UpdateEditMessage{Message: &tg.MessageEmpty{ID: v.Message.GetID()}, Pts: v.Pts, PtsCount: v.PtsCount}
			}
		case *tg.UpdatePtsChanged:
		case *tg.UpdateMessageReactions: // it has no number
			if _, person := v.Peer.(*tg.PeerUser); !person {
				continue
			}
		default:
			_, _, numbered := tg.IsPtsUpdate(u)
			_, secret := tg.IsQtsUpdate(u)
			if !numbered && !secret {
				continue
			}
		}
		out = append(out, u)
	}
	return out
}

// WithPerson says whether a message is of a chat with one person.
func WithPerson(m tg.MessageClass) bool {
	full, ok := m.(*tg.Message)
	if !ok {
		return false
	}
	p, ok := full.PeerID.(*tg.PeerUser)
	return ok && p.UserID != ServiceChat
}

// usersFor keeps the people when there is a message they may be needed for.
func usersFor(us []tg.UpdateClass, users []tg.UserClass) []tg.UserClass {
	for _, u := range us {
		switch u := u.(type) {
		case *tg.UpdateNewMessage:
			if WithPerson(u.Message) {
				return users
			}
		case *tg.UpdateEditMessage:
			if WithPerson(u.Message) {
				return users
			}
		}
	}
	return nil
}
