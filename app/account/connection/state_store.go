package connection

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"svc/app/recipient"
	"svc/messenger"
	"svc/store"
)

// peer is a person as one account can address them.
type peer struct {
	ID   string         `json:"id"` // account and messenger id
	Peer messenger.Peer `json:"peer"`
	// RecipientID is the recipient that the person was last recognised as.
	RecipientID string `json:"recipient_id,omitempty"`
}

// fileRef is what the platform knows an uploaded file by, for one account.
type fileRef struct {
	ID  string `json:"id"`
	Ref []byte `json:"ref"`
}

// updateState is where the stream of updates of an account was read to, and which address
// book it was taught.
type updateState struct {
	ID       string `json:"id"` // of the account
	State    []byte `json:"state"`
	Contacts []byte `json:"book,omitempty"`
}

var (
	peers   = store.NewTable("account_peer", "", func(p *peer) string { return p.ID })
	files   = store.NewTable("account_file", "", func(f *fileRef) string { return f.ID })
	updates = store.NewTable("account_updates", "", func(u *updateState) string { return u.ID })

	// peersByID holds whom accounts can write to by messenger id alone.
	peersByID = peers.Multi("person", func(p *peer) []store.Key {
		if p.Peer.AccessHash == 0 {
			return nil
		}
		return []store.Key{store.Int(p.Peer.ID)}
	})
)

// accountPrefix is the beginning of the ids of what belongs to an account.
func accountPrefix(account string) string { return account + ":" }

func peerID(account string, id int64) string {
	return accountPrefix(account) + strconv.FormatInt(id, 10)
}

func fileID(account, key string) string {
	sum := sha256.Sum256([]byte(key))
	return accountPrefix(account) + hex.EncodeToString(sum[:16])
}

// KnownTo are the accounts that can write to a person by messenger id alone: they have
// met, or the person is in the address book (contract 32.3; recipient.Options.KnownTo).
// there says whether an account is not gone: what belonged to one that is gone is removed
// later.
func KnownTo(tx *store.Tx, org string, messengerID int64, there func(tx *store.Tx, org, id string) (bool, error)) (ids []string, err error) {
	const most = 200
	list, _, err := peersByID.Walk(tx, org, store.Range{Span: store.Is(store.Int(messengerID)), Limit: most})
	for i := range list {
		id, _, _ := strings.Cut(list[i].ID, ":")
		ok, err := there(tx, org, id)
		if err != nil {
			return nil, err
		}
		if ok {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// PeerOf reads a person as an account can address them; false: it never met them.
func PeerOf(tx *store.Tx, org, account string, id int64) (p messenger.Peer, known bool, err error) {
	rec, err := peers.Get(tx, org, peerID(account, id))
	return rec.Peer, err == nil, store.IgnoreNotFound(err)
}

// savePeer keeps a person and whom they are recognised as; "" leaves that.
func savePeer(tx *store.Tx, org, account string, p messenger.Peer, recipientID string) error {
	id := peerID(account, p.ID)
	old, err := peers.Get(tx, org, id)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	next := peer{ID: id, Peer: p, RecipientID: old.RecipientID}
	if p.AccessHash == 0 { // a partial person tells no hash
		next.Peer.AccessHash = old.Peer.AccessHash
	}
	if recipientID != "" {
		next.RecipientID = recipientID
	}
	if next == old {
		return nil
	}
	if err := peers.Put(tx, org, &next); err != nil {
		return err
	}
	if old.Peer.AccessHash != 0 || next.Peer.AccessHash == 0 {
		return nil
	}
	r, err := recipient.ByMessengerID(tx, org, p.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return recipient.RecordContact(tx, org, r.ID, recipient.Contact{Account: account})
}

// stateStore is what one account's driver keeps over a restart.
type stateStore struct {
	p       *Pool
	org, id string
}

var _ messenger.StateStore = stateStore{}

// SaveSession implements messenger.StateStore. An account that is gone keeps nothing.
func (m stateStore) SaveSession(ctx context.Context, secret []byte) error {
	return m.update(ctx, func(tx *store.Tx) error {
		return m.p.o.Accounts.SaveSession(tx, m.org, m.id, secret)
	})
}

// update changes what belongs to an account, if that is still there.
func (m stateStore) update(ctx context.Context, f func(*store.Tx) error) error {
	return m.p.db.Update(ctx, func(tx *store.Tx) error {
		ok, err := m.p.o.Accounts.Has(tx, m.org, m.id)
		if err != nil || !ok {
			return err
		}
		return store.IgnoreNotFound(f(tx))
	})
}

// Peer implements messenger.StateStore.
func (m stateStore) Peer(ctx context.Context, id int64) (p messenger.Peer, known bool, err error) {
	err = m.p.db.View(ctx, func(tx *store.Tx) error {
		rec, err := peers.Get(tx, m.org, peerID(m.id, id))
		p, known = rec.Peer, err == nil
		return store.IgnoreNotFound(err)
	})
	return p, known, err
}

// recordsAtATime bounds one transaction.
const recordsAtATime = 200

// SavePeers implements messenger.StateStore.
func (m stateStore) SavePeers(ctx context.Context, list []messenger.Peer) error {
	for len(list) > 0 {
		some := list[:min(len(list), recordsAtATime)]
		list = list[len(some):]
		err := m.update(ctx, func(tx *store.Tx) error {
			for _, p := range some {
				if err := savePeer(tx, m.org, m.id, p, ""); err != nil {
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

// UpdateState implements messenger.StateStore.
func (m stateStore) UpdateState(ctx context.Context) ([]byte, error) {
	u, err := m.updateCursor(ctx)
	return u.State, err
}

// SaveUpdateState implements messenger.StateStore.
func (m stateStore) SaveUpdateState(ctx context.Context, state []byte) error {
	return m.move(ctx, func(u *updateState) { u.State = state })
}

// Contacts implements messenger.StateStore.
func (m stateStore) Contacts(ctx context.Context) ([]byte, error) {
	u, err := m.updateCursor(ctx)
	return u.Contacts, err
}

// SaveContacts implements messenger.StateStore.
func (m stateStore) SaveContacts(ctx context.Context, state []byte) error {
	return m.move(ctx, func(u *updateState) { u.Contacts = state })
}

func (m stateStore) updateCursor(ctx context.Context) (u updateState, err error) {
	err = m.p.db.View(ctx, func(tx *store.Tx) error {
		u, err = updates.Get(tx, m.org, m.id)
		return store.IgnoreNotFound(err)
	})
	return u, err
}

// move changes one field of the record; the other stays.
func (m stateStore) move(ctx context.Context, change func(*updateState)) error {
	return m.update(ctx, func(tx *store.Tx) error { return moveUpdates(tx, m.org, m.id, change) })
}

func moveUpdates(tx *store.Tx, org, id string, change func(*updateState)) error {
	u, err := updates.Get(tx, org, id)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	u.ID = id
	change(&u)
	return updates.Put(tx, org, &u)
}

// ListenFrom notes where the updates of an account begin that has just signed in, so
// that what arrives before its first connection is heard. An account that was connected
// before goes on from where it was.
func ListenFrom(tx *store.Tx, org, id string, state []byte) error {
	if len(state) == 0 {
		return nil
	}
	return moveUpdates(tx, org, id, func(u *updateState) {
		if len(u.State) == 0 {
			u.State = state
		}
	})
}

// ForgetUpdates removes where the updates of an account were read to, so that one that is
// connected later under the same id would begin anew.
func ForgetUpdates(tx *store.Tx, org, id string) error {
	return store.IgnoreNotFound(updates.Delete(tx, org, id))
}

// File implements messenger.StateStore.
func (m stateStore) File(ctx context.Context, key string) (ref []byte, err error) {
	err = m.p.db.View(ctx, func(tx *store.Tx) error {
		f, err := files.Get(tx, m.org, fileID(m.id, key))
		ref = f.Ref
		return store.IgnoreNotFound(err)
	})
	return ref, err
}

// SaveFile implements messenger.StateStore.
func (m stateStore) SaveFile(ctx context.Context, key string, ref []byte) error {
	return m.update(ctx, func(tx *store.Tx) error {
		id := fileID(m.id, key)
		if ref == nil {
			return files.Delete(tx, m.org, id)
		}
		return files.Put(tx, m.org, &fileRef{id, ref})
	})
}

// clearSome removes up to most records of an account from a table whose ids begin
// with the account, and says how many there were.
func clearSome[T any](tx *store.Tx, t *store.Table[T], org, account string, id func(*T) string, most int) (int, error) {
	behind, ok := t.Behind(accountPrefix(account))
	if !ok {
		return 0, nil
	}
	list, _, err := t.Walk(tx, org, behind, most)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range list {
		rec := id(&list[i])
		if !strings.HasPrefix(rec, accountPrefix(account)) {
			break
		}
		if err := t.Delete(tx, org, rec); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
