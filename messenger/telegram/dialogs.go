package telegram

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
	"svc/messenger/telegram/fault"
)

// pageMost is the platform's bound of a page of chats or messages.
const pageMost = 100

// dialogPlace is where a page of chats begins: the blob that is DialogPage.Next. The
// platform counts from the last chat before it, of whatever kind.
type dialogPlace struct {
	Archive bool   `json:"archive,omitempty"` // the second of the two folders
	Rest    bool   `json:"rest,omitempty"`    // pinned chats came with the first page
	Date    int    `json:"date,omitempty"`
	Top     int    `json:"top,omitempty"`
	Kind    string `json:"kind,omitempty"` // user, group, channel
	ID      int64  `json:"id,omitempty"`
	Hash    int64  `json:"hash,omitempty"`
}

func (p dialogPlace) peer() tg.InputPeerClass {
	switch p.Kind {
	case "user":
		return &tg.InputPeerUser{UserID: p.ID, AccessHash: p.Hash}
	case "group":
		return &tg.InputPeerChat{ChatID: p.ID}
	case "channel":
		return &tg.InputPeerChannel{ChannelID: p.ID, AccessHash: p.Hash}
	default:
		return &tg.InputPeerEmpty{}
	}
}

// Dialogs lists private chats with people: those in the list, then those in the archive.
func (c *conn) Dialogs(ctx context.Context, after string, limit int) (messenger.DialogPage, error) {
	var from dialogPlace
	if after != "" && json.Unmarshal([]byte(after), &from) != nil {
		return messenger.DialogPage{}, &messenger.Error{Fault: messenger.Refused, Code: "OFFSET_INVALID", Cause: errors.New("this is not where a page of chats begins")}
	}
	limit = min(max(limit, 1), pageMost)
	q := &tg.MessagesGetDialogsRequest{
		ExcludePinned: from.Rest, OffsetDate: from.Date, OffsetID: from.Top, OffsetPeer: from.peer(), Limit: limit,
	}
	q.SetFolderID(0)
	if from.Archive {
		q.SetFolderID(1)
	}
	var res tg.MessagesDialogsClass
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		res, err = api.MessagesGetDialogs(ctx, q)
		return err
	})
	if err != nil {
		return messenger.DialogPage{}, err
	}
	list, ok := res.AsModified()
	if !ok {
		return messenger.DialogPage{}, nil
	}
	page, last := c.dialogs(list)
	_, whole := res.(*tg.MessagesDialogs)
	switch {
	case !whole && len(list.GetDialogs()) >= limit && (last != (dialogPlace{}) || !from.Rest):
		last.Archive, last.Rest = from.Archive, true
	case !from.Archive:
		last = dialogPlace{Archive: true}
	default:
		return page, nil
	}
	data, err := json.Marshal(last)
	page.Next = string(data)
	return page, err
}

// topOf names the newest message of a chat: ids count for each channel by itself.
type topOf struct {
	kind string
	peer int64
	id   int
}

// dialogs sorts a page, and finds the last chat of it that is not pinned.
func (c *conn) dialogs(list tg.ModifiedMessagesDialogs) (out messenger.DialogPage, last dialogPlace) {
	who, channels := peopleOf(list.GetUsers()), map[int64]int64{}
	for _, chat := range list.GetChats() {
		if ch, ok := chat.(*tg.Channel); ok {
			channels[ch.ID] = ch.AccessHash
		}
	}
	dates := map[topOf]int{}
	for _, m := range list.GetMessages() {
		if m, ok := m.AsNotEmpty(); ok {
			kind, id := peerID(m.GetPeerID())
			dates[topOf{kind, id, m.GetID()}] = m.GetDate()
		}
	}
	for _, dc := range list.GetDialogs() {
		d, ok := dc.(*tg.Dialog)
		if !ok {
			continue
		}
		kind, id := peerID(d.Peer)
		date, dated := dates[topOf{kind, id, d.TopMessage}]
		u := who[id]
		if kind != "user" {
			u = nil
		}
		if dated && !d.Pinned {
			last = dialogPlace{Date: date, Top: d.TopMessage, Kind: kind, ID: id, Hash: channels[id]}
			if u != nil {
				last.Hash = u.AccessHash
			}
		}
		switch {
		case kind != "user":
			out.Groups++
		case u == nil || u.Deleted || !full(u) || id == cursor.ServiceChat || id == c.self || u.Support:
			out.Service++
		case u.Bot:
			out.Bots++
		default:
			out.Dialogs = append(out.Dialogs, messenger.Dialog{Peer: peerOf(u), Top: d.TopMessage, At: unix(date)})
		}
	}
	return out, last
}

func peerID(p tg.PeerClass) (kind string, id int64) {
	switch p := p.(type) {
	case *tg.PeerUser:
		return "user", p.UserID
	case *tg.PeerChat:
		return "group", p.ChatID
	case *tg.PeerChannel:
		return "channel", p.ChannelID
	}
	return "", 0
}

// History reads one page of a chat, the newest message first.
func (c *conn) History(ctx context.Context, p messenger.Peer, before, limit int) (messenger.HistoryPage, error) {
	if p.ID == cursor.ServiceChat || p.ID == c.self || p.Bot {
		return messenger.HistoryPage{}, unreachable(fault.CodeUnresolvable, errors.New("this is not a chat with a person"))
	}
	if p.AccessHash == 0 {
		known, _, err := c.find(ctx, messenger.Target{ID: p.ID, Username: p.Username})
		if err != nil {
			return messenger.HistoryPage{}, err
		}
		p = known
	}
	limit = min(max(limit, 1), pageMost)
	var res tg.MessagesMessagesClass
	err := c.call(ctx, func(ctx context.Context, api *tg.Client) (err error) {
		res, err = api.MessagesGetHistory(ctx, &tg.MessagesGetHistoryRequest{
			Peer: &tg.InputPeerUser{UserID: p.ID, AccessHash: p.AccessHash}, OffsetID: before, Limit: limit,
		})
		return err
	})
	if err != nil {
		return messenger.HistoryPage{}, err
	}
	list, ok := res.AsModified()
	if !ok {
		return messenger.HistoryPage{}, nil
	}
	return c.historyPage(ctx, p, list, limit)
}

func (c *conn) historyPage(ctx context.Context, p messenger.Peer, list tg.ModifiedMessagesMessages, limit int) (out messenger.HistoryPage, err error) {
	who, all := peopleOf(list.GetUsers()), list.GetMessages()
	if u := who[p.ID]; u != nil && u.Bot {
		return out, nil
	}
	for _, mc := range all {
		m, ok := mc.(*tg.Message)
		if !ok || !cursor.WithPerson(m) || m.PeerID.(*tg.PeerUser).UserID != p.ID {
			continue
		}
		if len(out.Messages) == 0 {
			known, err := c.person(ctx, p.ID, who)
			if err != nil {
				return out, fault.Remembered(err)
			}
			if known.AccessHash != 0 {
				p = known
			}
		}
		in, err := incoming(m, p, who, c.self)
		if err != nil {
			return out, err
		}
		out.Messages = append(out.Messages, in)
	}
	if len(all) >= limit {
		out.Next = all[len(all)-1].GetID()
	}
	return out, nil
}
