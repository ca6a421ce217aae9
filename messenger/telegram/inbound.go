package telegram

import (
	"context"
	"errors"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
)

var errHalted = errors.New("the stream of updates is read again")

// people are the users that came with updates.
type people map[int64]*tg.User

func peopleOf(users []tg.UserClass) people {
	out := make(people, len(users))
	for _, u := range users {
		if u, ok := u.(*tg.User); ok {
			out[u.ID] = u
		}
	}
	return out
}

// take is called by the manager with updates in their order. The manager forgets an
// error and moves on: the stream of updates itself must end it.
func (f *updateStream) take(ctx context.Context, u tg.UpdatesClass) error {
	list, ok := u.(*tg.Updates)
	if !ok {
		return nil
	}
	if f.cursor.IsFrozen() || ctx.Err() != nil {
		f.cursor.Freeze()
		return errHalted
	}
	who := peopleOf(list.Users)
	for _, u := range list.Updates {
		if err := f.one(ctx, u, who); err != nil {
			f.refused = err
			f.cursor.Freeze()
			f.halt()
			return err
		}
	}
	return nil
}

func (f *updateStream) one(ctx context.Context, u tg.UpdateClass, who people) error {
	switch u := u.(type) {
	case *tg.UpdateNewMessage:
		return f.message(ctx, u.Message, who, f.in.Received)
	case *tg.UpdateEditMessage:
		if m, ok := u.Message.(*tg.Message); ok && m.EditHide {
			// A reaction or a preview, not the owner's or the person's edit.
			return f.reacted(ctx, m.PeerID, m.ID, m.Reactions)
		}
		return f.message(ctx, u.Message, who, f.in.Edited)
	case *tg.UpdateMessageReactions:
		return f.reacted(ctx, u.Peer, u.MsgID, u.Reactions)
	case *tg.UpdateReadHistoryOutbox:
		if id, ok := f.chat(u.Peer); ok {
			return f.in.ReadByPeer(ctx, id, u.MaxID)
		}
	case *tg.UpdateReadHistoryInbox:
		if id, ok := f.chat(u.Peer); ok {
			return f.in.ReadHere(ctx, id, u.MaxID)
		}
	case *tg.UpdateDeleteMessages:
		return f.in.Deleted(ctx, u.Messages)
	}
	return nil
}

// chat is the other side of a private chat.
func (f *updateStream) chat(in tg.PeerClass) (id int64, ok bool) {
	p, ok := in.(*tg.PeerUser)
	if !ok || p.UserID == cursor.ServiceChat || p.UserID == f.c.self {
		return 0, false
	}
	return p.UserID, true
}

func (f *updateStream) reacted(ctx context.Context, in tg.PeerClass, id int, now tg.MessageReactions) error {
	peer, ok := f.chat(in)
	if !ok {
		return nil
	}
	return f.in.Reacted(ctx, peer, id, reactionsOf(now, f.c.self))
}

// message hands one message on, if it is of a private chat with a person and was not
// sent by this connection.
func (f *updateStream) message(ctx context.Context, mc tg.MessageClass, who people, to func(context.Context, messenger.Incoming) error) error {
	m, ok := mc.(*tg.Message)
	if !ok || !cursor.WithPerson(m) {
		return nil
	}
	id := m.PeerID.(*tg.PeerUser).UserID
	if id == f.c.self || m.Out && f.c.sentEcho.sent(m.ID, id, m.Message) {
		return nil
	}
	p, err := f.c.person(ctx, id, who)
	if err != nil || p.Bot {
		return err
	}
	in, err := incoming(m, p, who, f.c.self)
	if err != nil {
		return err
	}
	return to(ctx, in)
}

// person is who a message is from or to. Full users are kept, so that they can be
// answered; a "min" user comes with a hash that is good for nothing, and never replaces
// what is known.
func (c *conn) person(ctx context.Context, id int64, who people) (messenger.Peer, error) {
	known, found, err := c.memory.Peer(ctx, id)
	if err != nil {
		return messenger.Peer{}, err
	}
	u := who[id]
	switch {
	case u == nil && found:
		return known, nil
	case u == nil:
		return messenger.Peer{ID: id}, nil
	case !full(u) && found:
		return known, nil
	}
	p := peerOf(u)
	if !full(u) {
		p.AccessHash = 0
		return p, nil
	}
	if !p.Bot && (!found || known != p) {
		err = c.memory.SavePeers(ctx, []messenger.Peer{p})
	}
	return p, err
}

func full(u *tg.User) bool { return !u.Min && u.AccessHash != 0 }

func peerOf(u *tg.User) messenger.Peer {
	return messenger.Peer{
		ID: u.ID, AccessHash: u.AccessHash, Username: usernameOf(u),
		FirstName: u.FirstName, LastName: u.LastName, Bot: u.Bot, Contact: u.Contact,
	}
}
