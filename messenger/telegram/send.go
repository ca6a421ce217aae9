package telegram

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/entity"
	"svc/messenger/telegram/fault"
)

// Send sends one message. It asks the platform again only where that cannot send twice:
// after a name was looked up, and after a file was uploaded anew.
func (c *conn) Send(ctx context.Context, m messenger.Message) (messenger.Sent, error) {
	if want := max(len(m.Files), 1); len(m.RandomIDs) != want {
		return messenger.Sent{}, &messenger.Error{Fault: messenger.Refused, Code: "RANDOM_ID_INVALID", Cause: errors.New("a message needs one random id for each file, or one")}
	}
	if m.Text == "" && len(m.Files) == 0 {
		return messenger.Sent{}, &messenger.Error{Fault: messenger.ContentRefused, Code: "MESSAGE_EMPTY"}
	}
	peer, asked, err := c.find(ctx, m.To)
	if err == nil && m.Object != nil {
		err = m.Object(ctx, peer)
	}
	if err != nil {
		return messenger.Sent{}, err
	}
	sent, err := c.to(ctx, peer, m)
	if stale(err) && !asked && m.To.Username != "" {
		// The hash may be of an earlier sign-in: the name gives a fresh one.
		to := m.To
		if to.ID == 0 {
			to.ID = peer.ID
		}
		if peer, err = c.resolve(ctx, to); err == nil {
			sent, err = c.to(ctx, peer, m)
		}
	}
	return sent, err
}

// stale says that the platform does not accept how the person was addressed.
func stale(err error) bool {
	e := messenger.As(err)
	return e != nil && e.Fault == messenger.PeerUnreachable && tgerr.Is(e.Cause, "PEER_ID_INVALID", "USER_ID_INVALID")
}

// find is who t names; asked says that the platform was asked just now.
func (c *conn) find(ctx context.Context, t messenger.Target) (p messenger.Peer, asked bool, err error) {
	p, found, err := c.recall(ctx, t.ID)
	if !found && err == nil && t.ID != 0 && t.Username == "" {
		// The address book may still be on its way.
		if err = c.contacts.known(ctx); err == nil {
			p, found, err = c.recall(ctx, t.ID)
		}
	}
	switch {
	case err != nil:
		return messenger.Peer{}, false, err
	case found:
		return p, false, sendable(p)
	case t.Username == "":
		return messenger.Peer{}, false, unreachable(fault.CodeUnresolvable, errors.New("the account does not know this person, and there is no username"))
	}
	p, err = c.resolve(ctx, t)
	return p, true, err
}

// recall finds somebody whom the account can address; an id of 0 is nobody's.
func (c *conn) recall(ctx context.Context, id int64) (p messenger.Peer, found bool, err error) {
	if id == 0 {
		return p, false, nil
	}
	p, found, err = c.memory.Peer(ctx, id)
	return p, found && p.AccessHash != 0, fault.Remembered(err)
}

// resolve asks the platform for a username (contract 32.3).
func (c *conn) resolve(ctx context.Context, t messenger.Target) (messenger.Peer, error) {
	name := strings.TrimPrefix(t.Username, "@")
	var res *tg.ContactsResolvedPeer
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		res, err = api.ContactsResolveUsername(ctx, &tg.ContactsResolveUsernameRequest{Username: name})
		return err
	})
	if err != nil {
		return messenger.Peer{}, err
	}
	at, ok := res.Peer.(*tg.PeerUser)
	if !ok {
		return messenger.Peer{}, unreachable(fault.CodeUnresolvable, errors.New("the username is not that of a person"))
	}
	if t.ID != 0 && at.UserID != t.ID {
		return messenger.Peer{}, unreachable(fault.CodeReassigned, errors.New("the username belongs to another person now"))
	}
	u := peopleOf(res.Users)[at.UserID]
	if u == nil || !full(u) {
		return messenger.Peer{}, unreachable(fault.CodeUnresolvable, errors.New("the platform did not say how to address this person"))
	}
	if u.Deleted {
		return messenger.Peer{}, unreachable(fault.CodeDeactivated, nil)
	}
	p := peerOf(u)
	if err := sendable(p); err != nil {
		return messenger.Peer{}, err
	}
	return p, fault.Remembered(c.memory.SavePeers(ctx, []messenger.Peer{p}))
}

func sendable(p messenger.Peer) error {
	if p.Bot {
		return unreachable(fault.CodeBot, nil)
	}
	return nil
}

func unreachable(code string, cause error) *messenger.Error {
	return &messenger.Error{Fault: messenger.PeerUnreachable, Code: code, Cause: cause}
}

// to sends m to a person, with files uploaded again once if the platform forgot them.
func (c *conn) to(ctx context.Context, p messenger.Peer, m messenger.Message) (messenger.Sent, error) {
	settled := c.sentEcho.begin(p.ID, m.Text)
	sent, err := c.deliver(ctx, p, m, false)
	if e := messenger.As(err); e != nil && tgerr.Is(e.Cause, "FILE_REFERENCE_EXPIRED", "FILE_REFERENCE_INVALID") && len(m.Files) > 0 {
		sent, err = c.deliver(ctx, p, m, true)
	}
	e := messenger.As(err)
	switch {
	case e != nil && tgerr.Is(e.Cause, "RANDOM_ID_DUPLICATE"):
		// The message is there; it comes, or came, with the updates.
		return messenger.Sent{Peer: p, At: time.Now().UTC(), Duplicate: true}, nil
	case e == nil, e.Fault != messenger.Unreachable && e.Fault != messenger.Busy:
		settled()
	}
	return sent, err
}

// deliver makes the one request that sends m.
func (c *conn) deliver(ctx context.Context, p messenger.Peer, m messenger.Message, again bool) (messenger.Sent, error) {
	peer := &tg.InputPeerUser{UserID: p.ID, AccessHash: p.AccessHash}
	media := make([]tg.InputMediaClass, 0, len(m.Files))
	for _, f := range m.Files {
		ref, err := c.media(ctx, peer, f, again)
		if err != nil {
			return messenger.Sent{}, err
		}
		media = append(media, ref)
	}
	sent := messenger.Sent{Peer: p}
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) error {
		u, err := request(ctx, api, peer, m, media)
		if err == nil {
			sent.MessageID, sent.At = sentAs(u, m.RandomIDs[0])
		}
		return err
	})
	return sent, err
}

// request is the platform's method for a text, one file or an album.
func request(ctx context.Context, api *tg.Client, peer tg.InputPeerClass, m messenger.Message, media []tg.InputMediaClass) (tg.UpdatesClass, error) {
	var reply tg.InputReplyToClass
	if m.ReplyTo != 0 {
		reply = &tg.InputReplyToMessage{ReplyToMsgID: m.ReplyTo}
	}
	switch len(media) {
	case 0:
		return api.MessagesSendMessage(ctx, &tg.MessagesSendMessageRequest{
			Peer: peer, ReplyTo: reply, Message: m.Text, Entities: entity.Of(m.Entities),
			RandomID: m.RandomIDs[0], NoWebpage: !m.LinkPreview,
		})
	case 1:
		return api.MessagesSendMedia(ctx, &tg.MessagesSendMediaRequest{
			Peer: peer, ReplyTo: reply, Message: m.Text, Entities: entity.Of(m.Entities),
			RandomID: m.RandomIDs[0], Media: media[0],
		})
	}
	album := make([]tg.InputSingleMedia, len(media))
	for i, one := range media {
		album[i] = tg.InputSingleMedia{Media: one, RandomID: m.RandomIDs[i]}
	}
	album[0].Message, album[0].Entities = m.Text, entity.Of(m.Entities)
	return api.MessagesSendMultiMedia(ctx, &tg.MessagesSendMultiMediaRequest{Peer: peer, ReplyTo: reply, MultiMedia: album})
}

// sentAs finds the id and the time that the platform gave to the message with this
// random id.
func sentAs(u tg.UpdatesClass, random int64) (id int, at time.Time) {
	date := 0
	list := func(us []tg.UpdateClass) {
		for _, u := range us {
			switch u := u.(type) {
			case *tg.UpdateMessageID:
				if u.RandomID == random {
					id = u.ID
				}
			case *tg.UpdateNewMessage:
				if id == 0 {
					id = u.Message.GetID()
				}
			}
		}
	}
	switch u := u.(type) {
	case *tg.UpdateShortSentMessage:
		id, date = u.ID, u.Date
	case *tg.Updates:
		list(u.Updates)
		date = u.Date
	case *tg.UpdatesCombined:
		list(u.Updates)
		date = u.Date
	}
	if date == 0 {
		return id, time.Now().UTC()
	}
	return id, time.Unix(int64(date), 0).UTC()
}
