package connection

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// inbound is a message of a private chat as it is kept for the inbox: what it says
// is sealed. An account has a message of an id once.
type inbound struct {
	ID          string       `json:"id"` // account and message id
	Account     string       `json:"account"`
	MessageID   int          `json:"message_id"`
	PeerID      int64        `json:"peer_id"`
	RecipientID string       `json:"recipient_id,omitempty"`
	Out         bool         `json:"out,omitempty"`
	ReplyTo     int          `json:"reply_to,omitempty"`
	At          time.Time    `json:"at"`
	EditedAt    time.Time    `json:"edited_at,omitzero"`
	DeletedAt   time.Time    `json:"deleted_at,omitzero"`
	Content     store.Sealed `json:"content"`
}

// messageContent is what is sealed of a message.
type messageContent struct {
	Text string `json:"text"`
	Raw  []byte `json:"raw,omitempty"`
}

var (
	inboundMessages = store.NewTable("inbound_message", "", func(m *inbound) string { return m.ID })
	inboundContent  = inboundMessages.Sealed("content", func(m *inbound) *store.Sealed { return &m.Content })
)

func inboundID(account string, id int) string {
	return fmt.Sprintf("%s%019d", accountPrefix(account), id)
}

// Received is published when a message of a private chat was stored, once for each.
type Received struct {
	Org, Account string
	RecipientID  string // "" for somebody who is no recipient
	PeerID       int64
	MessageID    int
	At           time.Time
	Out          bool // the account's owner wrote it in the messenger's own app
}

// ReadByPeer is published when somebody has read everything up to a message.
type ReadByPeer struct {
	Org, Account string
	PeerID       int64
	UpTo         int
}

// ReadHere is published when the account's owner has read everything up to a message of
// a person, in the messenger's own app.
type ReadHere ReadByPeer

// Reacted is published when the reactions of a message changed.
type Reacted struct {
	Org, Account string
	PeerID       int64
	MessageID    int
	Now          []messenger.Reaction
}

// listener takes what arrives for one account.
type listener struct{ stateStore }

var _ messenger.Inbound = listener{}

// Received implements messenger.Inbound.
func (l listener) Received(ctx context.Context, m messenger.Incoming) error {
	if m.Peer.Bot || m.Peer.ID == 0 {
		return nil
	}
	return l.update(ctx, func(tx *store.Tx) error {
		id := inboundID(l.id, m.ID)
		if ok, err := inboundMessages.Has(tx, l.org, id); err != nil || ok {
			return err
		}
		return l.storeNew(tx, id, m)
	})
}

// storeNew stores a message that is new, with everything that follows.
func (l listener) storeNew(tx *store.Tx, id string, m messenger.Incoming) error {
	r, known, err := recognise(tx, l.org, m.Peer)
	if err != nil {
		return err
	}
	rec := inbound{
		ID: id, Account: l.id, MessageID: m.ID, PeerID: m.Peer.ID, RecipientID: r.ID, Out: m.Out, ReplyTo: m.ReplyTo, At: m.At.UTC(), EditedAt: m.EditedAt,
	}
	if err := l.storeContent(tx, &rec, m); err != nil {
		return err
	}
	if err := savePeer(tx, l.org, l.id, m.Peer, r.ID); err != nil {
		return err
	}
	if err := l.p.o.Accounts.Seen(tx, l.org, l.id); err != nil {
		return err
	}
	if known {
		contact := recipient.Contact{At: rec.At, Received: !m.Out, Account: l.id}
		if err := recipient.RecordContact(tx, l.org, r.ID, contact); err != nil {
			return err
		}
	}
	c := customer(tx, l.org, r.ID)
	if !m.Out {
		if err := l.applyStopWord(tx, c, m); err != nil {
			return err
		}
	}
	return signal.Publish(l.p.o.Bus, tx, c, Received{
		Org: l.org, Account: l.id, RecipientID: r.ID, PeerID: m.Peer.ID, MessageID: m.ID, At: rec.At, Out: m.Out,
	})
}

func (l listener) storeContent(tx *store.Tx, rec *inbound, m messenger.Incoming) error {
	content, err := json.Marshal(messageContent{m.Text, m.Raw})
	if err != nil {
		return err
	}
	if err := inboundContent.Set(tx, l.org, rec, content); err != nil {
		return err
	}
	return inboundMessages.Put(tx, l.org, rec)
}

// recognise finds the recipient that a person is: by messenger id, else by a
// username whose recipient has no other id.
func recognise(tx *store.Tx, org string, p messenger.Peer) (r recipient.Recipient, known bool, err error) {
	r, err = recipient.ByMessengerID(tx, org, p.ID)
	if store.IsNotFound(err) && p.Username != "" {
		r, err = recipient.ByUsername(tx, org, p.Username)
		if err == nil && r.MessengerID != 0 { // the name was another's
			return recipient.Recipient{}, false, nil
		}
	}
	if err != nil {
		return recipient.Recipient{}, false, store.IgnoreNotFound(err)
	}
	return r, true, nil
}

// applyStopWord opts a person out who wrote a stop word, whatever else is on or off (contract 20.7).
func (l listener) applyStopWord(tx *store.Tx, c *api.Call, m messenger.Incoming) error {
	o, err := org.Get(tx, l.org)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if !isStopWord(m.Text, o.Keywords()) {
		return nil
	}
	who := recipient.Who{MessengerID: m.Peer.ID, Username: m.Peer.Username}
	if who.Username != "" {
		// A recipient with this name and another id is somebody who had it before.
		x, err := recipient.ByUsername(tx, l.org, who.Username)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		if err == nil && x.MessengerID != 0 && x.MessengerID != m.Peer.ID {
			who.Username = ""
		}
	}
	_, err = recipient.OptOut(tx, c, l.p.o.Bus, who, recipient.ByLink)
	return err
}

// customer is the call of a person who writes.
func customer(tx *store.Tx, org, recipientID string) *api.Call {
	c := api.System(context.Background(), org, tx.DB().Now())
	c.Caller = api.Caller{Kind: api.Customer, ID: recipientID}
	return c
}

// ReadByPeer implements messenger.Inbound.
func (l listener) ReadByPeer(ctx context.Context, peer int64, upTo int) error {
	return announce(ctx, l, ReadByPeer{l.org, l.id, peer, upTo})
}

// ReadHere implements messenger.Inbound.
func (l listener) ReadHere(ctx context.Context, peer int64, upTo int) error {
	return announce(ctx, l, ReadHere{l.org, l.id, peer, upTo})
}

// Reacted implements messenger.Inbound.
func (l listener) Reacted(ctx context.Context, peer int64, id int, now []messenger.Reaction) error {
	return announce(ctx, l, Reacted{l.org, l.id, peer, id, now})
}

// announce publishes what happened in a chat of an account that is still there.
func announce[T any](ctx context.Context, l listener, what T) error {
	return l.update(ctx, func(tx *store.Tx) error {
		if err := l.p.o.Accounts.Seen(tx, l.org, l.id); err != nil {
			return err
		}
		return signal.Publish(l.p.o.Bus, tx, customer(tx, l.org, ""), what)
	})
}

// Edited implements messenger.Inbound. A message that was never stored is stored
// now; a stop word counts in an edit too.
func (l listener) Edited(ctx context.Context, m messenger.Incoming) error {
	if m.Peer.Bot || m.Peer.ID == 0 {
		return nil
	}
	return l.update(ctx, func(tx *store.Tx) error {
		id := inboundID(l.id, m.ID)
		rec, err := inboundMessages.Get(tx, l.org, id)
		if store.IsNotFound(err) {
			return l.storeNew(tx, id, m)
		}
		if err != nil || !rec.DeletedAt.IsZero() {
			return err
		}
		rec.EditedAt = m.EditedAt
		if err := l.storeContent(tx, &rec, m); err != nil || m.Out {
			return err
		}
		r, _, err := recognise(tx, l.org, m.Peer)
		if err != nil {
			return err
		}
		return l.applyStopWord(tx, customer(tx, l.org, r.ID), m)
	})
}

// Deleted implements messenger.Inbound: what a message said is forgotten.
func (l listener) Deleted(ctx context.Context, ids []int) error {
	for len(ids) > 0 {
		some := ids[:min(len(ids), recordsAtATime)]
		ids = ids[len(some):]
		err := l.update(ctx, func(tx *store.Tx) error {
			for _, n := range some {
				if err := l.forget(tx, inboundID(l.id, n)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (l listener) forget(tx *store.Tx, id string) error {
	rec, err := inboundMessages.Get(tx, l.org, id)
	if err != nil || !rec.DeletedAt.IsZero() {
		return store.IgnoreNotFound(err)
	}
	rec.DeletedAt = tx.DB().Now()
	if err := inboundContent.Set(tx, l.org, &rec, nil); err != nil {
		return err
	}
	return inboundMessages.Put(tx, l.org, &rec)
}
