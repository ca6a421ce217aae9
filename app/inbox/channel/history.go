package channel

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"svc/messenger"
)

// Chat is one chat of an account as its network lists it.
type Chat struct {
	Person Person
	At     time.Time // of its newest message
	Token  []byte    // finds it at the network; secret
}

// ChatPage is a page of chats with people, and what was left out of it.
type ChatPage struct {
	Chats                 []Chat
	Next                  string // "" after the last; secret
	Bots, Groups, Service int
}

// MessagePage is a page of messages, the newest first.
type MessagePage struct {
	Messages []Incoming
	Next     string // "" after the last
}

// Historian is a Channel whose accounts have a history that can be read. Errors are *Later
// and those of the network.
type Historian interface {
	// Chats lists the chats of an account from after on, "" at first.
	Chats(ctx context.Context, org, account, after string) (ChatPage, error)
	// Messages reads up to limit messages of a chat before one, "" from the newest.
	Messages(ctx context.Context, org, account string, chat Chat, before string, limit int) (MessagePage, error)
}

var _ Historian = (*Messenger)(nil)

// chatsAtATime is how many chats are asked for together.
const chatsAtATime = 100

// Chats implements Historian.
func (m *Messenger) Chats(ctx context.Context, org, account, after string) (out ChatPage, err error) {
	conn, _, err := m.Accounts.Conn(ctx, org, account)
	if err != nil {
		return out, FaultOf(err)
	}
	page, err := conn.Dialogs(ctx, after, chatsAtATime)
	if err != nil {
		return out, FaultOf(err)
	}
	out = ChatPage{Next: page.Next, Bots: page.Bots, Groups: page.Groups, Service: page.Service}
	for _, d := range page.Dialogs {
		token, err := json.Marshal(d.Peer)
		if err != nil {
			return out, err
		}
		out.Chats = append(out.Chats, Chat{Person: PersonOf(d.Peer), At: d.At, Token: token})
	}
	return out, nil
}

// Messages implements Historian.
func (m *Messenger) Messages(ctx context.Context, org, account string, chat Chat, before string, limit int) (out MessagePage, err error) {
	var p messenger.Peer
	if err := json.Unmarshal(chat.Token, &p); err != nil {
		return out, err
	}
	from := 0
	if before != "" {
		if from, err = strconv.Atoi(before); err != nil {
			return out, err
		}
	}
	conn, _, err := m.Accounts.Conn(ctx, org, account)
	if err != nil {
		return out, FaultOf(err)
	}
	page, err := conn.History(ctx, p, from, limit)
	if err != nil {
		return out, FaultOf(err)
	}
	for i := range page.Messages {
		in := Translate(&page.Messages[i])
		in.Imported = true
		out.Messages = append(out.Messages, in)
	}
	if page.Next != 0 {
		out.Next = strconv.Itoa(page.Next)
	}
	return out, nil
}
