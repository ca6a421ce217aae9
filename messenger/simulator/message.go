package simulator

import (
	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world"
)

// message is a message as the platform describes it. Entities and files that cannot be
// read are left out: they came from clients.
func (s *Simulator) message(account int64, m *world.Message) *tg.Message {
	out := &tg.Message{
		ID: m.ID, Out: m.Out, PeerID: &tg.PeerUser{UserID: m.Peer}, Date: int(m.At), Message: m.Text,
	}
	from := m.Peer
	if m.Out {
		from = account
	}
	out.SetFromID(&tg.PeerUser{UserID: from})
	if e := decode(m.Entities, tg.DecodeMessageEntity); len(e) > 0 {
		out.SetEntities(e)
	}
	if f := s.world.File(m.File); m.File != 0 && f != nil {
		out.SetMedia(s.media(account, f))
	}
	if m.ReplyTo != 0 {
		h := &tg.MessageReplyHeader{}
		h.SetReplyToMsgID(m.ReplyTo)
		out.SetReplyTo(h)
	}
	if m.Group != 0 {
		out.SetGroupedID(m.Group)
	}
	if m.EditedAt != 0 {
		out.SetEditDate(int(m.EditedAt))
	}
	out.SetFlags()
	return out
}

// encode is a vector as the platform encodes it, nil for an empty one.
func encode[T bin.Encoder](in []T) []byte {
	if len(in) == 0 {
		return nil
	}
	var b bin.Buffer
	b.PutVectorHeader(len(in))
	for _, e := range in {
		if err := e.Encode(&b); err != nil {
			return nil
		}
	}
	return b.Buf
}

// decode gives what can be read of a vector: it came from a client.
func decode[T any](in []byte, one func(*bin.Buffer) (T, error)) (out []T) {
	if len(in) == 0 {
		return nil
	}
	b := &bin.Buffer{Buf: in}
	n, err := b.VectorHeader()
	for range n {
		if err != nil {
			break
		}
		var e T
		if e, err = one(b); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// update is one step of the sequence as the platform describes it.
func (s *Simulator) update(account int64, u world.Update) tg.UpdateClass {
	switch u.Kind {
	case world.New:
		return &tg.UpdateNewMessage{Message: s.message(account, u.Message), Pts: u.Pts, PtsCount: u.Count}
	case world.Edited:
		return &tg.UpdateEditMessage{Message: s.message(account, u.Message), Pts: u.Pts, PtsCount: u.Count}
	case world.Deleted:
		ids := make([]int, len(u.IDs))
		for i, id := range u.IDs {
			ids[i] = int(id)
		}
		return &tg.UpdateDeleteMessages{Messages: ids, Pts: u.Pts, PtsCount: u.Count}
	case world.ReadIn:
		return &tg.UpdateReadHistoryInbox{Peer: &tg.PeerUser{UserID: u.Peer}, MaxID: u.UpTo, Pts: u.Pts, PtsCount: u.Count}
	case world.ReadOut:
	}
	return &tg.UpdateReadHistoryOutbox{Peer: &tg.PeerUser{UserID: u.Peer}, MaxID: u.UpTo, Pts: u.Pts, PtsCount: u.Count}
}

// push is an update as it is sent to clients that did not ask.
func (s *Simulator) push(account int64, u world.Update) bin.Encoder {
	now := int(s.world.Now().Unix())
	if u.Kind == world.New && u.Message.Short && u.Message.File == 0 {
		m := u.Message
		short := &tg.UpdateShortMessage{ID: m.ID, Out: m.Out, UserID: m.Peer, Message: m.Text, Pts: u.Pts, PtsCount: u.Count, Date: int(m.At)}
		return short
	}
	out := &tg.Updates{Updates: []tg.UpdateClass{s.update(account, u)}, Date: now}
	if u.Peer != 0 {
		out.Users = s.usersOf(account, u.Peer, account)
	}
	return out
}
