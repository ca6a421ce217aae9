package account

import (
	"context"

	"svc/app/account/connection"
	"svc/app/api"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
)

// Conn is the one connection of an account, opened when there is none. It is kept for five
// minutes after the last call, or for as long as messages are received. What is done over it
// is stored only if its lease passes (coord.Lease.Fence). Its error is a *messenger.Error,
// store.ErrNotFound or the context's.
func (s *Service) Conn(ctx context.Context, org, id string) (messenger.Conn, coord.Lease, error) {
	return s.pool.Conn(ctx, org, id)
}

// Elsewhere says whether another node connects an account.
func (s *Service) Elsewhere(tx *store.Tx, id string) (bool, error) { return s.pool.Elsewhere(tx, id) }

// Run keeps the connections of accounts until the context ends.
func (s *Service) Run(ctx context.Context) error { return s.pool.Run(ctx) }

// OnlineCount is how many accounts have a connection over which the platform can be
// reached, of this node.
func (s *Service) OnlineCount() int { return s.pool.OnlineCount() }

// OnlineElsewhere is how many accounts other nodes connect.
func (s *Service) OnlineElsewhere(tx *store.Tx) (int, error) { return s.pool.ElsewhereCount(tx) }

// KnownTo are the accounts that can write to a person by messenger id alone: they have
// met, or the person is in the address book (contract 32.3; recipient.Options.KnownTo).
func KnownTo(tx *store.Tx, org string, messengerID int64) (ids []string, err error) {
	return connection.KnownTo(tx, org, messengerID, accounts.Has)
}

// Why an account is not connected at the moment, beside what the platform says: none of it
// is trouble of the account. To a send it is as if nobody was reached.
var (
	errTurnedOff = &messenger.Error{Fault: messenger.Unreachable, Code: "DISABLED_BY_ADMIN"}
	errSignedOut = &messenger.Error{Fault: messenger.SessionEnded, Code: "AUTH_REQUIRED"}
)

// ours says whether an error is one of our own, not of the platform.
func ours(e *messenger.Error) bool {
	return e == connection.ErrClosing || e == connection.ErrElsewhere || e == errTurnedOff || e == errSignedOut
}

// connectable is the accounts as package connection sees them.
type connectable struct{ s *Service }

var _ connection.Accounts = connectable{}

// Wanted implements connection.Accounts.
func (x connectable) Wanted(tx *store.Tx, org, id string) (connection.Wanted, error) {
	a, err := accounts.Get(tx, org, id)
	switch {
	case err != nil:
		return connection.Wanted{}, err
	case a.Status == AuthRequired:
		return connection.Wanted{}, errSignedOut
	case a.DisabledByAdmin:
		return connection.Wanted{}, errTurnedOff
	}
	return x.s.wanted(tx, org, &a)
}

// wanted is how an account is connected, whatever its status.
func (s *Service) wanted(tx *store.Tx, org string, a *Account) (w connection.Wanted, err error) {
	secret, err := session.Open(tx.DB(), org, a)
	if err != nil {
		return w, err
	}
	via, err := s.proxies.Route(tx, org, a.ProxyID)
	if err != nil {
		return w, err
	}
	return connection.Wanted{Session: secret, Via: via, Inbound: a.Receives(), Person: a.PhoneHash}, nil
}

// Listening implements connection.Accounts.
func (connectable) Listening(tx *store.Tx, after store.Cursor, limit int) (list []connection.Ref, next store.Cursor, err error) {
	page, next, err := listening.Walk(tx, store.Range{After: after, Limit: limit})
	for i := range page {
		list = append(list, connection.Ref{Org: page[i].Org, ID: page[i].Record.ID})
	}
	return list, next, err
}

// Has implements connection.Accounts.
func (connectable) Has(tx *store.Tx, org, id string) (bool, error) { return accounts.Has(tx, org, id) }

// SaveSession implements connection.Accounts.
func (connectable) SaveSession(tx *store.Tx, org, id string, secret []byte) error {
	a, err := accounts.Get(tx, org, id)
	if err != nil {
		return err
	}
	if err := session.Set(tx, org, &a, secret); err != nil {
		return err
	}
	return accounts.Put(tx, org, &a)
}

// SaveProfile implements connection.Accounts.
func (connectable) SaveProfile(tx *store.Tx, org, id string, p messenger.Profile) error {
	a, err := accounts.Get(tx, org, id)
	if err != nil || p.ID != a.MessengerID || !a.profile(p) {
		return err
	}
	a.UpdatedAt = tx.DB().Now()
	return accounts.Put(tx, org, &a)
}

// Seen implements connection.Accounts.
func (connectable) Seen(tx *store.Tx, org, id string) error { return seen(tx, org, id) }

// ChangesStatus implements connection.Accounts.
func (connectable) ChangesStatus(e *messenger.Error) bool {
	_, changes := meaning(e)
	return changes
}

// Trouble implements connection.Accounts.
func (x connectable) Trouble(tx *store.Tx, c *api.Call, org, id string, e *messenger.Error) error {
	return x.s.Trouble(tx, c, org, id, e)
}

// Forget implements connection.Accounts: what is left of an account here is its activity.
func (connectable) Forget(tx *store.Tx, org, id string, limit int) (int, error) {
	page, err := activities.Page(tx, org, store.Query[activity]{Where: []store.Cond[activity]{ofAccount.Any(id)}, Limit: limit})
	if err != nil {
		return 0, err
	}
	for i := range page.Data {
		if err := activities.Delete(tx, org, page.Data[i].ID); err != nil {
			return 0, err
		}
	}
	return len(page.Data), nil
}
