package simulator

import (
	"github.com/gotd/td/bin"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world"
)

func (s *Simulator) messageMethods() map[uint32]method {
	return map[uint32]method{
		tg.MessagesSendMessageRequestTypeID:         on(s.sendMessage),
		tg.MessagesSendMediaRequestTypeID:           on(s.sendMedia),
		tg.MessagesSendMultiMediaRequestTypeID:      on(s.sendAlbum),
		tg.MessagesReadHistoryRequestTypeID:         on(s.readHistory),
		tg.MessagesReadMessageContentsRequestTypeID: on(s.readContents),
		tg.MessagesDeleteMessagesRequestTypeID:      on(s.deleteMessages),
		tg.MessagesSetTypingRequestTypeID:           on(done[tg.MessagesSetTypingRequest]),
		tg.MessagesGetMessagesRequestTypeID:         on(s.getMessages),
		tg.MessagesGetHistoryRequestTypeID:          on(s.history),
		tg.MessagesGetDialogsRequestTypeID:          on(s.dialogs),
		tg.UpdatesGetStateRequestTypeID:             on(s.state),
		tg.UpdatesGetDifferenceRequestTypeID:        on(s.difference),
	}
}

// replyTo is the message that another answers, 0 for none.
func replyTo(in tg.InputReplyToClass) int {
	if r, ok := in.(*tg.InputReplyToMessage); ok {
		return r.ReplyToMsgID
	}
	return 0
}

// send hands a request to the world and keeps its fate.
func (s *Simulator) send(c *call, to tg.InputPeerClass, reply tg.InputReplyToClass, items ...world.Item) ([]world.Delivery, error) {
	peer, err := peerOf(to)
	if err != nil {
		return nil, err
	}
	out, fate, err := s.world.Send(c.key(), world.Outgoing{Peer: peer, Items: items, ReplyTo: replyTo(reply), Origin: c.Session})
	c.fate = fate
	return out, err
}

func (s *Simulator) sendMessage(c *call, q *tg.MessagesSendMessageRequest) (bin.Encoder, error) {
	out, err := s.send(c, q.Peer, q.ReplyTo, world.Item{RandomID: q.RandomID, Text: q.Message, Entities: encode(q.Entities)})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	d := out[0]
	sent := &tg.UpdateShortSentMessage{Out: true, ID: d.Message.ID, Pts: d.Pts, PtsCount: 1, Date: int(d.Message.At)}
	if len(q.Entities) > 0 {
		sent.SetEntities(q.Entities)
	}
	return sent, nil
}

func (s *Simulator) sendMedia(c *call, q *tg.MessagesSendMediaRequest) (bin.Encoder, error) {
	f, err := s.inputMedia(c, q.Media)
	if err != nil {
		return nil, err
	}
	out, err := s.send(c, q.Peer, q.ReplyTo, world.Item{RandomID: q.RandomID, Text: q.Message, Entities: encode(q.Entities), File: f.ID})
	return s.sent(c, out), err
}

func (s *Simulator) sendAlbum(c *call, q *tg.MessagesSendMultiMediaRequest) (bin.Encoder, error) {
	items, album := make([]world.Item, 0, len(q.MultiMedia)), ""
	for _, m := range q.MultiMedia {
		switch m.Media.(type) {
		case *tg.InputMediaUploadedPhoto, *tg.InputMediaUploadedDocument:
			// The platform wants them turned into files first (messages.uploadMedia).
			return nil, errMedia
		}
		f, err := s.inputMedia(c, m.Media)
		if err != nil {
			return nil, err
		}
		kind := albumOf(f)
		if kind == "" || len(items) > 0 && kind != album {
			return nil, errMedia
		}
		album = kind
		items = append(items, world.Item{RandomID: m.RandomID, Text: m.Message, Entities: encode(m.Entities), File: f.ID})
	}
	out, err := s.send(c, q.Peer, q.ReplyTo, items...)
	return s.sent(c, out), err
}

// sent is the long answer to what was sent: nil when nothing was.
func (s *Simulator) sent(c *call, out []world.Delivery) bin.Encoder {
	if len(out) == 0 {
		return nil
	}
	u := &tg.Updates{Date: int(out[0].Message.At), Users: s.usersOf(c.account, out[0].Message.Peer, c.account)}
	for _, d := range out {
		u.Updates = append(u.Updates, &tg.UpdateMessageID{ID: d.Message.ID, RandomID: d.Message.RandomID})
	}
	for _, d := range out {
		u.Updates = append(u.Updates, &tg.UpdateNewMessage{Message: s.message(c.account, d.Message), Pts: d.Pts, PtsCount: 1})
	}
	return u
}

func (s *Simulator) readHistory(c *call, q *tg.MessagesReadHistoryRequest) (bin.Encoder, error) {
	peer, err := peerOf(q.Peer)
	if err != nil {
		return nil, err
	}
	pts, count, err := s.world.ReadHistory(c.key(), peer, q.MaxID, c.Session)
	return &tg.MessagesAffectedMessages{Pts: pts, PtsCount: count}, err
}

func (s *Simulator) readContents(c *call, _ *tg.MessagesReadMessageContentsRequest) (bin.Encoder, error) {
	st, err := s.world.StateOf(c.key())
	return &tg.MessagesAffectedMessages{Pts: st.Pts}, err
}

func (s *Simulator) deleteMessages(c *call, q *tg.MessagesDeleteMessagesRequest) (bin.Encoder, error) {
	pts, count, err := s.world.Delete(c.key(), q.ID, c.Session)
	return &tg.MessagesAffectedMessages{Pts: pts, PtsCount: count}, err
}

func (s *Simulator) getMessages(c *call, q *tg.MessagesGetMessagesRequest) (bin.Encoder, error) {
	ids := make([]int, 0, len(q.ID))
	for _, in := range q.ID {
		if m, ok := in.(*tg.InputMessageID); ok {
			ids = append(ids, m.ID)
		}
	}
	found, err := s.world.Messages(c.key(), ids)
	if err != nil {
		return nil, err
	}
	out := &tg.MessagesMessages{}
	people := []int64{c.account}
	for i, m := range found {
		if m == nil {
			out.Messages = append(out.Messages, &tg.MessageEmpty{ID: ids[i]})
			continue
		}
		people = append(people, m.Peer)
		out.Messages = append(out.Messages, s.message(c.account, m))
	}
	out.Users = s.usersOf(c.account, people...)
	return out, nil
}

// maxPage is the platform's bound of a list.
const maxPage = 100

func page(n int) int {
	if n <= 0 || n > maxPage {
		return maxPage
	}
	return n
}

func (s *Simulator) history(c *call, q *tg.MessagesGetHistoryRequest) (bin.Encoder, error) {
	peer, err := peerOf(q.Peer)
	if err != nil {
		return nil, err
	}
	all, total, err := s.world.History(c.key(), peer, q.OffsetID, max(q.AddOffset, 0), page(q.Limit))
	if err != nil {
		return nil, err
	}
	out := &tg.MessagesMessagesSlice{Count: total, Users: s.usersOf(c.account, peer.ID, c.account)}
	for _, m := range all {
		out.Messages = append(out.Messages, s.message(c.account, m))
	}
	return out, nil
}

func (s *Simulator) dialogs(c *call, q *tg.MessagesGetDialogsRequest) (bin.Encoder, error) {
	if folder, ok := q.GetFolderID(); ok && folder != 0 {
		return &tg.MessagesDialogs{}, nil // nothing is archived here
	}
	all, total, err := s.world.Dialogs(c.key(), q.OffsetID, page(q.Limit))
	if err != nil {
		return nil, err
	}
	out := &tg.MessagesDialogsSlice{Count: total}
	people := []int64{c.account}
	for _, d := range all {
		people = append(people, d.Peer)
		out.Messages = append(out.Messages, s.message(c.account, d.Top))
		out.Dialogs = append(out.Dialogs, &tg.Dialog{
			Peer: &tg.PeerUser{UserID: d.Peer}, TopMessage: d.Top.ID, UnreadCount: d.Unread,
			ReadInboxMaxID: d.ReadIn, ReadOutboxMaxID: d.ReadOut,
		})
	}
	out.Users = s.usersOf(c.account, people...)
	return out, nil
}

func (s *Simulator) state(c *call, _ *tg.UpdatesGetStateRequest) (bin.Encoder, error) {
	st, err := s.world.StateOf(c.key())
	return tgState(st), err
}

func tgState(st world.State) *tg.UpdatesState {
	return &tg.UpdatesState{Pts: st.Pts, Date: int(st.Date), UnreadCount: st.Unread}
}

// difference gives every update after the client's pts: a newer state without them would
// lose them.
func (s *Simulator) difference(c *call, q *tg.UpdatesGetDifferenceRequest) (bin.Encoder, error) {
	limit, ok := q.GetPtsLimit()
	if !ok || limit <= 0 {
		limit = maxPage
	}
	d, err := s.world.Difference(c.key(), q.Pts, page(limit))
	switch {
	case err != nil:
		return nil, err
	case d.TooLong:
		return &tg.UpdatesDifferenceTooLong{Pts: d.State.Pts}, nil
	case len(d.Updates) == 0:
		return &tg.UpdatesDifferenceEmpty{Date: int(d.State.Date)}, nil
	}
	var messages []tg.MessageClass
	var others []tg.UpdateClass
	people := []int64{c.account}
	for _, u := range d.Updates {
		if u.Peer != 0 {
			people = append(people, about(u)...)
		}
		if u.Kind == world.New {
			messages = append(messages, s.message(c.account, u.Message))
			continue
		}
		others = append(others, s.update(c.account, u))
	}
	users := s.usersOf(c.account, people...)
	if d.More {
		return &tg.UpdatesDifferenceSlice{NewMessages: messages, OtherUpdates: others, Users: users, IntermediateState: *tgState(d.State)}, nil
	}
	return &tg.UpdatesDifference{NewMessages: messages, OtherUpdates: others, Users: users, State: *tgState(d.State)}, nil
}
