// Package connection connects the accounts of the messenger: it opens one connection for
// each account that needs one, keeps those online that receive messages, keeps what their
// drivers must find again after a restart, and stores what arrives.
//
// It promises that an account never has two connections, on all nodes together: whoever
// connects one holds its lease; that what arrives
// is stored once, sealed, and a stop word opts the person out in the same transaction
// (contract 20.7); that the session of an account which is gone is ended at the platform,
// and what belonged to the account removed.
//
// It refuses to decide: whether and how an account is connected, and what an error of the
// platform means for it, is asked of package account (Accounts). It sends nothing.
package connection

import (
	"log/slog"
	"sync"

	"svc/app/api"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

// Accounts is what connections must know of the accounts, and tell them.
type Accounts interface {
	// Wanted says how an account is connected: store.ErrNotFound for one that is not there,
	// a *messenger.Error for one that cannot be connected as it is.
	Wanted(tx *store.Tx, org, id string) (Wanted, error)
	// Listening lists the accounts that receive messages, of all organizations, a page at a
	// time; next is nil behind the last.
	Listening(tx *store.Tx, after store.Cursor, limit int) (list []Ref, next store.Cursor, err error)
	// Has says whether an account is there.
	Has(tx *store.Tx, org, id string) (bool, error)
	// SaveSession keeps the session with which an account is connected from now on.
	SaveSession(tx *store.Tx, org, id string, secret []byte) error
	// SaveProfile keeps what the platform says about an account.
	SaveProfile(tx *store.Tx, org, id string, p messenger.Profile) error
	// Seen notes that the platform was heard from.
	Seen(tx *store.Tx, org, id string) error
	// ChangesStatus says whether an error that came without a send means something for an
	// account, and Trouble does what it means.
	ChangesStatus(e *messenger.Error) bool
	Trouble(tx *store.Tx, c *api.Call, org, id string, e *messenger.Error) error
	// Forget removes some of what is kept of an account that is gone, at most limit records,
	// and says how many.
	Forget(tx *store.Tx, org, id string, limit int) (int, error)
}

// Ref names an account.
type Ref struct{ Org, ID string }

// Wanted is how an account is connected.
type Wanted struct {
	Session []byte
	Via     messenger.Route
	// Inbound: it is connected all the time, to receive messages.
	Inbound bool
	// Person changes when another person signs in: the connection is made anew.
	Person string
}

// Options of New.
type Options struct {
	// Driver reaches the platform.
	Driver   messenger.Driver
	Accounts Accounts
	// Inbox keeps what arrives; nil: nobody does, and only signals tell of it.
	Inbox Inbox
	Bus   *signal.Bus
	// Log hears of what fails on our side. nil: nobody does.
	Log *slog.Logger
}

// Pool has the connections: one slot for each account that had one since the start.
type Pool struct {
	db  *store.DB
	o   Options
	log *slog.Logger

	mu         sync.Mutex
	slots      map[key]*slot
	closed     bool
	wake       map[key]struct{} // accounts to look at again
	all        bool             // and all that receive messages
	elsewhere  map[string]key   // accounts that receive messages at another node, by id
	wakeSignal chan struct{}
	// opening bounds how many are opened for inbound messages at the same time.
	opening chan struct{}
	wg      sync.WaitGroup // those who watch and open
}

// New makes the pool. It opens nothing: Run and Conn do.
func New(db *store.DB, o Options) *Pool {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Inbox == nil {
		o.Inbox = withoutInbox{}
	}
	return &Pool{
		db: db, o: o, log: o.Log, slots: map[key]*slot{}, wake: map[key]struct{}{}, elsewhere: map[string]key{},
		wakeSignal: make(chan struct{}, 1), opening: make(chan struct{}, openingAtATime),
	}
}

// SetInbox says who keeps what arrives. Call it before Run.
func (p *Pool) SetInbox(x Inbox) { p.o.Inbox = x }

// Tables are what a store that holds connections is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{peers, files, updates, pendingLogouts}
}

// Work registers the jobs of the package.
func (p *Pool) Work(w *queue.Workers) {
	queue.Register(w, p.logOut)
	queue.Register(w, p.clear)
}
