package connection

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Inbox keeps what arrives over the connections of accounts. Every call is part of the
// transaction in which it arrives; one that fails has the driver hand over the same again.
type Inbox interface {
	// Received stores a message that nobody has, and says whether it did. Edited does too
	// when it has no message of that id.
	Received(tx *store.Tx, a Ref, m messenger.Incoming) (Stored, error)
	Edited(tx *store.Tx, a Ref, m messenger.Incoming) (Stored, error)
	Deleted(tx *store.Tx, a Ref, ids []int) error
	ReadByPeer(tx *store.Tx, a Ref, peer int64, upTo int) error
	ReadHere(tx *store.Tx, a Ref, peer int64, upTo int) error
	Reacted(tx *store.Tx, a Ref, id int, now []messenger.Reaction) error
}

// Stored is what became of a message that arrived.
type Stored struct {
	New         bool   // nobody had it before
	RecipientID string // whom the person is recognised as, "" for nobody
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

// listener takes what arrives for one account.
type listener struct{ stateStore }

var _ messenger.Inbound = listener{}

func (l listener) ref() Ref { return Ref{Org: l.org, ID: l.id} }

// arrived runs what an event of an account that is still there does to the inbox.
func (l listener) arrived(ctx context.Context, f func(*store.Tx, Inbox) error) error {
	return l.update(ctx, func(tx *store.Tx) error {
		if err := l.p.o.Accounts.Seen(tx, l.org, l.id); err != nil {
			return err
		}
		return f(tx, l.p.o.Inbox)
	})
}

// Received implements messenger.Inbound.
func (l listener) Received(ctx context.Context, m messenger.Incoming) error {
	return l.take(ctx, m, Inbox.Received)
}

// Edited implements messenger.Inbound. A message that was never stored is stored now.
func (l listener) Edited(ctx context.Context, m messenger.Incoming) error {
	return l.take(ctx, m, Inbox.Edited)
}

func (l listener) take(ctx context.Context, m messenger.Incoming, f func(Inbox, *store.Tx, Ref, messenger.Incoming) (Stored, error)) error {
	if m.Peer.Bot || m.Peer.ID == 0 {
		return nil
	}
	return l.arrived(ctx, func(tx *store.Tx, inbox Inbox) error {
		out, err := f(inbox, tx, l.ref(), m)
		if err != nil || !out.New {
			return err
		}
		if err := savePeer(tx, l.org, l.id, m.Peer, out.RecipientID); err != nil {
			return err
		}
		return signal.Publish(l.p.o.Bus, tx, customer(tx, l.org, out.RecipientID), Received{
			Org: l.org, Account: l.id, RecipientID: out.RecipientID, PeerID: m.Peer.ID, MessageID: m.ID, At: m.At.UTC(), Out: m.Out,
		})
	})
}

// customer is the call of a person who writes.
func customer(tx *store.Tx, org, recipientID string) *api.Call {
	c := api.System(context.Background(), org, tx.DB().Now())
	c.Caller = api.Caller{Kind: api.Customer, ID: recipientID}
	return c
}

// ReadByPeer implements messenger.Inbound.
func (l listener) ReadByPeer(ctx context.Context, peer int64, upTo int) error {
	return l.arrived(ctx, func(tx *store.Tx, inbox Inbox) error {
		if err := inbox.ReadByPeer(tx, l.ref(), peer, upTo); err != nil {
			return err
		}
		return signal.Publish(l.p.o.Bus, tx, customer(tx, l.org, ""), ReadByPeer{l.org, l.id, peer, upTo})
	})
}

// ReadHere implements messenger.Inbound.
func (l listener) ReadHere(ctx context.Context, peer int64, upTo int) error {
	return l.arrived(ctx, func(tx *store.Tx, inbox Inbox) error { return inbox.ReadHere(tx, l.ref(), peer, upTo) })
}

// Reacted implements messenger.Inbound.
func (l listener) Reacted(ctx context.Context, _ int64, id int, now []messenger.Reaction) error {
	return l.arrived(ctx, func(tx *store.Tx, inbox Inbox) error { return inbox.Reacted(tx, l.ref(), id, now) })
}

// Deleted implements messenger.Inbound: what a message said is forgotten.
func (l listener) Deleted(ctx context.Context, ids []int) error {
	for len(ids) > 0 {
		some := ids[:min(len(ids), recordsAtATime)]
		ids = ids[len(some):]
		err := l.arrived(ctx, func(tx *store.Tx, inbox Inbox) error { return inbox.Deleted(tx, l.ref(), some) })
		if err != nil {
			return err
		}
	}
	return nil
}

// withoutInbox is the inbox of a pool that has none: everything is new to it, and nothing
// is kept.
type withoutInbox struct{}

func (withoutInbox) Received(*store.Tx, Ref, messenger.Incoming) (Stored, error) {
	return Stored{New: true}, nil
}
func (withoutInbox) Edited(*store.Tx, Ref, messenger.Incoming) (Stored, error) { return Stored{}, nil }
func (withoutInbox) Deleted(*store.Tx, Ref, []int) error                       { return nil }
func (withoutInbox) ReadByPeer(*store.Tx, Ref, int64, int) error               { return nil }
func (withoutInbox) ReadHere(*store.Tx, Ref, int64, int) error                 { return nil }
func (withoutInbox) Reacted(*store.Tx, Ref, int, []messenger.Reaction) error   { return nil }
