package simulator

import (
	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
)

// message is a message as the platform describes it. Entities and files that cannot be
// read are left out: they came from clients.
func (s *Simulator) message(account int64, m *record.Message) *tg.Message {
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
	if x := m.Extra; x != nil {
		s.extra(account, m, out)
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

// extra adds what few messages have.
func (s *Simulator) extra(account int64, m *record.Message, out *tg.Message) {
	x := m.Extra
	switch {
	case x.Place != nil && x.Place.Title != "":
		out.SetMedia(&tg.MessageMediaVenue{Geo: geo(x.Place), Title: x.Place.Title, Address: x.Place.Address, Provider: "foursquare"})
	case x.Place != nil:
		out.SetMedia(&tg.MessageMediaGeo{Geo: geo(x.Place)})
	case x.Card != nil:
		out.SetMedia(&tg.MessageMediaContact{PhoneNumber: x.Card.Phone, FirstName: x.Card.First, LastName: x.Card.Last, UserID: x.Card.ID})
	}
	if f := x.Forward; f != nil {
		h := tg.MessageFwdHeader{Date: int(f.At)}
		if f.Name != "" {
			h.SetFromName(f.Name)
		}
		if f.From != 0 {
			h.SetFromID(&tg.PeerUser{UserID: f.From})
		}
		out.SetFwdFrom(h)
	}
	if len(x.Reactions) > 0 {
		out.SetReactions(reactions(account, m))
	}
}

func geo(p *record.Place) *tg.GeoPoint { return &tg.GeoPoint{Lat: p.Lat, Long: p.Lon} }

// reactions are those of both sides of a chat, as the platform counts and lists them.
func reactions(account int64, m *record.Message) tg.MessageReactions {
	var out tg.MessageReactions
	var list []tg.MessagePeerReaction
	counts := map[string]int{}
	for _, r := range m.Extra.Reactions {
		emoji, by := &tg.ReactionEmoji{Emoticon: r.Emoji}, m.Peer
		if r.Out {
			by = account
		}
		list = append(list, tg.MessagePeerReaction{My: r.Out, PeerID: &tg.PeerUser{UserID: by}, Date: int(r.At), Reaction: emoji})
		i, known := counts[r.Emoji]
		if !known {
			i = len(out.Results)
			counts[r.Emoji] = i
			out.Results = append(out.Results, tg.ReactionCount{Reaction: emoji})
		}
		out.Results[i].Count++
		if r.Out {
			out.Results[i].SetChosenOrder(0)
		}
	}
	out.SetRecentReactions(list)
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
	case world.Reacted:
		// In private chats the platform tells reactions as an edit that nobody is shown.
		m := s.message(account, u.Message)
		m.EditHide = true
		m.SetEditDate(int(s.world.Now().Unix()))
		m.SetFlags()
		return &tg.UpdateEditMessage{Message: m, Pts: u.Pts, PtsCount: u.Count}
	case world.ReadOut:
	}
	return &tg.UpdateReadHistoryOutbox{Peer: &tg.PeerUser{UserID: u.Peer}, MaxID: u.UpTo, Pts: u.Pts, PtsCount: u.Count}
}

// about are the people whom a client has to know for an update.
func about(u world.Update) []int64 {
	ids := []int64{u.Peer}
	if m := u.Message; m != nil && m.Extra != nil && m.Extra.Forward != nil && m.Extra.Forward.From != 0 {
		ids = append(ids, m.Extra.Forward.From)
	}
	return ids
}

// push is an update as it is sent to clients that did not ask.
func (s *Simulator) push(account int64, u world.Update) bin.Encoder {
	now := int(s.world.Now().Unix())
	if u.Kind == world.New && u.Message.Short && u.Message.File == 0 && u.Message.Extra == nil {
		m := u.Message
		short := &tg.UpdateShortMessage{ID: m.ID, Out: m.Out, UserID: m.Peer, Message: m.Text, Pts: u.Pts, PtsCount: u.Count, Date: int(m.At)}
		return short
	}
	out := &tg.Updates{Updates: []tg.UpdateClass{s.update(account, u)}, Date: now}
	if u.Peer != 0 {
		out.Users = s.usersOf(account, append(about(u), account)...)
	}
	return out
}
