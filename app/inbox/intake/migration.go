package intake

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/account/connection"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/store"
)

// keptByAccount is a message as package account kept it before there was an inbox.
type keptByAccount struct {
	ID        string       `json:"id"`
	Account   string       `json:"account"`
	MessageID int          `json:"message_id"`
	PeerID    int64        `json:"peer_id"`
	Recipient string       `json:"recipient_id,omitempty"`
	Out       bool         `json:"out,omitempty"`
	ReplyTo   int          `json:"reply_to,omitempty"`
	At        time.Time    `json:"at"`
	EditedAt  time.Time    `json:"edited_at,omitzero"`
	DeletedAt time.Time    `json:"deleted_at,omitzero"`
	Content   store.Sealed `json:"content"`
}

var (
	oldMessages = store.NewTable("inbound_message", "", func(m *keptByAccount) string { return m.ID })
	oldContent  = oldMessages.Sealed("content", func(m *keptByAccount) *store.Sealed { return &m.Content })
)

// Tables hold what the migration moves; nothing else is written to them.
func Tables() []store.AnyTable { return []store.AnyTable{oldMessages} }

// movedAtATime bounds one step of the migration.
const movedAtATime = 200

// Migration moves the messages that package account kept into conversations. They start
// nothing: nobody waits for an answer to them and none is unread.
var Migration = store.Migration{Name: "2026-11 inbound messages: into conversations", Step: move}

func move(tx *store.Tx, _ []byte) ([]byte, error) {
	for org, err := range oldMessages.EachOwner(tx) {
		if err != nil {
			return nil, err
		}
		list, _, err := oldMessages.Walk(tx, org, nil, movedAtATime)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if err := moveOne(tx, org, &list[i]); err != nil {
				return nil, err
			}
			if err := oldMessages.Delete(tx, org, list[i].ID); err != nil {
				return nil, err
			}
		}
		return []byte("more"), nil
	}
	return nil, nil
}

func moveOne(tx *store.Tx, org string, old *keptByAccount) error {
	a, err := account.Get(tx, org, old.Account)
	if err != nil {
		return store.IgnoreNotFound(err) // gone, and what belonged to it is being removed
	}
	at := channel.At{Org: org, Account: a.ID, Owner: channel.OwnerOf(&a), Channel: channel.OnMessenger}
	in := channel.Incoming{
		ID: strconv.Itoa(old.MessageID), Seq: int64(old.MessageID), Out: old.Out, At: old.At, EditedAt: old.EditedAt,
		From: channel.Person{ID: strconv.FormatInt(old.PeerID, 10)},
	}
	if old.ReplyTo != 0 {
		in.ReplyTo = strconv.Itoa(old.ReplyTo)
	}
	p, known, err := connection.PeerOf(tx, org, a.ID, old.PeerID)
	if err != nil {
		return err
	}
	if known {
		in.From = channel.PersonOf(p)
	}
	if in.Text, err = old.text(tx, org); err != nil {
		return err
	}
	k, found, err := conversation.Find(tx, org, at, in.From)
	if err != nil {
		return err
	}
	m, err := conversation.Add(tx, org, &k, &in, conversation.Arrival{Made: found.Made, Quiet: true, Recipient: old.Recipient})
	if err != nil || old.DeletedAt.IsZero() {
		return err
	}
	return conversation.MarkDeleted(tx, org, &m, old.DeletedAt)
}

func (m *keptByAccount) text(tx *store.Tx, org string) (string, error) {
	b, err := oldContent.Open(tx.DB(), org, m)
	if err != nil || b == nil {
		return "", err
	}
	var content struct {
		Text string `json:"text"`
	}
	err = json.Unmarshal(b, &content)
	return strings.ToValidUTF8(content.Text, ""), err
}
