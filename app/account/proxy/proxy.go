// Package proxy keeps the proxies through which accounts of the messenger connect: their
// records, imports, checks and the right of one account to use one.
//
// It promises that the user, password and secret of a proxy are sealed and never shown;
// that an organization has the same proxy once; that the status of a proxy changes in one
// place (apply), with its audit entry and notification; that no proxy serves two accounts
// (CheckUse); and that the way through a proxy is that one or none (Route) (contract 38
// and 7.3).
//
// It refuses to know accounts: who uses a proxy, and what its new status means for that
// account, is asked of package account (Options.UserOf, Options.Changed). A proxy that an
// administrator disabled is left alone until one enables it.
package proxy

import (
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/store"
)

// The refusals of this package (contract 46.2).
var (
	ErrInUse       = &api.Error{Kind: api.Conflict, Code: "proxy_in_use", Message: "Another account uses this proxy; every account needs one of its own."}
	ErrDisabled    = &api.Error{Kind: api.Conflict, Code: "proxy_disabled", Message: "An administrator of the platform disabled this proxy; it cannot be used, checked, changed, deleted or added again."}
	ErrNotDisabled = &api.Error{Kind: api.Conflict, Code: "not_disabled_by_admin", Message: "No administrator disabled this."}

	errTooMany   = api.ErrConflict.WithMessage("An organization has 5,000 proxies at most; delete those that are not used.")
	errDuplicate = api.ErrConflict.WithMessage("A proxy with this type, host, port and username exists already.")
)

// Options of New.
type Options struct {
	// Driver reaches the platform, for checks.
	Driver messenger.Driver
	// AllowPrivate lets proxies lie in the service's own network.
	AllowPrivate bool
	// UserOf is the account that uses a proxy, "" for none. nil: none uses one.
	UserOf func(tx *store.Tx, org, proxy string) (account string, err error)
	// Changed does what the state of a proxy means for the account that uses it, in the
	// transaction that changed the proxy. nil: nothing.
	Changed func(tx *store.Tx, c *api.Call, org string, p *Proxy) error
}

// Service keeps the proxies of every organization.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing.
func New(db *store.DB, o Options) *Service { return &Service{db: db, o: o} }

// Tables are what a store that holds proxies is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{proxies, checks} }

// Get reads a proxy: store.ErrNotFound when the organization has none of that id.
func Get(tx *store.Tx, org, id string) (Proxy, error) { return proxies.Get(tx, org, id) }

// userOf is the account that uses a proxy, "" for none.
func (s *Service) userOf(tx *store.Tx, org, id string) (string, error) {
	if s.o.UserOf == nil {
		return "", nil
	}
	return s.o.UserOf(tx, org, id)
}

// checkEvery is how often a proxy is checked that an account uses (contract 7.3).
const checkEvery = 15 * time.Minute

// CheckDue says whether a proxy that an account uses is to be checked now.
func (p *Proxy) CheckDue(now time.Time) bool {
	return p.Status != Disabled && (p.LastCheckedAt == nil || now.Sub(*p.LastCheckedAt) >= checkEvery)
}

// Route is the way through a proxy; direct for "". A proxy that is disabled or gone
// is RouteFailed: there is no other way instead of it.
func (s *Service) Route(tx *store.Tx, org, id string) (via messenger.Route, err error) {
	if id == "" {
		return via, nil
	}
	p, err := proxies.Get(tx, org, id)
	switch {
	case store.IsNotFound(err):
		return via, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_GONE"}
	case err != nil:
		return via, err
	case p.Status == Disabled:
		return via, &messenger.Error{Fault: messenger.RouteFailed, Code: "PROXY_DISABLED"}
	}
	return s.routeOf(tx, org, &p)
}

func (s *Service) routeOf(tx *store.Tx, org string, p *Proxy) (messenger.Route, error) {
	x, err := p.get(tx.DB(), org)
	return messenger.Route{
		Kind: x.Type, Host: x.Host, Port: x.Port, Username: x.Username, Password: x.Password, Secret: x.Secret, AllowPrivate: s.o.AllowPrivate,
	}, err
}

// CheckUse refuses a proxy that an account may not take: one that is not there, disabled,
// or used by another account. account is whose it may be already, "" for a new one.
func (s *Service) CheckUse(tx *store.Tx, org, id, account string) error {
	if id == "" {
		return nil
	}
	p, err := proxies.Get(tx, org, id)
	switch {
	case store.IsNotFound(err):
		return api.Wrong("proxy_id", "names no proxy of this organization")
	case err != nil:
		return err
	case p.Status == Disabled:
		return ErrDisabled
	}
	user, err := s.userOf(tx, org, id)
	if err == nil && user != "" && user != account {
		return ErrInUse
	}
	return err
}
