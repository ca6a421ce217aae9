// Package account keeps the accounts of the messenger: their records, status, pace, health
// and activity, and the list of their operations. It puts together the packages below it:
// login (sign-ins), proxy (proxies), connection (connections and what arrives over them),
// each of which asks it what it must know.
//
// It promises that the status of an account changes in one place (apply), with its audit
// entry, event, notification and signal; that an account which the platform restricted is
// used again only when a person says so; that one number, and one person, is connected
// once; and that no proxy has two accounts (contract 36, 38 and 7.2).
//
// It refuses to send: package send does, and reports what happened by Sent, Flooded and
// Trouble. It never shows a session, a phone number or the secret of a proxy, and never
// takes another proxy than the one that was chosen.
package account

import (
	"log/slog"
	"slices"
	"strings"
	"time"

	"svc/app/account/connection"
	"svc/app/account/login"
	"svc/app/account/proxy"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// Status says whether an account can be used.
type Status string

// The statuses (contract 36). Only ACTIVE accounts send.
const (
	Active       Status = "ACTIVE"
	Paused       Status = "PAUSED"
	AuthRequired Status = "AUTH_REQUIRED"
	Restricted   Status = "RESTRICTED"
	Disconnected Status = "DISCONNECTED"
	Failed       Status = "ERROR"
)

// Statuses lists them in the order of contract 36.2.
func Statuses() []Status {
	return []Status{Active, Paused, AuthRequired, Restricted, Disconnected, Failed}
}

// Account is a messenger account as it is kept. What changes with every message is
// in its Pace.
type Account struct {
	ID    string  `json:"id"`
	Label *string `json:"label,omitempty"`
	// PhoneHash is the keyed hash of the number, which itself is not kept.
	PhoneHash   string `json:"phone_hash"`
	PhoneMasked string `json:"phone_masked"`
	// Session is what a connection is made with.
	Session store.Sealed `json:"session"`

	MessengerID int64  `json:"messenger_id"`
	Username    string `json:"username,omitempty"`
	FirstName   string `json:"first_name,omitempty"`
	LastName    string `json:"last_name,omitempty"`
	Premium     bool   `json:"premium,omitempty"`

	Status          Status    `json:"status"`
	StatusReason    *string   `json:"status_reason,omitempty"`
	LastError       *string   `json:"last_error,omitempty"`
	StatusChangedAt time.Time `json:"status_changed_at"`
	// DisabledByAdmin: an administrator of the platform keeps it from being used.
	DisabledByAdmin bool    `json:"disabled_by_admin,omitempty"`
	DisabledReason  *string `json:"disabled_reason,omitempty"`

	// DailyLimit and MinInterval are as they were chosen; what holds is Pacing.
	DailyLimit     int    `json:"daily_limit"`
	MinInterval    int    `json:"min_interval_seconds"`
	ProxyID        string `json:"proxy_id,omitempty"`
	InboundEnabled bool   `json:"inbound_enabled,omitempty"`

	CreatedBy string    `json:"created_by"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// Sends says whether the account may send at all; its pace says when.
func (a *Account) Sends() bool { return a.Status == Active && !a.DisabledByAdmin }

// Receives says whether the account keeps a connection for what arrives.
func (a *Account) Receives() bool {
	return a.InboundEnabled && !a.DisabledByAdmin && (a.Status == Active || a.Status == Paused || a.Status == Restricted)
}

// DisplayName is what people call the account, everywhere: its label, else first and last
// name, else @username, else the masked phone (contract 21.2).
func (a *Account) DisplayName() string {
	name := strings.TrimSpace(a.FirstName + " " + a.LastName)
	switch {
	case a.Label != nil:
		return *a.Label
	case name != "":
		return name
	case a.Username != "":
		return "@" + a.Username
	}
	return a.PhoneMasked
}

var (
	accounts = store.NewTable("account", "acc", func(a *Account) string { return a.ID })
	session  = accounts.Sealed("session", func(a *Account) *store.Sealed { return &a.Session })

	// byPhone and byPerson hold over all organizations: one number, and one person
	// of the platform, is connected once (contract 7.2).
	byPhone  = accounts.UniqueAcross("phone", func(a *Account) store.Key { return store.Text(a.PhoneHash) })
	byPerson = accounts.UniqueAcross("messenger_id", func(a *Account) store.Key { return store.Int(a.MessengerID) })
	// byProxy sees to it that a proxy has one account.
	byProxy = accounts.Unique("proxy", func(a *Account) store.Key {
		if a.ProxyID == "" {
			return nil
		}
		return store.Text(a.ProxyID)
	})
	statusFacet  = accounts.Facet("status", func(a *Account) []string { return []string{string(a.Status)} })
	statusAcross = accounts.TallyAcross("status_across", func(a *Account) []string { return []string{string(a.Status)} })
	// across lists the accounts of all organizations, newest last: all, and by status.
	across = accounts.MultiAcross("across", func(a *Account) []store.Key {
		return []store.Key{
			store.Tuple(store.Text(""), store.Time(a.CreatedAt)),
			store.Tuple(store.Text(string(a.Status)), store.Time(a.CreatedAt)),
		}
	})
	// listening are those that keep a connection.
	listening = accounts.MultiAcross("listening", func(a *Account) []store.Key {
		if !a.Receives() {
			return nil
		}
		return []store.Key{store.Text(a.ID)}
	})
)

// Tables are what a store that holds accounts is opened with. It holds jobs,
// settings, organizations, recipients, events, notifications and the audit log too.
func Tables() []store.AnyTable {
	return append([]store.AnyTable{accounts, paces, activities}, slices.Concat(login.Tables(), connection.Tables(), proxy.Tables())...)
}

// Get reads an account: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Account, error) { return accounts.Get(tx, org, id) }

// Count is how many accounts an organization has, for the plan's limit.
func Count(tx *store.Tx, org string) (int, error) { return accounts.Count(tx, org) }

// Deleted is published when an account is deleted.
type Deleted struct{ Org, ID string }

// Options of New.
type Options struct {
	// Driver reaches the platform.
	Driver messenger.Driver
	Bus    *signal.Bus
	// AllowPrivateProxies lets proxies lie in the service's own network.
	AllowPrivateProxies bool
	// Business says which business an account speaks for; nil: none speaks for one.
	Business BusinessOf
	// InUse says how many running campaigns use an account. nil: none does.
	InUse func(tx *store.Tx, org, account string) (running int, err error)
	// Log hears of what fails on our side. nil: nobody does.
	Log *slog.Logger
}

// Service keeps the accounts and proxies of every organization.
type Service struct {
	db      *store.DB
	o       Options
	log     *slog.Logger
	pool    *connection.Pool
	proxies *proxy.Service
	logins  *login.Service[Shown]
}

// New makes the service. It starts nothing: Run does.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, o: o, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.pool = connection.New(db, connection.Options{Driver: o.Driver, Accounts: connectable{s}, Bus: o.Bus, Log: s.log})
	s.logins = login.New(db, login.Options[Shown]{Driver: o.Driver, Accounts: signable{s}})
	s.proxies = proxy.New(db, proxy.Options{Driver: o.Driver, AllowPrivate: o.AllowPrivateProxies, UserOf: userOfProxy, Changed: s.proxyChanged})
	return s
}

// InUse says how many running campaigns use an account.
func (s *Service) inUse(tx *store.Tx, org, id string) (int, error) {
	if s.o.InUse == nil {
		return 0, nil
	}
	return s.o.InUse(tx, org, id)
}
