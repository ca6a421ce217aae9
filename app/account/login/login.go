// Package login keeps the sign-ins by which accounts of the messenger are connected: their
// steps, states, attempts and secrets.
//
// It promises that a sign-in survives a restart and costs five attempts at most; that the
// steps of one wait for each other; that its secrets are sealed, and gone when it is over;
// that a session which may not become an account's is ended at the platform (contract 37
// and 7.2).
//
// It refuses to make accounts: whether a number may be connected, and what a session that
// was opened becomes, is asked of package account (Accounts). It keeps no phone number
// outside of what is sealed.
package login

import (
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
)

// Accounts is what a sign-in must know of the accounts, and what becomes of it there. A is
// how an account is shown.
type Accounts[A any] interface {
	// MayConnect refuses a number that may not become an account of the organization.
	MayConnect(tx *store.Tx, org string, f *Flow) error
	// MayReauth refuses a sign-in of the account f.AccountID, and sets f.ProxyID to the
	// account's unless one was named.
	MayReauth(tx *store.Tx, org string, f *Flow) error
	// Connect makes the account f.AccountID of a sign-in that the platform completed.
	Connect(tx *store.Tx, c *api.Call, f *Flow, step messenger.Step) (A, error)
	// SignInAgain gives the account f.AccountID its new session.
	SignInAgain(tx *store.Tx, c *api.Call, f *Flow, step messenger.Step) (A, error)
	// Route is the way through a proxy, direct for "".
	Route(tx *store.Tx, org, proxyID string) (messenger.Route, error)
	// LogOut has a session ended at the platform soon. id is that of no account.
	LogOut(tx *store.Tx, org, id string, session []byte, via messenger.Route) error
}

// Options of New.
type Options[A any] struct {
	// Driver reaches the platform.
	Driver   messenger.Driver
	Accounts Accounts[A]
}

// Service keeps the sign-ins of every organization. A is how an account is shown.
type Service[A any] struct {
	db *store.DB
	o  Options[A]
}

// lock lets one step of a sign-in be taken at a time, on all nodes. name is that of the
// sign-in, or of its number while it begins.
func (s *Service[A]) lock(c *api.Call, name string) (unlock func(), err error) {
	return coord.Of(s.db).Lock(c, "login/"+name)
}

// New makes the service. It starts nothing.
func New[A any](db *store.DB, o Options[A]) *Service[A] { return &Service[A]{db: db, o: o} }

// Tables are what a store that holds sign-ins is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{flows} }

// Cleanup ends the open sign-ins that ran out, whose secrets go with it, and forgets
// those that were over a day ago: at most limit of them. It says how many there were.
func Cleanup(tx *store.Tx, limit int) (int, error) {
	until := tx.DB().Now().Add(time.Millisecond) // exclusive, and now is due
	page, _, err := flowsDue.Walk(tx, store.Range{Span: store.Between(nil, store.Time(until)), Limit: limit})
	for i := range page {
		f, org := &page[i].Record, page[i].Org
		if err != nil {
			return 0, err
		}
		if !f.open() {
			err = flows.Delete(tx, org, f.ID)
			continue
		}
		if err = f.happens(tx, org, ranOut); err == nil {
			err = flows.Put(tx, org, f)
		}
	}
	return len(page), err
}
